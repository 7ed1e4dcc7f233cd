package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"hearth/backend/run"
)

type listPermissionsInput struct {
	Open    bool   `query:"open" doc:"Only those that wait for an answer."`
	Channel string `query:"channel" doc:"Only those of the channel with this id."`
	Limit   int    `query:"limit" default:"100" minimum:"1" maximum:"200"`
}

type permissionsOutput struct {
	Body struct {
		Permissions []Permission `json:"permissions" doc:"Newest first."`
	}
}

type permissionInput struct {
	ID string `path:"id" doc:"The question's id."`
}

type permissionOutput struct{ Body Permission }

type answerInput struct {
	ID   string `path:"id" doc:"The question's id."`
	Body struct {
		Decision string `json:"decision" enum:"allow,always,deny" doc:"allow: this once. always: this, and what the rule covers, for this agent in this channel."`
		Rule     string `json:"rule,omitempty" doc:"With always: one of the question's rules; left out: the first."`
		Message  string `json:"message,omitempty" doc:"With deny: the reason, which the agent reads."`
	}
}

func (s *server) registerPermissions(operations huma.API) {
	tags := []string{"permissions"}
	register(s, operations, huma.Operation{
		OperationID: "list-permissions", Method: http.MethodGet, Path: "/api/permissions", Summary: "List what agents asked to be allowed", Tags: tags,
	}, s.listPermissions)
	register(s, operations, huma.Operation{
		OperationID: "get-permission", Method: http.MethodGet, Path: "/api/permissions/{id}", Summary: "Read a question", Tags: tags,
	}, func(ctx context.Context, in *permissionInput) (*permissionOutput, error) {
		p, err := s.Store.Permission(ctx, in.ID)
		return &permissionOutput{toPermission(p)}, err
	})
	register(s, operations, huma.Operation{
		OperationID: "answer-permission", Method: http.MethodPost, Path: "/api/permissions/{id}", Summary: "Answer a question", Tags: tags,
		Description: "Each is answered once; the first answer counts.",
	}, func(ctx context.Context, in *answerInput) (*permissionOutput, error) {
		p, err := s.Runs.AnswerPermission(ctx, in.ID, run.Answer{
			Decision: run.Decision(in.Body.Decision), Rule: in.Body.Rule, Message: in.Body.Message,
		})
		return &permissionOutput{toPermission(p)}, err
	})
}

func (s *server) listPermissions(ctx context.Context, in *listPermissionsInput) (*permissionsOutput, error) {
	if in.Channel != "" {
		if _, err := s.Store.Channel(ctx, in.Channel); err != nil {
			return nil, err
		}
	}
	all, err := s.Store.Permissions(ctx, in.Channel, in.Open, in.Limit)
	out := &permissionsOutput{}
	out.Body.Permissions = each(all, toPermission)
	return out, err
}
