package resident

import (
	"context"
	"fmt"
	"time"
)

// resident is a place and the process in it. Its fields belong to the pool's
// lock.
type resident struct {
	key         Key
	fingerprint string
	// phase is PhaseStarting, PhaseWarm (lives: idle, busy or leased) or
	// PhaseEnding.
	phase Phase
	// cancel gives up the start.
	cancel context.CancelFunc
	// process is nil while starting, and when the start was given up.
	process Process
	// opened is the temperature that the opener returned, told whether a turn has
	// reached the process since.
	opened Temperature
	told   bool
	// busy is what the process last said.
	busy      bool
	idleSince time.Time
	deadline  time.Time

	// after, reason and err are for ending: the phase that follows, and why.
	after  Phase
	reason string
	err    error
	// stuck is true when the process was to end and did not.
	stuck bool
	// gone is closed when the place is free.
	gone chan struct{}
}

func (r *resident) dead() bool {
	select {
	case <-r.process.Done():
		return true
	default:
		return false
	}
}

func (r *resident) temperature() Temperature {
	if r.told {
		return Warm
	}
	return r.opened
}

// fits is whether the living process is what the waiter asks for. One that is to
// start afresh can have a process that has had no turn: nothing is in it yet.
func (r *resident) fits(w *waiter) bool {
	return r.fingerprint == w.Fingerprint && (w.Keep || !r.told)
}

// leased is whether the lease of the key is for this process (and not for one
// that died under it).
func (p *Pool) leased(r *resident) bool {
	l := p.leases[r.key]
	return l != nil && l.resident == r
}

// start opens a process in a free place, on the waiter's behalf.
func (p *Pool) start(w *waiter) *resident {
	ctx, cancel := context.WithCancel(context.Background())
	r := &resident{
		key: w.Key, fingerprint: w.Fingerprint, phase: PhaseStarting,
		cancel: cancel, gone: make(chan struct{}),
	}
	p.residents[r.key] = r
	p.note(r.key)
	open := w.Open
	p.work.Go(func() {
		process, temperature, err := open.call(ctx, p.log, r.key, r.fingerprint)
		cancel()
		p.settle(r, process, temperature, err)
	})
	return r
}

// settle takes what the opener returned.
func (p *Pool) settle(r *resident, process Process, temperature Temperature, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.schedule()
	r.process, r.opened = process, temperature
	if process != nil {
		p.work.Go(func() {
			<-process.Done()
			p.mu.Lock()
			defer p.mu.Unlock()
			p.bury(r)
			p.schedule()
		})
	}
	if r.phase == PhaseEnding {
		// Given up meanwhile: whoever waited for it has been told.
		p.note(r.key)
		if process != nil {
			p.close(context.Background(), r)
		} else {
			p.free(r, past{phase: r.after, reason: r.reason})
		}
		return
	}
	if err == nil && r.dead() {
		err = fmt.Errorf("process ended at once: %w", ended(process))
	}
	switch {
	case err == nil:
		p.moveIn(r)
	case process == nil || r.dead():
		p.failStart(r, err)
		p.free(r, past{phase: PhaseCrashed, native: native(process), err: err})
	default:
		// An opener that broke its contract left a process: it goes first.
		p.failStart(r, err)
		r.err = err
		p.end(context.Background(), r, PhaseCrashed, "")
	}
}

// moveIn makes a resident of what was started. Who joined the start gets it
// before anybody else can have it evicted.
func (p *Pool) moveIn(r *resident) {
	r.phase = PhaseWarm
	for _, w := range p.waiting {
		if w.joined == r && !w.resolved {
			p.grant(w, r)
			return
		}
	}
	p.startClock(r)
}

// failStart tells everybody who shared the start.
func (p *Pool) failStart(r *resident, err error) {
	for _, w := range p.waiting {
		if w.joined == r {
			w.resolve(nil, err)
		}
	}
	for _, w := range p.warming {
		if w.Key == r.key && w.Fingerprint == r.fingerprint {
			w.resolve(nil, err)
		}
	}
	if r.phase != PhaseEnding {
		p.log.Warn("agent did not start", "key", r.key, "err", err)
	}
}

// end ends a resident that is starting or lives; after is the phase that the key
// has then. ctx bounds how gently. One that is ending already is left to it.
func (p *Pool) end(ctx context.Context, r *resident, after Phase, reason string) {
	if r.phase == PhaseEnding {
		return
	}
	starting := r.process == nil
	r.phase, r.after, r.reason = PhaseEnding, after, reason
	p.note(r.key)
	p.log.Info("ending agent process", "key", r.key, "reason", reason)
	if starting {
		r.cancel()
		p.failStart(r, fmt.Errorf("%w: %s", ErrEvicted, reason))
		return
	}
	p.close(ctx, r)
}

// close has the process closed by a goroutine of its own. The place is freed by
// the one that watches Done.
func (p *Pool) close(ctx context.Context, r *resident) {
	ctx, cancel := context.WithTimeout(ctx, p.ending)
	p.work.Go(func() {
		defer cancel()
		err := r.process.Close(ctx, r.reason)
		select {
		case <-r.process.Done():
		case <-ctx.Done():
		}
		if r.dead() {
			if err != nil {
				p.log.Warn("agent process ended badly", "key", r.key, "err", err)
			}
			return
		}
		if err == nil {
			err = fmt.Errorf("%w: closed and not done", errBroken)
		}
		p.log.Error("agent process does not end", "key", r.key, "err", err)
		p.mu.Lock()
		defer p.mu.Unlock()
		r.stuck, r.err = true, err
		if p.residents[r.key] == r {
			p.note(r.key)
		}
		p.schedule()
	})
}

// bury frees the place of a process that has ended, for whatever reason. Both
// the one that watches it and whoever comes across it first may call it.
func (p *Pool) bury(r *resident) {
	if p.residents[r.key] != r {
		return
	}
	was := past{native: r.process.Native()}
	err := r.process.Err()
	switch {
	case r.phase == PhaseEnding:
		was.phase, was.reason = r.after, r.reason
		if r.after == PhaseCrashed {
			was.err = r.err
		}
	case err != nil:
		was.phase, was.err = PhaseCrashed, err
		p.log.Warn("agent process died", "key", r.key, "native", was.native, "err", err)
	default:
		was.phase, was.reason = PhaseCold, "ended by itself"
	}
	p.free(r, was)
}

// free gives the place back.
func (p *Pool) free(r *resident, was past) {
	delete(p.residents, r.key)
	close(r.gone)
	p.remember(r.key, was)
}

// ended is why a process has ended, as an error in any case.
func ended(p Process) error {
	if err := p.Err(); err != nil {
		return err
	}
	return errEnded
}

func native(p Process) string {
	if p == nil {
		return ""
	}
	return p.Native()
}
