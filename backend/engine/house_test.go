package engine

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"hearth/backend/chat"
	"hearth/backend/event"
	"hearth/backend/run"
	"hearth/backend/shell"
	"hearth/backend/standin"
	"hearth/backend/store/storetest"
)

// standinFlag makes the test binary the stand-in agent instead.
const standinFlag = "standin-agent"

func TestMain(m *testing.M) {
	if shell.Called(os.Args) {
		os.Exit(shell.Main(os.Args))
	}
	if len(os.Args) > 1 && os.Args[1] == standinFlag {
		os.Exit(standin.RunAgent(context.Background(), os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
	}
	if len(os.Args) > 1 && os.Args[1] == greeterFlag {
		os.Exit(greeter())
	}
	if len(os.Args) > 1 && os.Args[1] == crashFlag {
		os.Exit(crashChild(os.Args[2:]))
	}
	goleak.VerifyTestMain(m)
}

// patience bounds what a test waits for; nothing is measured by it.
const patience = 60 * time.Second

// house is an engine under test, with a scratch home.
type house struct {
	*Engine
	t         testing.TB
	home      string
	dir       string
	workspace string
	options   Options
	stop      func()
}

// build makes a house whose agents are the stand-in; options may be changed
// before it opens.
func build(t testing.TB, change func(*Options)) *house {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t: t, home: t.TempDir(), dir: filepath.Join(t.TempDir(), "data"), workspace: t.TempDir()}
	h.options = Options{
		DataDir: h.dir, Self: self, Standin: []string{self, standinFlag}, Workspace: h.workspace,
		Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + h.home, "SHLVL=1"},
		Log:     slog.New(slog.NewTextHandler(testWriter{t}, &slog.HandlerOptions{Level: slog.LevelInfo})),
	}
	if change != nil {
		change(&h.options)
	}
	if err := storetest.Empty(filepath.Join(h.options.DataDir, Database)); err != nil {
		t.Fatal(err)
	}
	h.open()
	t.Cleanup(func() { h.close() })
	return h
}

type testWriter struct{ t testing.TB }

func (w testWriter) Write(p []byte) (int, error) {
	w.t.Log(string(p))
	return len(p), nil
}

// open starts the engine and works its queues.
func (h *house) open() {
	h.t.Helper()
	engine, err := New(context.Background(), h.options)
	if err != nil {
		h.t.Fatal(err)
	}
	h.Engine = engine
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- engine.Serve(ctx) }()
	select {
	case <-engine.runs.Ready():
	case <-time.After(patience):
		h.t.Fatal("the engine is not ready")
	}
	h.stop = func() {
		cancel()
		if err := <-served; err != nil {
			h.t.Errorf("Serve: %v", err)
		}
	}
}

func (h *house) close() {
	h.t.Helper()
	if h.Engine == nil {
		return
	}
	h.stop()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := h.Close(ctx); err != nil {
		h.t.Errorf("Close: %v", err)
	}
	h.Engine = nil
}

// vanish takes a folder away in one step: removing it file by file races with
// what the engine writes into a workbench that it watches.
func vanish(folder string) error {
	away, err := os.MkdirTemp(filepath.Dir(folder), "vanished-")
	if err != nil {
		return err
	}
	return os.Rename(folder, filepath.Join(away, filepath.Base(folder)))
}

func (h *house) ctx() context.Context {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	h.t.Cleanup(cancel)
	return ctx
}

func (h *house) channel(name string) chat.Channel {
	h.t.Helper()
	c, err := h.store.CreateChannel(h.ctx(), chat.Channel{Name: name, Workspace: h.workspace})
	if err != nil {
		h.t.Fatal(err)
	}
	return c
}

func (h *house) binding(c chat.Channel, handle string, runtime chat.Runtime, change ...func(*chat.Binding)) chat.Binding {
	h.t.Helper()
	b := chat.Binding{ChannelID: c.ID, Handle: handle, Runtime: runtime, Supervised: true, Resident: true}
	for _, f := range change {
		f(&b)
	}
	b, err := h.store.CreateBinding(h.ctx(), b)
	if err != nil {
		h.t.Fatal(err)
	}
	return b
}

// post posts a row of the owner, or of aiko when by is given.
func (h *house) post(c chat.Channel, body string, by ...string) (chat.Row, []run.Run) {
	h.t.Helper()
	return h.postIn(c, "", body, by...)
}

func (h *house) postIn(c chat.Channel, thread, body string, by ...string) (chat.Row, []run.Run) {
	h.t.Helper()
	p := run.Posting{ChannelID: c.ID, ThreadRootID: thread, Body: body}
	if len(by) > 0 {
		p.Author = by[0]
	}
	row, runs, err := h.runs.Post(h.ctx(), p)
	if err != nil {
		h.t.Fatal(err)
	}
	return row, runs
}

// ask posts a row that addresses one agent and waits for the run's end.
func (h *house) ask(c chat.Channel, body string) run.Run {
	h.t.Helper()
	_, runs := h.post(c, body)
	if len(runs) != 1 {
		h.t.Fatalf("%q caused %d runs, want 1", body, len(runs))
	}
	return h.await(runs[0].ID, run.State.Ended)
}

// await waits until a run is in a state that satisfies is.
func (h *house) await(runID string, is func(run.State) bool) run.Run {
	h.t.Helper()
	sub, _ := h.bus.Subscribe(h.bus.Last())
	defer sub.Close()
	ctx := h.ctx()
	for {
		r, err := h.store.Run(ctx, runID)
		if err != nil {
			h.t.Fatal(err)
		}
		if is(r.State) {
			return r
		}
		if _, err := sub.Next(ctx); err != nil {
			h.t.Fatalf("run %s is still %s: %v", runID, r.State, err)
		}
	}
}

// awaitEvent waits for the next event that satisfies is, looking at the ones
// since the given number too.
func (h *house) awaitEvent(after uint64, is func(event.Event) bool) event.Event {
	h.t.Helper()
	sub, _ := h.bus.Subscribe(after)
	defer sub.Close()
	ctx := h.ctx()
	for {
		e, err := sub.Next(ctx)
		if err != nil {
			h.t.Fatalf("the event did not come: %v", err)
		}
		if is(e) {
			return e
		}
	}
}

func isState(want run.State) func(run.State) bool {
	return func(s run.State) bool { return s == want }
}

// text returns what a run's turn was sent as its user message.
func (h *house) text(r run.Run) string {
	h.t.Helper()
	sent, err := h.store.RunSent(h.ctx(), r.ID)
	if err != nil {
		h.t.Fatal(err)
	}
	out := ""
	for _, block := range sent.Blocks {
		if block.Kind != "framing" {
			out += block.Text
		}
	}
	return out
}

// reply returns the body of a run's reply row.
func (h *house) reply(r run.Run) string {
	h.t.Helper()
	if r.ReplyID == "" {
		h.t.Fatalf("run %s (%s) has no reply: %+v", r.ID, r.State, r.Failure)
	}
	row, err := h.store.Row(h.ctx(), r.ReplyID)
	if err != nil {
		h.t.Fatal(err)
	}
	return row.Body
}
