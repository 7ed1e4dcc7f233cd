package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"hearth/backend/api"
)

func TestOneAgentIsLookedAtClosely(t *testing.T) {
	h := newHouse(t)
	h.ok("channels", "create", "main")
	h.ok("bindings", "add", "main", "alive", "--runtime", "standin", "--role", "coordinator")
	h.ok("bindings", "add", "main", "other", "--runtime", "standin")
	out := h.ok("roster", "main", "--agent", "other")
	for _, wanted := range []string{"@other is cold", "It has no session", "The client names its own at its first turn.", "channel_history", "Read earlier messages"} {
		if !strings.Contains(out, wanted) {
			t.Errorf("no %q in\n%s", wanted, out)
		}
	}
	h.ok("post", "main", "@alive TOOLS \x1b[2Jfirst\nsecond line")
	out = h.ok("roster", "main", "--agent", "@ALIVE")
	for _, wanted := range []string{
		"@alive is warm", "300 MiB in 3 processes", "coordinator of 3 workers, may glance", "worker explorer (inherit", "Its session native holds 0 turns",
		"1. you: @alive TOOLS", "greet", "helper", "Says hello.\n", "The MCP server broken is failed. ENOENT",
	} {
		if !strings.Contains(out, wanted) {
			t.Errorf("no %q in\n%s", wanted, out)
		}
	}
	if strings.Contains(out, "\x1b") || strings.Contains(out, "To somebody") {
		t.Errorf("what others wrote breaks its line:\n%q", out)
	}
	var d api.AgentDetail
	if err := json.Unmarshal([]byte(h.ok("roster", "main", "--agent", "alive", "--json")), &d); err != nil || d.Binding.Handle != "alive" || len(d.Tools.Items) != 7 || d.Tools.Items[0].Schema == nil {
		t.Errorf("in JSON: %+v, %v", d, err)
	}
	if r := h.run("roster", "main", "--agent", "nobody"); r.code == exitDone || !strings.Contains(r.stderr, "@alive") {
		t.Errorf("an agent that is not there: %+v", r)
	}
}
