package claude

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
)

// BenchmarkTurn is a whole turn against a client that answers at once: what this package costs, with the pipe, the terminal
// and the fake's own work.
func BenchmarkTurn(b *testing.B) {
	s := open(b, options("echo"))
	m := Message{Text: "hello"}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Turn(b.Context(), m, func(Event) {}); err != nil {
			b.Fatal(err)
		}
	}
}

// hooksAsked is how many hooks a turn of BenchmarkHook asks, one after the other.
const hooksAsked = 200

func init() {
	parts["many hooks"] = func(f *fake) {
		f.initialize()
		for {
			uuid, asked := f.user()
			f.emit(f.init(), replay(uuid, asked))
			for range hooksAsked {
				id := f.messageID()
				f.emit(object{"type": "control_request", "request_id": id, "request": object{"subtype": "hook_callback", "callback_id": "h0",
					"input": object{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": object{"command": "git status -s"}, "tool_use_id": id}}})
				f.response(id)
			}
			f.say("done")
			f.emit(f.result("done", nil))
		}
	}
}

// BenchmarkHook is a hook there and back, from the client's question to its having read the answer, with the terminal, the
// pipe and the fake's own reading of JSON, and without what the hook decides.
func BenchmarkHook(b *testing.B) {
	o := options("many hooks")
	denied, err := json.Marshal(map[string]any{"hookSpecificOutput": map[string]any{"hookEventName": "PreToolUse"}})
	if err != nil {
		b.Fatal(err)
	}
	asked := 0
	o.Hooks = []Hook{{Event: "PreToolUse", Call: func(context.Context, HookInput) (json.RawMessage, error) {
		asked++
		return denied, nil
	}}}
	s := open(b, o)
	for b.Loop() {
		if _, err := s.Turn(b.Context(), Message{Text: "hello"}, nil); err != nil {
			b.Fatal(err)
		}
	}
	if want := b.N * hooksAsked; asked < want {
		b.Fatal(fmt.Errorf("%d hooks were asked, want %d", asked, want))
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(asked), "µs/hook")
}
