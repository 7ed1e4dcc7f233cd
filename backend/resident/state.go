package resident

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// Phase is where a key stands.
type Phase string

const (
	// PhaseCold: no process; there was none, or it ended in order.
	PhaseCold Phase = "cold"
	// PhaseStarting: a process is being opened.
	PhaseStarting Phase = "starting"
	// PhaseWarm: a process lives and is idle.
	PhaseWarm Phase = "warm"
	// PhaseBusy: a process is leased, or busy by itself.
	PhaseBusy Phase = "busy"
	// PhaseWaiting: no process yet; a lease waits for a place.
	PhaseWaiting Phase = "waiting"
	// PhaseEnding: a process was told to end.
	PhaseEnding Phase = "ending"
	// PhaseEvicted: no process; the pool ended it. State.Reason says why.
	PhaseEvicted Phase = "evicted"
	// PhaseCrashed: no process; it died, or could not be started. State.Err says
	// why.
	PhaseCrashed Phase = "crashed"
)

// State is what can be seen of a key.
type State struct {
	Key   Key
	Phase Phase
	// Native is the agent's own session id: of the living process, or of the
	// last one. Empty when there was none.
	Native string
	// Temperature is the lease's while there is one, and otherwise what the next
	// lease will have. Empty without a living process.
	Temperature Temperature
	// Since is when the phase began.
	Since time.Time
	// IdleDeadline is when an idle process will be ended; zero in other phases.
	IdleDeadline time.Time
	// Waiters is since when each lease waits that was asked for this key, for a
	// place or for the process itself; first come first.
	Waiters []time.Time
	// Reason is why the process is ending or was ended, for people.
	Reason string
	// Err is why a process crashed, and why one will not end.
	Err error
}

func (s State) equal(o State) bool {
	return s.Key == o.Key && s.Phase == o.Phase && s.Native == o.Native && s.Temperature == o.Temperature &&
		s.Since.Equal(o.Since) && s.IdleDeadline.Equal(o.IdleDeadline) && slices.Equal(s.Waiters, o.Waiters) &&
		s.Reason == o.Reason && text(s.Err) == text(o.Err)
}

// text compares errors by what they say: == panics on some types of error.
func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// past is how the last process of a key ended.
type past struct {
	phase  Phase
	native string
	reason string
	err    error
	at     time.Time
}

// maxPast is for how many keys the past is kept. It is far more than the agents
// that anybody looks at, and a bound all the same.
const maxPast = 512

// Snapshot is the state of every key that has or had a process or waits for one,
// ordered by key. (The past of long ago is dropped: such a key is cold.)
func (p *Pool) Snapshot() []State {
	p.mu.Lock()
	defer p.mu.Unlock()
	states := make([]State, 0, len(p.shown))
	for _, s := range p.shown {
		s.Waiters = slices.Clone(s.Waiters)
		states = append(states, s)
	}
	slices.SortFunc(states, func(a, b State) int {
		return cmp.Or(cmp.Compare(a.Key.Channel, b.Key.Channel), cmp.Compare(a.Key.Binding, b.Key.Binding))
	})
	return states
}

// State is the state of one key; a key that the pool does not know is cold.
func (p *Pool) State(key Key) State {
	p.mu.Lock()
	defer p.mu.Unlock()
	s, ok := p.shown[key]
	if !ok {
		return State{Key: key, Phase: PhaseCold}
	}
	s.Waiters = slices.Clone(s.Waiters)
	return s
}

// look is the state of a key as it is now, without Since.
func (p *Pool) look(key Key) State {
	s := State{Key: key}
	for _, w := range p.waiting {
		if w.Key == key && w.waits && !w.resolved {
			s.Waiters = append(s.Waiters, w.since)
		}
	}
	r := p.residents[key]
	if r == nil {
		return p.lookBack(s)
	}
	if r.process != nil {
		s.Native = r.process.Native()
	}
	switch {
	case r.phase == PhaseStarting:
		s.Phase = PhaseStarting
	case r.phase == PhaseEnding:
		s.Phase, s.Reason, s.Err = PhaseEnding, r.reason, r.err
	case p.leased(r):
		s.Phase, s.Temperature = PhaseBusy, p.leases[key].Temperature
	case r.busy:
		s.Phase, s.Temperature = PhaseBusy, r.temperature()
	default:
		s.Phase, s.Temperature, s.IdleDeadline = PhaseWarm, r.temperature(), r.deadline
	}
	return s
}

// lookBack completes the state of a key without a process.
func (p *Pool) lookBack(s State) State {
	was, ok := p.past[s.Key]
	s.Phase, s.Native, s.Reason, s.Err = was.phase, was.native, was.reason, was.err
	if !ok {
		s.Phase = PhaseCold
	}
	if len(s.Waiters) > 0 {
		s.Phase, s.Reason, s.Err = PhaseWaiting, "", nil
	}
	return s
}

// note shows the key's state if it has changed. It belongs after every step that
// may have changed it, so that no phase is skipped.
func (p *Pool) note(key Key) { p.show(p.look(key)) }

func (p *Pool) show(s State) {
	before, known := p.shown[s.Key]
	s.Since = before.Since
	if !known || before.Phase != s.Phase {
		s.Since = time.Now()
	}
	if known && before.equal(s) {
		return
	}
	p.shown[s.Key] = s
	if _, had := p.past[s.Key]; s.Phase == PhaseCold && !had {
		// A key that the pool knows nothing of is cold: nothing to keep.
		delete(p.shown, s.Key)
		if !known {
			return
		}
	}
	if p.changes != nil {
		s.Waiters = slices.Clone(s.Waiters)
		p.changes.add(s)
	}
}

// remember keeps how the process of a key ended, and shows it even when somebody
// waits for the next one.
func (p *Pool) remember(key Key, was past) {
	was.at = time.Now()
	p.past[key] = was
	s := p.look(key)
	s.Phase, s.Reason, s.Err = was.phase, was.reason, was.err
	p.show(s)
	p.note(key)
	if len(p.past) <= maxPast {
		return
	}
	oldest := key
	for k, was := range p.past {
		if was.at.Before(p.past[oldest].at) {
			oldest = k
		}
	}
	delete(p.past, oldest)
	p.note(oldest)
}

// feed hands states to Changed, in order and outside of the pool's lock. It has
// no bound: its length is that of the changes during one call of Changed.
type feed struct {
	mu     sync.Mutex
	states []State
	signal chan struct{}
}

func newFeed() *feed { return &feed{signal: make(chan struct{}, 1)} }

func (f *feed) add(s State) {
	f.mu.Lock()
	f.states = append(f.states, s)
	f.mu.Unlock()
	select {
	case f.signal <- struct{}{}:
	default:
	}
}

func (f *feed) take() []State {
	f.mu.Lock()
	defer f.mu.Unlock()
	states := f.states
	f.states = nil
	return states
}

// deliver runs until quit, and to the last state even then.
func (f *feed) deliver(changed func(State), quit <-chan struct{}) {
	for {
		quitting := false
		select {
		case <-f.signal:
		case <-quit:
			quitting = true
		}
		for states := f.take(); len(states) > 0; states = f.take() {
			for _, s := range states {
				changed(s)
			}
		}
		if quitting {
			return
		}
	}
}
