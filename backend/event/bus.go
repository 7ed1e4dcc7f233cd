package event

import (
	"crypto/rand"
	"encoding/hex"
	"sync"
	"sync/atomic"
	"time"
)

// Event is one thing that happened.
type Event struct {
	// Seq is 1 for the first event of a run of the program and one more for
	// each that follows, deltas included. Publish gives it.
	Seq uint64
	// Type says what happened, such as "message.created". The packages that
	// publish own these words.
	Type string
	// ChannelID is the channel it happened in; empty when in none.
	ChannelID string
	// At is when it happened. Publish fills in the present when it is zero.
	At time.Time
	// Data is what the type says it is. Nobody changes it after Publish.
	Data any
	// Delta marks an event that may be dropped under load.
	Delta bool
}

// Defaults of Options.
const (
	// DefaultKeep is some hours of a busy day, at a few hundred bytes each.
	DefaultKeep = 4096
	// DefaultKeepDeltas is ten seconds and more of four agents that write as
	// fast as models do (about 100 pieces of text a second each): longer than a
	// page that still works takes to catch up.
	DefaultKeepDeltas = 4096
)

// Options are the bounds of a Bus. Zero and below mean the default.
type Options struct {
	// Keep is how many ends are kept. It is both how far a client may have
	// been away and how far a subscriber may fall behind.
	Keep int
	// KeepDeltas is how many deltas are kept: how far a subscriber may fall
	// behind before it loses some.
	KeepDeltas int
}

// Bus takes events and hands them to every subscription. Its methods may be
// called from any goroutine. It has no goroutines of its own and needs no
// closing.
type Bus struct {
	epoch string

	mu     sync.RWMutex
	last   uint64
	ends   ring
	deltas ring
	// wake is closed, and replaced, when there is something new.
	wake chan struct{}
	// awaited is set by a reader that is about to wait for wake, so that
	// publishing makes no new channel while nobody listens.
	awaited atomic.Bool
}

// NewBus makes a bus with a new epoch and no events.
func NewBus(o Options) *Bus {
	if o.Keep <= 0 {
		o.Keep = DefaultKeep
	}
	if o.KeepDeltas <= 0 {
		o.KeepDeltas = DefaultKeepDeltas
	}
	word := make([]byte, 8)
	_, _ = rand.Read(word) // documented never to return an error
	return &Bus{
		epoch:  hex.EncodeToString(word),
		ends:   ring{size: o.Keep},
		deltas: ring{size: o.KeepDeltas},
		wake:   make(chan struct{}),
	}
}

// Publish gives the event its seq (and At, when it has none) and hands it to all
// subscriptions. It waits for none of them. The event is returned as they see it.
func (b *Bus) Publish(e Event) Event {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last++
	e.Seq = b.last
	if e.At.IsZero() {
		e.At = time.Now()
	}
	if e.Delta {
		b.deltas.push(e)
	} else {
		b.ends.push(e)
	}
	// Readers set awaited under the read lock, so none can set it between
	// looking for an event and our having added one.
	if b.awaited.Swap(false) {
		close(b.wake)
		b.wake = make(chan struct{})
	}
	return e
}

// Last is the seq of the newest event; 0 when there is none yet.
func (b *Bus) Last() uint64 {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.last
}

// next is the first kept event after seq. Without one it is the channel that is
// closed when there is something new.
func (b *Bus) next(seq uint64) (Event, <-chan struct{}, error) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if seq < b.ends.lost {
		return Event{}, nil, ErrTooSlow
	}
	end, ended := b.ends.after(seq)
	delta, more := b.deltas.after(seq)
	switch {
	case ended && (!more || end.Seq < delta.Seq):
		return end, nil, nil
	case more:
		return delta, nil, nil
	}
	b.awaited.Store(true)
	return Event{}, b.wake, nil
}
