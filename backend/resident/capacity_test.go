package resident

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// sleep lets minutes of virtual time pass, and what they bring about happen.
func sleep(minutes int) {
	time.Sleep(time.Duration(minutes) * minute)
	synctest.Wait()
}

func TestLongestIdleGoes(t *testing.T) {
	tests := []struct {
		name string
		// turns are taken a minute apart by a, b and c, who fill the house.
		turns string
		// busy are those with background tasks when d comes.
		busy string
		want string // who goes; empty: d waits
	}{
		{name: "the first to have had its turn", turns: "abc", want: "a"},
		{name: "a later turn counts", turns: "abca", want: "b"},
		{name: "busy ones stay", turns: "abc", busy: "a", want: "b"},
		{name: "all but one busy", turns: "abc", busy: "ab", want: "c"},
		{name: "all busy", turns: "abc", busy: "abc", want: ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in(t, Options{Capacity: 3}, func(t *testing.T, h *house) {
				last := map[string]*fake{}
				for _, name := range tt.turns {
					last[string(name)] = h.turn(string(name))
					sleep(1)
				}
				for _, name := range tt.busy {
					f := last[string(name)]
					f.mu.Lock()
					f.busy = true // and nobody says so
					f.mu.Unlock()
				}
				d := h.ask(h.request("d"))
				if tt.want == "" {
					h.waits(d)
					h.phase("d", PhaseWaiting)
					return
				}
				h.got(d)
				for name, f := range last {
					if gone := f.dead; gone != (name == tt.want) {
						t.Errorf("%s gone: %v, want %s to go", name, gone, tt.want)
					}
				}
				h.phase(tt.want, PhaseEvicted)
			})
		})
	}
}

func TestNewcomerStartsAfterTheEnd(t *testing.T) {
	in(t, Options{Capacity: 1}, func(t *testing.T, h *house) {
		a := h.turn("a")
		a.hold = make(chan struct{})
		b := h.ask(h.request("b"))
		h.waits(b)
		if b.waited != 1 || h.count("b") != 0 {
			t.Errorf("told to wait %d times, opened %d; want 1 and 0", b.waited, h.count("b"))
		}
		h.phase("a", PhaseEnding)
		if s := h.phase("b", PhaseWaiting); len(s.Waiters) != 1 {
			t.Errorf("waiters %v", s.Waiters)
		}
		// The one that is on its way out is not lent any more.
		back := h.ask(h.request("a"))
		h.waits(back)
		close(a.hold)
		h.got(b)
		h.waits(back)
		h.release(b.lease, true)
		if l := h.got(back); l.Temperature != Cold {
			t.Errorf("a came back %s", l.Temperature)
		}
	})
}

func TestWaitersAreServedInOrder(t *testing.T) {
	in(t, Options{Capacity: 2}, func(t *testing.T, h *house) {
		a, b := h.got(h.ask(h.request("a"))), h.got(h.ask(h.request("b")))
		began := time.Now()
		c := h.ask(h.request("c"))
		sleep(1)
		d := h.ask(h.request("d"))
		// One who asks for the process that others wait to see go has to line up.
		again := h.ask(h.request("a"))
		for _, w := range []*asked{c, d, again} {
			h.waits(w)
			if w.waited != 1 {
				t.Errorf("%s was told to wait %d times", w.name, w.waited)
			}
		}
		if s := h.phase("c", PhaseWaiting); len(s.Waiters) != 1 || !s.Waiters[0].Equal(began) {
			t.Errorf("c waits since %v, want %v", s.Waiters, began)
		}
		if s := h.phase("d", PhaseWaiting); len(s.Waiters) != 1 || !s.Waiters[0].Equal(began.Add(minute)) {
			t.Errorf("d waits since %v", s.Waiters)
		}
		h.release(a, true)
		h.got(c)
		h.waits(d)
		h.waits(again)
		h.release(b, true)
		h.got(d)
		h.waits(again)
		h.release(d.lease, true)
		if l := h.got(again); l.Temperature != Cold {
			t.Errorf("a's process went to c, and came back %s", l.Temperature)
		}
		for _, w := range []*asked{c, d, again} {
			if s := h.phase(w.name, h.pool.State(key(w.name)).Phase); len(s.Waiters) != 0 {
				t.Errorf("%s still has waiters %v", w.name, s.Waiters)
			}
		}
	})
}

func TestWaitEndsWithItsContext(t *testing.T) {
	in(t, Options{Capacity: 1}, func(t *testing.T, h *house) {
		a := h.got(h.ask(h.request("a")))
		b, c := h.ask(h.request("b")), h.ask(h.request("c"))
		b.cancel()
		h.fails(b, context.Canceled)
		if s := h.phase("b", PhaseCold); len(s.Waiters) != 0 {
			t.Errorf("waiters %v", s.Waiters)
		}
		h.release(a, true)
		h.got(c)
		if h.count("b") != 0 {
			t.Error("the cancelled one was started")
		}
	})
}

func TestNoMoreGoThanAreWanted(t *testing.T) {
	in(t, Options{Capacity: 3}, func(t *testing.T, h *house) {
		a, b, c := h.turn("a"), h.turn("b"), h.turn("c")
		a.hold, b.hold, c.hold = make(chan struct{}), make(chan struct{}), make(chan struct{})
		h.ask(h.request("d"))
		h.ask(h.request("d"))
		h.ask(h.request("d"))
		if a.closed+b.closed+c.closed != 1 {
			t.Errorf("%d evicted for one key", a.closed+b.closed+c.closed)
		}
		h.ask(h.request("e"))
		if a.closed+b.closed+c.closed != 2 {
			t.Errorf("%d evicted for two keys", a.closed+b.closed+c.closed)
		}
		close(a.hold)
		close(b.hold)
		close(c.hold)
		synctest.Wait()
		h.phase("d", PhaseBusy)
		h.phase("e", PhaseBusy)
		if c.closed != 0 {
			t.Error("a third was evicted")
		}
	})
}

func TestWaiterGetsAPlaceWhen(t *testing.T) {
	tests := []struct {
		name string
		do   func(h *house, l *Lease, f *fake)
	}{
		{"the lease is released", func(_ *house, l *Lease, _ *fake) { l.Release(true) }},
		{"the process dies under its lease", func(_ *house, _ *Lease, f *fake) { f.end(errDied) }},
		{"it is evicted by force", func(h *house, _ *Lease, f *fake) {
			if err := h.pool.ForceEvict(h.t.Context(), f.key, "stopped"); err != nil {
				h.t.Error(err)
			}
		}},
		{"its background work is over", func(_ *house, l *Lease, f *fake) {
			f.set(true)
			l.Release(true)
			synctest.Wait()
			f.set(false)
		}},
		{"it dies of its background work", func(_ *house, l *Lease, f *fake) {
			f.set(true)
			l.Release(true)
			synctest.Wait()
			f.end(errDied)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in(t, Options{Capacity: 1}, func(_ *testing.T, h *house) {
				a := h.got(h.ask(h.request("a")))
				b := h.ask(h.request("b"))
				h.waits(b)
				tt.do(h, a, a.Process.(*fake))
				h.got(b)
			})
		})
	}
}

func TestOutdatedIsReplacedWhenIdle(t *testing.T) {
	in(t, Options{Capacity: 1}, func(t *testing.T, h *house) {
		f := h.turn("a")
		f.set(true)
		req := h.request("a")
		req.Fingerprint = "2"
		a := h.ask(req)
		h.waits(a)
		if s := h.phase("a", PhaseBusy); len(s.Waiters) != 1 || a.waited != 1 || f.closed != 0 {
			t.Errorf("state %+v, told %d, closed %d; want it to wait for the busy one", s, a.waited, f.closed)
		}
		// Nobody with the old settings slips in meanwhile.
		old := h.ask(h.request("a"))
		h.waits(old)
		f.set(false)
		if l := h.got(a); l.Temperature != Cold || l.Process.(*fake).print != "2" {
			t.Errorf("lease %+v", l)
		}
		if !f.dead {
			t.Error("the outdated process lives")
		}
	})
}

func TestIdleClock(t *testing.T) {
	in(t, Options{}, func(t *testing.T, h *house) {
		f := h.turn("a")
		if s := h.phase("a", PhaseWarm); !s.IdleDeadline.Equal(time.Now().Add(30 * minute)) {
			t.Errorf("deadline %v", s.IdleDeadline)
		}
		sleep(20)
		f.set(true)
		if s := h.phase("a", PhaseBusy); !s.IdleDeadline.IsZero() {
			t.Errorf("deadline of a busy one: %v", s.IdleDeadline)
		}
		sleep(100)
		h.phase("a", PhaseBusy)
		f.set(false)
		sleep(29)
		h.phase("a", PhaseWarm)
		sleep(1)
		if s := h.phase("a", PhaseEvicted); s.Reason != ReasonIdle || !f.dead || f.reason != ReasonIdle {
			t.Errorf("state %+v, dead %v, told %q", s, f.dead, f.reason)
		}
	})
}

func TestIdleClockWithoutNotify(t *testing.T) {
	in(t, Options{}, func(t *testing.T, h *house) {
		f := h.turn("a")
		quietly := func(busy bool) {
			f.mu.Lock()
			f.busy = busy
			f.mu.Unlock()
		}
		quietly(true)
		sleep(31) // found busy at the deadline: the time starts anew
		h.phase("a", PhaseBusy)
		quietly(false)
		sleep(58) // found idle at the next one, at 60: then it starts anew
		h.phase("a", PhaseWarm)
		sleep(1)
		h.phase("a", PhaseEvicted)
	})
}

func TestEachResidentHasItsOwnClock(t *testing.T) {
	in(t, Options{Capacity: 3}, func(_ *testing.T, h *house) {
		h.turn("a")
		sleep(10)
		h.turn("b")
		sleep(10)
		h.turn("c")
		h.turn("a")
		sleep(20)
		h.phase("a", PhaseWarm)
		h.phase("b", PhaseEvicted)
		h.phase("c", PhaseWarm)
		sleep(10)
		h.phase("a", PhaseEvicted)
		h.phase("c", PhaseEvicted)
	})
}

func TestDeathIsNoticed(t *testing.T) {
	in(t, Options{}, func(t *testing.T, h *house) {
		f := h.turn("a")
		f.end(errDied)
		// Before any goroutine could look: a dead process is not lent.
		l, err := h.pool.Lease(t.Context(), h.request("a"))
		if err != nil || l.Process == Process(f) || l.Temperature != Cold {
			t.Fatalf("lease %+v, %v", l, err)
		}
		h.phases("a", PhaseStarting, PhaseBusy, PhaseWarm, PhaseCrashed, PhaseStarting, PhaseBusy)
		l.Process.(*fake).end(errDied)
		s := h.phase("a", PhaseCrashed)
		if s.Err == nil || s.Err.Error() != errDied.Error() {
			t.Errorf("state %+v", s)
		}
		// The key stays with its lease until that is given back.
		next := h.ask(h.request("a"))
		h.waits(next)
		h.release(l, true)
		if l := h.got(next); l.Temperature != Cold {
			t.Errorf("next %s", l.Temperature)
		}
	})
}

func TestDeathJustBeforeTheRelease(t *testing.T) {
	for _, keep := range []bool{true, false} {
		in(t, Options{}, func(t *testing.T, h *house) {
			req := h.request("a")
			req.Keep = keep
			l := h.got(h.ask(req))
			f := l.Process.(*fake)
			f.end(errDied)
			l.Release(true) // before any goroutine could look
			h.phases("a", PhaseStarting, PhaseBusy, PhaseCrashed)
			if n := f.look().closed; n != 0 {
				t.Errorf("keep %v: a dead process was closed %d times", keep, n)
			}
		})
	}
}

// TestReplacingEvictsNobodyElse: the place of the outdated process is enough.
func TestReplacingEvictsNobodyElse(t *testing.T) {
	in(t, Options{Capacity: 2}, func(t *testing.T, h *house) {
		h.turn("a")
		b := h.turn("b")
		req := h.request("a")
		req.Fingerprint = "2"
		h.got(h.ask(req))
		if b.look().dead {
			t.Error("b had to go")
		}
	})
}

func TestNativeSessionShowsDuringALease(t *testing.T) {
	in(t, Options{}, func(t *testing.T, h *house) {
		f := h.got(h.ask(h.request("a"))).Process.(*fake)
		f.native = "native-later"
		h.pool.Notify(f.key)
		if s := h.phase("a", PhaseBusy); s.Native != "native-later" {
			t.Errorf("native = %q", s.Native)
		}
	})
}
