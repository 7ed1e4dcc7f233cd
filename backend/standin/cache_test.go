package standin

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// bench drives an API in process, with a clock of its own and words for tokens,
// so that every figure in a test can be counted by eye.
type bench struct {
	t   *testing.T
	api *API
	now time.Time
	key string
}

func newBench(t *testing.T, change ...func(*Options)) *bench {
	t.Helper()
	b := &bench{t: t, now: time.Unix(1_800_000_000, 0), key: "key-a"}
	o := Options{
		Counter:      func(s string) int { return len(strings.Fields(s)) },
		Now:          func() time.Time { return b.now },
		MinCacheable: func(string) int { return 1 },
	}
	for _, c := range change {
		c(&o)
	}
	b.api = NewAPI(o)
	return b
}

type object = map[string]any

// words is n words, told apart by a name.
func words(name string, n int) string { return strings.TrimSpace(strings.Repeat(name+" ", n)) }

func block(text string) object { return object{"type": "text", "text": text} }

func marked(o object, ttl string) object {
	out := object{}
	for k, v := range o {
		out[k] = v
	}
	marker := object{"type": "ephemeral"}
	if ttl != "" {
		marker["ttl"] = ttl
	}
	out["cache_control"] = marker
	return out
}

func user(blocks ...object) object      { return object{"role": "user", "content": blocks} }
func assistant(blocks ...object) object { return object{"role": "assistant", "content": blocks} }

func request(change object) object {
	r := object{"model": "claude-sonnet-4-5", "max_tokens": 100, "messages": []object{user(block("hello"))}}
	for k, v := range change {
		if v == nil {
			delete(r, k)
			continue
		}
		r[k] = v
	}
	return r
}

// post sends a request and returns the status and the decoded answer.
func (b *bench) post(body any) (int, object) {
	b.t.Helper()
	raw, ok := body.([]byte)
	if !ok {
		var err error
		if raw, err = json.Marshal(body); err != nil {
			b.t.Fatal(err)
		}
	}
	r := httptest.NewRequest(http.MethodPost, "/v1/messages", bytes.NewReader(raw))
	r.Header.Set("X-Api-Key", b.key)
	w := httptest.NewRecorder()
	b.api.ServeHTTP(w, r)
	var answer object
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		b.t.Fatalf("answer is not JSON: %v\n%s", err, w.Body)
	}
	return w.Code, answer
}

// usage sends a request that must succeed and returns what it cost, as the
// answer says it.
func (b *bench) usage(body any) Usage {
	b.t.Helper()
	status, answer := b.post(body)
	if status != http.StatusOK {
		b.t.Fatalf("status %d: %v", status, answer)
	}
	raw, err := json.Marshal(answer["usage"])
	if err != nil {
		b.t.Fatal(err)
	}
	var u Usage
	if err := json.Unmarshal(raw, &u); err != nil {
		b.t.Fatal(err)
	}
	if sum := u.CacheCreation.Ephemeral5m + u.CacheCreation.Ephemeral1h; sum != u.CacheCreationInputTokens {
		b.t.Errorf("5m and 1h add up to %d, cache_creation_input_tokens is %d", sum, u.CacheCreationInputTokens)
	}
	return u
}

// wants checks input, read, written for 5 minutes and written for an hour.
func (b *bench) wants(body any, input, read, short, long int) {
	b.t.Helper()
	u := b.usage(body)
	got := [4]int{u.InputTokens, u.CacheReadInputTokens, u.CacheCreation.Ephemeral5m, u.CacheCreation.Ephemeral1h}
	if want := [4]int{input, read, short, long}; got != want {
		b.t.Errorf("input, read, written 5m, written 1h: got %v, want %v", got, want)
	}
}

// The documented example of a growing conversation: each turn marks its last
// block, reads what the turn before wrote and writes only what is new.
func TestCacheGrowsWithTheConversation(t *testing.T) {
	b := newBench(t)
	system := []object{block(words("sys", 50))}
	history := []object{}
	turn := func(n int) object {
		asked := block(words(fmt.Sprint("ask", n), 10))
		r := request(object{"system": system, "messages": append(append([]object{}, history...), user(marked(asked, "")))})
		history = append(history, user(asked), assistant(block(words(fmt.Sprint("answer", n), 20))))
		return r
	}
	b.wants(turn(1), 0, 0, 60, 0)
	b.wants(turn(2), 0, 60, 30, 0)
	b.wants(turn(3), 0, 90, 30, 0)
}

// A request without a marker reads nothing and writes nothing.
func TestNoMarkerNoCache(t *testing.T) {
	b := newBench(t)
	r := request(object{"system": []object{block(words("sys", 50))}})
	b.wants(r, 51, 0, 0, 0)
	b.wants(r, 51, 0, 0, 0)
}

func tools(name string) []object {
	schema := object{"type": "object", "properties": object{"a": object{"type": "string"}}}
	return []object{
		{"name": name, "description": words("does", 9), "input_schema": schema},
		marked(object{"name": "second", "description": words("does", 9), "input_schema": schema}, ""),
	}
}

// Tools come first, then the system field, then messages: a change invalidates
// its own level and all after it, and none before.
func TestCacheLevels(t *testing.T) {
	base := func() object {
		return request(object{
			"tools":    tools("first"),
			"system":   []object{marked(block(words("sys", 40)), "")},
			"messages": []object{user(marked(block(words("ask", 5)), ""))},
		})
	}
	toolTokens := newBench(t).usage(request(object{"tools": tools("first"), "messages": []object{user(block("x"))}})).CacheCreationInputTokens
	if toolTokens == 0 {
		t.Fatal("tools alone are not cached")
	}
	for _, c := range []struct {
		name   string
		change object
		read   int
	}{
		{"nothing", nil, toolTokens + 45},
		{"a tool", object{"tools": tools("other")}, 0},
		{"the system field", object{"system": []object{marked(block(words("sas", 40)), "")}}, toolTokens},
		{"a message", object{"messages": []object{user(marked(block(words("new", 5)), ""))}}, toolTokens + 40},
		{"tool_choice", object{"tool_choice": object{"type": "any"}}, toolTokens + 40},
		{"thinking", object{"thinking": object{"type": "enabled", "budget_tokens": 1024}}, toolTokens + 40},
		{"an image", object{"messages": []object{user(
			object{"type": "image", "source": object{"type": "base64", "media_type": "image/png", "data": "AAAA"}}, marked(block(words("ask", 5)), ""))}}, toolTokens + 40},
		{"the model", object{"model": "claude-sonnet-4-6"}, 0},
		{"max_tokens", object{"max_tokens": 5}, toolTokens + 45},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			b.usage(base())
			r := base()
			for k, v := range c.change {
				r[k] = v
			}
			if got := b.usage(r).CacheReadInputTokens; got != c.read {
				t.Errorf("read %d, want %d", got, c.read)
			}
		})
	}
}

// Where the marker sits, and the way content is written down, is no part of the prefix.
func TestPrefixIsContent(t *testing.T) {
	first := `{"model":"m","max_tokens":1,"messages":[
		{"role":"user","content":[{"type":"text","text":"one é <two>"}]},
		{"role":"system","content":[{"type":"text","text":"three","cache_control":{"type":"ephemeral"}}]}]}`
	for name, second := range map[string]string{
		"a string is one text block": `{"model":"m","max_tokens":1,"messages":[
			{"role":"user","content":"one é <two>"},{"role":"system","content":"three"},
			{"role":"assistant","content":"four"},{"role":"user","content":[{"type":"text","text":"five","cache_control":{"type":"ephemeral"}}]}]}`,
		"escapes and white space": `{"model":"m","max_tokens":1,"messages":[
			{"content":[{"text":"one \u00e9 \u003ctwo\u003e","type":"text"}],"role":"user"},
			{"role" : "system", "content":[ {"cache_control" : {"type":"ephemeral"}, "type":"text","text":"three"} ]}]}`,
		"a marker that moved": `{"model":"m","max_tokens":1,"messages":[
			{"role":"user","content":[{"type":"text","text":"one é <two>","cache_control":{"type":"ephemeral"}}]},
			{"role":"system","content":[{"type":"text","text":"three","cache_control":{"type":"ephemeral"}}]}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.usage([]byte(first))
			if got := b.usage([]byte(second)).CacheReadInputTokens; got != 4 {
				t.Errorf("read %d, want 4", got)
			}
		})
	}
	for name, second := range map[string]string{
		"another role": `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"one é <two>"},
			{"role":"user","content":[{"type":"text","text":"three","cache_control":{"type":"ephemeral"}}]}]}`,
		"blocks joined": `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"one é <two>three"},
			{"role":"system","content":[{"type":"text","text":"three","cache_control":{"type":"ephemeral"}}]}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.usage([]byte(first))
			if got := b.usage([]byte(second)).CacheReadInputTokens; got != 0 {
				t.Errorf("read %d, want 0", got)
			}
		})
	}
}

// The order of keys inside a tool's input is part of the prefix, as the
// documentation warns.
func TestKeyOrderOfInputCounts(t *testing.T) {
	body := func(input string) []byte {
		return []byte(`{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"go"},
			{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"n","input":` + input + `}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"ok","cache_control":{"type":"ephemeral"}}]}]}`)
	}
	b := newBench(t)
	b.usage(body(`{"a":1,"b":2}`))
	if b.usage(body(`{"b":2,"a":1}`)).CacheReadInputTokens != 0 {
		t.Error("another order of keys read the entry")
	}
	if b.usage(body(` { "a" : 1, "b":2 } `)).CacheReadInputTokens == 0 {
		t.Error("white space hid the entry")
	}
}

// The documented example of the look-back: turn 1 ends at block 10, turn 2 at
// 15, turn 3 at 35, where the entry at 15 is one position outside of the window. A
// second marker at 15 finds it.
func TestLookBack(t *testing.T) {
	conversation := func(blocks int, marks ...int) object {
		var messages []object
		for i := 1; i <= blocks; i++ {
			text := block(fmt.Sprint("block", i))
			for _, m := range marks {
				if m == i {
					text = marked(text, "")
				}
			}
			if i%2 == 1 {
				messages = append(messages, user(text))
			} else {
				messages = append(messages, assistant(text))
			}
		}
		return request(object{"messages": messages})
	}
	b := newBench(t)
	b.wants(conversation(10, 10), 0, 0, 10, 0)
	b.wants(conversation(15, 15), 0, 10, 5, 0)
	b.wants(conversation(35, 35), 0, 0, 35, 0)

	b = newBench(t)
	b.usage(conversation(15, 15))
	b.wants(conversation(35, 15, 35), 0, 15, 20, 0)

	b = newBench(t)
	b.usage(conversation(15, 15))
	b.wants(conversation(34, 34), 0, 15, 19, 0) // the twentieth position is still looked at
}

// Nothing is written between markers, so a request that stops short of one
// finds nothing.
func TestWritesOnlyAtMarkers(t *testing.T) {
	b := newBench(t)
	b.usage(request(object{"messages": []object{user(block("one"), block("two"), marked(block("three"), ""))}}))
	b.wants(request(object{"messages": []object{user(block("one"), marked(block("two"), ""))}}), 0, 0, 2, 0)
}

func TestTooShortIsNotCached(t *testing.T) {
	b := newBench(t, func(o *Options) { o.MinCacheable = nil })
	for _, c := range []struct {
		model string
		words int
		kept  bool
	}{
		{"claude-sonnet-4-5-20250929", 1023, false}, {"claude-sonnet-4-5-20250929", 1024, true},
		{"claude-opus-4-8[1m]", 1024, true},
		{"claude-opus-4-7", 2047, false}, {"claude-opus-4-7", 2048, true},
		{"claude-haiku-4-5-20251001", 4095, false}, {"claude-haiku-4-5-20251001", 4096, true},
		{"claude-opus-4-5", 4095, false}, {"claude-3-5-haiku-latest", 2047, false},
		{"claude-opus-5", 511, false}, {"claude-opus-5", 512, true}, {"claude-opus-5-5", 1023, false},
	} {
		r := request(object{"model": c.model, "messages": []object{user(marked(block(words("w", c.words)), ""))}})
		for range 2 {
			u := b.usage(r)
			if kept := u.CacheCreationInputTokens+u.CacheReadInputTokens == c.words; kept != c.kept || u.Total() != c.words {
				t.Errorf("%s with %d tokens: %+v, want kept %v", c.model, c.words, u, c.kept)
			}
		}
	}
}

// A marker whose prefix is too short is passed over; a later one counts.
func TestShortMarkerThenLongOne(t *testing.T) {
	b := newBench(t, func(o *Options) { o.MinCacheable = func(string) int { return 20 } })
	r := request(object{
		"system":   []object{marked(block(words("sys", 10)), "1h")},
		"messages": []object{user(marked(block(words("ask", 15)), ""), block("tail"))},
	})
	b.wants(r, 1, 0, 25, 0)
	b.wants(r, 1, 25, 0, 0)
}

// An hour's marker comes before one of 5 minutes; each level is billed apart
// and lives its own life.
func TestHourBeforeFiveMinutes(t *testing.T) {
	b := newBench(t)
	r := func(ask string) object {
		return request(object{
			"system":   []object{marked(block(words("sys", 40)), "1h")},
			"messages": []object{user(block(words("doc", 20)), marked(block(words(ask, 5)), "5m"), block("tail"))},
		})
	}
	b.wants(r("one"), 1, 0, 25, 40)
	b.now = b.now.Add(4 * time.Minute)
	b.wants(r("one"), 1, 65, 0, 0)
	b.now = b.now.Add(5*time.Minute - time.Nanosecond)
	b.wants(r("one"), 1, 65, 0, 0) // the read has renewed it
	b.now = b.now.Add(5 * time.Minute)
	b.wants(r("one"), 1, 40, 25, 0) // the 5-minute entry is gone, the hour's is not
	b.now = b.now.Add(time.Hour)
	b.wants(r("one"), 1, 0, 25, 40)
}

// A read renews what it used, and nothing else.
func TestReadRenews(t *testing.T) {
	b := newBench(t)
	r := func(ask string) object {
		return request(object{"system": []object{marked(block(words("sys", 10)), "")}, "messages": []object{user(marked(block(ask), ""))}})
	}
	b.usage(r("one"))
	b.usage(r("two"))
	b.now = b.now.Add(3 * time.Minute)
	b.wants(r("one"), 0, 11, 0, 0)
	b.now = b.now.Add(3 * time.Minute)
	b.wants(r("one"), 0, 11, 0, 0)
	b.wants(r("two"), 0, 10, 1, 0)
}

func TestKeysAreApart(t *testing.T) {
	b := newBench(t)
	r := request(object{"messages": []object{user(marked(block("same"), ""))}})
	b.wants(r, 0, 0, 1, 0)
	b.key = "key-b"
	b.wants(r, 0, 0, 1, 0)
	b.key = "key-a"
	b.wants(r, 0, 1, 0, 0)
}

// A request that fails writes nothing.
func TestFailureWritesNothing(t *testing.T) {
	b := newBench(t)
	r := request(object{"messages": []object{user(marked(block("same"), ""))}})
	b.api.Then(Overloaded())
	if status, _ := b.post(r); status != 529 {
		t.Fatalf("status %d", status)
	}
	b.wants(r, 0, 0, 1, 0)
}

// One marker on the request itself stands on the last block that can carry it.
func TestAutomaticMarker(t *testing.T) {
	b := newBench(t)
	r := func(blocks ...object) object {
		return request(object{"cache_control": object{"type": "ephemeral"}, "messages": []object{user(blocks...)}})
	}
	b.wants(r(block(words("a", 5)), block("")), 0, 0, 5, 0)
	b.wants(r(block(words("a", 5)), block(words("b", 5))), 0, 5, 5, 0)
}

func TestMarkerRules(t *testing.T) {
	five := []object{}
	for i := range 5 {
		five = append(five, marked(block(fmt.Sprint("b", i)), ""))
	}
	for name, c := range map[string]struct {
		change object
		says   string
	}{
		"five markers": {object{"messages": []object{user(five...)}}, "A maximum of 4 blocks with cache_control may be provided. Found 5."},
		"four and the request's own": {object{"messages": []object{user(five[:4]...)}, "cache_control": object{"type": "ephemeral"}},
			"A maximum of 4 blocks with cache_control may be provided. Found 5."},
		"an hour after 5 minutes": {object{"system": []object{marked(block("s"), "5m")}, "messages": []object{user(marked(block("m"), "1h"))}}, "must not come after a ttl='5m'"},
		"another life":            {object{"messages": []object{user(marked(block("m"), "2h"))}}, "Input should be '5m' or '1h'"},
		"an empty text":           {object{"messages": []object{user(block("x"), marked(block(""), ""))}}, "empty text blocks"},
		"thinking": {object{"messages": []object{user(block("x")), assistant(marked(object{"type": "thinking", "thinking": "hm", "signature": "s"}, "")), user(block("y"))}},
			"thinking blocks"},
	} {
		t.Run(name, func(t *testing.T) {
			status, answer := newBench(t).post(request(c.change))
			if status != http.StatusBadRequest || !strings.Contains(fmt.Sprint(answer), c.says) {
				t.Errorf("status %d, %v; want 400 with %q", status, answer, c.says)
			}
		})
	}
	if status, answer := newBench(t).post(request(object{"messages": []object{user(five[:4]...)}})); status != http.StatusOK {
		t.Errorf("four markers: %d %v", status, answer)
	}
}

// The switch for what users report of the real API: an entry written on a
// trailing system message is never found again.
func TestTrailingSystemMiss(t *testing.T) {
	run := func(b *bench) Usage {
		system := []object{marked(block(words("sys", 10)), "")}
		ask, env := user(block("ask")), block("environment")
		b.usage(request(object{"system": system, "messages": []object{ask, {"role": "system", "content": []object{marked(env, "")}}}}))
		return b.usage(request(object{"system": system, "messages": []object{ask, {"role": "system", "content": "environment"}, assistant(block("yes")), user(marked(block("go"), ""))}}))
	}
	if u := run(newBench(t)); u.CacheReadInputTokens != 12 {
		t.Errorf("by the documented rules: read %d, want 12", u.CacheReadInputTokens)
	}
	if u := run(newBench(t, func(o *Options) { o.TrailingSystemMiss = true })); u.CacheReadInputTokens != 10 {
		t.Errorf("with the miss: read %d, want 10", u.CacheReadInputTokens)
	}
}

// The cache forgets before it grows without end.
func TestCacheIsBounded(t *testing.T) {
	c := cache{entries: map[digest]entry{}}
	now := time.Unix(0, 0)
	for i := range maxEntries + 10 {
		var d digest
		d[0], d[1], d[2] = byte(i), byte(i>>8), byte(i>>16)
		c.entries[d] = entry{ttl: time.Hour, end: now.Add(time.Hour)}
	}
	c.commit(plan{}, now)
	if len(c.entries) > maxEntries {
		t.Errorf("%d entries", len(c.entries))
	}
}

// What was forgotten is read anew, and kept anew.
func TestForget(t *testing.T) {
	b := newBench(t)
	ask := request(object{"messages": []object{user(marked(block(words("a", 40)), ""))}})
	for i, read := range []int{0, 40, 0, 40} {
		if i == 2 {
			b.api.Forget()
		}
		_, answer := b.post(ask)
		if got := answer["usage"].(object)["cache_read_input_tokens"]; got != float64(read) {
			t.Errorf("request %d read %v, want %d", i, got, read)
		}
	}
}
