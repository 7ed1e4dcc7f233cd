package standin

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// subagent is a pretended one that is at work.
type subagent struct {
	id   string
	kind string // its name among the agents the host told, or the client's own
	call string // the call of the Agent tool that started it
}

// workerWords are the commands that a worker does.
var workerWords = map[string]bool{"bash": true, "long": true, "ask": true, "tool": true, "history": true, "roster": true, "activity": true}

// worker pretends that a subagent is started, does what the text commands and
// reports. Its first word may be the name of one that the host told of. It works
// where the agent itself does, also when a worktree was asked for.
func (a *agent) worker(ctx context.Context, t *turn, text string) (string, error) {
	if t.inside != nil || text == "" {
		return "/worker: say what it shall do.", nil
	}
	kind := "general-purpose"
	a.mu.Lock()
	if name, rest, _ := strings.Cut(text, " "); slices.Contains(a.agents, name) {
		kind, text = name, strings.TrimSpace(rest)
	}
	a.mu.Unlock()
	c := &toolCall{tool: "Agent", display: "Agent", id: newID("toolu_"), looks: true, input: encode(map[string]any{
		"description": first(text, 40), "prompt": text, "subagent_type": kind, "run_in_background": false})}
	v, refusal, err := a.propose(ctx, t, c, "start a worker")
	if !v.allowed {
		return refusal, err
	}
	var input struct {
		Prompt string `json:"prompt"`
		Kind   string `json:"subagent_type"`
	}
	if json.Unmarshal(c.input, &input) == nil {
		text, kind = input.Prompt, input.Kind
	}
	t.inside = &subagent{id: newID("a"), kind: kind, call: c.id}
	report, err := a.work(ctx, t, text)
	done := t.inside
	t.inside = nil
	if err != nil {
		return "", err
	}
	told, err := t.answered(ctx, c, map[string]any{
		"status": "completed", "prompt": text, "agentId": done.id, "agentType": done.kind,
		"content": []any{map[string]any{"type": "text", "text": report}}, "totalToolUseCount": 0, "totalTokens": 0, "totalDurationMs": 0,
	})
	return "My worker reports:\n" + quote(told), err
}

// work is what a worker does between its start and its report.
func (a *agent) work(ctx context.Context, t *turn, text string) (string, error) {
	w := t.inside
	a.emit(map[string]any{"type": "system", "subtype": "task_started", "task_id": w.id, "tool_use_id": w.call, "is_backgrounded": false,
		"description": first(text, 40), "task_type": "local_agent", "subagent_type": w.kind})
	var parts []string
	for _, c := range commands(text) {
		if !workerWords[c.name] {
			parts = append(parts, "/"+c.name+" is not for workers.")
			continue
		}
		said, err := a.command(ctx, t, c)
		if err != nil {
			return "", err
		}
		parts = append(parts, said)
	}
	if len(parts) == 0 {
		parts = append(parts, "I was told: "+quote(text))
	}
	report := fmt.Sprintf("Worker %s. %s", w.kind, strings.Join(parts, "\n"))
	if err := t.message(ctx, nil, "end_turn", Block{Type: "text", Text: report}); err != nil {
		return "", err
	}
	a.emit(map[string]any{"type": "system", "subtype": "task_updated", "task_id": w.id, "patch": map[string]any{"status": "completed"}})
	a.emit(map[string]any{"type": "system", "subtype": "task_notification", "task_id": w.id, "tool_use_id": w.call, "status": "completed", "summary": first(report, 80)})
	return report, nil
}
