package standin

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
)

// patience bounds what a test waits for; nothing is measured by it.
const patience = 60 * time.Second

// host is what holds an agent's process: it sends messages, and answers what
// the process asks.
type host struct {
	t      *testing.T
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stderr *tail
	lines  chan object
	raw    chan []byte // lines that are no JSON objects
	exit   chan int

	mu   sync.Mutex
	seen []object
	// answer is asked for the answer to a request of the process; ok is false
	// leaves it unanswered. Without one, permission is given.
	answer func(request object) (response any, ok bool)
}

// place is where an agent works: a home and a workspace.
type place struct{ home, workspace string }

func newPlace(t *testing.T) place {
	t.Helper()
	return place{home: t.TempDir(), workspace: t.TempDir()}
}

const channelConfig = `{"mcpServers":{"channel":{"type":"sdk","name":"channel"},"other":{"command":"never-started"}}}`

// usual are the flags Hearth gives.
func usual(more ...string) []string {
	return append([]string{
		"-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose", "--include-partial-messages",
		"--replay-user-messages", "--permission-prompt-tool", "stdio", "--append-system-prompt", "--- the framing ---",
		"--mcp-config", channelConfig, "--allowedTools", "mcp__channel__channel_history", "mcp__channel__channel_decline",
		"--a-flag-from-the-future", "its", "values", "--exclude-dynamic-system-prompt-sections",
	}, more...)
}

func startAgent(t *testing.T, p place, env []string, args ...string) *host {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, append([]string{agentFlag}, args...)...)
	cmd.Dir = p.workspace
	cmd.Env = append([]string{"HOME=" + p.home, "PATH=" + os.Getenv("PATH")}, env...)
	return startHost(t, cmd)
}

// startHost starts a process and listens to it.
func startHost(t *testing.T, cmd *exec.Cmd) *host {
	t.Helper()
	h := &host{t: t, cmd: cmd, stderr: &tail{}, lines: make(chan object, 10_000), raw: make(chan []byte, 10_000), exit: make(chan int, 1)}
	cmd.Stderr = h.stderr
	var err error
	if h.stdin, err = cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer close(h.lines)
		h.listen(stdout)
		_ = cmd.Wait() // its status is looked at
		h.exit <- cmd.ProcessState.ExitCode()
	}()
	t.Cleanup(func() {
		_ = h.stdin.Close()
		select {
		case <-ended:
		case <-time.After(patience):
			t.Error("the process did not end with its input")
		}
		_ = cmd.Process.Kill() // no harm done when it has ended
		<-ended
	})
	return h
}

// answers replaces what the process's requests are answered with.
func (h *host) answers(answer func(request object) (response any, ok bool)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.answer = answer
}

// tail keeps what a process says on stderr; it may be read while that still writes.
type tail struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (w *tail) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(p)
}

func (w *tail) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

func (h *host) listen(stdout io.Reader) {
	in := bufio.NewReaderSize(stdout, 1<<20)
	for {
		raw, err := in.ReadBytes('\n')
		if len(raw) > 0 {
			var line object
			switch {
			case json.Unmarshal(raw, &line) != nil || line == nil:
				h.raw <- raw
			case line["type"] == "control_request":
				h.respond(line)
				h.lines <- line
			default:
				h.lines <- line
			}
		}
		if err != nil {
			return
		}
	}
}

func (h *host) respond(line object) {
	request, _ := line["request"].(object)
	h.mu.Lock()
	answer := h.answer
	h.mu.Unlock()
	var response any
	ok := false
	if answer != nil {
		response, ok = answer(request)
	}
	if !ok && answer == nil || response == nil && ok {
		response, ok = usualAnswer(request), true
	}
	if ok {
		h.send(object{"type": "control_response", "response": object{"subtype": "success", "request_id": line["request_id"], "response": response}})
	}
}

// usualAnswer gives permission and serves the channel's tools.
func usualAnswer(request object) any {
	switch request["subtype"] {
	case "can_use_tool":
		return object{"behavior": "allow", "updatedInput": request["input"]}
	case "mcp_message":
		message, _ := request["message"].(object)
		id, called := message["id"]
		if !called {
			return object{}
		}
		return object{"mcp_response": object{"jsonrpc": "2.0", "id": id, "result": channelServer(message)}}
	}
	return object{}
}

// channelServer is a small MCP server: its list comes in two pages, and its
// tools say back what they were given.
func channelServer(message object) object {
	params, _ := message["params"].(object)
	tool := func(name string) object {
		return object{"name": name, "description": "x", "inputSchema": object{"type": "object"}}
	}
	switch message["method"] {
	case "initialize":
		return object{"protocolVersion": params["protocolVersion"], "capabilities": object{"tools": object{}}, "serverInfo": object{"name": "channel", "version": "1"}}
	case "tools/list":
		if params["cursor"] == nil {
			return object{"tools": []object{tool("channel_history"), tool("channel_post")}, "nextCursor": "more"}
		}
		return object{"tools": []object{tool("channel_decline"), tool("channel_roster"), tool("project_activity")}}
	case "tools/call":
		given, _ := json.Marshal(params["arguments"])
		return object{"content": []object{{"type": "text", "text": params["name"].(string) + " got " + string(given)}}, "isError": params["name"] == "channel_roster"}
	}
	return object{}
}

func (h *host) send(line object) {
	raw, err := json.Marshal(line)
	if err != nil {
		h.t.Error(err)
		return
	}
	if _, err := h.stdin.Write(append(raw, '\n')); err != nil && !errors.Is(err, os.ErrClosed) {
		h.t.Logf("write to the process: %v", err) // it may be dying, which the test looks at
	}
}

// ask sends a message; its uuid comes back.
func (h *host) ask(text string) string {
	id := uuid.NewString()
	h.send(object{"type": "user", "uuid": id, "message": object{"role": "user", "content": text}, "parent_tool_use_id": nil, "session_id": ""})
	return id
}

// until reads lines up to and with the first that matches.
func (h *host) until(what string, match func(object) bool) object {
	h.t.Helper()
	late := time.After(patience)
	for {
		select {
		case line, ok := <-h.lines:
			if !ok {
				h.t.Fatalf("the process ended before %s; stderr:\n%s", what, h.stderr)
			}
			h.seen = append(h.seen, line)
			if match(line) {
				return line
			}
		case <-late:
			h.t.Fatalf("%s did not come; stderr:\n%s\nlines:\n%s", what, h.stderr, shapes(h.seen))
		}
	}
}

func is(kind string) func(object) bool {
	return func(line object) bool { return line["type"] == kind }
}

// turn asks and returns the result, and the lines of the turn.
func (h *host) turn(text string) (object, []object) {
	h.t.Helper()
	from := len(h.seen)
	h.ask(text)
	result := h.until("the result", is("result"))
	return result, h.seen[from:]
}

// says asks, and checks that the reply has all of some texts in it.
func (h *host) says(text string, wants ...string) object {
	h.t.Helper()
	result, _ := h.turn(text)
	reply, _ := result["result"].(string)
	for _, want := range wants {
		if result["is_error"] == true || !strings.Contains(reply, want) {
			h.t.Errorf("%q was answered (is_error %v):\n%s\nwant in it: %q", text, result["is_error"], reply, want)
		}
	}
	return result
}

// control asks the process and returns its response.
func (h *host) control(request object) object {
	h.t.Helper()
	id := uuid.NewString()
	h.send(object{"type": "control_request", "request_id": id, "request": request})
	line := h.until("a response", func(line object) bool {
		r, _ := line["response"].(object)
		return line["type"] == "control_response" && r["request_id"] == id
	})
	return line["response"].(object)
}

// ends closes the input and returns the exit status.
func (h *host) ends() int {
	h.t.Helper()
	_ = h.stdin.Close()
	return h.ended()
}

func (h *host) ended() int {
	h.t.Helper()
	late := time.After(patience)
	for {
		select {
		case line, ok := <-h.lines:
			if ok {
				h.seen = append(h.seen, line)
				continue
			}
			return <-h.exit
		case <-late:
			h.t.Fatalf("the process did not end; lines:\n%s", shapes(h.seen))
		}
	}
}

// shape is a line's type in short.
func shape(line object) string {
	kind, _ := line["type"].(string)
	switch kind {
	case "system", "result":
		kind += "/" + asString(line["subtype"])
	case "command_lifecycle":
		kind += "/" + asString(line["state"])
	case "control_request":
		request, _ := line["request"].(object)
		kind += "/" + asString(request["subtype"])
	case "stream_event":
		event, _ := line["event"].(object)
		kind = "event/" + asString(event["type"])
	case "user":
		if line["isReplay"] == true {
			kind += "/replay"
		}
	}
	return kind
}

func asString(v any) string {
	s, _ := v.(string)
	return s
}

// shapes is one shape a line; repeated ones are told once.
func shapes(lines []object) string {
	var out []string
	for _, line := range lines {
		s := shape(line)
		if n := len(out); n > 0 && out[n-1] == s {
			continue
		}
		out = append(out, s)
	}
	return strings.Join(out, "\n")
}

func find(lines []object, want string) []object {
	var out []object
	for _, line := range lines {
		if shape(line) == want {
			out = append(out, line)
		}
	}
	return out
}
