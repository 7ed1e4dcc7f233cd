package resident

import (
	"cmp"
	"context"
)

// budget is the places that one pass of schedule has to give: free ones, and
// those whose process is about to have ended.
type budget struct{ free, coming int }

// schedule gives whoever waits what there is for them. It belongs after every
// step that may have freed something or added a waiter, and runs with the lock
// held. Everything that waits for a place or a process is decided here.
//
// Leases come first, in the order they were asked for. Each takes what it can
// have; one that needs a place takes a free one, else counts on one that is being
// freed, else has the longest idle resident evicted, else waits. As those ahead
// choose first, nobody is overtaken by a newcomer for the same place, and no more
// residents are evicted than there are leases that need their places. Of several
// leases for one key only the first is looked at: the others wait for it.
// Pre-warming gets what is left.
func (p *Pool) schedule() {
	if p.closed {
		return
	}
	for _, r := range p.residents {
		if r.phase == PhaseWarm && r.dead() {
			p.bury(r)
		}
	}
	b := budget{free: p.capacity - len(p.residents)}
	for _, r := range p.residents {
		if r.phase == PhaseEnding && !r.stuck {
			b.coming++
		}
	}
	behind := map[Key]bool{}
	for _, w := range p.waiting {
		if w.resolved {
			continue
		}
		if !behind[w.Key] {
			p.serve(w, &b)
		}
		if !w.resolved {
			behind[w.Key] = true
			p.markWaiting(w)
		}
	}
	for _, w := range p.warming {
		if !w.resolved {
			p.serveWarm(w, &b)
		}
	}
	p.drop()
}

// markWaiting makes it visible that a lease waits, or that it waits no more for
// anything but a start.
func (p *Pool) markWaiting(w *waiter) {
	waits := w.joined == nil
	if w.waits == waits {
		return
	}
	w.waits = waits
	if waits {
		select {
		case <-w.had:
		default:
			close(w.had)
		}
	}
	p.note(w.Key)
}

// serve gives the first lease of its key what there is for it.
func (p *Pool) serve(w *waiter, b *budget) {
	if p.leases[w.Key] != nil {
		return
	}
	r := p.residents[w.Key]
	switch {
	case r == nil:
	case r.phase == PhaseStarting:
		if r.fingerprint == w.Fingerprint {
			w.joined = r
		}
		return
	case r.phase == PhaseWarm:
		if r.fits(w) {
			p.grant(w, r)
			return
		}
		if p.busy(r) {
			return
		}
		p.end(context.Background(), r, PhaseEvicted, outdated(r, w))
		b.coming++
	}
	if r == nil && b.free > 0 {
		b.free--
		w.joined = p.start(w)
		return
	}
	// A process that will not end blocks its own key: a place would not help.
	if r != nil && r.stuck {
		return
	}
	if b.coming > 0 {
		b.coming--
		return
	}
	if idle := p.longestIdle(); idle != nil {
		p.end(context.Background(), idle, PhaseEvicted, ReasonPlace+w.Key.String())
	}
}

// serveWarm gives a pre-warming what the leases have left.
func (p *Pool) serveWarm(w *waiter, b *budget) {
	r := p.residents[w.Key]
	switch {
	case r == nil && b.free <= 0:
		w.resolve(nil, ErrFull)
	case r == nil:
		b.free--
		p.start(w)
	case r.phase != PhaseWarm:
		// Starting: perhaps for this one. Ending: then there may be a place.
	case r.fits(w):
		w.resolve(nil, nil)
	case p.leased(r) || p.busy(r):
		w.resolve(nil, ErrBusy)
	default:
		p.end(context.Background(), r, PhaseEvicted, outdated(r, w))
	}
}

// grant lends the resident to the waiter.
func (p *Pool) grant(w *waiter, r *resident) {
	lease := &Lease{Process: r.process, Temperature: r.temperature(), pool: p, resident: r, keep: w.Keep}
	p.leases[r.key] = lease
	w.resolve(lease, nil)
	p.note(r.key)
}

// longestIdle is the resident to evict, nil when none is idle.
func (p *Pool) longestIdle() *resident {
	var found *resident
	for _, r := range p.residents {
		if r.phase != PhaseWarm || p.leased(r) || p.busy(r) {
			continue
		}
		if found == nil || cmp.Or(r.idleSince.Compare(found.idleSince), cmp.Compare(r.key.String(), found.key.String())) < 0 {
			found = r
		}
	}
	return found
}

// outdated says why a resident does not fit.
func outdated(r *resident, w *waiter) string {
	if r.fingerprint != w.Fingerprint {
		return ReasonChanged
	}
	return ReasonAfresh
}
