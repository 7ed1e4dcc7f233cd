package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hearth/backend/chat"
	"hearth/backend/claude"
	"hearth/backend/ledger"
	"hearth/backend/run"
)

// turns returns what the ledger has of a binding, oldest first.
func (h *house) turns(b chat.Binding) []ledger.Turn {
	h.t.Helper()
	turns, _, err := h.store.Turns(h.ctx(), run.TurnsQuery{BindingID: b.ID, Limit: 1000})
	if err != nil {
		h.t.Fatal(err)
	}
	return turns
}

func TestTheLedgerKnowsHowATurnWasMade(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	b := h.binding(c, "agent", chat.RuntimeStandin)
	h.ask(c, "@agent first")
	second := h.ask(c, "@agent second")
	crashed := h.ask(c, "@agent /tool channel_roster {}\n/crash")
	if crashed.State != run.Failed {
		t.Fatalf("it did not crash: %+v", crashed)
	}
	h.ask(c, "@agent with a new process")
	b.Role = chat.RoleCoordinator
	if _, err := h.store.UpdateBinding(h.ctx(), b); err != nil {
		t.Fatal(err)
	}
	h.ask(c, "@agent with other tools and another framing")

	turns := h.turns(b)
	if len(turns) != 5 {
		t.Fatalf("%d turns", len(turns))
	}
	for i, turn := range turns {
		if turn.Process == "" || turn.Version == "" || turn.Framing.Size == 0 || turn.Tools.Size == 0 || turn.Window == 0 && i != 2 || turn.Native == "" {
			t.Errorf("turn %d: %+v", i, turn)
		}
		for j, before := range turns[:i] {
			if same := i <= 2; same != (turn.Process == before.Process) && i != 4 && j < 3 {
				t.Errorf("turns %d and %d are of %s and %s", j, i, before.Process, turn.Process)
			}
		}
	}
	if turns[0].Framing != turns[3].Framing || turns[0].Tools != turns[3].Tools {
		t.Errorf("a process that was started in the same way differs: %+v %+v", turns[0], turns[3])
	}
	if turns[4].Framing == turns[3].Framing || turns[4].Tools == turns[3].Tools {
		t.Errorf("a coordinator is told the same: %+v", turns[4])
	}
	if len(turns[0].Models) != 1 || len(turns[0].Calls) == 0 || turns[0].Calls[0].Began.IsZero() {
		t.Errorf("the first turn: %+v", turns[0])
	}
	if u := second.Usage; u.Context == 0 || u.Window == 0 || len(u.Calls) == 0 {
		t.Errorf("the run: %+v", u)
	}
	// Of the process that died the call that was over is counted; what it cost is not known.
	if len(turns[2].Calls) == 0 || turns[2].Usage.Prompt() == 0 || turns[2].CostUSD != 0 || len(turns[2].Models) != 0 {
		t.Errorf("the turn that crashed: %+v", turns[2])
	}
}

func TestWhatATurnHasShownSoFar(t *testing.T) {
	var s seen
	call := func(id string, output int64) claude.CallUsage {
		return claude.CallUsage{Call: claude.Call{MessageID: id, Main: id == "m1", TTFT: 1500*time.Microsecond + 1, Usage: claude.Usage{Input: 1, Output: output}}}
	}
	for _, e := range []claude.Event{call("m0", 9), claude.Retract{}, call("m2", 2), claude.TextDelta{Text: "x"}, call("m1", 3), call("m2", 5)} {
		s.take(e)
	}
	u := s.usage()
	if u.Input != 2 || u.Output != 8 || len(u.Calls) != 2 || u.Calls[0].MessageID != "m2" || u.TTFT != 1500*time.Microsecond || u.Context != 0 {
		t.Errorf("%+v", u)
	}
}

func TestASessionThatKeepsItsInstructions(t *testing.T) {
	entry := `{"parentUuid":"x",` + string(snapshot) + `,"systemPrompt":["…"]}}` + "\n"
	long := strings.Repeat("x", 256<<10)
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"empty":          {"", false},
		"at once":        {entry, true},
		"over the chunk": {long[:len(long)-9] + entry, true},
		"far behind":     {long + long + "y" + entry, true},
		"only told of":   {`{"text":"` + strings.ReplaceAll(string(snapshot), `"`, `\"`) + `"}`, false},
		"cut off":        {long + string(snapshot[:len(snapshot)-1]), false},
	} {
		path := filepath.Join(t.TempDir(), "t.jsonl")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := keepsInstructions(path); err != nil || got != c.want {
			t.Errorf("%s: %t, %v", name, got, err)
		}
	}
	if _, err := keepsInstructions(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a transcript that is not there was read")
	}
}
