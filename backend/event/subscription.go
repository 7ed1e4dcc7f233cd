package event

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// What Next ends with, beside its context's own error.
var (
	// ErrTooSlow means that more ends came than are kept before this subscriber
	// read them. The subscription is over: subscribe again, then fetch.
	ErrTooSlow = errors.New("subscriber too slow")
	// ErrClosed means that Close was called.
	ErrClosed = errors.New("subscription closed")
)

// Subscription is one reader's place in the stream of events. Next is for one
// goroutine at a time; Close may be called from any, and more than once.
type Subscription struct {
	bus    *Bus
	seen   uint64
	once   sync.Once
	closed chan struct{}
}

// Subscribe begins after the event with the seq that is given: the kept events
// after it come first, then the new ones, with nothing between them lost.
//
// missed is true when that is not possible, because an end after it is no longer
// kept or because there has been no such event yet (a seq of another run of the
// program). Then the subscription begins at the present instead, and the
// subscriber must fetch what it shows. Deltas that are gone do not count as
// missed; they show as a jump in seq.
//
// After 0 means from the beginning. For the present only, pass Last.
func (b *Bus) Subscribe(after uint64) (s *Subscription, missed bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if after > b.last || after < b.ends.lost {
		after, missed = b.last, true
	}
	return &Subscription{bus: b, seen: after, closed: make(chan struct{})}, missed
}

// Next waits for the next event. Its errors are ErrTooSlow, ErrClosed and the
// context's. After ErrTooSlow it says nothing else any more; after the context's
// it can be called again.
func (s *Subscription) Next(ctx context.Context) (Event, error) {
	for {
		select {
		case <-s.closed:
			return Event{}, ErrClosed
		default:
		}
		// Asked first, so that a reader that is told to stop does so even while
		// events keep coming.
		if err := ctx.Err(); err != nil {
			return Event{}, fmt.Errorf("next event: %w", err)
		}
		e, wake, err := s.bus.next(s.seen)
		if err != nil {
			return Event{}, err
		}
		if wake == nil {
			s.seen = e.Seq
			return e, nil
		}
		select {
		case <-wake:
		case <-s.closed:
		case <-ctx.Done():
		}
	}
}

// Close ends the subscription and any Next that waits.
func (s *Subscription) Close() {
	s.once.Do(func() { close(s.closed) })
}
