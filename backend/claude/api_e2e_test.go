//go:build e2e

package claude

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// An api is a Messages API on loopback whose model is a function.
type api struct {
	*httptest.Server
	mu       sync.Mutex
	requests []request
	model    func(request) reaction
	n        int
}

// request is what the client asked.
type request struct {
	raw    []byte
	newest string   // the newest message of role user, as JSON
	result bool     // it carries a tool's result
	system string   // as JSON
	tools  []string // names
	model  string
}

// reaction is what the model does: text, or a call of a tool.
type reaction struct {
	text   string
	tool   string
	input  object
	status int             // an HTTP error
	hold   <-chan struct{} // nothing comes before this is closed
	think  int64           // of its output, in tokens; not said when 0
	miss   object          // what the API says of a cache miss; nothing when nil
}

func newAPI(t *testing.T, model func(request) reaction) *api {
	a := &api{model: model}
	a.Server = httptest.NewServer(http.HandlerFunc(a.serve))
	t.Cleanup(func() {
		a.CloseClientConnections()
		a.Close()
	})
	return a
}

// asked returns the requests so far that carry a conversation.
func (a *api) asked() []request {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.requests)
}

func (a *api) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.WriteHeader(http.StatusOK)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	if strings.HasSuffix(r.URL.Path, "/count_tokens") {
		_, _ = io.WriteString(w, `{"input_tokens":10}`)
		return
	}
	q := parse(body)
	a.mu.Lock()
	a.requests = append(a.requests, q)
	a.n++
	id := a.n
	a.mu.Unlock()
	do := a.model(q)
	if do.status != 0 {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(do.status)
		_, _ = io.WriteString(w, `{"type":"error","error":{"type":"invalid_request_error","message":"the model refuses"}}`)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	event := func(kind string, o object) {
		o["type"] = kind
		b, _ := json.Marshal(o)
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", kind, b)
		w.(http.Flusher).Flush()
	}
	if do.hold != nil {
		w.(http.Flusher).Flush()
		select {
		case <-do.hold:
		case <-r.Context().Done():
			return
		}
	}
	start := object{"id": fmt.Sprintf("msg_%d", id), "type": "message", "role": "assistant", "model": q.model,
		"content": []any{}, "stop_reason": nil, "stop_sequence": nil, "usage": object{
			"input_tokens": 5, "cache_creation_input_tokens": 100, "cache_read_input_tokens": 50, "output_tokens": 1,
			"cache_creation": object{"ephemeral_5m_input_tokens": 70, "ephemeral_1h_input_tokens": 30}}}
	if do.miss != nil {
		start["diagnostics"] = object{"cache_miss_reason": do.miss}
	}
	event("message_start", object{"message": start})
	stop := "end_turn"
	if do.tool != "" {
		stop = "tool_use"
		input, _ := json.Marshal(do.input)
		event("content_block_start", object{"index": 0, "content_block": object{"type": "tool_use", "id": fmt.Sprintf("toolu_%d", id), "name": do.tool, "input": object{}}})
		event("content_block_delta", object{"index": 0, "delta": object{"type": "input_json_delta", "partial_json": string(input)}})
	} else {
		event("content_block_start", object{"index": 0, "content_block": object{"type": "text", "text": ""}})
		for word := range strings.SplitAfterSeq(do.text, " ") {
			event("content_block_delta", object{"index": 0, "delta": object{"type": "text_delta", "text": word}})
		}
	}
	event("content_block_stop", object{"index": 0})
	used := object{"output_tokens": 7}
	if do.think > 0 {
		used["output_tokens_details"] = object{"thinking_tokens": do.think}
	}
	event("message_delta", object{"delta": object{"stop_reason": stop, "stop_sequence": nil}, "usage": used})
	event("message_stop", object{})
}

func parse(body []byte) request {
	var m struct {
		Model    string          `json:"model"`
		System   json.RawMessage `json:"system"`
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
		Tools []struct {
			Name string `json:"name"`
		} `json:"tools"`
	}
	_ = json.Unmarshal(body, &m)
	q := request{raw: body, model: m.Model, system: string(m.System)}
	for _, tool := range m.Tools {
		q.tools = append(q.tools, tool.Name)
	}
	for _, message := range m.Messages { // a message of role system may follow the newest of role user
		if message.Role == "user" {
			q.newest = string(message.Content)
		}
	}
	q.result = strings.Contains(q.newest, `"tool_result"`)
	return q
}

// says is a model that always says the same.
func says(text string) func(request) reaction {
	return func(request) reaction { return reaction{text: text} }
}

// calls is a model that calls a tool when it is told a word, and says "done" when it has the result.
func calls(word, tool string, input object) func(request) reaction {
	return func(q request) reaction {
		if !q.result && strings.Contains(q.newest, word) {
			return reaction{tool: tool, input: input}
		}
		return reaction{text: "all done"}
	}
}
