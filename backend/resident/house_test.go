package resident

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var errDied = errors.New("exit status 1: out of memory")

// fake is a process inside the test.
type fake struct {
	house  *house
	key    Key
	native string
	print  string // the fingerprint it was opened with
	done   chan struct{}

	mu     sync.Mutex
	busy   bool
	dead   bool
	err    error
	closed int
	reason string // that Close was given
	// hold keeps Close from ending the process until it is closed.
	hold chan struct{}
	// immortal processes do not end by Close at all.
	immortal bool
}

var _ Process = (*fake)(nil)

func (f *fake) Native() string        { return f.native }
func (f *fake) Done() <-chan struct{} { return f.done }

func (f *fake) Busy() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.busy
}

func (f *fake) Err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

// end is the process's end; only the first has an effect.
func (f *fake) end(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.dead {
		return
	}
	f.dead, f.err = true, err
	f.house.leave(f.key)
	close(f.done)
}

// set changes Busy and says so, with the lock held that Busy takes.
func (f *fake) set(busy bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.busy = busy
	f.house.pool.Notify(f.key)
}

func (f *fake) Close(ctx context.Context, reason string) error {
	f.mu.Lock()
	f.closed++
	f.reason = reason
	hold, immortal := f.hold, f.immortal
	f.mu.Unlock()
	if immortal {
		return errors.New("cannot be killed")
	}
	if hold != nil {
		select {
		case <-hold:
		case <-ctx.Done():
		}
	}
	f.end(nil)
	return nil
}

// look is the process's state, for tests to read while others write.
func (f *fake) look() (s struct {
	busy, dead, slow bool
	closed           int
}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s.busy, s.dead, s.slow, s.closed = f.busy, f.dead, f.hold != nil, f.closed
	return s
}

// house has the pool under test and counts the processes in it by itself.
type house struct {
	t    *testing.T
	pool *Pool

	mu          sync.Mutex
	temperature Temperature
	startErr    error
	// gate keeps openers from returning until it is closed.
	gate    chan struct{}
	opened  []*fake
	alive   map[Key]int
	total   int
	highest int
	broken  []string
	states  []State
}

func newHouse(t *testing.T, o Options) *house {
	h := &house{t: t, temperature: Cold, alive: map[Key]int{}}
	watcher := o.Changed
	o.Changed = func(s State) {
		h.mu.Lock()
		h.states = append(h.states, s)
		h.mu.Unlock()
		if watcher != nil {
			watcher(s)
		}
	}
	if o.Capacity == 0 {
		o.Capacity = 2
	}
	h.pool = New(o)
	t.Cleanup(func() {
		if err := h.pool.Close(context.Background()); err != nil {
			t.Error(err)
		}
		h.check(o.Capacity)
		for _, p := range h.all() {
			if !p.look().dead {
				t.Errorf("%s (%s) outlived the pool", p.key, p.native)
			}
		}
	})
	return h
}

func (h *house) check(capacity int) {
	h.t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.highest > capacity {
		h.t.Errorf("%d processes at once, %d places", h.highest, capacity)
	}
	for _, b := range h.broken {
		h.t.Error(b)
	}
}

// enter and leave count a process from the moment that its opener is called.
func (h *house) enter(key Key) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.alive[key]++
	h.total++
	h.highest = max(h.highest, h.total)
	if h.alive[key] > 1 {
		h.broken = append(h.broken, fmt.Sprintf("two processes for %s", key))
	}
}

func (h *house) leave(key Key) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.alive[key]--
	h.total--
}

// all are the processes opened so far, living counts those of a key, taken all
// places.
func (h *house) all() []*fake {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.opened)
}

func (h *house) living(key Key) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.alive[key]
}

func (h *house) taken() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.total
}

func (h *house) open(ctx context.Context, key Key, fingerprint string) (Process, Temperature, error) {
	h.enter(key)
	h.mu.Lock()
	gate, temperature, err := h.gate, h.temperature, h.startErr
	h.mu.Unlock()
	if gate != nil {
		select {
		case <-gate:
		case <-ctx.Done():
			h.leave(key)
			return nil, "", ctx.Err()
		}
	}
	if err != nil {
		h.leave(key)
		return nil, "", err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	f := &fake{
		house: h, key: key, print: fingerprint, done: make(chan struct{}),
		native: fmt.Sprintf("native-%d", len(h.opened)+1),
	}
	h.opened = append(h.opened, f)
	return f, temperature, nil
}

func key(name string) Key { return Key{Channel: "channel", Binding: name} }

func (h *house) request(name string) Request {
	return Request{Key: key(name), Fingerprint: "1", Keep: true, Open: h.open}
}

// asked is a Lease or a Warm under way.
type asked struct {
	name   string
	cancel context.CancelFunc
	waited int

	done  chan struct{}
	lease *Lease
	err   error
}

// ask calls Lease in its own goroutine and returns when nothing moves any more.
func (h *house) ask(req Request) *asked {
	h.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	a := &asked{name: req.Key.Binding, cancel: cancel, done: make(chan struct{})}
	h.t.Cleanup(cancel)
	req.Waiting = func() { a.waited++ }
	go func() {
		defer close(a.done)
		a.lease, a.err = h.pool.Lease(ctx, req)
	}()
	synctest.Wait()
	return a
}

func (h *house) askWarm(req Request) *asked {
	h.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	a := &asked{name: "warm " + req.Key.Binding, cancel: cancel, done: make(chan struct{})}
	h.t.Cleanup(cancel)
	go func() {
		defer close(a.done)
		a.err = h.pool.Warm(ctx, req)
	}()
	synctest.Wait()
	return a
}

func (a *asked) pending() bool {
	select {
	case <-a.done:
		return false
	default:
		return true
	}
}

// got is a lease that has been given.
func (h *house) got(a *asked) *Lease {
	h.t.Helper()
	synctest.Wait()
	if a.pending() {
		h.t.Fatalf("%s: still waits", a.name)
	}
	if a.err != nil {
		h.t.Fatalf("%s: %v", a.name, a.err)
	}
	return a.lease
}

func (h *house) waits(a *asked) {
	h.t.Helper()
	synctest.Wait()
	if !a.pending() {
		h.t.Fatalf("%s: does not wait: %+v, %v", a.name, a.lease, a.err)
	}
}

func (h *house) fails(a *asked, want error) {
	h.t.Helper()
	synctest.Wait()
	if a.pending() {
		h.t.Fatalf("%s: still waits, want %v", a.name, want)
	}
	if !errors.Is(a.err, want) {
		h.t.Fatalf("%s: %v, want %v", a.name, a.err, want)
	}
}

// turn leases, uses and releases; it returns the process.
func (h *house) turn(name string) *fake {
	h.t.Helper()
	l := h.got(h.ask(h.request(name)))
	h.release(l, true)
	return l.Process.(*fake)
}

func (h *house) release(l *Lease, used bool) {
	l.Release(used)
	synctest.Wait()
}

func (h *house) phases(name string, want ...Phase) {
	h.t.Helper()
	synctest.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	var got []Phase
	for _, s := range h.states {
		if s.Key == key(name) && (len(got) == 0 || got[len(got)-1] != s.Phase) {
			got = append(got, s.Phase)
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		h.t.Errorf("%s went through %v, want %v", name, got, want)
	}
}

func (h *house) phase(name string, want Phase) State {
	h.t.Helper()
	synctest.Wait()
	s := h.pool.State(key(name))
	if s.Phase != want {
		h.t.Errorf("%s is %s, want %s: %+v", name, s.Phase, want, s)
	}
	return s
}

func (h *house) count(name string) (n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, f := range h.opened {
		if f.key == key(name) {
			n++
		}
	}
	return n
}

// in runs a test in a bubble with virtual time.
func in(t *testing.T, o Options, f func(t *testing.T, h *house)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { f(t, newHouse(t, o)) })
}

const minute = time.Minute
