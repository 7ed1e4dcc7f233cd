package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"hearth/backend/chat"
)

type strategiesInput struct {
	ID      string `path:"id" doc:"The channel's id."`
	Binding string `query:"binding" required:"true" doc:"The id of the agent's binding."`
	Rows    int    `query:"rows" default:"20000" minimum:"1" maximum:"100000" doc:"How many of the newest messages are played."`
	Limit   int    `query:"limit" default:"12" minimum:"1" maximum:"30" doc:"The most messages that a turn shows."`
	EvictAt int    `query:"evict_at" minimum:"0" doc:"The mention, from 2 on, that a new process answers, which remembers nothing; left out: none."`
}

type strategiesOutput struct{ Body Strategies }

func (s *server) registerStrategies(operations huma.API) {
	register(s, operations, huma.Operation{
		OperationID: "compare-strategies", Method: http.MethodGet, Path: "/api/channels/{id}/strategies", Tags: []string{"cache"},
		Summary: "Play a channel again, and count what each way of telling the agent of it would have cost",
		Description: "No model is asked and nothing is sent; docs/simulation.md says what is counted. It takes seconds in a large channel, at most one minute, " +
			"and one is made at a time; a caller that hangs up ends it. At most 64 MiB of text are played.",
	}, s.compareStrategies)
}

func (s *server) compareStrategies(ctx context.Context, in *strategiesInput) (*strategiesOutput, error) {
	c, err := s.Store.Channel(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	b, err := s.Store.Binding(ctx, in.Binding)
	if chat.CodeOf(err) == chat.CodeNotFound || err == nil && b.ChannelID != c.ID {
		return nil, chat.Errorf(chat.CodeInvalid, "There is no agent with the binding %q in this channel. The roster lists those there are.", bounded(in.Binding))
	}
	if err != nil {
		return nil, err
	}
	if in.EvictAt == 1 {
		return nil, chat.Errorf(chat.CodeInvalid, "The first mention is answered by a new process in any case. Give evict_at a number from 2 on, or leave it out.")
	}
	out, err := s.Comparisons.Compare(ctx, c, b, CompareOptions{Rows: in.Rows, Limit: in.Limit, EvictAt: in.EvictAt})
	return &strategiesOutput{out}, err
}
