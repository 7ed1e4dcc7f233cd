package store

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"

	"hearth/backend/changes"
	"hearth/backend/chat"
	"hearth/backend/run"
)

func version(text string) changes.Version {
	sum := sha256.Sum256([]byte(text))
	return changes.Version{Hash: hex.EncodeToString(sum[:]), Size: int64(len(text)), Mode: 0o644, Text: []byte(text)}
}

// changed stores that a run made one text of another.
func (h *house) changed(runID, path, before, after string) {
	h.t.Helper()
	o := changes.Observed{Path: path, Before: version(before), After: version(after), At: h.clock.Now()}
	known, ok, err := h.Change(h.t.Context(), runID, path)
	if err != nil {
		h.t.Fatal(err)
	}
	c, some := changes.Join(known, ok, o)
	if err := h.PutChange(h.t.Context(), runID, c, some); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) summed(runID string) run.Changed {
	h.t.Helper()
	return must(h.Run(h.t.Context(), runID))(h.t).Changed
}

func TestChangesAreKeptAndSummedUp(t *testing.T) {
	h := newHouse(t)
	r := h.inState(run.Running)
	h.changed(r.ID, "/w/b", "", "x\n")
	h.changed(r.ID, "/w/a", "one\n", "two\n")
	h.changed(r.ID, "/w/a", "two\n", "two\nthree\n")
	if got, want := h.summed(r.ID), (run.Changed{Files: 2, Added: 3, Removed: 1}); got != want {
		t.Errorf("summed up %+v, want %+v", got, want)
	}
	all := must(h.Changes(t.Context(), r.ID))(t)
	if len(all) != 2 || all[1].N != 1 || string(all[1].Before.Text) != "one\n" || string(all[1].After.Text) != "two\nthree\n" {
		t.Errorf("%+v", all)
	}
	h.changed(r.ID, "/w/a", "two\nthree\n", "one\n") // there and back
	if got, want := h.summed(r.ID), (run.Changed{Files: 1, Added: 1}); got != want {
		t.Errorf("then %+v, want %+v", got, want)
	}
	if err := h.PutChange(t.Context(), "none", all[0], true); chat.CodeOf(err) != chat.CodeNotFound {
		t.Errorf("of no run: %v", err)
	}
}

func TestOfManyFilesTheFirstAreRecorded(t *testing.T) {
	h := newHouse(t)
	r := h.inState(run.Running)
	for i := range changes.MaxFiles + 3 {
		h.changed(r.ID, fmt.Sprintf("/w/%d", i), "a\n", "b\n")
	}
	if got := h.summed(r.ID).Files; got != changes.MaxFiles {
		t.Errorf("%d files", got)
	}
}

// Contents are kept once, for ninety days after they were last needed, and go with the
// last run that names them.
func TestContentsGoWithTheirRuns(t *testing.T) {
	h := newHouse(t)
	r := h.inState(run.Running)
	other := h.newChannel("other")
	row, runs, err := h.Post(t.Context(), chat.Row{ChannelID: other.ID, Kind: chat.KindUser, Body: "x"}, []run.Run{{BindingID: h.newBinding(other.ID, "two").ID, Cause: run.CauseMention}})
	if err != nil || row.ID == "" {
		t.Fatal(err)
	}
	long := strings.Repeat("the same again\n", 1000)
	h.changed(r.ID, "/w/a", "one\n", long)
	h.changed(r.ID, "/w/b", long, "two\n")
	h.changed(runs[0].ID, "/w/a", long, "three\n")
	if n := h.count("change_texts"); n != 4 {
		t.Errorf("%d contents of 4", n)
	}
	if n := h.countWhere("change_texts", "length(text) > 1000"); n != 0 {
		t.Error("they are not packed")
	}
	if _, err := h.DeleteChannel(t.Context(), h.channel.ID); err != nil {
		t.Fatal(err)
	}
	if n := h.count("change_texts"); n != 2 || h.count("run_changes") != 1 {
		t.Errorf("%d contents of 2", n)
	}
	h.clock.Set(day.Add(textsKept + time.Hour))
	h.changed(runs[0].ID, "/w/c", "four\n", "five\n")
	kept := must(h.Changes(t.Context(), runs[0].ID))(t)
	if kept[0].Before.Restorable() || kept[0].After.Restorable() || !kept[1].Before.Restorable() {
		t.Errorf("after ninety days %d changes are kept otherwise", len(kept))
	}
}

func TestLaterChanges(t *testing.T) {
	h := newHouse(t)
	first := h.queue("", "one")
	h.begin(first, "n", run.Sent{})
	h.changed(first.ID, "/w/a", "one\n", "two\n")
	h.succeed(first, "done")
	second := h.queue("", "two")
	h.clock.Set(day.Add(time.Second))
	h.begin(second, "n", run.Sent{})
	h.changed(second.ID, "/w/a", "two\n", "three\n")
	ended := must(h.Run(t.Context(), first.ID))(t)
	later := must(h.LaterChanges(t.Context(), ended, []string{"/w/a", "/w/b"}))(t)
	if len(later) != 1 || len(later["/w/a"]) != 1 || later["/w/a"][0].RunID != second.ID {
		t.Errorf("%+v", later)
	}
	moves := []run.ChangeMove{{ChangeView: run.ChangeView{Change: must(h.Changes(t.Context(), second.ID))(t)[0]}}}
	moves[0].Over, moves[0].UndoneAt = version("three, and mine\n"), day
	if err := h.MoveChanges(t.Context(), second.ID, moves); err != nil {
		t.Fatal(err)
	}
	if moving := must(h.MovingChanges(t.Context()))(t)[second.ID]; len(moving) != 1 || moving[0].Back || string(moving[0].Over.Text) != "three, and mine\n" {
		t.Errorf("moving: %+v", moving)
	}
	settled, row, err := h.SettleChanges(t.Context(), second.ID, moves, &chat.Row{Kind: chat.KindUser, Note: chat.NoteUndone, Body: "x"})
	if err != nil || settled.Changed.Undone != 1 || row.ID == "" || row.Note != chat.NoteUndone {
		t.Errorf("%+v, %+v, %v", settled.Changed, row, err)
	}
	if later := must(h.LaterChanges(t.Context(), ended, []string{"/w/a"}))(t); len(later) != 0 {
		t.Errorf("one that was taken back: %+v", later)
	}
}
