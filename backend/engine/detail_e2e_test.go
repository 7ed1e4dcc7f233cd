//go:build e2e

package engine

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hearth/backend/chat"
	"hearth/backend/standin"
)

// The tools of the real client, its own, ours and those of a person's MCP servers,
// with how often they were called.
func TestRealToolsAreListedAndCounted(t *testing.T) {
	h, model := buildReal(t, nil)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	config, err := json.Marshal(map[string]any{"mcpServers": map[string]any{
		"my.greeter": map[string]any{"type": "stdio", "command": self, "args": []string{greeterFlag}, "env": map[string]string{"KEY": "never to be seen"}},
		"broken":     map[string]any{"type": "stdio", "command": "/nowhere/to/be/found", "args": []string{}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(h.home, ".claude.json"), config, 0o600); err != nil {
		t.Fatal(err)
	}
	c := h.channel("backend")
	b := h.binding(c, "claude", chat.RuntimeClaude, coordinator)
	if err := h.runs.Warm(h.ctx(), b.ID); err != nil {
		t.Fatal(err)
	}
	if d := h.detail(b); d.Tools.Known != "no" || d.Process == nil || d.Process.MemoryBytes < 50<<20 || d.Session == nil || d.Session.Turns != 0 {
		t.Errorf("before its first turn: process %+v, session %+v, tools known %s", d.Process, d.Session, d.Tools.Known)
	}

	model.Then(
		standin.Use("mcp__channel__channel_history", map[string]any{}),
		standin.Use("mcp__my_greeter__greet", map[string]any{"name": "aiko"}),
		standin.Use("Bash", map[string]any{"command": "touch here", "description": "x"}), // denied: a coordinator's hands
		standin.Say("Fine."),
	)
	succeeded(t, h.ask(c, "@claude go"))
	model.ThenSubagent(standin.Use("Bash", map[string]any{"command": "echo hi", "description": "x"}), standin.Say("Done."))
	model.Then(standin.Use("Agent", map[string]any{
		"description": "say hi", "prompt": "say hi", "subagent_type": "implementer", "run_in_background": false,
	}), standin.Say("It is said."))
	r := h.ask(c, "@claude have it said")
	succeeded(t, r)

	d := h.detail(b)
	if d.Tools.Known != "now" || d.Tools.ServersFault != "" {
		t.Fatalf("%+v", d.Tools)
	}
	own := toolOf(t, d, "mcp__channel__channel_history")
	if own.Source != "hearth" || own.Calls != 1 || !own.Offered || own.Description == "" || own.Schema == nil {
		t.Errorf("%+v", own)
	}
	greet := toolOf(t, d, "mcp__my_greeter__greet")
	if greet.Source != "server" || greet.Server != "my.greeter" || greet.Title != "greet" || greet.Calls != 1 || greet.Failed != 0 || !greet.Offered || !greet.ReadOnly {
		t.Errorf("%+v", greet)
	}
	bash := toolOf(t, d, "Bash")
	if bash.Source != "client" || bash.Calls != 1 || bash.Failed != 1 || bash.SubagentCalls != 1 || !bash.Offered {
		t.Errorf("%+v", bash)
	}
	for _, one := range d.Tools.Items {
		if (one.Name == "Agent" || one.Name == "Task") && (one.Calls != 1 || !one.Offered) {
			t.Errorf("the tool that starts workers: %+v", one)
		}
	}
	servers := map[string]string{}
	for _, s := range d.Tools.Servers {
		servers[s.Name] = s.Status
		if s.Name == "broken" && s.Error == "" {
			t.Error("it is not said why a server failed")
		}
	}
	if servers["my.greeter"] != "connected" || servers["broken"] != "failed" || servers["channel"] != "connected" {
		t.Errorf("servers %v", servers)
	}
	whole, err := json.Marshal(d)
	if err != nil || strings.Contains(string(whole), "never to be seen") {
		t.Errorf("a server's configuration came out: %v", err)
	}
	if d.Process.Processes < 2 || d.Session.Native != r.Native || d.Session.Turns != 2 || d.Session.ContextTokens == 0 || d.Forecast == nil || d.Forecast.LineTokens == 0 {
		t.Errorf("process %+v, session %+v, forecast %+v", d.Process, d.Session, d.Forecast)
	}
}
