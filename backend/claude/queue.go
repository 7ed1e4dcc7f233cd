package claude

import "sync"

const (
	// deltaJoin is up to how many bytes waiting deltas of one message are joined into one event.
	deltaJoin = 64 << 10
	// deltaLimit is how many bytes of deltas wait at most; more are dropped.
	deltaLimit = 1 << 20
)

// An eventQueue holds events between the reader, which never waits, and the sink, which may. Deltas that wait are bounded
// by deltaLimit; everything else waits as long as it must.
type eventQueue struct {
	mu     sync.Mutex
	items  []queued
	deltas int // bytes of deltas waiting
	closed bool
	wake   chan struct{} // holds a token when there is something to do
}

// queued is an event, or a delta that still grows.
type queued struct {
	event Event
	delta []byte // of a TextDelta: its text
}

func newEventQueue() *eventQueue { return &eventQueue{wake: make(chan struct{}, 1)} }

func (q *eventQueue) push(e Event) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if d, ok := e.(TextDelta); ok {
		q.pushDelta(d)
	} else {
		q.items = append(q.items, queued{event: e})
	}
	q.signal()
}

func (q *eventQueue) pushDelta(d TextDelta) {
	if q.deltas+len(d.Text) > deltaLimit {
		return
	}
	q.deltas += len(d.Text)
	if n := len(q.items); n > 0 {
		last := &q.items[n-1]
		if old, ok := last.event.(TextDelta); ok && old.MessageID == d.MessageID && old.Parent == d.Parent && len(last.delta) < deltaJoin {
			last.delta = append(last.delta, d.Text...)
			return
		}
	}
	q.items = append(q.items, queued{event: TextDelta{MessageID: d.MessageID, Parent: d.Parent}, delta: []byte(d.Text)})
}

func (q *eventQueue) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// close says that nothing more comes.
func (q *eventQueue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.signal()
}

// pump hands the events to sink, in order, until the queue is closed and empty.
func (q *eventQueue) pump(sink func(Event)) {
	for range q.wake {
		q.mu.Lock()
		items, closed := q.items, q.closed
		q.items, q.deltas = nil, 0
		q.mu.Unlock()
		for _, i := range items {
			if d, ok := i.event.(TextDelta); ok {
				d.Text = string(i.delta)
				i.event = d
			}
			if sink != nil {
				sink(i.event)
			}
		}
		if closed {
			return
		}
	}
}

const (
	// heldEvents and heldBytes bound what is kept of a cycle that is not ours so far; the oldest goes first.
	heldEvents = 2000
	heldBytes  = 16 << 20
)

// held keeps the events of a cycle, but for deltas, until it is known whose it is.
type held struct {
	events  []Event
	bytes   int
	dropped int
}

func (h *held) push(e Event) {
	h.events = append(h.events, e)
	h.bytes += weight(e)
	for len(h.events) > heldEvents || h.bytes > heldBytes && len(h.events) > 1 {
		h.bytes -= weight(h.events[0])
		h.events[0] = nil
		h.events = h.events[1:]
		h.dropped++
	}
}
