package store

import (
	"reflect"
	"testing"

	"hearth/backend/chat"
	"hearth/backend/run"
)

// inState brings a new run of the agent into a state.
func (h *house) inState(state run.State) run.Run {
	h.t.Helper()
	ctx := h.t.Context()
	r := h.queue("", "make me "+string(state))
	switch state {
	case run.Queued:
	case run.Waiting:
		if err := h.Wait(ctx, r.ID, true); err != nil {
			h.t.Fatal(err)
		}
	case run.Running:
		h.begin(r, "native", run.Sent{})
	default:
		h.begin(r, "native", run.Sent{})
		h.finish(run.Finishing{RunID: r.ID, State: state})
	}
	got := must(h.Run(ctx, r.ID))(h.t)
	if got.State != state {
		h.t.Fatalf("the run is %s, want %s", got.State, state)
	}
	return got
}

// Every move from every state: what the state machine forbids is a conflict and
// changes nothing.
func TestMoves(t *testing.T) {
	moves := map[string]func(h *house, id string) error{
		"wait":   func(h *house, id string) error { return h.Wait(t.Context(), id, true) },
		"unwait": func(h *house, id string) error { return h.Wait(t.Context(), id, false) },
		"begin": func(h *house, id string) error {
			return h.Begin(t.Context(), run.Beginning{RunID: id, Native: "n"})
		},
		"succeed": func(h *house, id string) error {
			_, _, err := h.Finish(t.Context(), run.Finishing{RunID: id, State: run.Succeeded, Reply: "said"})
			return err
		},
		"fail": func(h *house, id string) error {
			_, _, err := h.Finish(t.Context(), run.Finishing{RunID: id, State: run.Failed, Reply: "said"})
			return err
		},
		"back to queued": func(h *house, id string) error {
			_, _, err := h.Finish(t.Context(), run.Finishing{RunID: id, State: run.Queued, Reply: "said"})
			return err
		},
		"cancel": func(h *house, id string) error { _, err := h.Cancel(t.Context(), id, nil); return err },
		"give up": func(h *house, id string) error {
			_, err := h.Cancel(t.Context(), id, &run.Failure{Code: run.FailStart, Message: "no"})
			return err
		},
		"retry": func(h *house, id string) error { _, err := h.Retry(t.Context(), id); return err },
	}
	type table map[run.State]run.State // from, to; what is missing is a conflict
	want := map[string]table{
		"wait":           {run.Queued: run.Waiting, run.Waiting: run.Waiting},
		"unwait":         {run.Queued: run.Queued, run.Waiting: run.Queued},
		"begin":          {run.Queued: run.Running, run.Waiting: run.Running},
		"succeed":        {run.Running: run.Succeeded},
		"fail":           {run.Running: run.Failed},
		"back to queued": {},
		"cancel":         {run.Queued: run.Stopped, run.Waiting: run.Stopped},
		"give up":        {run.Queued: run.Failed, run.Waiting: run.Failed},
		"retry":          {run.Failed: run.Failed, run.Stopped: run.Stopped}, // the old run stays as it is
	}
	h := newHouse(t)
	for _, from := range []run.State{run.Queued, run.Waiting, run.Running, run.Succeeded, run.Declined, run.Failed, run.Stopped} {
		for name, move := range moves {
			r := h.inState(from)
			rows := h.count("rows")
			err := move(h, r.ID)
			got := must(h.Run(t.Context(), r.ID))(t)
			to, allowed := want[name][from]
			switch {
			case allowed && (err != nil || got.State != to):
				t.Errorf("%s, %s: it is %s (%v), want %s", from, name, got.State, err, to)
			case !allowed:
				wantCode(t, err, chat.CodeConflict)
				if !reflect.DeepEqual(got, r) || h.count("rows") != rows {
					t.Errorf("%s, %s: a refused move changed the run to %+v", from, name, got)
				}
			}
		}
	}
	for name, move := range moves {
		want := chat.CodeNotFound
		if name == "begin" { // deleted is as good as taken out of the queue
			want = chat.CodeConflict
		}
		wantCode(t, move(h, "nobody"), want)
	}
}

func TestQueues(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	second := h.newBinding(h.channel.ID, "second")
	key := run.Key{ChannelID: h.channel.ID, BindingID: h.claude.ID}
	if _, ok, err := h.Next(ctx, key); ok || err != nil {
		t.Errorf("something is next in an empty queue (%v)", err)
	}
	_, runs := h.post("", "", "both", second, h.claude)
	first, other := runs[1], runs[0]
	later := h.queue("", "later")
	keys := must(h.QueuedKeys(ctx))(t)
	if len(keys) != 2 {
		t.Errorf("queues %v", keys)
	}
	if got, ok, err := h.Next(ctx, key); !ok || err != nil || !reflect.DeepEqual(got, first) {
		t.Errorf("next is %+v (%v), want %+v", got, err, first)
	}
	if got := must(h.QueueLengths(ctx, h.channel.ID))(t); !reflect.DeepEqual(got, map[string]int{h.claude.ID: 2, second.ID: 1}) {
		t.Errorf("lengths %v", got)
	}
	// Waiting keeps the place in the queue.
	if err := h.Wait(ctx, first.ID, true); err != nil {
		t.Fatal(err)
	}
	if got, _, _ := h.Next(ctx, key); got.ID != first.ID || got.State != run.Waiting {
		t.Errorf("next is %+v", got)
	}
	h.begin(first, "s", run.Sent{})
	if got, _, _ := h.Next(ctx, key); got.ID != later.ID {
		t.Errorf("next is %+v", got)
	}
	if got := must(h.RunningRuns(ctx, h.channel.ID))(t); !reflect.DeepEqual(got, map[string]string{h.claude.ID: first.ID}) {
		t.Errorf("running %v", got)
	}
	if got := must(h.HalfEnded(ctx))(t); len(got) != 1 || got[0].ID != first.ID || got[0].Native != "s" || got[0].MessageUUID == "" {
		t.Errorf("half-ended %+v", got)
	}
	must(h.Cancel(ctx, other.ID, nil))(t)
	if got := must(h.QueuedKeys(ctx))(t); !reflect.DeepEqual(got, []run.Key{key}) {
		t.Errorf("queues %v", got)
	}
	h.succeed(first, "done")
	if got := must(h.HalfEnded(ctx))(t); len(got) != 0 {
		t.Errorf("half-ended %+v", got)
	}
	if got := must(h.RunningRuns(ctx, h.channel.ID))(t); len(got) != 0 {
		t.Errorf("running %v", got)
	}
}

func TestCancel(t *testing.T) {
	h := newHouse(t)
	r := h.queue("", "x")
	stopped := must(h.Cancel(t.Context(), r.ID, nil))(t)
	if stopped.State != run.Stopped || stopped.Failure != nil || !stopped.EndedAt.After(r.QueuedAt) || !stopped.StartedAt.IsZero() {
		t.Errorf("cancelled %+v", stopped)
	}
	failure := &run.Failure{Code: run.FailStart, Message: "claude was not found"}
	failed := must(h.Cancel(t.Context(), h.queue("", "y").ID, failure))(t)
	if failed.State != run.Failed || !reflect.DeepEqual(failed.Failure, failure) {
		t.Errorf("given up %+v", failed)
	}
	if got := must(h.Run(t.Context(), failed.ID))(t); !reflect.DeepEqual(got, failed) {
		t.Errorf("read %+v, cancelled %+v", got, failed)
	}
}

func TestRetry(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	root, _ := h.post("", "", "root")
	_, runs, err := h.Post(ctx, chat.Row{ChannelID: h.channel.ID, ThreadRootID: root.ID, Kind: chat.KindAgent, Handle: "x", Body: "x"},
		[]run.Run{{BindingID: h.claude.ID, Cause: run.CauseAgent, Hops: 2}})
	if err != nil {
		t.Fatal(err)
	}
	failed := must(h.Cancel(ctx, runs[0].ID, &run.Failure{Code: run.FailStart}))(t)
	again := must(h.Retry(ctx, failed.ID))(t)
	want := run.Run{
		ID: again.ID, ChannelID: h.channel.ID, BindingID: h.claude.ID, RowID: failed.RowID, ThreadRootID: root.ID,
		Cause: run.CauseRetry, RetryOf: failed.ID, Hops: 2, State: run.Queued, QueuedAt: again.QueuedAt,
	}
	if !reflect.DeepEqual(again, want) || !again.QueuedAt.After(failed.EndedAt) {
		t.Errorf("retried %+v, want %+v", again, want)
	}
	if got, ok, err := h.Next(ctx, again.Key()); !ok || err != nil || !reflect.DeepEqual(got, again) {
		t.Errorf("next %+v (%v), want %+v", got, err, again)
	}
	_, err = h.Retry(ctx, failed.ID)
	wantCode(t, err, chat.CodeConflict)
	must(h.Cancel(ctx, again.ID, nil))(t)
	third := must(h.Retry(ctx, again.ID))(t) // a retry can be retried
	if third.RetryOf != again.ID {
		t.Errorf("retried %+v", third)
	}
	must(h.Cancel(ctx, third.ID, nil))(t)

	unasked, _, err := h.Unasked(ctx, run.Run{BindingID: h.claude.ID}, run.Finishing{State: run.Failed, Failure: &run.Failure{Code: run.FailAPI}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = h.Retry(ctx, unasked.ID)
	wantCode(t, err, chat.CodeConflict)
	must(h.DeleteBinding(ctx, h.claude.ID))(t)
	_, err = h.Retry(ctx, third.ID)
	wantCode(t, err, chat.CodeConflict)
}

func TestRunsPaging(t *testing.T) {
	h := newHouse(t)
	second := h.newBinding(h.channel.ID, "second")
	var want []string // newest first
	for range 10 {
		_, runs := h.post("", "", "both", h.claude, second) // two of one time
		ids := []string{runs[0].ID, runs[1].ID}
		if ids[0] < ids[1] {
			ids[0], ids[1] = ids[1], ids[0]
		}
		want = append(ids, want...)
	}
	other := h.newChannel("other")
	if runs, more, err := h.Runs(t.Context(), other.ID, "", 5); len(runs) != 0 || more || err != nil {
		t.Errorf("another channel has %v, more %v, %v", runs, more, err)
	}
	for _, limit := range []int{1, 3, 7, 19, 20, 50} {
		var got []string
		before := ""
		for {
			runs, more, err := h.Runs(t.Context(), h.channel.ID, before, limit)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range runs {
				got = append(got, r.ID)
			}
			if len(runs) == 0 || len(runs) > limit || more != (len(got) < len(want)) {
				t.Fatalf("a page of %d (limit %d), more %v, with %d of %d", len(runs), limit, more, len(got), len(want))
			}
			if !more {
				break
			}
			before = got[len(got)-1]
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("by %d: %v, want %v", limit, got, want)
		}
	}
	_, _, err := h.Runs(t.Context(), h.channel.ID, "nobody", 1)
	wantCode(t, err, chat.CodeNotFound)
}
