package store

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"hearth/backend/chat"
	"hearth/backend/delivery"
	"hearth/backend/run"
	"hearth/backend/store/db"
)

// editing is a change of a row's text from what it is now, for these agents.
func (h *house) editing(row chat.Row, body string, to ...chat.Binding) run.Editing {
	e := run.Editing{RowID: row.ID, Was: row.Body, Body: body, Addressed: map[string]bool{}}
	for _, b := range to {
		e.Runs = append(e.Runs, run.Run{BindingID: b.ID, Cause: run.CauseMention})
	}
	return e
}

func TestEditReadsAnewWhomARowAddresses(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	second, third := h.newBinding(h.channel.ID, "second"), h.newBinding(h.channel.ID, "third")
	row, runs := h.post("", "", "@claude @second", h.claude, second)
	if err := h.Wait(ctx, runs[0].ID, true); err != nil { // a run that waits for a process is as good as queued
		t.Fatal(err)
	}

	edited := must(h.Edit(ctx, h.editing(row, "@claude @third", h.claude, third)))(t)
	if edited.Row.Body != "@claude @third" || !edited.Row.EditedAt.After(row.CreatedAt) || !edited.Row.CreatedAt.Equal(row.CreatedAt) {
		t.Errorf("the row is %+v", edited.Row)
	}
	if got := must(h.Row(ctx, row.ID))(t); got != edited.Row {
		t.Errorf("read %+v, edited %+v", got, edited.Row)
	}
	if len(edited.Runs) != 2 || edited.Runs[0].ID != runs[0].ID || edited.Runs[0].State != run.Waiting || len(edited.Queued) != 1 || !reflect.DeepEqual(edited.Runs[1], edited.Queued[0]) {
		t.Errorf("its runs are %+v, new of them %+v", edited.Runs, edited.Queued)
	}
	if r := edited.Queued[0]; r.BindingID != third.ID || r.RowID != row.ID || r.State != run.Queued || r.Cause != run.CauseMention {
		t.Errorf("the new run is %+v", r)
	}
	if len(edited.Stopped) != 1 || edited.Stopped[0].ID != runs[1].ID || edited.Stopped[0].State != run.Stopped || edited.Stopped[0].Failure == nil {
		t.Errorf("stopped are %+v", edited.Stopped)
	}
	for _, r := range append(edited.Runs, edited.Stopped...) {
		if got := must(h.Run(ctx, r.ID))(t); !reflect.DeepEqual(got, r) {
			t.Errorf("read %+v, returned %+v", got, r)
		}
	}

	// What an edit has stopped it can queue again.
	row = edited.Row
	e := h.editing(row, "@second", second)
	e.Addressed = map[string]bool{h.claude.ID: true, third.ID: true}
	edited = must(h.Edit(ctx, e))(t)
	if len(edited.Runs) != 1 || edited.Runs[0].BindingID != second.ID || edited.Runs[0].ID == runs[1].ID || len(edited.Stopped) != 2 {
		t.Errorf("named again: %+v, stopped %+v", edited.Runs, edited.Stopped)
	}
	// What a person has stopped stays so while the agent is named as before.
	stopped := must(h.Cancel(ctx, edited.Runs[0].ID, nil))(t)
	e = h.editing(edited.Row, "@second once more", second)
	e.Addressed = map[string]bool{second.ID: true}
	if edited = must(h.Edit(ctx, e))(t); len(edited.Runs) != 0 {
		t.Errorf("an agent was asked again for what a person has stopped: %+v", edited.Runs)
	}
	// A retry of it waits like any other run.
	again := must(h.Retry(ctx, stopped.ID))(t)
	e = h.editing(edited.Row, "@second a last time", second)
	e.Addressed = map[string]bool{second.ID: true}
	if edited = must(h.Edit(ctx, e))(t); len(edited.Runs) != 1 || edited.Runs[0].ID != again.ID || len(edited.Queued) != 0 {
		t.Errorf("with a retry in the queue: %+v", edited)
	}
	if got := must(h.QueueLengths(ctx, h.channel.ID))(t); !reflect.DeepEqual(got, map[string]int{second.ID: 1}) {
		t.Errorf("the queues are %v", got)
	}
}

func TestEditRefuses(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	row, _ := h.post("", "", "hi")
	person, _ := h.post("", "aiko", "hi")
	agent := h.by(h.channel, "", chat.KindAgent, "claude")
	stale := h.editing(row, "second")
	stale.Was = "not what it says"
	gone := h.newBinding(h.channel.ID, "gone")
	must(h.DeleteBinding(ctx, gone.ID))(t)
	elsewhere := h.newBinding(h.newChannel("elsewhere").ID, "claude")
	for name, e := range map[string]run.Editing{
		"a person's": h.editing(person, "x"), "an agent's": h.editing(agent, "x"), "stale": stale,
		"for one that is gone": h.editing(row, "x", gone), "for one of another channel": h.editing(row, "x", elsewhere),
	} {
		_, err := h.Edit(ctx, e)
		if chat.CodeOf(err) != chat.CodeConflict {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := h.Edit(ctx, run.Editing{RowID: "nobody"})
	wantCode(t, err, chat.CodeNotFound)
	_, err = h.Delete(ctx, "nobody")
	wantCode(t, err, chat.CodeNotFound)
	for _, id := range []string{person.ID, agent.ID} {
		_, err = h.Delete(ctx, id)
		wantCode(t, err, chat.CodeConflict)
	}
	if _, _, err := h.ArchiveChannel(ctx, h.channel.ID); err != nil {
		t.Fatal(err)
	}
	_, err = h.Edit(ctx, h.editing(row, "x"))
	wantCode(t, err, chat.CodeConflict)
	_, err = h.Delete(ctx, row.ID)
	wantCode(t, err, chat.CodeConflict)
	for _, was := range []chat.Row{row, person, agent} {
		if got := must(h.Row(ctx, was.ID))(t); got != was {
			t.Errorf("%+v became %+v", was, got)
		}
	}
}

// A row is the owner's and Hearth's alone until an agent has been told of it.
func TestARowThatAnAgentWasToldOfKeepsItsPlace(t *testing.T) {
	finish := func(h *house, r run.Run, state run.State, commit bool) {
		f := run.Finishing{RunID: r.ID, State: state, Commit: commit}
		if state == run.Failed {
			f.Failure = &run.Failure{Code: run.FailAPI, Message: "529"}
		}
		h.finish(f)
	}
	// Each begins with a row of the owner's that addresses @claude, in a thread or not.
	for _, test := range []struct {
		name    string
		thread  bool
		happens func(h *house, row chat.Row, r run.Run)
		told    bool
	}{
		{name: "it waits", happens: func(*house, chat.Row, run.Run) {}},
		{name: "it was taken out of the queue", happens: func(h *house, _ chat.Row, r run.Run) { must(h.Cancel(h.t.Context(), r.ID, nil))(h.t) }},
		{name: "it did not start", happens: func(h *house, _ chat.Row, r run.Run) {
			must(h.Cancel(h.t.Context(), r.ID, &run.Failure{Code: run.FailStart, Message: "no client"}))(h.t)
		}},
		{name: "it is being answered", told: true, happens: func(h *house, _ chat.Row, r run.Run) { h.begin(r, "s1", run.Sent{}) }},
		{name: "it was answered", told: true, happens: func(h *house, _ chat.Row, r run.Run) {
			h.begin(r, "s1", run.Sent{})
			finish(h, r, run.Succeeded, true)
		}},
		{name: "its run was stopped while it was going", told: true, happens: func(h *house, _ chat.Row, r run.Run) {
			h.begin(r, "s1", run.Sent{})
			finish(h, r, run.Stopped, false)
		}},
		{name: "another is being shown it", told: true, happens: func(h *house, row chat.Row, _ run.Run) {
			h.told(row.ThreadRootID, row.CreatedAt)
		}},
		{name: "another is being shown it by its id", told: true, happens: func(h *house, row chat.Row, _ run.Run) {
			h.told("", row.CreatedAt.Add(-time.Second), "x", row.ID)
		}},
		{name: "another that keeps no session is being shown it", told: true, happens: func(h *house, row chat.Row, _ run.Run) {
			other := h.newBinding(h.channel.ID, "other")
			_, runs := h.post(row.ThreadRootID, "aiko", "@other", other)
			h.begin(runs[0], "other's", run.Sent{})
		}},
		{name: "another that keeps no session is at work elsewhere", thread: true, happens: func(h *house, _ chat.Row, _ run.Run) {
			other := h.newBinding(h.channel.ID, "other")
			_, runs := h.post("", "aiko", "@other", other)
			h.begin(runs[0], "other's", run.Sent{})
		}},
		{name: "another was shown it", told: true, happens: func(h *house, row chat.Row, _ run.Run) {
			finish(h, h.told(row.ThreadRootID, row.CreatedAt.Add(time.Second)), run.Succeeded, true)
		}},
		{name: "another was shown it in another place", told: true, thread: true, happens: func(h *house, row chat.Row, _ run.Run) {
			finish(h, h.told("", time.Time{}, row.ID), run.Succeeded, true)
		}},
		{name: "another was shown it as the root of a thread", told: true, happens: func(h *house, row chat.Row, _ run.Run) {
			h.by(h.channel, row.ID, chat.KindUser, "aiko")
			finish(h, h.told(row.ID, row.CreatedAt), run.Succeeded, true)
		}},
		{name: "another was to be shown it, and nothing proves that it arrived", happens: func(h *house, row chat.Row, _ run.Run) {
			finish(h, h.told(row.ThreadRootID, row.CreatedAt, row.ID), run.Failed, false)
		}},
		{name: "another was shown what is older", happens: func(h *house, row chat.Row, _ run.Run) {
			finish(h, h.told(row.ThreadRootID, row.CreatedAt.Add(-time.Microsecond), "x"+row.ID), run.Succeeded, true)
		}},
		{name: "another was shown what is newer, in the channel", thread: true, happens: func(h *house, row chat.Row, _ run.Run) {
			finish(h, h.told("", row.CreatedAt.Add(time.Second)), run.Succeeded, true)
		}},
		{name: "the session that was shown it was thrown away, which can be taken back", told: true, happens: func(h *house, row chat.Row, _ run.Run) {
			r := h.told(row.ThreadRootID, row.CreatedAt)
			finish(h, r, run.Succeeded, true)
			must(h.Fresh(h.t.Context(), r.BindingID))(h.t)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := newHouse(t)
			thread := ""
			if test.thread {
				thread = h.by(h.channel, "", chat.KindUser, "aiko").ID
			}
			row, runs := h.post(thread, "", "hi", h.claude)
			test.happens(h, row, runs[0])
			third := h.newBinding(h.channel.ID, "third")
			edited := must(h.Edit(t.Context(), h.editing(row, "hello", h.claude, third)))(t)
			if edited.Told != test.told || (len(edited.Queued) == 0) != test.told {
				t.Errorf("edited: told %t, new runs %+v", edited.Told, edited.Queued)
			}
			if got := must(h.Row(t.Context(), row.ID))(t); got != edited.Row || got.Body != "hello" {
				t.Errorf("the row is %+v", got)
			}
			want := 0
			if test.told {
				want = 1
			}
			versions := must(h.Versions(t.Context(), row.ID))(t)
			if len(versions) != want || want > 0 && versions[0] != (chat.Version{Body: "hi", At: row.CreatedAt}) {
				t.Errorf("the versions are %+v", versions)
			}
			if got := h.corrections(row); len(got) != want || want > 0 && (got[0].Row != edited.Row || !got[0].At.Equal(edited.Row.EditedAt)) {
				t.Errorf("corrected by %+v", got)
			}

			deleted := must(h.Delete(t.Context(), row.ID))(t)
			if deleted.Told != test.told || deleted.Row.Deleted() != (test.told || must(h.ThreadSizes(t.Context(), []string{row.ID}))(t)[row.ID] > 0) {
				t.Errorf("deleted %+v", deleted)
			}
			if !test.told {
				return
			}
			if got := must(h.Row(t.Context(), row.ID))(t); got != deleted.Row || got.Body != "" {
				t.Errorf("the row is %+v", got)
			}
			if got := h.corrections(row); len(got) != 1 || !got[0].Row.Deleted() {
				t.Errorf("corrected by %+v", got)
			}
			if left := must(h.Versions(t.Context(), row.ID))(t); len(left) > 0 {
				t.Errorf("of what was deleted there are versions: %+v", left)
			}
			var kept int
			if err := h.reader.QueryRowContext(t.Context(), "SELECT count(*) FROM row_versions").Scan(&kept); err != nil || kept != 0 {
				t.Errorf("%d versions are on the disk, %v", kept, err)
			}
		})
	}
}

// corrections are those of a row that a session which knows nothing yet would be given.
func (h *house) corrections(row chat.Row) []chat.Correction {
	h.t.Helper()
	asker := h.newBinding(h.channel.ID, "asker")
	_, runs := h.post(row.ThreadRootID, "aiko", "@asker", asker)
	all := must(h.Material(h.t.Context(), runs[0], true))(h.t).Corrections
	must(h.DeleteBinding(h.t.Context(), asker.ID))(h.t)
	return slices.DeleteFunc(all, func(c chat.Correction) bool { return c.Row.ID != row.ID })
}

// told begins a run of another agent that says it tells of a place up to a time
// and of some rows.
func (h *house) told(thread string, lastAt time.Time, ids ...string) run.Run {
	h.t.Helper()
	other := h.newBinding(h.channel.ID, "other")
	_, runs := h.post(thread, "aiko", "@other", other)
	h.begin(runs[0], "other's", stagedAs("other's", lastAt, ids...))
	return runs[0]
}

func TestDelete(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	before := h.by(h.channel, "", chat.KindUser, "aiko")
	second := h.newBinding(h.channel.ID, "second")
	row, runs := h.post("", "", "@claude @second", h.claude, second)
	must(h.Cancel(ctx, runs[1].ID, nil))(t)
	if _, _, err := h.MarkRead(ctx, h.channel.ID, row.ID); err != nil {
		t.Fatal(err)
	}
	deleted, err := h.Delete(ctx, row.ID)
	got, stopped := deleted.Row, deleted.Stopped
	if err != nil || got != row {
		t.Fatalf("deleted %+v, %v", got, err)
	}
	if len(stopped) != 1 || stopped[0].ID != runs[0].ID || stopped[0].State != run.Stopped || stopped[0].EndedAt.IsZero() {
		t.Errorf("stopped %+v", stopped)
	}
	for _, r := range runs {
		_, err := h.Run(ctx, r.ID)
		wantCode(t, err, chat.CodeNotFound)
	}
	if _, ok, err := h.Next(ctx, runs[0].Key()); ok || err != nil {
		t.Errorf("the queue is not empty: %v", err)
	}
	c := must(h.Channel(ctx, h.channel.ID))(t)
	if c.NewestID != before.ID || c.ReadID != before.ID || c.Unread != 0 {
		t.Errorf("the channel is %+v", c)
	}
	if _, moved, _ := h.MarkRead(ctx, h.channel.ID, before.ID); moved {
		t.Error("the mark went back with the row")
	}
	_, err = h.Delete(ctx, row.ID)
	wantCode(t, err, chat.CodeNotFound)

	// What others have answered keeps its place; nobody has to hear of it.
	root, _ := h.post("", "", "root")
	h.post(root.ID, "aiko", "answer")
	deleted = must(h.Delete(ctx, root.ID))(t)
	if !deleted.Row.Deleted() || deleted.Row.Body != "" || deleted.Told {
		t.Errorf("deleted the root of a thread: %+v", deleted)
	}
	if got := must(h.Row(ctx, root.ID))(t); got != deleted.Row {
		t.Errorf("read %+v, deleted %+v", got, deleted.Row)
	}
	_, err = h.Delete(ctx, root.ID)
	wantCode(t, err, chat.CodeConflict)
	_, err = h.Edit(ctx, h.editing(deleted.Row, "x"))
	wantCode(t, err, chat.CodeConflict)
}

// A turn that was composed of a row as it was does not begin; one that is composed
// anew does.
func TestBeginSeesThatARowWasChanged(t *testing.T) {
	for name, change := range map[string]func(h *house, row chat.Row) error{
		"edited": func(h *house, row chat.Row) error {
			_, err := h.Edit(h.t.Context(), h.editing(row, "changed"))
			return err
		},
		"deleted": func(h *house, row chat.Row) error {
			_, err := h.Delete(h.t.Context(), row.ID)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			row, _ := h.post("", "", "told along with another")
			r := h.queue("", "@claude")
			begin := func(m run.Material) error {
				sent := stagedAs("s1", r.QueuedAt)
				for _, shown := range m.Rows {
					sent.Staged.IDs = append(sent.Staged.IDs, shown.ID)
				}
				return h.Begin(t.Context(), run.Beginning{RunID: r.ID, Native: "s1", Temperature: "warm", MessageUUID: "u", Sent: sent, RevisedAt: m.RevisedAt})
			}
			m := must(h.Material(t.Context(), r, false))(t)
			if err := change(h, row); err != nil {
				t.Fatal(err)
			}
			if err := begin(m); !errors.Is(err, run.ErrRevised) {
				t.Fatalf("a turn made of what was: %v", err)
			}
			if got := must(h.Run(t.Context(), r.ID))(t); got.State != run.Queued {
				t.Errorf("the run is %s", got.State)
			}
			if err := begin(must(h.Material(t.Context(), r, false))(t)); err != nil {
				t.Error(err)
			}
			if name == "edited" {
				if e := must(h.Edit(t.Context(), h.editing(must(h.Row(t.Context(), row.ID))(t), "too late")))(t); !e.Told {
					t.Error("the row counts as told to nobody")
				}
			}
		})
	}
}

// Whichever comes first, what a session was sent is what the row says in the end,
// or is corrected.
func TestEditAndBeginAtOnce(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	won := map[bool]int{}
	for range 30 {
		row, runs := h.post("", "", "before", h.claude)
		var sent string
		var edited bool
		var both sync.WaitGroup
		both.Go(func() {
			for {
				m, err := h.Material(ctx, runs[0], false)
				if err != nil {
					t.Error(err)
					return
				}
				err = h.Begin(ctx, run.Beginning{
					RunID: runs[0].ID, Native: "s1", Temperature: "warm", MessageUUID: "u", RevisedAt: m.RevisedAt,
					Sent: run.Sent{Staged: &delivery.Watermark{Native: "s1", LastAt: row.CreatedAt, IDs: []string{row.ID}}},
				})
				if !errors.Is(err, run.ErrRevised) {
					if err != nil {
						t.Error(err)
					}
					sent = m.Addressed.Body
					return
				}
			}
		})
		both.Go(func() {
			e, err := h.Edit(ctx, h.editing(row, "after", h.claude))
			edited = err == nil && !e.Told
			if err != nil {
				t.Error(err)
			}
		})
		both.Wait()
		// What was sent before the edit is corrected, what was sent after it is not.
		if corrected := len(h.corrections(row)) > 0; (sent == "after") != edited || corrected == edited {
			t.Fatalf("sent %q, edited before that %t, corrected %t", sent, edited, corrected)
		}
		won[edited]++
		h.succeed(runs[0], "")
	}
	t.Logf("edited first: %d, began first: %d", won[true], won[false])
}

// An edit is on the disk when it was acknowledged; a read mark need not be.
func TestDurabilityOfEdits(t *testing.T) {
	h := newHouse(t)
	row, _ := h.post("", "", "x")
	level := func() (n int) {
		t.Helper()
		if err := h.writer.QueryRowContext(t.Context(), "PRAGMA synchronous").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	const normal, full = 1, 2
	if _, _, err := h.MarkRead(t.Context(), h.channel.ID, row.ID); err != nil || level() != normal {
		t.Errorf("a read mark: %d, %v", level(), err)
	}
	edited, err := h.Edit(t.Context(), h.editing(row, "y"))
	if err != nil || level() != full {
		t.Errorf("an edit: %d, %v", level(), err)
	}
	if err := h.change(t.Context(), relaxed, "nothing", func(context.Context, *db.Queries) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Delete(t.Context(), edited.Row.ID); err != nil || level() != full {
		t.Errorf("a deletion: %d, %v", level(), err)
	}
}
