package api

import (
	"math"
	"time"

	"hearth/backend/chat"
	"hearth/backend/ledger"
	"hearth/backend/run"
)

// Tokens are tokens by kind, on the wire. The kinds do not overlap, but for thinking.
type Tokens struct {
	InputTokens        int64 `json:"input_tokens" doc:"Neither read from nor written to the cache."`
	CacheReadTokens    int64 `json:"cache_read_tokens"`
	CacheWrite5mTokens int64 `json:"cache_write_5m_tokens" doc:"Written to live five minutes."`
	CacheWrite1hTokens int64 `json:"cache_write_1h_tokens" doc:"Written to live an hour."`
	OutputTokens       int64 `json:"output_tokens"`
	ThinkingTokens     int64 `json:"thinking_tokens" doc:"How much of output_tokens was thinking; 0 also where the client does not say."`
}

func toTokens(u ledger.Usage) Tokens {
	return Tokens{
		InputTokens: u.Input, CacheReadTokens: u.CacheRead, CacheWrite5mTokens: u.CacheWrite5m, CacheWrite1hTokens: u.CacheWrite1h,
		OutputTokens: u.Output, ThinkingTokens: u.Thinking,
	}
}

// CacheSum is what some turns used together. Its three parts are the whole.
type CacheSum struct {
	Turns         int      `json:"turns"`
	MainCalls     int      `json:"main_calls" doc:"Requests of the agents themselves."`
	SubagentCalls int      `json:"subagent_calls" doc:"Requests of their subagents, as far as the client shows them."`
	Main          Tokens   `json:"main" doc:"What the agents' own requests used."`
	Subagents     Tokens   `json:"subagents" doc:"What their subagents used, as far as the client shows it."`
	Beside        Tokens   `json:"beside" doc:"What the client counted and showed as no request."`
	CostUSD       float64  `json:"cost_usd" doc:"The client's own figure, without what unpriced_turns cost."`
	UnpricedTurns int      `json:"unpriced_turns" doc:"Turns that used something and whose cost is not known. With any, cost_usd is the least it can have been; 0 of it: nothing is known."`
	ReadRatio     *float64 `json:"read_ratio,omitempty" doc:"Of what the agents' own requests sent, the share that was read from the cache, 0 to 1. Left out: nothing was sent."`
}

func toSum(s ledger.Sum) CacheSum {
	return CacheSum{
		Turns: s.Turns, MainCalls: s.MainCalls, SubagentCalls: s.SubagentCalls, Main: toTokens(s.Main), Subagents: toTokens(s.Subagents),
		Beside: toTokens(s.Beside), CostUSD: s.Money.USD(), UnpricedTurns: s.Unpriced,
		ReadRatio: ratio(s.Main),
	}
}

// ratio is the share of what was sent that was read from the cache, to a
// ten-thousandth.
func ratio(u ledger.Usage) *float64 {
	sent := u.Prompt()
	if sent <= 0 {
		return nil
	}
	share := math.Round(float64(u.CacheRead)/float64(sent)*10_000) / 10_000
	return &share
}

// CacheTurn is a turn as the ledger has it.
type CacheTurn struct {
	CacheSum
	RunID         string      `json:"run_id"`
	BindingID     string      `json:"binding_id"`
	Handle        string      `json:"handle" doc:"The agent's, also when it was removed."`
	Model         string      `json:"model" doc:"Of the agent's own last request; empty: there was none."`
	Temperature   string      `json:"temperature" enum:",warm,restored,cold"`
	Native        string      `json:"native" doc:"The native session."`
	Process       string      `json:"process" doc:"Names the process; empty: not known."`
	ClientVersion string      `json:"client_version" doc:"Empty: not known."`
	BeganAt       time.Time   `json:"began_at"`
	EndedAt       time.Time   `json:"ended_at"`
	ContextTokens int64       `json:"context_tokens" doc:"What the conversation holds after the turn; 0: not known, or a summary took its place."`
	WindowTokens  int64       `json:"context_window_tokens" doc:"What it can hold, by the client; 0: not known."`
	TTFTMS        int64       `json:"ttft_ms" doc:"From the agent's own first request to the beginning of the answer; 0: not known."`
	Compactions   int         `json:"compactions" doc:"How often the client put a summary in the place of the conversation."`
	Break         *CacheBreak `json:"break,omitempty" doc:"Left out: the cache was read as far as it could be."`
}

func toCacheTurn(t *ledger.Turn, handle string, broken *ledger.Break) CacheTurn {
	out := CacheTurn{
		CacheSum: toSum(t.Sum()), RunID: t.Run, BindingID: t.Binding, Handle: handle, Temperature: t.Temperature, Native: t.Native,
		Process: t.Process, ClientVersion: t.Version, BeganAt: utc(t.Began), EndedAt: utc(t.Ended), WindowTokens: t.Window,
		Compactions: len(t.Compactions),
	}
	first := true
	for _, c := range t.Calls {
		if c.Main {
			out.Model = ledger.ModelName(c.Model)
			if first {
				out.TTFTMS, first = c.TTFT.Milliseconds(), false
			}
		}
	}
	if context, _, ok := t.Context(); ok {
		out.ContextTokens = context
	}
	out.Break = toBreak(broken)
	return out
}

// CacheBreak is a turn whose first request read less from the cache than the turn
// before had left there.
type CacheBreak struct {
	Cause        string        `json:"cause" enum:"expired,model_changed,version_changed,tools_changed,framing_changed,compaction,new_process,known_miss,client_or_api,unknown"`
	Sentence     string        `json:"sentence" doc:"What happened, for people."`
	Quiet        bool          `json:"quiet" doc:"It was to be expected, and is no alarm."`
	MissedTokens int64         `json:"missed_tokens" doc:"What was sent and could have been read."`
	BeforeRunID  string        `json:"before_run_id" doc:"The run it is compared with."`
	Evidence     CacheEvidence `json:"evidence" doc:"What it was judged by."`
}

// CacheEvidence is what a cause was judged by.
type CacheEvidence struct {
	LeftTokens  int64    `json:"left_tokens" doc:"What the last request of the turn before had read and written."`
	ReadTokens  int64    `json:"read_tokens" doc:"What this turn's first request read."`
	SentTokens  int64    `json:"sent_tokens" doc:"What it sent."`
	IdleMS      *int64   `json:"idle_ms,omitempty" doc:"How long the cache was left alone. Left out: not known."`
	LifeMS      int64    `json:"life_ms" doc:"How long it keeps what was written."`
	Differs     string   `json:"differs" enum:",model,version,tools,framing,system,messages" doc:"The first part of the request that is known to differ; empty: none is."`
	Was         string   `json:"was" doc:"The part before: a name, or a hash of ours."`
	Is          string   `json:"is" doc:"The part now."`
	WasBytes    int64    `json:"was_bytes" doc:"Its size before, where it is one of ours."`
	IsBytes     int64    `json:"is_bytes" doc:"Its size now."`
	APISaid     string   `json:"api_said" doc:"The API's own word (cache_miss_reason); empty: it said nothing."`
	APITokens   int64    `json:"api_tokens" doc:"How many tokens it names."`
	Edited      []string `json:"edited" enum:"model,role,workers,hands,handle,brief,workspace,api" doc:"Settings of the agent that a person changed between the two turns and that bring such a break about. Empty: none, or not known."`
	SameProcess bool     `json:"same_process" doc:"The same process is known to have taken both turns."`
	Anew        bool     `json:"anew" doc:"A conversation began with this turn."`
	Restored    bool     `json:"restored" doc:"The saved session was loaded into a new process for this turn: it went on with its conversation."`
	Complete    bool     `json:"complete" doc:"All that is compared was known of both turns."`

	ProcessEnd *ProcessEnd `json:"process_end,omitempty" doc:"How the process ended that took the turn before; unknown: another process took this turn, and nobody wrote down how that one ended. It stands beside the cause and is none. Left out: no process is known to have ended between the two turns."`
}

func toBreak(b *ledger.Break) *CacheBreak {
	if b == nil {
		return nil
	}
	e := b.Evidence
	out := &CacheBreak{
		Cause: string(b.Cause), Sentence: b.Sentence(), Quiet: b.Quiet, MissedTokens: b.Missed, BeforeRunID: b.Before,
		Evidence: CacheEvidence{
			LeftTokens: e.Left, ReadTokens: e.Read, SentTokens: e.Sent, LifeMS: e.Life.Milliseconds(), Differs: e.Differs, Was: e.Was,
			Is: e.Is, WasBytes: e.WasSize, IsBytes: e.IsSize, APISaid: e.Said.Reason, APITokens: e.Said.Tokens,
			Edited: append([]string{}, e.Edited...), SameProcess: e.SameProcess, Anew: e.Anew, Restored: e.Restored, Complete: e.Complete,
			ProcessEnd: toProcessEnd(e.Ended),
		},
	}
	if e.Idle >= 0 {
		idle := e.Idle.Milliseconds()
		out.Evidence.IdleMS = &idle
	}
	return out
}

// CacheTotals are what a channel's turns used on some days.
type CacheTotals struct {
	From   string       `json:"from" doc:"The first day."`
	To     string       `json:"to" doc:"The last day: today."`
	All    CacheSum     `json:"all"`
	Days   []CacheDay   `json:"days" doc:"Every one of them, oldest first. A turn is of the day on which it ended."`
	Models []CacheModel `json:"models" doc:"By name."`
	Agents []CacheAgent `json:"agents" doc:"Who had a turn, in the order they came, with those that were removed."`
	Saved  []CacheSaved `json:"saved" doc:"What was kept out of the agents' contexts in these turns, by kind."`
}

// CacheSaved is what one rule kept out of the agents' contexts.
type CacheSaved struct {
	Kind   string `json:"kind" enum:"spill,denial,glance,index,isolated"`
	Times  int    `json:"times" doc:"How often."`
	Faults int    `json:"faults" doc:"How often it should have, and could not. These are in no other figure."`
	Chars  int64  `json:"chars" doc:"Of what went into files, in characters."`
	Lines  int64  `json:"lines"`
	Tokens int64  `json:"estimated_tokens" doc:"About how many tokens the contexts have less by it: an estimate."`
}

// CacheDay is a day's sum.
type CacheDay struct {
	CacheSum
	Day string `json:"day" doc:"Of the calendar where Hearth runs, like 2026-11-30."`
}

// CacheModel is what one model used.
type CacheModel struct {
	Tokens
	Model         string  `json:"model" doc:"Empty: what the client names no model for."`
	Turns         int     `json:"turns"`
	CostUSD       float64 `json:"cost_usd" doc:"The client's own figure, without what unpriced_turns cost."`
	UnpricedTurns int     `json:"unpriced_turns" doc:"As in a sum of turns."`
}

// CacheAgent is an agent's sum.
type CacheAgent struct {
	CacheSum
	BindingID string `json:"binding_id"`
	Handle    string `json:"handle"`
	Removed   bool   `json:"removed" doc:"It is no longer in the channel."`
}

// CacheForecast is what is to be expected of an agent.
type CacheForecast struct {
	BindingID     string         `json:"binding_id"`
	Handle        string         `json:"handle"`
	Model         string         `json:"model" doc:"Of its last request; empty: it has made none."`
	Native        string         `json:"native" doc:"The native session that request was made in. What its conversation holds, and the next turn warm or restored, is about this one."`
	ContextTokens int64          `json:"context_tokens" doc:"What its conversation holds; 0: not known."`
	PromptTokens  int64          `json:"prompt_tokens" doc:"What its last request sent; 0: not known."`
	WindowTokens  int64          `json:"context_window_tokens" doc:"What its conversation can hold, by the client; 0: not known."`
	LineTokens    int64          `json:"line_tokens" doc:"The size of a request at which the conversation is to be handed off; 0: not known."`
	WarnTokens    int64          `json:"warn_tokens" doc:"Where that is warned of; 0: not known."`
	CacheLives    bool           `json:"cache_lives" doc:"What its last request left is still in the cache, as far as time alone says."`
	Trend         *CacheTrend    `json:"trend,omitempty" doc:"An estimate. Left out: fewer than three turns."`
	TurnsLeft     *int           `json:"turns_left,omitempty" doc:"An estimate: turns until one reaches the line; 0: the last one did. Left out: not known, or it does not grow."`
	Warm          *CacheEstimate `json:"warm,omitempty" doc:"The next turn in the process that lives. Left out: too little is known."`
	Restored      *CacheEstimate `json:"restored,omitempty" doc:"The next turn in a new process that loads the saved session."`
	Fresh         *CacheEstimate `json:"fresh,omitempty" doc:"The next turn in a new conversation."`
	Rates         *CacheRates    `json:"rates,omitempty" doc:"Where the prices of the estimates come from. Left out: there are none for this model."`
}

// CacheTrend is by how much a conversation grows, estimated.
type CacheTrend struct {
	TokensPerTurn float64 `json:"estimated_tokens_per_turn"`
	Low           float64 `json:"low" doc:"Half of the pairs of turns lie between this"`
	High          float64 `json:"high" doc:"and this."`
	Turns         int     `json:"turns" doc:"How many turns it is from, at most 20."`
}

// CacheEstimate is what a turn is expected to use and cost.
type CacheEstimate struct {
	Tokens  Tokens   `json:"estimated_tokens" doc:"What its own requests use; subagents cost the same in each case."`
	CostUSD *float64 `json:"estimated_cost_usd,omitempty" doc:"Left out: no price is known."`
}

// CacheRates says where prices come from.
type CacheRates struct {
	Source string `json:"source" enum:"fitted,table" doc:"fitted: worked out from the client's own past figures. table: from a table of public prices."`
	AsOf   string `json:"as_of,omitempty" doc:"The day of the table."`
	Points int    `json:"points,omitempty" doc:"How many past figures they were worked out from."`
}

func toForecast(h run.Handle, window int64, native string, f ledger.Forecast) CacheForecast {
	out := CacheForecast{
		BindingID: h.BindingID, Handle: h.Handle, Model: f.Model, Native: native, ContextTokens: f.Context, PromptTokens: f.Prompt, WindowTokens: window,
		LineTokens: f.Line, WarnTokens: f.Warn, CacheLives: f.CacheLives,
		Warm: toEstimate(f.Warm), Restored: toEstimate(f.Restored), Fresh: toEstimate(f.Fresh),
	}
	if f.HasTrend {
		t := f.Trend
		out.Trend = &CacheTrend{TokensPerTurn: t.PerTurn, Low: t.Low, High: t.High, Turns: t.Turns}
	}
	if f.HasTurns {
		out.TurnsLeft = &f.Turns
	}
	if f.HasRates {
		out.Rates = &CacheRates{Source: string(f.Rates.Source), AsOf: string(f.Rates.AsOf), Points: f.Rates.Points}
	}
	return out
}

func toEstimate(e ledger.Estimate) *CacheEstimate {
	if !e.OK {
		return nil
	}
	out := &CacheEstimate{Tokens: toTokens(e.Usage)}
	if e.Priced {
		usd := e.Money.USD()
		out.CostUSD = &usd
	}
	return out
}

// Spending is how a channel stands to its spending limit of the day.
type Spending struct {
	ChannelID string  `json:"channel_id"`
	Day       string  `json:"day" doc:"Of the calendar where Hearth runs, like 2026-11-30."`
	SpentUSD  float64 `json:"spent_usd" doc:"By turns that ended on that day, by the client's own figure."`
	LimitUSD  float64 `json:"limit_usd" doc:"0: no limit."`
	State     string  `json:"state" enum:"ok,warned,asks" doc:"warned: 80 % of the limit are spent. asks: all of it is, and a person is asked before each turn (a question about the tool \"spend\")."`
}

func toSpending(channelID string, s run.Spending) Spending {
	return Spending{ChannelID: channelID, Day: string(s.Day), SpentUSD: s.Spent, LimitUSD: s.Limit, State: string(s.State)}
}

// spendState is how a channel stands to its limit; "" when it has none.
func spendState(c chat.Channel) string {
	if c.SpendLimit <= 0 {
		return ""
	}
	return string(run.SpendingOf(c, time.Time{}).State)
}
