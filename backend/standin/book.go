package standin

import (
	"context"
	"fmt"
	"sync"
)

// Entry is one POST /v1/messages in the book, in the order they came.
type Entry struct {
	Request
	Seq    int // from 1
	Status int // of the answer; 0 while it has not begun
	Reply  Reply
	Usage  Usage
	// Done says that the answer has ended; Broken that it did not get through: it
	// was cut, or the client went away.
	Done   bool
	Broken bool
}

// book keeps the newest entries within its limits.
type book struct {
	mu      sync.Mutex
	entries []*Entry
	bytes   int
	seq     int
	limit   int
	maximum int           // bytes of bodies
	changed chan struct{} // closed and replaced at every change
}

func newBook(limit, bytes int) *book {
	return &book{limit: limit, maximum: bytes, changed: make(chan struct{})}
}

func (b *book) add(r Request) *Entry {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.seq++
	e := &Entry{Request: r, Seq: b.seq}
	b.entries = append(b.entries, e)
	b.bytes += len(r.Body)
	for len(b.entries) > 1 && (len(b.entries) > b.limit || b.bytes > b.maximum) {
		b.bytes -= len(b.entries[0].Body)
		b.entries[0] = nil
		b.entries = b.entries[1:]
	}
	b.announce()
	return e
}

// note changes an entry.
func (b *book) note(e *Entry, change func(*Entry)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	change(e)
	b.announce()
}

func (b *book) announce() {
	close(b.changed)
	b.changed = make(chan struct{})
}

func (b *book) matching(matches []Match) ([]Entry, chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	match := All(matches...)
	var out []Entry
	for _, e := range b.entries {
		if match(e.Request) {
			out = append(out, *e)
		}
	}
	return out, b.changed
}

// Book returns the requests that are in the book and match, oldest first. The
// bodies are shared: don't change them.
func (a *API) Book(matches ...Match) []Entry {
	entries, _ := a.book.matching(matches)
	return entries
}

// Wait waits until n requests that match have come (not: been answered), and
// returns all that match by then.
func (a *API) Wait(ctx context.Context, n int, matches ...Match) ([]Entry, error) {
	return a.wait(ctx, n, "requests", matches, func(Entry) bool { return true })
}

// WaitDone waits until n requests that match have been answered to the end,
// and returns all that are by then.
func (a *API) WaitDone(ctx context.Context, n int, matches ...Match) ([]Entry, error) {
	return a.wait(ctx, n, "answers", matches, func(e Entry) bool { return e.Done })
}

func (a *API) wait(ctx context.Context, n int, what string, matches []Match, counts func(Entry) bool) ([]Entry, error) {
	for {
		entries, changed := a.book.matching(matches)
		kept := entries[:0]
		for _, e := range entries {
			if counts(e) {
				kept = append(kept, e)
			}
		}
		if len(kept) >= n {
			return kept, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return kept, fmt.Errorf("wait for %d %s, %d came: %w", n, what, len(kept), ctx.Err())
		}
	}
}
