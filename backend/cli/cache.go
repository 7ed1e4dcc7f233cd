package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hearth/backend/api"
	"hearth/backend/ledger"
	"hearth/backend/plain"
)

// cached is what the API says of a channel's cache.
type cached struct {
	Spending  api.Spending        `json:"spending"`
	Turns     []api.CacheTurn     `json:"turns"`
	More      bool                `json:"more"`
	Totals    api.CacheTotals     `json:"totals"`
	Forecasts []api.CacheForecast `json:"forecasts"`
}

func (a *app) cacheCommand() *cobra.Command {
	var f benchFlags
	var before, agent string
	var limit, days int
	cmd := &cobra.Command{
		Use:   "cache [CHANNEL]",
		Short: "Show what turns used and cost, cache breaks and their causes, and what the next turn will cost",
		Long: `Show what a channel's turns used and cost, newest first; the cache breaks among them, with their causes and what they were
judged by; the sums of the last days by day, model and agent; and what is to be expected of each agent. CHANNEL may be left out
when there is only one.

` + usageColumns + `
RATIO is the share of what the agent's own requests sent that was read from the cache. SUBAGENTS is how much of these tokens its
own requests did not use. FIRST TOKEN is how long its first request waited for the answer to begin.
` + breakColumn + `
What is to be expected is estimated.`,
		Example: `  hearth cache general
  hearth cache general --agent claude --days 7 --json`,
		Args: takes(0, 1, "a CHANNEL"),
		PreRunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			if f.channel != "" && f.channel != args[0] {
				return usagef("Give the channel once: %q, or --channel %q.", args[0], f.channel)
			}
			f.channel = args[0]
			return nil
		},
		RunE: a.inChannel(&f, func(ctx context.Context, c *client, channel api.Channel, _ []string) error {
			if err := page(limit); err != nil {
				return err
			}
			if days < 1 || days > 366 {
				return usagef("--days is a number from 1 to 366, not %d.", days)
			}
			query, err := c.runsQuery(ctx, channel, limit, before, agent)
			if err != nil {
				return err
			}
			query.Set("days", strconv.Itoa(days))
			var got cached
			raw, err := c.get(ctx, at("/api/channels/%s/cache", channel.ID)+"?"+query.Encode(), &got)
			if err != nil || a.json {
				return orPrint(a, raw, err)
			}
			a.showSpending(channel.Name, got.Spending, got.Totals.Days[len(got.Totals.Days)-1].CacheSum)
			a.showCacheTurns(got)
			if before == "" {
				a.showTotals(got.Totals)
				a.showForecasts(got.Forecasts)
			}
			return nil
		}),
	}
	f.register(cmd)
	cmd.Flags().StringVar(&before, "before", "", "only turns before the one of the run with this `ID`; without sums and estimates")
	cmd.Flags().StringVar(&agent, "agent", "", "only turns and estimates of the agent with this `HANDLE`")
	cmd.Flags().IntVar(&limit, "limit", 20, "how many turns, 1 to 200")
	cmd.Flags().IntVar(&days, "days", 30, "how many days the sums are of, today included, 1 to 366")
	return cmd
}

// usageColumns says what the columns of a turn's figures are, the same in each table.
const usageColumns = `INPUT is what was neither read from nor written to the cache, READ and WRITTEN are the cache's, OUTPUT is what was answered: all
of the turn's, its subagents' too. COST is in dollars, and - where it is not known; a sum of which a part
is not known says "at least". All are Claude Code's own figures.`

// breakColumn says what the column of the cache breaks is.
const breakColumn = `BREAK is why the cache was read less than it could have been, and where another process answered, how the one before had ended;
an alarm has a !, the others were to be expected.`

// whole is all that some turns used.
func whole(s api.CacheSum) api.Tokens {
	t := s.Main
	for _, more := range []api.Tokens{s.Subagents, s.Beside} {
		t.InputTokens += more.InputTokens
		t.CacheReadTokens += more.CacheReadTokens
		t.CacheWrite5mTokens += more.CacheWrite5mTokens
		t.CacheWrite1hTokens += more.CacheWrite1hTokens
		t.OutputTokens += more.OutputTokens
	}
	return t
}

// figures are the cells under INPUT, READ, WRITTEN and OUTPUT.
func figures(t api.Tokens) []string {
	return []string{plain.Grouped(t.InputTokens), plain.Grouped(t.CacheReadTokens), plain.Grouped(written(t)), plain.Grouped(t.OutputTokens)}
}

// beside is how many tokens the agents' own requests did not use, the cell under
// SUBAGENTS.
func beside(s api.CacheSum) string {
	return plain.Grouped(sent(s.Subagents) + s.Subagents.OutputTokens + sent(s.Beside) + s.Beside.OutputTokens)
}

// broken is the cell under BREAK.
func broken(b *api.CacheBreak) string {
	if b == nil {
		return "-"
	}
	text := b.Cause
	if end := b.Evidence.ProcessEnd; end != nil && b.Cause == string(ledger.NewProcess) {
		text += " (" + end.How + ")"
	}
	if !b.Quiet {
		text += " !"
	}
	return text
}

// sent is what was read and written, and what neither was.
func sent(t api.Tokens) int64 { return t.InputTokens + t.CacheReadTokens + written(t) }

func written(t api.Tokens) int64 { return t.CacheWrite5mTokens + t.CacheWrite1hTokens }

func (a *app) showCacheTurns(got cached) {
	if len(got.Turns) == 0 {
		a.say("No agent has had a turn here.")
		return
	}
	rows := make([][]string, len(got.Turns))
	for i, t := range got.Turns {
		ttft := ""
		if t.TTFTMS > 0 {
			ttft = took(time.Duration(t.TTFTMS) * time.Millisecond)
		}
		rows[i] = slices.Concat(
			[]string{t.RunID, named("@" + t.Handle), dash(t.Temperature), a.when(t.EndedAt)}, figures(whole(t.CacheSum)),
			[]string{share(t.ReadRatio), beside(t.CacheSum), tokens(t.ContextTokens), dash(ttft), money(t.CostUSD), broken(t.Break)},
		)
	}
	a.table([]string{"RUN", "AGENT", "TEMPERATURE", "ENDED AT", "INPUT", "READ", "WRITTEN", "OUTPUT", "RATIO", "SUBAGENTS", "CONTEXT", "FIRST TOKEN", "COST", "BREAK"}, rows)
	if got.More {
		a.say("(there are more: add --before %s)", got.Turns[len(got.Turns)-1].RunID)
	}
	a.showBreaks(got.Turns)
}

func (a *app) showBreaks(turns []api.CacheTurn) {
	head := false
	for _, t := range turns {
		if t.Break == nil {
			continue
		}
		if !head {
			a.say("\nCache breaks:")
			head = true
		}
		a.say("  %s  @%s  %s", t.RunID, t.Handle, missed(t.Break))
		a.say("      %s", t.Break.Sentence)
		a.say("      %s", evidence(t.Break.Evidence))
		if end := t.Break.Evidence.ProcessEnd; end != nil {
			a.say("      The process before: %s", a.endOf(end))
		}
	}
}

// endOf is how a process ended, in a line.
func (a *app) endOf(e *api.ProcessEnd) string {
	said := strings.TrimSuffix(e.How+": "+plain.Inline(e.Reason), ": ")
	if !e.At.IsZero() {
		said += " (" + a.when(e.At) + ")"
	}
	return said
}

// missed is what a break came to, in a few words.
func missed(b *api.CacheBreak) string {
	return strings.ReplaceAll(b.Cause, "_", " ") + ", " + plain.Count(int(b.MissedTokens), "token", "tokens") + " missed"
}

// evidence is what a break was judged by, in a line.
func evidence(e api.CacheEvidence) string {
	said := fmt.Sprintf("The turn before had left %s; this one read %s of the %s it sent.", plain.Grouped(e.LeftTokens), plain.Grouped(e.ReadTokens), plain.Grouped(e.SentTokens))
	if e.IdleMS != nil {
		said += fmt.Sprintf(" The cache was left alone for %s and keeps things for %s.",
			took(time.Duration(*e.IdleMS)*time.Millisecond), took(time.Duration(e.LifeMS)*time.Millisecond))
	}
	differs := e.Differs + " differs"
	if strings.HasSuffix(e.Differs, "s") {
		differs = e.Differs + " differ"
	}
	switch {
	case e.Differs != "" && e.WasBytes+e.IsBytes > 0:
		said += fmt.Sprintf(" The %s: %s (%s) was %s (%s).", differs, e.Is, plain.Count(int(e.IsBytes), "byte", "bytes"), e.Was, plain.Count(int(e.WasBytes), "byte", "bytes"))
	case e.Differs != "" && e.Was != "":
		said += fmt.Sprintf(" The %s: %s was %s.", differs, e.Is, e.Was)
	case e.Differs != "":
		said += " By the API's word, the " + differs + "."
	}
	if e.APISaid != "" {
		said += " The API says: " + e.APISaid
		if e.APITokens > 0 {
			said += ", about " + plain.Count(int(e.APITokens), "token", "tokens")
		}
		said += "."
	}
	return said
}

func (a *app) showTotals(t api.CacheTotals) {
	a.say("\nFrom %s to %s:", t.From, t.To)
	head := []string{"", "TURNS", "INPUT", "READ", "WRITTEN", "OUTPUT", "RATIO", "SUBAGENTS", "COST"}
	var rows [][]string
	line := func(name string, s api.CacheSum) {
		rows = append(rows, slices.Concat(
			[]string{named(name), plain.Grouped(s.Turns)}, figures(whole(s)), []string{share(s.ReadRatio), beside(s), moneyOf(s.CostUSD, s.UnpricedTurns)},
		))
	}
	for _, d := range t.Days {
		if d.Turns > 0 {
			line(d.Day, d.CacheSum)
		}
	}
	for _, one := range t.Agents {
		name := "@" + one.Handle
		if one.Removed {
			name += " (removed)"
		}
		line(name, one.CacheSum)
	}
	line("all", t.All)
	a.table(head, rows)
	a.showSaved(t.Saved)
	if len(t.Models) == 0 {
		return
	}
	rows = nil
	for _, m := range t.Models {
		name := m.Model
		if name == "" {
			name = "(not said)"
		}
		rows = append(rows, slices.Concat([]string{name, plain.Grouped(m.Turns)}, figures(m.Tokens), []string{moneyOf(m.CostUSD, m.UnpricedTurns)}))
	}
	a.table([]string{"MODEL", "TURNS", "INPUT", "READ", "WRITTEN", "OUTPUT", "COST"}, rows)
}

// showSaved says what was kept out of the agents' contexts.
func (a *app) showSaved(all []api.CacheSaved) {
	var said []string
	for _, v := range all {
		one := v.Kind + " " + plain.Count(v.Times, "time", "times")
		if v.Tokens > 0 {
			one += ", about " + plain.Count(int(v.Tokens), "token", "tokens")
		}
		if v.Faults > 0 {
			one += ", failed " + plain.Count(v.Faults, "time", "times")
		}
		said = append(said, one)
	}
	if len(said) > 0 {
		a.say("Kept out of contexts: %s.", strings.Join(said, "; "))
	}
}

func (a *app) showForecasts(all []api.CacheForecast) {
	if len(all) == 0 {
		return
	}
	a.say("\nWhat comes next, estimated:")
	for _, f := range all {
		holds := "How much its conversation holds is not known"
		if f.ContextTokens > 0 {
			holds = "It holds " + plain.Count(int(f.ContextTokens), "token", "tokens")
			if f.WindowTokens > 0 {
				holds += " of " + plain.Grouped(f.WindowTokens)
			}
		}
		if f.Trend != nil {
			holds += fmt.Sprintf(", and grows by about %s a turn", plain.Grouped(int64(f.Trend.TokensPerTurn)))
		}
		switch {
		case f.TurnsLeft == nil:
		case *f.TurnsLeft == 0:
			holds += fmt.Sprintf("; it has come to %s, where it is to be handed off", plain.Grouped(f.LineTokens))
		default:
			holds += fmt.Sprintf("; about %s until it is to be handed off, at %s", plain.Count(*f.TurnsLeft, "turn", "turns"), plain.Grouped(f.LineTokens))
		}
		a.say("  @%s (%s). %s.", f.Handle, f.Model, holds)
		lives := ""
		if !f.CacheLives {
			lives = " (the cache has expired by now)"
		}
		for _, one := range []struct {
			name string
			e    *api.CacheEstimate
		}{{"warm" + lives, f.Warm}, {"restored", f.Restored}, {"fresh", f.Fresh}} {
			if one.e == nil {
				continue
			}
			price := ""
			if one.e.CostUSD != nil {
				price = " about " + money(*one.e.CostUSD) + ","
			}
			t := one.e.Tokens
			a.say("      next turn %s:%s %s read, %s written, %s input, %s output", one.name, price, plain.Grouped(t.CacheReadTokens), plain.Grouped(written(t)), plain.Grouped(t.InputTokens), plain.Grouped(t.OutputTokens))
		}
		switch {
		case f.Rates == nil:
			a.say("      No prices are known for this model.")
		case f.Rates.Source == "fitted":
			a.say("      Prices: worked out from %s of Claude Code.", plain.Count(f.Rates.Points, "past figure", "past figures"))
		default:
			a.say("      Prices: public ones, as of %s.", f.Rates.AsOf)
		}
	}
}

// share writes a ratio as a percentage.
func share(ratio *float64) string {
	if ratio == nil {
		return "-"
	}
	return strconv.FormatFloat(*ratio*100, 'f', 1, 64) + "%"
}

// tokens writes a number that is not known when it is 0.
func tokens(n int64) string {
	if n == 0 {
		return "-"
	}
	return plain.Grouped(n)
}
