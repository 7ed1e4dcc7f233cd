package standin

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// connectWithin is how long the first turn waits for the channel servers; after
// that it goes on without their tools.
const connectWithin = 10 * time.Second

// server is an in-process MCP server of the host. Its fields change under the
// agent's lock.
type server struct {
	name   string
	status string // pending, connected or failed
	info   json.RawMessage
	tools  []serverTool
	nextID int
}

type serverTool struct {
	Name  string          `json:"name"`
	Input json.RawMessage `json:"inputSchema"`
	raw   int             // bytes of its definition
}

// startConnecting connects to every server, once, each by itself.
func (a *agent) startConnecting(ctx context.Context) {
	a.connect.Do(func() {
		a.connecting.Go(func() {
			defer close(a.connected)
			for _, s := range a.servers {
				status := "connected"
				if err := a.connectTo(ctx, s); err != nil {
					fmt.Fprintf(a.stderr, "stand-in agent: connect to MCP server %q: %v\n", s.name, err)
					status = "failed"
				}
				a.mu.Lock()
				s.status = status
				a.mu.Unlock()
			}
		})
	})
}

// awaitServers waits for the connections, within reason.
func (a *agent) awaitServers(ctx context.Context) {
	a.startConnecting(ctx)
	timer := time.NewTimer(connectWithin)
	defer timer.Stop()
	select {
	case <-a.connected:
	case <-timer.C:
	case <-ctx.Done():
	}
}

func (a *agent) connectTo(ctx context.Context, s *server) error {
	result, err := a.rpc(ctx, s, "initialize", map[string]any{
		"protocolVersion": "2025-11-25", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "hearth-standin", "title": "Hearth's stand-in agent", "version": agentVersion},
	})
	if err != nil {
		return err
	}
	var hello struct {
		ServerInfo json.RawMessage `json:"serverInfo"`
	}
	if err := json.Unmarshal(result, &hello); err != nil {
		return fmt.Errorf("read its initialize: %w", err)
	}
	if _, err := a.mcp(ctx, s, map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"}); err != nil {
		return err
	}
	var tools []serverTool
	for cursor := ""; ; {
		params := map[string]any{}
		if cursor != "" {
			params["cursor"] = cursor
		}
		result, err := a.rpc(ctx, s, "tools/list", params)
		if err != nil {
			return err
		}
		var page struct {
			Tools []json.RawMessage `json:"tools"`
			Next  string            `json:"nextCursor"`
		}
		if err := json.Unmarshal(result, &page); err != nil {
			return fmt.Errorf("read its tools: %w", err)
		}
		for _, raw := range page.Tools {
			t := serverTool{raw: len(raw)}
			if err := json.Unmarshal(raw, &t); err != nil {
				return fmt.Errorf("read its tools: %w", err)
			}
			tools = append(tools, t)
		}
		if cursor = page.Next; cursor == "" || len(tools) > 1000 {
			break
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	s.info, s.tools = hello.ServerInfo, tools
	return nil
}

// rpc calls a method of a server.
func (a *agent) rpc(ctx context.Context, s *server, method string, params map[string]any) (json.RawMessage, error) {
	a.mu.Lock()
	id := s.nextID
	s.nextID++
	a.mu.Unlock()
	raw, err := a.mcp(ctx, s, map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	var answer struct {
		Response struct {
			ID     json.RawMessage `json:"id"`
			Result json.RawMessage `json:"result"`
			Error  *struct {
				Code    int    `json:"code"`
				Message string `json:"message"`
			} `json:"error"`
		} `json:"mcp_response"`
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return nil, fmt.Errorf("read the answer to %s: %w", method, err)
	}
	r := answer.Response
	switch {
	case r.Error != nil:
		return nil, fmt.Errorf("%s: %s (%d)", method, r.Error.Message, r.Error.Code)
	case string(r.ID) != fmt.Sprint(id):
		return nil, fmt.Errorf("%s: the answer has id %s, want %d", method, r.ID, id)
	}
	return r.Result, nil
}

func (a *agent) mcp(ctx context.Context, s *server, message map[string]any) (json.RawMessage, error) {
	return a.ask(ctx, map[string]any{"subtype": "mcp_message", "server_name": s.name, "message": message})
}

// callTool calls a tool of a server and returns the blocks of its result.
func (a *agent) callTool(ctx context.Context, s *server, tool string, input json.RawMessage) (content []json.RawMessage, isError bool, err error) {
	raw, err := a.rpc(ctx, s, "tools/call", map[string]any{"name": tool, "arguments": input})
	if err != nil {
		return nil, false, err
	}
	var result struct {
		Content []json.RawMessage `json:"content"`
		IsError bool              `json:"isError"`
	}
	if err := json.Unmarshal(raw, &result); err != nil {
		return nil, false, fmt.Errorf("read the result of %s: %w", tool, err)
	}
	return result.Content, result.IsError, nil
}

// findTool finds a tool by its own name or by the name the model would use.
func (a *agent) findTool(name string) (s *server, tool, full string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, s := range a.servers {
		for _, t := range s.tools {
			if full := fullName(s.name, t.Name); name == t.Name || name == full {
				return s, t.Name, full
			}
		}
	}
	return nil, "", ""
}

func fullName(server, tool string) string { return "mcp__" + server + "__" + tool }

// toolNames are the names of all tools, as the model would use them.
func (a *agent) toolNames() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	names := []string{"Bash"} // the one it asks permission for
	for _, s := range a.servers {
		for _, t := range s.tools {
			names = append(names, fullName(s.name, t.Name))
		}
	}
	return names
}

func (a *agent) toolBytes() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := 0
	for _, s := range a.servers {
		for _, t := range s.tools {
			n += t.raw
		}
	}
	return n
}

// serverStates is how the servers are, in short for system/init and at length
// for mcp_status.
func (a *agent) serverStates(atLength bool) []any {
	a.mu.Lock()
	defer a.mu.Unlock()
	states := []any{}
	for _, s := range a.servers {
		state := map[string]any{"name": s.name, "status": s.status, "source": "sdk"}
		if atLength {
			tools := []any{}
			for _, t := range s.tools {
				tools = append(tools, map[string]any{"name": t.Name, "annotations": map[string]any{}})
			}
			state["transport"], state["scope"], state["tools"] = "sdk", "dynamic", tools
			if s.info != nil {
				state["serverInfo"] = s.info
			}
		}
		states = append(states, state)
	}
	return states
}
