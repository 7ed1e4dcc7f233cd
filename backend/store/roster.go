package store

import (
	"context"

	"hearth/backend/chat"
	"hearth/backend/ledger"
	"hearth/backend/run"
	"hearth/backend/store/db"
)

const (
	// keptEnds is of how many processes of a binding it is kept how they ended: cache
	// breaks are told with them, as far back as people look.
	keptEnds = 1000
	// maxEnds is of how many it is told at once.
	maxEnds = 100
	// maxTools is how many tools of a binding are told of. A model can call whatever
	// it makes up, so there is no end to them.
	maxTools = 500
)

func countTools(ctx context.Context, q *db.Queries, bindingID string, steps []run.Step) error {
	for _, c := range run.CountTools(steps) {
		err := q.AddToolCalls(ctx, db.AddToolCallsParams{
			BindingID: bindingID, Tool: c.Tool, Subagent: c.Subagent, Calls: int64(c.Calls), Failed: int64(c.Failed), LastAt: micros(c.LastAt),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// ToolCalls returns how often a binding called each tool in runs that have ended, the
// most called first, 500 at most.
func (s *Store) ToolCalls(ctx context.Context, bindingID string) ([]run.ToolCalls, error) {
	stored, err := s.views.ToolCalls(ctx, db.ToolCallsParams{BindingID: bindingID, Most: maxTools})
	if err != nil {
		return nil, s.failed("read how often tools were called", err)
	}
	out := make([]run.ToolCalls, len(stored))
	for i, c := range stored {
		out[i] = run.ToolCalls{Tool: c.Tool, Subagent: c.Subagent, Calls: int(c.Calls), Failed: int(c.Failed), LastAt: timeOf(c.LastAt)}
	}
	return out, nil
}

// ProcessEnds returns how the processes of a binding ended, newest first, 100 at most.
func (s *Store) ProcessEnds(ctx context.Context, bindingID string) ([]ledger.ProcessEnd, error) {
	stored, err := s.views.ProcessEnds(ctx, db.ProcessEndsParams{BindingID: bindingID, Most: maxEnds})
	if err != nil {
		return nil, s.failed("read how processes ended", err)
	}
	out := make([]ledger.ProcessEnd, len(stored))
	for i, e := range stored {
		out[i] = endOf(e.Native, e.How, e.Reason, e.EndedAt)
	}
	return out, nil
}

func endOf(native, how, reason string, at int64) ledger.ProcessEnd {
	return ledger.ProcessEnd{Native: native, How: ledger.Ending(how), Reason: reason, At: timeOf(at)}
}

// SessionFacts returns what is stored of a native session's turns; of one that nobody
// knows, that it had none.
func (s *Store) SessionFacts(ctx context.Context, native string) (run.SessionFacts, error) {
	stored, err := s.views.TurnsIn(ctx, native)
	if err != nil {
		return run.SessionFacts{}, s.failed("count the turns of a session", err)
	}
	return run.SessionFacts{Turns: int(stored.Turns), BeganAt: timeOf(stored.BeganAt)}, nil
}

// QueuedRuns returns the first runs that wait in a binding's queue, in order, with their
// messages.
func (s *Store) QueuedRuns(ctx context.Context, bindingID string, limit int) ([]run.QueuedRun, error) {
	stored, err := s.views.QueuedRuns(ctx, db.QueuedRunsParams{BindingID: bindingID, Most: int64(limit)})
	if err != nil {
		return nil, s.failed("read a queue", err)
	}
	out := make([]run.QueuedRun, len(stored))
	for i, w := range stored {
		out[i] = run.QueuedRun{
			RunID: w.ID, RowID: w.RowID, Handle: w.Handle, Agent: w.Kind == string(chat.KindAgent), Body: w.Body, QueuedAt: timeOf(w.QueuedAt),
		}
	}
	return out, nil
}
