package claude

import (
	"context"
	"errors"
	"io"
	"sync"
)

// answersWaiting is how many lines may wait to be written before the client counts as one that does not read its input.
const answersWaiting = 10000

var (
	errWriterClosed = errors.New("the input is closed")
	errNotReading   = errors.New("the client does not read its input")
)

// A writer writes whole lines to the client's input, one after the other. Nobody waits for it who does not want to: it is
// a queue before a goroutine, and the one who blocks on a client that does not read is that goroutine.
type writer struct {
	mu     sync.Mutex
	lines  []*outLine
	closed bool
	wake   chan struct{} // holds a token when there is something to do
}

// outLine is a line on its way.
type outLine struct {
	bytes []byte
	begun bool          // under the writer's lock: some of it may have been written
	done  chan struct{} // closed when it was written, or will not be
	err   error         // set before done is closed
}

func newWriter() *writer { return &writer{wake: make(chan struct{}, 1)} }

// put queues a line. The line must not contain a newline; one is added.
func (w *writer) put(line []byte) (*outLine, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.closed:
		return nil, errWriterClosed
	case len(w.lines) >= answersWaiting:
		return nil, errNotReading
	}
	l := &outLine{bytes: append(line, '\n'), done: make(chan struct{})}
	w.lines = append(w.lines, l)
	w.signal()
	return l, nil
}

// write queues a line and waits until it is written. When ctx ends first the line is taken back if not a byte of it was
// written; whether it may have been is the result.
func (w *writer) write(ctx context.Context, line []byte) (begun bool, err error) {
	l, err := w.put(line)
	if err != nil {
		return false, err
	}
	select {
	case <-l.done:
		return true, l.err
	case <-ctx.Done():
		return !w.takeBack(l), context.Cause(ctx)
	}
}

// takeBack removes a line that was not begun, and reports whether it could.
func (w *writer) takeBack(l *outLine) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, other := range w.lines {
		if other == l && !l.begun {
			w.lines = append(w.lines[:i], w.lines[i+1:]...)
			l.err = errWriterClosed
			close(l.done)
			return true
		}
	}
	return false
}

// flush waits until what was queued before is written.
func (w *writer) flush(ctx context.Context) {
	w.mu.Lock()
	var last *outLine
	if n := len(w.lines); n > 0 && !w.closed {
		last = w.lines[n-1]
	}
	w.mu.Unlock()
	if last != nil {
		select {
		case <-last.done:
		case <-ctx.Done():
		}
	}
}

func (w *writer) signal() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// close says that nothing more is to be written. What waits is given up once a write fails, which it does when the pipe
// is closed.
func (w *writer) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	w.signal()
}

// run writes until close, or until a write fails.
func (w *writer) run(to io.Writer) {
	var failed error
	for range w.wake {
		for {
			w.mu.Lock()
			if len(w.lines) == 0 {
				closed := w.closed
				w.mu.Unlock()
				if closed {
					return
				}
				break
			}
			l := w.lines[0]
			l.begun = true
			w.mu.Unlock()
			if failed == nil {
				_, failed = to.Write(l.bytes)
			}
			w.mu.Lock()
			w.lines[0] = nil
			w.lines = w.lines[1:]
			w.mu.Unlock()
			l.err = failed
			close(l.done)
		}
	}
}
