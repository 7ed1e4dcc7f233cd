package resident

import (
	"context"
	"errors"
	"testing"
)

func TestWarmTakesOnlyAFreePlace(t *testing.T) {
	in(t, Options{Capacity: 2}, func(t *testing.T, h *house) {
		h.fails(h.askWarm(h.request("a")), nil)
		h.fails(h.askWarm(h.request("b")), nil)
		h.phase("a", PhaseWarm)
		h.fails(h.askWarm(h.request("c")), ErrFull) // though both are idle
		h.fails(h.askWarm(h.request("a")), nil)     // nothing to do
		if len(h.opened) != 2 || h.opened[0].dead || h.opened[1].dead {
			t.Errorf("opened %d", len(h.opened))
		}
	})
}

func TestWarmComesAfterWaiters(t *testing.T) {
	in(t, Options{Capacity: 2}, func(_ *testing.T, h *house) {
		a, b := h.turn("a"), h.turn("b")
		a.hold, b.hold = make(chan struct{}), make(chan struct{})
		c := h.ask(h.request("c")) // a is ending for it
		h.waits(c)
		b.end(errDied) // a place, sooner than expected
		h.got(c)
		h.fails(h.askWarm(h.request("d")), ErrFull) // a still ends
		close(a.hold)
		h.phase("a", PhaseEvicted)
		h.fails(h.askWarm(h.request("d")), nil)
	})
}

func TestWarmCountsWaiters(t *testing.T) {
	in(t, Options{Capacity: 1}, func(_ *testing.T, h *house) {
		a := h.turn("a")
		a.hold = make(chan struct{})
		b := h.ask(h.request("b"))
		w := h.askWarm(h.request("a")) // waits for its own process to end
		h.waits(w)
		close(a.hold)
		h.got(b)
		h.fails(w, ErrFull)
	})
}

func TestStartIsShared(t *testing.T) {
	tests := []struct {
		name  string
		first func(h *house) *asked
		then  func(h *house) *asked
	}{
		{"warm, then lease", func(h *house) *asked { return h.askWarm(h.request("a")) }, func(h *house) *asked { return h.ask(h.request("a")) }},
		{"lease, then warm", func(h *house) *asked { return h.ask(h.request("a")) }, func(h *house) *asked { return h.askWarm(h.request("a")) }},
		{"warm twice", func(h *house) *asked { return h.askWarm(h.request("a")) }, func(h *house) *asked { return h.askWarm(h.request("a")) }},
	}
	for _, tt := range tests {
		for _, startErr := range []error{nil, errDied} {
			t.Run(tt.name, func(t *testing.T) {
				in(t, Options{Capacity: 1}, func(t *testing.T, h *house) {
					h.gate = make(chan struct{})
					h.startErr = startErr
					first, then := tt.first(h), tt.then(h)
					h.waits(first)
					h.waits(then)
					if then.waited != 0 {
						t.Error("sharing a start is no wait")
					}
					close(h.gate)
					h.fails(first, startErr)
					h.fails(then, startErr)
					for _, a := range []*asked{first, then} {
						if a.lease != nil && a.lease.Temperature != Cold {
							t.Errorf("lease is %s", a.lease.Temperature)
						}
					}
					if want := 1; startErr == nil && len(h.opened) != want {
						t.Errorf("opened %d", len(h.opened))
					}
				})
			})
		}
	}
}

// TestWarmIsNotTakenAway: the lease that joined a pre-warming gets the process,
// though another has waited longer for a place and the process is not leased yet.
func TestWarmIsNotTakenAway(t *testing.T) {
	in(t, Options{Capacity: 2}, func(t *testing.T, h *house) {
		h.gate = make(chan struct{})
		w := h.askWarm(h.request("a"))
		h.mu.Lock()
		gate := h.gate
		h.gate = nil
		h.mu.Unlock()
		b := h.got(h.ask(h.request("b")))
		c := h.ask(h.request("c"))
		a := h.ask(h.request("a"))
		close(gate)
		h.fails(w, nil)
		h.got(a)
		h.waits(c)
		h.release(b, true)
		h.got(c)
		if h.count("a") != 1 {
			t.Errorf("a was opened %d times", h.count("a"))
		}
	})
}

func TestWarmOutdated(t *testing.T) {
	newer := func(h *house) Request {
		req := h.request("a")
		req.Fingerprint = "2"
		return req
	}
	t.Run("idle", func(t *testing.T) {
		in(t, Options{Capacity: 1}, func(t *testing.T, h *house) {
			f := h.turn("a")
			h.fails(h.askWarm(newer(h)), nil)
			if !f.dead || h.opened[1].print != "2" {
				t.Error("not replaced")
			}
			if l := h.got(h.ask(newer(h))); l.Temperature != Cold || len(h.opened) != 2 {
				t.Errorf("lease %s, opened %d", l.Temperature, len(h.opened))
			}
		})
	})
	t.Run("busy", func(t *testing.T) {
		in(t, Options{}, func(_ *testing.T, h *house) {
			h.turn("a").set(true)
			h.fails(h.askWarm(newer(h)), ErrBusy)
		})
	})
	t.Run("leased", func(t *testing.T) {
		in(t, Options{}, func(_ *testing.T, h *house) {
			h.got(h.ask(h.request("a")))
			h.fails(h.askWarm(newer(h)), ErrBusy)
			h.fails(h.askWarm(h.request("a")), nil)
		})
	})
}

func TestCancelledWarmGoesOn(t *testing.T) {
	in(t, Options{}, func(_ *testing.T, h *house) {
		h.gate = make(chan struct{})
		w := h.askWarm(h.request("a"))
		w.cancel()
		h.fails(w, context.Canceled)
		close(h.gate)
		h.phase("a", PhaseWarm)
	})
}

func TestEvict(t *testing.T) {
	tests := []struct {
		name    string
		before  func(h *house) // brings a into its state
		err     error          // of Evict
		after   Phase          // after Evict
		forced  error          // of ForceEvict, in a house of its own
		forcedA Phase
	}{
		{name: "nothing there", before: func(*house) {}, after: PhaseCold, forcedA: PhaseCold},
		{name: "idle", before: func(h *house) { h.turn("a") }, after: PhaseEvicted, forcedA: PhaseEvicted},
		{name: "busy by itself", before: func(h *house) { h.turn("a").set(true) }, after: PhaseEvicted, forcedA: PhaseEvicted},
		{name: "leased", before: func(h *house) { h.got(h.ask(h.request("a"))) }, err: ErrLeased, after: PhaseBusy, forcedA: PhaseEvicted},
		{name: "crashed under its lease", before: func(h *house) {
			h.got(h.ask(h.request("a"))).Process.(*fake).end(errDied)
		}, after: PhaseCrashed, forcedA: PhaseCrashed},
		{name: "starting for nobody", before: func(h *house) {
			h.gate = make(chan struct{})
			h.askWarm(h.request("a")).cancel()
		}, after: PhaseEvicted, forcedA: PhaseEvicted},
		{name: "starting for a lease", before: func(h *house) {
			h.gate = make(chan struct{})
			h.ask(h.request("a"))
		}, err: ErrLeased, after: PhaseStarting, forcedA: PhaseEvicted},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in(t, Options{}, func(t *testing.T, h *house) {
				tt.before(h)
				if err := h.pool.Evict(t.Context(), key("a"), "start fresh"); !errors.Is(err, tt.err) {
					t.Errorf("Evict = %v, want %v", err, tt.err)
				}
				if s := h.phase("a", tt.after); tt.after == PhaseEvicted && (s.Reason != "start fresh" || h.total != 0) {
					t.Errorf("state %+v, %d processes", s, h.total)
				}
			})
			in(t, Options{}, func(t *testing.T, h *house) {
				tt.before(h)
				if err := h.pool.ForceEvict(t.Context(), key("a"), "stopped"); !errors.Is(err, tt.forced) {
					t.Errorf("ForceEvict = %v, want %v", err, tt.forced)
				}
				h.phase("a", tt.forcedA)
				if h.total != 0 {
					t.Errorf("%d processes", h.total)
				}
			})
		})
	}
}

func TestEvictedStartTellsItsSharers(t *testing.T) {
	in(t, Options{}, func(t *testing.T, h *house) {
		h.gate = make(chan struct{})
		w, a, behind := h.askWarm(h.request("a")), h.ask(h.request("a")), h.ask(h.request("a"))
		h.mu.Lock()
		h.gate = nil
		h.mu.Unlock()
		if err := h.pool.ForceEvict(t.Context(), key("a"), "stopped"); err != nil {
			t.Error(err)
		}
		h.fails(w, ErrEvicted)
		h.fails(a, ErrEvicted)
		h.got(behind)
	})
}

// TestEvictedStartThatSucceeds: an opener may be too far to heed its context.
func TestEvictedStartThatSucceeds(t *testing.T) {
	in(t, Options{Capacity: 1}, func(t *testing.T, h *house) {
		deaf := make(chan struct{})
		req := h.request("a")
		req.Open = func(_ context.Context, k Key, fp string) (Process, Temperature, error) {
			<-deaf
			return h.open(context.Background(), k, fp)
		}
		w := h.askWarm(req)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := h.pool.Evict(ctx, key("a"), "start fresh"); !errors.Is(err, context.Canceled) {
			t.Errorf("Evict = %v; it should have waited", err)
		}
		h.fails(w, ErrEvicted)
		b := h.ask(h.request("b"))
		h.waits(b)
		h.phase("a", PhaseEnding)
		close(deaf)
		h.got(b)
		if f := h.opened[0]; f.key != key("a") || f.closed != 1 {
			t.Errorf("the late process %s was closed %d times", f.key, f.closed)
		}
	})
}

func TestEvictWaitsForTheEnd(t *testing.T) {
	in(t, Options{}, func(t *testing.T, h *house) {
		f := h.turn("a")
		f.hold = make(chan struct{})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := h.pool.Evict(ctx, key("a"), "start fresh"); !errors.Is(err, context.Canceled) {
			t.Errorf("Evict = %v", err)
		}
		if s := h.phase("a", PhaseEnding); s.Reason != "start fresh" {
			t.Errorf("state %+v", s)
		}
		// A second one waits for the same end, and changes nothing about it.
		done := make(chan error)
		go func() { done <- h.pool.ForceEvict(t.Context(), key("a"), "again") }()
		h.phase("a", PhaseEnding)
		close(f.hold)
		if err := <-done; err != nil {
			t.Error(err)
		}
		if s := h.phase("a", PhaseEvicted); s.Reason != "start fresh" || f.closed != 1 {
			t.Errorf("state %+v, closed %d times", s, f.closed)
		}
	})
}

// TestFailureIsSharedByThoseWhoJoined: with other settings it might not fail.
func TestFailureIsSharedByThoseWhoJoined(t *testing.T) {
	in(t, Options{Capacity: 1}, func(t *testing.T, h *house) {
		gate := make(chan struct{})
		h.gate, h.startErr = gate, errDied
		first := h.askWarm(h.request("a"))
		other := h.request("a")
		other.Fingerprint = "2"
		w, a := h.askWarm(other), h.ask(other)
		h.mu.Lock()
		h.gate, h.startErr = nil, nil
		h.mu.Unlock()
		close(gate)
		h.fails(first, errDied)
		h.fails(w, nil)
		h.got(a)
		if n := h.count("a"); n != 1 {
			t.Errorf("%d processes", n)
		}
	})
}
