package app

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// shortDir is a folder whose path leaves room for a socket's name.
func shortDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "hw") //nolint:usetesting // a path of that kind is too long
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func TestRaise(t *testing.T) {
	t.Setenv("XDG_ACTIVATION_TOKEN", "")
	t.Setenv("DESKTOP_STARTUP_ID", "")
	long := filepath.Join(shortDir(t), strings.Repeat("long", 30))
	if err := os.Mkdir(long, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_RUNTIME_DIR", shortDir(t))
	for name, dir := range map[string]string{"in the data folder": shortDir(t), "a path too long for a socket": long} {
		t.Run(name, func(t *testing.T) {
			if Raise(dir, false) {
				t.Fatal("raised a window that is not there")
			}
			raised := make(chan string, 1)
			first, err := listen(dir, func(token string) { raised <- token }, func(token string) { raised <- "mention " + token })
			if err != nil {
				t.Fatal(err)
			}
			defer first.close()
			if !Raise(dir, false) {
				t.Fatal("the window was not found")
			}
			if token := <-raised; token != "" {
				t.Errorf("token %q out of nowhere", token)
			}
			t.Setenv("XDG_ACTIVATION_TOKEN", "token-1")
			if !Raise(dir, false) {
				t.Fatal("the window was not found a second time")
			}
			if token := <-raised; token != "token-1" {
				t.Errorf("token %q, want token-1", token)
			}
			if !Raise(dir, true) {
				t.Fatal("the window was not found a third time")
			}
			if token := <-raised; token != "mention token-1" {
				t.Errorf("%q, want a wish to write to an agent", token)
			}
			if Raise(shortDir(t), false) {
				t.Error("another folder's start raised this window")
			}
			if info, err := os.Stat(socketPath(dir)); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("the socket is %v (%v), want it to be ours alone", info.Mode(), err)
			}
			if err := first.close(); err != nil {
				t.Fatal(err)
			}
			if err := first.close(); err != nil {
				t.Errorf("closing again: %v", err)
			}
			if Raise(dir, false) {
				t.Error("raised a window that is closed")
			}
		})
	}
}

// A window that ended in a hurry leaves its socket behind: it raises nothing, and the next window takes it over.
func TestDeadSocket(t *testing.T) {
	dir := shortDir(t)
	dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: socketPath(dir), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	dead.SetUnlinkOnClose(false)
	dead.Close()
	if Raise(dir, false) {
		t.Error("a dead socket was taken for a window")
	}
	next, err := listen(dir, func(string) {}, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	defer next.close()
	if !Raise(dir, false) {
		t.Error("the next window was not found")
	}
}

// What is in the socket's place and is no socket is nobody's window, and is not removed.
func TestNoSocket(t *testing.T) {
	dir := shortDir(t)
	if err := os.WriteFile(socketPath(dir), []byte("notes"), 0o600); err != nil {
		t.Fatal(err)
	}
	if Raise(dir, false) {
		t.Error("a file was taken for a window")
	}
	if i, err := listen(dir, func(string) {}, func(string) {}); err == nil {
		i.close()
		t.Error("a file was overwritten")
	}
	if text, err := os.ReadFile(socketPath(dir)); err != nil || string(text) != "notes" {
		t.Errorf("the file reads %q (%v)", text, err)
	}
}

func TestRaiseCallsThatAreNone(t *testing.T) {
	dir := shortDir(t)
	raised := make(chan string, 8)
	first, err := listen(dir, func(token string) { raised <- token }, func(token string) { raised <- "mention " + token })
	if err != nil {
		t.Fatal(err)
	}
	defer first.close()
	for _, said := range []string{"", "\n", "raised\n", "GET / HTTP/1.1\r\n", "raise", strings.Repeat("x", 4096) + "\n"} {
		conn, err := net.Dial("unix", socketPath(dir))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, said) // it may hang up before it has read it all
		conn.(*net.UnixConn).CloseWrite()
		if answer, _ := io.ReadAll(conn); len(answer) > 0 {
			t.Errorf("%.20q was answered with %q", said, answer)
		}
		conn.Close()
	}
	// A token that is none raises all the same.
	conn, err := net.Dial("unix", socketPath(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, _ = io.WriteString(conn, "raise a\x1b[31m\n")
	if answer, _ := io.ReadAll(conn); string(answer) != "raised\n" {
		t.Errorf("answer %q", answer)
	}
	if token := <-raised; token != "" {
		t.Errorf("token %q", token)
	}
	if len(raised) > 0 {
		t.Errorf("raised %d times more", len(raised))
	}
}
