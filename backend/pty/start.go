package pty

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// MarkVariable is the environment variable that carries a process's mark.
const MarkVariable = "HEARTH_MARK"

// Default periods of grace. A Claude Code that is idle exits some 50 ms after its input closed; in the middle of a tool
// call it takes as long as its hooks do.
const (
	// DefaultCloseGrace is how long End waits for the child to exit by itself after its input was closed.
	DefaultCloseGrace = 2 * time.Second
	// DefaultTermGrace is how long End and EndLeftovers wait between TERM and KILL.
	DefaultTermGrace = 2 * time.Second
	// KillBound is how long End and EndLeftovers wait for the kernel to act on KILL before they report who is left. Only a
	// process in an uninterruptible system call outlives it.
	KillBound = 5 * time.Second
)

// Command says what to start.
type Command struct {
	Path string   // the program: a path, or a name looked up in our own PATH
	Args []string // the arguments after the program's name
	Dir  string   // the working directory; empty: ours
	Env  []string // the complete environment, "name=value"; a MarkVariable in it is replaced
	Mark string   // required: "instance/anything", put into the environment as MarkVariable

	CloseGrace time.Duration // 0: DefaultCloseGrace
	TermGrace  time.Duration // 0: DefaultTermGrace
}

// Start starts the command. The caller must read Stdout until io.EOF, or the child blocks when the terminal is full, and
// must call End, also when the child has died by itself: End releases the descriptors and ends what the child left behind.
func Start(c Command) (*Process, error) {
	p, err := start(c)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Path, err)
	}
	return p, nil
}

func start(c Command) (_ *Process, err error) {
	if c.Mark == "" || strings.ContainsRune(c.Mark, 0) {
		return nil, errors.New("a mark without NUL is required")
	}
	path, err := exec.LookPath(c.Path)
	if err != nil {
		return nil, err
	}
	var ends ends
	defer func() { ends.close(err != nil) }()
	master, slave, err := openTerminal()
	if err != nil {
		return nil, err
	}
	ends.add(master, slave)
	childIn, stdin, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("open the input pipe: %w", err)
	}
	ends.add(stdin, childIn)
	stderr, childErr, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("open the error pipe: %w", err)
	}
	ends.add(stderr, childErr)

	cmd := &exec.Cmd{
		Path: path, Args: append([]string{c.Path}, c.Args...), Dir: c.Dir, Env: marked(c.Env, c.Mark),
		Stdin: childIn, Stdout: slave, Stderr: childErr,
		// Ctty counts in the child's descriptors: its standard output is the terminal.
		SysProcAttr: &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 1},
	}
	hangUp()
	return launch(cmd, c.Mark, &Process{
		stdin: stdin, stderr: stderr, out: &output{f: master, eof: make(chan struct{})},
		closeGrace: orDefault(c.CloseGrace, DefaultCloseGrace), termGrace: orDefault(c.TermGrace, DefaultTermGrace),
	})
}

// ends are those of what a child is spoken to through: each has one that stays with
// us, and one that is the child's.
type ends struct{ ours, childs []*os.File }

func (e *ends) add(ours, childs *os.File) {
	e.ours, e.childs = append(e.ours, ours), append(e.childs, childs)
}

// close closes the child's, which it has by now, and ours too when it was not started.
func (e *ends) close(ours bool) {
	for _, f := range e.childs {
		f.Close()
	}
	if ours {
		for _, f := range e.ours {
			f.Close()
		}
	}
}

// launch starts a command whose ends p holds already, and makes p the process.
func launch(cmd *exec.Cmd, mark string, p *Process) (*Process, error) {
	if err := closeOnExec(); err != nil {
		return nil, fmt.Errorf("mark descriptors close-on-exec: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p.cmd, p.record = cmd, Record{PID: cmd.Process.Pid, Mark: mark}
	p.done, p.hurry, p.ending = make(chan struct{}), make(chan struct{}), make(chan struct{}, 1)
	// The child is not reaped yet, so its pid still names it, even if it is dead already.
	self, lookErr := lookup(p.record.PID)
	p.record.Started = self.started
	go p.wait()
	if lookErr != nil {
		// Without a start time the process could never be told from another one: it must not run.
		killErr := cmd.Process.Kill()
		<-p.done
		return nil, errors.Join(fmt.Errorf("read the start time of pid %d: %w", p.record.PID, lookErr), killErr)
	}
	return p, nil
}

// hangUp has children end when their terminal hangs up.
//
// Problem: a Hearth started by nohup ignores HUP, and an ignored signal stays ignored in every child: no child would end
// with its terminal. Why: exec gives a caught signal its default again, but leaves an ignored one. Solution: catch it,
// and do nothing with it.
func hangUp() {
	caughtHangUp.Do(func() {
		if signal.Ignored(syscall.SIGHUP) {
			signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
		}
	})
}

var caughtHangUp sync.Once

// marked is env with exactly one MarkVariable.
func marked(env []string, mark string) []string {
	out := make([]string, 0, len(env)+1)
	for _, e := range env {
		if !strings.HasPrefix(e, MarkVariable+"=") {
			out = append(out, e)
		}
	}
	return append(out, MarkVariable+"="+mark)
}

func orDefault[N time.Duration | int](d, def N) N {
	if d <= 0 {
		return def
	}
	return d
}

// openTerminal opens a pseudo-terminal, raw already, so that not one byte of the child passes a cooked one.
func openTerminal() (master, slave *os.File, err error) {
	opened, slave, err := pty.Open()
	if err != nil {
		return nil, nil, fmt.Errorf("open a pseudo-terminal: %w", err)
	}
	defer opened.Close()
	if _, err = term.MakeRaw(int(slave.Fd())); err != nil {
		slave.Close()
		return nil, nil, fmt.Errorf("make the terminal raw: %w", err)
	}
	// Programs that ask for the size get one; 0 by 0 makes some divide by it. Nothing depends on it here.
	if err = pty.Setsize(slave, &pty.Winsize{Rows: 24, Cols: 80}); err == nil {
		master, err = pollable(opened)
	}
	if err != nil {
		slave.Close()
		return nil, nil, fmt.Errorf("set the terminal up: %w", err)
	}
	return master, slave, nil
}

// pollable duplicates f into a file that the runtime's poller watches, so that Close ends a blocked Read.
// Problem: pty.Open asks its file for the raw descriptor, which puts the file into blocking mode.
// Why it matters: a blocked read would end only when the last holder of the terminal is gone.
// Solution: a duplicate in non-blocking mode; where terminals can't be polled, a blocking one, and reads end with the tree.
func pollable(f *os.File) (*os.File, error) {
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	if err := unix.SetNonblock(fd, true); err != nil {
		return nil, errors.Join(err, unix.Close(fd))
	}
	dup := os.NewFile(uintptr(fd), f.Name())
	if err := dup.SetReadDeadline(time.Time{}); errors.Is(err, os.ErrNoDeadline) {
		if err := unix.SetNonblock(fd, false); err != nil {
			dup.Close()
			return nil, err
		}
	}
	return dup, nil
}
