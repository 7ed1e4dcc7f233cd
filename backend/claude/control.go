package claude

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"time"
)

// reply is the client's answer to a request of ours.
type reply struct {
	response json.RawMessage
	err      error
}

// Request sends a control request of any kind and returns the response's payload (nil when there is none). A client that
// does not know the kind, or refuses, gives CodeRefused with its own words.
func (s *Session) Request(ctx context.Context, subtype string, fields map[string]any) (json.RawMessage, error) {
	fail := func(code Code, err error) error {
		return &Error{Code: code, Op: "request " + subtype, Err: err}
	}
	request := map[string]any{}
	maps.Copy(request, fields)
	request["subtype"] = subtype
	answer := make(chan reply, 1)
	s.mu.Lock()
	if s.err != nil {
		defer s.mu.Unlock()
		return nil, fail(CodeOf(s.err), s.err)
	}
	s.requestSeq++
	id := "hearth-" + strconv.Itoa(s.requestSeq)
	s.requests[id] = answer
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.requests, id)
		s.mu.Unlock()
	}()
	line, err := json.Marshal(map[string]any{"type": "control_request", "request_id": id, "request": request})
	if err != nil {
		return nil, fail(CodeRefused, err)
	}
	if _, err := s.out.write(ctx, line); err != nil && ctx.Err() == nil {
		select {
		case <-s.failed: // the pipe broke because the process is gone, and that says more
		case <-ctx.Done():
		case <-time.After(2 * lastWords):
			return nil, fail(CodeCrashed, err)
		}
	}
	select {
	case r := <-answer:
		if r.err != nil {
			return nil, fail(CodeRefused, r.err)
		}
		return r.response, nil
	case <-s.failed:
		s.mu.Lock()
		defer s.mu.Unlock()
		return nil, fail(CodeOf(s.err), s.err)
	case <-ctx.Done():
		return nil, fail(CodeInterrupted, context.Cause(ctx))
	}
}

// replied takes the client's answer to a request of ours.
func (s *Session) replied(raw json.RawMessage) {
	var response struct {
		Subtype   string          `json:"subtype"`
		RequestID string          `json:"request_id"`
		Response  json.RawMessage `json:"response"`
		Error     string          `json:"error"`
	}
	if err := decode(raw, &response); err != nil {
		s.log.Warn("a control response that can't be read", "error", err)
		return
	}
	r := reply{response: response.Response}
	if response.Subtype != "success" {
		r.err = errors.New(response.Error)
		if response.Error == "" {
			r.err = fmt.Errorf("a response of subtype %q", response.Subtype)
		}
	}
	s.mu.Lock()
	answer := s.requests[response.RequestID]
	delete(s.requests, response.RequestID)
	s.mu.Unlock()
	if answer != nil {
		answer <- r
	}
}

// Interrupt stops what the client does now. The result of the interrupted turn follows; the session lives on. Of a client
// that is idle it is a no-op.
func (s *Session) Interrupt(ctx context.Context) error {
	_, err := s.Request(ctx, "interrupt", nil)
	return err
}

// SetModel changes the model from the next call on; "default" is the person's own choice. It breaks the cached prefix.
func (s *Session) SetModel(ctx context.Context, model string) error {
	_, err := s.Request(ctx, "set_model", map[string]any{"model": model})
	return err
}

// SetPermissionMode changes the permission mode: default, acceptEdits, plan, bypassPermissions, ...
func (s *Session) SetPermissionMode(ctx context.Context, mode string) error {
	_, err := s.Request(ctx, "set_permission_mode", map[string]any{"mode": mode})
	return err
}

// ContextUsage is what fills the context window now.
type ContextUsage struct {
	Total      int64 `json:"totalTokens"`
	Max        int64 `json:"maxTokens"`
	Categories []struct {
		Name   string `json:"name"`
		Tokens int64  `json:"tokens"`
	} `json:"categories"`
	Raw json.RawMessage `json:"-"`
}

// ContextUsage asks the client what fills its context window. The client estimates; it takes it up to a second.
func (s *Session) ContextUsage(ctx context.Context) (ContextUsage, error) {
	raw, err := s.Request(ctx, "get_context_usage", nil)
	if err != nil {
		return ContextUsage{}, err
	}
	u := ContextUsage{Raw: raw}
	if err := decode(raw, &u); err != nil {
		return ContextUsage{}, &Error{Code: CodeRefused, Op: "request get_context_usage", Err: err}
	}
	return u, nil
}
