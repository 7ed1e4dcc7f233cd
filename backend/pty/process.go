package pty

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// StderrLimit is how many bytes of the end of the child's standard error are kept.
const StderrLimit = 64 << 10

// drainAfterExit bounds each wait for what a dead child left in its terminal and its error pipe while a grandchild still
// holds them open.
const drainAfterExit = 500 * time.Millisecond

// A Record names a process beyond its own life and ours: a pid is reused, a pid with a start time is not.
type Record struct {
	PID     int
	Started string // the kernel's start time: on Linux boot id and clock ticks since boot, on macOS seconds and microseconds
	Mark    string
}

// A Process is a child that was started. Its methods may be called from any goroutine.
type Process struct {
	cmd    *exec.Cmd
	stdin  *os.File // nil: a probe has none
	stderr *os.File
	out    *output
	tail   tail
	record Record

	closeGrace, termGrace time.Duration

	done  chan struct{} // closed when reaped
	exit  error         // set before done is closed
	endAt uint64        // when it was reaped, in the unit of info.since; set before done is closed

	hurryOnce sync.Once
	hurry     chan struct{} // closed when any caller of End wants KILL now
	ending    chan struct{} // holds one token while an End is at work
	ended     bool          // under the token: the tree is gone and the descriptors are released
	endErr    error         // under the token
}

// Stdin is the child's input. A write blocks while the child does not read; Close, and End, make it return an error.
func (p *Process) Stdin() io.WriteCloser { return p.stdin }

// Stdout is the child's output. It ends with io.EOF when the child's side is closed, at the latest half a second after
// the child's death without new output. It is for one reader.
func (p *Process) Stdout() io.Reader { return p.out }

// StderrTail is the end of what the child has written to its standard error: at most StderrLimit bytes.
func (p *Process) StderrTail() string { return p.tail.String() }

// Record is what has to be kept to recognise this process after a crash of ours.
func (p *Process) Record() Record { return p.record }

// Done is closed when the child was reaped and the end of its standard error was read.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit is how the child ended: nil for status 0, else an error whose text names the status or the signal. It is valid
// after Done was closed.
func (p *Process) Exit() error {
	select {
	case <-p.done:
		return p.exit
	default:
		return errors.New("still running")
	}
}

// wait reaps the child. It ends with the child, which End sees to.
func (p *Process) wait() {
	read := make(chan struct{})
	go func() {
		defer close(read)
		p.tail.readFrom(p.stderr)
	}()
	p.exit = p.cmd.Wait()
	p.endAt = now()
	p.out.childExited()
	if p.stderr.SetReadDeadline(time.Now().Add(drainAfterExit)) != nil {
		p.stderr.Close() // can't be on Linux and macOS, where pipes are polled; but the reader must end
	}
	<-read
	close(p.done)
}

// An output is the child's side of the terminal as a reader that ends.
type output struct {
	f       *os.File
	reading atomic.Bool // somebody reads
	exited  atomic.Bool // the child is gone
	eofOnce sync.Once
	eof     chan struct{} // closed when Read has returned io.EOF
}

// Read reads what the child wrote. A terminal whose other end is closed answers EIO; that is the end of the output.
func (o *output) Read(b []byte) (int, error) {
	o.reading.Store(true)
	if o.exited.Load() {
		o.wake()
	}
	n, err := o.f.Read(b)
	if err == nil {
		return n, nil
	}
	if errors.Is(err, syscall.EIO) || errors.Is(err, os.ErrClosed) || errors.Is(err, os.ErrDeadlineExceeded) {
		err = io.EOF
	}
	if errors.Is(err, io.EOF) {
		o.eofOnce.Do(func() { close(o.eof) })
	}
	return n, err
}

func (o *output) childExited() {
	o.exited.Store(true)
	o.wake()
}

// wake gives the read that is blocked, or about to start, a last period in which to find something.
func (o *output) wake() {
	// Without deadlines (a platform that can't poll terminals) the read ends when the tree has.
	_ = o.f.SetReadDeadline(time.Now().Add(drainAfterExit))
}

// close releases the terminal, after a reader had its chance to see the end.
func (o *output) close() {
	if o.reading.Load() {
		select {
		case <-o.eof:
		case <-time.After(drainAfterExit):
		}
	}
	o.f.Close()
}
