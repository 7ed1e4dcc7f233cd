package store

import (
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"hearth/backend/chat"
	"hearth/backend/delivery"
	"hearth/backend/run"
	"hearth/backend/workbench"
)

// A database that is older than workers and spills has agents with the usual
// ones, and its watermarks say what they said.
func TestMigrationToTheEconomy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hearth.db")
	older(t, path, 2,
		`INSERT INTO channels (id, name, name_fold, topic, workspace, direct, created_at, last_at, last_id) VALUES ('c', 'c', 'c', '', '/w', 0, 1, 9, '')`,
		`INSERT INTO bindings (id, channel_id, handle, handle_fold, runtime, model, permission_mode, supervised, resident, base_url, token,
			brief_every_turn, created_at) VALUES ('b', 'c', 'claude', 'claude', 'cli:claude:agent', '', '', 1, 1, '', '', 0, 1)`,
		`INSERT INTO watermarks (binding_id, channel_id, thread_root_id, native, last_at, ids) VALUES
			('b', 'c', '', 's', 5, '["r1","r2"]'), ('b', 'c', 'r1', 's', 6, '[]'), ('b', 'c', 'r2', 's', 7, '["r3"]')`)
	s := openAt(t, path, nil)
	at := func(n int64) time.Time { return timeOf(n) }
	want := map[string]delivery.Watermark{
		"":   {Native: "s", LastAt: at(5), IDs: []string{"r1", "r2"}},
		"r1": {Native: "s", LastAt: at(6), IDs: []string{}},
		"r2": {Native: "s", LastAt: at(7), IDs: []string{"r3"}},
	}
	if got := must(s.Watermarks(t.Context(), "b"))(t); !reflect.DeepEqual(got, want) {
		t.Errorf("watermarks %+v, want %+v", got, want)
	}
	b := must(s.Binding(t.Context(), "b"))(t)
	if b.Role != chat.RolePlain || !b.Glance || b.SpillOver != chat.DefaultSpillOver || !reflect.DeepEqual(b.Workers, chat.DefaultWorkers()) || len(b.Hands) != 0 {
		t.Errorf("binding %+v", b)
	}
	if err := b.Check(); err != nil {
		t.Error(err)
	}
	c := must(s.Channel(t.Context(), "c"))(t)
	if c.Ignore != chat.IgnoreAll {
		t.Errorf("ignored: %q", c.Ignore)
	}
	c.Ignore = chat.IgnoreOutput
	if got := must(s.UpdateChannel(t.Context(), c))(t); got.Ignore != chat.IgnoreOutput {
		t.Errorf("ignored, changed: %q", got.Ignore)
	}
	made := must(s.CreateChannel(t.Context(), chat.Channel{Name: "n", Workspace: "/w", Ignore: chat.IgnoreNothing}))(t)
	if made.Ignore != chat.IgnoreNothing {
		t.Errorf("ignored, made: %q", made.Ignore)
	}
}

func mark(name string) *run.IndexMark {
	return &run.IndexMark{Native: "s1", Mark: workbench.Mark{Name: ".flower", Told: []workbench.Told{{Path: name, Sum: "x"}}}}
}

// What a session was told of the index moves with the run's end, as rows do.
func TestIndexMarkMovesWithTheRun(t *testing.T) {
	for name, test := range map[string]struct {
		staged *run.IndexMark
		finish run.Finishing
		want   *run.IndexMark
	}{
		"committed":            {mark("new"), run.Finishing{State: run.Succeeded, Commit: true}, mark("new")},
		"failed, and held":     {mark("new"), run.Finishing{State: run.Failed, Commit: true}, mark("new")},
		"failed":               {mark("new"), run.Finishing{State: run.Failed}, mark("old")},
		"nothing new":          {nil, run.Finishing{State: run.Succeeded, Commit: true}, mark("old")},
		"compacted":            {mark("new"), run.Finishing{State: run.Succeeded, Commit: true, Compacted: true}, nil},
		"compacted, no news":   {nil, run.Finishing{State: run.Succeeded, Commit: true, Compacted: true}, nil},
		"compacted and failed": {mark("new"), run.Finishing{State: run.Failed, Compacted: true}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			for _, turn := range []struct {
				staged *run.IndexMark
				finish run.Finishing
			}{{mark("old"), run.Finishing{State: run.Succeeded, Commit: true}}, {test.staged, test.finish}} {
				r := h.queue("", "x")
				h.begin(r, "s1", run.Sent{Index: turn.staged})
				turn.finish.RunID = r.ID
				if turn.finish.State == run.Failed {
					turn.finish.Failure = &run.Failure{Code: run.FailAPI}
				}
				must2(h.Finish(t.Context(), turn.finish))(t)
			}
			m := must(h.Material(t.Context(), h.queue("", "y"), false))(t)
			if !reflect.DeepEqual(m.Index, test.want) {
				t.Errorf("got %+v, want %+v", m.Index, test.want)
			}
			if n := h.count("staged_index"); n != 0 {
				t.Errorf("%d are still staged", n)
			}
		})
	}
}

// A turn that nobody asked for and that was compacted forgets the mark too.
func TestUnaskedTurnThatWasCompacted(t *testing.T) {
	h := newHouse(t)
	r := h.queue("", "x")
	h.begin(r, "s1", run.Sent{Index: mark("old")})
	must2(h.Finish(t.Context(), run.Finishing{RunID: r.ID, State: run.Succeeded, Commit: true}))(t)
	saving := run.Saving{Kind: run.SavingSpill, Tool: "Bash", Chars: 5, At: day}
	unasked, _, err := h.Unasked(t.Context(), run.Run{BindingID: h.claude.ID, Native: "s1"}, run.Finishing{State: run.Succeeded, Compacted: true, Savings: []run.Saving{saving}})
	if err != nil {
		t.Fatal(err)
	}
	if n := h.count("index_marks"); n != 0 {
		t.Errorf("%d marks", n)
	}
	if got := must(h.RunSavings(t.Context(), unasked.ID))(t); !reflect.DeepEqual(got, []run.Saving{saving}) {
		t.Errorf("savings %+v", got)
	}
}

func TestSavingsAreKeptWithTheRun(t *testing.T) {
	h := newHouse(t)
	r := h.queue("", "x")
	if got := must(h.RunSavings(t.Context(), r.ID))(t); len(got) != 0 {
		t.Errorf("before it began: %+v", got)
	}
	h.begin(r, "s1", run.Sent{})
	want := []run.Saving{
		{Kind: run.SavingSpill, StepID: "t1", AgentID: "a", Tool: "Bash", Detail: "npm test", Path: "/w/.flower/spill/1.txt", Chars: 90000, Lines: 12000, Tokens: 30000, At: day},
		{Kind: run.SavingDenial, StepID: "t2", Tool: "Write", Detail: "delegate it", At: day.Add(time.Second)},
		{Kind: run.SavingSpill, Tool: "Read", Fault: "the disk is full", At: day.Add(2 * time.Second)},
	}
	must2(h.Finish(t.Context(), run.Finishing{RunID: r.ID, State: run.Succeeded, Savings: want}))(t)
	if got := must(h.RunSavings(t.Context(), r.ID))(t); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	_, err := h.RunSavings(t.Context(), "nobody")
	wantCode(t, err, chat.CodeNotFound)
}

func TestScriptUsesAddUp(t *testing.T) {
	h := newHouse(t)
	for range 2 {
		if err := h.UseScripts(t.Context(), "/w/.flower", ScriptUse{Path: "scripts/a.sh", Written: 1}, ScriptUse{Path: "scripts/b.sh", Run: 3}); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.UseScripts(t.Context(), "/other/.flower", ScriptUse{Path: "scripts/a.sh", Run: 1}); err != nil {
		t.Fatal(err)
	}
	want := map[string]ScriptUse{"scripts/a.sh": {Path: "scripts/a.sh", Written: 2}, "scripts/b.sh": {Path: "scripts/b.sh", Run: 6}}
	if got := must(h.ScriptUses(t.Context(), "/w/.flower"))(t); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestWorkbenchSettings(t *testing.T) {
	h := newHouse(t)
	if got := must(h.WorkbenchSettings(t.Context()))(t); got != (workbench.Settings{TrashDays: 7}) {
		t.Errorf("at first %+v", got)
	}
	for _, want := range []workbench.Settings{{Editor: "code -r", TrashDays: 30}, {TrashDays: 1}} {
		if err := h.SetWorkbenchSettings(t.Context(), want); err != nil {
			t.Fatal(err)
		}
		if got := must(h.WorkbenchSettings(t.Context()))(t); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}
