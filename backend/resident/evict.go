package resident

import (
	"context"
	"fmt"
)

// Evict ends the process of a key, also one that is busy by itself or starting,
// and returns when it has ended. It is for Start fresh and for stopping a
// binding; reason is for people. ErrLeased when a turn has the process, or waits
// for its start. No process is no error. When ctx ends first, the ending goes on.
//
// A lease that waits for the key opens a new process as soon as the old one has
// ended: change what the opener reads (forget the native session) before Evict.
func (p *Pool) Evict(ctx context.Context, key Key, reason string) error {
	return p.evict(ctx, key, reason, false)
}

// ForceEvict is Evict that does not spare a leased process: it ends under its
// lease (which must be released all the same), and a lease that waits for its
// start gets ErrEvicted.
func (p *Pool) ForceEvict(ctx context.Context, key Key, reason string) error {
	return p.evict(ctx, key, reason, true)
}

func (p *Pool) evict(ctx context.Context, key Key, reason string, force bool) error {
	gone, err := p.beginEvict(key, reason, force)
	if err == nil && gone != nil {
		select {
		case <-gone:
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	if err != nil {
		return fmt.Errorf("evict %s: %w", key, err)
	}
	return nil
}

// beginEvict returns what is closed when the process has ended; nil for none.
func (p *Pool) beginEvict(key Key, reason string, force bool) (<-chan struct{}, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, ErrClosed
	}
	r := p.residents[key]
	if r == nil {
		return nil, nil
	}
	if r.phase == PhaseWarm && r.dead() {
		p.bury(r)
		p.schedule()
		return nil, nil
	}
	if r.phase != PhaseEnding && !force && (p.leased(r) || p.joined(r)) {
		return nil, ErrLeased
	}
	p.end(context.Background(), r, PhaseEvicted, reason)
	return r.gone, nil
}

// joined is whether a lease waits for this start.
func (p *Pool) joined(r *resident) bool {
	for _, w := range p.waiting {
		if w.joined == r && !w.resolved {
			return true
		}
	}
	return false
}
