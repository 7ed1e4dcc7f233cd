//go:build e2e

package claude

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// These tests hold the real clients to what keeping trivia out of a context needs of them: subagents told over the
// input, hooks that change inputs and outputs, and a compaction that can be seen.

// asks is the input of the Agent tool that makes a subagent call a tool.
func asks(worker, tool string, input object) object {
	return object{"description": "work", "prompt": call(tool, input), "subagent_type": worker, "run_in_background": false}
}

// workers are what a session of these tests can start.
func workers() map[string]Agent {
	return map[string]Agent{
		"zeta":  {Description: "does what zeta does", Prompt: "You are zeta. " + strings.Repeat("You are thorough. ", 10<<10), Tools: []string{"Read", "Bash", "Write"}, Model: "inherit"},
		"alpha": {Description: "does what alpha does", Prompt: "You are alpha."},
	}
}

// watched is a session whose hooks and questions are noted.
type watched struct {
	*real
	house *house
	mu    sync.Mutex
	noted []HookInput
	asked []Question
}

// watch opens a session with workers, in which a hook may answer each PreToolUse and PostToolUse.
func (h *house) watch(t *testing.T, client string, answer func(HookInput) any, args ...string) *watched {
	t.Helper()
	w := &watched{house: h}
	o := h.options(t)
	o.Path, o.Env, o.Args, o.Agents, o.Framing = client, append(h.env, "ENABLE_TOOL_SEARCH=false"), args, workers(), "be nice"
	o.Permission = func(_ context.Context, q Question) Answer {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.asked = append(w.asked, q)
		return Answer{Allow: true}
	}
	for _, event := range []string{"PreToolUse", "PostToolUse"} {
		o.Hooks = append(o.Hooks, Hook{Event: event, Call: func(_ context.Context, in HookInput) (json.RawMessage, error) {
			w.mu.Lock()
			w.noted = append(w.noted, in)
			w.mu.Unlock()
			if answer == nil {
				return nil, nil
			}
			said := answer(in)
			if said == nil {
				return nil, nil
			}
			return json.Marshal(object{"hookSpecificOutput": said})
		}})
	}
	w.real = h.open(t, o, "")
	return w
}

// told takes a turn in which a tool is called, and returns its results, the subagents' too.
func (w *watched) told(tool string, input object) []ToolResult {
	w.t.Helper()
	w.mu.Lock()
	w.noted, w.asked = nil, nil
	w.mu.Unlock()
	_, events := w.turn(call(tool, input))
	return each[ToolResult](events)
}

// hooked is what the hooks were told of a tool, at an event, in the last turn.
func (w *watched) hooked(event, tool string) HookInput {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, in := range w.noted {
		if in.Event == event && in.ToolName == tool {
			return in
		}
	}
	w.t.Fatalf("no hook at %s of %s", event, tool)
	return HookInput{}
}

func (w *watched) questions() []Question {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.asked)
}

// repository makes the workspace one, with a commit.
func (h *house) repository(t *testing.T) {
	t.Helper()
	for _, args := range [][]string{{"init", "-q"}, {"-c", "user.name=Ann", "-c", "user.email=ann@example.com", "commit", "-q", "--allow-empty", "-m", "first"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = h.dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
}

func write(t *testing.T, path string, content []byte, mode os.FileMode) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, mode); err != nil {
		t.Fatal(err)
	}
	return path
}

// Workers are told by initialize, whatever their length. The model hears of them in the first message, sorted by name:
// system and tools stay what they are without them, and in every process.
func TestRealAgents(t *testing.T) {
	onEachClient(t, func(t *testing.T, client string) {
		h := newHouse(t, obeys)
		var first []request
		for range 2 {
			before := len(h.asked())
			w := h.watch(t, client, nil)
			results := w.told("Agent", asks("zeta", "Bash", object{"command": "echo zeta was here"}))
			if len(results) != 2 || results[0].Text() != "zeta was here" || results[0].Parent == "" || !strings.Contains(results[1].Text(), "done") {
				t.Errorf("results %+v", results)
			}
			in := w.hooked("PreToolUse", "Bash")
			if in.AgentID == "" || in.AgentType != "zeta" || in.Dir != h.dir || w.hooked("PreToolUse", "Agent").AgentID != "" {
				t.Errorf("the hook was told %s", in.Raw)
			}
			asked := h.asked()[before:]
			if len(asked) != 4 {
				t.Fatalf("%d requests", len(asked))
			}
			if slices.Sort(asked[1].tools); !slices.Equal(asked[1].tools, []string{"Bash", "Read", "Write"}) || asked[1].model != asked[0].model ||
				!strings.Contains(asked[1].system, "You are zeta. You are thorough. You are thorough. ") {
				t.Errorf("the subagent has tools %v and model %s", asked[1].tools, asked[1].model)
			}
			first = append(first, asked[0])
		}
		body := string(first[0].raw)
		alpha, zeta := strings.Index(body, "- alpha: does what alpha does"), strings.Index(body, "- zeta: does what zeta does (Tools: Read, Bash, Write)")
		if alpha < 0 || zeta < alpha {
			t.Errorf("the workers stand at %d and %d", alpha, zeta)
		}
		o := h.options(t)
		o.Path, o.Env, o.Framing = client, append(h.env, "ENABLE_TOOL_SEARCH=false"), "be nice"
		before := len(h.asked())
		h.open(t, o, "").turn("hello")
		alone := h.asked()[before]
		for _, q := range first {
			if fields(t, q, "tools") != fields(t, alone, "tools") || systemPrompt(t, q) != systemPrompt(t, alone) {
				t.Error("workers change what stands before the first message")
			}
		}
	})
}

// fields is one field of a request, as it was sent.
func fields(t *testing.T, q request, name string) string {
	t.Helper()
	var all map[string]json.RawMessage
	if err := json.Unmarshal(q.raw, &all); err != nil {
		t.Fatal(err)
	}
	return string(all[name])
}

// isolates puts a worktree into the Agent tool's input, and decides nothing.
func isolates(in HookInput) any {
	if in.Event != "PreToolUse" || in.ToolName != "Agent" {
		return nil
	}
	var input object
	if json.Unmarshal(in.ToolInput, &input) != nil {
		return nil
	}
	input["isolation"] = "worktree"
	return object{"hookEventName": in.Event, "updatedInput": input}
}

func TestRealIsolatedWorker(t *testing.T) {
	onEachClient(t, func(t *testing.T, client string) {
		h := newHouse(t, obeys)
		h.repository(t)
		w := h.watch(t, client, isolates)
		where := object{"command": "pwd; git branch --show-current; touch made"}
		results := w.told("Agent", asks("zeta", "Bash", where))
		in := w.hooked("PreToolUse", "Bash")
		tree := filepath.Join(h.dir, ".claude", "worktrees", "agent-"+in.AgentID)
		if want := tree + "\nworktree-agent-" + in.AgentID; in.AgentID == "" || in.Dir != tree || results[0].Text() != want {
			t.Errorf("it worked in %q, the hook was told %s", results[0].Text(), in.Dir)
		}
		if _, err := os.Stat(filepath.Join(tree, "made")); err != nil {
			t.Error(err)
		}
		var said struct {
			Path   string `json:"worktreePath"`
			Branch string `json:"worktreeBranch"`
		}
		if raw := w.hooked("PostToolUse", "Agent").ToolResponse; json.Unmarshal(raw, &said) != nil || said.Path != tree || said.Branch == "" {
			t.Errorf("the hook was told %s", raw)
		}

		// What a person asked for holds: the question shows the changed input, and a refusal refuses.
		rules := `{"permissions":{"ask":["Agent"],"deny":["Agent(alpha)"]}}`
		w = h.watch(t, client, isolates, "--settings", rules)
		w.told("Agent", asks("zeta", "Read", object{"file_path": "nothing"}))
		if asked := w.questions(); len(asked) != 1 || asked[0].Tool != "Agent" || !strings.Contains(string(asked[0].Input), `"isolation":"worktree"`) {
			t.Errorf("asked %+v", asked)
		}
		if results := w.told("Agent", asks("alpha", "Bash", where)); len(results) != 1 || !results[0].IsError || !strings.Contains(results[0].Text(), "denied by permission rule") {
			t.Errorf("results %+v", results)
		}

		// Outside of a repository there is no worktree, and the call fails.
		h = newHouse(t, obeys)
		if results := h.watch(t, client, isolates).told("Agent", asks("zeta", "Bash", where)); len(results) != 1 || !results[0].IsError || !strings.Contains(results[0].Text(), "not in a git repository") {
			t.Errorf("results %+v", results)
		}
	})
}

// shortens replaces long strings in what a tool said, at any depth of objects, as a spill does; of MCP results the texts
// of its blocks.
func shortens(in HookInput) any {
	var output any
	if in.Event != "PostToolUse" || in.ToolName == "Agent" || json.Unmarshal(in.ToolResponse, &output) != nil {
		return nil
	}
	mcp := strings.HasPrefix(in.ToolName, "mcp__")
	var walk func(v any) any
	walk = func(v any) any {
		switch v := v.(type) {
		case string:
			if len(v) > 1000 {
				return "see the file"
			}
		case object:
			delete(v, "persistedOutputPath")
			delete(v, "persistedOutputSize")
			for name, field := range v {
				v[name] = walk(field)
			}
		case []any:
			for i := range v {
				if mcp {
					v[i] = walk(v[i])
				}
			}
		}
		return v
	}
	return object{"hookEventName": in.Event, "updatedToolOutput": walk(output)}
}

// longServer is an MCP server whose tool answers with two blocks of text, of which one is long.
var longServer = mcpServer("talk", "short", "$(printf 'x%.0s' {1..5000})")

// An output that a hook replaces is what the model gets, in the main thread and in subagents. Grep and Glob are not tried:
// the clients that come as one program have neither.
func TestRealReplacedOutput(t *testing.T) {
	long := strings.Repeat("a line of a long text\n", 1000)
	web := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		_, _ = io.WriteString(w, "a page")
	}))
	defer web.Close()
	onEachClient(t, func(t *testing.T, client string) {
		h := newHouse(t, func(q request) reaction {
			if strings.Contains(q.newest, "a page") || strings.Contains(q.newest, "search for: a word") {
				return reaction{text: long} // what a tool asked the model
			}
			return obeys(q)
		})
		text := write(t, filepath.Join(h.dir, "long.txt"), []byte(long), 0o600)
		dot, err := base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
		if err != nil {
			t.Fatal(err)
		}
		picture := write(t, filepath.Join(h.dir, "dot.png"), dot, 0o600)
		program := write(t, filepath.Join(h.home, "server.sh"), []byte(longServer), 0o700)
		h.env = append(h.env, "NODE_EXTRA_CA_CERTS="+write(t, filepath.Join(h.home, "web.pem"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: web.Certificate().Raw}), 0o600))
		servers := fmt.Sprintf(`{"mcpServers":{"s":{"type":"stdio","command":%q}}}`, program)
		w := h.watch(t, client, shortens, "--mcp-config", servers, "--settings", `{"skipWebFetchPreflight":true}`)
		for status := ""; !strings.Contains(status, "connected"); {
			answer, err := w.Request(t.Context(), "mcp_status", nil)
			if err != nil || strings.Contains(string(answer), "failed") {
				t.Fatalf("%s, %v", answer, err)
			}
			status = string(answer)
		}
		for _, test := range []struct {
			tool  string
			input object
			want  string // the model's
			shape string // what the hook was told must have this
		}{
			{"Bash", object{"command": "seq 1 12000"}, "see the file", `"persistedOutputPath":"/`},
			{"Bash", object{"command": "seq 1 3"}, "1\n2\n3", `"stdout":"1\n2\n3","stderr":""`},
			{"Read", object{"file_path": text}, "1\tsee the file", `{"type":"text","file":{"filePath":`},
			{"WebFetch", object{"url": web.URL + "/page", "prompt": "what is it?"}, "see the file", `"result":"a line`},
			{"mcp__s__talk", object{}, "short\nsee the file", `[{"type":"text","text":"short"},{"type":"text","text":"xxx`},
		} {
			results := w.told(test.tool, test.input)
			if len(results) != 1 || results[0].Text() != test.want {
				t.Errorf("%s: the model was told %.600q", test.tool, results[len(results)-1].Text())
			}
			asked := h.asked()
			if told := strings.Join(texts(asked[len(asked)-1].newest), "\n"); told != test.want {
				t.Errorf("%s: the request says %.600q", test.tool, told)
			}
			if raw := w.hooked("PostToolUse", test.tool).ToolResponse; !strings.Contains(string(raw), test.shape) {
				t.Errorf("%s: the hook was told %.600s", test.tool, raw)
			}
		}
		// A list is left alone: the results of a search.
		if results := w.told("WebSearch", object{"query": "a word"}); !strings.Contains(results[0].Text(), `Web search results for query: "a word"`) {
			t.Errorf("%.600q", results[0].Text())
		}
		if raw := w.hooked("PostToolUse", "WebSearch").ToolResponse; !strings.Contains(string(raw), `"results":[`) {
			t.Errorf("the hook was told %.600s", raw)
		}
		// An image is an image still.
		results := w.told("Read", object{"file_path": picture})
		if content := string(results[0].Content); !strings.Contains(content, `"type":"image"`) || !strings.Contains(content, base64.StdEncoding.EncodeToString(dot)) {
			t.Errorf("%.600s", content)
		}
		// A subagent's too.
		results = w.told("Agent", asks("zeta", "Read", object{"file_path": text}))
		if len(results) != 2 || results[0].Parent == "" || results[0].Text() != "1\tsee the file" {
			t.Errorf("the subagent was told %.600q", results[0].Text())
		}
	})
}

// Paths in hooks are absolute, a folder that was added is read without a question, and a compaction is seen.
func TestRealPathsAndCompaction(t *testing.T) {
	onEachClient(t, func(t *testing.T, client string) {
		h := newHouse(t, obeys)
		added, other := filepath.Join(h.home, "added"), filepath.Join(h.home, "other")
		inside := write(t, filepath.Join(added, "note.txt"), []byte("a note"), 0o600)
		outside := write(t, filepath.Join(other, "note.txt"), []byte("another note"), 0o600)
		w := h.watch(t, client, nil, "--add-dir", added)
		script := filepath.Join(h.dir, ".flower", "scripts", "x.sh")
		for tool, input := range map[string]object{
			"Write": {"file_path": ".flower/scripts/x.sh", "content": "# desc: x\n"},
			"Edit":  {"file_path": ".flower/scripts/x.sh", "old_string": "x", "new_string": "y"},
		} {
			if tool == "Edit" {
				write(t, script, []byte("# desc: x\n"), 0o600)
				w.told("Read", object{"file_path": script})
			}
			w.told(tool, input)
			for _, event := range []string{"PreToolUse", "PostToolUse"} {
				var in struct {
					Path string `json:"file_path"`
				}
				if raw := w.hooked(event, tool).ToolInput; json.Unmarshal(raw, &in) != nil || in.Path != script {
					t.Errorf("%s of %s: %s", event, tool, raw)
				}
			}
			if err := os.Remove(script); err != nil {
				t.Fatal(err)
			}
		}
		for path, questions := range map[string]int{inside: 0, outside: 1} {
			results := w.told("Read", object{"file_path": path})
			if got := w.questions(); len(got) != questions || results[0].IsError {
				t.Errorf("%s: asked %+v, told %s", path, got, results[0].Text())
			}
		}

		_, events := w.turn("/compact")
		compacted := each[Compacted](events)
		if len(compacted) != 1 || compacted[0].Trigger != "manual" || compacted[0].PreTokens <= 0 {
			t.Errorf("events %s: %+v", kinds(events), compacted)
		}
		w.turn("and on")
		asked := h.asked()
		if last := string(asked[len(asked)-1].raw); strings.Contains(last, "CALL Write") || !strings.Contains(last, "- zeta: does what zeta does") {
			t.Errorf("after a compaction: the old messages are there (%v), the workers are told again (%v)",
				strings.Contains(last, "CALL Write"), strings.Contains(last, "- zeta: does what zeta does"))
		}
	})
}
