//go:build e2e

package claude

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"hearth/backend/claude/claudetest"
)

// usageOfACall is what the API of these tests says of each call.
var usageOfACall = Usage{Input: 5, CacheRead: 50, CacheWrite5m: 70, CacheWrite1h: 30, Output: 7}

func times(n int64, u Usage) Usage {
	var sum Usage
	for range n {
		sum = sum.Add(u)
	}
	return sum
}

func TestRealTwoTurns(t *testing.T) {
	h := newHouse(t, says("hello from the model"))
	o := h.options(t)
	o.Framing = "You are in a channel. The word is: ishmael."
	s := h.open(t, o, "two-turns")
	var costs []float64
	for i, text := range []string{"first question", "second question"} {
		r, events := s.turn(text)
		if r.Text != "hello from the model" || r.IsError || r.Native != s.Native() || r.NumTurns != 1 || r.TerminalReason != "completed" {
			t.Errorf("result %+v", r)
		}
		if got := kinds(events); got != "Status TextDelta Text CallUsage" {
			t.Errorf("events: %s", got)
		}
		if len(each[TextDelta](events)) == 0 {
			t.Error("no text came while it was written")
		}
		if r.Usage != usageOfACall || len(r.Calls) != 1 || r.Calls[0].Usage != usageOfACall || !r.Calls[0].Main {
			t.Errorf("turn %d: usage %+v, calls %+v", i+1, r.Usage, r.Calls)
		}
		if r.CostUSD <= 0 || r.ContextWindow < 100000 || r.Duration <= 0 || r.TTFT <= 0 || len(r.Models) != 1 || r.APIDuration > r.Duration {
			t.Errorf("turn %d: cost %v, window %d, duration %v, API %v, first token %v, models %v", i+1, r.CostUSD, r.ContextWindow, r.Duration, r.APIDuration, r.TTFT, r.Models)
		}
		costs = append(costs, r.CostUSD)
	}
	if d := costs[1] - costs[0]; d > 1e-6 || d < -1e-6 {
		t.Errorf("two equal turns cost %v", costs)
	}
	if i := s.Info(); i.Version == "" || i.Model == "" || len(i.Tools) == 0 || i.PermissionMode != "default" {
		t.Errorf("info %+v", i)
	}
	asked := h.asked()
	if len(asked) != 2 || !strings.Contains(asked[0].system, "ishmael") || asked[0].system != asked[1].system {
		t.Errorf("%d requests; the framing is in the system prompt: %v", len(asked), strings.Contains(asked[0].system, "ishmael"))
	}
	home := ""
	for _, entry := range o.Env {
		if v, ok := strings.CutPrefix(entry, "HOME="); ok {
			home = v
		}
	}
	if found, err := filepath.Glob(filepath.Join(home, ".claude", "projects", "*", s.Native()+".jsonl")); err != nil || len(found) != 1 {
		t.Errorf("the session's transcript: %q, %v", found, err)
	}
}

func TestRealPermission(t *testing.T) {
	for _, allow := range []bool{true, false} {
		name := map[bool]string{true: "permission-yes", false: "permission-no"}[allow]
		var outside string
		h := newHouse(t, func(q request) reaction {
			return calls("MAKE", "Bash", object{"command": "touch " + outside, "description": "make a file"})(q)
		})
		outside = filepath.Join(filepath.Dir(h.dir), "made")
		o := h.options(t)
		var asked Question
		o.Permission = func(_ context.Context, q Question) Answer {
			asked = q
			return Answer{Allow: allow, Message: "not today"}
		}
		s := h.open(t, o, name)
		r, events := s.turn("MAKE it")
		if r.Text != "all done" || r.IsError || len(r.Calls) != 2 || r.Usage != times(2, usageOfACall) {
			t.Errorf("%s: %+v", name, r)
		}
		if asked.Tool != "Bash" || !strings.Contains(string(asked.Input), outside) || asked.AgentID != "" || asked.ToolUseID == "" || !json.Valid(asked.Suggestions) {
			t.Errorf("%s: asked %+v", name, asked)
		}
		if _, err := os.Stat(outside); (err == nil) != allow {
			t.Errorf("%s: the file: %v", name, err)
		}
		result := each[ToolResult](events)[0]
		if result.IsError == allow || !allow && !strings.Contains(result.Text(), "not today") || result.ID != asked.ToolUseID || result.Duration <= 0 {
			t.Errorf("%s: the model got %+v: %s", name, result, result.Text())
		}
	}
}

func TestRealHookDenies(t *testing.T) {
	h := newHouse(t, calls("LIST", "Bash", object{"command": "ls"}))
	o := h.options(t)
	o.Hooks = []Hook{{Event: "PreToolUse", Matcher: "Bash", Timeout: 10 * time.Second, Call: func(_ context.Context, in HookInput) (json.RawMessage, error) {
		if in.ToolName != "Bash" || in.AgentID != "" || in.Native == "" || in.TranscriptPath == "" || in.Dir == "" || in.ToolUseID == "" {
			t.Errorf("the hook was told %s", in.Raw)
		}
		return json.RawMessage(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"delegate it"}}`), nil
	}}}
	_, events := h.open(t, o, "hook").turn("LIST it")
	if result := each[ToolResult](events)[0]; !result.IsError || !strings.Contains(result.Text(), "delegate it") {
		t.Errorf("the model got %s", result.Text())
	}
}

func TestRealMCPToolInThisProcess(t *testing.T) {
	h := newHouse(t, calls("GREET", "mcp__channel__greet", object{"name": "Ann"}))
	o := h.options(t)
	o.Servers = map[string]*mcp.Server{"channel": server(nil)}
	o.Allowed = []string{"mcp__channel"}
	// At once: the client must have the tools in its very first request.
	_, events := h.open(t, o, "mcp").turn("GREET her")
	if first := h.asked()[0]; !strings.Contains(strings.Join(first.tools, " "), "mcp__channel__greet") {
		t.Errorf("the first request's tools: %v", first.tools)
	}
	if result := each[ToolResult](events)[0]; result.IsError || result.Text() != "hello Ann" {
		t.Errorf("the model got %+v", result)
	}
}

func TestRealInterrupt(t *testing.T) {
	never := make(chan struct{})
	h := newHouse(t, func(q request) reaction {
		if strings.Contains(q.newest, "WAIT") && !strings.Contains(q.newest, "AGAIN") {
			return reaction{hold: never}
		}
		return reaction{text: "here"}
	})
	s := h.open(t, h.options(t), "interrupt")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, _, err := s.try(ctx, "WAIT", func(e Event) {
		if _, ok := e.(Status); ok {
			cancel()
		}
	})
	if err != nil || !r.Interrupted || !r.IsError || r.API {
		t.Errorf("%+v, %v", r, err)
	}
	if r, _ := s.turn("AGAIN"); r.Text != "here" || r.IsError {
		t.Errorf("the session did not live on: %+v", r)
	}
	// The live process sends the text of the interrupted turn again.
	if asked := h.asked(); !strings.Contains(string(asked[len(asked)-1].raw), "WAIT") {
		t.Error("the interrupted message is not in the next request")
	}
}

func TestRealInterruptWhileAToolRuns(t *testing.T) {
	h := newHouse(t, calls("SLEEP", "Bash", object{"command": until("/nonexistent")}))
	s := h.open(t, h.options(t), "interrupt-tool")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, _, err := s.try(ctx, "SLEEP", func(e Event) {
		if _, ok := e.(ToolUse); ok {
			cancel()
		}
	})
	if err != nil || !r.Interrupted {
		t.Errorf("%+v, %v", r, err)
	}
	if s.BackgroundTasks() != 0 {
		t.Errorf("%d background tasks after an interruption", s.BackgroundTasks())
	}
	if r, _ := s.turn("hello"); r.IsError {
		t.Errorf("the session did not live on: %+v", r)
	}
}

func TestRealInterruptWhileAQuestionIsOpen(t *testing.T) {
	h := newHouse(t, calls("MAKE", "Bash", object{"command": "touch /nonexistent/x"}))
	o := h.options(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan struct{})
	o.Permission = func(ctx context.Context, _ Question) Answer {
		cancel()
		<-ctx.Done()
		close(ended)
		return Answer{}
	}
	s := h.open(t, o, "interrupt-question")
	r, _, err := s.try(ctx, "MAKE", nil)
	if err != nil || !r.Interrupted {
		t.Errorf("%+v, %v", r, err)
	}
	<-ended
	if r, _ := s.turn("hello"); r.IsError {
		t.Errorf("the session did not live on: %+v", r)
	}
}

func TestRealAPIError(t *testing.T) {
	h := newHouse(t, func(q request) reaction {
		if strings.Contains(q.newest, "FAIL") && !strings.Contains(q.newest, "hello") {
			return reaction{status: 400}
		}
		return reaction{text: "fine"}
	})
	s := h.open(t, h.options(t), "api-error")
	r, _ := s.turn("FAIL")
	if !r.IsError || !r.API || r.Interrupted || !strings.Contains(r.Text, "the model refuses") || len(r.Calls) != 0 {
		t.Errorf("%+v", r)
	}
	if r, _ := s.turn("hello"); r.IsError || r.Text != "fine" {
		t.Errorf("the session did not live on: %+v", r)
	}
}

func TestRealResume(t *testing.T) {
	h := newHouse(t, says("noted"))
	o := h.options(t)
	s := h.open(t, o, "")
	first, _ := s.turn("remember the whale")
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	o.Resume = true
	s = h.open(t, o, "resume")
	r, _ := s.turn("what was it")
	if r.Native != o.Native || !strings.Contains(string(h.asked()[1].raw), "remember the whale") {
		t.Errorf("resumed as %s", r.Native)
	}
	// 2.1.332 goes on counting where the saved session stopped.
	if r.Usage != usageOfACall || r.CostUSD-first.CostUSD > 1e-6 || first.CostUSD-r.CostUSD > 1e-6 {
		t.Errorf("the resumed turn: usage %+v, cost %v; the first cost %v", r.Usage, r.CostUSD, first.CostUSD)
	}
}

func TestRealResumeOfNothing(t *testing.T) {
	h := newHouse(t, says("?"))
	o := h.options(t)
	o.Resume = true
	if _, err := Start(t.Context(), o); CodeOf(err) != CodeNoSession {
		t.Errorf("%v", err)
	}
}

func TestRealNewSessionWithATakenID(t *testing.T) {
	h := newHouse(t, says("?"))
	o := h.options(t)
	s := h.open(t, o, "")
	s.turn("hello")
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := Start(t.Context(), o); CodeOf(err) != CodeSessionInUse {
		t.Errorf("%v", err)
	}
}

func TestRealMessageThatTheSessionHolds(t *testing.T) {
	h := newHouse(t, says("once"))
	s := h.open(t, h.options(t), "")
	s.duplicateGrace = time.Second
	m := Message{UUID: uuid.NewString(), Text: "hello"}
	if _, err := s.Turn(t.Context(), m, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Turn(t.Context(), m, nil); CodeOf(err) != CodeDuplicate {
		t.Errorf("%v", err)
	}
	if len(h.asked()) != 1 {
		t.Errorf("%d requests", len(h.asked()))
	}
	s.turn("and on")
}

func TestRealKillInMidTurn(t *testing.T) {
	never := make(chan struct{})
	h := newHouse(t, func(request) reaction { return reaction{hold: never} })
	s := h.open(t, h.options(t), "")
	_, _, err := s.try(t.Context(), "hello", func(e Event) {
		if _, ok := e.(Status); ok {
			_ = syscall.Kill(s.Record().PID, syscall.SIGKILL)
		}
	})
	if e, ok := errors.AsType[*Error](err); !ok || e.Code != CodeCrashed || !e.Sent || !strings.Contains(err.Error(), "killed") {
		t.Errorf("%v", err)
	}
	<-s.Done()
}

func TestRealBigTurns(t *testing.T) {
	h := newHouse(t, says("read"))
	s := h.open(t, h.options(t), "")
	for i, size := range []int{2 << 20, 200 << 10} {
		body := strings.Repeat("0123456789abcdef", size/16)
		// Another line right before it: a long line that followed one was once cut.
		if _, err := s.Request(t.Context(), "mcp_status", nil); err != nil {
			t.Fatal(err)
		}
		if r, _ := s.turn("BEGIN" + body + "END"); r.IsError {
			t.Errorf("%+v", r)
		}
		if !strings.Contains(h.asked()[i].newest, "BEGIN"+body+"END") {
			t.Errorf("%d bytes did not arrive whole", size)
		}
	}
}

func TestRealRequests(t *testing.T) {
	h := newHouse(t, says("x"))
	s := h.open(t, h.options(t), "")
	if u, err := s.ContextUsage(t.Context()); err != nil || u.Max < 100000 || len(u.Categories) == 0 {
		t.Errorf("context usage %+v, %v", u, err)
	}
	if err := s.SetPermissionMode(t.Context(), "plan"); err != nil {
		t.Error(err)
	}
	if err := s.SetModel(t.Context(), "sonnet"); err != nil {
		t.Error(err)
	}
	if _, err := s.Request(t.Context(), "no_such_thing", nil); CodeOf(err) != CodeRefused {
		t.Errorf("an unknown request: %v", err)
	}
	if err := s.Interrupt(t.Context()); err != nil {
		t.Errorf("an interrupt while idle: %v", err)
	}
	s.turn("hello")
	if i := s.Info(); i.PermissionMode != "plan" || !strings.Contains(i.Model, "sonnet") {
		t.Errorf("info %+v", i)
	}
	r, _ := s.turn("/cost")
	if r.IsError || r.NumTurns != 0 || r.Usage != (Usage{}) {
		t.Errorf("a local command: %+v", r)
	}
}

func TestRealBlockedPrompt(t *testing.T) {
	h := newHouse(t, says("x"))
	o := h.options(t)
	o.Hooks = []Hook{{Event: "UserPromptSubmit", Call: func(context.Context, HookInput) (json.RawMessage, error) {
		return json.RawMessage(`{"decision":"block","reason":"no way"}`), nil
	}}}
	r, _ := h.open(t, o, "blocked").turn("hello")
	if r.NumTurns != 0 || !strings.Contains(r.Text, "no way") || len(h.asked()) != 0 {
		t.Errorf("%+v", r)
	}
}

func TestRealLocate(t *testing.T) {
	t.Setenv(PathVariable, claudetest.Client(t))
	path, version, err := Locate(t.Context(), os.Environ())
	if err != nil || path != claudetest.Client(t) || strings.Count(version, ".") != 2 {
		t.Errorf("%s, %s, %v", path, version, err)
	}
}

func TestRealAllowedToolsNeedNoQuestion(t *testing.T) {
	h := newHouse(t, calls("MAKE", "Bash", object{"command": "touch made"}))
	o := h.options(t)
	o.Allowed = []string{"mcp__channel", "Bash(touch:*)"}
	o.Permission = func(_ context.Context, q Question) Answer {
		t.Errorf("asked for %s", q.Input)
		return Answer{}
	}
	h.open(t, o, "").turn("MAKE it")
	if _, err := os.Stat(filepath.Join(h.dir, "made")); err != nil {
		t.Error(err)
	}
}

// Rules are told when the client has started. They take effect in the very first turn, whatever they hold and however long
// they are, and change nothing about what the model is sent.
func TestRealRules(t *testing.T) {
	odd := "touch 'ma(de' && touch 'al\\)so, x'"
	h := newHouse(t, calls("MAKE", "Bash", object{"command": odd}))
	begin := func(rules ...Rule) (tools, system string, questions int) {
		o := h.options(t)
		o.Framing = "be nice" // with it, the client's own part is the same in every process
		o.Rules = rules
		o.Permission = func(context.Context, Question) Answer {
			questions++
			return Answer{}
		}
		before := len(h.asked())
		h.open(t, o, "").turn("MAKE it")
		first := h.asked()[before]
		return strings.Join(first.tools, " "), systemPrompt(t, first), questions
	}
	tools, system, questions := begin()
	if questions != 1 {
		t.Errorf("without a rule there were %d questions", questions)
	}
	ruledTools, ruledSystem, questions := begin(Rule{Tool: "Bash", Content: "ls ("}, Rule{Tool: "mcp__nobody"},
		Rule{Tool: "Bash", Content: "echo " + strings.Repeat("x", 2*longestArgument)}, Rule{Tool: "Bash", Content: odd})
	if questions != 0 {
		t.Errorf("with a rule there were %d questions", questions)
	}
	for _, made := range []string{"ma(de", "al\\)so, x"} {
		if _, err := os.Stat(filepath.Join(h.dir, made)); err != nil {
			t.Error(err)
		}
	}
	if tools != ruledTools || system != ruledSystem {
		t.Error("the rules change what the model is sent")
	}
}

// systemPrompt is what a request says before the first message, but for the block that tells who pays.
func systemPrompt(t *testing.T, q request) string {
	t.Helper()
	var blocks []struct {
		Text string `json:"text"`
	}
	if err := json.Unmarshal([]byte(q.system), &blocks); err != nil || len(blocks) < 2 {
		t.Fatalf("the system prompt has %d blocks: %v", len(blocks), err)
	}
	var out strings.Builder
	for _, b := range blocks[1:] {
		out.WriteString(b.Text)
	}
	return out.String()
}

func init() {
	parts["a person's MCP server"] = func(*fake) {
		if err := server(nil).Run(context.Background(), &mcp.StdioTransport{}); err != nil {
			os.Exit(1)
		}
	}
}

// The person's own MCP servers work beside ours, as in their terminal.
func TestRealPersonsOwnServers(t *testing.T) {
	h := newHouse(t, calls("GREET", "mcp__mine__greet", object{"name": "Ann"}))
	config, err := json.Marshal(object{"mcpServers": object{"mine": object{
		"command": os.Args[0], "args": []string{}, "env": object{fakeVariable: "a person's MCP server"}}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(h.home, ".claude.json"), config, 0o600); err != nil {
		t.Fatal(err)
	}
	o := h.options(t)
	o.Servers = map[string]*mcp.Server{"channel": server(nil)}
	o.Permission = func(context.Context, Question) Answer { return Answer{Allow: true} }
	s := h.open(t, o, "")
	// It is another process, which the client does not wait for.
	for connected := 0; connected < 2; {
		raw, err := s.Request(t.Context(), "mcp_status", nil)
		if err != nil {
			t.Fatal(err)
		}
		connected = strings.Count(string(raw), `"connected"`)
	}
	_, events := s.turn("GREET her")
	if result := each[ToolResult](events)[0]; result.IsError || result.Text() != "hello Ann" {
		t.Errorf("the model got %+v", result)
	}
	names := map[string]string{}
	for _, server := range s.Info().Servers {
		names[server.Name] = server.Status
	}
	if names["mine"] != "connected" || names["channel"] != "connected" {
		t.Errorf("servers %v", names)
	}
}
