package standin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"
)

// contextWindow is what the agent says its window is, in tokens.
const contextWindow = 200_000

type control struct {
	Subtype string                     `json:"subtype"`
	Model   string                     `json:"model"`
	Mode    string                     `json:"mode"`
	Hooks   map[string][]matcher       `json:"hooks"`
	Agents  map[string]json.RawMessage `json:"agents"`
}

// control answers a question of the host. It is called by the reader and never waits.
func (a *agent) control(ctx context.Context, id string, raw json.RawMessage) {
	var c control
	if err := json.Unmarshal(raw, &c); err != nil {
		a.refuse(id, "The request is no JSON object")
		return
	}
	switch c.Subtype {
	case "initialize":
		a.mu.Lock()
		a.hooks, a.agents = c.Hooks, slices.Sorted(maps.Keys(c.Agents))
		a.mu.Unlock()
		a.startConnecting(ctx)
		if !a.hostile.noInit {
			a.succeed(id, a.initialized())
		}
	case "interrupt":
		a.mu.Lock()
		interrupt := a.interrupt
		a.mu.Unlock()
		a.succeed(id, map[string]any{"still_queued": []string{}}) // before the result, as the client does
		if interrupt != nil {
			interrupt(errInterrupted)
		}
	case "set_model":
		a.mu.Lock()
		a.model = c.Model
		if c.Model == "" || c.Model == "default" {
			a.model = a.flags.model
		}
		a.mu.Unlock()
		a.succeed(id, nil)
	case "set_permission_mode":
		a.mu.Lock()
		a.permissionMode = c.Mode
		a.mu.Unlock()
		a.succeed(id, map[string]any{"mode": c.Mode})
		a.emit(map[string]any{"type": "system", "subtype": "status", "status": nil, "permissionMode": c.Mode})
	case "apply_flag_settings":
		if err := a.applySettings(raw); err != nil {
			a.refuse(id, "The settings can't be read: "+err.Error())
			return
		}
		a.succeed(id, nil)
	case "mcp_status":
		a.succeed(id, map[string]any{"mcpServers": a.serverStates(true)})
	case "get_context_usage":
		a.succeed(id, a.contextUsage())
	default:
		a.refuse(id, "Unsupported control request subtype: "+c.Subtype)
	}
}

func (a *agent) succeed(id string, response map[string]any) {
	inner := map[string]any{"subtype": "success", "request_id": id}
	if response != nil {
		inner["response"] = response
	}
	_ = a.out.line(map[string]any{"type": "control_response", "response": inner}) // a broken writer ends the agent
}

func (a *agent) refuse(id, why string) {
	_ = a.out.line(map[string]any{"type": "control_response", "response": map[string]any{ // a broken writer ends the agent
		"subtype": "error", "request_id": id, "error": why, "error_code": "unsupported_request"}})
}

// emit writes a line of the session.
func (a *agent) emit(o map[string]any) {
	o["session_id"] = a.session
	if o["uuid"] == nil {
		o["uuid"] = uuid.NewString()
	}
	_ = a.out.line(o) // a broken writer ends the agent
}

func (a *agent) initialized() map[string]any {
	return map[string]any{
		"commands":     nativeCommands,
		"agents":       []any{},
		"output_style": "default", "available_output_styles": []string{"default"},
		"models":  []any{map[string]any{"value": "default", "displayName": "Stand-in", "description": "No model: it says what it was told"}},
		"account": map[string]any{"apiKeySource": "none"},
	}
}

func (a *agent) contextUsage() map[string]any {
	a.mu.Lock()
	model, told := a.model, a.told
	a.mu.Unlock()
	framing := tokensOf(len(a.flags.framing))
	tools := tokensOf(a.toolBytes())
	messages := tokensOf(max(0, told-len(a.flags.framing)))
	total := framing + tools + messages
	category := func(id, name string, tokens int, kind string) map[string]any {
		return map[string]any{"id": id, "name": name, "tokens": tokens, "color": "inactive", "kind": kind}
	}
	return map[string]any{
		"model": model, "totalTokens": total, "maxTokens": contextWindow, "rawMaxTokens": contextWindow,
		"percentage": total * 100 / contextWindow,
		"categories": []any{
			category("system_prompt", "System prompt", framing, "used"), category("mcp_tools", "MCP tools", tools, "used"),
			category("messages", "Messages", messages, "used"), category("free_space", "Free space", max(0, contextWindow-total), "free"),
		},
	}
}

// answered is what the host said to a question of ours.
type answered struct {
	response json.RawMessage
	err      error
}

var errInputEnded = errors.New("the input has ended, nobody will answer")

// ask puts a question to the host and waits for the answer.
func (a *agent) ask(ctx context.Context, request map[string]any) (json.RawMessage, error) {
	id := uuid.NewString()
	waiting := make(chan answered, 1)
	a.mu.Lock()
	if a.ended {
		a.mu.Unlock()
		return nil, errInputEnded
	}
	a.pending[id] = waiting
	a.mu.Unlock()
	if err := a.out.line(map[string]any{"type": "control_request", "request_id": id, "request": request}); err != nil {
		return nil, err
	}
	select {
	case got, ok := <-waiting:
		if !ok {
			return nil, errInputEnded
		}
		return got.response, got.err
	case <-ctx.Done():
		a.mu.Lock()
		delete(a.pending, id)
		a.mu.Unlock()
		_ = a.out.line(map[string]any{"type": "control_cancel_request", "request_id": id}) // a broken writer ends the agent
		return nil, context.Cause(ctx)
	}
}

// answer hands an answer to whoever waits for it.
func (a *agent) answer(line inputLine) {
	a.mu.Lock()
	waiting := a.pending[line.Response.RequestID]
	delete(a.pending, line.Response.RequestID)
	a.mu.Unlock()
	if waiting == nil {
		return
	}
	got := answered{response: line.Response.Response}
	if line.Response.Subtype != "success" {
		got.err = fmt.Errorf("the host refused: %s", line.Response.Error)
	}
	waiting <- got
}
