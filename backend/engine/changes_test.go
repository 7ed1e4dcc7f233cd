package engine

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hearth/backend/changes"
	"hearth/backend/chat"
	"hearth/backend/event"
	"hearth/backend/run"
)

// file writes a file of the workspace, as a person does, and returns its path.
func (h *house) file(name, content string) string {
	h.t.Helper()
	path := filepath.Join(h.workspace, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
		h.t.Fatal(err)
	}
	return path
}

// holds checks what a file of the workspace holds; "-" is that it is not there.
func (h *house) holds(name, want string) {
	h.t.Helper()
	got, err := os.ReadFile(filepath.Join(h.workspace, name))
	if errors.Is(err, os.ErrNotExist) {
		got = []byte("-")
	}
	if string(got) != want {
		h.t.Errorf("%s holds %q, want %q", name, got, want)
	}
}

func (h *house) changes(r run.Run) []run.ChangeView {
	h.t.Helper()
	_, views, err := h.runs.Changes(h.ctx(), r.ID)
	if err != nil {
		h.t.Fatal(err)
	}
	return views
}

// takeBack takes changes back and returns what was done, by the names of the files.
func (h *house) takeBack(r run.Run, t run.Taking) (run.Taken, map[string]string) {
	h.t.Helper()
	taken, err := h.runs.TakeBack(h.ctx(), r.ID, t)
	if err != nil {
		h.t.Fatal(err)
	}
	done := map[string]string{}
	for _, m := range taken.Moves {
		done[run.Shown(h.workspace, m.Path)] = strings.TrimSpace(string(m.Deed) + " " + string(m.Reason))
	}
	return taken, done
}

func TestWhatARunChangedIsTakenBackAndPutBack(t *testing.T) {
	h := build(t, nil)
	c := h.channel("general")
	h.binding(c, "one", chat.RuntimeStandin, freely)
	h.file("가.txt", "one\r\ntwo")
	h.file("same.txt", "same\n")
	first := h.ask(c, "@one\n/edit 가.txt two => TWO\n/write new/b.txt hello\\n\n/edit 가.txt one => ONE\n/write same.txt same\\n")
	if want := (run.Changed{Files: 2, Added: 3, Removed: 2}); first.Changed != want {
		t.Errorf("summed up: %+v", first.Changed)
	}
	listed, _, err := h.store.Runs(h.ctx(), c.ID, "", 10)
	if err != nil || listed[0].Changed != first.Changed {
		t.Errorf("in the list: %+v, %v", listed[0].Changed, err)
	}
	views := h.changes(first)
	if len(views) != 2 || views[0].Standing != run.StandsLeft || views[0].Mixed || string(views[0].Before.Text) != "one\r\ntwo" ||
		string(views[0].After.Text) != "ONE\r\nTWO" || views[1].Before.Exists() {
		t.Fatalf("changes: %+v", views)
	}

	if _, done := h.takeBack(first, run.Taking{DryRun: true}); done["가.txt"] != "restore" || done["new/b.txt"] != "remove" {
		t.Errorf("a dry run: %v", done)
	}
	h.holds("가.txt", "ONE\r\nTWO")
	since := h.bus.Last()
	taken, _ := h.takeBack(first, run.Taking{})
	h.holds("가.txt", "one\r\ntwo")
	h.holds("new/b.txt", "-")
	if taken.Run.Changed.Undone != 2 || taken.Row == nil || taken.Row.Note != chat.NoteUndone || !taken.Row.IsOwners() {
		t.Fatalf("taken back: %+v", taken)
	}
	h.awaitEvent(since, func(e event.Event) bool {
		r, ok := e.Data.(run.Run)
		return ok && r.ID == first.ID && r.Changed.Undone == 2
	})
	want := "I took back what @one changed when it answered message " + first.RowID + " in `가.txt` and `new/b.txt`. They are as they were before that turn."
	if taken.Row.Body != want {
		t.Errorf("the row says %q", taken.Row.Body)
	}
	if again, done := h.takeBack(first, run.Taking{}); again.Row != nil || done["가.txt"] != "leave done" {
		t.Errorf("once more: %v", done)
	}
	// The agent is told in its next turn, and once.
	if text := h.text(h.ask(c, "@one hello")); strings.Count(text, want) != 1 {
		t.Errorf("the next turn:\n%s", text)
	}
	if text := h.text(h.ask(c, "@one hello again")); strings.Contains(text, "took back") {
		t.Errorf("the turn after it:\n%s", text)
	}
	if _, err := h.runs.Edit(h.ctx(), taken.Row.ID, "no"); chat.CodeOf(err) != chat.CodeConflict {
		t.Errorf("the row was edited: %v", err)
	}

	back, _ := h.takeBack(first, run.Taking{Back: true})
	h.holds("가.txt", "ONE\r\nTWO")
	h.holds("new/b.txt", "hello\n")
	if back.Run.Changed.Undone != 0 || !strings.Contains(back.Row.Body, "I put back what @one changed") {
		t.Errorf("put back: %+v", back.Row)
	}
	if _, done := h.takeBack(first, run.Taking{Files: []int{1}}); len(done) != 1 || done["new/b.txt"] != "remove" {
		t.Errorf("one of them: %v", done)
	}
	h.holds("가.txt", "ONE\r\nTWO")
	if _, err := h.runs.TakeBack(h.ctx(), first.ID, run.Taking{Files: []int{7}}); chat.CodeOf(err) != chat.CodeInvalid {
		t.Errorf("what is none: %v", err)
	}
}

// What a person or a later turn made of a file stays, and what is overwritten all the
// same comes back.
func TestWhatOthersChangedSinceIsLeftAlone(t *testing.T) {
	h := build(t, nil)
	c := h.channel("general")
	h.binding(c, "one", chat.RuntimeStandin, freely)
	h.binding(c, "two", chat.RuntimeStandin, freely)
	for _, name := range []string{"mine", "later", "gone", "clean"} {
		h.file(name, "a\nb\n")
	}
	first := h.ask(c, "@one\n/edit mine b => B\n/edit later b => B\n/edit gone b => B\n/edit clean b => B")
	later := h.ask(c, "@two\n/edit later B => C")
	h.file("mine", "a\nB\nmine\n")
	if err := os.Remove(filepath.Join(h.workspace, "gone")); err != nil {
		t.Fatal(err)
	}
	views := h.changes(first)
	if views[0].Standing != run.StandsChanged || len(views[0].Later) != 0 || views[1].Later[0].RunID != later.ID || views[2].Standing != run.StandsGone {
		t.Errorf("%+v", views)
	}
	taken, done := h.takeBack(first, run.Taking{})
	if done["mine"] != "leave changed" || done["later"] != "leave changed" || done["gone"] != "leave gone" || done["clean"] != "restore" {
		t.Errorf("%v", done)
	}
	h.holds("mine", "a\nB\nmine\n")
	h.holds("later", "a\nC\n")
	h.holds("gone", "-")
	h.holds("clean", "a\nb\n")
	if lost := taken.Moves[0].Lost; lost.Added != 1 || lost.Removed != 0 || len(lost.Hunks) != 1 {
		t.Errorf("what would be lost: %+v", lost)
	}
	if !strings.Contains(taken.Row.Body, "in `clean`. It is as it was before that turn.") {
		t.Errorf("the row says %q", taken.Row.Body)
	}

	seen := map[int]string{0: views[0].Now.Hash, 2: ""}
	h.file("mine", "a\nB\nmine, newer\n")
	if _, done := h.takeBack(first, run.Taking{Overwrite: seen}); done["mine"] != "leave changed" || done["gone"] != "create" {
		t.Errorf("what the person has not seen: %v", done)
	}
	h.holds("mine", "a\nB\nmine, newer\n")
	h.holds("gone", "a\nb\n")
	seen[0] = h.changes(first)[0].Now.Hash
	if _, done := h.takeBack(first, run.Taking{Overwrite: seen}); done["mine"] != "restore" {
		t.Errorf("what the person has seen: %v", done)
	}
	h.holds("mine", "a\nb\n")
	if _, done := h.takeBack(first, run.Taking{Back: true}); done["mine"] != "restore" || done["gone"] != "remove" || done["later"] != "leave done" {
		t.Errorf("put back: %v", done)
	}
	h.holds("mine", "a\nB\nmine, newer\n")
	h.holds("gone", "-")
}

// A command that changes a file between two calls, and a person who does while a
// permission is asked for, are told from the agent: what they did is not taken back
// unasked.
func TestMixedChangesAreLeftAlone(t *testing.T) {
	h := build(t, nil)
	c := h.channel("general")
	h.binding(c, "one", chat.RuntimeStandin, freely)
	h.binding(c, "asks", chat.RuntimeStandin)
	h.file("a", "one\n")
	first := h.ask(c, "@one\n/edit a one => two\n/bash echo three >> a\n/edit a two => TWO")
	if _, done := h.takeBack(first, run.Taking{}); done["a"] != "leave mixed" {
		t.Errorf("a command's: %v", done)
	}

	h.file("b", "one\n")
	since := h.bus.Last()
	_, runs := h.post(c, "@asks\n/edit b one => two")
	asked := h.awaitEvent(since, func(e event.Event) bool { return e.Type == run.EventPermissionAsked })
	h.file("b", "one\nmine\n")
	if _, err := h.runs.AnswerPermission(h.ctx(), asked.Data.(run.Permission).ID, run.Answer{Decision: run.AllowOnce}); err != nil {
		t.Fatal(err)
	}
	second := h.await(runs[0].ID, run.State.Ended)
	h.holds("b", "two\nmine\n")
	if _, done := h.takeBack(second, run.Taking{}); done["b"] != "leave mixed" {
		t.Errorf("a person's: %v", done)
	}
	h.holds("b", "two\nmine\n")
}

func TestChangesAreKnownAfterARestart(t *testing.T) {
	h := build(t, nil)
	c := h.channel("general")
	h.binding(c, "one", chat.RuntimeStandin, freely)
	h.file("a", "one\n")
	r := h.ask(c, "@one\n/edit a one => two\n/crash")
	if r.State != run.Failed || r.Changed.Files != 1 {
		t.Fatalf("%s, %+v", r.State, r.Changed)
	}
	h.close()
	h.open()
	if _, done := h.takeBack(r, run.Taking{}); done["a"] != "restore" {
		t.Errorf("%v", done)
	}
	h.holds("a", "one\n")
}

func TestChangesOfARunThatIsGoingStay(t *testing.T) {
	h := build(t, nil)
	c := h.channel("general")
	h.binding(c, "one", chat.RuntimeStandin, freely)
	h.file("a", "one\n")
	since := h.bus.Last()
	_, runs := h.post(c, "@one\n/edit a one => two\n/slow 600")
	h.awaitEvent(since, func(e event.Event) bool {
		step, ok := e.Data.(run.StepEvent)
		return ok && step.Done && step.Step.Name == "Edit"
	})
	if _, err := h.runs.TakeBack(h.ctx(), runs[0].ID, run.Taking{}); chat.CodeOf(err) != chat.CodeConflict || !strings.Contains(err.Error(), "stop it first") {
		t.Errorf("taken back: %v", err)
	}
	if _, err := h.runs.StopRun(h.ctx(), runs[0].ID); err != nil {
		t.Fatal(err)
	}
	if _, done := h.takeBack(run.Run{ID: runs[0].ID}, run.Taking{}); done["a"] != "restore" {
		t.Errorf("then: %v", done)
	}
	if _, _, err := h.store.ArchiveChannel(h.ctx(), c.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := h.runs.TakeBack(h.ctx(), runs[0].ID, run.Taking{Back: true}); chat.CodeOf(err) != chat.CodeConflict {
		t.Errorf("in an archived channel: %v", err)
	}
}

// A Hearth that died in the middle says at its next start what it had done, and no
// more.
func TestUndoThatWasCutOffIsSettled(t *testing.T) {
	h := build(t, nil)
	c := h.channel("general")
	h.binding(c, "one", chat.RuntimeStandin, freely)
	h.file("a", "one\n")
	h.file("b", "one\n")
	r := h.ask(c, "@one\n/edit a one => two\n/edit b one => two")
	moves := h.moves(r, false)
	if err := h.store.MoveChanges(h.ctx(), r.ID, moves); err != nil {
		t.Fatal(err)
	}
	if _, err := changes.Replace(moves[0].Path, moves[0].Now.Hash, moves[0].Before); err != nil {
		t.Fatal(err)
	}
	h.close()
	h.open()
	settled, err := h.store.Run(h.ctx(), r.ID)
	if err != nil || settled.Changed.Undone != 1 {
		t.Fatalf("%+v, %v", settled.Changed, err)
	}
	page, err := h.store.Page(h.ctx(), chat.Place{ChannelID: c.ID}, chat.Page{Limit: 1})
	if err != nil || !strings.Contains(page.Rows[0].Body, "in `a`. It is") {
		t.Errorf("the row: %+v, %v", page.Rows, err)
	}
	if _, done := h.takeBack(r, run.Taking{}); done["a"] != "leave done" || done["b"] != "restore" {
		t.Errorf("the rest: %v", done)
	}
	if left, err := h.store.MovingChanges(h.ctx()); err != nil || len(left) != 0 {
		t.Errorf("unsettled: %v, %v", left, err)
	}

	moves = h.moves(r, true) // put back, and cut off before anything was done
	if err := h.store.MoveChanges(h.ctx(), r.ID, moves); err != nil {
		t.Fatal(err)
	}
	h.close()
	h.open()
	if settled, err = h.store.Run(h.ctx(), r.ID); err != nil || settled.Changed.Undone != 2 {
		t.Errorf("%+v, %v", settled.Changed, err)
	}
	if _, done := h.takeBack(r, run.Taking{Back: true}); done["a"] != "restore" || done["b"] != "restore" {
		t.Errorf("put back: %v", done)
	}
	h.holds("a", "two\n")
}

func (h *house) moves(r run.Run, back bool) []run.ChangeMove {
	h.t.Helper()
	taken, err := h.runs.TakeBack(h.ctx(), r.ID, run.Taking{DryRun: true, Back: back})
	if err != nil {
		h.t.Fatal(err)
	}
	for i := range taken.Moves {
		if !back {
			taken.Moves[i].Over = taken.Moves[i].Now
		}
	}
	return taken.Moves
}

// Odd files are either known to the byte or named with the reason.
func TestChangesOfOddFiles(t *testing.T) {
	h := build(t, nil)
	c := h.channel("general")
	h.binding(c, "one", chat.RuntimeStandin, freely)
	outside := filepath.Join(t.TempDir(), "outside")
	big := strings.Repeat("x", changes.MaxKept) + "\n"
	h.file("binary", "\x00one")
	h.file("big", big+"one")
	h.file("real/target", "one")
	hard := h.file("hard", "one")
	for _, err := range []error{
		os.WriteFile(outside, []byte("one"), 0o644), os.Symlink("real/target", filepath.Join(h.workspace, "link")), os.Link(hard, filepath.Join(h.workspace, "other")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	r := h.ask(c, "@one\n/edit binary one => two\n/edit big one => two\n/edit link one => two\n/edit hard one => two\n/edit "+outside+" one => two")
	var names []string
	for _, v := range h.changes(r) {
		names = append(names, run.Shown(h.workspace, v.Path)+" "+string(v.Form))
	}
	if want := []string{"binary binary", "big large", "real/target text", changes.Resolve(outside) + " text"}; !slices.Equal(names, want) {
		t.Errorf("recorded are %q", names)
	}
	_, done := h.takeBack(r, run.Taking{})
	if done["binary"] != "restore" || done["big"] != "leave not_kept" || done["real/target"] != "restore" || done[changes.Resolve(outside)] != "restore" {
		t.Errorf("%v", done)
	}
	h.holds("binary", "\x00one")
	h.holds("big", big+"two")
	h.holds("link", "one")
	if to, err := os.Readlink(filepath.Join(h.workspace, "link")); err != nil || to != "real/target" {
		t.Errorf("the link leads to %q, %v", to, err)
	}

	// A workspace that is gone: nothing is made anew.
	if err := vanish(h.workspace); err != nil {
		t.Fatal(err)
	}
	if _, done := h.takeBack(r, run.Taking{Back: true}); done["binary"] != "leave gone" {
		t.Errorf("without a workspace: %v", done)
	}
}
