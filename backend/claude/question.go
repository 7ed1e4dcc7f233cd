package claude

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

// A question is a request of the client that waits for our answer. Whoever removes it from the session's map has the right
// to answer it, so that it is answered once.
type question struct {
	agent   string // of a permission: the subagent that asks; empty: the main thread
	permit  bool   // it is a permission, which ends with its turn
	instead any    // the answer when its context ends first
	cancel  context.CancelFunc
}

// nobody is the reason of a permission that nobody gave.
const nobody = "Nobody answered this question before the turn or the session ended."

// wirePermission is the answer to can_use_tool.
type wirePermission struct {
	Behavior    string          `json:"behavior"` // allow, deny
	Input       json.RawMessage `json:"updatedInput,omitempty"`
	Permissions json.RawMessage `json:"updatedPermissions,omitempty"`
	Message     string          `json:"message,omitempty"`
	Interrupt   bool            `json:"interrupt,omitempty"`
}

// ask takes a request of the client's. It is called by the reader and returns at once.
func (s *Session) ask(id string, raw json.RawMessage) {
	var r struct {
		Subtype    string          `json:"subtype"`
		CallbackID string          `json:"callback_id"`
		Input      json.RawMessage `json:"input"`
		Server     string          `json:"server_name"`
		Message    json.RawMessage `json:"message"`
	}
	if err := decode(raw, &r); err != nil {
		s.refuse(id, "the request can't be read: "+err.Error())
		return
	}
	switch r.Subtype {
	case "can_use_tool":
		q := Question{ID: id, Raw: raw}
		if err := decode(raw, &q); err != nil {
			s.refuse(id, "the question can't be read: "+err.Error())
			return
		}
		deny := wirePermission{Behavior: "deny", Message: nobody}
		s.open(id, &question{agent: q.AgentID, permit: true, instead: deny}, 0, func(ctx context.Context) any { return s.permission(ctx, q) })
	case "hook_callback":
		h := s.hook(r.CallbackID)
		if h == nil {
			s.log.Warn("a hook that is not ours", "callback", r.CallbackID)
			s.answer(id, struct{}{})
			return
		}
		s.open(id, &question{instead: struct{}{}}, h.Timeout, func(ctx context.Context) any { return s.callHook(ctx, h, r.Input) })
	case "mcp_message":
		b := s.bridges[r.Server]
		if b == nil {
			s.refuse(id, fmt.Sprintf("no MCP server %q here", r.Server))
			return
		}
		b.deliver(id, r.Message)
	default:
		// elicitation, request_user_dialog and whatever comes next: an error now is better than a turn that hangs.
		s.log.Info("refused a request of an unknown kind", "subtype", r.Subtype)
		s.refuse(id, fmt.Sprintf("this host does not support %q", r.Subtype))
	}
}

// open has work answer the question, on a goroutine of its own.
func (s *Session) open(id string, q *question, timeout time.Duration, work func(context.Context) any) {
	ctx, cancel := context.WithCancel(context.Background())
	if timeout > 0 {
		ctx, cancel = context.WithTimeout(ctx, timeout)
	}
	q.cancel = cancel
	s.mu.Lock()
	if s.err != nil || s.questions[id] != nil {
		s.mu.Unlock()
		cancel()
		return
	}
	s.questions[id] = q
	s.changed()
	s.spawn(func() {
		defer cancel()
		stop := context.AfterFunc(ctx, func() { s.settle(id, q, q.instead) })
		answer := work(ctx)
		stop()
		if ctx.Err() != nil {
			answer = q.instead // too late, whether or not the function above has begun
		}
		s.settle(id, q, answer)
	})
	s.mu.Unlock()
}

// settle answers the question if that has not been done, and if the client still waits.
func (s *Session) settle(id string, q *question, answer any) {
	if s.remove(id, q) {
		s.answer(id, answer)
	}
}

func (s *Session) remove(id string, q *question) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.questions[id] != q {
		return false
	}
	delete(s.questions, id)
	s.changed()
	return true
}

// withdraw takes a question back: the client does not want the answer any more.
func (s *Session) withdraw(id string) {
	s.mu.Lock()
	q := s.questions[id]
	delete(s.questions, id)
	s.changed()
	s.mu.Unlock()
	if q != nil {
		q.cancel()
		return
	}
	for _, b := range s.bridges {
		b.withdraw(id)
	}
}

// endQuestions ends the permissions that belong to the turn that is over. A background subagent's goes on as long as there
// is anything in the background. The lock is held.
func (s *Session) endQuestions() {
	for _, q := range s.questions {
		if q.permit && (q.agent == "" || s.tasks.count() == 0) {
			q.cancel()
		}
	}
}

// dropQuestions answers every open question with its no.
func (s *Session) dropQuestions() {
	s.mu.Lock()
	open := s.questions
	s.questions = map[string]*question{}
	s.mu.Unlock()
	for id, q := range open {
		s.answer(id, q.instead)
		q.cancel()
	}
}

func (s *Session) permission(ctx context.Context, q Question) (answer any) {
	deny := func(why string) any { return wirePermission{Behavior: "deny", Message: why} }
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("the permission callback panicked", "panic", p, "stack", string(debug.Stack()))
			answer = deny("The question could not be put to anybody: an error in Hearth.")
		}
	}()
	if s.opts.Permission == nil {
		return deny("This tool needs a permission, and there is nobody here to give it.")
	}
	a := s.opts.Permission(ctx, q)
	if !a.Allow {
		if a.Message == "" {
			a.Message = "The permission was refused."
		}
		return wirePermission{Behavior: "deny", Message: a.Message, Interrupt: a.Interrupt}
	}
	input := a.Input
	if !json.Valid(input) {
		input = q.Input
	}
	return wirePermission{Behavior: "allow", Input: input, Permissions: a.Permissions}
}

func (s *Session) callHook(ctx context.Context, h *Hook, raw json.RawMessage) (answer any) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("a hook panicked", "event", h.Event, "panic", p, "stack", string(debug.Stack()))
			answer = struct{}{}
		}
	}()
	in := HookInput{Raw: raw}
	err := decode(raw, &in)
	var out json.RawMessage
	if err == nil {
		out, err = h.Call(ctx, in)
	}
	if err == nil && out != nil && !json.Valid(out) {
		err = errors.New("its output is not JSON")
	}
	if err != nil {
		s.log.Error("a hook failed", "event", h.Event, "tool", in.ToolName, "error", err)
		return struct{}{}
	}
	if out == nil {
		return struct{}{}
	}
	return out
}

// hook finds a hook by the id under which the client was told of it.
func (s *Session) hook(id string) *Hook {
	if n, err := strconv.Atoi(strings.TrimPrefix(id, hookPrefix)); err == nil && n >= 0 && n < len(s.opts.Hooks) {
		return &s.opts.Hooks[n]
	}
	return nil
}

const hookPrefix = "h"

// hookTable is what `initialize` says of our hooks.
func (s *Session) hookTable() map[string]any {
	type matcher struct {
		Matcher string   `json:"matcher,omitempty"`
		IDs     []string `json:"hookCallbackIds"`
		Timeout float64  `json:"timeout,omitempty"` // whole seconds
	}
	table := map[string]any{}
	for i, h := range s.opts.Hooks {
		list, _ := table[h.Event].([]matcher)
		table[h.Event] = append(list, matcher{h.Matcher, []string{hookPrefix + strconv.Itoa(i)}, math.Ceil(h.Timeout.Seconds())})
	}
	return table
}

// answer sends a successful response.
func (s *Session) answer(id string, response any) {
	s.respond(id, map[string]any{"subtype": "success", "request_id": id, "response": response})
}

// refuse sends an error response.
func (s *Session) refuse(id, why string) {
	s.respond(id, map[string]any{"subtype": "error", "request_id": id, "error": why})
}

func (s *Session) respond(id string, response map[string]any) {
	line, err := json.Marshal(map[string]any{"type": "control_response", "response": response})
	if err != nil {
		s.log.Error("an answer that is no JSON", "error", err)
		s.refuse(id, "the answer could not be encoded")
		return
	}
	if _, err := s.out.put(line); errors.Is(err, errNotReading) {
		s.fail(&Error{Code: CodeHung, Op: "answer the client", Err: err, Sent: true})
		s.end()
	}
}
