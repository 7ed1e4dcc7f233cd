//go:build linux && desktop && e2e_window

package app

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// hearth is the program that people get, run on a desktop, and its API as any other program reaches it.
type hearth struct {
	t       testing.TB
	desktop *seat
	cmd     *exec.Cmd
	dir     string
	said    *lockedBuffer
	ended   chan struct{}
	status  error

	base, token string
	client      *http.Client
}

// binary is the program: HEARTH_TEST_BINARY, or the one that make has built.
func binary(t testing.TB) string {
	t.Helper()
	path := os.Getenv("HEARTH_TEST_BINARY")
	if path == "" {
		path = filepath.Join("..", "bin", "hearth")
	}
	path, err := filepath.Abs(path)
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		t.Fatalf("this test needs the program with its window and its page: make build (%v)", err)
	}
	return path
}

// command is the program on the desktop of somebody who has no Claude Code: the agent is the stand-in.
func (d *seat) command(dir string) *exec.Cmd {
	d.t.Helper()
	cmd := exec.Command(binary(d.t))
	cmd.Dir = filepath.Join(d.home, "project")
	if err := os.MkdirAll(cmd.Dir, 0o700); err != nil {
		d.t.Fatal(err)
	}
	environ := slices.DeleteFunc(d.environ(), func(e string) bool {
		return strings.HasPrefix(e, "HEARTH_") || strings.HasPrefix(e, "PATH=")
	})
	cmd.Env = append(environ, "PATH="+d.bin+":/usr/bin:/bin", "HEARTH_DATA_DIR="+dir)
	return cmd
}

// hearth starts it and waits until it answers; environment is added to the desktop's.
func (d *seat) hearth(dir string, environment ...string) *hearth {
	d.t.Helper()
	h := &hearth{
		t: d.t, desktop: d, cmd: d.command(dir), dir: dir, said: &lockedBuffer{}, ended: make(chan struct{}),
		client: &http.Client{Transport: &http.Transport{}},
	}
	h.cmd.Env = append(h.cmd.Env, environment...)
	h.cmd.Stdout, h.cmd.Stderr = h.said, h.said
	h.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM} // in order: it has agents
	if err := h.cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	go func() {
		h.status = h.cmd.Wait()
		close(h.ended)
	}()
	d.t.Cleanup(func() {
		h.cmd.Process.Signal(syscall.SIGTERM)
		<-h.ended
		h.client.CloseIdleConnections()
		if d.t.Failed() {
			d.t.Logf("Hearth said:\n%s\nand logged:\n%s", h.said, h.logged())
		}
	})
	d.until("a Hearth that answers", func() bool {
		select {
		case <-h.ended:
			d.t.Fatalf("Hearth ended (%v) and said: %s", h.status, h.said)
		default:
		}
		var file struct{ Addr, Token string }
		text, err := os.ReadFile(filepath.Join(dir, "server.json"))
		if err != nil || json.Unmarshal(text, &file) != nil {
			return false
		}
		h.base, h.token = "http://"+file.Addr, file.Token
		return true
	})
	return h
}

func (h *hearth) logged() string { return readLog(h.dir) }

func (h *hearth) request(ctx context.Context, path string) *http.Response {
	h.t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, h.base+path, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+h.token)
	answer, err := h.client.Do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	if answer.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(answer.Body)
		h.t.Fatalf("GET %s: %s %s", path, answer.Status, text)
	}
	return answer
}

// get reads from the API.
func get[T any](h *hearth, path string) (out T) {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	answer := h.request(ctx, path)
	defer answer.Body.Close()
	if err := json.NewDecoder(answer.Body).Decode(&out); err != nil {
		h.t.Fatalf("GET %s: %v", path, err)
	}
	return out
}

// What these tests read of what the API says.
type (
	aChannel struct{ ID, Name string }
	aRow     struct{ ID, Handle, Kind, Body string }
	aRun     struct {
		ID, State string
		RowID     string `json:"row_id"`
		ReplyID   string `json:"reply_id"`
		RetryOf   string `json:"retry_of"`
	}
	anAgent struct {
		Binding struct{ Handle, Runtime string }
		State   struct {
			Phase string
			PID   int
		}
	}
)

func (h *hearth) channels() []aChannel {
	h.t.Helper()
	return get[struct{ Channels []aChannel }](h, "/api/channels").Channels
}

func (h *hearth) agents(channel string) []anAgent {
	h.t.Helper()
	return get[struct{ Agents []anAgent }](h, "/api/channels/"+channel+"/roster").Agents
}

func (h *hearth) rows(channel string) []aRow {
	h.t.Helper()
	return get[struct{ Rows []aRow }](h, "/api/channels/"+channel+"/messages").Rows
}

// runs are the channel's, newest first.
func (h *hearth) runs(channel string) []aRun {
	h.t.Helper()
	return get[struct{ Runs []aRun }](h, "/api/channels/"+channel+"/runs").Runs
}

func (h *hearth) row(id string) aRow {
	h.t.Helper()
	return get[aRow](h, "/api/messages/"+id)
}

// run waits for the newest run to be in a state, and returns it. was is the one that was the newest before.
func (h *hearth) run(channel, state, was string) (newest aRun) {
	h.t.Helper()
	h.desktop.until("a run that is "+state, func() bool {
		if runs := h.runs(channel); len(runs) > 0 && runs[0].ID != was {
			newest = runs[0]
		}
		return newest.State == state
	})
	return newest
}

// streamed collects what runs stream until it is stopped.
type streamed struct {
	mutex  sync.Mutex
	pieces map[string][]string // by run
	stop   func()
}

func (s *streamed) of(run string) []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return slices.Clone(s.pieces[run])
}

// listen reads the stream of events from now on.
func (h *hearth) listen() *streamed {
	h.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	answer := h.request(ctx, "/api/events")
	s := &streamed{pieces: map[string][]string{}}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer answer.Body.Close()
		lines, kind := bufio.NewScanner(answer.Body), ""
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			if name, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
				kind = name
			}
			data, ok := strings.CutPrefix(lines.Text(), "data: ")
			var delta struct {
				RunID string `json:"run_id"`
				Text  string
			}
			if !ok || kind != "run.delta" || json.Unmarshal([]byte(data), &delta) != nil {
				continue
			}
			s.mutex.Lock()
			s.pieces[delta.RunID] = append(s.pieces[delta.RunID], delta.Text)
			s.mutex.Unlock()
		}
	}()
	s.stop = func() { cancel(); <-ended }
	h.t.Cleanup(s.stop)
	return s
}

// write types a message into the field that has the keyboard, and sends it.
func (d *seat) write(text string) {
	d.run("xdotool", "type", "--delay", "15", text)
	d.key("Return")
}

func alive(pid int) bool { return syscall.Kill(pid, 0) == nil }

// A person starts the program for the first time, with no Claude Code on the machine, and uses nothing but the keyboard. What
// comes of it is read from the API.
func TestRealHearth(t *testing.T) {
	d := newDesktop(t, screen)
	dir := filepath.Join(shortDir(t), "data")
	h := d.hearth(dir)

	// The first start has made a channel with an agent, and the window shows it.
	channels := h.channels()
	if len(channels) != 1 || channels[0].Name != "general" {
		t.Fatalf("the first start made %+v", channels)
	}
	channel := channels[0].ID
	if agents := h.agents(channel); len(agents) != 1 || agents[0].Binding.Handle != "claude" || agents[0].Binding.Runtime != "cli:standin:agent" {
		t.Fatalf("the first agent is %+v", agents)
	}
	if rows := h.rows(channel); len(rows) == 0 {
		t.Error("the first channel has no rows to look at")
	}
	window := d.windowNamed("Hearth")
	d.until("the page in the channel", func() bool {
		r, err := recall(dir)
		return err == nil && strings.HasPrefix(r.Address, "/c/")
	})
	d.until("the first paint in the log", func() bool { return strings.Contains(h.logged(), paintedLine) })
	d.focus(window)
	d.screenshot("first")

	// A mention.
	d.write("@claude hello")
	asked := h.run(channel, "succeeded", "")
	if row := h.row(asked.RowID); row.Body != "@claude hello" || row.Kind != "user" || row.Handle != "" {
		t.Errorf("typed was %+v", row)
	}
	if reply := h.row(asked.ReplyID); reply.Handle != "claude" || !strings.Contains(reply.Body, "Hearth") {
		t.Errorf("the answer is %+v", reply)
	}
	if agents := h.agents(channel); agents[0].State.Phase != "warm" || !alive(agents[0].State.PID) {
		t.Errorf("the agent is %+v", agents[0].State)
	}
	d.picture(window, "window")

	// A stream: it comes in pieces, which together are the answer.
	stream := h.listen()
	d.write("@claude /stream 400")
	told := h.run(channel, "succeeded", asked.ID)
	reply := h.row(told.ReplyID).Body
	d.until("all of the stream", func() bool {
		return strings.TrimSpace(strings.Join(stream.of(told.ID), "")) == strings.TrimSpace(reply)
	})
	if pieces := stream.of(told.ID); len(pieces) < 3 {
		t.Errorf("an answer of %d bytes came in %d pieces", len(reply), len(pieces))
	}
	stream.stop()
	d.screenshot("streamed")

	// A stop.
	d.write("@claude /slow 600")
	slow := h.run(channel, "running", told.ID)
	d.screenshot("running")
	d.key("Escape") // out of the field: letters are commands now
	d.key("s")
	if stopped := h.run(channel, "stopped", told.ID); stopped.ID != slow.ID {
		t.Errorf("stopped was %+v, not %+v", stopped, slow)
	}
	d.screenshot("stopped")

	// A retry.
	d.key("r")
	again := h.run(channel, "running", slow.ID)
	if again.RetryOf != slow.ID {
		t.Errorf("asked again was %+v", again)
	}
	pid := h.agents(channel)[0].State.PID
	if !alive(pid) {
		t.Fatalf("process %d of the agent is not there", pid)
	}

	// Closing asks, since the agent is at work. In the background it goes on, and a second start brings the window back.
	closeWindow := func() {
		t.Helper()
		d.key("alt+F4")
		d.until("the question", func() bool { return d.active() != window && d.active() != "" })
	}
	closeWindow()
	d.key("alt+g")
	d.until("the background", func() bool {
		return !strings.Contains(d.run("xdotool", "search", "--onlyvisible", "--name", "^Hearth$"), window)
	})
	if now := h.run(channel, "running", slow.ID); now.ID != again.ID || !alive(pid) {
		t.Errorf("in the background the run is %+v", now)
	}
	second := d.command(dir)
	out, err := second.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "its window is in front now") {
		t.Errorf("a second start: %v %s", err, out)
	}
	d.until("the window again", func() bool { return d.active() == window })

	// Quitting stops the agent and leaves nothing behind.
	closeWindow()
	d.key("alt+q")
	select {
	case <-h.ended:
	case <-time.After(patience):
		t.Fatal("Hearth does not end")
	}
	if h.status != nil {
		t.Errorf("Hearth ended with %v", h.status)
	}
	if alive(pid) {
		t.Errorf("process %d of the agent has outlived Hearth", pid)
	}
	if _, err := os.Stat(filepath.Join(dir, "server.json")); err == nil {
		t.Error("server.json stayed")
	}
}

// picture keeps what is in a window, without its frame, where HEARTH_SCREENSHOTS says.
func (d *seat) picture(window, name string) {
	dir := os.Getenv("HEARTH_SCREENSHOTS")
	if dir == "" {
		return
	}
	if out := d.run("import", "-window", window, filepath.Join(dir, d.t.Name()+"-"+name+".png")); out != "" {
		d.t.Log(out)
	}
}

// paintedLine is what the log says when the page has shown something.
const paintedLine = `msg="the page is painted"`

// BenchmarkSecondStart starts the program that people get, on a data folder that was used before, and measures from the call
// that starts the process to the moment that stands in its log beside "the page is painted". The page tells that moment: the
// frame after the first one with something in it (first-contentful-paint, as WebKit counts it). In it are loading the program
// and its libraries, opening the database, the window, WebKit's own processes, the page and its script; the first start, which
// makes the data folder and fills the disk's cache, is not. The screen is one that nobody sees, drawn by the processor.
func BenchmarkSecondStart(b *testing.B) {
	d := newDesktop(b, screen)
	dir := filepath.Join(shortDir(b), "data")
	start := func() time.Duration {
		before := strings.Count(readLog(dir), paintedLine)
		from := time.Now()
		h := d.hearth(dir)
		var lines []string
		d.until("the first paint", func() bool {
			lines = linesWith(h.logged(), paintedLine)
			return len(lines) > before
		})
		stamp, _, _ := strings.Cut(strings.TrimPrefix(lines[len(lines)-1], "time="), " ")
		at, err := time.Parse(time.RFC3339Nano, stamp)
		if err != nil {
			b.Fatal(err)
		}
		h.cmd.Process.Signal(os.Interrupt)
		<-h.ended
		return at.Sub(from)
	}
	start()
	var all []time.Duration
	for b.Loop() {
		all = append(all, start())
	}
	slices.Sort(all)
	b.ReportMetric(float64(all[len(all)/2].Milliseconds()), "ms-to-paint(median)")
	b.ReportMetric(float64(all[len(all)-1].Milliseconds()), "ms-to-paint(worst)")
	b.ReportMetric(0, "ns/op") // it holds the end of the program too
}

func readLog(dir string) string {
	text, _ := os.ReadFile(filepath.Join(dir, "hearth.log"))
	return string(text)
}

func linesWith(text, part string) (out []string) {
	for line := range strings.Lines(text) {
		if strings.Contains(line, part) {
			out = append(out, line)
		}
	}
	return out
}
