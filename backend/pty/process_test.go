package pty

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// said is that a part says.
func said(t *testing.T, role string) string {
	t.Helper()
	p := run(t, role)
	b, err := io.ReadAll(p.Stdout())
	if err != nil {
		t.Fatal(err)
	}
	<-p.Done()
	return string(b)
}

func TestTheChildSeesATerminalOnItsOutputOnly(t *testing.T) {
	if got := said(t, "terminal"); got != "in=false out=true err=false controlling=true leader=true\n" {
		t.Errorf("the child says: %s", got)
	}
}

func TestOutputIsRaw(t *testing.T) {
	const n = 1 << 20 // a cooked terminal cuts at 4,096
	if got, want := said(t, "lines:"+strconv.Itoa(n)), strings.Repeat("é", n/2)+"\na\r\tb\n"; got != want {
		t.Errorf("%d bytes came, %d were written, or they differ", len(got), len(want))
	}
}

func TestInputReachesTheChildWholeAndIsNotEchoed(t *testing.T) {
	p := run(t, "cat")
	in := bytes.Repeat([]byte("0123456789abcde\n"), 1<<16) // 1 MiB
	wrote := make(chan error, 1)
	go func() {
		_, err := p.Stdin().Write(in)
		p.Stdin().Close()
		wrote <- err
	}()
	got, err := io.ReadAll(p.Stdout())
	if err != nil || <-wrote != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, in) {
		t.Errorf("%d bytes came back of %d", len(got), len(in))
	}
	<-p.Done()
	if p.Exit() != nil {
		t.Errorf("exit: %v", p.Exit())
	}
}

func TestExitSaysStatusOrSignal(t *testing.T) {
	for role, want := range map[string]string{"exit:0": "", "exit:7": "exit status 7"} {
		p := run(t, role)
		<-p.Done()
		if got := p.Exit(); want == "" && got != nil || want != "" && (got == nil || got.Error() != want) {
			t.Errorf("%s: exit %v, want %q", role, got, want)
		}
	}
	p := run(t, "sleeper")
	ready(t, p)
	if p.Exit() == nil {
		t.Error("a running child has no exit")
	}
	if err := syscall.Kill(p.Record().PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-p.Done()
	if got := p.Exit(); got == nil || got.Error() != "signal: killed" {
		t.Errorf("exit %v", got)
	}
}

func TestTheEndOfStderrIsKeptAndBounded(t *testing.T) {
	for _, n := range []int{0, 10, StderrLimit - 7, 5*StderrLimit + 1234} {
		p := run(t, "complain:"+strconv.Itoa(n))
		<-p.Done()
		got, want := p.StderrTail(), strings.Repeat("x", min(n, StderrLimit-7))+"the end"
		if got != want {
			t.Errorf("after %d bytes the tail has %d bytes, want %d", n, len(got), len(want))
		}
	}
}

func TestARecordTellsAProcess(t *testing.T) {
	a, b := run(t, "sleeper"), run(t, "sleeper")
	ready(t, a)
	ready(t, b)
	for _, p := range []*Process{a, b} {
		if got := recordOf(t, p.Record().PID); got != p.Record() {
			t.Errorf("the kernel says %+v, the record %+v", got, p.Record())
		}
	}
	if a.Record().PID == b.Record().PID {
		t.Error("two processes, one pid")
	}
}

func TestStartRefuses(t *testing.T) {
	for name, c := range map[string]Command{
		"no mark":         {Path: os.Args[0]},
		"NUL in the mark": {Path: os.Args[0], Mark: "a/\x00"},
		"no such program": {Path: "/nonexistent/program", Mark: "a/1"},
		"no such folder":  {Path: os.Args[0], Dir: "/nonexistent", Mark: "a/1"},
	} {
		if p, err := Start(c); err == nil {
			t.Errorf("%s: started", name)
			_ = p.End(context.Background())
		}
	}
}

func TestAMarkInTheEnvironmentIsReplaced(t *testing.T) {
	p := runWith(t, Command{Env: []string{MarkVariable + "=other/1", roleVariable + "=sleeper", MarkVariable + "=third/2"}, Mark: mark(t)})
	ready(t, p)
	if got := recordOf(t, p.Record().PID).Mark; got != mark(t) {
		t.Errorf("the kernel sees the mark %q", got)
	}
}

// A GUI library opens pipes without close-on-exec; a child that inherits one keeps it open.
func TestAChildInheritsNoDescriptor(t *testing.T) {
	var fds [2]int
	if err := syscall.Pipe(fds[:]); err != nil { // plain pipe(2), no close-on-exec
		t.Fatal(err)
	}
	defer syscall.Close(fds[0])
	defer syscall.Close(fds[1])
	if got := said(t, "descriptor:"+strconv.Itoa(fds[1])); got != "open: false\n" {
		t.Errorf("descriptor %d in the child: %s", fds[1], got)
	}
}

// The road for kernels without close_range, and for macOS.
func TestDescriptorsAreMarkedOneByOne(t *testing.T) {
	var fds [2]int
	if err := syscall.Pipe(fds[:]); err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(fds[0])
	defer syscall.Close(fds[1])
	if err := closeOnExecIn("/dev/fd"); err != nil {
		t.Fatal(err)
	}
	for _, fd := range fds {
		flags, _, errno := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_GETFD, 0)
		if errno != 0 || flags&syscall.FD_CLOEXEC == 0 {
			t.Errorf("descriptor %d: flags %d, %v", fd, flags, errno)
		}
	}
}

func TestOutputEndsThoughAGrandchildHoldsTheTerminal(t *testing.T) {
	file := t.TempDir() + "/pid"
	p := run(t, "parent:"+file+",leave hold")
	if _, err := io.Copy(io.Discard, p.Stdout()); err != nil {
		t.Fatal(err)
	}
	<-p.Done()
	grandchild := recordOf(t, pidIn(t, file))
	if !alive(grandchild) {
		t.Error("the grandchild should hold the terminal in this test, and is gone")
	}
}

func TestSIGKILLOfTheParentHangsTheChildUp(t *testing.T) {
	t.Run("from a terminal", func(t *testing.T) { killTheParent(t, child("hearth:"+mark(t), os.Environ())) })
	t.Run("by nohup", func(t *testing.T) {
		hearth := child("hearth:"+mark(t), os.Environ())
		hearth.Args = append([]string{"sh", "-c", `trap "" HUP; exec "$0" "$@"`, hearth.Path}, hearth.Args[1:]...)
		hearth.Path = "/bin/sh"
		killTheParent(t, hearth)
	})
}

func killTheParent(t *testing.T, hearth *exec.Cmd) {
	t.Helper()
	out, err := hearth.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := hearth.Start(); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 64)
	n, _ := out.Read(buf)
	pid, err := strconv.Atoi(strings.TrimSpace(string(buf[:n])))
	if err != nil {
		_ = hearth.Process.Kill()
		t.Fatalf("the parent said %q", buf[:n])
	}
	agent := recordOf(t, pid)
	t.Cleanup(func() { // a test that fails leaves nobody behind
		if alive(agent) {
			_ = syscall.Kill(agent.PID, syscall.SIGKILL)
		}
	})
	if err := hearth.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = hearth.Wait()
	eventually(t, "the child dies of the hangup", func() bool { return !alive(agent) })
}
