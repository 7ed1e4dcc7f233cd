package store

import (
	"testing"
	"time"

	"hearth/backend/chat"
)

// A Start fresh can be taken back until the agent was asked something.
func TestUndoFresh(t *testing.T) {
	tests := []struct {
		name    string
		between func(h *house)
		ok      bool
	}{
		{name: "at once", between: func(h *house) { must(h.Fresh(h.t.Context(), h.claude.ID))(h.t) }, ok: true},
		{name: "of two, with nothing between", between: func(h *house) {
			must(h.Fresh(h.t.Context(), h.claude.ID))(h.t)
			must(h.Fresh(h.t.Context(), h.claude.ID))(h.t)
		}, ok: true},
		{name: "a process was warmed", between: func(h *house) {
			must(h.Fresh(h.t.Context(), h.claude.ID))(h.t)
			h.start("s2")
		}, ok: true},
		{name: "it was never started fresh", between: func(*house) {}},
		{name: "taken back already", between: func(h *house) {
			must(h.Fresh(h.t.Context(), h.claude.ID))(h.t)
			must(h.UndoFresh(h.t.Context(), h.claude.ID))(h.t)
		}},
		{name: "a message waits", between: func(h *house) {
			must(h.Fresh(h.t.Context(), h.claude.ID))(h.t)
			h.queue("", "x")
		}},
		{name: "what had waited has begun", between: func(h *house) {
			r := h.queue("", "x")
			must(h.Fresh(h.t.Context(), h.claude.ID))(h.t)
			h.start("s2")
			h.begin(r, "s2", stagedAs("s2", day, "x"))
		}},
		{name: "it has answered", between: func(h *house) {
			must(h.Fresh(h.t.Context(), h.claude.ID))(h.t)
			h.start("s2")
			h.speak("s2")
		}},
		{name: "it is another agent now", between: func(h *house) {
			must(h.Fresh(h.t.Context(), h.claude.ID))(h.t)
			b := h.claude
			b.Runtime = chat.RuntimeStandin
			must(h.UpdateBinding(h.t.Context(), b))(h.t)
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h := newHouse(t)
			h.start("s1")
			h.speak("s1")
			marks := len(h.marks())
			test.between(h)
			can := h.CanUndoFresh(t.Context(), h.claude.ID)
			back, err := h.UndoFresh(t.Context(), h.claude.ID)
			if chat.CodeOf(can) != chat.CodeOf(err) {
				t.Errorf("it can: %v; it did: %v", can, err)
			}
			if !test.ok {
				if chat.CodeOf(err) != chat.CodeConflict {
					t.Errorf("it is %v", err)
				}
				return
			}
			if err != nil || !back.FreshAt.Equal(time.Time{}) || len(h.marks()) != marks {
				t.Errorf("it is %+v with %d marks, %v", back, len(h.marks()), err)
			}
			if saved, ok, err := h.Restorable(t.Context(), h.claude.ID); err != nil || !ok || saved.Native != "s1" {
				t.Errorf("%+v can be restored, %t, %v", saved, ok, err)
			}
		})
	}
}
