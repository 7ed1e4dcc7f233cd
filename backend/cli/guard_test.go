package cli

import (
	"strings"
	"testing"
)

func TestGuardExplain(t *testing.T) {
	h := newHouse(t)
	if out := h.ok("guard", "explain", "git status -s && ls"); out != "yes: every part of it only looks\n" {
		t.Errorf("got %q", out)
	}
	if out := h.ok("guard", "explain", "ls; rm -rf x"); !strings.HasPrefix(out, "no: ") || !strings.Contains(out, `"rm"`) {
		t.Errorf("got %q", out)
	}
	h.stdin = "ls\x00rm x\x00echo '\"\n한국어'"
	want := `{"command":"ls","ephemeral":true,"reason":"every part of it only looks"}
{"command":"rm x","ephemeral":false,"reason":"\"rm\" is none of the commands that only look (in \"rm x\")"}
{"command":"echo '\"\n한국어'","ephemeral":true,"reason":"every part of it only looks"}
`
	if out := h.ok("guard", "explain", "-0", "--json"); out != want {
		t.Errorf("got\n%swant\n%s", out, want)
	}
}
