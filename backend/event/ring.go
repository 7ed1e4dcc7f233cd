package event

import "sort"

// ring holds the newest size events, in the order of their seq. It grows as it
// fills: a bus that sees little costs little.
type ring struct {
	size   int
	events []Event
	// oldest is the index of the oldest event once the ring is full.
	oldest int
	// lost is the seq of the newest event that had to make room; 0 when none had.
	lost uint64
}

func (r *ring) push(e Event) {
	if len(r.events) < r.size {
		r.events = append(r.events, e)
		return
	}
	r.lost = r.events[r.oldest].Seq
	r.events[r.oldest] = e
	r.oldest = (r.oldest + 1) % r.size
}

// after is the oldest held event whose seq is greater.
func (r *ring) after(seq uint64) (Event, bool) {
	n := len(r.events)
	i := sort.Search(n, func(i int) bool { return r.at(i).Seq > seq })
	if i == n {
		return Event{}, false
	}
	return *r.at(i), true
}

func (r *ring) at(i int) *Event {
	return &r.events[(r.oldest+i)%len(r.events)]
}
