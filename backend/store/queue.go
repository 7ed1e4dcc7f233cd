package store

import (
	"context"

	"hearth/backend/run"
	"hearth/backend/store/db"
)

// QueuedKeys returns the queues that hold queued or waiting runs, the one whose
// oldest run has waited longest first.
func (s *Store) QueuedKeys(ctx context.Context) ([]run.Key, error) {
	stored, err := s.views.QueuedKeys(ctx)
	if err != nil {
		return nil, s.failed("read the queues", err)
	}
	keys := make([]run.Key, len(stored))
	for i, k := range stored {
		keys[i] = run.Key{ChannelID: k.ChannelID, BindingID: k.BindingID}
	}
	return keys, nil
}

// Next returns the oldest queued or waiting run of a queue; ok is false when
// there is none.
func (s *Store) Next(ctx context.Context, key run.Key) (r run.Run, ok bool, err error) {
	// A binding is in one channel. Were the channel asked for as well, SQLite would
	// walk through all of its runs.
	stored, err := s.views.NextRun(ctx, key.BindingID)
	if none(err) || err == nil && stored.ChannelID != key.ChannelID {
		return run.Run{}, false, nil
	}
	if err != nil {
		return run.Run{}, false, s.failed("read the next run", err)
	}
	return runOf(stored), true, nil
}

// QueueLengths returns how many runs of each binding of a channel are queued or
// waiting; a binding that has none has no entry.
func (s *Store) QueueLengths(ctx context.Context, channelID string) (map[string]int, error) {
	stored, err := s.views.QueueLengths(ctx, channelID)
	if err != nil {
		return nil, s.failed("count the queued runs", err)
	}
	lengths := make(map[string]int, len(stored))
	for _, q := range stored {
		lengths[q.BindingID] = int(q.Count)
	}
	return lengths, nil
}

// RunningRuns returns the running run of each binding of a channel that has one.
func (s *Store) RunningRuns(ctx context.Context, channelID string) (map[string]string, error) {
	stored, err := s.views.RunningRuns(ctx, channelID)
	if err != nil {
		return nil, s.failed("read the running runs", err)
	}
	running := make(map[string]string, len(stored))
	for _, r := range stored {
		running[r.BindingID] = r.ID
	}
	return running, nil
}

// HalfEnded returns the runs that are running, in the order they began.
func (s *Store) HalfEnded(ctx context.Context) ([]run.Run, error) {
	stored, err := s.views.HalfEnded(ctx)
	if err != nil {
		return nil, s.failed("read the running runs", err)
	}
	runs := make([]run.Run, len(stored))
	for i, r := range stored {
		runs[i] = runOf(r)
	}
	return runs, nil
}

// Wait moves a run between queued and waiting, relaxed. One that is there
// already stays.
func (s *Store) Wait(ctx context.Context, runID string, waiting bool) error {
	to := run.Queued
	if waiting {
		to = run.Waiting
	}
	return s.change(ctx, relaxed, "let a run wait", func(ctx context.Context, q *db.Queries) error {
		r, err := q.Run(ctx, runID)
		if err != nil {
			return found(err, "run", runID)
		}
		if run.State(r.State) == to {
			return nil
		}
		if err := run.CheckMove(run.State(r.State), to); err != nil {
			return err
		}
		return q.SetRunState(ctx, db.SetRunStateParams{ID: runID, State: string(to)})
	})
}

// Cancel ends a queued or waiting run as stopped, or, with a failure, as failed,
// synced. It answers CodeConflict when the run has begun or ended.
func (s *Store) Cancel(ctx context.Context, runID string, failure *run.Failure) (ended run.Run, err error) {
	err = s.change(ctx, synced, "cancel a run", func(ctx context.Context, q *db.Queries) error {
		stored, err := q.Run(ctx, runID)
		if err != nil {
			return found(err, "run", runID)
		}
		r := runOf(stored)
		if r.State != run.Queued && r.State != run.Waiting {
			return conflict("That run can't be taken out of the queue any more: it is %s.", r.State)
		}
		c, err := q.Channel(ctx, r.ChannelID)
		if err != nil {
			return err
		}
		r.State, r.Failure, r.EndedAt = run.Stopped, failure, timeOf(s.tick(&c))
		if failure != nil {
			r.State = run.Failed
		}
		if err := endRun(ctx, q, r, false, run.Finishing{}); err != nil {
			return err
		}
		if err := keep(ctx, q, c); err != nil {
			return err
		}
		ended, err = readRun(ctx, q, runID)
		return err
	})
	return ended, err
}

// clear takes the queued and waiting runs of a binding out of its queue, because
// nobody will answer them any more; the caller keeps the clock. It answers
// CodeConflict while a run of the binding is running.
func (s *Store) clear(ctx context.Context, q *db.Queries, c *db.Channel, b db.Binding, why string) ([]run.Run, error) {
	stored, err := q.UnendedRuns(ctx, b.ID)
	if err != nil {
		return nil, err
	}
	ended := make([]run.Run, len(stored))
	for i := range stored {
		r := runOf(stored[i])
		if r.State == run.Running {
			return nil, conflict("@%s is at work; stop it first.", b.Handle)
		}
		if ended[i], err = s.takeOut(ctx, q, c, r, why); err != nil {
			return nil, err
		}
	}
	return ended, nil
}

// takeOut ends a run that has not begun; the caller keeps the clock.
func (s *Store) takeOut(ctx context.Context, q *db.Queries, c *db.Channel, r run.Run, why string) (run.Run, error) {
	r.State, r.EndedAt = run.Stopped, timeOf(s.tick(c))
	r.Failure = &run.Failure{Code: run.FailInterrupted, Message: "Taken out of the queue: " + why + "."}
	return r, endRun(ctx, q, r, false, run.Finishing{})
}

// Retry queues a new run for the row of one that failed or was stopped, synced.
// It answers CodeConflict for any other run, when it was retried already, when
// nobody had asked for it, and when its agent or channel is no longer there to
// answer.
func (s *Store) Retry(ctx context.Context, runID string) (again run.Run, err error) {
	err = s.change(ctx, synced, "retry a run", func(ctx context.Context, q *db.Queries) error {
		stored, err := q.Run(ctx, runID)
		if err != nil {
			return found(err, "run", runID)
		}
		r := runOf(stored)
		switch {
		case r.State != run.Failed && r.State != run.Stopped:
			return conflict("A run that is %s can't be retried; only one that failed or was stopped can.", r.State)
		case r.RowID == "":
			return conflict("Nobody had asked for that run, so there is nothing to ask again.")
		}
		if row, err := q.Row(ctx, r.RowID); err != nil {
			return found(err, "message", r.RowID)
		} else if row.DeletedAt != 0 {
			return conflict("The message was deleted, so there is nothing to ask again. Write a new one.")
		}
		if _, err := q.RetryOf(ctx, runID); err == nil {
			return conflict("That run was retried already.")
		} else if !none(err) {
			return err
		}
		b, err := q.Binding(ctx, r.BindingID)
		if err != nil {
			return err
		}
		if b.DeletedAt != 0 {
			return conflict("@%s was removed from the channel; there is nobody to ask again.", b.Handle)
		}
		c, err := open(ctx, q, r.ChannelID)
		if err != nil {
			return err
		}
		again = run.Run{
			ChannelID: r.ChannelID, BindingID: r.BindingID, RowID: r.RowID, ThreadRootID: r.ThreadRootID,
			Cause: run.CauseRetry, RetryOf: r.ID, Hops: r.Hops,
		}
		if err := enqueue(ctx, q, &again, s.tick(&c)); err != nil {
			return err
		}
		return keep(ctx, q, c)
	})
	if err != nil {
		return run.Run{}, err
	}
	return again, nil
}
