package resident

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestClose(t *testing.T) {
	in(t, Options{Capacity: 4}, func(t *testing.T, h *house) {
		h.turn("idle")
		h.turn("busy").set(true)
		leased := h.got(h.ask(h.request("leased")))
		h.mu.Lock()
		h.gate = make(chan struct{})
		h.mu.Unlock()
		starting := h.ask(h.request("starting"))
		waiting, warming := h.ask(h.request("leased")), h.askWarm(h.request("starting"))

		if err := h.pool.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if h.total != 0 {
			t.Errorf("%d processes left", h.total)
		}
		for _, a := range []*asked{starting, waiting, warming} {
			h.fails(a, ErrClosed)
		}
		for _, s := range h.pool.Snapshot() {
			if s.Phase != PhaseCold || len(s.Waiters) != 0 {
				t.Errorf("after Close: %+v", s)
			}
		}
		if _, err := h.pool.Lease(t.Context(), h.request("a")); !errors.Is(err, ErrClosed) {
			t.Errorf("Lease = %v", err)
		}
		if err := h.pool.Warm(t.Context(), h.request("a")); !errors.Is(err, ErrClosed) {
			t.Errorf("Warm = %v", err)
		}
		if err := h.pool.Evict(t.Context(), key("idle"), "late"); !errors.Is(err, ErrClosed) {
			t.Errorf("Evict = %v", err)
		}
		leased.Release(true)
		h.pool.Notify(key("idle"))
		if err := h.pool.Close(t.Context()); err != nil {
			t.Errorf("second Close = %v", err)
		}
	})
}

func TestCloseTellsTheLastStates(t *testing.T) {
	in(t, Options{}, func(t *testing.T, h *house) {
		h.turn("a")
		if err := h.pool.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		// No synctest.Wait: Close has waited.
		if s := h.states[len(h.states)-1]; s.Phase != PhaseCold || s.Reason != "closing" {
			t.Errorf("last state %+v", s)
		}
	})
}

// TestCloseHurries: when its context ends, processes are ended by force.
func TestCloseHurries(t *testing.T) {
	in(t, Options{Ending: time.Hour}, func(t *testing.T, h *house) {
		f := h.turn("a")
		f.hold = make(chan struct{}) // does not end gently
		ctx, cancel := context.WithTimeout(t.Context(), minute)
		defer cancel()
		began := time.Now()
		_ = h.pool.Close(ctx) // both ends may be seen first
		if err := h.pool.Close(t.Context()); err != nil || !f.dead || time.Since(began) != minute {
			t.Errorf("Close = %v, dead %v after %v", err, f.dead, time.Since(began))
		}
	})
}

// TestEndingIsBounded: a process that does not end gently gets no more than
// Options.Ending.
func TestEndingIsBounded(t *testing.T) {
	in(t, Options{Capacity: 1, Ending: minute}, func(t *testing.T, h *house) {
		h.turn("a").hold = make(chan struct{})
		b := h.ask(h.request("b"))
		h.waits(b)
		sleep(1)
		h.got(b)
	})
}

// TestStuckProcess: one that does not end keeps its place and its key, and does
// not keep others from theirs.
func TestStuckProcess(t *testing.T) {
	in(t, Options{Capacity: 2}, func(t *testing.T, h *house) {
		a := h.turn("a")
		a.immortal = true
		sleep(1)
		b := h.turn("b")
		c := h.ask(h.request("c")) // a is the longest idle
		h.waits(c)
		sleep(1) // and does not end: then b goes
		if l := h.got(c); l == nil || !b.dead {
			t.Error("b was not evicted in a's stead")
		}
		if s := h.phase("a", PhaseEnding); s.Err == nil || !strings.Contains(s.Err.Error(), "cannot be killed") {
			t.Errorf("state %+v", s)
		}
		back, d := h.ask(h.request("a")), h.ask(h.request("d"))
		h.waits(back)
		h.waits(d)
		h.release(c.lease, true)
		last := h.got(d)
		h.release(last, true)
		h.waits(back)
		if last.Process.(*fake).look().dead {
			t.Error("d was evicted for a key that a place does not help")
		}

		ctx, cancel := context.WithTimeout(t.Context(), minute)
		defer cancel()
		err := h.pool.Close(ctx)
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "[channel/a]") {
			t.Errorf("Close = %v, want it to name channel/a", err)
		}
		h.fails(back, ErrClosed)
		a.end(nil)
		synctest.Wait()
		if err := h.pool.Close(t.Context()); err != nil {
			t.Errorf("Close after the end = %v", err)
		}
	})
}

// TestChangedHoldsNoLock: it calls back into the pool, slowly, and still sees
// everything in order.
func TestChangedHoldsNoLock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var pool *Pool
		var seen []Phase
		changed := func(s State) {
			seen = append(seen, s.Phase)
			pool.Snapshot()
			pool.State(s.Key)
			pool.Notify(Key{Channel: "other", Binding: "one"})
			if _, err := pool.Lease(t.Context(), Request{}); err == nil {
				t.Error("a lease of nothing")
			}
			time.Sleep(minute)
		}
		h := &house{t: t, temperature: Cold, alive: map[Key]int{}}
		pool = New(Options{Changed: changed})
		h.pool = pool
		l, err := pool.Lease(t.Context(), h.request("a"))
		if err != nil {
			t.Fatal(err)
		}
		l.Release(true)
		if err := pool.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		want := []Phase{PhaseStarting, PhaseBusy, PhaseWarm, PhaseEnding, PhaseCold}
		if len(seen) != len(want) {
			t.Fatalf("saw %v, want %v", seen, want)
		}
		for i := range want {
			if seen[i] != want[i] {
				t.Fatalf("saw %v, want %v", seen, want)
			}
		}
	})
}

func TestDefaults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(Options{Capacity: -1})
		if p.capacity != 4 || p.idle != 30*minute || p.ending != 10*time.Second {
			t.Errorf("capacity %d, idle %v, ending %v", p.capacity, p.idle, p.ending)
		}
		if err := p.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// TestPastIsBounded: the keys of deleted channels do not pile up.
func TestPastIsBounded(t *testing.T) {
	in(t, Options{Capacity: 1}, func(t *testing.T, h *house) {
		for i := range maxPast + 50 {
			h.turn(strings.Repeat("x", i+1))
			time.Sleep(time.Second)
		}
		if past, shown := len(h.pool.past), len(h.pool.Snapshot()); past > maxPast || shown > maxPast+1 {
			t.Errorf("%d past, %d shown", past, shown)
		}
		h.phase("x", PhaseCold)
		h.phase(strings.Repeat("x", maxPast+49), PhaseEvicted)
	})
}

func TestCloseShowsThatNobodyWaits(t *testing.T) {
	in(t, Options{Capacity: 1}, func(t *testing.T, h *house) {
		h.got(h.ask(h.request("a")))
		h.waits(h.ask(h.request("b")))
		if err := h.pool.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		h.phases("b", PhaseWaiting, PhaseCold)
	})
}
