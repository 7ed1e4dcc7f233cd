package claude

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// parts are what fakes play; each test file adds its own.
var parts = map[string]func(*fake){
	"echo": func(f *fake) {
		f.initialize()
		f.loop()
	},
	"tools": func(f *fake) {
		f.initialize()
		uuid, asked := f.user()
		f.emit(f.init(), replay(uuid, asked))
		id := f.messageID()
		f.emit(
			f.assistant(id, block("thinking", object{"thinking": "hm"})),
			f.assistant(id, text("let me look")),
			f.assistant(id, block("tool_use", object{"id": "toolu_1", "name": "Bash", "input": object{"command": "ls"}})),
			object{"type": "user", "tool_use_result": object{"stdout": "a\nb"}, "message": object{"role": "user", "content": []object{
				block("tool_result", object{"tool_use_id": "toolu_1", "content": "a\nb", "is_error": true}),
			}}},
			object{"type": "assistant", "parent_tool_use_id": "toolu_2", "message": object{
				"id": "msg_sub", "model": "model-b", "content": []object{text("from a subagent")}, "usage": usage(3)}},
			object{"type": "rate_limit_event", "rate_limit_info": object{"status": "allowed_warning", "rateLimitType": "five_hour", "resetsAt": 1700000000, "utilization": 0.9}},
			object{"type": "system", "subtype": "compact_boundary", "compact_metadata": object{"trigger": "auto", "pre_tokens": 170000}},
		)
		f.say("done")
		f.emit(f.result("done", nil))
		f.loop()
	},
	"error": func(f *fake) {
		f.initialize()
		uuid, asked := f.user()
		f.emit(f.init(), replay(uuid, asked),
			object{"type": "assistant", "message": object{"id": "x", "model": syntheticModel, "content": []object{text("API Error: 400")}, "usage": usage(0)}},
			f.result("API Error: 400", object{"is_error": true, "terminal_reason": "api_error", "errors": []string{"bad"}}))
		f.loop()
	},
	"hang": func(f *fake) {
		f.initialize()
		f.user()
		f.emit(f.init(), object{"type": "system", "subtype": "status", "status": "requesting"})
		for {
			f.next() // and never answers
		}
	},
	"interruptible": func(f *fake) {
		f.initialize()
		uuid, asked := f.user()
		f.emit(f.init(), replay(uuid, asked), object{"type": "system", "subtype": "status", "status": "requesting"})
		f.request("interrupt", nil)
		f.emit(f.result("", object{"subtype": "error_during_execution", "is_error": true, "terminal_reason": "aborted_streaming"}))
		f.loop()
	},
	// repeats the message only when it is interrupted, like 2.1.197
	"late": func(f *fake) {
		f.initialize()
		uuid, asked := f.user()
		f.emit(f.init(), object{"type": "system", "subtype": "status", "status": "requesting"})
		f.request("cancel_async_message", object{"cancelled": false})
		f.request("interrupt", nil)
		f.emit(replay(uuid, asked), f.result("", object{"is_error": true, "terminal_reason": "aborted_streaming"}))
		f.loop()
	},
	// begins with the message only after an interrupt that stopped nothing
	"begins late": func(f *fake) {
		f.initialize()
		uuid, asked := f.user()
		f.question("got it", nil)
		f.request("cancel_async_message", object{"cancelled": false})
		f.request("interrupt", nil)
		f.emit(f.init(), replay(uuid, asked))
		f.request("interrupt", nil)
		f.emit(f.result("", object{"is_error": true, "terminal_reason": "aborted_streaming"}))
		f.loop()
	},
	"untaken": func(f *fake) {
		f.initialize()
		f.user()
		f.question("got it", nil)
		f.request("cancel_async_message", object{"cancelled": true})
		f.loop()
	},
	"midline": func(f *fake) {
		f.initialize()
		uuid, asked := f.user()
		f.emit(f.init(), replay(uuid, asked), delta("so far"))
		f.raw(`{"type":"assistant","message":{"id":"msg_1","content":[{"type":"text","te`)
		fmt.Fprint(os.Stderr, "panic: out of cheese")
		os.Exit(42)
	},
	"crash": func(f *fake) {
		f.initialize()
		uuid, asked := f.user()
		f.emit(f.init(), replay(uuid, asked))
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	},
	"deaf": func(f *fake) {
		f.initialize()
		time.Sleep(time.Hour) // reads nothing more
	},
	"wrong": func(f *fake) {
		f.initialize()
		f.user()
		o := f.init()
		o["session_id"] = "99999999-2222-4333-8444-555555555555"
		f.emit(o)
		f.await(func(object) bool { return false })
	},
	"duplicate": func(f *fake) {
		f.initialize()
		uuid, asked := f.user()
		f.emit(replay(uuid, asked))
		f.loop()
	},
	// a local command of 2.1.197: nothing is repeated, no model turn
	"local": func(f *fake) {
		f.initialize()
		f.user()
		f.emit(f.init(), f.result("cost: nothing", object{"num_turns": 0}))
		f.loop()
	},
}

func TestTwoTurns(t *testing.T) {
	s := open(t, options("echo"))
	if s.Info().Version != "" {
		t.Error("before the first turn nothing is known")
	}
	for i := range 2 {
		r, events := ask(t, s, fmt.Sprint("hello ", i))
		if want := fmt.Sprint("you said hello ", i); r.Text != want || r.IsError || r.Native != native {
			t.Errorf("result %+v", r)
		}
		if got := kinds(events); got != "TextDelta Text CallUsage" {
			t.Errorf("events: %s", got)
		}
		want := Usage{Input: 10, CacheRead: 20, CacheWrite5m: 30, Output: 7}
		if r.Usage != want || len(r.Calls) != 1 || r.Calls[0].Usage != want || !r.Calls[0].Main || r.Calls[0].Model != "model-a" {
			t.Errorf("usage %+v, calls %+v", r.Usage, r.Calls)
		}
		if r.CostUSD != 1 || r.APIDuration != 40*time.Millisecond || r.TTFT != 12*time.Millisecond || r.Duration != 100*time.Millisecond || r.NumTurns != 1 {
			t.Errorf("turn %d: cost %v, API %v, first token %v, duration %v", i, r.CostUSD, r.APIDuration, r.TTFT, r.Duration)
		}
	}
	if i := s.Info(); i.Version != "9.9.9" || i.Model != "model-a" || i.PermissionMode != "default" || i.Native != native {
		t.Errorf("info %+v", i)
	}
	if s.Native() != native || s.Record().PID == 0 || s.Record().Mark == "" {
		t.Errorf("native %s, record %+v", s.Native(), s.Record())
	}
}

func TestEventsOfATurn(t *testing.T) {
	r, events := ask(t, open(t, options("tools")), "look")
	want := "CallUsage Thinking Text ToolUse ToolResult CallUsage Text RateLimit Compacted TextDelta Text CallUsage"
	if got := kinds(events); got != want {
		t.Errorf("events:\n%s, want\n%s", got, want)
	}
	use, result := each[ToolUse](events)[0], each[ToolResult](events)[0]
	if use.ID != "toolu_1" || use.Name != "Bash" || string(use.Input) != `{"command":"ls"}` || use.Parent != "" {
		t.Errorf("tool use %+v", use)
	}
	if result.ID != "toolu_1" || result.Text() != "a\nb" || !result.IsError || string(result.Structured) != `{"stdout":"a\nb"}` || result.Duration <= 0 {
		t.Errorf("tool result %+v", result)
	}
	if sub := each[Text](events)[1]; sub.Parent != "toolu_2" || sub.Text != "from a subagent" {
		t.Errorf("a subagent's text %+v", sub)
	}
	if l := each[RateLimit](events)[0]; l.Status != "allowed_warning" || l.Kind != "five_hour" || l.ResetsAt.Unix() != 1700000000 || l.Utilization != 0.9 {
		t.Errorf("rate limit %+v", l)
	}
	if c := each[Compacted](events)[0]; c.Trigger != "auto" || c.PreTokens != 170000 {
		t.Errorf("compacted %+v", c)
	}
	// Three blocks share a message id, and each line carries its usage.
	if len(r.Calls) != 3 || r.Calls[1].Main || r.Calls[1].Model != "model-b" || r.Usage.Input != 30 {
		t.Errorf("calls %+v, usage %+v", r.Calls, r.Usage)
	}
}

func TestAnErrorResultIsAResult(t *testing.T) {
	s := open(t, options("error"))
	r, _ := ask(t, s, "x")
	if !r.IsError || !r.API || r.Interrupted || r.Subtype != "success" || r.TerminalReason != "api_error" || len(r.Errors) != 1 || len(r.Calls) != 0 {
		t.Errorf("result %+v", r)
	}
	if r, _ := ask(t, s, "again"); r.IsError {
		t.Errorf("the session did not live on: %+v", r)
	}
}

func TestOneTurnAtATime(t *testing.T) {
	s := open(t, options("interruptible"))
	begun, first := make(chan struct{}, 9), make(chan error, 1)
	go func() {
		_, err := s.Turn(t.Context(), Message{Text: "x"}, func(Event) { begun <- struct{}{} })
		first <- err
	}()
	<-begun
	if !s.Busy() {
		t.Error("not busy in a turn")
	}
	if _, err := s.Turn(t.Context(), Message{Text: "y"}, nil); !errors.Is(err, ErrBusy) {
		t.Errorf("a second turn: %v", err)
	}
	shut(t, s)
	if err := <-first; CodeOf(err) != CodeClosed {
		t.Errorf("the first: %v", err)
	}
}

func TestAClientThatHangsIsEnded(t *testing.T) {
	o := options("hang")
	o.InterruptGrace = 50 * time.Millisecond
	s := open(t, o)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := s.Turn(ctx, Message{Text: "x"}, func(Event) { cancel() })
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Code != CodeHung || !e.Sent {
		t.Errorf("turn: %#v", err)
	}
	<-s.Done()
	if CodeOf(s.Err()) != CodeHung || s.Busy() {
		t.Errorf("the session says %v, busy %v", s.Err(), s.Busy())
	}
	if _, err := s.Turn(t.Context(), Message{Text: "y"}, nil); CodeOf(err) != CodeHung {
		t.Errorf("a turn of a dead session: %v", err)
	}
	if _, err := s.Request(t.Context(), "mcp_status", nil); CodeOf(err) != CodeHung {
		t.Errorf("a request to a dead session: %v", err)
	}
}

func TestInterrupt(t *testing.T) {
	for _, part := range []string{"interruptible", "late"} {
		s := open(t, options(part))
		ctx, cancel := context.WithCancel(t.Context())
		r, err := s.Turn(ctx, Message{Text: "x"}, func(Event) { cancel() }) // as soon as it has begun
		if err != nil || !r.Interrupted || !r.IsError {
			t.Errorf("%s: %+v, %v", part, r, err)
		}
		if r, _ := ask(t, s, "again"); r.IsError || r.Text != "you said again" {
			t.Errorf("%s: the session did not live on: %+v", part, r)
		}
	}
}

func TestInterruptByHand(t *testing.T) {
	s := open(t, options("interruptible"))
	stop := func(Event) {
		if err := s.Interrupt(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if r, err := s.Turn(t.Context(), Message{Text: "x"}, stop); err != nil || !r.Interrupted {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestAMessageThatWasNotTakenUpIsTakenBack(t *testing.T) {
	o := options("untaken")
	ctx, cancel := context.WithCancel(t.Context())
	o.Permission = func(context.Context, Question) Answer {
		cancel()
		return Answer{}
	}
	s := open(t, o)
	_, err := s.Turn(ctx, Message{Text: "x"}, nil)
	if e, ok := errors.AsType[*Error](err); !ok || e.Code != CodeInterrupted || e.Sent || !errors.Is(err, context.Canceled) {
		t.Errorf("%#v", err)
	}
	if r, _ := ask(t, s, "again"); r.Text != "you said again" {
		t.Errorf("the session did not live on: %+v", r)
	}
}

func TestATurnThatBeginsAfterTheInterruptIsInterruptedAgain(t *testing.T) {
	o := options("begins late")
	ctx, cancel := context.WithCancel(t.Context())
	o.Permission = func(context.Context, Question) Answer {
		cancel()
		return Answer{}
	}
	s := open(t, o)
	if r, err := s.Turn(ctx, Message{Text: "x"}, nil); err != nil || !r.Interrupted {
		t.Errorf("%+v, %v", r, err)
	}
	ask(t, s, "again")
}

func TestAContextThatHasEndedSendsNothing(t *testing.T) {
	s := open(t, options("echo"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.Turn(ctx, Message{Text: "x"}, nil)
	if e, ok := errors.AsType[*Error](err); !ok || e.Code != CodeInterrupted || e.Sent {
		t.Errorf("%#v", err)
	}
	if r, _ := ask(t, s, "again"); r.Text != "you said again" {
		t.Errorf("%+v", r)
	}
}

func TestACrashSaysHowAndWithWhatLastWords(t *testing.T) {
	for part, want := range map[string]string{"midline": "exit status 42", "crash": "signal: killed"} {
		s := open(t, options(part))
		var got []Event
		_, err := s.Turn(t.Context(), Message{Text: "x"}, func(e Event) { got = append(got, e) })
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Code != CodeCrashed || !e.Sent || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", part, err)
		}
		if part == "midline" && (e.Stderr != "panic: out of cheese" || !strings.Contains(err.Error(), e.Stderr) || len(got) != 1) {
			t.Errorf("stderr %q, events %v", e.Stderr, got)
		}
		<-s.Done()
		if CodeOf(s.Err()) != CodeCrashed {
			t.Errorf("%s: the session says %v", part, s.Err())
		}
	}
}

func TestAClientThatDoesNotReadDoesNotBlockUs(t *testing.T) {
	o := options("deaf")
	o.InterruptGrace = 50 * time.Millisecond
	s := open(t, o)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer cancel()
		for begun := false; !begun; time.Sleep(time.Millisecond) {
			s.out.mu.Lock()
			begun = len(s.out.lines) > 0 && s.out.lines[0].begun
			s.out.mu.Unlock()
		}
	}()
	_, err := s.Turn(ctx, Message{Text: strings.Repeat("x", 4<<20)}, nil)
	if CodeOf(err) != CodeHung {
		t.Errorf("turn: %v", err)
	}
}

func TestAnotherSessionThanAskedForIsAnError(t *testing.T) {
	for _, resume := range []bool{false, true} {
		o := options("wrong")
		o.Resume = resume
		s := open(t, o)
		_, err := s.Turn(t.Context(), Message{Text: "x"}, nil)
		if CodeOf(err) != CodeWrongSession || !strings.Contains(err.Error(), "99999999") {
			t.Errorf("resume %v: %v", resume, err)
		}
		<-s.Done()
	}
}

func TestAMessageTheSessionHoldsAlready(t *testing.T) {
	s := open(t, options("duplicate"))
	s.duplicateGrace = 10 * time.Millisecond
	_, err := s.Turn(t.Context(), Message{UUID: "12345678-2222-4333-8444-555555555555", Text: "x"}, nil)
	if CodeOf(err) != CodeDuplicate {
		t.Errorf("%v", err)
	}
	if r, _ := ask(t, s, "again"); r.Text != "you said again" {
		t.Errorf("the session did not live on: %+v", r)
	}
}

func TestAResultWithoutTheModelIsOurs(t *testing.T) {
	s := open(t, options("local"))
	if r, _ := ask(t, s, "/cost"); r.Text != "cost: nothing" {
		t.Errorf("%+v", r)
	}
	ask(t, s, "again")
}

func TestBusyAndChanged(t *testing.T) {
	o := options("interruptible")
	var changes atomic.Int64
	o.Changed = func() { changes.Add(1) }
	s := open(t, o)
	if s.Busy() {
		t.Error("busy before the first turn")
	}
	stop := func(Event) {
		if !s.Busy() {
			t.Error("not busy in a turn")
		}
		_ = s.Interrupt(t.Context())
	}
	if _, err := s.Turn(t.Context(), Message{Text: "x"}, stop); err != nil {
		t.Fatal(err)
	}
	if s.Busy() {
		t.Error("busy after the turn")
	}
	shut(t, s)
	if changes.Load() < 2 {
		t.Errorf("%d changes were told", changes.Load())
	}
}

func TestRequests(t *testing.T) {
	s := open(t, options("requests"))
	if err := s.SetModel(t.Context(), "sonnet"); err != nil {
		t.Error(err)
	}
	err := s.SetPermissionMode(t.Context(), "plan")
	if CodeOf(err) != CodeRefused || !strings.Contains(err.Error(), "no plans here") {
		t.Errorf("a refusal: %v", err)
	}
	u, err := s.ContextUsage(t.Context())
	if err != nil || u.Total != 155 || u.Max != 200000 || len(u.Categories) != 1 || u.Categories[0].Tokens != 80 || !json.Valid(u.Raw) {
		t.Errorf("context usage %+v, %v", u, err)
	}
	servers, err := s.Servers(t.Context())
	if err != nil || len(servers) != 2 || servers[0].Error != "ENOENT" || servers[1].Info.Version != "2" || servers[1].Scope != "user" {
		t.Errorf("servers %+v, %v", servers, err)
	} else if tools := servers[1].Tools; len(tools) != 2 || !tools[0].Notes.ReadOnly || tools[0].Description != "" || tools[1].Description != "Says bye." {
		t.Errorf("tools %+v", tools)
	}
	if m, err := s.Memory(t.Context()); err != nil || m.Processes != 1 || m.Bytes == 0 {
		t.Errorf("memory %+v, %v", m, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := s.Request(ctx, "unanswered", nil); CodeOf(err) != CodeInterrupted {
		t.Errorf("a request without answer: %v", err)
	}
}

func init() {
	parts["requests"] = func(f *fake) {
		f.initialize()
		if r := f.request("set_model", object{"model": "sonnet"}); r["model"] != "sonnet" {
			os.Exit(4)
		}
		o := f.next()
		f.emit(object{"type": "control_response", "response": object{"subtype": "error", "request_id": o["request_id"], "error": "no plans here"}})
		f.request("get_context_usage", object{"totalTokens": 155, "maxTokens": 200000, "categories": []object{{"name": "System prompt", "tokens": 80}}})
		f.request("mcp_status", object{"mcpServers": []object{
			{"name": "broken", "status": "failed", "error": "ENOENT", "config": object{"env": object{"KEY": "secret"}}},
			{"name": "helper", "status": "connected", "serverInfo": object{"name": "helper", "version": "2"}, "scope": "user", "tools": []object{
				{"name": "greet", "annotations": object{"readOnly": true}}, {"name": "leave", "description": "Says bye."},
			}},
		}})
		f.loop()
	}
}
