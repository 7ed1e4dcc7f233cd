package claude

// Usage counts tokens as the Messages API bills them. The five kinds do not overlap.
type Usage struct {
	Input        int64 // neither read from nor written to the cache
	CacheRead    int64
	CacheWrite5m int64 // written with a life of five minutes; everything when the client does not say which
	CacheWrite1h int64 // written with a life of an hour
	Output       int64
}

// Add returns the sum of both.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		Input: u.Input + v.Input, CacheRead: u.CacheRead + v.CacheRead, Output: u.Output + v.Output,
		CacheWrite5m: u.CacheWrite5m + v.CacheWrite5m, CacheWrite1h: u.CacheWrite1h + v.CacheWrite1h,
	}
}

// most takes the larger of each. What was written to the cache is compared as a whole, because one of the two may not
// know the lives.
func (u Usage) most(v Usage) Usage {
	hour := max(u.CacheWrite1h, v.CacheWrite1h)
	return Usage{
		Input: max(u.Input, v.Input), CacheRead: max(u.CacheRead, v.CacheRead), Output: max(u.Output, v.Output),
		CacheWrite1h: hour, CacheWrite5m: max(u.CacheWrite5m+u.CacheWrite1h, v.CacheWrite5m+v.CacheWrite1h) - hour,
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
	CostUSD       float64 `json:"costUSD"`
	ContextWindow int64   `json:"contextWindow"`
}

func (w wireModelUsage) minus(before wireModelUsage) wireModelUsage {
	return wireModelUsage{
		Input: max(0, w.Input-before.Input), Output: max(0, w.Output-before.Output), CacheRead: max(0, w.CacheRead-before.CacheRead),
		CacheCreation: max(0, w.CacheCreation-before.CacheCreation), Hour: max(0, w.Hour-before.Hour),
		CostUSD: max(0, w.CostUSD-before.CostUSD), ContextWindow: w.ContextWindow,
	}
}

func (w wireModelUsage) usage() Usage {
	return Usage{
		Input: w.Input, CacheRead: w.CacheRead, Output: w.Output,
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
func (b *callBook) begin(parent string, m *wireMessage) {
	if b.open == nil {
		b.open = map[string]*Call{}
	}
	if c := b.note(parent, m); c != nil {
		b.open[parent] = c
	}
}

// delta takes the figures at the end of a message's stream, which are final, and returns the call they belong to.
func (b *callBook) delta(parent string, u *wireUsage) *Call {
	c := b.open[parent]
	if c != nil {
		c.Usage = c.Usage.most(u.over(c.Usage)) // some gateways name everything again, as 0
	}
	return c
}

// note takes a message as the client shows it: once a content block, each time with the figures of the message's begin.
// Nil means that the message was no call (the client puts its own errors into messages of a model called "<synthetic>").
func (b *callBook) note(parent string, m *wireMessage) *Call {
	if m == nil || m.ID == "" || m.Model == syntheticModel {
		return nil
	}
	if c, ok := b.byID[m.ID]; ok {
		c.Usage = c.Usage.most(m.Usage.over(Usage{}))
		return c
	}
	if b.byID == nil {
		b.byID = map[string]*Call{}
	}
	c := &Call{MessageID: m.ID, Model: m.Model, Main: parent == "", Usage: m.Usage.over(Usage{})}
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
