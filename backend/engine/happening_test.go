package engine

import (
	"strings"
	"testing"

	"hearth/backend/claude"
)

// What the client says to a terminal is put into what to do here; its own words
// stay.
func TestWhatAPersonCanMendIsSaid(t *testing.T) {
	for said, wants := range map[string][]string{
		"Not logged in · Please run /login":      {"Run `claude` in a terminal", "Not logged in"},
		"Invalid API key · Fix external API key": {"ANTHROPIC_API_KEY", "retry", "Fix external API key"},
		"API Error: 529 overloaded":              {"API Error: 529 overloaded"},
	} {
		o := outcome(claude.Result{IsError: true, API: true, Text: said})
		for _, want := range wants {
			if o.Reply != "" || !strings.Contains(o.Message, want) {
				t.Errorf("%q: the message is %q, the reply %q", said, o.Message, o.Reply)
			}
		}
	}
	if o := outcome(claude.Result{IsError: true, Subtype: "error_during_execution", Errors: []string{"it broke"}}); !strings.Contains(o.Message, "error_during_execution") || !strings.Contains(o.Message, "it broke") {
		t.Errorf("an error without a text: %q", o.Message)
	}
}
