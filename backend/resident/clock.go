package resident

import (
	"context"
	"sync"
	"time"
)

// Notify says that what a process's Busy returns has changed. The idle time of
// one that is not busy begins anew, and whoever waits for an idle one is looked
// at. It takes no lock that is held while a process is asked anything and never
// waits, so a driver may call it from wherever it changes its state, with its own
// locks held. A key without a process is ignored.
func (p *Pool) Notify(key Key) { p.bell.ring(key) }

// bell collects keys for the goroutine that keeps the time.
type bell struct {
	mu     sync.Mutex
	keys   map[Key]bool
	signal chan struct{}
}

func newBell() *bell { return &bell{keys: map[Key]bool{}, signal: make(chan struct{}, 1)} }

func (b *bell) ring(key Key) {
	b.mu.Lock()
	b.keys[key] = true
	b.mu.Unlock()
	b.wake()
}

func (b *bell) wake() {
	select {
	case b.signal <- struct{}{}:
	default:
	}
}

func (b *bell) take() map[Key]bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	keys := b.keys
	b.keys = map[Key]bool{}
	return keys
}

// keepTime ends residents whose time is over and takes what Notify says, until
// quit.
func (p *Pool) keepTime() {
	timer := time.NewTimer(p.idle)
	defer timer.Stop()
	for {
		if next, due := p.tick(p.bell.take()); due {
			timer.Reset(time.Until(next))
		} else {
			timer.Stop()
		}
		select {
		case <-p.bell.signal:
		case <-timer.C:
		case <-p.quit:
			return
		}
	}
}

// tick looks at all residents. It returns when it has to be called at the latest,
// if there is such a time.
func (p *Pool) tick(changed map[Key]bool) (next time.Time, due bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	for key, r := range p.residents {
		if r.phase != PhaseWarm {
			continue
		}
		if p.leased(r) {
			if changed[key] {
				p.note(key) // it may have a native session now
			}
			continue
		}
		if changed[key] {
			p.startClock(r)
		}
		if !r.deadline.After(now) {
			if p.busy(r) || r.deadline.After(now) {
				r.deadline = now.Add(p.idle)
			} else {
				p.end(context.Background(), r, PhaseEvicted, ReasonIdle)
				continue
			}
		}
		if !due || r.deadline.Before(next) {
			next, due = r.deadline, true
		}
	}
	if len(changed) > 0 {
		p.schedule()
	}
	return next, due
}

// startClock begins the idle time of a resident that is not leased. That of a
// busy one begins as well, in case nobody says when it is no longer busy.
func (p *Pool) startClock(r *resident) {
	r.busy = r.process.Busy()
	r.idleSince = time.Now()
	r.deadline = r.idleSince.Add(p.idle)
	p.note(r.key)
	p.bell.wake()
}

// busy asks the process. When it has stopped being busy unnoticed, its idle time
// begins now.
func (p *Pool) busy(r *resident) bool {
	was := r.busy
	r.busy = r.process.Busy()
	if was && !r.busy {
		p.startClock(r)
	}
	if was != r.busy {
		p.note(r.key)
	}
	return r.busy
}
