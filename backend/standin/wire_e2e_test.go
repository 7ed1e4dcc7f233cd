//go:build e2e

package standin

import (
	"fmt"
	"os"
	"os/exec"
	"sort"
	"strings"
	"testing"
)

// The stand-in agent has to look like the client to whoever talks to it. Both go
// through the same turns here, and are compared.
func TestTheAgentSpeaksAsTheClient(t *testing.T) {
	for version, path := range clients(t) {
		t.Run(version, func(t *testing.T) {
			s := serve(t, Options{})
			real := rehearse(t, s, true, func(p place, args ...string) *exec.Cmd { return clientCommand(s, path, p, nil, args...) })
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			ours := rehearse(t, s, false, func(p place, args ...string) *exec.Cmd {
				cmd := exec.Command(self, append([]string{agentFlag}, args...)...)
				cmd.Dir, cmd.Env = p.workspace, []string{"HOME=" + p.home}
				return cmd
			})
			for _, scene := range scenes {
				a, b := essence(real[scene], version), essence(ours[scene], version)
				if a != b {
					t.Errorf("%s: the client says\n%s\nthe stand-in\n%s", scene, a, b)
				}
			}
			compareKeys(t, version, real, ours)
		})
	}
}

// scenes are what both go through, in this order.
var scenes = []string{"initialize", "a turn", "a tool", "a refusal", "an interruption", "after it", "a failure"}

// rehearse plays the scenes with one process and returns the lines of each. They are
// mentions: a message that starts with a slash the client takes for a command of its own.
// model says that the process asks the API.
func rehearse(t *testing.T, s *served, model bool, command func(place, ...string) *exec.Cmd) map[string][]object {
	t.Helper()
	h := startHost(t, command(newPlace(t), "-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose",
		"--replay-user-messages", "--include-partial-messages", "--permission-prompt-tool", "stdio",
		"--mcp-config", channelConfigOnly, "--allowedTools", "mcp__channel__channel_history"))
	h.answers(func(r object) (any, bool) {
		if r["subtype"] == "can_use_tool" {
			return object{"behavior": "deny", "message": "no"}, true
		}
		return nil, true
	})
	lines := map[string][]object{}
	scene := func(name string, play func()) {
		from := len(h.seen)
		play()
		lines[name] = append([]object(nil), h.seen[from:]...)
	}
	finished := func() {
		h.until("the result", is("result"))
	}
	scene("initialize", func() { h.control(object{"subtype": "initialize"}) })
	scene("a turn", func() {
		s.api.Once(Asked("/help me"), Say("help").InDeltas(1))
		h.ask(mention("/help me"))
		finished()
	})
	scene("a tool", func() {
		s.api.Once(Asked("/history 3"), Say("I call it.").AndUse("mcp__channel__channel_history", object{"limit": 3}))
		h.ask(mention("/history 3"))
		finished()
	})
	scene("a refusal", func() {
		s.api.Once(Asked("/ask touch x"), Use("Bash", object{"command": "touch x"}))
		h.ask(mention("/ask touch x"))
		finished()
	})
	scene("an interruption", func() {
		s.api.Once(Asked("/slow 3600"), Stall(nil, Say("never")))
		h.ask(mention("/slow 3600"))
		h.until("the request", func(line object) bool { return shape(line) == "system/status" })
		if model {
			if _, err := s.api.Wait(t.Context(), 1, Asked("/slow 3600")); err != nil {
				t.Fatal(err)
			}
		}
		h.send(object{"type": "control_request", "request_id": "i", "request": object{"subtype": "interrupt"}})
		finished()
	})
	scene("after it", func() {
		s.api.Then(Say("here"))
		h.ask(mention("/recall"))
		finished()
	})
	scene("a failure", func() {
		s.api.Once(Asked("/fail"), Fail(403, "no"))
		h.ask(mention("/fail"))
		finished()
	})
	h.ends()
	return lines
}

const channelConfigOnly = `{"mcpServers":{"channel":{"type":"sdk","name":"channel"}}}`

// essence is the order of a scene's lines that a listener counts on. Lines of
// other shapes come and go with versions and moments.
func essence(lines []object, version string) string {
	var kept []object
	for _, line := range lines {
		s := shape(line)
		switch {
		case strings.HasPrefix(s, "command_lifecycle"):
			if !hasLifecycle(version) {
				continue
			}
		case s == "system/init", s == "user", s == "user/replay", s == "assistant", strings.HasPrefix(s, "result/"), s == "control_request/can_use_tool":
		default:
			continue
		}
		kept = append(kept, line)
	}
	return shapes(kept)
}

// hasLifecycle says whether a version says what becomes of a message: 2.1.197
// does not, 2.1.332 does.
func hasLifecycle(version string) bool { return !strings.HasPrefix(version, "2.1.1") }

// compareKeys checks that the stand-in says nothing the client does not say:
// each field of a line stands in the client's line of that shape too.
func compareKeys(t *testing.T, version string, real, ours map[string][]object) {
	t.Helper()
	keys := func(all map[string][]object) map[string]map[string]bool {
		out := map[string]map[string]bool{}
		var walk func(at string, v any)
		walk = func(at string, v any) {
			o, ok := v.(object)
			if !ok {
				return
			}
			if out[at] == nil {
				out[at] = map[string]bool{}
			}
			for k, inner := range o {
				out[at][k] = true
				if k == "message" || k == "usage" || k == "request" || k == "cache_creation" {
					walk(at+"."+k, inner)
				}
			}
		}
		for _, lines := range all {
			for _, line := range lines {
				walk(shape(line), line)
			}
		}
		return out
	}
	a, b := keys(real), keys(ours)
	var odd []string
	for at, names := range b {
		if a[at] == nil {
			if !strings.HasPrefix(at, "command_lifecycle") || hasLifecycle(version) {
				odd = append(odd, fmt.Sprintf("%s: the client has no such line", at))
			}
			continue
		}
		for name := range names {
			if !a[at][name] {
				odd = append(odd, at+"."+name)
			}
		}
	}
	sort.Strings(odd)
	if len(odd) > 0 {
		t.Errorf("the stand-in says what the client does not:\n%s", strings.Join(odd, "\n"))
	}
}
