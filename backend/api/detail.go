package api

import (
	"cmp"
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"hearth/backend/chat"
	"hearth/backend/plain"
	"hearth/backend/run"
)

const (
	// shownQueue is how many messages of a queue a detail shows; that of an agent is
	// rarely longer than a few.
	shownQueue = 50
	// shownText is how much of a message, in characters.
	shownText = 300
	// shownLeases is how many turns that are over.
	shownLeases = 20
)

type detailOutput struct{ Body AgentDetail }

func (s *server) registerDetail(operations huma.API) {
	register(s, operations, huma.Operation{
		OperationID: "get-agent", Method: http.MethodGet, Path: "/api/bindings/{id}/detail", Tags: []string{"bindings"},
		Summary:     "Look at an agent closely: its process, session, queue, last turns and tools, and what comes next",
		Description: "It looks at the agent's processes and asks its client, which takes some milliseconds.",
	}, s.getDetail)
}

func (s *server) getDetail(ctx context.Context, in *bindingInput) (*detailOutput, error) {
	b, err := s.Store.Binding(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	look, err := s.Presence.Detail(ctx, b)
	if err != nil {
		return nil, err
	}
	out := &detailOutput{Body: AgentDetail{Binding: toBinding(b), State: toState(look.State)}}
	d := &out.Body
	if p := look.Process; p != nil {
		d.Process = &Process{PID: p.PID, BeganAt: utc(p.BeganAt), MemoryBytes: p.MemoryBytes, Processes: p.Processes, Fault: p.Fault}
	}
	queue, err := s.Store.QueuedRuns(ctx, b.ID, shownQueue)
	if err != nil {
		return nil, err
	}
	d.Queue = each(queue, toQueuedRun)
	if err := s.pastOf(ctx, d, b); err != nil {
		return nil, err
	}
	if err := s.sessionOf(ctx, d); err != nil {
		return nil, err
	}
	d.Tools, err = s.toolsOf(ctx, b, look)
	return out, err
}

func toQueuedRun(q run.QueuedRun) QueuedRun {
	return QueuedRun{RunID: q.RunID, RowID: q.RowID, Handle: q.Handle, Agent: q.Agent, Text: plain.Short(q.Body, shownText), QueuedAt: utc(q.QueuedAt)}
}

// pastOf fills in what an agent did last and what is to be expected of it.
func (s *server) pastOf(ctx context.Context, d *AgentDetail, b chat.Binding) error {
	handles, err := s.Store.Handles(ctx, b.ChannelID)
	if err != nil {
		return err
	}
	past, err := s.pastTurns(ctx, handles, "")
	if err != nil {
		return err
	}
	ends, err := s.Store.ProcessEnds(ctx, b.ID)
	if err != nil {
		return err
	}
	turns := past[b.ID]
	d.Leases = each(run.PastLeases(turns[max(0, len(turns)-shownLeases):], ends, d.State.Native), toPastLease)
	for _, f := range forecasts([]run.Handle{{BindingID: b.ID, Handle: b.Handle}}, past, s.now()) {
		d.Forecast = &f
	}
	return nil
}

// sessionOf fills in what Start fresh would forget.
func (s *server) sessionOf(ctx context.Context, d *AgentDetail) error {
	native := cmp.Or(d.State.Native, d.State.Restorable)
	if native == "" {
		return nil
	}
	facts, err := s.Store.SessionFacts(ctx, native)
	if err != nil {
		return err
	}
	d.Session = &NativeSession{Native: native, Saved: d.State.Native == "", Turns: facts.Turns, BeganAt: utc(facts.BeganAt)}
	if d.Forecast != nil && d.Forecast.Native == native {
		d.Session.ContextTokens = d.Forecast.ContextTokens
	}
	return nil
}
