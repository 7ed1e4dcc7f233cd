package store

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"hearth/backend/ledger"
	"hearth/backend/run"
)

func TestToolCallsAreCounted(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	if calls := must(h.ToolCalls(ctx, h.claude.ID))(t); len(calls) != 0 {
		t.Errorf("before the first run: %+v", calls)
	}
	at := day.Add(time.Hour)
	for range 2 {
		r := h.queue("", "x")
		h.begin(r, "s1", run.Sent{})
		h.finish(run.Finishing{RunID: r.ID, State: run.Failed, Steps: []run.Step{
			{N: 0, Kind: "tool", Name: "Bash", At: at},
			{N: 1, Kind: "tool", Name: "Bash", At: at.Add(time.Second), Error: true},
			{N: 2, Kind: "tool", Name: "Bash", Parent: "toolu_1", At: at},
			{N: 3, Kind: "text", Name: "Bash"},
			{N: 4, Kind: "tool"},
			{N: 5, Kind: "tool", Name: strings.Repeat("긴", 300), At: at},
		}})
		at = at.Add(-time.Minute) // a clock that was set back
	}
	stored, _, err := h.Unasked(ctx, run.Run{BindingID: h.claude.ID, Native: "s1"}, run.Finishing{State: run.Succeeded, Steps: []run.Step{{Kind: "tool", Name: "Read", At: at}}})
	if err != nil || stored.ID == "" {
		t.Fatal(err)
	}
	at = day.Add(time.Hour)
	want := []run.ToolCalls{
		{Tool: "Bash", Calls: 4, Failed: 2, LastAt: at.Add(time.Second)},
		{Tool: "Bash", Subagent: true, Calls: 2, LastAt: at},
		{Tool: strings.Repeat("긴", 200), Calls: 2, LastAt: at},
		{Tool: "Read", Calls: 1, LastAt: at.Add(-2 * time.Minute)},
	}
	if got := must(h.ToolCalls(ctx, h.claude.ID))(t); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	other := h.newBinding(h.channel.ID, "other")
	if got := must(h.ToolCalls(ctx, other.ID))(t); len(got) != 0 {
		t.Errorf("another agent's: %+v", got)
	}
}

func TestProcessEndsAreKept(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	end := func(native string, how ledger.Ending, reason string) {
		t.Helper()
		h.start(native)
		for range 2 { // ended is ended
			if err := h.EndSession(ctx, native, how, reason); err != nil {
				t.Fatal(err)
			}
		}
	}
	hows := func() string {
		t.Helper()
		var all []string
		last := time.Time{}
		for _, e := range must(h.ProcessEnds(ctx, h.claude.ID))(t) {
			if !last.IsZero() && !e.At.Before(last) {
				t.Errorf("%v is not before %v", e.At, last)
			}
			last = e.At
			all = append(all, e.Native+" "+string(e.How)+" "+e.Reason)
		}
		return strings.Join(all, ", ")
	}
	end("s1", ledger.EndedIdle, "")
	end("s1", ledger.EndedCrashed, "exit status 3") // restored meanwhile
	h.start("s2")
	must(h.Fresh(ctx, h.claude.ID))(t)
	h.start("s3")
	must(h.EndOpenSessions(ctx, "Hearth ended"))(t)
	if got, want := hows(), "s3 lost Hearth ended, s2 fresh started afresh, s1 crashed exit status 3, s1 idle "; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for range keptEnds + 5 {
		end("s4", ledger.EndedIdle, "")
	}
	if n := h.count("process_ends"); n != keptEnds {
		t.Errorf("%d ends are kept, want %d", n, keptEnds)
	}
	if got := hows(); strings.Contains(got, "s3") || strings.Count(got, "s4") != maxEnds {
		t.Errorf("kept are %s", got)
	}
}

func TestQueuedRunsAndSessionFacts(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	if facts := must(h.SessionFacts(ctx, "s1"))(t); facts != (run.SessionFacts{}) {
		t.Errorf("of a session that nobody knows: %+v", facts)
	}
	first := h.queue("", "@claude one")
	h.begin(first, "s1", run.Sent{})
	h.succeed(first, "done")
	second := h.queue("", "@claude two")
	h.begin(second, "s1", run.Sent{})
	facts := must(h.SessionFacts(ctx, "s1"))(t)
	if began := must(h.Run(ctx, first.ID))(t).StartedAt; facts.Turns != 2 || !facts.BeganAt.Equal(began) {
		t.Errorf("%+v", facts)
	}
	if facts := must(h.SessionFacts(ctx, ""))(t); facts.Turns != 0 {
		t.Errorf("runs without a session are one: %+v", facts)
	}

	third := h.queue("", "@claude three")
	h.post("", "aiko", "@claude four", h.claude)
	queue := must(h.QueuedRuns(ctx, h.claude.ID, 10))(t)
	want := run.QueuedRun{RunID: third.ID, RowID: third.RowID, Body: "@claude three", QueuedAt: third.QueuedAt}
	if len(queue) != 2 || queue[0] != want || queue[1].Handle != "aiko" {
		t.Errorf("%+v, want first %+v", queue, want)
	}
	if queue := must(h.QueuedRuns(ctx, h.claude.ID, 1))(t); len(queue) != 1 || queue[0].RunID != third.ID {
		t.Errorf("the first: %+v", queue)
	}
}

// What agents called before calls were counted is counted from what was stored, and
// what was kept of how sessions ended is not lost.
func TestMigrationCountsWhatWasCalled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hearth.db")
	older(t, path, 4,
		`INSERT INTO channels (id, name, name_fold, topic, workspace, direct, created_at, last_at, last_id) VALUES ('c1', 'x', 'x', '', '/w', 0, 1, 9, '')`,
		`INSERT INTO bindings (id, channel_id, handle, handle_fold, runtime, model, permission_mode, supervised, resident, base_url, token, brief_every_turn, created_at)
			VALUES ('b1', 'c1', 'claude', 'claude', 'cli:claude:agent', '', '', 1, 1, '', '', 0, 1)`,
		`INSERT INTO runs (id, channel_id, binding_id, row_id, thread_root_id, cause, retry_of, hops, state, queued_at, ended_at) VALUES
			('r1', 'c1', 'b1', '', '', 'mention', '', 0, 'succeeded', 1, 5), ('r2', 'c1', 'b1', '', '', 'mention', '', 0, 'running', 1, 0)`,
		`INSERT INTO run_steps (run_id, n, kind, step_id, parent, name, input, output, error, at, took) VALUES
			('r1', 0, 'tool', 't1', '', 'Bash', '', '', 1, 3, 0), ('r1', 1, 'tool', 't2', '', 'Bash', '', '', 0, 4, 0),
			('r1', 2, 'tool', 't3', 't1', 'Bash', '', '', 0, 2, 0), ('r1', 3, 'text', '', '', '', '', '', 0, 2, 0), ('r2', 0, 'tool', 't4', '', 'Bash', '', '', 0, 2, 0)`,
		`INSERT INTO sessions (native, binding_id, channel_id, workspace, started_at, ended_at, end_reason) VALUES
			('s1', 'b1', 'c1', '/w', 1, 5, 'ended'), ('s2', 'b1', 'c1', '/w', 2, 6, 'started afresh'), ('s3', 'b1', 'c1', '/w', 3, 7, 'run the client: it ended: exit status 3'),
			('s4', 'b1', 'c1', '/w', 4, 0, '')`)
	s := openAt(t, path, nil)
	want := []run.ToolCalls{{Tool: "Bash", Calls: 2, Failed: 1, LastAt: time.UnixMicro(4)}, {Tool: "Bash", Subagent: true, Calls: 1, LastAt: time.UnixMicro(2)}}
	got := must(s.ToolCalls(t.Context(), "b1"))(t)
	for i := range got {
		got[i].LastAt = got[i].LastAt.Local()
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	ends := must(s.ProcessEnds(t.Context(), "b1"))(t)
	if len(ends) != 3 || ends[0].How != ledger.EndedCrashed || ends[0].Reason == "" || ends[1].How != ledger.EndedFresh || ends[2].How != ledger.EndedOther || ends[2].Reason != "" {
		t.Errorf("%+v", ends)
	}
}
