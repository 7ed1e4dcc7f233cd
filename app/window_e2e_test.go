//go:build linux && desktop && e2e_window

package app

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

const screen = "1600x1000x24"

// The page loads through the handler, in process; what it sends arrives; what it reads, it reads as it is written.
func TestPageThroughTheHandler(t *testing.T) {
	d := newDesktop(t, screen)
	p := d.launch(childOptions{Mode: "window", DataDir: shortDir(t)})
	p.control = p.wait("control").string()
	p.expect("asked", `{"host":"wails","origin":"","path":"/"}`)
	p.expect("loaded", `{"address":"/","bridge":["chooseFolder","desk","goesOn","notify","onMention","onOpen","openExternal","saveDownload","saveFile","setGoesOn","version"],"draft":null,"secure":true,"uuid":"function","version":"test"}`)
	p.wait("ready")
	for _, n := range []string{"1", "2", "3"} {
		p.call("/emit", "name", "tick", "data", n)
		p.expect("tick", strconv.Quote(n))
	}
	p.do("stream")
	for _, part := range []string{"one", "two", "three 셋"} {
		p.call("/step") // the next part is written only now
		p.expect("chunk", strconv.Quote(part))
	}
	p.call("/step")
	p.wait("streamed")
	p.call("/emit", "name", "tick", "data", "4")
	p.expect("tick", `"4"`)
	d.windowNamed("Hearth test")
	d.screenshot("page")
}

func TestBodies(t *testing.T) {
	d := newDesktop(t, screen)
	p, _ := d.open(childOptions{DataDir: shortDir(t)})
	p.do("plain")
	p.expect("body", `["POST","","kept","\"\\x00\\xff\\n\"","\u003cnil\u003e"]`)
	p.do("blob")
	p.expect("body", `["POST","text/x-blob","","\"a blob\"","\u003cnil\u003e"]`)
	p.do("form")
	p.expect("form", `"TypeError: A form with a file can not be sent from the window: send the bytes of the file."`)
	p.call("/emit", "name", "tick", "data", "alive")
	p.expect("tick", `"alive"`)
}

func TestTyping(t *testing.T) {
	d := newDesktop(t, screen)
	p, window := d.open(childOptions{DataDir: shortDir(t)})
	d.focus(window)
	d.run("xdotool", "type", "--delay", "20", "hello")
	for _, want := range []string{"h", "he", "hel", "hell", "hello"} {
		p.expect("typed", strconv.Quote(want))
	}
	d.key("ctrl+a", "ctrl+c", "End", "ctrl+v")
	p.expect("typed", `"hellohello"`)
}

func TestSecondStartRaisesTheFirst(t *testing.T) {
	d := newDesktop(t, screen)
	dir := shortDir(t)
	early := d.launch(childOptions{Mode: "raise", DataDir: dir})
	early.expect("raised", "false")
	_, window := d.open(childOptions{DataDir: dir})
	d.focus(window)
	d.run("xdotool", "windowminimize", window)
	d.until("minimised", func() bool { return d.active() != window })
	second := d.launch(childOptions{Mode: "raise", DataDir: dir})
	second.expect("raised", "true")
	second.ends()
	d.until("in front again", func() bool { return d.active() == window })

	// Behind another window it comes to the front too.
	other := exec.Command("xmessage", "-geometry", "400x300+100+100", "-name", "Other", "another window")
	if _, err := other.Path, other.Err; err != nil {
		t.Fatalf("this test needs xmessage: apt-get install x11-utils (%v)", err)
	}
	other.Env = d.environ()
	d.start(other)
	d.focus(d.windowNamed("Other"))
	d.launch(childOptions{Mode: "raise", DataDir: dir}).expect("raised", "true")
	d.until("in front of the other", func() bool { return d.active() == window })
}

func TestRemembers(t *testing.T) {
	d := newDesktop(t, screen)
	dir := shortDir(t)
	p, window := d.open(childOptions{DataDir: dir})
	d.focus(window)
	d.run("xdotool", "windowsize", "--sync", window, "900", "640")
	d.run("xdotool", "windowmove", "--sync", window, "300", "200")
	p.do("go", "to", "/c/백엔드?m=1#end")
	p.wait("went")
	p.do("store", "value", "half a sentence")
	p.wait("stored")
	d.key("ctrl+plus", "ctrl+plus", "ctrl+minus", "ctrl+plus")
	p.do("zoom")
	p.expect("zoom", "[1,720]")
	before := d.geometry(window)
	if before.Width != 900 || before.Height != 640 {
		t.Fatalf("the window is %+v", before)
	}
	d.key("alt+F4")
	p.expect("quit", "false")
	p.ends()

	p, window = d.openAgain(dir)
	p.expect("loaded", `{"address":"/c/%EB%B0%B1%EC%97%94%EB%93%9C?m=1#end","bridge":["chooseFolder","desk","goesOn","notify","onMention","onOpen","openExternal","saveDownload","saveFile","setGoesOn","version"],"draft":"half a sentence","secure":true,"uuid":"function","version":"test"}`)
	p.wait("ready")
	d.until("where it was", func() bool { return d.geometry(window) == before })
	p.do("zoom")
	p.expect("zoom", "[1,720]")

	// Filling the screen is remembered, and so is the size to go back to.
	p.call("/maximise")
	d.until("maximised", func() bool { return d.geometry(window).Width > 1500 })
	d.until("remembered", func() bool { r, err := recall(dir); return err == nil && r.Maximised })
	d.focus(window)
	d.key("ctrl+q")
	p.ends()
	p, window = d.openAgain(dir)
	p.wait("ready")
	d.until("maximised again", func() bool { return d.geometry(window).Width > 1500 })
	p.call("/maximise")
	d.until("back to its size", func() bool { g := d.geometry(window); return g.Width == 900 && g.Height == 640 })
	d.focus(window)
	d.key("F11")
	d.until("the whole screen", func() bool { return d.geometry(window) == rect{0, 0, 1600, 1000} })
	d.key("F11")
	d.until("back to its size", func() bool { g := d.geometry(window); return g.Width == 900 && g.Height == 640 })
}

// openAgain opens the window of a data folder once more, and leaves what its page says to be read.
func (d *seat) openAgain(dir string) (*process, string) {
	d.t.Helper()
	p := d.launch(childOptions{Mode: "window", DataDir: dir})
	p.control = p.wait("control").string()
	return p, d.windowNamed("Hearth test")
}

func TestMonitorGone(t *testing.T) {
	d := newDesktop(t, "1024x768x24")
	dir := shortDir(t)
	if err := at(3000, 200, 1800, 1300).sane().keep(dir); err != nil {
		t.Fatal(err)
	}
	_, window := d.open(childOptions{DataDir: dir})
	d.until("on the screen", func() bool {
		g := d.geometry(window)
		return g.X >= 0 && g.Y >= 0 && g.X+g.Width <= 1024 && g.Y < 100 && g.Width > 900
	})
}

func TestClosingAsksWhileAgentsWork(t *testing.T) {
	d := newDesktop(t, screen)
	dir := shortDir(t)
	p, window := d.open(childOptions{DataDir: dir, Busy: 2})
	closeWindow := func() {
		t.Helper()
		d.focus(window)
		d.key("alt+F4")
		d.until("the question", func() bool { return d.active() != window && d.active() != "" })
	}
	closeWindow()
	d.screenshot("question")
	d.key("Escape")
	d.until("the question to go", func() bool { return d.active() == window })
	closeWindow()
	d.key("alt+c")
	d.until("the question to go", func() bool { return d.active() == window })
	if p.count("quit") > 0 {
		t.Error("cancelling counts as a decision")
	}

	before := d.geometry(window)
	closeWindow()
	d.key("Return") // what ends nothing
	p.expect("quit", "true")
	d.until("hidden", func() bool {
		return !strings.Contains(d.run("xdotool", "search", "--onlyvisible", "--name", "Hearth test"), window)
	})
	p.call("/emit", "name", "tick", "data", "in the background")
	p.expect("tick", `"in the background"`)
	d.launch(childOptions{Mode: "raise", DataDir: dir}).expect("raised", "true")
	d.until("back", func() bool { return d.active() == window && d.geometry(window) == before })

	closeWindow()
	d.key("alt+q")
	p.expect("quit", "false")
	p.ends()
	if Raise(dir, false) {
		t.Error("a window that is closed was raised")
	}

	// Without agents at work nothing is asked.
	p, window = d.open(childOptions{DataDir: dir})
	d.focus(window)
	d.key("alt+F4")
	p.expect("quit", "false")
	p.ends()
}

// Being told to end asks nobody, whatever is open.
func TestEndsWhenTold(t *testing.T) {
	open := map[string]func(d *seat, p *process, window string){
		"nothing open": func(*seat, *process, string) {},
		"a question open": func(d *seat, p *process, window string) {
			d.focus(window)
			d.key("alt+F4")
			d.until("the question", func() bool { return d.active() != window && d.active() != "" })
		},
		"a file dialog open": func(d *seat, p *process, window string) {
			p.do("choose")
			d.windowNamed("Test: choose")
		},
		"a stream open": func(_ *seat, p *process, window string) {
			p.do("stream")
			p.call("/step")
			p.wait("chunk")
		},
	}
	for name, prepare := range open {
		t.Run(name, func(t *testing.T) {
			d := newDesktop(t, screen)
			p, window := d.open(childOptions{DataDir: shortDir(t), Busy: 1})
			prepare(d, p, window)
			p.call("/end")
			p.ends()
			if p.count("quit") > 0 {
				t.Error("nobody decided to quit, and OnQuit was called")
			}
		})
	}
}

// Wails has a handler for signals of its own, which must not make a question of one. (The race detector finds a race of
// Wails with itself here: its handler reads what its start wrote.)
func TestEndsOnASignal(t *testing.T) {
	d := newDesktop(t, screen)
	p, _ := d.open(childOptions{DataDir: shortDir(t), Busy: 1})
	p.cmd.Process.Signal(os.Interrupt)
	p.ends()
	if p.count("quit") > 0 {
		t.Error("nobody decided to quit, and OnQuit was called")
	}
}

func TestChildrenHoldNoResponse(t *testing.T) {
	d := newDesktop(t, screen)
	p, _ := d.open(childOptions{DataDir: shortDir(t)})
	p.do("hold")
	var children []int
	if err := json.Unmarshal(p.wait("children").Data, &children); err != nil {
		t.Fatal(err)
	}
	p.expect("held", `"begun ended"`)
	for _, pid := range children {
		if err := syscall.Kill(pid, 0); err != nil {
			t.Errorf("child %d is gone (%v): this test shows nothing", pid, err)
		}
	}
	p.call("/step")
	p.wait("children ended")
}

func TestLinks(t *testing.T) {
	d := newDesktop(t, screen)
	p, window := d.open(childOptions{DataDir: shortDir(t)})
	d.focus(window)
	var want []string
	opened := func(link string) {
		t.Helper()
		want = append(want, link)
		d.until(link, func() bool { return len(d.browserOpened()) >= len(want) })
		if got := d.browserOpened(); !slices.Equal(got, want) {
			t.Fatalf("the browser has opened %q, want %q", got, want)
		}
	}
	p.do("click", "id", "plain")
	opened("https://example.com/plain_(a)")
	p.do("click", "id", "blank")
	opened("https://example.com/blank")
	p.do("popup", "to", "https://example.com/popup")
	p.expect("popup", "true")
	opened("https://example.com/popup")
	p.do("external", "to", "mailto:someone@example.com?subject=a%20b")
	p.expect("external", `"opened"`)
	opened("mailto:someone@example.com?subject=a%20b")

	// These open nowhere, and the page stays.
	p.do("click", "id", "stopped")
	p.wait("stopped")
	p.do("click", "id", "script")
	p.do("click", "id", "file")
	p.do("external", "to", "file:///etc/passwd")
	p.expect("external", `"Error: only links that begin with http, https or mailto are opened"`)
	for _, to := range []string{"https://example.com/taken", "file:///etc/passwd", "data:text/html,taken"} {
		p.do("leave", "to", to) // by script, without a click
		p.call("/emit", "name", "tick", "data", to)
		p.expect("tick", strconv.Quote(to))
	}
	if title := d.run("xdotool", "getwindowname", window); title != "Hearth test" {
		t.Errorf("the window is named %q", title)
	}
	if got := d.browserOpened(); !slices.Equal(got, want) {
		t.Errorf("the browser has opened %q, want %q", got, want)
	}

	// A link with the mouse, the third button too.
	d.focus(window)
	for _, button := range []string{"1", "2"} {
		d.run("xdotool", "mousemove", "--window", window, "42", "98", "click", button)
		opened("https://example.com/plain_(a)")
	}

	// The other one shows a menu that copies it, and opens nothing.
	d.until("copied and pasted", func() bool { // a menu that has just come up takes no keys
		d.run("xdotool", "mousemove", "--window", window, "42", "98", "click", "3")
		d.key("Down", "Return")
		d.run("xdotool", "mousemove", "--window", window, "100", "150", "click", "1")
		d.key("ctrl+a", "ctrl+v")
		return p.count("typed") > 0
	})
	p.expect("typed", `"https://example.com/plain_(a)"`)
	// So it is where the page has a menu of its own.
	d.run("xdotool", "mousemove", "--window", window, "105", "98", "click", "3")
	p.wait("menu")
	p.do("external", "to", "https://example.com/last")
	opened("https://example.com/last")

	// A link of our own is the page's business; without it, it loads the page there.
	p.do("click", "id", "own")
	p.expect("asked", `{"host":"wails","origin":"","path":"/c/own"}`)
}

func TestDialogs(t *testing.T) {
	d := newDesktop(t, screen)
	p, _ := d.open(childOptions{DataDir: shortDir(t)})
	p.do("choose")
	d.focus(d.windowNamed("Test: choose"))
	d.screenshot("choose")
	d.key("Escape")
	p.expect("chosen", "null")

	folder := filepath.Join(d.home, "a folder")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	p.do("choose")
	d.focus(d.windowNamed("Test: choose"))
	d.run("xdotool", "type", "--delay", "20", folder+"/")
	d.key("Return")
	p.expect("chosen", strconv.Quote(folder))

	p.do("save", "name", "../notes.md", "text", "백엔드\n")
	d.focus(d.windowNamed("Test: save"))
	d.screenshot("save")
	d.key("Return")
	saved := filepath.Join(d.home, "notes.md")
	p.expect("saved", strconv.Quote(saved))
	if text, err := os.ReadFile(saved); err != nil || string(text) != "백엔드\n" {
		t.Errorf("saved %q, %v", text, err)
	}
	// What the handler answers goes to a file without passing through the page.
	p.do("download", "name", "report.css", "path", "/api/../page.css")
	if said := p.wait("saved").string(); !strings.Contains(said, "fetch a file") {
		t.Errorf("a path outside of the API: %s", said)
	}
	p.do("download", "name", "../report.zip", "path", "/api/zip")
	d.focus(d.windowNamed("Test: save"))
	d.key("Return")
	saved = filepath.Join(d.home, "report.zip")
	p.expect("saved", strconv.Quote(saved))
	if text, err := os.ReadFile(saved); err != nil || string(text) != "PK\x00\xff" {
		t.Errorf("saved %q, %v", text, err)
	}
	p.do("save", "name", "notes.md", "text", "x")
	d.focus(d.windowNamed("Test: save"))
	d.key("Escape")
	p.expect("saved", "null")
}

func TestReload(t *testing.T) {
	d := newDesktop(t, screen)
	p, _ := d.open(childOptions{DataDir: shortDir(t)})
	p.do("go", "to", "/c/backend")
	p.wait("went")
	p.do("reload")
	p.expect("asked", `{"host":"wails","origin":"","path":"/c/backend"}`)
	p.expect("loaded", `{"address":"/c/backend","bridge":["chooseFolder","desk","goesOn","notify","onMention","onOpen","openExternal","saveDownload","saveFile","setGoesOn","version"],"draft":null,"secure":true,"uuid":"function","version":"test"}`)
	p.wait("ready")
	d.until("the end of the stream of the page that is gone", func() bool { return p.count("events ended") == 1 })
	p.call("/emit", "name", "tick", "data", "after")
	p.expect("tick", `"after"`)
}

func TestPanicEndsTheRequestOnly(t *testing.T) {
	d := newDesktop(t, screen)
	p, _ := d.open(childOptions{DataDir: shortDir(t)})
	p.do("panic")
	p.expect("panicked", "500")
	p.call("/emit", "name", "tick", "data", "alive")
	p.expect("tick", `"alive"`)
}

func TestPageProcessDies(t *testing.T) {
	d := newDesktop(t, screen)
	p, window := d.open(childOptions{DataDir: shortDir(t)})
	p.do("go", "to", "/c/backend")
	p.wait("went")
	for range 2 {
		killPage(t, p)
		p.expect("asked", `{"host":"wails","origin":"","path":"/c/backend"}`)
		p.wait("ready")
	}
	killPage(t, p) // a third time within a minute
	d.until("said so", func() bool { return strings.Contains(p.stderr.String(), "is not started again") })
	d.focus(window)
	d.key("alt+F4")
	p.ends()
}

// killPage ends the process of the web view that shows the page, and no other.
func killPage(t *testing.T, p *process) {
	t.Helper()
	killed := 0
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "stat"))
		_, rest, _ := strings.Cut(string(stat), ") ")
		name, _ := os.Readlink(filepath.Join("/proc", e.Name(), "exe"))
		if f := strings.Fields(rest); len(f) > 1 && f[1] == strconv.Itoa(p.cmd.Process.Pid) && filepath.Base(name) == "WebKitWebProcess" {
			syscall.Kill(pid, syscall.SIGKILL)
			killed++
		}
	}
	if killed == 0 {
		t.Fatal("the page's process was not found")
	}
}

// Without a display that can be used nothing is opened and nothing panics.
func TestNoDisplay(t *testing.T) {
	d := newDesktop(t, screen)
	locked := &seat{t: t, home: t.TempDir(), bin: d.bin}
	cookie := filepath.Join(locked.home, "authority")
	number := strconv.Itoa(90 + os.Getpid()%1000)
	if out, err := exec.Command("xauth", "-f", cookie, "add", ":"+number, ".", strings.Repeat("a1", 16)).CombinedOutput(); err != nil {
		t.Fatalf("this test needs xauth: apt-get install xauth (%v, %s)", err, out)
	}
	server := exec.Command("Xvfb", ":"+number, "-auth", cookie, "-nolisten", "tcp")
	locked.start(server)
	locked.until("a display that is locked", func() bool { return canConnect("/tmp/.X11-unix/X" + number) })

	for name, environment := range map[string][]string{
		"none named":            {"DISPLAY="},
		"nobody there":          {"DISPLAY=:4711"},
		"no authorisation":      {"DISPLAY=:" + number},
		"no compositor":         {"DISPLAY=", "WAYLAND_DISPLAY=wayland-9", "XDG_RUNTIME_DIR=/tmp"},
		"another kind demanded": {"GDK_BACKEND=wayland"},
	} {
		t.Run(name, func(t *testing.T) {
			p := d.launch(childOptions{Mode: "look", DataDir: shortDir(t)}, environment...)
			p.expect("available", "false")
			p.expect("ran", "true")
			p.ends()
		})
	}
	// This display starts afresh whenever nobody uses it: being tried out must not be in the way of being used.
	authorised := d.launch(childOptions{Mode: "window", DataDir: shortDir(t)}, "DISPLAY=:"+number, "XAUTHORITY="+cookie)
	authorised.wait("loaded")
}

// The real handler and the real page.
func TestRealPage(t *testing.T) {
	d := newDesktop(t, screen)
	p, window := d.open(childOptions{DataDir: shortDir(t), Engine: true})
	p.wait("painted")
	d.screenshot("engine")
	d.focus(window)
	d.key("alt+F4")
	p.ends()
}

// BenchmarkFirstPaint starts a process again and again with the same data folder, and measures from its start to the page
// being painted. The first start, which makes the folder, is not counted.
func BenchmarkFirstPaint(b *testing.B) {
	for name, real := range map[string]bool{"page=test": false, "page=real": true} {
		b.Run(name, func(b *testing.B) {
			d := newDesktop(b, screen)
			dir := shortDir(b)
			start := func() time.Duration {
				begun := time.Now()
				p := d.launch(childOptions{Mode: "window", DataDir: dir, Engine: real})
				p.control = p.wait("control").string()
				p.wait("painted")
				took := time.Since(begun)
				p.call("/end")
				p.ends()
				return took
			}
			start()
			var took time.Duration
			for b.Loop() {
				took += start()
			}
			b.ReportMetric(float64(took.Milliseconds())/float64(b.N), "ms-to-paint")
		})
	}
}
