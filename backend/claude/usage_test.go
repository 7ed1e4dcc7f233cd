package claude

import (
	"encoding/json"
	"math"
	"testing"
	"time"
)

func wire(t *testing.T, s string) wireResult {
	t.Helper()
	var w wireResult
	if err := json.Unmarshal([]byte(s), &w); err != nil {
		t.Fatal(err)
	}
	return w
}

// The totals grow over the life of a process; a result is told its own turn's.
func TestTotalsOfSeveralTurns(t *testing.T) {
	type step struct {
		line        string
		cost        float64
		api         time.Duration
		usage       Usage
		contextSize int64
	}
	for name, steps := range map[string][]step{
		"counted from the start of the process": {
			{`{"total_cost_usd":0.5,"duration_ms":200,"duration_api_ms":100,"modelUsage":{"a":{"inputTokens":10,"outputTokens":2,"cacheReadInputTokens":5,"cacheCreationInputTokens":7,"costUSD":0.5,"contextWindow":200000}}}`,
				0.5, 100 * time.Millisecond, Usage{Input: 10, Output: 2, CacheRead: 5, CacheWrite5m: 7}, 200000},
			{`{"total_cost_usd":0.7,"duration_ms":200,"duration_api_ms":150,"modelUsage":{"a":{"inputTokens":11,"outputTokens":3,"cacheReadInputTokens":15,"cacheCreationInputTokens":9,"costUSD":0.7},"b":{"inputTokens":1}}}`,
				0.2, 50 * time.Millisecond, Usage{Input: 2, Output: 1, CacheRead: 10, CacheWrite5m: 2}, 0},
			{`{"total_cost_usd":0.7,"duration_ms":200,"duration_api_ms":150}`, 0, 0, Usage{}, 0}, // interrupted before the first call
			{`{"total_cost_usd":1.7,"duration_ms":200,"duration_api_ms":250,"modelUsage":{"a":{"inputTokens":12,"outputTokens":3,"cacheReadInputTokens":15,"cacheCreationInputTokens":9}}}`,
				1, 100 * time.Millisecond, Usage{Input: 1}, 0},
		},
		"resumed, going on where the saved session stopped": {
			{`{"total_cost_usd":9.5,"duration_ms":200,"duration_api_ms":99000,"modelUsage":{"a":{"inputTokens":9000,"costUSD":9.5,"contextWindow":1000000}},
			   "model_usage_since_last_result":{"a":{"inputTokens":3,"outputTokens":4,"cacheCreationInputTokens":8,"cacheCreationEphemeral1hInputTokens":6,"costUSD":0.25}}}`,
				0.25, 200 * time.Millisecond, Usage{Input: 3, Output: 4, CacheWrite5m: 2, CacheWrite1h: 6}, 1000000},
			{`{"total_cost_usd":9.6,"duration_ms":200,"duration_api_ms":99100,"modelUsage":{"a":{"inputTokens":9001,"costUSD":9.6,"contextWindow":1000000}},
			   "model_usage_since_last_result":{"a":{"inputTokens":1,"costUSD":0.1}}}`,
				0.1, 100 * time.Millisecond, Usage{Input: 1}, 1000000},
			{`{"total_cost_usd":9.6,"duration_ms":200,"duration_api_ms":99100,"model_usage_since_last_result":{}}`, 0, 0, Usage{}, 0},
		},
	} {
		totals := totals{first: true}
		for i, s := range steps {
			r := totals.settle(wire(t, s.line), []byte(s.line), &callBook{})
			if math.Abs(r.CostUSD-s.cost) > 1e-9 || r.APIDuration != s.api || r.Usage != s.usage || r.ContextWindow != s.contextSize {
				t.Errorf("%s, turn %d: cost %v, API %v, usage %+v, window %d", name, i+1, r.CostUSD, r.APIDuration, r.Usage, r.ContextWindow)
			}
		}
	}
}

func message(t *testing.T, s string) *wireMessage {
	t.Helper()
	var m wireMessage
	if err := json.Unmarshal([]byte(s), &m); err != nil {
		t.Fatal(err)
	}
	return &m
}

func figures(t *testing.T, s string) *wireUsage {
	t.Helper()
	var u wireUsage
	if err := json.Unmarshal([]byte(s), &u); err != nil {
		t.Fatal(err)
	}
	return &u
}

func TestAMessageCountsOnce(t *testing.T) {
	var b callBook
	begin := `{"id":"m1","model":"a","usage":{"input_tokens":5,"cache_read_input_tokens":50,"cache_creation_input_tokens":100,"output_tokens":1,
		"cache_creation":{"ephemeral_5m_input_tokens":40,"ephemeral_1h_input_tokens":60}}}`
	now := time.Unix(1, 0)
	b.begin("", message(t, begin), 30*time.Millisecond, now)
	b.begin("toolu", message(t, `{"id":"s1","model":"b","usage":{"input_tokens":1,"output_tokens":1}}`), 0, now)
	if b.messageID("") != "m1" || b.messageID("toolu") != "s1" {
		t.Errorf("under way: %q, %q", b.messageID(""), b.messageID("toolu"))
	}
	for range 3 { // once a content block
		b.note("", message(t, begin), now)
	}
	end := &wireStream{Usage: figures(t, `{"output_tokens":77,"input_tokens":0,"output_tokens_details":{"thinking_tokens":70}}`)}
	if c := b.delta("", end, now.Add(time.Second)); c == nil || c.MessageID != "m1" {
		t.Errorf("the end of the stream belongs to %+v", c)
	}
	b.note("", message(t, begin), now) // a block that comes after the end takes nothing back
	b.note("", message(t, `{"id":"err","model":"<synthetic>","usage":{"input_tokens":9}}`), now)
	b.note("", message(t, `{"id":"","model":"a","usage":{"input_tokens":9}}`), now)
	calls, sum := b.calls()
	want := Usage{Input: 5, CacheRead: 50, CacheWrite5m: 40, CacheWrite1h: 60, Output: 77, Thinking: 70}
	if c := calls[0]; c.TTFT != 30*time.Millisecond || !c.Began.Equal(now) || !c.Ended.Equal(now.Add(time.Second)) || !calls[1].Ended.IsZero() {
		t.Errorf("when: %+v", calls)
	}
	if len(calls) != 2 || calls[0].Usage != want || !calls[0].Main || calls[1].Main || calls[1].MessageID != "s1" {
		t.Errorf("calls %+v", calls)
	}
	if sum != want.Add(Usage{Input: 1, Output: 1}) {
		t.Errorf("sum %+v", sum)
	}
	if b.delta("nobody", &wireStream{Usage: figures(t, `{"output_tokens":1}`)}, now) != nil {
		t.Error("the end of a stream that never began")
	}
}

func TestUsageOver(t *testing.T) {
	for in, want := range map[string]Usage{
		`{}`: {Input: 1, CacheRead: 2, CacheWrite5m: 3, CacheWrite1h: 4, Output: 5, Thinking: 4},
		`{"output_tokens":9,"output_tokens_details":null}`:                  {Input: 1, CacheRead: 2, CacheWrite5m: 3, CacheWrite1h: 4, Output: 9, Thinking: 4},
		`{"output_tokens":9,"output_tokens_details":{"thinking_tokens":8}}`: {Input: 1, CacheRead: 2, CacheWrite5m: 3, CacheWrite1h: 4, Output: 9, Thinking: 8},
		`{"output_tokens_details":{"thinking_tokens":0}}`:                   {Input: 1, CacheRead: 2, CacheWrite5m: 3, CacheWrite1h: 4, Output: 5},
		`{"output_tokens":9}`:               {Input: 1, CacheRead: 2, CacheWrite5m: 3, CacheWrite1h: 4, Output: 9, Thinking: 4},
		`{"cache_creation_input_tokens":9}`: {Input: 1, CacheRead: 2, CacheWrite5m: 5, CacheWrite1h: 4, Output: 5, Thinking: 4},
		`{"cache_creation_input_tokens":9,"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":0}}`:       {Input: 1, CacheRead: 2, CacheWrite5m: 9, Output: 5, Thinking: 4},
		`{"cache_creation":{"ephemeral_5m_input_tokens":6,"ephemeral_1h_input_tokens":5}}`:                                       {Input: 1, CacheRead: 2, CacheWrite5m: 6, CacheWrite1h: 5, Output: 5, Thinking: 4},
		`{"input_tokens":0,"cache_read_input_tokens":0,"cache_creation_input_tokens":0,"output_tokens":0,"cache_creation":null}`: {Thinking: 4},
	} {
		if got := figures(t, in).over(Usage{Input: 1, CacheRead: 2, CacheWrite5m: 3, CacheWrite1h: 4, Output: 5, Thinking: 4}); got != want {
			t.Errorf("%s: %+v, want %+v", in, got, want)
		}
	}
}

// The API's word on a miss comes with the message, or with the end of its stream; the later one counts.
func TestWhyTheCacheMissed(t *testing.T) {
	const told = `{"id":"m1","model":"a","diagnostics":{"cache_miss_reason":{"type":"messages_changed","cache_missed_input_tokens":4321}}}`
	early, late := CacheMiss{Reason: "messages_changed", Tokens: 4321}, CacheMiss{Reason: "tools_changed", Tokens: 99}
	end := func(s string) *wireStream {
		var e wireStream
		if err := json.Unmarshal([]byte(s), &e); err != nil {
			t.Fatal(err)
		}
		return &e
	}
	for name, c := range map[string]struct {
		message, end string
		want         CacheMiss
	}{
		"nothing":                     {`{"id":"m1","model":"a"}`, `{}`, CacheMiss{}},
		"asked for, and no miss":      {`{"id":"m1","model":"a","diagnostics":{"cache_miss_reason":null}}`, `{"delta":{"diagnostics":null}}`, CacheMiss{}},
		"with the message":            {told, `{"delta":{"diagnostics":{"cache_miss_reason":null}}}`, early},
		"with the end":                {`{"id":"m1","model":"a"}`, `{"delta":{"diagnostics":{"cache_miss_reason":{"type":"tools_changed","cache_missed_input_tokens":99}}}}`, late},
		"with both":                   {told, `{"delta":{"diagnostics":{"cache_miss_reason":{"type":"tools_changed","cache_missed_input_tokens":99}}}}`, late},
		"of another kind, no figure":  {`{"id":"m1","model":"a","diagnostics":{"cache_miss_reason":{"type":"new_kind"}}}`, `{}`, CacheMiss{Reason: "new_kind"}},
		"a figure that can't be true": {`{"id":"m1","model":"a","diagnostics":{"cache_miss_reason":{"type":"x","cache_missed_input_tokens":-5}}}`, `{}`, CacheMiss{Reason: "x"}},
	} {
		var b callBook
		b.begin("", message(t, c.message), 0, time.Unix(1, 0))
		b.delta("", end(c.end), time.Unix(2, 0))
		b.note("", message(t, c.message), time.Unix(3, 0)) // its blocks repeat what the message said
		if calls, _ := b.calls(); len(calls) != 1 || calls[0].Miss != c.want {
			t.Errorf("%s: %+v, want %+v", name, calls, c.want)
		}
	}
}

func TestContextSize(t *testing.T) {
	call := func(main bool, input int64) Call {
		return Call{Main: main, Usage: Usage{Input: input, CacheRead: 100, CacheWrite5m: 20, CacheWrite1h: 3, Output: 1000, Thinking: 900}}
	}
	for name, c := range map[string]struct {
		result Result
		want   int64
	}{
		"no call":                       {Result{}, 0},
		"a subagent's alone":            {Result{Calls: []Call{call(false, 5)}}, 0},
		"the last on the main thread":   {Result{Calls: []Call{call(true, 5), call(true, 7), call(false, 9)}}, 1130},
		"a summary before it":           {Result{Calls: []Call{call(true, 5), call(true, 7)}, Compacted: []Compacted{{Calls: 1}}}, 1130},
		"a summary after it":            {Result{Calls: []Call{call(true, 5)}, Compacted: []Compacted{{Calls: 1}}}, 0},
		"a summary beside a subagent's": {Result{Calls: []Call{call(true, 5), call(false, 9)}, Compacted: []Compacted{{Calls: 1}}}, 0},
	} {
		if got := c.result.ContextSize(); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// A call that was cut off is in our sum and not in the client's; a subagent's last call the other way round.
func TestUsageIsNeverLessThanTheCalls(t *testing.T) {
	a, b := Usage{Input: 5, CacheWrite5m: 10, Output: 1}, Usage{Input: 3, CacheWrite1h: 4, CacheWrite5m: 2, Output: 9}
	if got, want := a.most(b), (Usage{Input: 5, CacheWrite5m: 6, CacheWrite1h: 4, Output: 9}); got != want || b.most(a) != want {
		t.Errorf("%+v, %+v, want %+v", got, b.most(a), want)
	}
}

func TestContextWindow(t *testing.T) {
	models := map[string]wireModelUsage{"a[1m]": {ContextWindow: 1000000}, "b": {ContextWindow: 200000}}
	for name, c := range map[string]struct {
		calls []Call
		want  int64
	}{
		"the main thread's last": {[]Call{{Model: "a", Main: true}, {Model: "b", Main: true}, {Model: "a"}}, 200000},
		"with a suffix":          {[]Call{{Model: "a", Main: true}}, 1000000},
		"an unknown model":       {[]Call{{Model: "c", Main: true}}, 0},
		"no call":                {nil, 0},
	} {
		if got := window(models, c.calls); got != c.want {
			t.Errorf("%s: %d", name, got)
		}
	}
	if got := window(map[string]wireModelUsage{"x": {ContextWindow: 7}}, []Call{{Model: "c", Main: true}}); got != 7 {
		t.Errorf("the only model: %d", got)
	}
}
