package engine

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hearth/backend/api"
	"hearth/backend/chat"
	"hearth/backend/claude"
	"hearth/backend/event"
	"hearth/backend/pty"
	"hearth/backend/run"
)

// inPath is an environment in which a client is found in one folder alone.
func inPath(h string, client string, more ...string) []string {
	return append([]string{"SHLVL=1", "HOME=" + h, "PATH=" + filepath.Dir(client) + ":/usr/bin:/bin"}, more...)
}

// hung writes a client that says nothing, and will not be told to end; it notes
// each call.
func hung(t *testing.T) (path, calls string) {
	t.Helper()
	dir := t.TempDir()
	path, calls = filepath.Join(dir, "claude"), filepath.Join(dir, "calls")
	script := "#!/bin/sh\ntrap '' TERM HUP\necho \"$*\" >> " + calls + "\nsleep 3600 &\nwait\nsleep 3600\n"
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path, calls
}

// awaitFile waits until a program has written a file.
func awaitFile(t *testing.T, path string) string {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if text, err := os.ReadFile(path); err == nil && len(text) > 0 {
			return string(text)
		}
	}
	t.Fatalf("%s was not written", path)
	return ""
}

// A client that hangs keeps nobody waiting: not the page, not the events of other
// agents, not their tools, and not the end.
func TestAClientThatHangs(t *testing.T) {
	path, calls := hung(t)
	h := build(t, func(o *Options) { o.Environ = inPath(t.TempDir(), path) })
	before := h.bus.Last()
	w, made, err := h.Welcome(h.ctx())
	if err != nil || !made || w.Standin() || !w.Unsure || w.Problem != "" {
		t.Fatalf("the first start: %+v %t %v", w, made, err)
	}
	rows, _, err := h.store.Rows(h.ctx(), chat.Place{ChannelID: w.Channel.ID}, "", 100)
	if err != nil || len(rows) != len(sampleRows)+1 || rows[len(rows)-1].Body != noWord || strings.Contains(noWord, "was not found") {
		t.Errorf("%+v %v", rows, err)
	}
	h.binding(w.Channel, "agent", chat.RuntimeStandin)
	h.binding(w.Channel, "second", chat.RuntimeClaude)
	r := httptest.NewRecorder()
	h.Handler().ServeHTTP(r, httptest.NewRequestWithContext(h.ctx(), http.MethodGet, "/api/channels/"+w.Channel.ID+"/roster", nil))
	if r.Code != http.StatusOK || strings.Count(r.Body.String(), `"reachable":true`) != 3 {
		t.Errorf("the roster: %d %s", r.Code, r.Body)
	}
	if reply := h.reply(h.ask(w.Channel, "@agent /roster")); !strings.Contains(reply, "claude") {
		t.Errorf("the tool says %s", reply)
	}
	h.awaitEvent(before, func(e event.Event) bool {
		state, ok := e.Data.(api.AgentState)
		return ok && e.Type == run.EventAgentState && state.Phase == "warm"
	})
	gone, cancel := context.WithCancel(h.ctx())
	cancel()
	if got := h.setup.Claude(gone); got.Problem != "Hearth is still looking for Claude Code." {
		t.Errorf("%+v", got)
	}
	if said := awaitFile(t, calls); said != "--version\n" {
		t.Errorf("asked %q", said)
	}
	if !h.agents.clients.last().none() {
		t.Fatal("the look has ended: nothing was shown")
	}
	mark := h.agents.instance + probes
	h.close()
	if left, err := pty.EndLeftovers(t.Context(), mark); err != nil || len(left) > 0 {
		t.Errorf("left after the end: %+v, %v", left, err)
	}
}

// What was found out is told when it becomes another.
func TestReachabilityIsTold(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "claude")
	h := build(t, func(o *Options) { o.Environ = inPath(t.TempDir(), path) })
	c := h.channel("backend")
	b := h.binding(c, "claude", chat.RuntimeClaude)
	reachable := func(is bool) func(event.Event) bool {
		return func(e event.Event) bool {
			state, ok := e.Data.(api.AgentState)
			return ok && e.Type == run.EventAgentState && state.BindingID == b.ID && state.Reachable == is
		}
	}
	var installed, looks atomic.Int64 // whatever this machine has
	h.agents.clients.find = func(context.Context) located {
		switch {
		case installed.Load() == 0:
			return located{err: claude.ErrNotFound}
		case looks.Add(1) == 1:
			return located{path: path, version: "9"}
		}
		return located{err: errors.New("gone")}
	}
	at := h.bus.Last()
	if !h.agents.reachable(b) {
		t.Error("unreachable before anybody has looked")
	}
	h.awaitEvent(at, reachable(false))
	if h.agents.reachable(b) {
		t.Error("reachable, and not found")
	}
	failed := h.ask(c, "@claude hello")
	if failed.State != run.Failed || !strings.HasPrefix(failed.Failure.Message, "Claude Code was not found. Install it with") {
		t.Errorf("%s: %+v", failed.State, failed.Failure)
	}
	// It is installed, and does not start.
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho broken >&2; exit 3\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	installed.Store(1)
	h.agents.clients.expire()
	at = h.bus.Last()
	if r := h.ask(c, "@claude hello"); r.State != run.Failed || !strings.Contains(r.Failure.Message, "broken") {
		t.Errorf("%s: %+v", r.State, r.Failure)
	}
	// The start that failed has it looked for again.
	h.agents.reachable(b)
	h.awaitEvent(at, reachable(false))
}

// What an earlier start was asking, and could not end because it died, is ended
// before anything is asked.
func TestWhatADeadHearthAskedIsEnded(t *testing.T) {
	path, calls := hung(t)
	good, _ := client(t, signedIn)
	asked := make(chan error, 1)
	go func() {
		_, err := claude.Version(context.Background(), path, append(inPath(t.TempDir(), path), pty.MarkVariable+"=engine-test"+probes+"/"))
		asked <- err
	}()
	awaitFile(t, calls)
	a := newAsking(t, Options{Claude: good, Environ: started(t)})
	a.instance = "engine-test"
	if got := a.locate(t.Context()); got.err != nil || got.version != "9.8.7" {
		t.Errorf("%+v", got)
	}
	if err := <-asked; err == nil || !strings.Contains(err.Error(), "killed") {
		t.Errorf("%v", err)
	}
}
