package standin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// matcher is what the host wants to be asked of one event: initialize tells it.
type matcher struct {
	Tools   string   `json:"matcher"` // empty or *: all; a name or several between |; else a pattern
	IDs     []string `json:"hookCallbackIds"`
	Timeout float64  `json:"timeout"` // seconds; 0: as long as it takes
}

var plainNames = regexp.MustCompile(`^[A-Za-z0-9_|]+$`)

func (m matcher) fits(tool string) bool {
	switch {
	case m.Tools == "" || m.Tools == "*":
		return true
	case plainNames.MatchString(m.Tools):
		return slices.Contains(strings.Split(m.Tools, "|"), tool)
	}
	pattern, err := regexp.Compile(m.Tools)
	return err == nil && pattern.MatchString(tool)
}

// toolCall is one call of a tool.
type toolCall struct {
	tool        string // as the model names it
	display     string
	input       json.RawMessage
	id          string
	suggestions []any
	looks       bool // it only looks, which the client lets pass without a question
}

// opinion is what a hook says; a nil field is none.
type opinion struct {
	Decision string          `json:"permissionDecision"`
	Reason   string          `json:"permissionDecisionReason"`
	Input    json.RawMessage `json:"updatedInput"`
	Output   json.RawMessage `json:"updatedToolOutput"`
}

// hook asks the host's hooks of an event about a call, one after the other, and
// hands what they say to each. A hook that fails, or takes too long, says nothing;
// the error is that of the turn.
func (a *agent) hook(ctx context.Context, t *turn, event string, c *toolCall, more map[string]any, each func(opinion)) error {
	a.mu.Lock()
	matchers, mode := a.hooks[event], a.permissionMode
	a.mu.Unlock()
	for _, m := range matchers {
		if !m.fits(c.tool) {
			continue
		}
		for _, id := range m.IDs {
			input := map[string]any{
				"session_id": a.session, "transcript_path": a.transcript.file.Name(), "cwd": a.transcript.cwd, "permission_mode": mode,
				"hook_event_name": event, "tool_name": c.tool, "tool_input": c.input, "tool_use_id": c.id,
			}
			if t.inside != nil {
				input["agent_id"], input["agent_type"] = t.inside.id, t.inside.kind
			}
			for name, value := range more {
				input[name] = value
			}
			raw, err := a.askWithin(ctx, m.Timeout, map[string]any{"subtype": "hook_callback", "callback_id": id, "input": input, "tool_use_id": c.id})
			if cause := context.Cause(ctx); cause != nil {
				return cause
			}
			if errors.Is(err, errInterrupted) {
				return err
			}
			var said struct {
				Opinion opinion `json:"hookSpecificOutput"`
			}
			if err == nil && json.Unmarshal(raw, &said) == nil && each != nil {
				each(said.Opinion)
			}
		}
	}
	return nil
}

func (a *agent) askWithin(ctx context.Context, seconds float64, request map[string]any) (json.RawMessage, error) {
	if seconds > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(seconds*float64(time.Second)))
		defer cancel()
	}
	return a.ask(ctx, request)
}

// propose has the model call a tool, beside what else it says, and finds out whether
// it may. When it may not, refusal is the answer: what it was not allowed to do, and
// why. An error is never a yes.
func (a *agent) propose(ctx context.Context, t *turn, c *toolCall, what string, beside ...Block) (v verdict, refusal string, err error) {
	if err := t.message(ctx, nil, "tool_use", append(beside, Block{Type: "tool_use", Tool: c.tool, Input: c.input, ID: c.id})...); err != nil {
		return verdict{}, "", err
	}
	if v, err = a.mayCall(ctx, t, c); err != nil {
		return verdict{}, "", err
	}
	if !v.allowed {
		return v, fmt.Sprintf("I was not allowed to %s: %s", what, v.message), t.refused(c, v.message)
	}
	return v, "", nil
}

// mayCall finds out whether a call may be made: by the hooks, which may change its
// input, and then as mayUse does.
func (a *agent) mayCall(ctx context.Context, t *turn, c *toolCall) (verdict, error) {
	decision, reason := "", ""
	err := a.hook(ctx, t, "PreToolUse", c, nil, func(o opinion) {
		if o.Decision == "deny" && decision != "deny" || decision == "" {
			decision, reason = o.Decision, o.Reason
		}
		var fields map[string]json.RawMessage
		if json.Unmarshal(o.Input, &fields) == nil && fields != nil {
			c.input = o.Input
		}
	})
	switch {
	case err != nil:
		return verdict{}, err
	case decision == "deny":
		t.deny(c.tool, c.id, c.input)
		return verdict{message: reason}, nil
	case decision == "allow" || decision == "" && c.looks:
		return verdict{allowed: true, input: c.input}, nil
	}
	v, err := a.mayUse(ctx, t, c)
	if err == nil && v.allowed {
		c.input = v.input
	}
	return v, err
}

// refused says that a call was not made.
func (t *turn) refused(c *toolCall, why string) error {
	return t.toolResult(c.id, why, true, "Error: "+why)
}

// failed says that a call went wrong. Hooks are told, and can change nothing.
func (t *turn) failed(ctx context.Context, c *toolCall, text string) error {
	if err := t.a.hook(ctx, t, "PostToolUseFailure", c, map[string]any{"error": text, "is_interrupt": false}, nil); err != nil {
		return err
	}
	return t.toolResult(c.id, text, true, "Error: "+text)
}

// answered says what a tool answered, in its own form: as it is, or as hooks want
// it, if that is of the same form. It returns the text that a model would get.
func (t *turn) answered(ctx context.Context, c *toolCall, output any) (string, error) {
	raw := json.RawMessage(encode(output))
	replaced := raw
	err := t.a.hook(ctx, t, "PostToolUse", c, map[string]any{"tool_response": raw}, func(o opinion) {
		if len(o.Output) > 0 && o.Output[0] == raw[0] {
			replaced = o.Output
		}
	})
	if err != nil {
		return "", err
	}
	text := shown(replaced)
	return text, t.toolResult(c.id, text, false, replaced)
}

// shown is what a model gets of a tool's output.
func shown(output json.RawMessage) string {
	var blocks []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(output, &blocks) != nil {
		var one struct {
			Stdout    string          `json:"stdout"`
			Stderr    string          `json:"stderr"`
			Persisted string          `json:"persistedOutputPath"`
			Content   json.RawMessage `json:"content"`
		}
		_ = json.Unmarshal(output, &one) // what has neither shows nothing
		switch {
		case len(one.Content) > 0:
			return shown(one.Content)
		case one.Persisted != "":
			return "<persisted-output>\nOutput too large. Full output saved to: " + one.Persisted + "\n\nPreview:\n" + first(one.Stdout, 2000) + "\n</persisted-output>"
		}
		return strings.Trim(one.Stdout+"\n"+one.Stderr, "\n")
	}
	var texts []string
	for _, b := range blocks {
		if b.Text != "" {
			texts = append(texts, b.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// first is the beginning of a text, n characters at most.
func first(text string, n int) string {
	for at := range text {
		if n--; n < 0 {
			return text[:at]
		}
	}
	return text
}
