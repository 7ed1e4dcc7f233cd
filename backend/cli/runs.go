package cli

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"hearth/backend/api"
)

func (a *app) runsCommand() *cobra.Command {
	var before string
	var limit int
	cmd := &cobra.Command{
		Use:   "runs CHANNEL",
		Short: "List the runs of a channel: temperature, tokens and cost of each turn",
		Long: `List the runs of a channel, newest first: the temperature of the lease, and what the turn used, as the client reports it.
INPUT is what was neither read from nor written to the cache, READ and WRITTEN are the cache's.`,
		Args: takes(1, 1, "a CHANNEL"),
		RunE: a.with(func(ctx context.Context, c *client, args []string) error {
			if err := page(limit); err != nil {
				return err
			}
			channel, err := c.channel(ctx, args[0])
			if err != nil {
				return err
			}
			query := url.Values{"limit": {strconv.Itoa(limit)}}
			if before != "" {
				query.Set("before", before)
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
		a.say("No agent was asked anything here.")
		return
	}
	rows := make([][]string, len(runs))
	for i, r := range runs {
		u := r.Usage
		rows[i] = []string{
			r.ID, agentName(handles, r.BindingID), r.Cause, r.State, dash(r.Temperature), a.when(r.QueuedAt), a.ran(r),
			number(u.InputTokens), number(u.CacheReadTokens), number(u.CacheWrite5mTokens + u.CacheWrite1hTokens), number(u.OutputTokens), money(u.CostUSD),
		}
	}
	a.table([]string{"RUN", "AGENT", "CAUSE", "STATE", "LEASE", "QUEUED AT", "TOOK", "INPUT", "READ", "WRITTEN", "OUTPUT", "COST"}, rows)
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

func money(usd float64) string {
	if usd == 0 {
		return "-"
	}
	return fmt.Sprintf("$%.4f", usd)
}

// runDetail is what the API says about one run.
type runDetail struct {
	Run      api.Run    `json:"run"`
	Sent     *api.Sent  `json:"sent"`
	Steps    []api.Step `json:"steps"`
	LiveText string     `json:"live_text"`
}

func (a *app) runCommand() *cobra.Command {
	var sent bool
	cmd := &cobra.Command{
		Use:   "run ID",
		Short: "See one run: what was sent and why, what happened, what it used",
		Args:  takes(1, 1, "the ID of a run"),
		RunE: a.with(func(ctx context.Context, c *client, args []string) error {
			var got runDetail
			raw, err := c.get(ctx, at("/api/runs/%s", args[0]), &got)
			if err != nil || a.json {
				return orPrint(a, raw, err)
			}
			handles, err := c.handles(ctx, got.Run.ChannelID)
			if err != nil {
				return err
			}
			if sent {
				a.showTexts(got)
				return nil
			}
			a.showRun(got, agentName(handles, got.Run.BindingID))
			return nil
		}),
	}
	cmd.Flags().BoolVar(&sent, "sent", false, "print what was sent, word for word")
	return cmd
}

// showTexts prints what was sent. Its lines are as they were sent but for what
// can't be seen.
func (a *app) showTexts(d runDetail) {
	if d.Sent == nil {
		a.say("Nothing was sent.")
		return
	}
	for _, b := range d.Sent.Blocks {
		a.say("=== %s: %s characters, %s tokens ===", b.Kind, number(int64(b.Characters)), number(int64(b.Tokens)))
		indented(a.stdout, b.Text, "  ")
	}
}

func (a *app) showRun(d runDetail, agent string) {
	r := d.Run
	a.say("%s  %s  %s, %s", r.ID, agent, r.Cause, r.State)
	for _, line := range [][2]string{
		{"row", dash(r.RowID)}, {"thread", r.ThreadRootID}, {"retry of", r.RetryOf}, {"lease", r.Temperature}, {"session", r.Native},
		{"queued", a.when(r.QueuedAt)}, {"began", a.when(r.StartedAt)}, {"took", a.ran(r)}, {"reply", r.ReplyID},
	} {
		if line[1] != "" && line[1] != "-" {
			a.say("  %-9s %s", line[0], line[1])
		}
	}
	if f := r.Failure; f != nil {
		a.say("  %-9s %s", "failed", f.Code)
		indented(a.stdout, f.Message, "            ")
		if f.Held {
			a.say("            The session holds the message all the same: what it told counts as told.")
		}
	}
	a.showUsage(r.Usage)
	a.showSent(d.Sent)
	a.showSteps(d.Steps)
	if d.LiveText != "" {
		a.say("\nSo far:")
		indented(a.stdout, d.LiveText, "  ")
	}
}

func (a *app) showUsage(u api.Usage) {
	if len(u.Calls) == 0 && u.OutputTokens == 0 && u.InputTokens == 0 && u.CacheReadTokens == 0 {
		return
	}
	a.say("\nUsed, as the client reports it:")
	rows := make([][]string, 0, len(u.Calls)+1)
	for _, call := range u.Calls {
		who := "main"
		if !call.Main {
			who = "subagent"
		}
		rows = append(rows, []string{"  " + who, dash(call.Model), number(call.InputTokens), number(call.CacheReadTokens), number(call.CacheWrite5mTokens), number(call.CacheWrite1hTokens), number(call.OutputTokens), ""})
	}
	rows = append(rows, []string{"  together", "", number(u.InputTokens), number(u.CacheReadTokens), number(u.CacheWrite5mTokens), number(u.CacheWrite1hTokens), number(u.OutputTokens), money(u.CostUSD)})
	a.table([]string{"  CALL", "MODEL", "INPUT", "READ", "WRITTEN 5M", "WRITTEN 1H", "OUTPUT", "COST"}, rows)
}

func (a *app) showSent(sent *api.Sent) {
	if sent == nil {
		return
	}
	a.say("\nSent (--sent prints the words):")
	rows := make([][]string, len(sent.Blocks))
	for i, b := range sent.Blocks {
		rows[i] = []string{"  " + b.Kind, number(int64(b.Characters)), number(int64(b.Tokens))}
	}
	a.table([]string{"  BLOCK", "CHARACTERS", "TOKENS"}, rows)
	if len(sent.Considered) > 0 {
		a.say("\nRows that were looked at:")
		rows = make([][]string, len(sent.Considered))
		for i, one := range sent.Considered {
			rows[i] = []string{"  " + one.RowID, one.Verdict}
		}
		a.table([]string{"  ROW", "VERDICT"}, rows)
	}
	if o := sent.Omitted; o != nil {
		var by []string
		for handle, n := range o.By {
			if handle == "" {
				handle = "you"
			}
			by = append(by, fmt.Sprintf("%d by %s", n, handle))
		}
		slices.Sort(by)
		a.say("\nNamed and not shown: %d (%s), before %s.", o.Count, strings.Join(by, ", "), o.Before)
	}
	a.showWatermark("before", sent.Before)
	a.showWatermark("once proven", sent.Staged)
}

func (a *app) showWatermark(which string, w *api.Watermark) {
	if w == nil {
		return
	}
	a.say("\nWatermark %s: session %s, up to %s, %s besides.", which, w.Native, a.when(w.LastAt), count(len(w.IDs), "row", "rows"))
}

func (a *app) showSteps(steps []api.Step) {
	if len(steps) == 0 {
		return
	}
	a.say("\nWhat happened:")
	for _, s := range steps {
		what := s.Kind
		if s.Name != "" {
			what = s.Name
		}
		if s.Parent != "" {
			what = "(subagent) " + what
		}
		if s.Error {
			what += ", with an error"
		}
		text := s.Input
		if text == "" {
			text = s.Output
		}
		a.say("  %d. %s: %s", s.N+1, what, short(text, 120))
	}
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
