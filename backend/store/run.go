package store

import (
	"context"
	"encoding/json"
	"time"

	"hearth/backend/ledger"
	"hearth/backend/run"
	"hearth/backend/store/db"
)

// Run returns a run, with its calls and the cache break it was.
func (s *Store) Run(ctx context.Context, id string) (r run.Run, err error) {
	err = s.view(ctx, "read a run", func(q *db.Queries) error {
		if r, err = readRun(ctx, q, id); err != nil {
			return err
		}
		return withBreaks(ctx, q, &r)
	})
	if err != nil {
		return run.Run{}, err
	}
	return r, nil
}

// Runs returns the newest runs of a channel before a run ("" is the end), newest
// first, with the cache breaks they were and without their calls.
func (s *Store) Runs(ctx context.Context, channelID, before string, limit int) (runs []run.Run, more bool, err error) {
	err = s.view(ctx, "read runs", func(q *db.Queries) error {
		page := db.RunsBeforeParams{ChannelID: channelID, BeforeAt: endOfTime, Most: int64(limit) + 1}
		if before != "" {
			r, err := q.Run(ctx, before)
			if err != nil {
				return found(err, "run", before)
			}
			page.BeforeAt, page.BeforeID = r.QueuedAt, r.ID
		}
		stored, err := q.RunsBefore(ctx, page)
		if err != nil {
			return err
		}
		if len(stored) > limit {
			stored, more = stored[:limit], true
		}
		runs = make([]run.Run, len(stored))
		judged := make([]*run.Run, len(stored))
		for i, r := range stored {
			runs[i], judged[i] = runOf(r), &runs[i]
		}
		return withBreaks(ctx, q, judged...)
	})
	if err != nil {
		return nil, false, err
	}
	return runs, more, nil
}

// RunSent returns what a run's turn was sent; a run that has not begun was sent
// nothing.
func (s *Store) RunSent(ctx context.Context, id string) (sent run.Sent, err error) {
	err = s.view(ctx, "read what a run was sent", func(q *db.Queries) error {
		if _, err := q.Run(ctx, id); err != nil {
			return found(err, "run", id)
		}
		stored, err := q.Sent(ctx, id)
		if none(err) {
			return nil
		}
		if err != nil {
			return err
		}
		sent, err = decodeSent(stored)
		return err
	})
	return sent, err
}

// RunSteps returns the steps of a run that has ended, in order.
func (s *Store) RunSteps(ctx context.Context, id string) (steps []run.Step, err error) {
	err = s.view(ctx, "read the steps of a run", func(q *db.Queries) error {
		if _, err := q.Run(ctx, id); err != nil {
			return found(err, "run", id)
		}
		stored, err := q.Steps(ctx, id)
		if err != nil {
			return err
		}
		steps = make([]run.Step, len(stored))
		for i, step := range stored {
			steps[i] = run.Step{
				N: int(step.N), Kind: step.Kind, ID: step.StepID, Parent: step.Parent, Name: step.Name, Input: step.Input,
				Output: step.Output, Error: step.Error, At: timeOf(step.At), Took: time.Duration(step.Took) * time.Microsecond,
			}
		}
		return nil
	})
	return steps, err
}

func readRun(ctx context.Context, q *db.Queries, id string) (run.Run, error) {
	stored, err := q.Run(ctx, id)
	if err != nil {
		return run.Run{}, found(err, "run", id)
	}
	runs, err := withCalls(ctx, q, []db.Run{stored})
	if err != nil {
		return run.Run{}, err
	}
	return runs[0], nil
}

// withCalls makes runs of what is stored, with the API calls of those that ended.
func withCalls(ctx context.Context, q *db.Queries, stored []db.Run) ([]run.Run, error) {
	runs := make([]run.Run, len(stored))
	byID := map[string]*run.Run{}
	var ended []string
	for i, r := range stored {
		runs[i] = runOf(r)
		byID[r.ID] = &runs[i]
		if r.EndedAt != 0 {
			ended = append(ended, r.ID)
		}
	}
	if len(ended) == 0 {
		return runs, nil
	}
	ids, err := json.Marshal(ended)
	if err != nil {
		return nil, err
	}
	calls, err := q.Calls(ctx, string(ids))
	if err != nil {
		return nil, err
	}
	for _, c := range calls {
		usage := &byID[c.RunID].Usage
		usage.Calls = append(usage.Calls, callOf(c))
	}
	return runs, nil
}

func callOf(c db.RunCall) ledger.Call {
	return ledger.Call{
		MessageID: c.MessageID, Model: c.Model, Main: c.Main, Usage: ledger.Usage{
			Input: c.Input, CacheRead: c.CacheRead, CacheWrite5m: c.CacheWrite5m, CacheWrite1h: c.CacheWrite1h,
			Output: c.Output, Thinking: c.Thinking,
		},
		TTFT: time.Duration(c.TTFT) * time.Microsecond, Began: timeOf(c.BeganAt), Ended: timeOf(c.EndedAt),
		Miss: ledger.Miss{Reason: c.MissReason, Tokens: c.MissTokens},
	}
}

func insertRun(ctx context.Context, q *db.Queries, r run.Run) error {
	return q.InsertRun(ctx, db.InsertRunParams{
		ID: r.ID, ChannelID: r.ChannelID, BindingID: r.BindingID, RowID: r.RowID, ThreadRootID: r.ThreadRootID,
		Cause: string(r.Cause), RetryOf: r.RetryOf, Hops: int64(r.Hops), State: string(r.State), QueuedAt: micros(r.QueuedAt),
	})
}

// endRun stores how a run ended, with what it used and did.
func endRun(ctx context.Context, q *db.Queries, r run.Run, proven bool, f run.Finishing) error {
	failure := run.Failure{}
	if r.Failure != nil {
		failure = *r.Failure
	}
	err := q.EndRun(ctx, db.EndRunParams{
		ID: r.ID, State: string(r.State), ReplyID: r.ReplyID, FailureCode: string(failure.Code),
		FailureMessage: failure.Message, FailureHeld: failure.Held, Proven: proven, Input: r.Usage.Input,
		CacheRead: r.Usage.CacheRead, CacheWrite5m: r.Usage.CacheWrite5m, CacheWrite1h: r.Usage.CacheWrite1h,
		Output: r.Usage.Output, CostUSD: r.Usage.CostUSD, Thinking: r.Usage.Thinking, TTFT: r.Usage.TTFT.Microseconds(),
		ContextSize: r.Usage.Context, ContextWindow: r.Usage.Window, EndedAt: micros(r.EndedAt),
	})
	if err != nil {
		return err
	}
	for n, c := range r.Usage.Calls {
		err := q.PutCall(ctx, db.PutCallParams{
			RunID: r.ID, N: int64(n), MessageID: c.MessageID, Model: c.Model, Main: c.Main, Input: c.Usage.Input,
			CacheRead: c.Usage.CacheRead, CacheWrite5m: c.Usage.CacheWrite5m, CacheWrite1h: c.Usage.CacheWrite1h, Output: c.Usage.Output,
			Thinking: c.Usage.Thinking, TTFT: c.TTFT.Microseconds(), BeganAt: micros(c.Began), EndedAt: micros(c.Ended),
			MissReason: c.Miss.Reason, MissTokens: c.Miss.Tokens,
		})
		if err != nil {
			return err
		}
	}
	for _, step := range f.Steps {
		err := q.PutStep(ctx, db.PutStepParams{
			RunID: r.ID, N: int64(step.N), Kind: step.Kind, StepID: step.ID, Parent: step.Parent, Name: step.Name,
			Input: step.Input, Output: step.Output, Error: step.Error, At: micros(step.At), Took: step.Took.Microseconds(),
		})
		if err != nil {
			return err
		}
	}
	if err := countTools(ctx, q, r.BindingID, f.Steps); err != nil {
		return err
	}
	return putSavings(ctx, q, r.ID, f.Savings)
}

func runOf(r db.Run) run.Run {
	out := run.Run{
		ID: r.ID, ChannelID: r.ChannelID, BindingID: r.BindingID, RowID: r.RowID, ThreadRootID: r.ThreadRootID,
		Cause: run.Cause(r.Cause), RetryOf: r.RetryOf, Hops: int(r.Hops), State: run.State(r.State),
		Temperature: r.Temperature, Native: r.Native, MessageUUID: r.MessageUUID, ReplyID: r.ReplyID,
		Usage: run.Usage{
			Usage: ledger.Usage{
				Input: r.Input, CacheRead: r.CacheRead, CacheWrite5m: r.CacheWrite5m, CacheWrite1h: r.CacheWrite1h,
				Output: r.Output, Thinking: r.Thinking,
			},
			CostUSD: r.CostUSD, TTFT: time.Duration(r.TTFT) * time.Microsecond, Context: r.ContextSize, Window: r.ContextWindow,
		},
		Changed: run.Changed{
			Files: int(r.ChangedFiles), Added: int(r.ChangedAdded), Removed: int(r.ChangedRemoved), Undone: int(r.ChangedUndone),
		},
		QueuedAt: timeOf(r.QueuedAt), StartedAt: timeOf(r.StartedAt), EndedAt: timeOf(r.EndedAt),
	}
	if r.FailureCode != "" {
		out.Failure = &run.Failure{Code: run.FailureCode(r.FailureCode), Message: r.FailureMessage, Held: r.FailureHeld}
	}
	return out
}
