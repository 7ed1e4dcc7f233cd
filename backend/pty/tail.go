package pty

import (
	"io"
	"sync"
)

// A tail keeps the last StderrLimit bytes of a stream.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

// readFrom reads r to its end, whatever that is: an end, a deadline or a closed file.
func (t *tail) readFrom(r io.Reader) {
	chunk := make([]byte, 4096)
	for {
		n, err := r.Read(chunk)
		t.add(chunk[:n])
		if err != nil {
			return
		}
	}
}

func (t *tail) add(b []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, b...)
	// Cut only at twice the limit, so that a long stream is copied once a StderrLimit and not once a chunk.
	if len(t.buf) > 2*StderrLimit {
		t.buf = append(t.buf[:0], t.buf[len(t.buf)-StderrLimit:]...)
	}
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.buf[max(0, len(t.buf)-StderrLimit):])
}
