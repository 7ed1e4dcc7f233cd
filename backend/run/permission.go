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
	if q.Tool == ToolSpend {
		return Verdict{Message: "There is no such tool."} // Hearth's own question must not be asked by others
	}
	allowed, err := s.ruled(ctx, key.BindingID, q)
	if err != nil {
		s.log.Warn("read the rules of a binding", "binding", key.BindingID, "error", err)
	}
	if allowed {
		return Verdict{Allow: true}
	}
	verdict, err := s.ask(ctx, question{
		Permission: Permission{
			RunID: s.At(key), ChannelID: key.ChannelID, BindingID: key.BindingID, Tool: q.Tool, Input: q.Input, AgentID: q.AgentID,
			Reason: q.Reason, BlockedPath: q.BlockedPath, Workspace: q.Workspace, Rules: q.Rules,
		},
		withdrawn: nobodyAnswered,
	})
	switch {
	case err != nil && ctx.Err() == nil:
		s.log.Error("store a permission question", "binding", key.BindingID, "error", err)
		return Verdict{Message: "Hearth could not ask a person: " + err.Error()}
	case err != nil:
		return Verdict{Message: nobodyAnswered}
	}
	return verdict
}

const nobodyAnswered = "Nobody answered before the turn ended."

// question is one that a person is asked.
type question struct {
	Permission
	withdrawn string      // what is stored when nobody answers
	needed    func() bool // whether it still has to be answered, asked once when all can see it; nil: it has
}

// ask stores a question and waits for a person's answer. The error is about the
// store, or the cause of the end of ctx: then it is closed as denied.
func (s *Service) ask(ctx context.Context, q question) (Verdict, error) {
	q.ID, q.State = chat.NewID(s.clock()), PermissionOpen
	answered := make(chan Verdict, 1)
	s.mutex.Lock()
	s.asked[q.ID] = answered // before anyone can see the question, and answer it
	s.mutex.Unlock()
	defer func() {
		s.mutex.Lock()
		delete(s.asked, q.ID)
		s.mutex.Unlock()
	}()
	p, err := s.store.Ask(ctx, q.Permission)
	if err != nil {
		return Verdict{}, err
	}
	s.publishPermission(EventPermissionAsked, p)
	if q.needed != nil && !q.needed() {
		if _, err := s.close(ctx, p.ID, PermissionAllowed, Verdict{Allow: true}); err != nil && chat.CodeOf(err) != chat.CodeConflict {
			return Verdict{}, err
		}
	}
	select {
	case v := <-answered:
		return v, nil
	case <-ctx.Done():
		return s.withdraw(ctx, p, q.withdrawn, answered)
	}
}

// withdraw closes a question that nobody will answer any more.
func (s *Service) withdraw(ctx context.Context, p Permission, why string, answered <-chan Verdict) (Verdict, error) {
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishWithin)
	defer cancel()
	closed, err := s.store.Answer(bounded, p.ID, PermissionDenied, "", why)
	switch {
	case chat.CodeOf(err) == chat.CodeConflict:
		// An answer was stored in the same moment; it is on its way to us.
		select {
		case v := <-answered:
			return v, nil
		case <-time.After(finishWithin):
		}
	case err != nil:
		s.log.Error("close a permission question", "permission", p.ID, "error", err)
	default:
		s.publishPermission(EventPermissionAnswered, closed)
	}
	return Verdict{}, context.Cause(ctx)
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
	closed, err := s.close(ctx, id, state, verdict)
	if err == nil && p.Tool == ToolSpend && state == PermissionAlways {
		// It stands for all agents of the channel.
		if err := s.release(context.WithoutCancel(ctx), p.ChannelID, "Allowed for today."); err != nil {
			s.log.Error("answer what others of the channel ask", "channel", p.ChannelID, "error", err)
		}
	}
	return closed, err
}

// close stores the answer to a question, hands it to whoever waits, and tells
// everyone.
func (s *Service) close(ctx context.Context, id string, state PermissionState, verdict Verdict) (Permission, error) {
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
