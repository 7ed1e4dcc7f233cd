package cli

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"hearth/backend/chat"
	"hearth/backend/store"
)

var errNoDisplay = errors.New("there is no display")

// fakeWindow is a window without a screen. It writes down what it was asked.
type fakeWindow struct {
	display bool
	raises  func() bool      // nil: there is none to raise
	opened  chan shownWindow // each that was opened
	mutex   sync.Mutex
	asked   []string
	ran     string // the goroutine that Run was called on
}

type shownWindow struct {
	WindowOptions
	ctx   context.Context
	close chan error // what Run returns, once it is sent
}

func (h *house) withWindow(display bool) *fakeWindow {
	f := &fakeWindow{display: display, opened: make(chan shownWindow, 4)}
	note := func(what string) {
		f.mutex.Lock()
		defer f.mutex.Unlock()
		f.asked = append(f.asked, what)
	}
	h.window = Window{
		Built: true, NoDisplay: errNoDisplay,
		Available: func() bool { note("available"); return f.display },
		Raise: func(dir string, mention bool) bool {
			note(map[bool]string{false: "raise", true: "mention"}[mention])
			return dir == h.dir && f.raises != nil && f.raises()
		},
		Run: func(ctx context.Context, o WindowOptions) error {
			note("run")
			f.ran = goroutine()
			w := shownWindow{o, ctx, make(chan error, 1)}
			f.opened <- w
			select {
			case err := <-w.close:
				return err
			case <-ctx.Done():
				return nil
			}
		},
	}
	engine := h.engine
	h.engine = func(ctx context.Context, o engineOptions) (Engine, error) {
		note("engine")
		return engine(ctx, o)
	}
	return f
}

// goroutine is the number of the one that calls it.
func goroutine() string {
	stack := make([]byte, 64)
	return string(bytes.Fields(stack[:runtime.Stack(stack, false)])[1])
}

func (f *fakeWindow) wasAsked() []string {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return slices.Clone(f.asked)
}

func isGone(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// What there is while the window is open, and what is left when it was closed.
func TestWindow(t *testing.T) {
	h := newHouse(t)
	f := h.withWindow(true)
	hearth := h.start()
	w := <-f.opened
	if got, want := f.wasAsked(), []string{"raise", "available", "engine", "run"}; !slices.Equal(got, want) {
		t.Errorf("the order is %q, want %q", got, want)
	}
	if w.DataDir != h.dir || w.Version != versionText() || w.Log == nil || w.Busy() != 0 {
		t.Errorf("the window got %+v", w.WindowOptions)
	}
	if hold, err := store.Lock(h.dir); chat.CodeOf(err) != chat.CodeConflict {
		t.Errorf("the folder is not locked: %v", err)
		_ = hold.Release()
	}
	file, ok, err := readServer(h.dir)
	if err != nil || !ok || !file.Window {
		t.Fatalf("server file: %+v %t %v", file, ok, err)
	}
	stranger := &http.Client{Transport: &http.Transport{}}
	defer stranger.CloseIdleConnections()
	get(t, stranger, "http://"+file.Addr+"/api/health", 200)
	get(t, stranger, "http://"+file.Addr+"/api/channels", 401)
	// The window's own handler asks for no token, and the first start is over.
	inside := &http.Client{Transport: inProcess{w.Handler}}
	if body := get(t, inside, "http://wails/api/channels", 200); !strings.Contains(body, `"general"`) {
		t.Errorf("the window sees %s", body)
	}
	// The agents work, and commands reach them.
	if out := h.ok("post", "general", "@claude hello", "--wait"); !strings.Contains(out, "pong") {
		t.Errorf("says %q", out)
	}
	if said := hearth.stdout.String(); !strings.Contains(said, "opens its window") || !strings.Contains(said, "http://"+file.Addr) || strings.Contains(said, "token=") {
		t.Errorf("says %s", said)
	}

	w.close <- nil
	if r := hearth.end(); r.code != exitDone || !strings.Contains(r.stderr, "Ending the agents") {
		t.Errorf("ended: %+v", r)
	}
	if !isGone(filepath.Join(h.dir, serverName)) {
		t.Error("the server file stayed")
	}
	hold, err := store.Lock(h.dir)
	if err != nil {
		t.Fatalf("the folder is still locked: %v", err)
	}
	_ = hold.Release()
}

// Writing to an agent quickly: in the window that is there, in one that is opened for it, and nowhere else.
func TestMention(t *testing.T) {
	h := newHouse(t)
	f := h.withWindow(true)
	f.raises = func() bool { return true }
	if out := h.ok("mention"); !strings.Contains(out, "in front now") || !slices.Equal(f.wasAsked(), []string{"mention"}) {
		t.Errorf("says %q, asked %q", out, f.wasAsked())
	}
	f.raises = nil
	hearth := h.start("mention")
	w := <-f.opened
	if !w.Mention {
		t.Error("the window does not know what it was opened for")
	}
	w.close <- nil
	if r := hearth.end(); r.code != exitDone {
		t.Errorf("ended: %+v", r)
	}
	f.display = false
	if r := h.run("mention"); r.code != exitFailed || !strings.Contains(r.stderr, "hearth post CHANNEL") {
		t.Errorf("without a display: %+v", r)
	}
}

// A window needs the goroutine that the program started with.
func TestWindowStaysOnTheGoroutine(t *testing.T) {
	h := newHouse(t)
	f := h.withWindow(true)
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		(<-f.opened).close <- nil
	}()
	h.ok()
	if <-closed; f.ran != goroutine() {
		t.Errorf("Run was called on goroutine %s, not on %s", f.ran, goroutine())
	}
}

// Whatever ends Hearth ends the window, and the other way round.
func TestWindowEnds(t *testing.T) {
	tests := []struct {
		name   string
		engine func(context.Context, engineOptions) (Engine, error)
		end    func(b *background, w shownWindow)
		code   int
		says   string
	}{
		{"a signal", openFake, func(b *background, _ shownWindow) { b.interrupt() }, exitDone, "Ending the agents"},
		{"the window breaks", openFake, func(_ *background, w shownWindow) { w.close <- errors.New("the screen fell over") }, exitFailed, "the screen fell over"},
		{"the work breaks", func(ctx context.Context, o engineOptions) (Engine, error) {
			e, err := openFake(ctx, o)
			return breaking{e}, err
		}, func(*background, shownWindow) {}, exitFailed, "the agents' work broke off: the disk is full"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := newHouse(t)
			h.engine = tt.engine
			f := h.withWindow(true)
			hearth := h.start()
			w := <-f.opened
			tt.end(hearth, w)
			if tt.name != "the window breaks" {
				<-w.ctx.Done()
			}
			if r := hearth.end(); r.code != tt.code || !strings.Contains(r.stderr, tt.says) {
				t.Errorf("ended: %+v", r)
			}
			if !isGone(filepath.Join(h.dir, serverName)) {
				t.Error("the server file stayed")
			}
		})
	}
}

// Where there is no display, `hearth` serves to a browser and says why; `hearth
// serve` opens no window even where there is one.
func TestNoWindow(t *testing.T) {
	listens := regexp.MustCompile(`listening on http://(\S+)\n(?s:.*)once: http://\S+token=(?s:.*)End it`)
	tests := []struct {
		name    string
		display bool
		change  func(*Window)
		args    []string
		says    string
	}{
		{"no display", false, nil, nil, "There is no display to open a window on"},
		{"a build without a window", true, func(w *Window) { *w = Window{} }, nil, "This build has no window"},
		{"a display that was there a moment ago", true, func(w *Window) {
			w.Run = func(context.Context, WindowOptions) error { return errors.Join(errNoDisplay) }
		}, nil, "There is no display to open a window on"},
		{"serve", true, nil, []string{"serve"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := newHouse(t)
			f := h.withWindow(tt.display)
			if tt.change != nil {
				tt.change(&h.window)
			}
			hearth := h.start(tt.args...)
			address := hearth.stdout.until(t, listens)[1]
			if file, ok, err := readServer(h.dir); err != nil || !ok || file.Window || file.Addr != address {
				t.Errorf("server file: %+v %t %v", file, ok, err)
			}
			if said := hearth.stdout.String(); !strings.Contains(said, tt.says) || tt.says == "" && strings.Contains(said, "display") {
				t.Errorf("says %s", said)
			}
			h.ok("channels")
			if len(f.opened) > 0 {
				t.Error("a window was opened")
			}
			hearth.interrupt()
			if r := hearth.end(); r.code != exitDone {
				t.Errorf("ended: %+v", r)
			}
		})
	}
}

// A second start raises the first one's window.
func TestSecondStart(t *testing.T) {
	const inFront = "Hearth runs already; its window is in front now.\n"
	never := func(context.Context, engineOptions) (Engine, error) {
		t.Error("the data folder was opened")
		return nil, errors.New("opened")
	}
	after := func(n int32) func() bool {
		var calls atomic.Int32
		return func() bool { return calls.Add(1) > n }
	}

	t.Run("at once", func(t *testing.T) {
		h := newHouse(t)
		h.engine = never
		h.withWindow(true).raises = after(0)
		if out := h.ok(); out != inFront {
			t.Errorf("says %q", out)
		}
		// Also where there is no display, or no window in this build.
		h.window.Available, h.window.Built = func() bool { return false }, false
		if out := h.ok(); out != inFront {
			t.Errorf("says %q", out)
		}
	})
	t.Run("while the folder is locked", func(t *testing.T) {
		h := newHouse(t)
		hold, err := store.Lock(h.dir)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = hold.Release() }()
		h.withWindow(true).raises = after(3)
		if out := h.ok(); out != inFront {
			t.Errorf("says %q", out)
		}
	})
	t.Run("two at once", func(t *testing.T) {
		h := newHouse(t)
		f := h.withWindow(true)
		first := h.start()
		w := <-f.opened // it can't be raised yet, but it answers already
		f.raises = after(3)
		if out := h.ok(); out != inFront {
			t.Errorf("says %q", out)
		}
		if len(f.opened) > 0 {
			t.Error("two windows are open")
		}
		w.close <- nil
		first.end()
	})
	t.Run("the first has no window", func(t *testing.T) {
		h := newHouse(t)
		h.serve()
		f := h.withWindow(true)
		if r := h.run(); r.code != exitFailed || !strings.Contains(r.stderr, "runs already") || !strings.Contains(r.stderr, "`hearth open`") {
			t.Errorf("%+v", r)
		}
		if len(f.opened) > 0 {
			t.Error("a window was opened")
		}
	})
}

// Agents at work are counted, those that wait too, each once.
func TestBusy(t *testing.T) {
	h := newHouse(t)
	f := h.withWindow(true)
	hearth := h.start()
	w := <-f.opened
	h.ok("bindings", "add", "general", "second")
	for _, text := range []string{"@claude HANG", "@claude and this", "@second HANG"} {
		h.ok("post", "general", text)
	}
	h.runs(func(list string) bool {
		return strings.Count(list, "running") == 2 && strings.Count(list, "queued") == 1
	})
	if n := w.Busy(); n != 2 {
		t.Errorf("%d are at work, want 2", n)
	}

	w.OnQuit(true)
	hearth.stdout.until(t, regexp.MustCompile("goes on in the background: `hearth` brings its window back"))
	h.ok("channels")
	w.OnQuit(false)
	w.close <- nil
	if r := hearth.end(); r.code != exitDone {
		t.Errorf("ended: %+v", r)
	}
	// The folder is closed: that is not told from agents at work, so it asks.
	if n := w.Busy(); n != 1 {
		t.Errorf("%d are at work after the end, want 1", n)
	}
}

// After the window was closed, the first signal is enough to end at once.
func TestSignalWhileEnding(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"=1", "HEARTH_CLI_TEST_WINDOW=1", "HEARTH_CLI_TEST_SLOW=work", "HEARTH_DATA_DIR="+filepath.Join(t.TempDir(), "data"))
	out := newScreen()
	cmd.Stdout, cmd.Stderr, cmd.Dir = out, out, t.TempDir()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out.until(t, regexp.MustCompile("a turn goes on"))
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	var exited *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exited) || exited.ExitCode() != exitInterrupted {
		t.Errorf("it ended with %v: %s", err, out)
	}
}

// The usual port, and what happens when it is taken.
func TestUsualAddress(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := newHouse(t)
	h.address = taken.Addr().String()
	for _, args := range [][]string{{"serve"}, {}} {
		hearth := h.start(args...)
		address := hearth.stdout.until(t, regexp.MustCompile(`listening on http://(\S+)\n`))[1]
		if said := hearth.stdout.String(); address == h.address || !strings.Contains(said, "The usual address, "+h.address+", is taken") {
			t.Errorf("listens on %s and says %s", address, said)
		}
		hearth.interrupt()
		hearth.end()
		// Named, it is that one or none.
		if r := h.run(append(args, "--addr", h.address)...); r.code != exitFailed || !strings.Contains(r.stderr, "Choose another port with --addr") {
			t.Errorf("%q: %+v", args, r)
		}
	}
	taken.Close()
	address, server := h.serve()
	if address != h.address || strings.Contains(server.stdout.String(), "taken") {
		t.Errorf("listens on %s, want %s", address, h.address)
	}
	a := newApp(nil, nil, nil)
	if a.address != "127.0.0.1:4747" {
		t.Errorf("the usual address is %s", a.address)
	}
	for _, cmd := range []string{"", "serve"} {
		if found, _, err := a.root().Find(strings.Fields(cmd)); err != nil || found.Flags().Lookup("addr").DefValue != a.address {
			t.Errorf("hearth %s: %v", cmd, err)
		}
	}
}
