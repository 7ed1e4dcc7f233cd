package claude

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
)

// question asks for a permission and returns the answer.
func (f *fake) question(id string, rest object) {
	r := object{"subtype": "can_use_tool", "tool_name": "Bash", "input": object{"command": "rm x"}, "tool_use_id": "toolu_1",
		"permission_suggestions": []object{{"type": "addRules"}}, "blocked_path": "/x", "decision_reason": "because"}
	for k, v := range rest {
		r[k] = v
	}
	f.emit(object{"type": "control_request", "request_id": id, "request": r})
}

// said is the payload of a response, as JSON.
func said(response object) string {
	b, _ := json.Marshal(response["response"])
	if response["subtype"] != "success" {
		b, _ = json.Marshal(response["error"])
		return response["subtype"].(string) + " " + string(b)
	}
	return string(b)
}

// inTurn is a turn whose answer is what body returns.
func (f *fake) inTurn(body func() string) {
	uuid, asked := f.user()
	f.emit(f.init(), replay(uuid, asked))
	f.emit(f.result(body(), nil))
}

// quiet waits until everything that was sent before has been read, and returns the responses among it.
func (f *fake) quiet() (responses []string) {
	f.emit(object{"type": "control_request", "request_id": "quiet", "request": object{"subtype": "is_anybody_there"}})
	f.response("quiet")
	for _, o := range f.seen {
		if r, ok := o["response"].(object); ok {
			responses = append(responses, r["request_id"].(string))
		}
	}
	return responses
}

func init() {
	parts["permission"] = func(f *fake) {
		f.initialize()
		f.inTurn(func() string {
			f.question("q1", nil)
			return said(f.response("q1"))
		})
		f.loop()
	}
	parts["cancel"] = func(f *fake) {
		f.initialize()
		f.inTurn(func() string {
			f.question("q1", nil)
			f.emit(object{"type": "control_cancel_request", "request_id": "q1"})
			f.emit(object{"type": "control_cancel_request", "request_id": "unheard of"})
			f.question("q2", nil) // the test answers it after q1 has returned
			f.response("q2")
			return strings.Join(f.quiet(), " ")
		})
		f.loop()
	}
	// asks, and ends the turn without waiting; a subagent's question in the background lives on
	parts["turn end"] = func(f *fake) {
		f.initialize()
		uuid, asked := f.user()
		f.emit(f.init(), replay(uuid, asked))
		f.taskStarts("t1")
		f.question("main", nil)
		f.question("sub", object{"agent_id": "a1"})
		f.emit(f.result("over", object{"queued_turn_count": 0}))
		main := said(f.response("main"))
		uuid, asked = f.user()
		f.emit(f.init(), replay(uuid, asked), f.result(main+" "+strings.Join(f.quiet(), " "), object{"queued_turn_count": 0}))
		f.loop()
	}
	parts["unknown request"] = func(f *fake) {
		f.initialize()
		f.inTurn(func() string {
			f.emit(object{"type": "control_request", "request_id": "e1", "request": object{"subtype": "elicitation"}},
				object{"type": "control_request", "request_id": "m1", "request": object{"subtype": "mcp_message", "server_name": "nobody", "message": object{}}},
				object{"type": "control_request", "request_id": "x1", "request": "not even an object"})
			return said(f.response("e1")) + said(f.response("m1")) + said(f.response("x1"))
		})
		f.loop()
	}
	parts["hooks"] = func(f *fake) {
		init := f.initialize()
		f.inTurn(func() string {
			table, _ := json.Marshal(init["hooks"])
			out := string(table)
			for _, id := range []string{"h0", "h1", "h2", "h3", "h4", "h5", "h99", "nonsense"} {
				f.emit(object{"type": "control_request", "request_id": id, "request": object{"subtype": "hook_callback", "callback_id": id,
					"input": object{"hook_event_name": "PreToolUse", "tool_name": "Bash", "agent_id": "a7", "tool_input": object{"command": "ls"}, "tool_use_id": "toolu_9"}}})
				out += "\n" + id + " " + said(f.response(id))
			}
			return out
		})
		f.loop()
	}
	// keeps a question open, and says on its error output what was answered when its input ends
	parts["open question"] = func(f *fake) {
		f.initialize()
		uuid, asked := f.user()
		f.emit(f.init(), replay(uuid, asked))
		f.question("q1", nil)
		println(said(f.response("q1")))
		f.loop()
	}
}

func TestPermission(t *testing.T) {
	for name, c := range map[string]struct {
		decide func(context.Context, Question) Answer
		want   string
	}{
		"yes": {func(context.Context, Question) Answer { return Answer{Allow: true} }, `{"behavior":"allow","updatedInput":{"command":"rm x"}}`},
		"yes, another input, always": {func(_ context.Context, q Question) Answer {
			return Answer{Allow: true, Input: json.RawMessage(`{"command":"ls"}`), Permissions: q.Suggestions}
		}, `{"behavior":"allow","updatedInput":{"command":"ls"},"updatedPermissions":[{"type":"addRules"}]}`},
		"yes, with an input that is no JSON": {func(context.Context, Question) Answer {
			return Answer{Allow: true, Input: json.RawMessage(`{`)}
		}, `{"behavior":"allow","updatedInput":{"command":"rm x"}}`},
		"no":              {func(context.Context, Question) Answer { return Answer{} }, `{"behavior":"deny","message":"The permission was refused."}`},
		"no, and a stop":  {func(context.Context, Question) Answer { return Answer{Message: "never", Interrupt: true} }, `{"behavior":"deny","interrupt":true,"message":"never"}`},
		"nobody to ask":   {nil, `{"behavior":"deny","message":"This tool needs a permission, and there is nobody here to give it."}`},
		"a panic":         {func(context.Context, Question) Answer { panic("oh") }, `{"behavior":"deny","message":"The question could not be put to anybody: an error in Hearth."}`},
		"always, no JSON": {func(context.Context, Question) Answer { return Answer{Allow: true, Permissions: json.RawMessage("{")} }, `error "the answer could not be encoded"`},
	} {
		t.Run(name, func(t *testing.T) {
			o := options("permission")
			var asked Question
			if c.decide != nil {
				o.Permission = func(ctx context.Context, q Question) Answer {
					asked = q
					return c.decide(ctx, q)
				}
			}
			r, _ := ask(t, open(t, o), "x")
			if r.Text != c.want {
				t.Errorf("the client got %s, want %s", r.Text, c.want)
			}
			if c.decide == nil {
				return
			}
			asked.Raw = nil
			want := Question{ID: "q1", Tool: "Bash", Input: json.RawMessage(`{"command":"rm x"}`), ToolUseID: "toolu_1",
				Suggestions: json.RawMessage(`[{"type":"addRules"}]`), BlockedPath: "/x", Reason: "because"}
			if !reflect.DeepEqual(asked, want) {
				t.Errorf("asked %+v", asked)
			}
		})
	}
}

func TestACancelledQuestionIsNotAnswered(t *testing.T) {
	o := options("cancel")
	over := make(chan error, 1)
	o.Permission = func(ctx context.Context, q Question) Answer {
		if q.ID == "q1" {
			<-ctx.Done()
			over <- ctx.Err()
			return Answer{Allow: true}
		}
		if err := <-over; !errors.Is(err, context.Canceled) {
			t.Errorf("its context: %v", err)
		}
		return Answer{}
	}
	if r, _ := ask(t, open(t, o), "x"); r.Text != "" {
		t.Errorf("answered all the same: %s", r.Text)
	}
}

func TestTheEndOfTheTurnEndsItsQuestions(t *testing.T) {
	o := options("turn end")
	ended := make(chan string, 2)
	o.Permission = func(ctx context.Context, q Question) Answer {
		<-ctx.Done()
		ended <- q.ID
		return Answer{Allow: true} // too late
	}
	s := open(t, o)
	ask(t, s, "x")
	if id := <-ended; id != "main" {
		t.Errorf("%s ended", id)
	}
	if !s.Busy() {
		t.Error("a question is open, and it is not busy")
	}
	r, _ := ask(t, s, "y")
	if want := `{"behavior":"deny","message":"` + nobody + `"} `; r.Text != want {
		t.Errorf("the client got %q, want %q", r.Text, want)
	}
	select {
	case id := <-ended:
		t.Errorf("%s ended with the turn", id)
	default:
	}
}

func TestARequestWeDoNotKnowIsRefusedAtOnce(t *testing.T) {
	want := `error "this host does not support \"elicitation\""error "no MCP server \"nobody\" here"error "this host does not support \"\""`
	if r, _ := ask(t, open(t, options("unknown request")), "x"); r.Text != want {
		t.Errorf("the client got %s", r.Text)
	}
}

func TestHooks(t *testing.T) {
	o := options("hooks")
	var got HookInput
	deny := `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}`
	o.Hooks = []Hook{
		{Event: "PreToolUse", Matcher: "Bash|Write", Timeout: 1500 * time.Millisecond, Call: func(_ context.Context, in HookInput) (json.RawMessage, error) {
			got = in
			return json.RawMessage(deny), nil
		}},
		{Event: "PreToolUse", Call: func(context.Context, HookInput) (json.RawMessage, error) { return nil, errors.New("no") }},
		{Event: "Stop", Call: func(context.Context, HookInput) (json.RawMessage, error) { panic("no") }},
		{Event: "Stop", Call: func(context.Context, HookInput) (json.RawMessage, error) { return json.RawMessage("{"), nil }},
		{Event: "Stop", Call: func(context.Context, HookInput) (json.RawMessage, error) { return nil, nil }},
		{Event: "Stop", Timeout: time.Millisecond, Call: func(ctx context.Context, _ HookInput) (json.RawMessage, error) {
			<-ctx.Done()
			return json.RawMessage(deny), nil
		}},
	}
	r, _ := ask(t, open(t, o), "x")
	want := `{"PreToolUse":[{"hookCallbackIds":["h0"],"matcher":"Bash|Write","timeout":2},{"hookCallbackIds":["h1"]}],` +
		`"Stop":[{"hookCallbackIds":["h2"]},{"hookCallbackIds":["h3"]},{"hookCallbackIds":["h4"]},{"hookCallbackIds":["h5"],"timeout":1}]}` +
		"\nh0 " + deny + "\nh1 {}\nh2 {}\nh3 {}\nh4 {}\nh5 {}\nh99 {}\nnonsense {}"
	if r.Text != want {
		t.Errorf("the client got\n%s\nwant\n%s", r.Text, want)
	}
	if got.Event != "PreToolUse" || got.ToolName != "Bash" || got.AgentID != "a7" || string(got.ToolInput) != `{"command":"ls"}` || got.ToolUseID != "toolu_9" || !json.Valid(got.Raw) {
		t.Errorf("the hook was told %+v", got)
	}
}

func TestCloseAnswersOpenQuestions(t *testing.T) {
	o := options("open question")
	asked := make(chan struct{})
	o.Permission = func(ctx context.Context, _ Question) Answer {
		close(asked)
		<-ctx.Done()
		return Answer{Allow: true}
	}
	s := open(t, o)
	turn := make(chan error)
	go func() {
		_, err := s.Turn(t.Context(), Message{Text: "x"}, nil)
		turn <- err
	}()
	<-asked
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if err := <-turn; CodeOf(err) != CodeClosed {
		t.Errorf("the turn: %v", err)
	}
	if want := `{"behavior":"deny","message":"` + nobody + `"}`; !strings.Contains(s.proc.StderrTail(), want) {
		t.Errorf("the client says it got %s", s.proc.StderrTail())
	}
	if s.Err() != nil {
		t.Errorf("an orderly end: %v", s.Err())
	}
}

func TestCloseIsBoundedThoughACallbackNeverReturns(t *testing.T) {
	o := options("open question")
	asked, release := make(chan struct{}), make(chan struct{})
	o.Permission = func(context.Context, Question) Answer {
		close(asked)
		<-release
		return Answer{}
	}
	s, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = s.Turn(t.Context(), Message{Text: "x"}, nil) }()
	<-asked
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Close(ctx); err == nil || !strings.Contains(err.Error(), "callbacks still run") {
		t.Errorf("close: %v", err)
	}
	<-s.Done()
	close(release)
	if err := s.Close(t.Context()); err != nil {
		t.Errorf("close again: %v", err)
	}
}
