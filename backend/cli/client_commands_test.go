package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"hearth/backend/api"
)

func TestCommandsOfAClientAreListed(t *testing.T) {
	h := newHouse(t)
	h.ok("channels", "create", "main")
	h.ok("bindings", "add", "main", "alive", "--runtime", "standin")
	h.ok("bindings", "add", "main", "other", "--runtime", "standin")
	out := h.ok("commands", "main", "@ALIVE")
	for _, wanted := range []string{"/clear", "reset", "[name]", "Starts the agent fresh; it is not sent.", "/context", "Show current context usage"} {
		if !strings.Contains(out, wanted) {
			t.Errorf("no %q in\n%s", wanted, out)
		}
	}
	if out := h.ok("commands", "main", "other"); !strings.Contains(out, "@other has not been started yet") {
		t.Errorf("before the first start:\n%s", out)
	}
	var got api.Commands
	if err := json.Unmarshal([]byte(h.ok("commands", "main", "alive", "--json")), &got); err != nil || got.Known != "now" || len(got.Commands) != 2 {
		t.Errorf("in JSON: %+v, %v", got, err)
	}
	if r := h.run("commands", "main", "nobody"); r.code == exitDone || !strings.Contains(r.stderr, "@alive") {
		t.Errorf("an agent that is not there: %+v", r)
	}
}
