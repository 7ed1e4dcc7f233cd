package pty

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// roleVariable makes the test binary play a part instead of running tests.
const roleVariable = "PTY_TEST_ROLE"

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" {
		name, arg, _ := strings.Cut(role, ":")
		part, ok := roles[name]
		if !ok {
			fmt.Fprintln(os.Stderr, "no such role:", name)
			os.Exit(2)
		}
		part(arg)
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// roles are the parts. A part says "ready" on its standard output when it has taken its attitude.
var roles = map[string]func(arg string){
	// copies its input to its output
	"cat": func(string) { _, _ = io.Copy(os.Stdout, os.Stdin) },
	// says what its standard descriptors are
	"terminal": func(string) {
		tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
		sid, _ := unix.Getsid(0)
		fmt.Printf("in=%v out=%v err=%v controlling=%v leader=%v\n", term.IsTerminal(0), term.IsTerminal(1), term.IsTerminal(2),
			err == nil && tty != nil, sid == os.Getpid())
	},
	// says whether a descriptor is open here
	"descriptor": func(arg string) {
		fd, _ := strconv.Atoi(arg)
		_, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		fmt.Println("open:", err == nil)
	},
	"exit": func(arg string) {
		code, _ := strconv.Atoi(arg)
		os.Exit(code)
	},
	"complain": func(arg string) {
		n, _ := strconv.Atoi(arg)
		fmt.Fprint(os.Stderr, strings.Repeat("x", n), "the end")
		os.Exit(3)
	},
	"lines": func(arg string) {
		n, _ := strconv.Atoi(arg)
		fmt.Print(strings.Repeat("é", n/2), "\na\r\tb\n")
	},
	"flood": func(string) {
		for {
			if _, err := fmt.Println(strings.Repeat("y", 1000)); err != nil {
				return
			}
		}
	},
	// waits for ever, whatever happens to it
	"stubborn": func(string) { stubborn(); forever() },
	"sleeper":  func(string) { fmt.Println("ready"); time.Sleep(time.Hour) },
	// leaves a file when TERM comes
	"witness": func(arg string) {
		term := make(chan os.Signal, 1)
		signal.Notify(term, syscall.SIGTERM)
		fmt.Println("ready")
		<-term
		_ = os.WriteFile(arg, nil, 0o600)
	},
	// starts a stubborn grandchild that called setsid, writes its pid, and is stubborn as well; with "leave" it exits instead
	"parent": func(arg string) {
		file, rest, _ := strings.Cut(arg, ",")
		how, env := rest, os.Environ()
		if strings.Contains(how, "bare") {
			env = nil
		}
		c := child("stubborn", env)
		c.SysProcAttr = &syscall.SysProcAttr{Setsid: !strings.Contains(how, "same")}
		if strings.Contains(how, "hold") {
			c.Stdout = os.Stdout
		}
		_ = startChild(c)
		_ = os.WriteFile(file+".part", []byte(strconv.Itoa(c.Process.Pid)), 0o600)
		_ = os.Rename(file+".part", file)
		if strings.Contains(how, "leave") {
			return
		}
		stubborn()
		forever()
	},
	// is Hearth: starts a sleeper through this package, says its record, and waits to be killed
	"hearth": func(arg string) {
		p, err := Start(Command{Path: os.Args[0], Env: append(os.Environ(), roleVariable+"=sleeper"), Mark: arg})
		if err != nil {
			fmt.Println(err)
			return
		}
		line := bufio.NewReader(p.Stdout())
		if _, err := line.ReadString('\n'); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(p.Record().PID)
		forever()
	},
	// is the next Hearth, started from within an agent's shell: it carries a mark of its own installation
	"next": func(arg string) {
		ended, err := EndLeftovers(context.Background(), arg)
		fmt.Println(len(ended), err)
	},
}

func stubborn() {
	signal.Ignore(syscall.SIGHUP, syscall.SIGTERM)
	fmt.Println("ready")
}

// child is the test binary in a role, as a plain process.
func child(role string, env []string) *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Env = append(env, roleVariable+"="+role)
	return c
}

// startChild starts c and waits until it says "ready", unless its output goes elsewhere: then it waits for nothing.
func startChild(c *exec.Cmd) error {
	if c.Stdout != nil {
		return c.Start()
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	_, err = bufio.NewReader(out).ReadString('\n')
	return err
}

// plain starts a process that is not ours to end, and ends it with the test.
func plain(t *testing.T, role string, env ...string) Record {
	t.Helper()
	c := child(role, append(os.Environ(), env...))
	if err := startChild(c); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	return recordOf(t, c.Process.Pid)
}

func recordOf(t *testing.T, pid int) Record {
	t.Helper()
	i, err := lookup(pid)
	if err != nil {
		t.Fatal(err)
	}
	return Record{PID: pid, Started: i.started, Mark: i.mark}
}

// run starts the test binary in a role through this package, and ends it with the test.
func run(t *testing.T, role string) *Process {
	t.Helper()
	return runWith(t, Command{Env: append(os.Environ(), roleVariable+"="+role)})
}

func runWith(t *testing.T, c Command) *Process {
	t.Helper()
	c.Path = os.Args[0]
	if c.Mark == "" {
		c.Mark = mark(t)
	}
	p, err := Start(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { endNow(p) })
	return p
}

func endNow(p *Process) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_ = p.End(ctx)
}

// mark is one that no other test uses, so that tests never end each other's processes.
func mark(t *testing.T) string {
	return fmt.Sprintf("test-%d-%s/1", os.Getpid(), strings.ReplaceAll(t.Name(), "/", "-"))
}

// ready waits for a part's first line and keeps reading what follows.
func ready(t *testing.T, p *Process) {
	t.Helper()
	r := bufio.NewReader(p.Stdout())
	line, err := r.ReadString('\n')
	if err != nil || strings.TrimSpace(line) != "ready" {
		t.Fatalf("the child said %q, %v; stderr %s", line, err, p.StderrTail())
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(io.Discard, r)
	}()
	t.Cleanup(func() {
		endNow(p)
		<-done
	})
}

// alive reports whether the recorded process, and not a later one of the same pid, still runs.
func alive(r Record) bool {
	i, err := lookup(r.PID)
	return err == nil && i.started == r.Started && !i.zombie
}

// eventually waits for something another process does. It fails the test when that takes absurdly long.
func eventually(t *testing.T, what string, cond func() bool) {
	t.Helper()
	for range 3000 {
		if cond() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("never: %s", what)
}

// pidIn waits for a pid that a part writes into a file.
func pidIn(t *testing.T, file string) int {
	t.Helper()
	var pid int
	eventually(t, "a pid in "+filepath.Base(file), func() bool {
		b, err := os.ReadFile(file)
		pid, _ = strconv.Atoi(string(bytes.TrimSpace(b)))
		return err == nil && pid > 0
	})
	return pid
}

// forever sleeps. An empty select would be a deadlock, which ends the process.
func forever() { time.Sleep(time.Hour) }
