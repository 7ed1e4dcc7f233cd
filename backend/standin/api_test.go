package standin

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// served is an API on loopback with a client of its own.
type served struct {
	t    *testing.T
	api  *API
	url  string
	http *http.Client
}

func serve(t *testing.T, o Options) *served {
	t.Helper()
	api := NewAPI(o)
	url, stop, err := api.Listen()
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		stop()
		stop() // a second time does no harm
	})
	return &served{t: t, api: api, url: url, http: &http.Client{Transport: transport}}
}

// open sends a request and leaves the answer to the caller.
func (s *served) open(ctx context.Context, body any, headers ...string) (*http.Response, error) {
	s.t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		s.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"/v1/messages", bytes.NewReader(raw))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("X-Api-Key", "key")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return s.http.Do(r)
}

type event struct {
	name string
	data object
}

// events reads an answer's events to its end, or to where it breaks.
func events(body io.Reader) ([]event, error) {
	var out []event
	r := bufio.NewReader(body)
	var e event
	for {
		line, err := r.ReadString('\n')
		if err == io.EOF && line == "" {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		line = strings.TrimSuffix(line, "\n")
		if name, ok := strings.CutPrefix(line, "event: "); ok {
			e.name = name
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			if err := json.Unmarshal([]byte(data), &e.data); err != nil {
				return out, err
			}
		}
		if line == "" {
			if e.data["type"] != e.name {
				return out, fmt.Errorf("event %q with data of type %v", e.name, e.data["type"])
			}
			out = append(out, e)
			e = event{}
		}
	}
}

func (s *served) stream(reply Reply) ([]event, error) {
	s.t.Helper()
	s.api.Then(reply)
	resp, err := s.open(s.t.Context(), request(object{"stream": true}))
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		s.t.Fatalf("status %d", resp.StatusCode)
	}
	return events(resp.Body)
}

func names(list []event) string {
	var out []string
	for _, e := range list {
		if n := len(out); n > 0 && strings.HasPrefix(out[n-1], e.name) && e.name == "content_block_delta" {
			continue
		}
		out = append(out, e.name)
	}
	return strings.Join(out, " ")
}

// together puts the pieces of a stream together again, by block.
func together(list []event) []string {
	var out []string
	for _, e := range list {
		switch e.name {
		case "content_block_start":
			out = append(out, "")
		case "content_block_delta":
			delta, _ := e.data["delta"].(object)
			for _, key := range []string{"text", "partial_json", "thinking"} {
				if s, ok := delta[key].(string); ok {
					out[len(out)-1] += s
				}
			}
		}
	}
	return out
}

const manyScripts = "한국어 ¿qué? مرحبا 🧑‍🚒 e\u0301 \u2028 \"quoted\" \\ <b>&amp;</b> 𝒳"

func TestStream(t *testing.T) {
	s := serve(t, Options{})
	got, err := s.stream(Reply{}.AndThink("hm, "+manyScripts).AndSay(manyScripts).
		AndUse("Bash", object{"command": "echo " + manyScripts}).AndUse("Read", object{"file_path": "/x"}).InDeltas(7))
	if err != nil {
		t.Fatal(err)
	}
	one := "content_block_start content_block_delta content_block_stop "
	if want := "message_start ping " + strings.Repeat(one, 4) + "message_delta message_stop"; names(got) != want {
		t.Errorf("events:\n%s\nwant:\n%s", names(got), want)
	}
	blocks := together(got)
	if blocks[0] != "hm, "+manyScripts || blocks[1] != manyScripts || !strings.Contains(blocks[3], "/x") {
		t.Errorf("blocks: %q", blocks)
	}
	var input map[string]string
	if err := json.Unmarshal([]byte(blocks[2]), &input); err != nil || input["command"] != "echo "+manyScripts {
		t.Errorf("tool input %q: %v", blocks[2], err)
	}
	last := got[len(got)-2].data
	if reason := last["delta"].(object)["stop_reason"]; reason != "tool_use" {
		t.Errorf("stop_reason %v", reason)
	}
	if u := last["usage"].(object); u["output_tokens"].(float64) < 10 || u["input_tokens"].(float64) < 1 {
		t.Errorf("usage %v", u)
	}
}

func TestWhole(t *testing.T) {
	b := newBench(t)
	b.api.Then(Say(manyScripts).AndUse("Bash", object{"command": "ls"}))
	status, answer := b.post(request(nil))
	content, _ := answer["content"].([]any)
	if status != 200 || len(content) != 2 || content[0].(object)["text"] != manyScripts || content[1].(object)["name"] != "Bash" {
		t.Errorf("%d %v", status, answer)
	}
	if answer["stop_reason"] != "tool_use" || answer["type"] != "message" || answer["role"] != "assistant" {
		t.Errorf("%v", answer)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		reply  Reply
		status int
		kind   string
	}{
		{Fail(400, "bad"), 400, "invalid_request_error"},
		{Fail(429, "slow down"), 429, "rate_limit_error"},
		{Fail(500, "oh"), 500, "api_error"},
		{Overloaded(), 529, "overloaded_error"},
		{Fail(418, "tea"), 418, "api_error"},
		{Say("x").ErrorAfter(1, "overloaded_error", "Overloaded"), 529, "overloaded_error"},
	} {
		b := newBench(t)
		b.api.Then(c.reply)
		status, answer := b.post(request(nil))
		inner, _ := answer["error"].(object)
		if status != c.status || answer["type"] != "error" || inner["type"] != c.kind {
			t.Errorf("%+v: %d %v", c.reply, status, answer)
		}
	}
}

func TestErrorInMidStream(t *testing.T) {
	s := serve(t, Options{})
	got, err := s.stream(Say("one two three").InDeltas(3).ErrorAfter(2, "overloaded_error", "Overloaded"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "message_start ping content_block_start content_block_delta error"; names(got) != want {
		t.Errorf("events: %s", names(got))
	}
	if inner := got[len(got)-1].data["error"].(object); inner["type"] != "overloaded_error" {
		t.Errorf("%v", inner)
	}
}

func TestCutInMidStream(t *testing.T) {
	s := serve(t, Options{})
	got, err := s.stream(Say("one two three").InDeltas(3).CutAfter(2))
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("the stream ended with %v", err)
	}
	if want := "message_start ping content_block_start content_block_delta"; names(got) != want {
		t.Errorf("events: %s", names(got))
	}
	entries, err := s.api.WaitDone(t.Context(), 1)
	if err != nil || !entries[0].Broken {
		t.Errorf("%v %v", entries, err)
	}
	s.api.Then(Say("one two three").CutAfter(1))
	resp, err := s.open(t.Context(), request(nil))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if _, err := io.ReadAll(resp.Body); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a whole message was cut with %v", err)
	}
}

func TestStallUntilReleased(t *testing.T) {
	s := serve(t, Options{})
	release := make(chan struct{})
	s.api.Then(Stall(release, Say("at last")))
	answered := make(chan error, 1)
	go func() {
		resp, err := s.open(t.Context(), request(nil))
		if err == nil {
			_, err = io.ReadAll(resp.Body)
			_ = resp.Body.Close()
		}
		answered <- err
	}()
	entries, err := s.api.Wait(t.Context(), 1)
	if err != nil || entries[0].Status != 0 || entries[0].Done {
		t.Fatalf("%+v %v", entries, err)
	}
	close(release)
	if err := <-answered; err != nil {
		t.Fatal(err)
	}
	entries, err = s.api.WaitDone(t.Context(), 1)
	if err != nil || entries[0].Status != 200 || entries[0].Reply.Text() != "at last" {
		t.Fatalf("%+v %v", entries, err)
	}
}

func TestStallUntilTheClientGoes(t *testing.T) {
	s := serve(t, Options{})
	s.api.Then(Stall(nil, Say("never")))
	ctx, cancel := context.WithCancel(t.Context())
	answered := make(chan error, 1)
	go func() {
		resp, err := s.open(ctx, request(nil))
		if err == nil {
			_ = resp.Body.Close()
		}
		answered <- err
	}()
	if _, err := s.api.Wait(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-answered; !errors.Is(err, context.Canceled) {
		t.Errorf("the client got %v", err)
	}
	if entries, err := s.api.WaitDone(t.Context(), 1); err != nil || !entries[0].Broken || entries[0].Status != 0 {
		t.Errorf("%+v %v", entries, err)
	}
}

func TestStallInMidStream(t *testing.T) {
	s := serve(t, Options{})
	s.api.Then(Say("onetwothree").InDeltas(3).HeldAfter(2, nil))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	resp, err := s.open(ctx, request(object{"stream": true}))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	lines := bufio.NewReader(resp.Body)
	for deltas := 0; deltas < 2; {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(line, "event: content_block_delta") {
			deltas++
		}
	}
	cancel()
	if rest, err := io.ReadAll(lines); !errors.Is(err, context.Canceled) || bytes.Contains(rest, []byte("content_block_delta\n")) {
		t.Errorf("%s %v", rest, err)
	}
	if entries, err := s.api.WaitDone(t.Context(), 1); err != nil || !entries[0].Broken || entries[0].Status != 200 {
		t.Errorf("%+v %v", entries, err)
	}
}

// Closing ends a stalled answer.
func TestCloseEndsAStall(t *testing.T) {
	api := NewAPI(Options{Script: func(Request) Reply { return Stall(nil, Say("never")) }})
	url, stop, err := api.Listen()
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	s := &served{t: t, api: api, url: url, http: &http.Client{Transport: transport}}
	answered := make(chan error, 1)
	go func() {
		resp, err := s.open(context.Background(), request(nil))
		if err == nil {
			_ = resp.Body.Close()
		}
		answered <- err
	}()
	if _, err := api.Wait(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	stop()
	if err := <-answered; err == nil {
		t.Error("the stalled answer came")
	}
	if !api.Book()[0].Done {
		t.Error("stop returned before the answer had ended")
	}
}

func TestSlowStreamComesInOrder(t *testing.T) {
	s := serve(t, Options{})
	got, err := s.stream(Say(manyScripts).InDeltas(5).Slowly(time.Millisecond))
	if err != nil || strings.Join(together(got), "") != manyScripts {
		t.Errorf("%v %v", got, err)
	}
}

func TestHuge(t *testing.T) {
	const size = 3 << 20
	s := serve(t, Options{Counter: func(string) int { return 1 }})
	got, err := s.stream(Huge(size))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(together(got), "")
	if len(text) != size || !strings.HasPrefix(text, "line 00000001 ") {
		t.Errorf("%d bytes", len(text))
	}
}

func TestOrderOfScripts(t *testing.T) {
	b := newBench(t, func(o *Options) {
		o.Script = func(r Request) Reply { return Say("script: " + r.NewestUserText()) }
	})
	ask := func(text string, headers ...string) string {
		t.Helper()
		r := request(object{"messages": []object{user(block(text))}, "tools": tools("t")})
		raw, _ := json.Marshal(r)
		h := http.Header{"X-Api-Key": {"k"}}
		for i := 0; i+1 < len(headers); i += 2 {
			h.Set(headers[i], headers[i+1])
		}
		req, err := parseRequest(h, raw, time.Time{}, false)
		if err != nil {
			t.Fatal(err)
		}
		return b.api.script.reply(req).Text()
	}
	const agent = "X-Claude-Code-Agent-Id"
	b.api.Then(Say("first"), Say("second"))
	b.api.ThenSubagent(Say("for the subagent"))
	b.api.When(Asked("rule"), Say("by rule"))
	b.api.Once(Asked("once"), Say("by rule, once"))
	for i, c := range []struct{ ask, agent, want string }{
		{"rule", "", "by rule"},
		{"hello", "", "first"},
		{"hello", "a1", "for the subagent"},
		{"hello", "a1", "The subagent of the stand-in is done."},
		{"once", "", "by rule, once"},
		{"once", "", "second"},
		{"rule", "a1", "by rule"},
		{"hello", "", "script: hello"},
	} {
		headers := []string{}
		if c.agent != "" {
			headers = []string{agent, c.agent}
		}
		if got := ask(c.ask, headers...); got != c.want {
			t.Errorf("%d: %q, want %q", i, got, c.want)
		}
	}
	if b.api.Queued() != 0 {
		t.Errorf("%d left", b.api.Queued())
	}
}

// What the client asks for itself is answered and takes nothing from the queue.
func TestSideRequests(t *testing.T) {
	s := serve(t, Options{})
	s.api.Then(Say("for the main thread"))
	for _, c := range []struct {
		change  object
		headers []string
		want    string
	}{
		{object{"system": "Write a short title for this conversation.", "model": "claude-haiku-4-5"}, []string{"X-Claude-Code-Session-Id", "s"}, `{"title": "A talk with the stand-in"}`},
		{object{"output_config": object{"format": object{"type": "json_schema"}}}, []string{"X-Claude-Code-Session-Id", "s"}, `{"title": "A talk with the stand-in"}`},
		{object{"max_tokens": 1}, []string{"X-Claude-Code-Session-Id", "s"}, "ok"},
		{nil, nil, "for the main thread"}, // another caller, no tools: its main thread
	} {
		resp, err := s.open(t.Context(), request(c.change), c.headers...)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if want, _ := json.Marshal(c.want); !bytes.Contains(body, want) {
			t.Errorf("%v: %s, want %s", c.change, body, want)
		}
	}
}

func TestRefusals(t *testing.T) {
	call := func(id string) object { return object{"type": "tool_use", "id": id, "name": "Bash", "input": object{}} }
	result := func(id string) object { return object{"type": "tool_result", "tool_use_id": id, "content": "ok"} }
	ask := user(block("go"))
	for name, c := range map[string]struct {
		change object
		says   string // "" is accepted
	}{
		"no model":              {object{"model": nil}, "model: Field required"},
		"no max_tokens":         {object{"max_tokens": nil}, "max_tokens: Field required"},
		"no messages":           {object{"messages": []object{}}, "at least one message"},
		"a role of its own":     {object{"messages": []object{{"role": "robot", "content": "x"}}}, "messages.0.role"},
		"content of no kind":    {object{"messages": []object{{"role": "user", "content": 7}}}, "messages.0.content"},
		"a call and its answer": {object{"messages": []object{ask, assistant(call("a"), call("b")), user(result("b"), result("a"))}}, ""},
		"answers in two messages that follow each other": {object{"messages": []object{ask, assistant(call("a"), call("b")), user(result("b")), user(result("a"))}}, ""},
		"a system message between":                       {object{"messages": []object{ask, assistant(call("a")), {"role": "system", "content": "note"}, user(result("a"))}}, ""},
		"a call left open":                               {object{"messages": []object{ask, assistant(call("a")), user(block("and?"))}}, "`tool_use` ids were found without `tool_result`"},
		"a call left open at the end":                    {object{"messages": []object{ask, assistant(call("a"))}}, "`tool_use` ids were found without `tool_result`"},
		"one of two left open":                           {object{"messages": []object{ask, assistant(call("a"), call("b")), user(result("a"))}}, "without `tool_result` blocks immediately after: b"},
		"an answer to no call":                           {object{"messages": []object{user(result("z"))}}, "unexpected `tool_use_id`"},
	} {
		t.Run(name, func(t *testing.T) {
			status, answer := newBench(t).post(request(c.change))
			if c.says == "" {
				if status != 200 {
					t.Errorf("%d %v", status, answer)
				}
				return
			}
			if status != 400 || !strings.Contains(fmt.Sprint(answer), c.says) {
				t.Errorf("%d %v, want 400 with %q", status, answer, c.says)
			}
		})
	}
	b := newBench(t)
	if status, _ := b.post([]byte("{")); status != 400 {
		t.Errorf("broken JSON: %d", status)
	}
	b.key = ""
	if status, answer := b.post(request(nil)); status != 401 || answer["error"].(object)["type"] != "authentication_error" {
		t.Errorf("no key: %d %v", status, answer)
	}
	b = newBench(t, func(o *Options) { o.ContextWindow = 10 })
	if status, answer := b.post(request(object{"messages": []object{user(block(words("w", 11)))}})); status != 400 || !strings.Contains(fmt.Sprint(answer), "prompt is too long: 11 tokens > 10 maximum") {
		t.Errorf("too long: %d %v", status, answer)
	}
}

// A refusal stands for the same messages, however the rest of the request
// changes; others go on with the queue.
func TestRefusedAgain(t *testing.T) {
	b := newBench(t)
	ask := func(text, note string, change object) object {
		r := request(object{"messages": []object{user(block(text)), {"role": "system", "content": note}}})
		for k, v := range change {
			r[k] = v
		}
		return r
	}
	b.api.Then(Fail(400, "no"), Say("yes"), Overloaded(), Say("at last"))
	for i, c := range []struct {
		request object
		status  int
	}{
		{ask("one", "a", nil), 400},
		{ask("one", "b", object{"tools": tools("t"), "thinking": nil}), 400},
		{ask("two", "a", nil), 200},
		{ask("three", "a", nil), 529}, // what may pass is not remembered
		{ask("three", "a", nil), 200},
	} {
		if status, answer := b.post(c.request); status != c.status {
			t.Errorf("%d: %d %v, want %d", i, status, answer, c.status)
		}
	}
}

func TestOtherPaths(t *testing.T) {
	s := serve(t, Options{})
	do := func(method, path string, body io.Reader) (int, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, s.url+path, body)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer key")
		resp, err := s.http.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = resp.Body.Close() }()
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, string(text)
	}
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		if status, _ := do(method, "/", nil); status != 200 {
			t.Errorf("%s /: %d", method, status)
		}
	}
	if status, text := do(http.MethodGet, "/v1/models?limit=1", nil); status != 404 || !strings.Contains(text, "not_found_error") {
		t.Errorf("%d %s", status, text)
	}
	if got := s.api.Strays(); len(got) != 1 || got[0] != "GET /v1/models" {
		t.Errorf("strays %v", got)
	}
	status, text := do(http.MethodPost, "/v1/messages/count_tokens", strings.NewReader(`{"model":"m","messages":[{"role":"user","content":"hello world"}]}`))
	if status != 200 || strings.TrimSpace(text) != `{"input_tokens":2}` || s.api.TokenCounts() != 1 {
		t.Errorf("%d %s", status, text)
	}
	if len(s.api.Book()) != 0 {
		t.Error("counting is in the book")
	}
	big := io.LimitReader(endless{}, maxBody+1)
	if status, text := do(http.MethodPost, "/v1/messages", big); status != 413 || !strings.Contains(text, "request_too_large") {
		t.Errorf("too large: %d %s", status, text)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}
