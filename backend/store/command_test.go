package store

import (
	"reflect"
	"testing"
	"time"

	"hearth/backend/chat"
	"hearth/backend/run"
)

// command has one turn that is a command, in a session.
func (h *house) command(native, body, answer string) run.Run {
	h.t.Helper()
	r := h.queue("", body)
	h.begin(r, native, run.Sent{})
	h.finish(run.Finishing{RunID: r.ID, State: run.Succeeded, Commit: true, Reply: answer, Note: chat.NoteCommand})
	return r
}

func TestACommandIsNoPartOfAReplayAndNothingToRestore(t *testing.T) {
	h := newHouse(t)
	h.start("real")
	h.speak("real")
	h.end("real", "idle")
	h.start("n")
	h.command("n", "/context", "much context")
	r := h.queue("", "prompt of the client's")
	asked := func(native string) (bodies []string) {
		t.Helper()
		r := r
		r.Native = native
		m, err := h.Material(t.Context(), r, true)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range m.Exchanges {
			bodies = append(bodies, e.Asked)
		}
		return bodies
	}
	if got := asked("n"); !reflect.DeepEqual(got, []string{"x"}) {
		t.Errorf("a session is replayed %q", got)
	}
	h.begin(r, "n", run.Sent{})
	h.succeed(r, "a model's answer")
	if got := asked("another"); !reflect.DeepEqual(got, []string{"x", "prompt of the client's"}) {
		t.Errorf("another session is replayed %q", got)
	}
	if got := asked("n"); !reflect.DeepEqual(got, []string{"x"}) {
		t.Errorf("a session is replayed what it did itself: %q", got)
	}
	h.end("n", "idle")
	if got := h.restorable(); got != "n" {
		t.Errorf("%q can be restored, want the one a model has answered in", got)
	}
	h.start("only commands")
	h.command("only commands", "/usage", "little")
	h.end("only commands", "idle")
	if got := h.restorable(); got != "n" {
		t.Errorf("%q can be restored although it had nothing but a command", got)
	}
}

func TestCommandsAreKeptAsTheClientNamedThem(t *testing.T) {
	h := newHouse(t)
	at := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	for _, want := range [][]chat.Command{
		{{Name: "clear", Aliases: []string{"reset"}, Hint: "[name]", Description: "새로 \"시작\" ", Builtin: true}, {Name: "context"}},
		{{Name: "plugin:요약"}},
		nil,
	} {
		at = at.Add(time.Hour)
		if err := h.KeepCommands(t.Context(), h.claude, want, at); err != nil {
			t.Fatal(err)
		}
		got, since, err := h.Commands(t.Context(), h.claude)
		if err != nil || !since.Equal(at) || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v of %v, %v; want %+v", got, since, err, want)
		}
	}
	other := h.claude
	other.Runtime = "cli:other:agent"
	if got, since, err := h.Commands(t.Context(), other); err != nil || got != nil || !since.IsZero() {
		t.Errorf("of another runtime: %+v of %v, %v", got, since, err)
	}
}
