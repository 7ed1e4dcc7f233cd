package resident

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Request says what is wanted.
type Request struct {
	Key Key
	// Fingerprint stands for all settings that a process is started with.
	Fingerprint string
	// Keep is false for an agent that starts afresh each time: the process ends
	// when its lease is released, and none that has had a turn is lent.
	Keep bool
	// Open starts the process, when there is none that fits.
	Open Opener
	// Waiting is called when the lease has to wait for a place or for the
	// process, once, by the goroutine that called Lease and before Lease returns.
	// A start is no wait. Nil for nobody. Warm does not call it: it never waits.
	Waiting func()
}

func (r Request) check() error {
	switch {
	case r.Key.Channel == "" || r.Key.Binding == "":
		return errors.New("incomplete key")
	case r.Open == nil:
		return errors.New("no opener")
	}
	return nil
}

// Lease is the right to speak to a process for one turn. Release it.
type Lease struct {
	Process Process
	// Temperature is what decides what the process is sent.
	Temperature Temperature

	pool     *Pool
	resident *resident
	keep     bool
}

// waiter is somebody who asked for a lease or for pre-warming and has not got it.
// Its fields belong to the pool's lock, except what the channels say.
type waiter struct {
	Request
	since time.Time

	// joined is the start whose outcome is this waiter's, good or bad.
	joined *resident
	// waits is true while it is seen to wait, and had is closed when it first is.
	waits bool
	had   chan struct{}

	// resolved is true when lease and err are final (or nobody asks any more),
	// and ready is closed then.
	resolved bool
	ready    chan struct{}
	lease    *Lease
	err      error
}

func newWaiter(req Request) *waiter {
	return &waiter{Request: req, since: time.Now(), had: make(chan struct{}), ready: make(chan struct{})}
}

func (w *waiter) resolve(lease *Lease, err error) {
	if w.resolved {
		return
	}
	w.resolved, w.lease, w.err = true, lease, err
	close(w.ready)
}

// Lease waits for the process of a key, opening it when there is none that fits,
// and lends it. Errors: ErrClosed; ErrEvicted when the start was given up by
// ForceEvict; ctx's; the opener's, and that of a process which ended before it
// could be lent. After an error there is nothing to release.
//
// ctx bounds the waiting only. Neither the start that it may have caused nor the
// process ends with it.
func (p *Pool) Lease(ctx context.Context, req Request) (*Lease, error) {
	lease, err := p.await(ctx, req, &p.waiting)
	if err != nil {
		return nil, fmt.Errorf("lease %s: %w", req.Key, err)
	}
	return lease, nil
}

// Warm starts the process of a key ahead of its first lease, and returns when it
// runs. It evicts nobody and takes only a free place that nobody waits for:
// ErrFull otherwise. It does nothing when a process lives already that was
// opened with the same fingerprint; an outdated one is replaced when it is idle,
// and otherwise the answer is ErrBusy. A start is shared: with another Warm, and
// with a lease that comes meanwhile. Other errors are as for Lease; when ctx ends
// the start goes on.
func (p *Pool) Warm(ctx context.Context, req Request) error {
	req.Waiting = nil
	if _, err := p.await(ctx, req, &p.warming); err != nil {
		return fmt.Errorf("warm %s: %w", req.Key, err)
	}
	return nil
}

// await puts the request into one of the two queues and waits for what becomes
// of it.
func (p *Pool) await(ctx context.Context, req Request, queue *[]*waiter) (*Lease, error) {
	if err := req.check(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, ErrClosed
	}
	w := newWaiter(req)
	*queue = append(*queue, w)
	p.schedule()
	p.mu.Unlock()
	return p.outcome(ctx, w)
}

// outcome waits for what becomes of a waiter, and tells it when it has to wait.
func (p *Pool) outcome(ctx context.Context, w *waiter) (*Lease, error) {
	had := w.had
	tell := func() {
		had = nil
		if w.Waiting != nil {
			w.Waiting()
		}
	}
	for {
		select {
		case <-had:
			tell()
		case <-w.ready:
			// Both may have come at once: who had to wait is always told.
			select {
			case <-had:
				tell()
			default:
			}
			return w.lease, w.err
		case <-ctx.Done():
			return nil, p.abandon(w, ctx.Err())
		}
	}
}

// abandon takes a waiter back whose context has ended with err. It may have been
// given a lease at the same moment: nobody will use that.
func (p *Pool) abandon(w *waiter, err error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if w.resolved {
		if w.lease != nil {
			p.release(w.lease, false)
		}
		return err
	}
	w.resolve(nil, err)
	p.schedule()
	p.note(w.Key)
	return err
}

// Release gives the process back. used says that a turn has reached it, whether
// or not that turn succeeded: from then on the process remembers, and its next
// lease is warm. Releasing twice, or after Close, does nothing.
func (l *Lease) Release(used bool) {
	l.pool.mu.Lock()
	defer l.pool.mu.Unlock()
	l.pool.release(l, used)
}

func (p *Pool) release(l *Lease, used bool) {
	r := l.resident
	if p.leases[r.key] != l {
		return
	}
	delete(p.leases, r.key)
	r.told = r.told || used
	if p.residents[r.key] == r && r.phase == PhaseWarm {
		switch {
		case r.dead():
			p.bury(r)
		case !l.keep:
			p.end(context.Background(), r, PhaseCold, ReasonAfresh)
		default:
			p.startClock(r)
		}
	}
	p.note(r.key)
	p.schedule()
}

// drop removes the resolved from both queues.
func (p *Pool) drop() {
	resolved := func(w *waiter) bool { return w.resolved }
	p.waiting = slices.DeleteFunc(p.waiting, resolved)
	p.warming = slices.DeleteFunc(p.warming, resolved)
}
