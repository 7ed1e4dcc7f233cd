package pty

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

const (
	// ProbeOutput is how many bytes a probe may write to its standard output when nobody says. A version is 30 bytes long.
	ProbeOutput = 64 << 10
	// ProbeStderr is how many bytes of the end of a probe's standard error are kept.
	ProbeStderr = 4 << 10
	// probeGrace is what a probe has between TERM and KILL: nothing is lost with it.
	probeGrace = 500 * time.Millisecond
	// probeInstance stands in a probe's mark where its environment names no instance.
	probeInstance = "probe"
)

// Why a probe has no answer, beside what starting it and its exit status say.
var (
	// ErrNoAnswer: it was still running when its time was over.
	ErrNoAnswer = errors.New("no answer")
	// ErrTooMuch: it wrote more to its standard output than it may.
	ErrTooMuch = errors.New("too much output")
)

// A Probe is a program that is asked one short thing, such as its version. It is no agent: it gets no input (/dev/null) and
// no terminal, what it may say is bounded, and nothing of it is left when Run returns.
type Probe struct {
	Path   string   // the program: a path, or a name looked up in our own PATH
	Args   []string // the arguments after the program's name
	Dir    string   // the working directory; empty: ours
	Env    []string // the complete environment, "name=value"; nil: ours
	Within time.Duration
	Output int // bytes of standard output at most; 0: ProbeOutput
}

// Run runs the probe to its end, at most until Within is over or ctx ends, and then ends everything that came from it, as
// Process.End does, whether or not it answered. It returns within Within, half a second of grace and KillBound.
//
// The error is ErrNoAnswer, ErrTooMuch, ctx's cause, an *exec.ExitError, or why the probe did not start or could not be
// ended; but for the first two it carries the end of standard error. What the probe said comes back with an error too.
//
// A probe is marked like a child that Start started: the instance is that of the MarkVariable in Env, if there is one, and
// the rest is new, so that ending one ends no other.
func (c Probe) Run(ctx context.Context) ([]byte, error) {
	within := fmt.Errorf("%w within %v", ErrNoAnswer, c.Within)
	ctx, cancel := context.WithTimeoutCause(ctx, c.Within, within)
	defer cancel()
	p, err := c.start()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Path, err)
	}
	said, err := c.listen(ctx, p)
	// The end takes its own time, which is bounded; ctx may have ended long ago.
	if left := p.End(context.WithoutCancel(ctx)); left != nil {
		return said, errors.Join(err, left)
	}
	if err == nil {
		err = p.Exit()
	}
	if err == nil || errors.Is(err, ErrNoAnswer) || errors.Is(err, ErrTooMuch) {
		return said, err
	}
	stderr := p.StderrTail()
	if stderr = strings.TrimSpace(stderr[max(0, len(stderr)-ProbeStderr):]); stderr != "" {
		err = fmt.Errorf("%w: %s", err, strings.ToValidUTF8(stderr, ""))
	}
	return said, err
}

// listen reads what the probe says until it has ended; the error says why it was not listened to to its end.
func (c Probe) listen(ctx context.Context, p *Process) ([]byte, error) {
	limit := orDefault(c.Output, ProbeOutput)
	type heard struct {
		said []byte
		err  error
	}
	hear := make(chan heard, 1)
	go func() {
		said, err := io.ReadAll(io.LimitReader(p.Stdout(), int64(limit)+1))
		if len(said) > limit {
			said, err = said[:limit], fmt.Errorf("%w: more than %d bytes", ErrTooMuch, limit)
		}
		hear <- heard{said, err}
	}()
	select {
	case h := <-hear: // soon after its death at the latest
		if h.err != nil {
			return h.said, h.err
		}
		select {
		case <-p.Done():
			return h.said, nil
		case <-ctx.Done():
			return h.said, context.Cause(ctx)
		}
	case <-ctx.Done():
		p.out.f.Close() // it is not listened to any more; End releases the rest
		h := <-hear
		return h.said, context.Cause(ctx)
	}
}

func (c Probe) start() (_ *Process, err error) {
	path, err := exec.LookPath(c.Path)
	if err != nil {
		return nil, err
	}
	env := c.Env
	if env == nil {
		env = os.Environ()
	}
	mark := markOfProbe(env)
	var ends ends
	defer func() { ends.close(err != nil) }()
	out, childOut, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("open the output pipe: %w", err)
	}
	ends.add(out, childOut)
	stderr, childErr, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("open the error pipe: %w", err)
	}
	ends.add(stderr, childErr)
	cmd := &exec.Cmd{
		Path: path, Args: append([]string{c.Path}, c.Args...), Dir: c.Dir, Env: marked(env, mark),
		Stdout: childOut, Stderr: childErr, // a Stdin of nil is /dev/null
		SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}
	return launch(cmd, mark, &Process{
		stderr: stderr, out: &output{f: out, eof: make(chan struct{})},
		closeGrace: time.Nanosecond, // it has no input to be told by
		termGrace:  probeGrace,
	})
}

// markOfProbe is a mark of a probe's own, with the instance that the environment names.
func markOfProbe(env []string) string {
	instance := probeInstance
	for _, entry := range env { // the last one counts
		if mark, ok := strings.CutPrefix(entry, MarkVariable+"="); ok {
			if named, _, _ := strings.Cut(mark, "/"); named != "" {
				instance = named
			}
		}
	}
	return instance + "/probe-" + rand.Text()
}
