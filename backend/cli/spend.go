package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"hearth/backend/api"
	"hearth/backend/chat"
	"hearth/backend/run"
)

// spendLimitFlag is --spend-limit of the commands that make and change channels.
type spendLimitFlag struct{ text string }

func (f *spendLimitFlag) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.text, "spend-limit", "", "what its agents may cost a day, in `DOLLARS`, before you are asked; 0 for no limit")
}

// fill puts the limit into a request, if it was given.
func (f *spendLimitFlag) fill(cmd *cobra.Command, body map[string]any) error {
	if !cmd.Flags().Changed("spend-limit") {
		return nil
	}
	limit, err := chat.ParseDollars(strings.TrimPrefix(f.text, "$"))
	if err != nil || !chat.IsSpendLimit(limit) {
		return usagef("--spend-limit is a number of dollars, like 5 or 2.50, from %.2f to %d, and 0 for no limit; not %q.", chat.MinSpendLimit, int(chat.MaxSpendLimit), f.text)
	}
	body["spend_limit_usd"] = limit
	return nil
}

// showSpending says how a channel stands to its spending limit, given what its turns of the day used.
func (a *app) showSpending(channel string, s api.Spending, today api.CacheSum) {
	cost := "has cost nothing"
	switch {
	case s.SpentUSD != 0:
		cost = "has cost " + moneyOf(s.SpentUSD, today.UnpricedTurns)
	case today.UnpricedTurns > 0:
		cost = "has no known cost"
	}
	if s.LimitUSD <= 0 {
		a.say("#%s %s today. It has no spending limit; `hearth channels edit %q --spend-limit DOLLARS` sets one.", channel, cost, channel)
		return
	}
	more := "."
	switch s.State {
	case "warned":
		more = ": 80 % of it or more is spent."
	case "asks":
		more = ": it is reached, and you are asked before each turn (`hearth permissions`)."
	}
	a.say("#%s %s today. Its limit is %s a day%s", channel, cost, money(s.LimitUSD), more)
}

// spends says whether a question is Hearth's own, about the spending limit.
func spends(p api.Permission) bool { return p.Tool == run.ToolSpend }

// showSpendQuestion is showPermission for such a question.
func (a *app) showSpendQuestion(p api.Permission, channel, agent string) {
	a.say("%s  %s in %s waits: the spending limit of the day is reached  (%s)", p.ID, agent, dash(channel), a.when(p.AskedAt))
	indented(a.stdout, p.Reason, "    ")
	if p.State != "open" {
		a.say("    %s %s %s", p.State, p.Rule, p.Message)
		return
	}
	a.say("    hearth allow %s   hearth allow %s --always (%s)   hearth deny %s", p.ID, p.ID, run.SpendToday, p.ID)
}

// spendQuestion is what is said of it to whoever waits for an answer.
func spendQuestion(p api.Permission, agent string) string {
	return fmt.Sprintf("%s waits. %s\nAnswer in another terminal: `hearth allow %s`, with --always for all of today, or `hearth deny %s`.",
		agent, p.Reason, p.ID, p.ID)
}

// spendAnswered says what an answer to it means.
func (a *app) spendAnswered(p api.Permission) {
	switch p.State {
	case "always":
		a.say("Allowed for today: nobody is asked again in this channel before tomorrow.")
	case "allowed":
		a.say("Allowed, this once.")
	default:
		a.say("Denied: the message is not answered. `hearth retry %s` asks again.", p.RunID)
	}
}
