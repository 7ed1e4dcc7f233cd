package cli

import (
	"context"

	"github.com/spf13/cobra"

	"hearth/backend/api"
	"hearth/backend/plain"
)

// rosterAnswer is who is in a channel.
type rosterAnswer struct {
	People []api.Person `json:"people"`
	Agents []api.Agent  `json:"agents"`
}

func (a *app) rosterCommand() *cobra.Command {
	var agent string
	cmd := &cobra.Command{
		Use:   "roster CHANNEL",
		Short: "See who is in a channel, and what its agents are doing; with --agent, one of them closely",
		Long: `See who is in a channel, and what its agents are doing.
With --agent, look at one closely: its process and memory, its session and what Start fresh would forget, what waits for it, its
last turns and how their processes ended, and its tools, with how often each was called. --json has all of it, with the
descriptions of tools and the schemas of their arguments.`,
		Example: `  hearth roster general
  hearth roster general --agent claude`,
		Args: takes(1, 1, "a CHANNEL"),
		RunE: a.with(func(ctx context.Context, c *client, args []string) error {
			channel, err := c.channel(ctx, args[0])
			if err != nil {
				return err
			}
			if agent != "" {
				return a.agent(ctx, c, channel, agent)
			}
			var got rosterAnswer
			raw, err := c.get(ctx, at("/api/channels/%s/roster", channel.ID), &got)
			if err != nil {
				return err
			}
			return a.result(raw, func() { a.showRoster(got.People, got.Agents) })
		}),
	}
	cmd.Flags().StringVar(&agent, "agent", "", "look at the agent with this `HANDLE` closely")
	return cmd
}

func (a *app) showRoster(people []api.Person, agents []api.Agent) {
	var rows [][]string
	for _, p := range people {
		name := p.Handle
		if p.Owner {
			name = "you"
		}
		rows = append(rows, []string{named(name), a.when(p.JoinedAt)})
	}
	a.table([]string{"PERSON", "HERE SINCE"}, rows)
	if len(agents) == 0 {
		return
	}
	a.say("")
	rows = nil
	for _, one := range agents {
		s := one.State
		doing := s.Phase
		if s.Asking > 0 {
			doing += ", asks you (see hearth permissions)"
		}
		if !s.Reachable {
			doing += ", its client is missing (hearth doctor)"
		}
		if s.RunID != "" {
			doing += ", run " + s.RunID
		}
		if s.Background > 0 {
			doing += ", " + plain.Count(s.Background, "background task", "background tasks")
		}
		if s.Restorable != "" {
			doing += ", has a saved session"
		}
		if s.Error != "" {
			doing += ": " + s.Error
		}
		model := one.Binding.Model
		if s.Model != "" {
			model = s.Model
		}
		rows = append(rows, []string{named("@" + one.Binding.Handle), one.Binding.Runtime, named(dash(model)), plain.Grouped(s.Queued), doing})
	}
	a.table([]string{"AGENT", "RUNTIME", "MODEL", "QUEUED", "NOW"}, rows)
}
