package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// childVariable makes the test binary a Hearth with played agents; its value is
// the data folder.
const childVariable = "HEARTH_CLI_TEST_CHILD"

// child is what the real program does, up to the engine: signals and all. What
// ends slowly is asked for in the arguments.
func child() int {
	a := newApp(os.Stdin, os.Stdout, os.Stderr)
	a.open = func(ctx context.Context, o engineOptions) (Engine, error) {
		e, err := openFake(ctx, o)
		if err != nil || os.Getenv("HEARTH_CLI_TEST_SLOW") == "" {
			return e, err
		}
		if os.Getenv("HEARTH_CLI_TEST_SLOW") == "work" {
			return slowWork{e}, nil
		}
		return slowEnd{e}, nil
	}
	a.locate = func(context.Context) (string, string, error) { return "/bin/claude", "1", nil }
	a.address = "127.0.0.1:0"
	if os.Getenv("HEARTH_CLI_TEST_WINDOW") == "" {
		return a.main([]string{"serve"})
	}
	a.window = Window{ // one that is closed at once
		Built: true, Available: func() bool { return true }, Raise: func(string, bool) bool { return false },
		Run: func(context.Context, WindowOptions) error { return nil },
	}
	return a.main(nil)
}

// slowEnd is an engine whose agents do not end.
type slowEnd struct{ Engine }

func (s slowEnd) Close(ctx context.Context) error {
	fmt.Fprintln(os.Stderr, "closing")
	<-ctx.Done()
	return errors.Join(errors.New("an agent is still there"), s.Engine.Close(ctx))
}

// slowWork is an engine whose turns do not end.
type slowWork struct{ Engine }

func (s slowWork) Serve(ctx context.Context) error {
	_ = s.Engine.Serve(ctx)
	fmt.Fprintln(os.Stderr, "a turn goes on")
	select {}
}

func TestServe(t *testing.T) {
	h := newHouse(t)
	address, server := h.serve("--open")

	info, err := os.Stat(filepath.Join(h.dir, serverName))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("server file: %v %v", info, err)
	}
	file, ok, err := readServer(h.dir)
	if !ok || err != nil || file.Addr != address || file.PID != os.Getpid() || len(file.Token) != 43 {
		t.Errorf("server file: %+v %t %v", file, ok, err)
	}
	if host, _, _ := net.SplitHostPort(address); host != "127.0.0.1" {
		t.Errorf("listens on %s", address)
	}
	said := server.stdout.String()
	if strings.Contains(said, file.Token) {
		t.Error("the token was printed")
	}
	for _, wanted := range []string{"Made #general with @claude, working in " + h.work + "\n", "\nHearth is listening on http://" + address + "\n", "http://" + address + "/?token="} {
		if !strings.Contains(said, wanted) {
			t.Errorf("does not say %q: %s", wanted, said)
		}
	}
	opened := h.browsed.until(t, regexp.MustCompile(`^(\S+)\n$`))[1]
	if !strings.Contains(said, opened) {
		t.Errorf("opened %s", opened)
	}

	// A browser that opens the address is signed in, and sees what happens.
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar, Transport: &http.Transport{}}
	defer browser.CloseIdleConnections()
	if body := get(t, browser, opened, 200); !strings.Contains(body, "<title>Hearth") {
		t.Errorf("the page: %s", body)
	}
	if body := get(t, browser, "http://"+address+"/api/channels", 200); !strings.Contains(body, "general") {
		t.Errorf("the API: %s", body)
	}
	stranger := &http.Client{Transport: &http.Transport{}}
	defer stranger.CloseIdleConnections()
	get(t, stranger, "http://"+address+"/api/channels", 401)
	if out := h.ok("open"); h.browsed.String() != opened+"\n"+out {
		t.Errorf("open prints %q and opens %s", out, h.browsed)
	}

	// A second one with the same folder says where the first one is.
	if r := h.run("serve"); r.code != exitFailed || !strings.Contains(r.stderr, "runs already with the data folder "+h.dir+", on http://"+address) {
		t.Errorf("a second one: %+v", r)
	}

	// At the end, streams of events end with it, and nothing is left.
	response, err := browser.Get("http://" + address + "/api/events")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	server.interrupt()
	if _, err := io.ReadAll(response.Body); err != nil {
		t.Errorf("the stream of events was cut off: %v", err)
	}
	if r := server.end(); r.code != exitDone || !strings.Contains(r.stderr, "Ending the agents") {
		t.Errorf("ended: %+v", r)
	}
	if _, err := os.Stat(filepath.Join(h.dir, serverName)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the server file stayed: %v", err)
	}
	if out := h.ok("channels"); !strings.Contains(out, "#general") {
		t.Errorf("afterwards: %s", out)
	}
}

func get(t *testing.T, client *http.Client, url string, want int) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != want {
		t.Errorf("GET %s: %d %v, want %d", url, response.StatusCode, err, want)
	}
	return string(body)
}

func TestFirstStart(t *testing.T) {
	h := newHouse(t)
	h.located = errors.New("not here")
	_, server := h.serve()
	said := server.stdout.String()
	for _, wanted := range []string{"@claude is a stand-in", "cannot think", "npm install -g @anthropic-ai/claude-code", "hearth bindings edit general claude --runtime claude"} {
		if !strings.Contains(said, wanted) {
			t.Errorf("does not say %q: %s", wanted, said)
		}
	}
	if out := h.ok("bindings", "general"); !strings.Contains(out, "cli:standin:agent") {
		t.Errorf("bound: %s", out)
	}
	h.ok("channels", "archive", "general")
	server.interrupt()
	server.end()

	// Later starts make nothing, also when the one channel is archived.
	_, server = h.serve()
	if said := server.stdout.String(); strings.Contains(said, "Made") {
		t.Errorf("a second start: %s", said)
	}
	server.interrupt()
	server.end()

	h = newHouse(t)
	h.serve()
	if out := h.ok("bindings", "general"); !strings.Contains(out, "cli:claude:agent") {
		t.Errorf("with Claude Code: %s", out)
	}
}

func TestServeFails(t *testing.T) {
	h := newHouse(t)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	if r := h.run("serve", "--addr", taken.Addr().String()); r.code != exitFailed || !strings.Contains(r.stderr, "Choose another port") {
		t.Errorf("a port that is taken: %+v", r)
	}
	h.ok("channels") // nothing holds the folder

	h.engine = func(ctx context.Context, o engineOptions) (Engine, error) {
		e, err := openFake(ctx, o)
		return breaking{e}, err
	}
	r := h.run("serve")
	if r.code != exitFailed || !strings.Contains(r.stderr, "the agents' work broke off: the disk is full") {
		t.Errorf("work that breaks off: %+v", r)
	}
	if _, err := os.Stat(filepath.Join(h.dir, serverName)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the server file stayed: %v", err)
	}

	h.engine = func(context.Context, engineOptions) (Engine, error) { return nil, errors.New("no room") }
	if r := h.run("serve"); r.code != exitFailed || !strings.Contains(r.stderr, "open the data folder "+h.dir+": no room") {
		t.Errorf("a folder that does not open: %+v", r)
	}
	if r := h.run("channels"); r.code != exitFailed || !strings.Contains(r.stderr, "no room") {
		t.Errorf("a folder that does not open: %+v", r)
	}
}

type breaking struct{ Engine }

func (breaking) Serve(context.Context) error { return errors.New("the disk is full") }

// The program, with real signals.
func TestSignals(t *testing.T) {
	start := func(t *testing.T, slow string) (*exec.Cmd, *screen, string) {
		dir := filepath.Join(t.TempDir(), "data")
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), childVariable+"=1", "HEARTH_DATA_DIR="+dir, "HEARTH_CLI_TEST_SLOW="+slow)
		out := newScreen()
		cmd.Stdout, cmd.Stderr = out, out
		cmd.Dir = t.TempDir()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		out.until(t, regexp.MustCompile("End it: Ctrl-C"))
		return cmd, out, dir
	}
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		cmd, out, dir := start(t, "")
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v %s", signal, err, out)
		}
		if _, err := os.Stat(filepath.Join(dir, serverName)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: the server file stayed: %v", signal, err)
		}
	}

	// A second signal does not wait for agents that won't end.
	cmd, out, dir := start(t, "yes")
	for _, wanted := range []string{"closing", ""} {
		if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		out.until(t, regexp.MustCompile(wanted))
	}
	began := time.Now()
	var exited *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exited) || exited.ExitCode() != exitInterrupted {
		t.Errorf("a second signal: %v after %s: %s", err, time.Since(began), out)
	}

	// What is left of it does not keep the next one from starting.
	h := newHouse(t)
	h.env["HEARTH_DATA_DIR"], h.dir = dir, dir
	if out := h.ok("channels"); !strings.Contains(out, "#general") {
		t.Errorf("afterwards: %s", out)
	}
	h.serve()
}
