package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"hearth/backend/api"
)

func (a *app) commandsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "commands CHANNEL AGENT",
		Short: "List the commands of an agent's client, such as /context",
		Long: `List the commands of an agent's client, such as /context and /compact.
A message of yours that is nothing but the agent's mention and such a command goes to the client as it is, and nothing else
with it. The client names its commands when it starts.`,
		Example: `  hearth commands general claude
  hearth post general "@claude /context" --wait`,
		Args: takes(2, 2, "a CHANNEL and an AGENT"),
		RunE: a.with(func(ctx context.Context, c *client, args []string) error {
			channel, err := c.channel(ctx, args[0])
			if err != nil {
				return err
			}
			b, err := c.binding(ctx, channel, args[1])
			if err != nil {
				return err
			}
			var got api.Commands
			raw, err := c.get(ctx, at("/api/bindings/%s/commands", b.ID), &got)
			if err != nil {
				return err
			}
			return a.result(raw, func() { a.showCommands(b.Handle, got) })
		}),
	}
}

func (a *app) showCommands(handle string, got api.Commands) {
	if len(got.Commands) == 0 {
		a.say("%s", got.Reason)
		return
	}
	rows := make([][]string, len(got.Commands))
	for i, c := range got.Commands {
		what := c.Description
		if c.StartsFresh {
			what = "Starts the agent fresh; it is not sent."
		}
		rows[i] = []string{"/" + c.Name, strings.Join(c.Aliases, ", "), c.Hint, what}
	}
	a.table([]string{"COMMAND", "OTHER NAMES", "THEN", "WHAT IT DOES"}, rows)
	if got.Known == "before" {
		a.say("As the client of @%s said at its last start, %s.", handle, a.when(got.At))
	}
}
