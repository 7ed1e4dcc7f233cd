package cli

import (
	"strings"
	"testing"
)

// A mention of nobody is told apart from none, and fails a command that waits.
func TestMentionOfNobody(t *testing.T) {
	h := newHouse(t)
	h.serve()
	h.ok("post", "general", "I am here", "--as", "aiko")
	const none = "none is mentioned"
	for text, want := range map[string]string{
		"@ghost look":                    "There is no @ghost here; the agent is @claude.",
		"＠유령, and @other.":               "There is no @유령, @other here; the agent is @claude.",
		"@aiko look, @ghost too":         "There is no @ghost here; the agent is @claude.",
		"@aiko에게":                        none,
		"a word":                         none,
		"run `@ghost`":                   none,
		"mail me@ghost.com":              none,
		"https://example.org/@ghost/pic": none,
	} {
		if out := h.ok("post", "general", text); !strings.Contains(out, want) {
			t.Errorf("%q: %s, want %q", text, out, want)
		}
		code := exitDone
		if want != none {
			code = exitFailed
		}
		if r := h.run("post", "general", text, "--wait"); r.code != code || !strings.Contains(r.stderr, want) {
			t.Errorf("%q --wait: %+v, want %d %q", text, r, code, want)
		}
	}
	h.ok("bindings", "add", "general", "codex", "--runtime", "standin")
	if out := h.ok("post", "general", "@ghost"); !strings.Contains(out, "There is no @ghost here; the agents are @claude, @codex.") {
		t.Errorf("two agents: %s", out)
	}
	h.ok("channels", "create", "empty")
	if out := h.ok("post", "empty", "@ghost"); !strings.Contains(out, "There is no @ghost here, nor any agent.") {
		t.Errorf("no agent: %s", out)
	}
}
