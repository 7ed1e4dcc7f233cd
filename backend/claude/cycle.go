package claude

import (
	"slices"
	"time"
)

// A cycle is what lies between two results: a turn of ours, or one of the client's own, or both when the client merged
// them. Its lines come before it is known whose it is.
type cycle struct {
	began  time.Time // zero: the client is idle
	ours   bool      // the client says that it works on our message
	likely bool      // it began after we sent, and we know of nothing else that could have caused it
	book   callBook
	held   held // what happened, until it is ours
	ended  int  // background tasks that ended in it

	compacted []Compacted
}

func (c *cycle) begun() bool { return !c.began.IsZero() }

// turn is the one of ours.
type turn struct {
	uuid    string
	sent    bool // from here on a cycle may be ours
	early   bool // our message was repeated while no cycle was under way
	events  *eventQueue
	result  chan Result   // gets one
	claimed chan struct{} // closed when the client says that it works on it
	repeat  chan struct{} // holds a token when it is time to look whether the message was a duplicate
	isTaken bool          // claimed is closed
}

// belongs decides whether a result is ours. It must never say yes to the client's own turn: an answer that was none would
// be posted, and the true one lost.
func (c *cycle) belongs(t *turn, w wireResult) bool {
	switch {
	case t == nil || !t.sent:
		return false
	case c.ours, slices.Contains(w.Messages, t.uuid):
		return true
	case len(w.Messages) > 0, w.Origin.Kind != "" && w.Origin.Kind != "human":
		return false
	}
	// 2.1.197 repeats no message that never reaches the model: a local command, or one that a hook blocked. Such a cycle
	// has no model turns, which the client's own turns always have.
	return c.likely && (w.NumTurns == 0 || t.early)
}

// begin notes that the client has begun to work. The lock is held.
func (s *Session) begin() {
	c, t := s.cycle, s.turn
	if c.begun() {
		return
	}
	c.began = s.opts.Clock()
	c.likely = t != nil && t.sent && s.tasks.count() == 0 && s.expecting == nil && len(s.ended) == 0
	if c.likely {
		for _, e := range c.held.events {
			t.events.push(e)
		}
	}
	s.expect(false)
	s.changed()
}

// claim notes that the client works on the message of that uuid. The lock is held.
func (s *Session) claim(uuid string) {
	c, t := s.cycle, s.turn
	if t == nil || !t.sent || t.uuid != uuid || c.ours {
		return
	}
	s.begin()
	c.ours = true
	if !c.likely {
		for _, e := range c.held.events {
			t.events.push(e)
		}
	}
	c.held = held{}
	if !t.isTaken {
		t.isTaken = true
		close(t.claimed)
	}
}

// repeated notes that the client repeated a message. It does so within the cycle that took it; outside of one it means that
// the session holds the message already and that nothing will follow. The lock is held.
func (s *Session) repeated(uuid string) {
	if s.cycle.begun() {
		s.claim(uuid)
		return
	}
	if t := s.turn; t != nil && t.sent && t.uuid == uuid {
		t.early = true
		t.look()
	}
}

// look has Turn look, in a while, whether its message was a duplicate.
func (t *turn) look() {
	select {
	case t.repeat <- struct{}{}:
	default:
	}
}

// show hands an event on, or keeps it until it is known whose cycle this is. The lock is held.
func (s *Session) show(e Event) {
	c, t := s.cycle, s.turn
	if t != nil && t.sent && (c.ours || c.likely) {
		t.events.push(e)
	}
	if _, delta := e.(TextDelta); !c.ours && !delta { // the whole block follows its deltas
		c.held.push(e)
	}
}

// finish ends the cycle with its result. The lock is held.
func (s *Session) finish(w wireResult, raw []byte) {
	if !s.initialized {
		s.startup = append(s.startup, w.Errors...)
		if w.Failure != "" {
			s.startup = append(s.startup, w.Failure)
		}
		return
	}
	c, t := s.cycle, s.turn
	ours := c.belongs(t, w)
	result := s.totals.settle(w, raw, &c.book)
	result.Compacted, result.Client = c.compacted, s.info
	s.cycle = &cycle{}
	s.endQuestions()
	// The client takes a turn for what ended meanwhile, unless it has told the model already, which it does not say.
	follows := c.ended > 0 || w.Queued > 0
	trigger := s.ended[:len(s.ended)-c.ended]
	s.ended = s.ended[len(trigger):]
	if !follows {
		s.ended = nil
	}
	if s.tasks.count() == 0 {
		clear(s.toolBegan)
	}
	if ours {
		t.sent = false // another result would not be ours
		t.result <- result
	} else {
		began := c.began
		if began.IsZero() {
			began = s.opts.Clock()
		}
		s.unasked = append(s.unasked, Turn{
			Result: result, Origin: w.Origin.Kind, Trigger: trigger, Events: c.held.events, Dropped: c.held.dropped,
			Began: began, Ended: s.opts.Clock(),
		})
		if c.likely && t != nil && t.sent {
			t.events.push(Retract{})
		}
		if t != nil && t.early {
			t.look()
		}
	}
	s.expect(follows)
	s.changed()
}

// expect notes that a turn of the client's own is about to begin, or no longer: for at most UnaskedGrace, because the
// client need not take one. The lock is held.
func (s *Session) expect(on bool) {
	if s.expecting != nil {
		s.expecting.Stop()
		s.expecting = nil
	}
	if !on || s.err != nil {
		return
	}
	var timer *time.Timer
	timer = time.AfterFunc(s.opts.UnaskedGrace, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.expecting == timer {
			s.expecting = nil
			s.changed()
		}
	})
	s.expecting = timer
}
