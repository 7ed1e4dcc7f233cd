package claude

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"hearth/backend/pty"
)

const (
	// flushBound is how long Close waits until the last answers are written.
	flushBound = 500 * time.Millisecond
	// lastWords is how long a process whose output has ended may take to end itself before it counts as one that hangs.
	lastWords = 500 * time.Millisecond
	// endBound is over the sum of package pty's periods of grace.
	endBound = pty.DefaultCloseGrace + pty.DefaultTermGrace + 2*pty.KillBound
)

// A Session is one living client. Its methods may be called from any goroutine. Close must be called, also after Done.
type Session struct {
	opts    Options
	log     *slog.Logger
	proc    *pty.Process
	out     *writer
	bridges map[string]*bridge

	duplicateGrace time.Duration // see the constant
	impatient      bool          // tests: send also while a cycle runs, as happens when one begins in the same moment

	mustEnd  chan struct{} // closed when the process is to be ended now
	endOnce  sync.Once
	failed   chan struct{}  // closed when it is known that nothing more comes; err says why
	done     chan struct{}  // closed when the process, its reader and its writer have ended
	notify   chan struct{}  // holds a token when Changed is to be called
	callback sync.WaitGroup // goroutines that call back: questions, Unasked, Changed, MCP servers

	mu          sync.Mutex
	wake        chan struct{} // closed, and replaced, when anything below changes
	err         error
	initialized bool
	startup     []string // what a result before `initialize` was answered complains of
	info        Init
	commands    []Command
	commandsAt  time.Time
	turn        *turn // ours; nil: none
	cycle       *cycle
	totals      totals
	tasks       taskBook
	ended       []TaskEnded // background tasks that ended since the last result
	expecting   *time.Timer // a turn of the client's own is about to begin; nil: none
	toolBegan   map[string]time.Time
	requests    map[string]chan reply
	requestSeq  int
	questions   map[string]*question
	unasked     []Turn // not delivered yet
	odd         []string
}

// Start starts a client and returns when it has answered `initialize` and taken the rules, within StartBound and before ctx ends. The error of
// a client that does not start says how it exited and what it last wrote to standard error. ctx bounds the start only.
func Start(ctx context.Context, o Options) (*Session, error) {
	if err := o.complete(); err != nil {
		return nil, &Error{Code: CodeStart, Op: "start the client", Err: err}
	}
	if err := Workable(o.Dir); err != nil {
		return nil, &Error{Code: CodeFolder, Op: "start the client", Err: err}
	}
	args, err := o.arguments()
	if err != nil {
		return nil, &Error{Code: CodeStart, Op: "start the client", Err: err}
	}
	proc, err := pty.Start(pty.Command{Path: o.Path, Args: args, Dir: o.Dir, Env: o.Env, Mark: o.Mark})
	if err != nil {
		return nil, &Error{Code: CodeStart, Op: "start the client", Err: err}
	}
	s := newSession(o)
	s.proc, s.log = proc, o.Log.With("native", o.Native, "pid", proc.Record().PID)
	s.run(ctx)
	bounded, cancel := context.WithTimeoutCause(ctx, o.StartBound, fmt.Errorf("no answer within %v", o.StartBound))
	defer cancel()
	introduced, err := s.Request(bounded, "initialize", s.opts.introduction(s.hookTable()))
	if err == nil {
		s.mu.Lock()
		s.commandsAre(introduced)
		s.mu.Unlock()
		err = s.tellRules(bounded)
	}
	if err != nil {
		err = s.startError(err)
		now, cancel := context.WithCancel(context.WithoutCancel(ctx))
		cancel()
		s.end()
		return nil, errors.Join(err, s.Close(now))
	}
	s.mu.Lock()
	s.initialized = true
	s.mu.Unlock()
	return s, nil
}

// folderError says what is wrong with a folder, without the kernel's words for it.
type folderError struct {
	text string
	err  error
}

func (e *folderError) Error() string { return e.text }
func (e *folderError) Unwrap() error { return e.err }

// Workable says what is wrong with a working directory; nil: a client can be started in it. The kernel's own error for one
// that is gone reads as if the program were: "fork/exec PROGRAM: no such file or directory".
func Workable(dir string) error {
	if dir == "" {
		return nil // ours
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &folderError{"the folder " + dir + " is not there", err}
	case err != nil:
		return fmt.Errorf("look at the folder %s: %w", dir, err)
	case !info.IsDir():
		return &folderError{dir + " is no folder", unix.ENOTDIR}
	}
	if err := unix.Access(dir, unix.X_OK); err != nil {
		return fmt.Errorf("the folder %s can't be entered: %w", dir, err)
	}
	return nil
}

func newSession(o Options) *Session {
	s := &Session{
		opts: o, log: o.Log, out: newWriter(), bridges: map[string]*bridge{}, duplicateGrace: duplicateGrace,
		mustEnd: make(chan struct{}), failed: make(chan struct{}), done: make(chan struct{}),
		notify: make(chan struct{}, 1), wake: make(chan struct{}), cycle: &cycle{}, totals: totals{first: true},
		toolBegan: map[string]time.Time{}, requests: map[string]chan reply{}, questions: map[string]*question{},
	}
	for name := range o.Servers {
		s.bridges[name] = newBridge(s, name)
	}
	return s
}

// run starts the session's goroutines. Those of the process are over when done is closed, the others when Close returns.
func (s *Session) run(ctx context.Context) {
	read, wrote := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(read)
		s.read()
	}()
	go func() {
		defer close(wrote)
		s.out.run(s.proc.Stdin())
	}()
	for name, server := range s.opts.Servers {
		s.callback.Go(func() { s.bridges[name].serve(context.WithoutCancel(ctx), server) })
	}
	go s.supervise(read, wrote)
	s.callback.Go(s.deliverUnasked)
	s.callback.Go(s.deliverChanged)
}

// supervise sees the process to its end, whatever the end is.
func (s *Session) supervise(read, wrote <-chan struct{}) {
	ctx, cancel := context.WithTimeout(context.Background(), endBound)
	defer cancel()
	select {
	case <-read:
		// The output ended, so the process is dead or will be. Say it at once; the sweep of its tree may take seconds.
		select {
		case <-s.proc.Done():
			s.fail(s.crash())
		case <-s.mustEnd:
		case <-time.After(lastWords):
			s.fail(&Error{Code: CodeHung, Op: "read the client", Err: errors.New("it closed its output and lives on"), Sent: true})
		}
	case <-s.mustEnd:
		cancel()
	}
	if err := s.proc.End(ctx); err != nil {
		s.log.Error("end the client", "error", err)
	}
	<-read
	s.fail(s.crash())
	s.dropQuestions()
	s.out.close()
	<-wrote
	for _, b := range s.bridges {
		b.close()
	}
	close(s.done)
}

// crash is the error of a process that ended by itself.
func (s *Session) crash() error {
	select {
	case <-s.proc.Done():
	default:
		return &Error{Code: CodeHung, Op: "run the client", Err: errors.New("it can't be ended"), Stderr: s.proc.StderrTail(), Sent: true}
	}
	cause := s.proc.Exit()
	if cause == nil {
		cause = errors.New("exit status 0")
	}
	return &Error{Code: CodeCrashed, Op: "run the client", Err: fmt.Errorf("it ended: %w", cause), Stderr: s.proc.StderrTail(), Sent: true}
}

// fail notes why nothing more comes; the first reason stays. Whoever waits for something learns it.
func (s *Session) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failLocked(err)
}

func (s *Session) failLocked(err error) {
	if s.err != nil {
		return
	}
	s.err = err
	if CodeOf(err) != CodeClosed {
		s.log.Warn("the client is gone", "error", err, "odd_lines", s.odd)
	}
	s.expect(false)
	close(s.failed)
	s.changed()
}

// spawn runs f on a goroutine that Close waits for, unless the session is over. The lock is held.
func (s *Session) spawn(f func()) bool {
	if s.err != nil {
		return false
	}
	s.callback.Go(f)
	return true
}

// end has the process ended without grace.
func (s *Session) end() { s.endOnce.Do(func() { close(s.mustEnd) }) }

// startError says why the client did not come up.
func (s *Session) startError(err error) error {
	select {
	case <-s.failed: // it died, and says more than the request that got no answer
		err = s.Err()
	default:
	}
	e := &Error{Code: CodeStart, Op: "start the client", Err: err, Stderr: s.proc.StderrTail()}
	if inner, ok := errors.AsType[*Error](err); ok {
		e.Err = inner.Err
	}
	s.mu.Lock()
	said := strings.Join(s.startup, "; ")
	s.mu.Unlock()
	switch all := said + e.Stderr; {
	case strings.Contains(all, "No conversation found"):
		e.Code = CodeNoSession
	case strings.Contains(all, "already in use"):
		e.Code = CodeSessionInUse
	}
	if said != "" && !strings.Contains(e.Stderr, said) {
		e.Err = fmt.Errorf("%w: %s", e.Err, said)
	}
	return e
}

// Close ends the session and its whole process tree: every open question is answered with a no, the input is closed, and
// what does not end by itself is ended, at once when ctx ends. A Turn under way returns CodeClosed. The error says what
// could not be ended, or that callbacks still run although their contexts ended.
func (s *Session) Close(ctx context.Context) error {
	s.fail(&Error{Code: CodeClosed, Op: "close the session", Err: errors.New("the session was closed"), Sent: true})
	s.dropQuestions()
	flush, cancel := context.WithTimeout(ctx, flushBound)
	s.out.flush(flush)
	cancel()
	err := s.proc.End(ctx)
	<-s.done
	quiet := make(chan struct{})
	go func() {
		defer close(quiet)
		s.callback.Wait()
	}()
	select {
	case <-quiet:
	case <-ctx.Done():
		select {
		case <-quiet:
		case <-time.After(lastWords):
			err = errors.Join(err, errors.New("callbacks still run"))
		}
	}
	if err != nil {
		return fmt.Errorf("close the session: %w", err)
	}
	return nil
}

// Native is the native session's id.
func (s *Session) Native() string { return s.opts.Native }

// Record names the process beyond our own life.
func (s *Session) Record() pty.Record { return s.proc.Record() }

// Done is closed when the process, with everything it started, has ended.
func (s *Session) Done() <-chan struct{} { return s.done }

// Err says why the session is over; nil while it lives and after Close.
func (s *Session) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if CodeOf(s.err) == CodeClosed {
		return nil
	}
	return s.err
}

// Info is what the client said of itself at the beginning of its last turn; the zero Init before the first.
func (s *Session) Info() Init {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.info
}

// Busy reports whether a turn is under way, ours or the client's own, or about to begin because a background task has just
// ended, or whether a question is open. Background tasks that run do not count; see BackgroundTasks.
func (s *Session) Busy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err == nil && (s.turn != nil || s.cycle.begun() || s.expecting != nil || len(s.questions) > 0)
}

// BackgroundTasks is how many commands and subagents run beside the turns.
func (s *Session) BackgroundTasks() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return 0
	}
	return s.tasks.count()
}

// changed wakes whoever waits for a change, and has Changed called. The lock is held.
func (s *Session) changed() {
	close(s.wake)
	s.wake = make(chan struct{})
	select {
	case s.notify <- struct{}{}:
	default:
	}
}

func (s *Session) deliverChanged() {
	for {
		select {
		case <-s.notify:
			if s.opts.Changed != nil {
				s.opts.Changed()
			}
		case <-s.done:
			if s.opts.Changed != nil {
				s.opts.Changed()
			}
			return
		}
	}
}

// deliverUnasked hands out the client's own turns, in order, until the process has ended and all are handed out.
func (s *Session) deliverUnasked() {
	for over := false; ; {
		s.mu.Lock()
		turns, wake := s.unasked, s.wake
		s.unasked = nil
		s.mu.Unlock()
		for _, t := range turns {
			if s.opts.Unasked != nil {
				s.opts.Unasked(t)
			}
		}
		if len(turns) > 0 {
			continue
		}
		if over {
			return
		}
		select {
		case <-wake:
		case <-s.done:
			over = true
		}
	}
}
