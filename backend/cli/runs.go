package cli

import (
	"context"
	"net/url"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"hearth/backend/api"
	"hearth/backend/ledger"
)

func (a *app) runsCommand() *cobra.Command {
	var before, agent string
	var limit int
	cmd := &cobra.Command{
		Use:   "runs CHANNEL",
		Short: "List the runs of a channel: temperature, tokens and cost of each turn",
		Long: `List the runs of a channel, newest first: their temperature (what the process remembered), and what their turns used.

` + usageColumns + `
` + breakColumn + ` ` + "`hearth run ID`" + ` says more of one, ` + "`hearth cache CHANNEL`" + ` of all.`,
		Args: takes(1, 1, "a CHANNEL"),
		RunE: a.with(func(ctx context.Context, c *client, args []string) error {
			if err := page(limit); err != nil {
				return err
			}
			channel, err := c.channel(ctx, args[0])
			if err != nil {
				return err
			}
			query, err := c.runsQuery(ctx, channel, limit, before, agent)
			if err != nil {
				return err
			}
			var got struct {
				Runs []api.Run `json:"runs"`
				More bool      `json:"more"`
			}
			raw, err := c.get(ctx, at("/api/channels/%s/runs", channel.ID)+"?"+query.Encode(), &got)
			if err != nil || a.json {
				return orPrint(a, raw, err)
			}
			handles, err := c.handles(ctx, channel.ID)
			if err != nil {
				return err
			}
			a.showRuns(got.Runs, handles)
			if got.More {
				a.say("(there are more: add --before %s)", got.Runs[len(got.Runs)-1].ID)
			}
			return nil
		}),
	}
	cmd.Flags().StringVar(&before, "before", "", "only runs before the one with this `ID`")
	cmd.Flags().StringVar(&agent, "agent", "", "only runs of the agent with this `HANDLE`")
	cmd.Flags().IntVar(&limit, "limit", 30, "how many runs, 1 to 200")
	return cmd
}

func orPrint(a *app, raw []byte, err error) error {
	if err != nil {
		return err
	}
	return a.printJSON(raw)
}

func (a *app) showRuns(runs []api.Run, handles map[string]string) {
	if len(runs) == 0 {
		a.say("No runs.")
		return
	}
	rows := make([][]string, len(runs))
	for i, r := range runs {
		u := r.Usage
		used := api.Tokens{
			InputTokens: u.InputTokens, CacheReadTokens: u.CacheReadTokens, CacheWrite5mTokens: u.CacheWrite5mTokens,
			CacheWrite1hTokens: u.CacheWrite1hTokens, OutputTokens: u.OutputTokens,
		}
		rows[i] = slices.Concat(
			[]string{r.ID, named(agentName(handles, r.BindingID)), r.Cause, r.State, dash(r.Temperature), a.when(r.QueuedAt), a.ran(r)},
			figures(used), []string{money(u.CostUSD), broken(r.Break)},
		)
	}
	a.table([]string{"RUN", "AGENT", "CAUSE", "STATE", "TEMPERATURE", "QUEUED AT", "TOOK", "INPUT", "READ", "WRITTEN", "OUTPUT", "COST", "BREAK"}, rows)
}

// ran is how long a run has been going, or went.
func (a *app) ran(r api.Run) string {
	switch {
	case r.StartedAt.IsZero():
		return "-"
	case r.EndedAt.IsZero():
		return took(a.now().Sub(r.StartedAt))
	}
	return took(r.EndedAt.Sub(r.StartedAt))
}

// money is what something cost; the client says of nothing that it cost nothing, so
// 0 is not known.
func money(usd float64) string {
	if usd == 0 {
		return "-"
	}
	return ledger.Dollars(usd).String()
}

// moneyOf is what turns cost together, of which that of some is not known.
func moneyOf(usd float64, unpriced int) string {
	if usd != 0 && unpriced > 0 {
		return "at least " + money(usd)
	}
	return money(usd)
}

func (a *app) stopCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "stop RUN",
		Short: "Stop a run, or take it out of its queue; the session lives on",
		Args:  takes(1, 1, "the ID of a run"),
		RunE: a.with(func(ctx context.Context, c *client, args []string) error {
			var r api.Run
			raw, err := c.post(ctx, at("/api/runs/%s/stop", args[0]), nil, &r)
			if err != nil {
				return err
			}
			return a.result(raw, func() { a.say("%s: %s.", r.ID, r.State) })
		}),
	}
}

func (a *app) retryCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "retry RUN",
		Short: "Ask again what a failed or stopped run was asked",
		Args:  takes(1, 1, "the ID of a run"),
		RunE: a.with(func(ctx context.Context, c *client, args []string) error {
			var r api.Run
			raw, err := c.post(ctx, at("/api/runs/%s/retry", args[0]), nil, &r)
			if err != nil {
				return err
			}
			return a.result(raw, func() {
				a.say("Asked again as run %s.", r.ID)
				if c.offline() {
					a.say("No Hearth runs: it will be answered at the next start (hearth serve).")
				}
			})
		}),
	}
}

// runsQuery asks for a page of a channel's runs: those before a run, of an agent.
func (c *client) runsQuery(ctx context.Context, channel api.Channel, limit int, before, agent string) (url.Values, error) {
	query := url.Values{"limit": {strconv.Itoa(limit)}}
	if before != "" {
		query.Set("before", before)
	}
	if agent != "" {
		b, err := c.binding(ctx, channel, agent)
		if err != nil {
			return nil, err
		}
		query.Set("binding", b.ID)
	}
	return query, nil
}
