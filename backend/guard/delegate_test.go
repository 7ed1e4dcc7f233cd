package guard

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"hearth/backend/chat"
)

func TestACoordinatorsMainThreadDelegates(t *testing.T) {
	plain := Role{Workbench: "/w/.flower"}
	glance := Role{Glance: true, Workbench: "/w/.flower", Hands: []string{"Grep"}}
	for _, test := range []struct {
		role        Role
		tool, input string
		agent       string
		denied      bool
	}{
		{plain, "Bash", `{"command":"ls"}`, "", true},
		{plain, "Bash", `{"command":"ls"}`, "sub", false},
		{glance, "Bash", `{"command":"ls -la 2>&1 | head"}`, "", false},
		{glance, "Bash", `{"command":"make"}`, "", true},
		{glance, "Bash", `{"command":"make"}`, "sub", false},
		{glance, "Bash", `{"command":"ls","run_in_background":true}`, "", true},
		{glance, "Bash", `{"command":7}`, "", true},
		{glance, "Write", `{}`, "", true},
		{glance, "Edit", `{}`, "", true},
		{glance, "MultiEdit", `{}`, "", true},
		{glance, "NotebookEdit", `{}`, "", true},
		{glance, "Grep", `{}`, "", false},
		{glance, "Glob", `{}`, "", true},
		{plain, "WebFetch", `{}`, "", true},
		{plain, "WebSearch", `{}`, "", true},
		{plain, "WebSearch", `{}`, "sub", false},
		{plain, "Read", `{}`, "", false},
		{plain, "Agent", `{}`, "", false},
		{plain, "TodoWrite", `{}`, "", false},
		{plain, "mcp__channel__channel_history", `{}`, "", false},
		{plain, "mcp__other__write", `{}`, "", false},
	} {
		reason := Delegate(test.role, Call{Tool: test.tool, Input: json.RawMessage(test.input), AgentID: test.agent})
		if (reason != "") != test.denied {
			t.Errorf("%s %s by %q: %q", test.tool, test.input, test.agent, reason)
		}
		if test.denied && (!strings.Contains(reason, "Agent tool") || !strings.Contains(reason, "/w/.flower/artifacts")) {
			t.Errorf("%s: the denial shows no way: %q", test.tool, reason)
		}
	}
	if reason := Delegate(glance, Call{Tool: "Bash", Input: json.RawMessage(`{"command":"ls; rm x"}`)}); !strings.Contains(reason, `"rm"`) {
		t.Errorf("the denial does not say what decided: %s", reason)
	}
}

func TestIsolatedWorkersGetAWorktree(t *testing.T) {
	isolated := []string{"tester"}
	for in, want := range map[string]string{
		`{"subagent_type":"tester","prompt":"x"}`:                      `{"isolation":"worktree","prompt":"x","subagent_type":"tester"}`,
		`{"subagent_type":"tester","prompt":"x","isolation":null}`:     `{"isolation":"worktree","prompt":"x","subagent_type":"tester"}`,
		`{"subagent_type":"tester","cwd":"","prompt":"x"}`:             `{"cwd":"","isolation":"worktree","prompt":"x","subagent_type":"tester"}`,
		`{"subagent_type":"tester","isolation":"remote","prompt":"x"}`: "",
		`{"subagent_type":"tester","cwd":"/elsewhere","prompt":"x"}`:   "",
		`{"subagent_type":"explorer","prompt":"x"}`:                    "",
		`{"prompt":"x"}`:      "",
		`{"subagent_type":7}`: "",
		`nonsense`:            "",
	} {
		got, changed := Isolate(json.RawMessage(in), isolated)
		if changed != (want != "") || changed && string(got) != want || !changed && string(got) != in {
			t.Errorf("%s became %s", in, got)
		}
	}
}

// A binding can be allowed what a coordinator can be allowed, and nothing else.
func TestHandsAreThoseOfABinding(t *testing.T) {
	if !slices.Equal(optional, chat.HandTools) {
		t.Errorf("%v, and a binding can be allowed %v", optional, chat.HandTools)
	}
}
