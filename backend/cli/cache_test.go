package cli

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"hearth/backend/api"
	"hearth/backend/golden"
)

// Days are those of the machine's zone; what tests compare is the same on all machines.
func init() { time.Local = time.UTC }

func TestCacheAndTheSpendingLimit(t *testing.T) {
	h := newHouse(t)
	h.ok("channels", "create", "general")
	h.ok("bindings", "add", "general", "claude", "--runtime", "standin")
	h.serve()
	h.do("cache")
	h.do("channels", "edit", "general", "--spend-limit", "much")
	h.do("channels", "edit", "general", "--spend-limit", "1e-400")
	h.do("channels", "edit", "general", "--spend-limit", "1e400")
	h.do("channels", "edit", "general", "--spend-limit", "0.009")
	h.do("channels", "edit", "general", "--spend-limit", "$0.02")
	h.do("cache", "--limit", "201")
	h.do("cache", "--days", "0")
	h.do("cache", "--channel", "none")
	h.do("cache", "--agent", "none")
	h.ok("post", "general", "@claude one", "--wait") // 1.23 cents each
	h.ok("post", "general", "@claude two", "--wait")
	h.do("cache", "#general")
	h.do("cache", "general", "--channel", "other")
	h.do("cache", "general", "twice")
	h.do("runs", "general", "--limit", "1")
	h.do("run", "general")
	h.do("cache", "--limit", "1", "--agent", "claude", "--days", "1")
	h.do("cache", "--json", "--limit", "1", "--days", "1")

	// The limit is reached: what follows waits until somebody says so.
	wait := func(text string, answer ...string) {
		posted := h.start("post", "general", "@claude "+text, "--wait")
		asked := posted.stderr.until(t, regexp.MustCompile("`hearth allow ("+anID.String()+")`"))[1]
		h.do("permissions")
		h.do(append(answer, asked)...)
		r := posted.end()
		h.log.WriteString("It was said: " + r.stdout + r.stderr + "\n")
	}
	wait("three", "allow")
	wait("four", "deny")
	wait("five", "allow", "--always")
	h.do("post", "general", "@claude six", "--wait")
	h.do("rules", "general")
	h.do("permissions", "--all")
	h.golden("cache.txt")
}

func TestBreaksAreExplained(t *testing.T) {
	idle := int64(400_000)
	h := newHouse(t)
	var out, said strings.Builder
	a := h.app(&out, &said)
	half := 0.5
	price, zero := 0.0123, 0
	a.showCacheTurns(cached{Turns: []api.CacheTurn{
		{RunID: "r2", Handle: "claude", TTFTMS: 1234, ContextTokens: 12_345, CacheSum: api.CacheSum{
			ReadRatio: &half, CostUSD: 12.345, Main: api.Tokens{InputTokens: 1, CacheReadTokens: 10, CacheWrite5mTokens: 100, OutputTokens: 1000},
			Subagents: api.Tokens{InputTokens: 2, CacheReadTokens: 20, CacheWrite1hTokens: 200, OutputTokens: 2000},
			Beside:    api.Tokens{InputTokens: 4, CacheReadTokens: 40, CacheWrite5mTokens: 400, OutputTokens: 4000},
		}, Break: &api.CacheBreak{
			Cause: "tools_changed", Sentence: "The tools changed.", MissedTokens: 9000, Evidence: api.CacheEvidence{
				LeftTokens: 11_000, ReadTokens: 2000, SentTokens: 12_000, IdleMS: &idle, LifeMS: 3_600_000, Differs: "tools",
				Was: "aaaa", Is: "bbbb", WasBytes: 900, IsBytes: 910, APISaid: "tools_changed", APITokens: 9100,
			},
		}},
		{RunID: "r1b", Handle: "claude", Break: &api.CacheBreak{Cause: "new_process", Sentence: "Another process.", MissedTokens: 3, Evidence: api.CacheEvidence{ProcessEnd: &api.ProcessEnd{How: "crashed", Reason: "exit status 9\nand a line \x1b[2J", At: epoch}}}},
		{RunID: "r1a", Handle: "claude", Break: &api.CacheBreak{Cause: "new_process", Sentence: "Another process.", Quiet: true, MissedTokens: 3, Evidence: api.CacheEvidence{Anew: true, ProcessEnd: &api.ProcessEnd{How: "unknown"}}}},
		{RunID: "r1", Handle: "claude", Break: &api.CacheBreak{Cause: "model_changed", Sentence: "Another model.", Quiet: true, MissedTokens: 1, Evidence: api.CacheEvidence{Differs: "model", Was: "opus", Is: "sonnet"}}},
		{RunID: "r0", Handle: "claude", Break: &api.CacheBreak{Cause: "client_or_api", MissedTokens: 2, Evidence: api.CacheEvidence{Differs: "messages", APISaid: "messages_changed"}}},
	}})
	// One turn of an agent has a cost, one's is not known; of the other agent's nothing is.
	priced, some, none := api.CacheSum{Turns: 1, CostUSD: 12.345}, api.CacheSum{Turns: 2, CostUSD: 12.345, UnpricedTurns: 1}, api.CacheSum{Turns: 1, UnpricedTurns: 1}
	a.showTotals(api.CacheTotals{
		Days: []api.CacheDay{{Day: "2026-11-29", CacheSum: priced}, {Day: "2026-11-30", CacheSum: some}}, All: some,
		Agents: []api.CacheAgent{{Handle: "claude", CacheSum: priced}, {Handle: "other", CacheSum: none}},
		Models: []api.CacheModel{{Model: "opus", Turns: 2, CostUSD: 12.345, UnpricedTurns: 1}, {Model: "unheard-of", Turns: 1, UnpricedTurns: 1}},
	})
	a.showSpending("general", api.Spending{SpentUSD: 12.345, LimitUSD: 20}, some)
	a.showSpending("general", api.Spending{LimitUSD: 20}, none)
	a.showForecasts([]api.CacheForecast{
		{
			Handle: "claude", Model: "opus", ContextTokens: 12_345, WindowTokens: 200_000, LineTokens: 150_000, CacheLives: false, TurnsLeft: &zero,
			Trend: &api.CacheTrend{TokensPerTurn: 512.4}, Warm: &api.CacheEstimate{CostUSD: &price}, Fresh: &api.CacheEstimate{},
			Rates: &api.CacheRates{Source: "fitted", Points: 12},
		},
		{Handle: "other", Model: "unheard-of"},
	})
	golden.EqualFile(t, filepath.Join(packageDir, "testdata", "breaks.txt"), out.String()+said.String())
}
