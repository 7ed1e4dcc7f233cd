package desktop

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"hearth/backend/chat"
	"hearth/backend/pty"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A desk has programs that write down what they were started with.
type desk struct {
	t   *testing.T
	bin string
	log string
	env []string
	*Desktop
}

func newDesk(t *testing.T, programs ...string) *desk {
	t.Helper()
	d := &desk{t: t, bin: t.TempDir(), log: filepath.Join(t.TempDir(), "log")}
	d.env = []string{"PATH=relative:" + d.bin + ":/usr/bin:/bin", "DISPLAY=:99", "LOG=" + d.log}
	d.Desktop = &Desktop{system: "linux", patience: time.Minute, Environ: func(context.Context) []string { return d.env }}
	t.Cleanup(d.children.Wait)
	for _, name := range programs {
		d.program(name, `printf '%s\n' "${0##*/}" "$@" >> "$LOG"`)
	}
	return d
}

func (d *desk) program(name, script string) {
	d.t.Helper()
	if err := os.WriteFile(filepath.Join(d.bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		d.t.Fatal(err)
	}
}

// started is what was started since it was last asked, a word a line.
func (d *desk) started() string {
	d.t.Helper()
	text, err := os.ReadFile(d.log)
	if err != nil && !os.IsNotExist(err) {
		d.t.Fatal(err)
	}
	_ = os.Remove(d.log)
	return strings.Join(strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"), "|")
}

// empty hides the machine's own programs, all but what scripts are made of.
func (d *desk) empty() {
	d.env[0] = "PATH=" + d.bin
}

// A script is opened as a text, by whatever means, and is never run.
func TestEdit(t *testing.T) {
	dir := t.TempDir()
	ran := filepath.Join(dir, "ran")
	path := filepath.Join(dir, "-n $(touch x) 한\n.sh")
	if err := os.WriteFile(path, []byte("#!/bin/sh\ntouch "+ran+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	script := File{Path: path, Head: []byte("#!/bin/sh\n"), Executable: true}
	log := File{Path: "/w/build.log", Head: []byte("ok\n")}
	picture := File{Path: "/w/x.png", Head: []byte("\x89PNG\x00")}
	shell := strings.ReplaceAll(path, "\n", "|")
	d := newDesk(t, "code", "gvim", "vim", "xdg-open", "gtk-launch", "open")
	d.program("xdg-mime", `[ "$*" = "query default text/plain" ] && echo org.gnome.gedit.desktop`)
	for _, test := range []struct {
		what, chosen string
		env          []string
		system       string
		file         File
		want         string
	}{
		{"the chosen one", "code --new-window 'a b'", []string{"VISUAL=gvim"}, "", script, "code|--new-window|a b|" + shell},
		{"$VISUAL", "", []string{"VISUAL=gvim -p", "EDITOR=code"}, "", script, "gvim|-p|" + shell},
		{"$EDITOR, as $VISUAL needs a terminal", "", []string{"VISUAL=vim", "EDITOR=code"}, "", log, "code|/w/build.log"},
		{"vim with a window", "", []string{"EDITOR=vim -g"}, "", log, "vim|-g|/w/build.log"},
		{"none that there is", "", []string{"VISUAL=none", "EDITOR=$(touch x)"}, "", log, "gtk-launch|org.gnome.gedit.desktop|/w/build.log"},
		{"the desktop's own for texts", "", []string{"EDITOR=vim"}, "", script, "gtk-launch|org.gnome.gedit.desktop|" + shell},
		{"what is no text", "", nil, "", picture, "xdg-open|/w/x.png"},
		{"a text on macOS", "", nil, "darwin", script, "open|-t|" + shell},
		{"what is no text on macOS", "", nil, "darwin", picture, "open|/w/x.png"},
	} {
		usual := d.env
		d.env = append(slices.Clone(usual), test.env...)
		if test.system != "" {
			d.system = test.system
		}
		if err := d.Edit(t.Context(), test.file, test.chosen); err != nil {
			t.Errorf("%s: %v", test.what, err)
		}
		if got := d.started(); got != test.want {
			t.Errorf("%s: started %q, want %q", test.what, got, test.want)
		}
		d.env, d.system = usual, "linux"
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("the script was run")
	}
}

// Where the desktop might run a file, it is not asked to open it.
func TestEditRefusesWhatMightBeRun(t *testing.T) {
	d := newDesk(t, "xdg-open")
	d.empty()
	for _, f := range []File{
		{Path: "/w/x", Head: []byte("echo\n"), Executable: true},
		{Path: "/w/x", Head: []byte("#!/bin/sh\n")},
		{Path: "/w/x", Head: []byte("\ufeff \n#!/bin/sh\n")},
		{Path: "/w/x.txt", Head: []byte("# a comment\n[Desktop Entry]\nExec=x\n")},
		{Path: "/w/x.Desktop", Head: []byte("x")},
		{Path: "/w/x.py", Head: []byte("print()")},
		{Path: "/w/x", Head: []byte("\x7fELF\x00")},
		{Path: "/w/x.jar", Head: []byte("PK\x03\x04\x00")},
	} {
		err := d.Edit(t.Context(), f, "")
		if chat.CodeOf(err) != chat.CodeForbidden || !strings.Contains(err.Error(), "might run it") {
			t.Errorf("%+v: %v", f, err)
		}
	}
	if got := d.started(); got != "" {
		t.Errorf("started %q", got)
	}
	// A text that is none of these needs no editor.
	if err := d.Edit(t.Context(), File{Path: "/w/x.log", Head: []byte("ok")}, ""); err != nil || d.started() != "xdg-open|/w/x.log" {
		t.Error(err)
	}
}

func TestEditWhereItCant(t *testing.T) {
	d := newDesk(t)
	d.empty()
	log := File{Path: "/w/x.log", Head: []byte("ok")}
	for chosen, want := range map[string]struct {
		code chat.Code
		says string
	}{
		"": {chat.CodeUnavailable, "no program \"xdg-open\""}, "none": {chat.CodeUnavailable, "no program \"none\""}, "vim": {chat.CodeInvalid, "needs a terminal"},
		"code | tee x": {chat.CodeInvalid, "no program with arguments"},
	} {
		if err := d.Edit(t.Context(), log, chosen); chat.CodeOf(err) != want.code || !strings.Contains(err.Error(), want.says) {
			t.Errorf("%q: %v", chosen, err)
		}
	}
	d.program("xdg-open", "exit 3")
	if err := d.Edit(t.Context(), log, ""); chat.CodeOf(err) != chat.CodeUnavailable || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("a program that can't: %v", err)
	}
	d.env = slices.DeleteFunc(d.env, func(v string) bool { return strings.HasPrefix(v, "DISPLAY=") })
	for _, err := range []error{d.Edit(t.Context(), log, "code"), d.Reveal(t.Context(), "/w/x.log")} {
		if chat.CodeOf(err) != chat.CodeUnavailable || !strings.Contains(err.Error(), "no display") || !strings.Contains(err.Error(), "/w/x.log") {
			t.Errorf("without a display: %v", err)
		}
	}
	if err := d.Reveal(t.Context(), "/w/x.log"); err == nil {
		t.Error(err)
	}
}

// An editor that stays is not waited for, and inherits nothing of ours.
func TestEditorStays(t *testing.T) {
	d := newDesk(t)
	d.patience = time.Nanosecond
	fifo, ours, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer fifo.Close()
	// As a library would open it: not marked close-on-exec.
	if err := clearCloseOnExec(int(ours.Fd())); err != nil {
		t.Fatal(err)
	}
	d.program("ed1", `while [ ! -e "$LOG" ]; do sleep 0.01; done`)
	if err := d.Edit(t.Context(), File{Path: "/tmp/x"}, "ed1"); err != nil {
		t.Fatal(err)
	}
	// While it is there, we are the only ones that hold the pipe.
	if err := ours.Close(); err != nil {
		t.Fatal(err)
	}
	if n, err := fifo.Read(make([]byte, 1)); n != 0 || err == nil {
		t.Error("the pipe is held open by the editor")
	}
	if err := os.WriteFile(d.log, nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestCheckEditor(t *testing.T) {
	for command, ok := range map[string]bool{
		"": true, "code": true, "code --wait": true, `"/opt/my editor/bin" -x`: true, `/opt/my\ editor -x`: true, "emacsclient -c": true, "emacs": true, "vim -g": true,
		"x-terminal-emulator -e vim": true, "한글편집기": true,
		"vim": false, "/usr/bin/nano": false, "emacs -nw": false, "emacsclient -t": false, "bin/code": false, "code; rm x": false, "code && x": false, "$EDITOR": false,
		"code $(x)": false, "code *": false, "~/bin/code": false, "A=1 code": false, "code > x": false, "code &": false, "! code": false, "'": false, "  ": false,
		"code\x00": false, "code\u202e": false, "co\nde": false, "''": false, strings.Repeat("x", 1001): false,
	} {
		if err := CheckEditor(command); (err == nil) != ok || err != nil && chat.CodeOf(err) != chat.CodeInvalid {
			t.Errorf("%q: %v", command, err)
		}
	}
}

// manager is a file manager on a bus of its own.
type manager struct{ shown chan []string }

func (m manager) ShowItems(uris []string, _ string) *dbus.Error {
	m.shown <- uris
	return nil
}

func TestReveal(t *testing.T) {
	d := newDesk(t, "xdg-open", "open")
	if err := d.Reveal(t.Context(), "/w/a/x.log"); err != nil || d.started() != "xdg-open|/w/a" {
		t.Errorf("without a bus: %v", err)
	}
	d.env = append(d.env, "DBUS_SESSION_BUS_ADDRESS="+bus(t))
	if err := d.Reveal(t.Context(), "/w/a/x.log"); err != nil || d.started() != "xdg-open|/w/a" {
		t.Errorf("without a file manager on the bus: %v", err)
	}
	conn, err := dbus.Connect(pty.Variable(d.env, "DBUS_SESSION_BUS_ADDRESS"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	m := manager{make(chan []string, 1)}
	if err := conn.Export(m, "/org/freedesktop/FileManager1", "org.freedesktop.FileManager1"); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.RequestName("org.freedesktop.FileManager1", dbus.NameFlagDoNotQueue); err != nil {
		t.Fatal(err)
	}
	if err := d.Reveal(t.Context(), "/w/a b/100%한\xff.log"); err != nil || d.started() != "" {
		t.Errorf("with one: %v", err)
	}
	if got := <-m.shown; !slices.Equal(got, []string{"file:///w/a%20b/100%25%ED%95%9C%FF.log"}) {
		t.Errorf("it is shown %q", got)
	}
	d.system = "darwin"
	if err := d.Reveal(t.Context(), "/w/x.log"); err != nil || d.started() != "open|-R|/w/x.log" {
		t.Errorf("on macOS: %v", err)
	}
}

// bus starts a session bus that ends with the test, and returns its address.
func bus(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("dbus-daemon"); err != nil {
		t.Fatal("this test needs dbus-daemon: apt-get install dbus")
	}
	cmd := exec.Command("dbus-daemon", "--session", "--nofork", "--print-address", "--address=unix:dir="+t.TempDir())
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cmd.Process.Kill(); err != nil {
			t.Error(err)
		}
		_ = cmd.Wait() // it was killed
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

func clearCloseOnExec(fd int) error {
	_, err := unix.FcntlInt(uintptr(fd), unix.F_SETFD, 0)
	return err
}
