package engine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hearth/backend/chat"
	"hearth/backend/claude"
	"hearth/backend/event"
	"hearth/backend/run"
)

// On Linux no argument of a program can be longer than 128 KiB, and a command
// that a model runs can: it writes files by them.
func TestAnAgentStartsWithARuleThatIsTooLongForAnArgument(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	b := h.binding(c, "agent", chat.RuntimeStandin)
	after := h.bus.Last()
	_, runs := h.post(c, "@agent /ask echo "+strings.Repeat("한", 50_000))
	e := h.awaitEvent(after, func(e event.Event) bool { return e.Type == run.EventPermissionAsked })
	if _, err := h.runs.AnswerPermission(h.ctx(), e.Data.(run.Permission).ID, run.Answer{Decision: run.AllowAlways}); err != nil {
		t.Fatal(err)
	}
	h.await(runs[0].ID, run.State.Ended)
	rules, err := h.store.Rules(h.ctx(), b.ID)
	if err != nil || len(rules) != 1 || len(rules[0].Text) < 128<<10 {
		t.Fatalf("%d rules, %v", len(rules), err)
	}
	if err := h.agents.End(h.ctx(), run.KeyOf(b), "test"); err != nil {
		t.Fatal(err)
	}
	if r := h.ask(c, "@agent hello"); r.State != run.Succeeded || r.Temperature != "cold" {
		t.Errorf("the next process: %s, %s, %+v", r.State, r.Temperature, r.Failure)
	}
}

func TestRulesOfAPersonAreReadAsTheyWereOffered(t *testing.T) {
	got := ruleList([]run.Rule{
		{Text: "Read"}, {Text: "Bash(git status:*)"}, {Text: "Bash(python3 -c 'print(1)')"}, {Text: "Bash(a (b)"}, {Text: "odd)"},
		{Tool: "Bash", Input: []byte(`{"command":"ls"}`)}, // for one call, which package run answers
	})
	want := []claude.Rule{
		{Tool: "Read"}, {Tool: "Bash", Content: "git status:*"}, {Tool: "Bash", Content: "python3 -c 'print(1)'"}, {Tool: "Bash", Content: "a (b"}, {Tool: "odd)"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestAWorkspaceThatIsGoneIsNamed(t *testing.T) {
	h := build(t, nil)
	h.workspace = filepath.Join(t.TempDir(), "작업")
	if err := os.Mkdir(h.workspace, 0o700); err != nil {
		t.Fatal(err)
	}
	c := h.channel("my backend")
	h.binding(c, "agent", chat.RuntimeStandin)
	if err := vanish(h.workspace); err != nil {
		t.Fatal(err)
	}
	failed := h.ask(c, "@agent hello")
	if failed.State != run.Failed || failed.Failure.Code != run.FailStart {
		t.Fatalf("the run is %s: %+v", failed.State, failed.Failure)
	}
	for _, want := range []string{"@agent", h.workspace + " is not there. ", `hearth channels edit "my backend" --workspace FOLDER`} {
		if !strings.Contains(failed.Failure.Message, want) {
			t.Errorf("%q does not say %q", failed.Failure.Message, want)
		}
	}
	if strings.Contains(failed.Failure.Message, h.options.Standin[0]) {
		t.Errorf("%q reads as if the agent's program were missing", failed.Failure.Message)
	}
	if err := os.WriteFile(h.workspace, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if again := h.ask(c, "@agent hello"); again.Failure == nil || !strings.Contains(again.Failure.Message, h.workspace+" is no folder") {
		t.Errorf("a file in the place of the folder: %+v", again.Failure)
	}
	if err := vanish(h.workspace); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(h.workspace, 0o700); err != nil {
		t.Fatal(err)
	}
	if r := h.ask(c, "@agent hello"); r.State != run.Succeeded {
		t.Errorf("with the folder back, the run is %s: %+v", r.State, r.Failure)
	}
}

// A process goes on in a folder that is gone, where nobody sees what it does. So its
// agent is not asked; what it was to be asked is asked again when the folder is back.
func TestAWarmAgentIsNotAskedWhereItsWorkspaceIsGone(t *testing.T) {
	h := build(t, nil)
	h.workspace = filepath.Join(t.TempDir(), "작업")
	if err := os.Mkdir(h.workspace, 0o700); err != nil {
		t.Fatal(err)
	}
	c := h.channel("backend")
	h.binding(c, "agent", chat.RuntimeStandin)
	first := h.ask(c, "@agent hello")
	away := h.workspace + "-away"
	if err := os.Rename(h.workspace, away); err != nil {
		t.Fatal(err)
	}
	failed := h.ask(c, "@agent are you there?")
	if failed.State != run.Failed || failed.Failure.Code != run.FailStart || !failed.StartedAt.IsZero() {
		t.Fatalf("the run is %s: %+v", failed.State, failed.Failure)
	}
	for _, want := range []string{"@agent was not asked: the folder " + h.workspace + " is not there. Put the folder back", "Then try again."} {
		if !strings.Contains(failed.Failure.Message, want) {
			t.Errorf("%q does not say %q", failed.Failure.Message, want)
		}
	}
	if err := os.Rename(away, h.workspace); err != nil {
		t.Fatal(err)
	}
	again, err := h.runs.Retry(h.ctx(), failed.ID)
	if err != nil {
		t.Fatal(err)
	}
	if r := h.await(again.ID, run.State.Ended); r.State != run.Succeeded || r.Temperature != "warm" || r.Native != first.Native {
		t.Errorf("with the folder back, the run is %s and %s: %+v", r.State, r.Temperature, r.Failure)
	}
	// Another folder in its place is none that the process works in.
	if err := os.Rename(h.workspace, away); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(h.workspace, 0o700); err != nil {
		t.Fatal(err)
	}
	if r := h.ask(c, "@agent hello"); r.State != run.Succeeded || r.Temperature != "cold" || r.Native == first.Native {
		t.Errorf("in another folder, the run is %s and %s: %+v", r.State, r.Temperature, r.Failure)
	}
}
