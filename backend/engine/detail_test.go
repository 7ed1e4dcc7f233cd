package engine

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"hearth/backend/api"
	"hearth/backend/chat"
)

// greeterFlag makes the test binary an MCP server instead, as a person may have one.
const greeterFlag = "mcp-greeter"

func greeter() int {
	server := mcp.NewServer(&mcp.Implementation{Name: "greeter", Version: "2.1"}, nil)
	type whom struct {
		Name string `json:"name"`
	}
	mcp.AddTool(server, &mcp.Tool{Name: "greet", Description: "Greets somebody.", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		func(_ context.Context, _ *mcp.CallToolRequest, in whom) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "Hello " + in.Name}}}, nil, nil
		})
	if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		return 1
	}
	return 0
}

// detail asks the API about an agent.
func (h *house) detail(b chat.Binding) api.AgentDetail {
	h.t.Helper()
	w := httptest.NewRecorder()
	h.Handler().ServeHTTP(w, httptest.NewRequestWithContext(h.ctx(), "GET", "/api/bindings/"+b.ID+"/detail", nil))
	var d api.AgentDetail
	if err := json.Unmarshal(w.Body.Bytes(), &d); err != nil || w.Code != 200 {
		h.t.Fatalf("%d %s, %v", w.Code, w.Body, err)
	}
	return d
}

// toolOf finds a tool in what is said of an agent.
func toolOf(t *testing.T, d api.AgentDetail, name string) api.AgentTool {
	t.Helper()
	for _, one := range d.Tools.Items {
		if one.Name == name {
			return one
		}
	}
	t.Fatalf("there is no %s among %+v", name, d.Tools.Items)
	return api.AgentTool{}
}

func TestAnAgentIsLookedAtClosely(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	b := h.binding(c, "agent", chat.RuntimeStandin)
	if d := h.detail(b); d.Process != nil || d.Session != nil || d.Tools.Known != "no" || len(d.Tools.Items) != 5 {
		t.Errorf("before its first process: %+v", d)
	}
	h.ask(c, "@agent /history")
	r := h.ask(c, "@agent /history")
	d := h.detail(b)
	if d.Process == nil || d.Process.PID != d.State.PID || d.Process.MemoryBytes < 1<<20 || d.Process.Processes < 1 || d.Process.BeganAt.IsZero() || d.Process.Fault != "" {
		t.Errorf("process %+v", d.Process)
	}
	if d.Session == nil || d.Session.Native != r.Native || d.Session.Turns != 2 || d.Session.Saved || d.Session.ContextTokens == 0 {
		t.Errorf("session %+v", d.Session)
	}
	if d.Tools.Known != "now" || d.Tools.ServersFault != "" || len(d.Tools.Servers) != 1 || d.Tools.Servers[0].Status != "connected" {
		t.Errorf("tools %+v", d.Tools)
	}
	if history := toolOf(t, d, "mcp__channel__channel_history"); history.Calls != 2 || history.SubagentCalls != 0 || history.LastCalledAt.IsZero() {
		t.Errorf("%+v", history)
	}
	if len(d.Leases) != 2 || d.Leases[0].Temperature != "warm" || d.Leases[0].RunID != r.ID || d.Leases[1].Temperature != "cold" || d.Leases[1].ProcessEnd != nil {
		t.Errorf("leases %+v", d.Leases)
	}

	// The ends of its processes, each for another reason.
	hows := func() string {
		var all []string
		for _, l := range h.detail(b).Leases {
			if l.ProcessEnd == nil {
				all = append(all, "-")
			} else {
				all = append(all, l.ProcessEnd.How)
			}
		}
		return strings.Join(all, " ")
	}
	if _, err := h.runs.Fresh(h.ctx(), b.ID); err != nil {
		t.Fatal(err)
	}
	if d := h.detail(b); d.Process != nil || d.Tools.Known != "before" || toolOf(t, d, "Bash").Source != "client" {
		t.Errorf("after its process ended: %+v", d.Tools)
	}
	h.ask(c, "@agent hello")
	if err := syscall.Kill(h.detail(b).State.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	h.agents.wait()
	h.ask(c, "@agent hello")
	h.close()
	h.open()
	if got, want := hows(), "closed crashed fresh -"; got != want {
		t.Errorf("its processes ended %s, want %s", got, want)
	}
	if d := h.detail(b); d.Session == nil || !d.Session.Saved || d.Session.Turns != 1 {
		t.Errorf("the saved session: %+v", d.Session)
	}
	if last := h.detail(b).Leases[1].ProcessEnd; !strings.Contains(last.Reason, "killed") {
		t.Errorf("why it crashed: %+v", last)
	}
}

func TestAnIdleAgentAndOneThatMadeRoom(t *testing.T) {
	h := build(t, func(o *Options) { o.Capacity, o.Idle = 1, time.Hour })
	c := h.channel("backend")
	first, second := h.binding(c, "first", chat.RuntimeStandin), h.binding(c, "second", chat.RuntimeStandin)
	h.ask(c, "@first hello")
	h.ask(c, "@second hello")
	if end := h.detail(first).Leases[0].ProcessEnd; end == nil || end.How != "evicted" || end.Reason != "" {
		t.Errorf("the one that made room: %+v", end)
	}
	h.close()
	h.options.Idle = time.Millisecond
	h.open()
	h.ask(c, "@second hello")
	h.agents.wait() // it ends by itself, and that has been recorded
	if end := h.detail(second).Leases[0].ProcessEnd; end == nil || end.How != "idle" {
		t.Errorf("the idle one: %+v", end)
	}
}
