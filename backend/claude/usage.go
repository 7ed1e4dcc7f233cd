package claude

import "time"

// Usage counts tokens as the Messages API bills them. The kinds do not overlap, but for Thinking, which is part of Output.
type Usage struct {
	Input        int64 // neither read from nor written to the cache
	CacheRead    int64
	CacheWrite5m int64 // written with a life of five minutes; everything when the client does not say which
	CacheWrite1h int64 // written with a life of an hour
	Output       int64
	Thinking     int64 // how much of Output was thinking; 0 also where the client does not say (2.1.197 does not in its totals)
}

// Prompt is all that was sent: what is not Output.
func (u Usage) Prompt() int64 { return u.Input + u.CacheRead + u.CacheWrite5m + u.CacheWrite1h }

// Add returns the sum of both.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		Input: u.Input + v.Input, CacheRead: u.CacheRead + v.CacheRead, Output: u.Output + v.Output,
		CacheWrite5m: u.CacheWrite5m + v.CacheWrite5m, CacheWrite1h: u.CacheWrite1h + v.CacheWrite1h,
		Thinking: u.Thinking + v.Thinking,
	}
}

// most takes the larger of each. What was written to the cache is compared as a whole, because one of the two may not
// know the lives.
func (u Usage) most(v Usage) Usage {
	hour := max(u.CacheWrite1h, v.CacheWrite1h)
	return Usage{
		Input: max(u.Input, v.Input), CacheRead: max(u.CacheRead, v.CacheRead), Output: max(u.Output, v.Output),
		CacheWrite1h: hour, CacheWrite5m: max(u.CacheWrite5m+u.CacheWrite1h, v.CacheWrite5m+v.CacheWrite1h) - hour,
		Thinking: max(u.Thinking, v.Thinking),
	}
}

// A Call is one request to the Messages API.
type Call struct {
	MessageID string
	Model     string
	Main      bool // by the main thread, not by a subagent
	// Usage of a main-thread call is final. Of a subagent's call the client shows only what the API said when the answer
	// began, so Output is too small there, and a subagent's last call may not be shown at all; Result.Usage has both.
	Usage Usage
	// TTFT is the time from the request to the beginning of the answer, by the client; 0: not said (subagents' never is).
	TTFT time.Duration
	// Began is when the beginning of the answer reached us: from then on what the call wrote to the cache can be read. Ended
	// is when its end did; zero when it was cut off, or not streamed.
	Began, Ended time.Time
	// Miss is the API's own word on why it read less from the cache than the call before had left there. It says so only
	// when the client asks it to.
	Miss CacheMiss
}

// CacheMiss is what the API says of a cache that it could not fully use. The zero CacheMiss: it said nothing.
type CacheMiss struct {
	// Reason is the first part of the request that differs from the one before (model_changed, system_changed,
	// tools_changed, messages_changed), or that there was nothing to compare with (previous_message_not_found, unavailable).
	// There may be others.
	Reason string
	Tokens int64 // about how many tokens were not read; 0: not said
}

// ModelUsage is what one model used in a turn, by the client's own count, subagents and side calls included.
type ModelUsage struct {
	Usage         Usage
	CostUSD       float64
	ContextWindow int64 // tokens; 0 when the client did not say
}

// wireUsage is usage as the API and the client's messages carry it. Absent fields stay nil, so that a later part of a
// stream replaces only what it names.
type wireUsage struct {
	Input         *int64 `json:"input_tokens"`
	CacheRead     *int64 `json:"cache_read_input_tokens"`
	CacheCreation *int64 `json:"cache_creation_input_tokens"`
	Output        *int64 `json:"output_tokens"`
	Split         *struct {
		FiveMinutes int64 `json:"ephemeral_5m_input_tokens"`
		Hour        int64 `json:"ephemeral_1h_input_tokens"`
	} `json:"cache_creation"`
	Details *struct {
		Thinking *int64 `json:"thinking_tokens"`
	} `json:"output_tokens_details"`
}

// wireDiagnostics is what the API says of how it answered. The client hands it on with the message, and with the end of the
// message's stream.
type wireDiagnostics struct {
	Miss *struct {
		Type   string `json:"type"`
		Tokens int64  `json:"cache_missed_input_tokens"`
	} `json:"cache_miss_reason"`
}

// over returns what d says, or old when it says nothing.
func (d *wireDiagnostics) over(old CacheMiss) CacheMiss {
	if d == nil || d.Miss == nil || d.Miss.Type == "" {
		return old
	}
	return CacheMiss{Reason: d.Miss.Type, Tokens: max(0, d.Miss.Tokens)}
}

// over returns old with every figure that w names replaced.
func (w *wireUsage) over(old Usage) Usage {
	if w == nil {
		return old
	}
	set := func(to *int64, from *int64) {
		if from != nil {
			*to = *from
		}
	}
	set(&old.Input, w.Input)
	set(&old.CacheRead, w.CacheRead)
	set(&old.Output, w.Output)
	if w.Details != nil {
		set(&old.Thinking, w.Details.Thinking)
	}
	total, hour := old.CacheWrite5m+old.CacheWrite1h, old.CacheWrite1h
	set(&total, w.CacheCreation)
	if w.Split != nil {
		hour = w.Split.Hour
		total = max(total, w.Split.Hour+w.Split.FiveMinutes)
	}
	old.CacheWrite1h = min(hour, total)
	old.CacheWrite5m = total - old.CacheWrite1h
	return old
}

// wireModelUsage is one entry of modelUsage in a result: a total since the process began, or more (see account).
type wireModelUsage struct {
	Input         int64   `json:"inputTokens"`
	Output        int64   `json:"outputTokens"`
	CacheRead     int64   `json:"cacheReadInputTokens"`
	CacheCreation int64   `json:"cacheCreationInputTokens"`
	Hour          int64   `json:"cacheCreationEphemeral1hInputTokens"`
	Thinking      int64   `json:"thinkingTokens"`
	CostUSD       float64 `json:"costUSD"`
	ContextWindow int64   `json:"contextWindow"`
}

func (w wireModelUsage) minus(before wireModelUsage) wireModelUsage {
	return wireModelUsage{
		Input: max(0, w.Input-before.Input), Output: max(0, w.Output-before.Output), CacheRead: max(0, w.CacheRead-before.CacheRead),
		CacheCreation: max(0, w.CacheCreation-before.CacheCreation), Hour: max(0, w.Hour-before.Hour),
		Thinking: max(0, w.Thinking-before.Thinking),
		CostUSD:  max(0, w.CostUSD-before.CostUSD), ContextWindow: w.ContextWindow,
	}
}

func (w wireModelUsage) usage() Usage {
	return Usage{
		Input: w.Input, CacheRead: w.CacheRead, Output: w.Output, Thinking: w.Thinking,
		CacheWrite1h: min(w.Hour, w.CacheCreation), CacheWrite5m: max(0, w.CacheCreation-w.Hour),
	}
}

// A callBook collects the calls of one cycle, each message id once.
type callBook struct {
	byID  map[string]*Call
	order []*Call
	open  map[string]*Call // by parent_tool_use_id: the message whose stream is under way
}

// begin notes that a message's stream began.
func (b *callBook) begin(parent string, m *wireMessage, ttft time.Duration, now time.Time) {
	if b.open == nil {
		b.open = map[string]*Call{}
	}
	if c := b.note(parent, m, now); c != nil {
		b.open[parent] = c
		c.TTFT = ttft
	}
}

// delta takes the figures at the end of a message's stream, which are final, and returns the call they belong to.
func (b *callBook) delta(parent string, e *wireStream, now time.Time) *Call {
	c := b.open[parent]
	if c != nil {
		c.Usage = c.Usage.most(e.Usage.over(c.Usage)) // some gateways name everything again, as 0
		c.Miss = e.Delta.Diagnostics.over(c.Miss)
		c.Ended = now
	}
	return c
}

// note takes a message as the client shows it: once a content block, each time with the figures of the message's begin.
// Nil means that the message was no call (the client puts its own errors into messages of a model called "<synthetic>").
func (b *callBook) note(parent string, m *wireMessage, now time.Time) *Call {
	if m == nil || m.ID == "" || m.Model == syntheticModel {
		return nil
	}
	if c, ok := b.byID[m.ID]; ok {
		c.Usage = c.Usage.most(m.Usage.over(Usage{}))
		if c.Miss == (CacheMiss{}) { // what came at the end of the stream is newer than what the blocks repeat
			c.Miss = m.Diagnostics.over(c.Miss)
		}
		return c
	}
	if b.byID == nil {
		b.byID = map[string]*Call{}
	}
	c := &Call{
		MessageID: m.ID, Model: m.Model, Main: parent == "", Usage: m.Usage.over(Usage{}), Began: now,
		Miss: m.Diagnostics.over(CacheMiss{}),
	}
	b.byID[m.ID] = c
	b.order = append(b.order, c)
	return c
}

// messageID is the message whose stream is under way, or empty.
func (b *callBook) messageID(parent string) string {
	if c := b.open[parent]; c != nil {
		return c.MessageID
	}
	return ""
}

func (b *callBook) calls() ([]Call, Usage) {
	out := make([]Call, len(b.order))
	var sum Usage
	for i, c := range b.order {
		out[i] = *c
		sum = sum.Add(c.Usage)
	}
	return out, sum
}

// syntheticModel is the model of messages that the client wrote itself.
const syntheticModel = "<synthetic>"
