//go:build e2e

package claude

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"hearth/backend/claude/claudetest"
)

// These tests hold the real clients to what package shell needs of them. They know
// the helper only by what it is on disk and by its environment, as the client does.

// helper builds the program that stands before commands.
func helper(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "hearth-shell")
	build := exec.Command("go", "build", "-o", path, "hearth/backend/shell/helper")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the helper: %v\n%s", err, out)
	}
	return path
}

// A tool's call is what the model of these tests is told to do: CALL, the tool's
// name and its input.
func call(tool string, input object) string {
	b, err := json.Marshal(input)
	if err != nil {
		panic(err)
	}
	return "CALL " + tool + " " + string(b)
}

func obeys(q request) reaction {
	for _, text := range slices.Backward(texts(q.newest)) {
		rest, ok := strings.CutPrefix(text, "CALL ")
		if !ok {
			continue
		}
		tool, input, _ := strings.Cut(rest, " ")
		var in object
		if err := json.Unmarshal([]byte(input), &in); err != nil {
			return reaction{text: err.Error()}
		}
		return reaction{tool: tool, input: in}
	}
	return reaction{text: "done"}
}

// texts are the texts of a message, and of the results of tools in it.
func texts(content string) []string {
	var one string
	if json.Unmarshal([]byte(content), &one) == nil {
		return []string{one}
	}
	var blocks []struct {
		Text    string          `json:"text"`
		Content json.RawMessage `json:"content"`
	}
	if json.Unmarshal([]byte(content), &blocks) != nil {
		return nil
	}
	var all []string
	for _, b := range blocks {
		if b.Text != "" {
			all = append(all, b.Text)
		}
		if len(b.Content) > 0 {
			all = append(all, texts(string(b.Content))...)
		}
	}
	return all
}

// A shelled session has the helper before its commands, if there is one.
type shelled struct {
	*real
	house    *house
	spill    string
	failures chan string // what PostToolUseFailure hooks were told
	own      chan Turn
}

func (h *house) shelled(t *testing.T, client, helper string, args ...string) *shelled {
	t.Helper()
	s := &shelled{house: h, spill: filepath.Join(h.dir, ".flower", "spill"), failures: make(chan string, 10)}
	if err := os.Mkdir(filepath.Dir(s.spill), 0o755); err != nil {
		t.Fatal(err)
	}
	h.env = append(h.env, "ENABLE_TOOL_SEARCH=false")
	if helper != "" {
		h.env = append(h.env, "CLAUDE_CODE_SHELL_PREFIX="+helper, "HEARTH_SHELL_OVER=4000", "HEARTH_SHELL_FOLDER="+s.spill,
			"HEARTH_SHELL_NAME=.flower/spill", "HEARTH_SHELL_RECORDS="+filepath.Join(h.home, "records"))
	}
	o := h.options(t)
	o.Path, o.PermissionMode, o.Args = client, "bypassPermissions", args
	s.own = unasked(&o)
	o.Hooks = []Hook{{Event: "PostToolUseFailure", Matcher: "Bash", Call: func(_ context.Context, in HookInput) (json.RawMessage, error) {
		var failed struct {
			Error string `json:"error"`
		}
		err := json.Unmarshal(in.Raw, &failed)
		s.failures <- failed.Error
		return nil, err
	}}}
	s.real = h.open(t, o, "")
	return s
}

// result takes a turn in which the model calls a tool, and returns what it was told
// of it.
func (s *shelled) result(tool string, input object) string {
	s.t.Helper()
	s.turn(call(tool, input))
	asked := s.house.asked()
	for _, q := range slices.Backward(asked) {
		if q.result {
			return strings.Join(texts(q.newest), "\n")
		}
	}
	s.t.Fatal("the model was told nothing")
	return ""
}

// pointer checks that a text is the pointer to an output that holds all of want.
func (s *shelled) pointer(text, want string) string {
	s.t.Helper()
	_, rest, found := strings.Cut(text, "spilled to .flower/spill/")
	name, _, _ := strings.Cut(rest, ".txt")
	if !found {
		s.t.Fatalf("no pointer: %.600q", text)
	}
	if len(text) > 2200 {
		s.t.Errorf("with %d characters the pointer is a long one", len(text))
	}
	whole, err := os.ReadFile(filepath.Join(s.spill, name+".txt"))
	if err != nil || string(whole) != want {
		s.t.Errorf("what was spilled has %d bytes, want %d (%v)", len(whole), len(want), err)
	}
	return name
}

func numbered(n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	return b.String()
}

const counting = "for i in $(seq 1 %d); do echo line $i; done; "

func onEachClient(t *testing.T, test func(t *testing.T, client string)) {
	clients := claudetest.Clients(t)
	for _, version := range slices.Sorted(maps.Keys(clients)) {
		t.Run(version, func(t *testing.T) { test(t, clients[version]) })
	}
}

func TestRealFailedCommandIsSpilled(t *testing.T) {
	helper := helper(t)
	onEachClient(t, func(t *testing.T, client string) {
		s := newHouse(t, obeys).shelled(t, client, helper)
		got := s.result("Bash", object{"command": fmt.Sprintf(counting, 12000) + "sleep 1; exit 3"})
		name := s.pointer(got, numbered(12000))
		if !strings.HasPrefix(got, "Exit code 3\n[") || !strings.Contains(got, "\nline 1\nline 2\n") || !strings.HasSuffix(got, "\nline 12000") {
			t.Errorf("%q", got)
		}
		if told := <-s.failures; !strings.Contains(told, name) {
			t.Errorf("the hook was told %.300q", told)
		}
		// It can be read back, as often as one likes.
		for _, command := range []string{"sed -n 5001,5003p .flower/spill/" + name + ".txt", "cd .flower && grep -n 'line 500[123]$' spill/" + name + ".txt"} {
			if got := s.result("Bash", object{"command": command}); !strings.Contains(got, "line 5001\n") || strings.Contains(got, "spilled") {
				t.Errorf("%s: %q", command, got)
			}
		}
		// 28 MB are more than the client keeps.
		got = s.result("Bash", object{"command": "head -c 28000000 /dev/zero | tr '\\0' x; exit 7"})
		s.pointer(got, strings.Repeat("x", 28000000))
		if !strings.HasPrefix(got, "Exit code 7\n[28,000,000 characters, 1 lines") {
			t.Errorf("%.200q", got)
		}
		if got := s.result("Bash", object{"command": fmt.Sprintf(counting, 2000)}); !strings.HasPrefix(got, "line 1\n") || strings.Contains(got, "Exit code") || strings.Contains(got, ".flower") {
			t.Errorf("a success: %.200q", got)
		}
	})
}

func TestRealHelperMakesNoDifference(t *testing.T) {
	helper := helper(t)
	onEachClient(t, func(t *testing.T, client string) {
		commands := []string{
			"mkdir -p sub && cd sub", "basename $PWD", "cd ..; false", "basename $PWD", "echo out; echo err >&2; exit 9",
			"env | grep -v -e ^HEARTH_MARK -e ^CLAUDE -e ^PWD -e ^OLDPWD -e ^HOME -e ^ANTHROPIC | sort",
			"echo said; kill -9 $$", "kill -TERM $$", "cat; echo the input is over", "printf 'a\\377\\0b\\r\\n'; false",
			"(sleep 0.2; echo late) & echo soon", "seq 1 900; nonexistent-command", "set -e; false; echo not here", "cat <<'X'\nhere\nX\nexit 5",
		}
		var told [2][]string
		for i, prefix := range []string{helper, ""} {
			s := newHouse(t, obeys).shelled(t, client, prefix)
			for _, command := range commands {
				got := s.result("Bash", object{"command": command})
				told[i] = append(told[i], strings.ReplaceAll(got, filepath.Dir(s.house.dir), ""))
			}
		}
		for i, command := range commands {
			if with, without := told[0][i], told[1][i]; with != without {
				t.Errorf("%s: with it %q, without %q", command, with, without)
			}
		}
	})
}

func TestRealFailedCommandInTheBackgroundIsSpilled(t *testing.T) {
	helper := helper(t)
	onEachClient(t, func(t *testing.T, client string) {
		for name, input := range map[string]object{
			"asked for":    {"run_in_background": true},
			"by a timeout": {"timeout": 1000},
		} {
			t.Run(name, func(t *testing.T) {
				h := newHouse(t, obeys)
				gate := filepath.Join(h.home, "gate")
				s := h.shelled(t, client, helper)
				input["command"] = fmt.Sprintf(counting, 5000) + until(gate) + "; exit 4"
				got := s.result("Bash", input)
				if strings.HasPrefix(got, "Exit code 143\nCommand timed out") {
					// 2.1.197 ends it, and may read the output before its end.
					if !strings.Contains(got, "\nline 1\nline 2\n") {
						t.Errorf("%q", got)
					}
					return
				}
				if !strings.Contains(got, "background") {
					t.Fatalf("%q", got)
				}
				create(t, gate)
				own := <-s.own
				if len(own.Trigger) != 1 || own.Trigger[0].Status != "failed" {
					t.Fatalf("%+v", own.Trigger)
				}
				asked := s.house.asked()
				notice := string(asked[len(asked)-1].raw)
				_, file, _ := strings.Cut(notice, "<output-file>")
				file, _, found := strings.Cut(file, "<")
				if !found || !strings.Contains(notice, "exit code 4") {
					t.Fatalf("%.2000s", notice)
				}
				got = s.result("Read", object{"file_path": file})
				if s.pointer(got, numbered(5000)+"over\n"); !strings.Contains(got, "line 5000") {
					t.Errorf("%q", got)
				}
			})
		}
	})
}

func TestRealInterruptOfACommandWithTheHelper(t *testing.T) {
	helper := helper(t)
	onEachClient(t, func(t *testing.T, client string) {
		h := newHouse(t, obeys)
		s := h.shelled(t, client, helper)
		path := filepath.Join(h.home, "started")
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
		// Open for both, so that neither side waits for the other.
		started, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer started.Close()
		ctx, cancel := context.WithCancel(t.Context())
		shell := make(chan int, 1)
		go func() {
			defer cancel()
			var pid int
			_, _ = fmt.Fscan(started, &pid) // else it is 0
			shell <- pid
		}()
		command := fmt.Sprintf(counting, 5000) + "echo $$ > " + path + "; while :; do sleep 1000; done"
		if r, _, err := s.try(ctx, call("Bash", object{"command": command}), nil); err != nil || !r.Interrupted {
			t.Errorf("%+v, %v", r, err)
		}
		for pid := <-shell; pid == 0 || syscall.Kill(pid, 0) == nil; {
			if _, err := s.Request(t.Context(), "mcp_status", nil); err != nil || pid == 0 {
				t.Fatalf("the command's shell is %d (%v)", pid, err)
			}
		}
		if got := s.result("Bash", object{"command": fmt.Sprintf(counting, 5000) + "exit 5"}); !strings.HasPrefix(got, "Exit code 5\n[") {
			t.Errorf("%.200q", got)
		}
	})
}

// mcpServer is a stdio MCP server with one tool that answers with blocks of text, as
// bash would write them between double quotes.
func mcpServer(tool string, texts ...string) string {
	blocks := make([]string, len(texts))
	for i, text := range texts {
		blocks[i] = `{\"type\":\"text\",\"text\":\"` + text + `\"}`
	}
	return `#!/bin/bash
while IFS= read -r line; do
	id=$(sed -n 's/.*"id": *\([0-9][0-9]*\).*/\1/p' <<<"$line")
	answer() { echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":$1}"; }
	case "$line" in
	*'"initialize"'*) answer '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}' ;;
	*'"tools/list"'*) answer '{"tools":[{"name":"` + tool + `","description":"x","inputSchema":{"type":"object"}}]}' ;;
	*'"tools/call"'*) answer "{\"content\":[` + strings.Join(blocks, ",") + `]}" ;;
	*'"id"'*) answer '{}' ;;
	esac
done
`
}

// stdioServer says what it was started with.
var stdioServer = mcpServer("started", "$#: $1|$2|$HEARTH_SHELL_OVER$CLAUDE_CODE_SHELL_PREFIX|$GIVEN")

func TestRealServersAndHooksBesideTheHelper(t *testing.T) {
	helper := helper(t)
	onEachClient(t, func(t *testing.T, client string) {
		h := newHouse(t, obeys)
		program := filepath.Join(h.home, "server.sh")
		if err := os.WriteFile(program, []byte(stdioServer), 0o700); err != nil {
			t.Fatal(err)
		}
		hooked := filepath.Join(h.home, "hooked")
		servers, err := json.Marshal(object{"mcpServers": object{"s": object{"type": "stdio", "command": program, "args": []string{"a b", "it's $HOME"}, "env": object{"GIVEN": "yes"}}}})
		if err != nil {
			t.Fatal(err)
		}
		command := `read -r in; case $in in *'"Bash"'*) echo "hook \"$0\" $HEARTH_SHELL_OVER$CLAUDE_CODE_SHELL_PREFIX." >> ` + hooked + ` ;; esac; seq 1 3000; exit 0`
		settings, err := json.Marshal(object{"hooks": object{"PreToolUse": []object{{"matcher": "Bash", "hooks": []object{{"type": "command", "command": command}}}}}})
		if err != nil {
			t.Fatal(err)
		}
		s := h.shelled(t, client, helper, "--mcp-config", string(servers), "--settings", string(settings))
		for status := ""; !strings.Contains(status, "connected"); {
			answer, err := s.Request(t.Context(), "mcp_status", nil)
			if err != nil || strings.Contains(string(answer), "failed") {
				t.Fatalf("%s, %v", answer, err)
			}
			status = string(answer)
		}
		if got := s.result("mcp__s__started", object{}); got != "2: a b|it's $HOME||yes" {
			t.Errorf("the server: %q", got)
		}
		got := s.result("Bash", object{"command": fmt.Sprintf(counting, 5000) + "exit 3"})
		s.pointer(got, numbered(5000))
		if text, err := os.ReadFile(hooked); err != nil || !strings.HasPrefix(string(text), "hook \"") || !strings.HasSuffix(string(text), "sh\" .\n") {
			t.Errorf("the hook: %q, %v", text, err)
		}
	})
}
