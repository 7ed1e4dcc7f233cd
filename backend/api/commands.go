package api

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"hearth/backend/chat"
)

// Command is something an agent's client does by itself.
type Command struct {
	Name        string   `json:"name" doc:"Without the slash."`
	Aliases     []string `json:"aliases" doc:"Other names of it."`
	Hint        string   `json:"hint" doc:"What may follow the name; empty: nothing, or not said."`
	Description string   `json:"description" doc:"In the client's words, on one line, shortened."`
	Builtin     bool     `json:"builtin" doc:"The client says that it is its own. Older clients do not say."`
	StartsFresh bool     `json:"starts_fresh" doc:"It is not sent: the agent is started fresh instead."`
}

// Commands are those of an agent's client.
type Commands struct {
	Known    string    `json:"known" enum:"now,before,no" doc:"now: the living client says so. before: the client of the last process said so. no: none has said it yet."`
	At       time.Time `json:"at,omitzero" doc:"When the client said so; left out: never."`
	Reason   string    `json:"reason" doc:"Why the list is empty, for people; empty: it is not."`
	Commands []Command `json:"commands" doc:"In the client's order, at most 500."`
}

type commandsOutput struct{ Body Commands }

func (s *server) registerCommands(operations huma.API) {
	register(s, operations, huma.Operation{
		OperationID: "list-commands", Method: http.MethodGet, Path: "/api/bindings/{id}/commands", Summary: "List the commands of an agent's client", Tags: []string{"bindings"},
		Description: "A message of the owner's that addresses this agent alone and is nothing but a slash, such a name and what follows is sent to the client as a command, and nothing else with it.",
	}, s.listCommands)
}

func (s *server) listCommands(ctx context.Context, in *bindingInput) (*commandsOutput, error) {
	b, err := s.Store.Binding(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	look, err := s.Presence.Commands(ctx, b)
	if err != nil {
		return nil, err
	}
	out := &commandsOutput{Body: Commands{Known: "before", At: utc(look.At), Commands: each(look.Commands, toCommand)}}
	switch {
	case look.Now:
		out.Body.Known = "now"
	case look.At.IsZero():
		out.Body.Known = "no"
		out.Body.Reason = fmt.Sprintf("@%s has not been started yet; its client says which commands it has when it starts. Warm the agent, or ask it something.", b.Handle)
		return out, nil
	}
	if len(look.Commands) == 0 {
		out.Body.Reason = fmt.Sprintf("The client of @%s names no commands.", b.Handle)
	}
	return out, nil
}

func toCommand(c chat.Command) Command {
	return Command{
		Name: c.Name, Aliases: listed(c.Aliases), Hint: c.Hint, Description: c.Description, Builtin: c.Builtin,
		StartsFresh: c.Name == chat.CommandClear,
	}
}
