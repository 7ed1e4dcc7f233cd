package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"hearth/backend/chat"
	"hearth/backend/run"
)

type listRunsInput struct {
	ID     string `path:"id" doc:"The channel's id."`
	Before string `query:"before" doc:"Only runs before this one; left out: the newest."`
	Limit  int    `query:"limit" default:"30" minimum:"1" maximum:"200"`
	// Binding is compared here: the store pages by channel alone.
	Binding string `query:"binding" doc:"Only runs of the agent with this binding's id."`
}

type runsOutput struct {
	Body struct {
		Runs []Run `json:"runs" doc:"Newest first."`
		More bool  `json:"more" doc:"There are older ones: ask again with before set to the id of the last."`
	}
}

type runInput struct {
	ID string `path:"id" doc:"The run's id."`
}

type runOutput struct{ Body Run }

type runDetailOutput struct {
	Body struct {
		Run     Run      `json:"run"`
		Sent    *Sent    `json:"sent,omitempty" doc:"Left out: nothing was sent yet."`
		Steps   []Step   `json:"steps" doc:"What happened in the turn, in order."`
		Savings []Saving `json:"savings" doc:"What was kept out of the agent's context, in order."`
		// The same that a cache break names.
		BeforeRunID string `json:"before_run_id" doc:"The turn of the same agent before it, of those in which it sent a request to its model: what this one is compared with. Empty: none."`
		LiveText    string `json:"live_text" doc:"What a run that is going has said since its last whole stretch of text."`
	}
}

func (s *server) registerRuns(operations huma.API) {
	tags := []string{"runs"}
	register(s, operations, huma.Operation{
		OperationID: "list-runs", Method: http.MethodGet, Path: "/api/channels/{id}/runs", Summary: "Page back through the work of a channel's agents", Tags: tags,
	}, s.listRuns)
	register(s, operations, huma.Operation{
		OperationID: "get-run", Method: http.MethodGet, Path: "/api/runs/{id}", Summary: "Read a run: what was sent and why, what happened, what it used", Tags: tags,
	}, s.getRun)
	register(s, operations, huma.Operation{
		OperationID: "stop-run", Method: http.MethodPost, Path: "/api/runs/{id}/stop", Summary: "Stop a run, or take it out of its queue", Tags: tags,
		Description: "The session lives on.",
	}, func(ctx context.Context, in *runInput) (*runOutput, error) {
		r, err := s.Runs.StopRun(ctx, in.ID)
		return &runOutput{toWholeRun(r)}, err
	})
	register(s, operations, huma.Operation{
		OperationID: "retry-run", Method: http.MethodPost, Path: "/api/runs/{id}/retry", Summary: "Ask again what a failed or stopped run was asked", Tags: tags,
		Description: "Answers with the new run.", DefaultStatus: http.StatusCreated,
	}, func(ctx context.Context, in *runInput) (*runOutput, error) {
		r, err := s.Runs.Retry(ctx, in.ID)
		return &runOutput{toWholeRun(r)}, err
	})
}

func (s *server) listRuns(ctx context.Context, in *listRunsInput) (*runsOutput, error) {
	if _, err := s.Store.Channel(ctx, in.ID); err != nil {
		return nil, err
	}
	if in.Before != "" {
		if r, err := s.Store.Run(ctx, in.Before); chat.CodeOf(err) == chat.CodeNotFound || err == nil && r.ChannelID != in.ID {
			return nil, chat.Errorf(chat.CodeInvalid, "There is no run %q in this channel to page back from. Give the id of the oldest run you have.", bounded(in.Before))
		} else if err != nil {
			return nil, err
		}
	}
	runs, more, err := s.runsOf(ctx, in)
	out := &runsOutput{}
	out.Body.Runs, out.Body.More = each(runs, toRun), more
	return out, err
}

// runsOf is a page of a channel's runs, or of one agent's among them.
func (s *server) runsOf(ctx context.Context, in *listRunsInput) ([]run.Run, bool, error) {
	if in.Binding == "" {
		return s.Store.Runs(ctx, in.ID, in.Before, in.Limit)
	}
	const page = 200
	var found []run.Run
	before := in.Before
	for {
		runs, more, err := s.Store.Runs(ctx, in.ID, before, page)
		if err != nil {
			return nil, false, err
		}
		for _, r := range runs {
			before = r.ID
			if r.BindingID != in.Binding {
				continue
			}
			if len(found) == in.Limit {
				return found, true, nil
			}
			found = append(found, r)
		}
		if !more {
			return found, false, nil
		}
	}
}

func (s *server) getRun(ctx context.Context, in *runInput) (*runDetailOutput, error) {
	// Asked before the run is read: one that ends between the two is read ended,
	// and its steps are those that were stored with its end.
	live, going := s.Runs.Live(in.ID)
	r, err := s.Store.Run(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	out := &runDetailOutput{}
	out.Body.Run = toWholeRun(r)
	if out.Body.Sent, err = s.sent(ctx, r); err != nil {
		return nil, err
	}
	if out.Body.BeforeRunID, err = s.Store.TurnBefore(ctx, r.ID); err != nil {
		return nil, err
	}
	if going && !r.State.Ended() {
		out.Body.LiveText, out.Body.Steps, out.Body.Savings = live.Text, each(live.Steps, toStep), each(live.Savings, toSaving)
		return out, nil
	}
	steps, err := s.Store.RunSteps(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	savings, err := s.Store.RunSavings(ctx, in.ID)
	out.Body.Steps, out.Body.Savings = each(steps, toStep), each(savings, toSaving)
	return out, err
}

// sent is what a run was sent, nil when it was nothing: it has not begun, was
// taken out of the queue, or nobody asked for it.
func (s *server) sent(ctx context.Context, r run.Run) (*Sent, error) {
	if r.StartedAt.IsZero() {
		return nil, nil
	}
	sent, err := s.Store.RunSent(ctx, r.ID)
	switch {
	case chat.CodeOf(err) == chat.CodeNotFound:
		return nil, nil
	case err != nil:
		return nil, err
	case len(sent.Blocks) == 0:
		return nil, nil
	}
	return toSent(sent), nil
}
