package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"hearth/backend/run"
)

type stateOutput struct{ Body State }

type stoppedOutput struct {
	Body struct {
		Stopped bool `json:"stopped" doc:"False: it was at nothing."`
	}
}

type sessionOutput struct{ Body Session }

type startedFreshOutput struct{ Body StartedFresh }

type undoneFreshOutput struct{ Body FreshUndone }

// registerAgents registers what people do to an agent's process and session.
func (s *server) registerAgents(operations huma.API) {
	tags := []string{"agents"}
	register(s, operations, huma.Operation{
		OperationID: "start-fresh", Method: http.MethodPost, Path: "/api/bindings/{id}/fresh", Summary: "Start fresh", Tags: tags,
		Description: "Stops what the agent is at, ends its process and its native session; queued runs stay. Its next turn is cold and has no replay: it is told the newest messages of the channel, and not what it was asked and answered before. It can be taken back until the agent is asked something.",
	}, s.fresh)
	register(s, operations, huma.Operation{
		OperationID: "undo-fresh", Method: http.MethodPost, Path: "/api/bindings/{id}/fresh/undo", Summary: "Take Start fresh back", Tags: tags,
		Description: "The next turn goes on in the session that was forgotten. A process that ended with it, and a turn that it stopped, do not come back. 409: the agent was asked something since, in its new conversation, or was not started fresh.",
	}, s.undoFresh)
	register(s, operations, huma.Operation{
		OperationID: "stop-agent", Method: http.MethodPost, Path: "/api/bindings/{id}/stop", Summary: "Stop what an agent is at", Tags: tags,
		Description: "The session lives on, and queued runs stay queued.",
	}, s.stopAgent)
	register(s, operations, huma.Operation{
		OperationID: "warm-agent", Method: http.MethodPost, Path: "/api/bindings/{id}/warm", Summary: "Start an agent's process ahead of its next turn", Tags: tags,
		Description: "Only into a free place; no other agent is ended for it.",
	}, s.warm)
	register(s, operations, huma.Operation{
		OperationID: "restore-session", Method: http.MethodPost, Path: "/api/bindings/{id}/restore", Summary: "Load an agent's saved session into its next process", Tags: tags,
	}, s.restore)
}

func (s *server) fresh(ctx context.Context, in *bindingInput) (*startedFreshOutput, error) {
	b, err := s.Store.Binding(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	states, err := s.states(ctx, b.ChannelID)
	if err != nil {
		return nil, err
	}
	before := AgentDetail{State: stateOf(states, b.ID)}
	if err := s.pastOf(ctx, &before, b); err != nil {
		return nil, err
	}
	if err := s.sessionOf(ctx, &before); err != nil {
		return nil, err
	}
	if b, err = s.Runs.Fresh(ctx, in.ID); err != nil {
		return nil, err
	}
	s.publishBinding(run.EventBindingUpdated, b)
	return &startedFreshOutput{StartedFresh{toBinding(b), before.Session, before.Forecast}}, nil
}

func (s *server) undoFresh(ctx context.Context, in *bindingInput) (*undoneFreshOutput, error) {
	b, session, err := s.Runs.UndoFresh(ctx, in.ID)
	if b.ID != "" { // it stands, whatever came after
		s.publishBinding(run.EventBindingUpdated, b)
	}
	if err != nil {
		return nil, err
	}
	out := FreshUndone{Binding: toBinding(b)}
	if session.Native != "" {
		saved := toSession(session)
		out.Session = &saved
	}
	return &undoneFreshOutput{out}, nil
}

func (s *server) stopAgent(ctx context.Context, in *bindingInput) (*stoppedOutput, error) {
	stopped, err := s.Runs.StopBinding(ctx, in.ID)
	out := &stoppedOutput{}
	out.Body.Stopped = stopped
	return out, err
}

func (s *server) warm(ctx context.Context, in *bindingInput) (*stateOutput, error) {
	if err := s.Runs.Warm(ctx, in.ID); err != nil {
		return nil, err
	}
	b, err := s.Store.Binding(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	states, err := s.states(ctx, b.ChannelID)
	return &stateOutput{stateOf(states, b.ID)}, err
}

func (s *server) restore(ctx context.Context, in *bindingInput) (*sessionOutput, error) {
	session, err := s.Runs.Restore(ctx, in.ID)
	return &sessionOutput{toSession(session)}, err
}
