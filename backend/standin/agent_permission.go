package standin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// verdict is whether a tool may be used.
type verdict struct {
	allowed bool
	message string // of a refusal
	input   json.RawMessage
	always  bool // allowed for good
	asked   bool
}

// mayUse finds out whether a tool may be used: by the flags, by the mode, by the
// rules, or by asking the host.
func (a *agent) mayUse(ctx context.Context, t *turn, c *toolCall) (verdict, error) {
	full, display, input, id, suggestions := c.tool, c.display, c.input, c.id, c.suggestions
	yes := verdict{allowed: true, input: input}
	a.mu.Lock()
	mode, granted := a.permissionMode, a.allowed[full+" "+string(input)]
	granted = granted || slices.ContainsFunc(a.rules, func(r allowRule) bool { return r.allows(c) })
	a.mu.Unlock()
	switch {
	case a.flags.allows(full) || granted || mode == "bypassPermissions":
		return yes, nil
	case !a.flags.permissionPrompt || mode == "dontAsk":
		v := verdict{message: fmt.Sprintf("Claude requested permissions to use %s, but you haven't granted it yet.", display)}
		t.deny(full, id, input)
		return v, nil
	}
	if suggestions == nil {
		suggestions = []any{map[string]any{"type": "addRules", "behavior": "allow", "destination": "localSettings", "rules": []any{map[string]any{"toolName": full}}}}
	}
	question := map[string]any{
		"subtype": "can_use_tool", "tool_name": full, "display_name": display, "input": input, "tool_use_id": id, "permission_suggestions": suggestions,
	}
	if t.inside != nil {
		question["agent_id"] = t.inside.id
	}
	raw, err := a.ask(ctx, question)
	if errors.Is(err, errInterrupted) {
		return verdict{}, err
	}
	var answer struct {
		Behavior    string          `json:"behavior"`
		Message     string          `json:"message"`
		Interrupt   bool            `json:"interrupt"`
		Input       json.RawMessage `json:"updatedInput"`
		Permissions []any           `json:"updatedPermissions"`
	}
	if err == nil {
		err = json.Unmarshal(raw, &answer)
	}
	switch {
	case err != nil:
		t.deny(full, id, input)
		return verdict{asked: true, message: "Tool permission request failed: " + err.Error()}, nil
	case answer.Behavior != "allow":
		t.deny(full, id, input)
		if answer.Interrupt {
			return verdict{}, errInterrupted
		}
		return verdict{asked: true, message: answer.Message}, nil
	}
	v := verdict{allowed: true, asked: true, input: input, always: len(answer.Permissions) > 0}
	if len(answer.Input) > 0 {
		v.input = answer.Input
	}
	if v.always {
		a.mu.Lock()
		a.allowed[full+" "+string(input)] = true
		a.mu.Unlock()
	}
	return v, nil
}

func (t *turn) deny(tool, id string, input json.RawMessage) {
	t.denials = append(t.denials, map[string]any{"tool_name": tool, "tool_use_id": id, "tool_input": input})
}

// askPermission asks whether a command may be run, and says what came of it.
// It is not run.
func (a *agent) askPermission(ctx context.Context, t *turn, line string) (string, error) {
	if line == "" {
		return "/ask: say which command.", nil
	}
	c := bashCall(line)
	c.suggestions = suggestCommand(line)
	v, refusal, err := a.propose(ctx, t, c, "run `"+line+"`")
	if !v.allowed {
		return refusal, err
	}
	const nothing = "(the stand-in did not run it)"
	if _, err := t.answered(ctx, c, map[string]any{"stdout": nothing, "stderr": "", "interrupted": false, "isImage": false}); err != nil {
		return "", err
	}
	how := "I was allowed to run"
	switch {
	case !v.asked:
		how = "Without a question I may run"
	case v.always:
		how = "From now on I may run"
	}
	text := fmt.Sprintf("%s `%s`. I only asked, so nothing has happened.", how, line)
	if changed := commandOf(c.input); changed != line {
		text += fmt.Sprintf(" You made it `%s`.", changed)
	}
	return text, nil
}

// suggestCommand is the rule that would let a command pass without a question.
func suggestCommand(line string) []any {
	return []any{map[string]any{
		"type": "addRules", "behavior": "allow", "destination": "localSettings", "rules": []any{map[string]any{"toolName": "Bash", "ruleContent": line}}}}
}

// commandOf is the command of a call of Bash.
func commandOf(input json.RawMessage) string {
	var in struct {
		Command string `json:"command"`
	}
	_ = json.Unmarshal(input, &in) // what has none is the empty one
	return in.Command
}
