package standin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/google/uuid"
	"golang.org/x/term"
)

// Exit statuses of the agent, beside 0.
const (
	exitFailed  = 1  // the last turn failed, or it could not start
	exitCrashed = 70 // it was told to crash
)

// agentVersion is what the agent says where the client says its version.
const agentVersion = "standin-1"

// RunAgent runs the stand-in agent until its input ends, and returns its exit
// status. args are the client's flags. It reads and writes stream-json on stdin
// and stdout, and works in the current directory with the process's environment. When it
// returns before stdin has ended (it crashed, was told to die, or ctx is over) it
// closes stdin, if that can be closed, and leaves the one goroutine that reads from it.
func RunAgent(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	f := parseFlags(args)
	switch {
	case f.version:
		fmt.Fprintln(stdout, agentVersion+" (Hearth's stand-in agent; no model)")
		return 0
	case f.help:
		fmt.Fprintln(stdout, helpText)
		return 0
	}
	if file, ok := stdin.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		fmt.Fprintln(stderr, "Error: Input must be provided either through stdin or as a prompt argument when using --print")
		return exitFailed
	}
	hostile := parseHostile(os.Getenv("STANDIN_AGENT_MODE"))
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	a := &agent{
		flags: f, hostile: hostile, stderr: stderr,
		out:            &lineWriter{w: stdout, hostile: hostile, broken: cancel},
		end:            cancel,
		pace:           paceOf(f.demo),
		model:          f.model,
		permissionMode: f.permissionMode,
		pending:        map[string]chan answered{},
		allowed:        map[string]bool{},
		wake:           make(chan struct{}, 1),
	}
	if status := a.open(); status != 0 {
		return status
	}
	if hostile.silent {
		<-never(ctx)
		return exitFailed
	}
	reader := make(chan struct{})
	go func() {
		defer close(reader)
		a.read(ctx, stdin)
	}()
	status := a.serve(ctx)
	a.stopTasks()
	if a.inputEnded() {
		<-reader
	} else if c, ok := stdin.(io.Closer); ok {
		_ = c.Close() // so that the reader ends; the process is about to
	}
	a.connecting.Wait()
	return status
}

// agent is one run of the stand-in agent.
type agent struct {
	flags   flags
	hostile hostile
	out     *lineWriter
	stderr  io.Writer
	end     context.CancelCauseFunc
	pace    time.Duration // after each word

	session    string
	transcript *transcript
	memory     memory
	servers    []*server
	connect    sync.Once
	connected  chan struct{}
	connecting sync.WaitGroup

	mu             sync.Mutex
	model          string
	permissionMode string
	pending        map[string]chan answered // our questions to the host, by request id
	allowed        map[string]bool          // commands allowed for good in this session
	rules          []allowRule              // what needs no question besides
	hooks          map[string][]matcher     // that the host wants to be asked, by event
	agents         []string                 // subagents that the host told of
	queue          []asked
	ended          bool
	interrupt      context.CancelCauseFunc // of the turn that runs; nil is none
	tasks          map[string]*task        // background tasks that run
	finished       []*task                 // ended ones that nothing was said about yet
	told           int                     // bytes the session has been told so far
	heard          int                     // how many bytes of tools and session an earlier call has sent already
	wake           chan struct{}

	// Owned by the goroutine that takes turns.
	turns    int   // taken by this process
	failed   bool  // the last one
	usage    Usage // of all turns
	restored int   // turns that were loaded from a transcript
	stumbled bool  // a /stumble has failed and was not asked again yet
}

// asked is a message of the host.
type asked struct {
	uuid string
	text string
}

var (
	errInterrupted = errors.New("interrupted")
	errCrash       = errors.New("told to crash")
	errInputLine   = errors.New("a line of input is too long")
)

// open prepares the session. It returns an exit status when that goes wrong.
func (a *agent) open() int {
	a.connected = make(chan struct{})
	a.tasks = map[string]*task{}
	for _, s := range a.flags.servers {
		a.servers = append(a.servers, &server{name: s, status: "pending"})
	}
	a.session = a.flags.sessionID
	if a.session == "" && a.flags.resume != "" && !a.flags.fork {
		a.session = a.flags.resume
	}
	if a.session == "" {
		a.session = uuid.NewString()
	} else if _, err := uuid.Parse(a.session); err != nil {
		fmt.Fprintln(a.stderr, "Error: Invalid session ID. Must be a valid UUID.")
		return exitFailed
	}
	var err error
	if a.transcript, err = openTranscript(a.session, a.flags.resume); err != nil {
		fmt.Fprintln(a.stderr, err)
		if errors.Is(err, errNoSession) {
			_ = a.out.line(a.resultLine(&turn{a: a, began: time.Now()}, "error_during_execution", err.Error(), true, "startup_failed"))
		}
		return exitFailed
	}
	a.memory = recall(a.transcript.loaded)
	a.restored = a.memory.turns
	a.told = len(a.flags.framing) + a.memory.bytes
	return 0
}

// serve takes turns until the input has ended and nothing is left to do.
func (a *agent) serve(ctx context.Context) int {
	for {
		next, ended := a.next()
		switch {
		case next != nil:
			err := next(ctx)
			switch {
			case err == nil:
				continue
			case errors.Is(err, errCrash):
				return exitCrashed
			}
			fmt.Fprintln(a.stderr, "stand-in agent:", err)
			return exitFailed
		case ended:
			if a.failed {
				return exitFailed
			}
			return 0
		}
		select {
		case <-a.wake:
		case <-ctx.Done():
			if err := context.Cause(ctx); !errors.Is(err, context.Canceled) {
				fmt.Fprintln(a.stderr, "stand-in agent:", err)
			}
			return exitFailed
		}
	}
}

// next returns what is to be done next, and whether the input has ended.
func (a *agent) next() (do func(context.Context) error, ended bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.finished) > 0 {
		t := a.finished[0]
		a.finished = a.finished[1:]
		return func(ctx context.Context) error { return a.unasked(ctx, t) }, a.ended
	}
	if len(a.queue) > 0 {
		message := a.queue[0]
		// What came while a turn ran is one message, as with the client.
		for _, more := range a.queue[1:] {
			message = asked{uuid: more.uuid, text: message.text + "\n" + more.text}
		}
		a.queue = nil
		return func(ctx context.Context) error { return a.turn(ctx, message) }, a.ended
	}
	return nil, a.ended
}

func (a *agent) signal() {
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

func (a *agent) inputEnded() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.ended
}

// never returns a channel that is closed when ctx is over. Unlike ctx.Done() it
// keeps the process from looking deadlocked when that never is.
func never(ctx context.Context) <-chan struct{} {
	done := make(chan struct{})
	ticker := time.NewTicker(time.Hour)
	go func() {
		defer close(done)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
		}
	}()
	return done
}
