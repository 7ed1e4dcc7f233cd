//go:build e2e

package engine

import (
	"strings"
	"syscall"
	"testing"

	"hearth/backend/chat"
	"hearth/backend/ledger"
	"hearth/backend/run"
)

// The real client's process that crashed, and a Hearth that was closed and opened
// again: the next turn reads anew and says which of them it was. Restored after the
// same, it reads all that was left, and there is nothing to tell.
func TestRealBreakSaysWhatEndedTheProcessBefore(t *testing.T) {
	h, _ := buildCounted(t, "")
	for name, c := range map[string]struct {
		between func(chat.Binding)
		how     ledger.Ending
		reason  string
	}{
		"crash": {func(b chat.Binding) {
			if err := syscall.Kill(h.detail(b).State.PID, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			h.agents.wait()
		}, ledger.EndedCrashed, "killed"},
		"restart": {func(chat.Binding) { h.close(); h.open() }, ledger.EndedClosed, ""},
	} {
		ch, b := h.settled(name)
		c.between(b)
		r := h.ask(ch, "@claude four")
		succeeded(t, r)
		if found := r.Break; found == nil || found.Cause != ledger.NewProcess || !found.Quiet || !found.Evidence.Anew || found.Evidence.Restored {
			t.Fatalf("%s: %+v", name, found)
		}
		if end := r.Break.Evidence.Ended; end == nil || end.How != c.how || !strings.Contains(end.Reason, c.reason) || !end.At.Before(r.StartedAt) {
			t.Errorf("%s: it ended %+v", name, end)
		}
		succeeded(t, h.ask(ch, "@claude five"))
		c.between(b)
		if _, err := h.runs.Restore(h.ctx(), b.ID); err != nil {
			t.Fatal(err)
		}
		if r := h.ask(ch, "@claude six"); r.State != run.Succeeded || r.Temperature != "restored" || r.Break != nil {
			t.Errorf("%s, restored: %s %s, %+v", name, r.State, r.Temperature, r.Break)
		}
	}
}

// A Hearth that is killed puts nothing down. Its next start does, and the break says
// that it was not closed in order.
func TestABreakSaysThatHearthWasKilled(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	h.binding(c, "claude", chat.RuntimeStandin)
	h.close()
	child := startCrashChild(t, h)
	child.post(c.ID, "@claude one")
	child.awaitRun(c.ID, run.Succeeded)
	child.kill()
	h.open()
	r := h.ask(c, "@claude two")
	if b := r.Break; b == nil || b.Cause != ledger.NewProcess || b.Evidence.Ended == nil || b.Evidence.Ended.How != ledger.EndedLost || b.Evidence.Ended.At.IsZero() {
		t.Errorf("%+v", b)
	}
}
