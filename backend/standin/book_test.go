package standin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

func parsed(t *testing.T, body string, headers ...string) Request {
	t.Helper()
	h := http.Header{}
	for i := 0; i+1 < len(headers); i += 2 {
		h.Set(headers[i], headers[i+1])
	}
	r, err := parseRequest(h, []byte(body), time.Time{}, false)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// In the first turn a message of role system comes after the person's.
func TestNewestUserText(t *testing.T) {
	for name, c := range map[string]struct{ messages, want string }{
		"a system message after it": {`{"role":"user","content":[{"type":"text","text":"reminder"},{"type":"text","text":"ask"}]},{"role":"system","content":"environment"}`, "reminder\nask"},
		"a string":                  {`{"role":"user","content":"old"},{"role":"assistant","content":"yes"},{"role":"user","content":"new"}`, "new"},
		"only results":              {`{"role":"user","content":"old"},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]}`, ""},
	} {
		if got := parsed(t, `{"model":"m","max_tokens":1,"messages":[`+c.messages+`]}`).NewestUserText(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestToolResults(t *testing.T) {
	r := parsed(t, `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"go"},
		{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"Bash","input":{"command":"ls"}},{"type":"tool_use","id":"2","name":"Read","input":{}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"a\nb"},{"type":"tool_result","tool_use_id":"2","is_error":true,"content":[{"type":"text","text":"no"},{"type":"text","text":"file"}]}]},
		{"role":"system","content":"note"}]}`)
	got := fmt.Sprint(r.ToolResults())
	if want := "[{1 Bash a\nb false} {2 Read no\nfile true}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if !Answered("Read")(r) || !Answered("")(r) || Answered("Write")(r) {
		t.Error("Answered")
	}
}

func TestKinds(t *testing.T) {
	with := `{"model":"claude-opus-5","max_tokens":1,"tools":[{"name":"Bash","input_schema":{}}],"messages":[{"role":"user","content":"x"}]}`
	without := `{"model":"claude-opus-5","max_tokens":1,"messages":[{"role":"user","content":"x"}]}`
	for i, c := range []struct {
		body    string
		headers []string
		want    Kind
	}{
		{with, []string{"X-Claude-Code-Session-Id", "s"}, Main},
		{with, []string{"X-Claude-Code-Session-Id", "s", "x-claude-code-agent-id", "a"}, Subagent},
		{without, []string{"X-Claude-Code-Session-Id", "s"}, Side},
		{without, nil, Main},
		{strings.Replace(without, "opus-5", "haiku-4-5", 1), nil, Side},
	} {
		if got := parsed(t, c.body, c.headers...).Kind; got != c.want {
			t.Errorf("%d: %s, want %s", i, got, c.want)
		}
	}
}

func TestHashes(t *testing.T) {
	body := func(system, tools string) Request {
		return parsed(t, `{"model":"m","max_tokens":1,"system":`+system+`,"tools":`+tools+`,"messages":[{"role":"user","content":"x"}]}`)
	}
	a := body(`[{"type":"text","text":"s"},{"type":"text","text":"p","cache_control":{"type":"ephemeral"}}]`, `[{"name":"a","input_schema":{"properties":{"cache_control":{}}}}]`)
	moved := body(`[{"type":"text","text":"s","cache_control":{"type":"ephemeral"}},{"type":"text","text":"p"}]`, `[{"cache_control":{"type":"ephemeral"},"name":"a","input_schema":{"properties":{"cache_control":{}}}}]`)
	other := body(`[{"type":"text","text":"s"},{"type":"text","text":"q"}]`, `[{"name":"a","input_schema":{"properties":{}}}]`)
	if a.SystemHash(false) == moved.SystemHash(false) || a.ToolsHash(false) == moved.ToolsHash(false) {
		t.Error("the exact bytes differ, their hashes do not")
	}
	if a.SystemHash(true) != moved.SystemHash(true) || a.ToolsHash(true) != moved.ToolsHash(true) {
		t.Error("a marker that moved changed the hash without markers")
	}
	if a.SystemHash(true) == other.SystemHash(true) || a.ToolsHash(true) == other.ToolsHash(true) {
		t.Error("other content has the same hash")
	}
	if got := a.SystemText(); got != "s\np" || !a.HasTool("a") || a.HasTool("b") {
		t.Errorf("system %q", got)
	}
}

func TestBook(t *testing.T) {
	b := newBench(t, func(o *Options) { o.BookLimit = 3 })
	for i := range 5 {
		b.post(request(object{"messages": []object{user(block(fmt.Sprint("ask ", i)))}}))
	}
	var seen []string
	for _, e := range b.api.Book() {
		seen = append(seen, fmt.Sprint(e.Seq, " ", e.NewestUserText(), " ", e.Status, " ", e.Usage.InputTokens, " ", e.Done))
	}
	if got, want := strings.Join(seen, "; "), "3 ask 2 200 2 true; 4 ask 3 200 2 true; 5 ask 4 200 2 true"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := b.api.Book(Asked("ask 3")); len(got) != 1 || got[0].Seq != 4 || !strings.Contains(string(got[0].Body), "ask 3") || string(got[0].RawMessages) == "" {
		t.Errorf("%+v", got)
	}

	b = newBench(t, func(o *Options) { o.BookBytes = 1000 })
	for range 4 {
		b.post(request(object{"messages": []object{user(block(strings.Repeat("x", 600)))}}))
	}
	if got := b.api.Book(); len(got) != 1 || got[0].Seq != 4 {
		t.Errorf("%d entries", len(got))
	}
}

func TestWaitEndsWithItsContext(t *testing.T) {
	b := newBench(t)
	b.post(request(nil))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got, err := b.api.Wait(ctx, 2)
	if !errors.Is(err, context.Canceled) || len(got) != 1 || !strings.Contains(err.Error(), "1 came") {
		t.Errorf("%v %v", got, err)
	}
	if got, err := b.api.WaitDone(ctx, 1, Asked("hello"), Of(Main), FromSession("")); err != nil || len(got) != 1 {
		t.Errorf("%v %v", got, err)
	}
}
