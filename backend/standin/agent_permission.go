package standin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// verdict is whether a tool may be used.
type verdict struct {
	allowed bool
	message string // of a refusal
	input   json.RawMessage
	always  bool // allowed for good
	asked   bool
}

// mayUse finds out whether a tool may be used: by the flags, by the mode, or by
// asking the host.
func (a *agent) mayUse(ctx context.Context, t *turn, full, display string, input json.RawMessage, id string, suggestions []any) (verdict, error) {
	yes := verdict{allowed: true, input: input}
	a.mu.Lock()
	mode, granted := a.permissionMode, a.allowed[full+" "+string(input)]
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
	raw, err := a.ask(ctx, map[string]any{
		"subtype": "can_use_tool", "tool_name": full, "display_name": display, "input": input, "tool_use_id": id, "permission_suggestions": suggestions,
	})
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
// Nothing is ever run.
func (a *agent) askPermission(ctx context.Context, t *turn, line string) (string, error) {
	if line == "" {
		return "/ask: say which command.", nil
	}
	input := encode(map[string]any{"command": line})
	id := newID("toolu_")
	if err := t.message(ctx, nil, "tool_use", Block{Type: "tool_use", Tool: "Bash", Input: input, ID: id}); err != nil {
		return "", err
	}
	v, err := a.mayUse(ctx, t, "Bash", "Bash", input, id, []any{map[string]any{
		"type": "addRules", "behavior": "allow", "destination": "localSettings", "rules": []any{map[string]any{"toolName": "Bash", "ruleContent": line}}}})
	if err != nil {
		return "", err
	}
	if !v.allowed {
		if err := t.toolResult(id, v.message, true, "Error: "+v.message); err != nil {
			return "", err
		}
		return fmt.Sprintf("I was not allowed to run `%s`: %s", line, v.message), nil
	}
	const nothing = "(the stand-in never runs anything)"
	if err := t.toolResult(id, nothing, false, map[string]any{"stdout": nothing, "stderr": "", "interrupted": false, "isImage": false}); err != nil {
		return "", err
	}
	var changed struct {
		Command string `json:"command"`
	}
	how := "I was allowed to run"
	switch {
	case !v.asked:
		how = "Without a question I may run"
	case v.always:
		how = "From now on I may run"
	}
	text := fmt.Sprintf("%s `%s`. I never run anything, so nothing has happened.", how, line)
	if json.Unmarshal(v.input, &changed) == nil && changed.Command != line {
		text += fmt.Sprintf(" You made it `%s`.", changed.Command)
	}
	return text, nil
}
