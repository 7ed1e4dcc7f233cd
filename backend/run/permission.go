package run

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"time"

	"hearth/backend/chat"
)

// Question is what an agent's client asks before it runs a tool.
type Question struct {
	Tool        string
	Input       json.RawMessage
	AgentID     string
	Reason      string
	BlockedPath string
	Workspace   string
	Rules       []string // what "always" could allow, narrowest first
}

// Verdict answers a question.
type Verdict struct {
	Allow   bool
	Rule    string // the rule to allow from now on; "" is this call only
	Message string // why not, which the agent reads
}

// Permit asks a person and waits for the answer. The question is stored first;
// when ctx ends (the client withdrew it, the turn was stopped, Hearth shuts
// down) it is closed as denied.
func (s *Service) Permit(ctx context.Context, key Key, q Question) Verdict {
	allowed, err := s.ruled(ctx, key.BindingID, q)
	if err != nil {
		s.log.Warn("read the rules of a binding", "binding", key.BindingID, "error", err)
	}
	if allowed {
		return Verdict{Allow: true}
	}
	p := Permission{
		ID: chat.NewID(s.clock()), RunID: s.At(key), ChannelID: key.ChannelID, BindingID: key.BindingID, Tool: q.Tool, Input: q.Input,
		AgentID: q.AgentID, Reason: q.Reason, BlockedPath: q.BlockedPath, Workspace: q.Workspace,
		Rules: q.Rules, State: PermissionOpen,
	}
	answered := make(chan Verdict, 1)
	s.mutex.Lock()
	s.asked[p.ID] = answered // before anyone can see the question, and answer it
	s.mutex.Unlock()
	defer func() {
		s.mutex.Lock()
		delete(s.asked, p.ID)
		s.mutex.Unlock()
	}()
	if p, err = s.store.Ask(ctx, p); err != nil {
		s.log.Error("store a permission question", "binding", key.BindingID, "error", err)
		return Verdict{Message: "Hearth could not ask a person: " + err.Error()}
	}
	s.publishPermission(EventPermissionAsked, p)
	select {
	case v := <-answered:
		return v
	case <-ctx.Done():
		return s.withdraw(ctx, p, answered)
	}
}

// withdraw closes a question that nobody will answer any more.
func (s *Service) withdraw(ctx context.Context, p Permission, answered <-chan Verdict) Verdict {
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishWithin)
	defer cancel()
	closed, err := s.store.Answer(bounded, p.ID, PermissionDenied, "", "Nobody answered before the turn ended.")
	switch {
	case chat.CodeOf(err) == chat.CodeConflict:
		// An answer was stored in the same moment; it is on its way to us.
		select {
		case v := <-answered:
			return v
		case <-time.After(finishWithin):
		}
	case err != nil:
		s.log.Error("close a permission question", "permission", p.ID, "error", err)
	default:
		s.publishPermission(EventPermissionAnswered, closed)
	}
	return Verdict{Message: "Nobody answered before the turn ended."}
}

// ruled says whether a rule for this very call was allowed for good. Rules in
// the client's own syntax are the client's to apply.
func (s *Service) ruled(ctx context.Context, bindingID string, q Question) (bool, error) {
	rules, err := s.store.Rules(ctx, bindingID)
	if err != nil {
		return false, err
	}
	for _, rule := range rules {
		if rule.Text == "" && rule.Tool == q.Tool && bytes.Equal(compact(rule.Input), compact(q.Input)) {
			return true, nil
		}
	}
	return false, nil
}

// compact brings JSON into one form, so that equal input compares equal.
func compact(raw json.RawMessage) []byte {
	var value any
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if decoder.Decode(&value) != nil {
		return raw
	}
	out, err := json.Marshal(value)
	if err != nil {
		return raw
	}
	return out
}

// AnswerPermission takes a person's answer to an open question.
func (s *Service) AnswerPermission(ctx context.Context, id string, a Answer) (Permission, error) {
	p, err := s.store.Permission(ctx, id)
	if err != nil {
		return Permission{}, err
	}
	state, verdict := PermissionDenied, Verdict{}
	switch a.Decision {
	case AllowOnce:
		state, verdict = PermissionAllowed, Verdict{Allow: true}
	case AllowAlways:
		rule := a.Rule
		if rule == "" && len(p.Rules) > 0 {
			rule = p.Rules[0]
		}
		if rule != "" && !slices.Contains(p.Rules, rule) {
			return Permission{}, chat.Errorf(chat.CodeInvalid, "The rule %q is none of those this question offers.", rule)
		}
		state, verdict = PermissionAlways, Verdict{Allow: true, Rule: rule}
	case Deny:
		verdict.Message = chat.CleanBody(a.Message)
		if err := chat.CheckReason(verdict.Message); err != nil {
			return Permission{}, err
		}
		if verdict.Message == "" {
			verdict.Message = "A person said no."
		}
	default:
		return Permission{}, chat.Errorf(chat.CodeInvalid, "Answer with allow, always or deny; got %q.", a.Decision)
	}
	closed, err := s.store.Answer(ctx, id, state, verdict.Rule, verdict.Message)
	if err != nil {
		return Permission{}, err
	}
	s.mutex.Lock()
	answered := s.asked[id]
	s.mutex.Unlock()
	if answered != nil {
		answered <- verdict
	}
	s.publishPermission(EventPermissionAnswered, closed)
	return closed, nil
}
