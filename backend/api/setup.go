package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
)

// ClaudeSetup is how Claude Code is on this machine, on the wire.
type ClaudeSetup struct {
	Found    bool   `json:"found"`
	Path     string `json:"path" doc:"Empty: not found."`
	Version  string `json:"version" doc:"Such as 2.1.332; empty: not found."`
	SignedIn string `json:"signed_in" enum:"yes,no,unknown" doc:"Whether it has an account or a key of its own. Agents with a base URL and a token need neither. unknown: it does not say."`
	SignedBy string `json:"signed_in_by" doc:"How, where it is signed in: claude.ai (a subscription), api_key and such, as Claude Code says it, or the name of the environment variable that does it; empty: not known."`
	Command  string `json:"command" doc:"What gets it or signs it in, to be typed into a terminal; empty: nothing has to be done, or no command does it."`
	Problem  string `json:"problem" doc:"What is wrong, a sentence for people; empty: nothing."`
	How      string `json:"how" doc:"What to do about it, a sentence for people; empty: nothing."`
}

type setupOutput struct {
	Body struct {
		Claude           ClaudeSetup `json:"claude"`
		DefaultWorkspace string      `json:"default_workspace" doc:"The folder of channels that are made without one."`
		FirstChannelID   string      `json:"first_channel_id" doc:"The channel that the first start made; empty: it was deleted or is archived, or there was none."`
	}
}

func (s *server) registerSetup(operations huma.API) {
	register(s, operations, huma.Operation{
		OperationID: "get-setup", Method: http.MethodGet, Path: "/api/setup", Summary: "See what agents need that Hearth does not bring", Tags: []string{"setup"},
		Description: "Quick: what it found is kept for some seconds, and a look that takes long goes on while this answers what is known.",
	}, s.setup)
}

func (s *server) setup(ctx context.Context, _ *struct{}) (*setupOutput, error) {
	first, err := s.Setup.FirstChannel(ctx)
	if err != nil {
		return nil, err
	}
	c := s.Setup.Claude(ctx)
	out := &setupOutput{}
	out.Body.Claude = ClaudeSetup{Found: c.Found, Path: c.Path, Version: c.Version, SignedIn: string(c.SignedIn), SignedBy: c.SignedBy, Command: c.Command, Problem: c.Problem, How: c.How}
	out.Body.DefaultWorkspace, out.Body.FirstChannelID = s.DefaultWorkspace, first
	return out, nil
}
