package api

// Strategies is what each way of telling an agent of its channel would have cost.
// It has the keys of `hearth sim --json`.
type Strategies struct {
	Channel      StrategyChannel `json:"channel"`
	Limit        int             `json:"limit" doc:"The most messages that a turn shows."`
	EvictAt      int             `json:"evict_at,omitempty" doc:"The mention that a new process answers; left out: none."`
	PrefixTokens int             `json:"prefix_tokens" doc:"Of what stands before the first message: tools, system prompt, framing without the brief."`
	BriefTokens  int             `json:"brief_tokens"`
	Strategies   StrategySet     `json:"strategies" doc:"What each sent in all turns together."`
}

// StrategyChannel is what was played.
type StrategyChannel struct {
	Name     string       `json:"name"`
	Agent    string       `json:"agent" doc:"The handle of the agent that was played."`
	Rows     int          `json:"rows"`
	Mentions int          `json:"mentions" doc:"Messages that address the agent: its turns."`
	People   int          `json:"people" doc:"Who wrote."`
	Agents   int          `json:"agents" doc:"Who wrote, the one that was played in any case."`
	LongRows int          `json:"long_rows" doc:"Messages of more characters than a turn shows of one."`
	Gaps     StrategyGaps `json:"gaps" doc:"From one mention to the next, in messages."`
	Older    bool         `json:"older" doc:"Messages from before were left out: there are more than were asked for, or than have room."`
}

// StrategyGaps are distances between mentions; 0 where there is only one.
type StrategyGaps struct {
	Min    int     `json:"min"`
	Median float64 `json:"median"`
	Max    int     `json:"max"`
}

// StrategySet has the costs of each.
type StrategySet struct {
	Window    StrategyCosts `json:"window" doc:"The newest messages in every turn."`
	Watermark StrategyCosts `json:"watermark" doc:"Those that the agent was not shown yet, as the published design does it."`
	Unstable  StrategyCosts `json:"unstable" doc:"The same, with a line in front of everything that changes in each turn."`
	Hearth    StrategyCosts `json:"hearth" doc:"What Hearth really sends."`
}

// StrategyCosts is what one way of telling sent, in all turns together. Tokens are
// cl100k_base.
type StrategyCosts struct {
	InputTokens         int64   `json:"input_tokens"`
	CacheableTokens     int64   `json:"cacheable_tokens" doc:"Of them, what stands at the beginning of the request before."`
	CacheableRatio      float64 `json:"cacheable_ratio" doc:"0 to 1."`
	UncachedPerWarmTurn float64 `json:"uncached_per_warm_turn" doc:"Tokens; 0 without a warm turn."`
	ContextTokens       int64   `json:"context_tokens" doc:"Of the messages that turns showed."`
	AlreadySeenTokens   int64   `json:"already_seen_tokens" doc:"Of messages that an earlier turn had shown."`
	RowsSent            int     `json:"rows_sent"`
	RowsNeverShown      int     `json:"rows_never_shown"`
	RowsNamed           int     `json:"rows_named" doc:"Of those never shown: counted in a line that says how to get at them."`
}
