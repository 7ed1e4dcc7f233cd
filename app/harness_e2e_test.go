//go:build linux && desktop && e2e_window

package app

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience bounds what a test waits for; nothing is measured by it.
const patience = 60 * time.Second

// seat is a screen that nobody sees, with a window manager as people have one.
type seat struct {
	t       testing.TB
	display string
	home    string
	bin     string // first on the PATH
	opened  string // where the browser of this desktop writes what it was to open
}

// newDesktop starts Xvfb and openbox.
func newDesktop(t testing.TB, screen string) *seat {
	t.Helper()
	for program, of := range map[string]string{"Xvfb": "xvfb", "xdotool": "xdotool", "openbox": "openbox", "import": "imagemagick", "xprop": "x11-utils"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Fatalf("this test needs %s: apt-get install %s", program, of)
		}
	}
	d := &seat{t: t, home: t.TempDir(), bin: t.TempDir()}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	server := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", screen, "-nolisten", "tcp", "-noreset")
	server.ExtraFiles = []*os.File{write}
	d.start(server)
	write.Close()
	number, err := bufio.NewReader(read).ReadString('\n')
	read.Close()
	if err != nil {
		t.Fatalf("Xvfb did not start: %v", err)
	}
	d.display = ":" + strings.TrimSpace(number)
	d.opened = filepath.Join(d.home, "opened")
	stub := "#!/bin/sh\nprintf '%s\\n' \"$*\" >> '" + d.opened + "'\n"
	if err := os.WriteFile(filepath.Join(d.bin, "xdg-open"), []byte(stub), 0o700); err != nil {
		t.Fatal(err)
	}
	manager := exec.Command("openbox")
	manager.Env = d.environ()
	d.start(manager)
	d.until("a window manager", func() bool {
		return strings.Contains(d.run("xprop", "-root", "_NET_SUPPORTING_WM_CHECK"), "window id")
	})
	return d
}

func (d *seat) environ() []string {
	keep := slices.DeleteFunc(os.Environ(), func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		return slices.Contains([]string{"DISPLAY", "WAYLAND_DISPLAY", "HOME", "PATH", "XDG_SESSION_TYPE", "GDK_BACKEND", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XAUTHORITY"}, name)
	})
	// The accessibility bus is not there, and GTK would say so.
	return append(keep, "DISPLAY="+d.display, "HOME="+d.home, "PATH="+d.bin+":"+os.Getenv("PATH"), "NO_AT_BRIDGE=1")
}

// start starts a program of the desktop, which ends with the test.
func (d *seat) start(cmd *exec.Cmd) {
	d.t.Helper()
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
}

// run runs a program on the desktop and returns what it prints.
func (d *seat) run(name string, args ...string) string {
	cmd := exec.Command(name, args...)
	cmd.Env = d.environ()
	out, _ := cmd.CombinedOutput()
	return strings.TrimSpace(string(out))
}

// until waits for something that can only be looked at again and again.
func (d *seat) until(what string, is func() bool) {
	d.t.Helper()
	for end := time.Now().Add(patience); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			d.screenshot("failed")
			d.t.Fatalf("still not there: %s. The windows:\n%s", what, d.run("xwininfo", "-root", "-tree"))
		}
	}
}

// windowNamed waits for a window of this title that can be seen, and returns its number.
func (d *seat) windowNamed(title string) string {
	d.t.Helper()
	var id string
	d.until("a window named "+title, func() bool {
		id, _, _ = strings.Cut(d.run("xdotool", "search", "--onlyvisible", "--name", "^"+title+"$"), "\n")
		_, err := strconv.Atoi(id)
		return err == nil
	})
	return id
}

func (d *seat) key(keys ...string) { d.run("xdotool", append([]string{"key"}, keys...)...) }

// focus gives a window the keyboard and waits until it has it.
func (d *seat) focus(id string) {
	d.t.Helper()
	d.run("xdotool", "windowactivate", "--sync", id)
	d.until("focus", func() bool {
		d.run("xdotool", "windowfocus", "--sync", id)
		return d.active() == id
	})
}

func (d *seat) active() string { return d.run("xdotool", "getactivewindow") }

// geometry is where a window's contents are and how large.
func (d *seat) geometry(id string) rect {
	d.t.Helper()
	values := map[string]int{}
	for line := range strings.Lines(d.run("xdotool", "getwindowgeometry", "--shell", id)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		values[name], _ = strconv.Atoi(value)
	}
	return rect{values["X"], values["Y"], values["WIDTH"], values["HEIGHT"]}
}

// screenshot keeps a picture of the screen where HEARTH_SCREENSHOTS says, if it says so.
func (d *seat) screenshot(name string) {
	dir := os.Getenv("HEARTH_SCREENSHOTS")
	if dir == "" {
		return
	}
	name = strings.ReplaceAll(d.t.Name(), "/", "-") + "-" + name + ".png"
	if out := d.run("import", "-window", "root", filepath.Join(dir, name)); out != "" {
		d.t.Log(out)
	}
}

func (d *seat) browserOpened() []string {
	text, _ := os.ReadFile(d.opened)
	return strings.Fields(string(text))
}

// process is a Hearth with a window, as far as these tests need one.
type process struct {
	t       testing.TB
	desktop *seat
	cmd     *exec.Cmd
	control string
	stderr  *lockedBuffer
	ended   chan struct{}
	status  error

	mutex   sync.Mutex
	records []record
	more    chan struct{}
	read    int
}

// lockedBuffer is a buffer that is read while it is written.
type lockedBuffer struct {
	mutex  sync.Mutex
	buffer bytes.Buffer
}

func (b *lockedBuffer) Write(text []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.buffer.Write(text)
}

func (b *lockedBuffer) String() string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.buffer.String()
}

type record struct {
	Kind string          `json:"kind"`
	Data json.RawMessage `json:"data"`
}

// launch starts a process of these options; environment is added to the desktop's.
func (d *seat) launch(o childOptions, environment ...string) *process {
	d.t.Helper()
	p := &process{t: d.t, desktop: d, stderr: &lockedBuffer{}, ended: make(chan struct{}), more: make(chan struct{}, 1)}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var got record
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			d.t.Errorf("record: %v", err)
		}
		p.mutex.Lock()
		p.records = append(p.records, got)
		p.mutex.Unlock()
		select {
		case p.more <- struct{}{}:
		default:
		}
	}))
	o.Parent = server.URL
	text, err := json.Marshal(o)
	if err != nil {
		d.t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		d.t.Fatal(err)
	}
	p.cmd = exec.Command(self)
	p.cmd.Env = append(append(d.environ(), childVariable+"="+string(text)), environment...)
	p.cmd.Stderr = p.stderr
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := p.cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	go func() {
		p.status = p.cmd.Wait()
		close(p.ended)
	}()
	d.t.Cleanup(func() {
		p.cmd.Process.Kill()
		<-p.ended
		server.Close()
		if d.t.Failed() {
			d.t.Logf("records: %s", p.all())
			d.t.Logf("stderr of the process:\n%s", p.stderr)
		}
	})
	return p
}

// open starts a process with a window and waits for its page.
func (d *seat) open(o childOptions) (p *process, window string) {
	d.t.Helper()
	o.Mode = "window"
	p = d.launch(o)
	p.control = p.wait("control").string()
	if !o.Engine {
		p.wait("loaded")
		p.wait("ready")
	}
	return p, d.windowNamed("Hearth test")
}

func (p *process) all() string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	var out strings.Builder
	for _, r := range p.records {
		fmt.Fprintf(&out, "%s %s; ", r.Kind, r.Data)
	}
	return out.String()
}

// wait returns the next record of a kind that was not read yet, passing over others.
func (p *process) wait(kind string) record {
	p.t.Helper()
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	for {
		p.mutex.Lock()
		for p.read < len(p.records) {
			r := p.records[p.read]
			p.read++
			if r.Kind == "failed" {
				p.mutex.Unlock()
				p.t.Fatalf("the process says: %s", r.Data)
			}
			if r.Kind == kind {
				p.mutex.Unlock()
				return r
			}
		}
		p.mutex.Unlock()
		select {
		case <-p.more:
		case <-p.ended:
			if p.mutex.Lock(); p.read == len(p.records) {
				p.mutex.Unlock()
				p.t.Fatalf("the process ended (%v) before it said %q", p.status, kind)
			}
			p.mutex.Unlock()
		case <-timeout.C:
			p.desktop.screenshot("failed")
			p.t.Fatalf("never said: %q", kind)
		}
	}
}

// count is how often something was said so far.
func (p *process) count(kind string) (n int) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, r := range p.records {
		if r.Kind == kind {
			n++
		}
	}
	return n
}

func (r record) string() string {
	var s string
	if json.Unmarshal(r.Data, &s) != nil {
		return string(r.Data)
	}
	return s
}

// expect waits for a record and compares what it holds, as JSON.
func (p *process) expect(kind, want string) {
	p.t.Helper()
	if got := p.wait(kind); string(got.Data) != want {
		p.t.Errorf("%s: %s, want %s", kind, got.Data, want)
	}
}

func (p *process) call(path string, values ...string) {
	p.t.Helper()
	form := url.Values{}
	for i := 0; i < len(values); i += 2 {
		form.Set(values[i], values[i+1])
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "POST", p.control+path, strings.NewReader(form.Encode()))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	io.Copy(io.Discard, answer.Body)
	answer.Body.Close()
	http.DefaultClient.CloseIdleConnections()
}

// do tells the page to do something.
func (p *process) do(action string, values ...string) {
	p.t.Helper()
	told := map[string]string{"do": action}
	for i := 0; i < len(values); i += 2 {
		told[values[i]] = values[i+1]
	}
	text, err := json.Marshal(told)
	if err != nil {
		p.t.Fatal(err)
	}
	p.call("/emit", "name", "do", "data", string(text))
}

// ends waits for the process to end by itself, without an error and without a goroutine left over.
func (p *process) ends() {
	p.t.Helper()
	select {
	case <-p.ended:
	case <-time.After(patience):
		p.desktop.screenshot("failed")
		p.t.Fatalf("the process does not end\n%s", p.stderr)
	}
	if p.status != nil {
		p.t.Errorf("the process ended with %v", p.status)
	}
}
