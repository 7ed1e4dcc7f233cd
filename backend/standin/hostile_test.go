package standin

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func mode(m string) []string { return []string{"STANDIN_AGENT_MODE=" + m} }

func TestHostileGarbage(t *testing.T) {
	h := startAgent(t, newPlace(t), mode("garbage"), usual()...)
	for range 3 {
		h.says("hello "+manyScripts, manyScripts)
	}
	if len(h.raw) == 0 {
		t.Error("there were no stray lines")
	}
	stray := 0
	for _, line := range h.seen {
		if line["type"] == "from_a_newer_version" || line["type"] == nil || line["type"] == 7.0 {
			stray++
		}
	}
	if stray < 3 {
		t.Errorf("%d lines of unknown types", stray)
	}
}

func TestHostileFlood(t *testing.T) {
	h := startAgent(t, newPlace(t), mode("flood=5000"), usual()...)
	_, lines := h.turn("hello")
	if n := len(find(lines, "event/content_block_delta")); n < 5000 {
		t.Errorf("%d events", n)
	}
	if parseHostile("flood").flood != 100_000 {
		t.Error("flood alone is no flood")
	}
}

func TestHostileDieMidLine(t *testing.T) {
	h := startAgent(t, newPlace(t), mode("die-mid-line"), usual()...)
	h.ask("hello")
	if status := h.ended(); status != 1 {
		t.Errorf("ended with %d", status)
	}
	last := <-h.raw
	if bytes.HasSuffix(last, []byte("\n")) || !bytes.HasPrefix(last, []byte(`{"`)) {
		t.Errorf("the last line: %q", last)
	}
	if !strings.Contains(h.stderr.String(), "died in the middle of a line") {
		t.Errorf("stderr: %s", h.stderr)
	}
}

func TestHostileBigLine(t *testing.T) {
	const size = 5 << 20
	h := startAgent(t, newPlace(t), mode("bigline=5242880"), usual()...)
	result, _ := h.turn("hello")
	reply := result["result"].(string)
	if len(reply) < size-3 || len(reply) > size || !utf8.ValidString(reply) {
		t.Errorf("%d bytes, valid %v", len(reply), utf8.ValidString(reply))
	}
}

// Every line comes in pieces that end inside a character, and whole in the end.
func TestHostileSplitUTF8(t *testing.T) {
	var pieces [][]byte
	w := &lineWriter{w: writerFunc(func(p []byte) (int, error) {
		pieces = append(pieces, bytes.Clone(p))
		return len(p), nil
	}), hostile: parseHostile("split-utf8"), broken: func(error) {}}
	if err := w.line(map[string]any{"type": "x", "text": manyScripts}); err != nil {
		t.Fatal(err)
	}
	split := 0
	for _, p := range pieces {
		if !utf8.Valid(p) {
			split++
		}
	}
	var line object
	if err := json.Unmarshal(bytes.Join(pieces, nil), &line); err != nil || line["text"] != manyScripts || split < 5 {
		t.Errorf("%d pieces split characters: %v %v", split, line, err)
	}
	h := startAgent(t, newPlace(t), mode("split-utf8"), usual()...)
	h.says("hello "+manyScripts, manyScripts)
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestHostileNoInit(t *testing.T) {
	h := startAgent(t, newPlace(t), mode("no-init"), usual()...)
	h.send(object{"type": "control_request", "request_id": "never", "request": object{"subtype": "initialize"}})
	h.says("hello", "hello")
	for _, line := range h.seen {
		if shape(line) == "system/init" || line["type"] == "control_response" {
			t.Errorf("%v", line)
		}
	}
	if r := h.control(object{"subtype": "mcp_status"}); r["subtype"] != "success" {
		t.Errorf("%v", r)
	}
}

// A hang answers nothing any more and outlives the end of its input.
func TestHostileHang(t *testing.T) {
	h := startAgent(t, newPlace(t), mode("hang"), usual()...)
	h.ask("hello")
	h.until("the turn", func(line object) bool { return shape(line) == "system/status" })
	h.send(object{"type": "control_request", "request_id": "i", "request": object{"subtype": "interrupt"}})
	_ = h.stdin.Close()
	staysSilent(t, h)
	if err := h.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	h.ended()
}

func TestHostileSilentStdin(t *testing.T) {
	h := startAgent(t, newPlace(t), mode("silent-stdin"), usual()...)
	stuck := make(chan struct{})
	go func() { // more than any pipe holds
		defer close(stuck)
		_, _ = h.stdin.Write(bytes.Repeat([]byte("x"), 1<<20)) // it fails when the process is killed
	}()
	staysSilent(t, h)
	select {
	case <-stuck:
		t.Error("something read it")
	default:
	}
	if err := h.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-stuck
	h.ended()
}

// staysSilent looks whether a process says or does anything in the time in
// which a healthy one would have long answered.
func staysSilent(t *testing.T, h *host) {
	t.Helper()
	select {
	case line, ok := <-h.lines:
		t.Errorf("it said %v, or ended (%v)", line, !ok)
	case <-time.After(300 * time.Millisecond):
	}
}

// A broken pipe ends the agent; it does not talk to nobody.
func TestAgentNoticesThatNobodyListens(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, append([]string{agentFlag}, usual()...)...)
	cmd.Env = []string{"HOME=" + t.TempDir()}
	cmd.Dir = t.TempDir()
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(stdin, `{"type":"control_request","request_id":"1","request":{"subtype":"mcp_status"}}`+"\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	_ = stdout.Close()
	if _, err := io.WriteString(stdin, `{"type":"control_request","request_id":"2","request":{"subtype":"mcp_status"}}`+"\n"); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Error("it ended as if nothing had happened")
	}
}

func TestAgentDiesOfNonsense(t *testing.T) {
	h := startAgent(t, newPlace(t), nil, usual()...)
	if _, err := io.WriteString(h.stdin, "this is no JSON\n"); err != nil {
		t.Fatal(err)
	}
	if status := h.ended(); status != 1 || !strings.Contains(h.stderr.String(), "is no JSON") {
		t.Errorf("%d %s", status, h.stderr)
	}
}
