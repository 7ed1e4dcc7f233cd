package resident

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
)

// TestTemperature plays what may happen to one key between its leases. lease
// takes one and notes its temperature, used and unused release it.
func TestTemperature(t *testing.T) {
	tests := []struct {
		name   string
		opened Temperature
		steps  string
		want   string
		opens  int
	}{
		{"first", Cold, "lease", "cold", 1},
		{"second", Cold, "lease used lease", "cold warm", 1},
		{"many", Cold, "lease used lease used lease", "cold warm warm", 1},
		{"no turn reached it", Cold, "lease unused lease", "cold cold", 1},
		{"once used stays used", Cold, "lease used lease unused lease", "cold warm warm", 1},
		{"restored", Restored, "lease used lease", "restored warm", 1},
		{"restored, no turn reached it", Restored, "lease unused lease", "restored restored", 1},
		{"pre-warmed", Cold, "warm lease used lease", "cold warm", 1},
		{"pre-warmed twice", Cold, "warm warm lease", "cold", 1},
		{"pre-warmed from a saved session", Restored, "warm lease", "restored", 1},
		{"pre-warmed for afresh", Cold, "warm afresh", "cold", 1},
		{"warming a used one", Cold, "lease used warm lease", "cold warm", 1},
		{"crashed", Cold, "lease used crash lease", "cold cold", 2},
		{"crashed under its lease", Cold, "lease crash used lease", "cold cold", 2},
		{"ended by itself", Cold, "lease used quit lease", "cold cold", 2},
		{"just before the idle end", Cold, "lease used sleep29 lease", "cold warm", 1},
		{"idle", Cold, "lease used sleep30 lease", "cold cold", 2},
		{"idle counts from the release", Cold, "lease sleep29 used sleep29 lease", "cold warm", 1},
		{"a long turn is not idle", Cold, "lease sleep29 sleep29 used lease", "cold warm", 1},
		{"pre-warmed and idle", Cold, "warm sleep30 lease", "cold", 2},
		{"evicted", Cold, "lease used evict lease", "cold cold", 2},
		{"settings changed", Cold, "lease used print2 lease used lease", "cold cold warm", 2},
		{"settings changed and back", Cold, "lease used print2 lease used print1 lease", "cold cold cold", 3},
		{"settings changed after pre-warming", Cold, "warm print2 lease", "cold", 2},
		{"settings changed, then pre-warmed", Cold, "lease used print2 warm lease", "cold cold", 2},
		{"afresh each time", Cold, "afresh used afresh", "cold cold", 2},
		{"kept, then afresh", Cold, "lease used afresh", "cold cold", 2},
		{"afresh, then kept", Cold, "afresh used lease used lease", "cold cold warm", 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in(t, Options{}, func(t *testing.T, h *house) {
				h.temperature = tt.opened
				req := h.request("a")
				var lease *Lease
				var got []string
				for step := range strings.FieldsSeq(tt.steps) {
					last := func() *fake { return h.opened[len(h.opened)-1] }
					switch step {
					case "lease", "afresh":
						req.Keep = step == "lease"
						lease = h.got(h.ask(req))
						got = append(got, string(lease.Temperature))
						if lease.Process != Process(last()) || last().dead || last().print != req.Fingerprint {
							t.Errorf("leased %+v of %d", lease.Process, len(h.opened))
						}
					case "used", "unused":
						h.release(lease, step == "used")
						h.release(lease, true) // the second time does nothing
					case "warm":
						h.fails(h.askWarm(req), nil)
					case "crash":
						last().end(errDied)
						synctest.Wait()
					case "quit":
						last().end(nil)
						synctest.Wait()
					case "sleep29", "sleep30":
						var n int
						_, _ = fmt.Sscanf(step, "sleep%d", &n)
						sleep(n)
					case "evict":
						if err := h.pool.Evict(t.Context(), req.Key, "start fresh"); err != nil {
							t.Error(err)
						}
					case "print1", "print2":
						req.Fingerprint = strings.TrimPrefix(step, "print")
					default:
						t.Fatal("no such step: ", step)
					}
				}
				if strings.Join(got, " ") != tt.want {
					t.Errorf("temperatures %v, want %s", got, tt.want)
				}
				if len(h.opened) != tt.opens {
					t.Errorf("opened %d, want %d", len(h.opened), tt.opens)
				}
			})
		})
	}
}

func TestUnusedReleaseKeepsIt(t *testing.T) {
	in(t, Options{}, func(t *testing.T, h *house) {
		l := h.got(h.ask(h.request("a")))
		h.release(l, false)
		if s := h.phase("a", PhaseWarm); s.Temperature != Cold {
			t.Errorf("temperature of the next lease = %s, want cold", s.Temperature)
		}
		h.turn("a")
		if s := h.phase("a", PhaseWarm); s.Temperature != Warm {
			t.Errorf("temperature of the next lease = %s, want warm", s.Temperature)
		}
	})
}

func TestOneLeaseForAKey(t *testing.T) {
	in(t, Options{}, func(t *testing.T, h *house) {
		first := h.got(h.ask(h.request("a")))
		second, third := h.ask(h.request("a")), h.ask(h.request("a"))
		h.waits(second)
		h.waits(third)
		if s := h.phase("a", PhaseBusy); len(s.Waiters) != 2 {
			t.Errorf("waiters = %v, want 2", s.Waiters)
		}
		h.release(first, true)
		if l := h.got(second); l.Temperature != Warm {
			t.Errorf("second = %s, want warm", l.Temperature)
		}
		h.waits(third)
		h.release(second.lease, true)
		h.got(third)
		if second.waited != 1 || third.waited != 1 {
			t.Errorf("Waiting called %d and %d times, want once each", second.waited, third.waited)
		}
		if h.count("a") != 1 {
			t.Errorf("opened %d processes", h.count("a"))
		}
	})
}

func TestOwnBackgroundWorkIsNoObstacle(t *testing.T) {
	in(t, Options{}, func(t *testing.T, h *house) {
		f := h.turn("a")
		f.set(true)
		h.phase("a", PhaseBusy)
		a := h.ask(h.request("a"))
		if l := h.got(a); l.Temperature != Warm || a.waited != 0 {
			t.Errorf("lease = %+v, waited %d", l, a.waited)
		}
	})
}

func TestRequestIsChecked(t *testing.T) {
	in(t, Options{}, func(t *testing.T, h *house) {
		for name, spoil := range map[string]func(*Request){
			"no channel": func(r *Request) { r.Key.Channel = "" },
			"no binding": func(r *Request) { r.Key.Binding = "" },
			"no opener":  func(r *Request) { r.Open = nil },
		} {
			req := h.request("a")
			spoil(&req)
			if l, err := h.pool.Lease(t.Context(), req); err == nil || l != nil {
				t.Errorf("%s: Lease = %v, %v", name, l, err)
			}
			if err := h.pool.Warm(t.Context(), req); err == nil {
				t.Errorf("%s: Warm succeeds", name)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := h.pool.Lease(ctx, h.request("a")); !errors.Is(err, context.Canceled) {
			t.Errorf("Lease with a cancelled context = %v", err)
		}
		if len(h.opened) != 0 {
			t.Errorf("opened %d processes", len(h.opened))
		}
	})
}

// TestStart is what can become of a start.
func TestStart(t *testing.T) {
	boom := errors.New("no such file")
	tests := []struct {
		name string
		open func(h *house) Opener
		want string // part of the error
		is   error
		left int // processes that the opener left and that have to be ended
	}{
		{name: "an error", want: "no such file", is: boom, open: func(*house) Opener {
			return func(context.Context, Key, string) (Process, Temperature, error) { return nil, "", boom }
		}},
		{name: "a panic", want: "panic: boom", is: errBroken, open: func(*house) Opener {
			return func(context.Context, Key, string) (Process, Temperature, error) { panic("boom") }
		}},
		{name: "nothing", want: "no process and no error", is: errBroken, open: func(*house) Opener {
			return func(context.Context, Key, string) (Process, Temperature, error) { return nil, Cold, nil }
		}},
		{name: "a new process that says it is warm", want: `cannot be "warm"`, is: errBroken, left: 1, open: func(h *house) Opener {
			return func(ctx context.Context, k Key, fp string) (Process, Temperature, error) {
				p, _, err := h.open(ctx, k, fp)
				return p, Warm, err
			}
		}},
		{name: "a process that dies at once", want: "ended at once: exit status 1", is: errDied, open: func(h *house) Opener {
			return func(ctx context.Context, k Key, fp string) (Process, Temperature, error) {
				p, temp, err := h.open(ctx, k, fp)
				p.(*fake).end(errDied)
				return p, temp, err
			}
		}},
		{name: "a process that ends at once", want: "ended at once: ended in order", is: errEnded, open: func(h *house) Opener {
			return func(ctx context.Context, k Key, fp string) (Process, Temperature, error) {
				p, temp, err := h.open(ctx, k, fp)
				p.(*fake).end(nil)
				return p, temp, err
			}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in(t, Options{Capacity: 1}, func(t *testing.T, h *house) {
				req := h.request("a")
				req.Open = tt.open(h)
				for _, ask := range []func(Request) *asked{h.ask, h.askWarm} {
					a := ask(req)
					h.fails(a, tt.is)
					if !strings.Contains(a.err.Error(), tt.want) || !strings.Contains(a.err.Error(), "channel/a") {
						t.Errorf("error %q, want the key and %q", a.err, tt.want)
					}
				}
				if s := h.phase("a", PhaseCrashed); s.Err == nil || !strings.Contains(s.Err.Error(), tt.want) {
					t.Errorf("state's error = %v, want %q", s.Err, tt.want)
				}
				closed := 0
				for _, f := range h.opened {
					closed += f.closed
				}
				if closed != 2*tt.left {
					t.Errorf("closed %d processes, want %d", closed, 2*tt.left)
				}
				// The place is free again, for this key and for others.
				h.turn("a")
				h.turn("b")
			})
		})
	}
}

func TestStartsContext(t *testing.T) {
	in(t, Options{}, func(t *testing.T, h *house) {
		var start context.Context
		req := h.request("a")
		req.Open = func(ctx context.Context, k Key, fp string) (Process, Temperature, error) {
			start = ctx
			if err := ctx.Err(); err != nil {
				t.Error(err)
			}
			return h.open(ctx, k, fp)
		}
		h.got(h.ask(req))
		if start.Err() == nil {
			t.Error("the context of a start that is over still lives: a process could be bound to it unnoticed")
		}
	})
}

func TestCancelledLeaseLetsTheStartGoOn(t *testing.T) {
	in(t, Options{}, func(t *testing.T, h *house) {
		h.gate = make(chan struct{})
		a := h.ask(h.request("a"))
		h.waits(a)
		h.phase("a", PhaseStarting)
		a.cancel()
		h.fails(a, context.Canceled)
		h.phase("a", PhaseStarting)
		if a.waited != 0 {
			t.Error("a start is no wait")
		}
		close(h.gate)
		h.phase("a", PhaseWarm)
		again := h.ask(h.request("a"))
		if l := h.got(again); l.Temperature != Cold || h.count("a") != 1 {
			t.Errorf("temperature %s, %d processes; want the started one, cold", l.Temperature, h.count("a"))
		}
	})
}

func TestNextLeaseInheritsTheStart(t *testing.T) {
	in(t, Options{}, func(t *testing.T, h *house) {
		h.gate = make(chan struct{})
		first, second := h.ask(h.request("a")), h.ask(h.request("a"))
		if second.waited != 1 {
			t.Errorf("the second was told to wait %d times, want once", second.waited)
		}
		first.cancel()
		h.fails(first, context.Canceled)
		if s := h.phase("a", PhaseStarting); len(s.Waiters) != 0 {
			t.Errorf("waiters %v; the second has only its start to await", s.Waiters)
		}
		close(h.gate)
		h.got(second)
		if h.count("a") != 1 {
			t.Errorf("opened %d", h.count("a"))
		}
	})
}

func TestFailedStartIsNotInheritedBehind(t *testing.T) {
	in(t, Options{}, func(t *testing.T, h *house) {
		h.gate = make(chan struct{})
		h.startErr = errDied
		first, second := h.ask(h.request("a")), h.ask(h.request("a"))
		h.mu.Lock()
		gate := h.gate
		h.gate = nil
		h.mu.Unlock()
		h.waits(second)
		h.mu.Lock()
		h.startErr = nil
		h.mu.Unlock()
		close(gate)
		h.fails(first, errDied)
		if l := h.got(second); l.Temperature != Cold {
			t.Errorf("second = %s", l.Temperature)
		}
		h.phases("a", PhaseStarting, PhaseCrashed, PhaseWaiting, PhaseStarting, PhaseBusy)
	})
}

func TestCancelAsTheLeaseComes(t *testing.T) {
	in(t, Options{}, func(t *testing.T, h *house) {
		// Whichever of the two a lease sees first, nothing may be lost.
		for range 50 {
			l := h.got(h.ask(h.request("a")))
			next := h.ask(h.request("a"))
			l.Release(true)
			next.cancel()
			synctest.Wait()
			if next.pending() {
				t.Fatal("neither lease nor error")
			}
			if next.err == nil {
				h.release(next.lease, true)
			}
			if s := h.phase("a", PhaseWarm); s.Temperature != Warm {
				t.Fatalf("state %+v", s)
			}
		}
	})
}

func TestStatesOfALife(t *testing.T) {
	in(t, Options{Capacity: 1}, func(t *testing.T, h *house) {
		f := h.turn("a")
		f.set(true)
		h.phase("a", PhaseBusy)
		f.set(false)
		h.phase("a", PhaseWarm)
		h.turn("b")
		g := h.turn("a")
		g.end(errDied)
		synctest.Wait()
		h.phases("a", PhaseStarting, PhaseBusy, PhaseWarm, PhaseBusy, PhaseWarm, PhaseEnding, PhaseEvicted,
			PhaseWaiting, PhaseStarting, PhaseBusy, PhaseWarm, PhaseCrashed)
		h.phases("b", PhaseWaiting, PhaseStarting, PhaseBusy, PhaseWarm, PhaseEnding, PhaseEvicted)
		states := h.pool.Snapshot()
		if len(states) != 2 || states[0].Key != key("a") || states[1].Key != key("b") {
			t.Fatalf("snapshot %+v", states)
		}
		if s := states[0]; !errors.Is(s.Err, errDied) || s.Native != g.native || s.Temperature != "" || !s.IdleDeadline.IsZero() {
			t.Errorf("crashed: %+v", s)
		}
		if s := states[1]; s.Reason != "place wanted by channel/a" || s.Err != nil {
			t.Errorf("evicted: %+v", s)
		}
		// What was told last is what there is.
		h.mu.Lock()
		defer h.mu.Unlock()
		for _, want := range states {
			i := slices.IndexFunc(h.states, func(s State) bool { return s.equal(want) })
			if later := slices.IndexFunc(h.states[i+1:], func(s State) bool { return s.Key == want.Key }); i < 0 || later >= 0 {
				t.Errorf("%+v was not the last state told", want)
			}
		}
	})
}

// TestWaitingIsToldFirst: also when the lease comes before its goroutine can look.
func TestWaitingIsToldFirst(t *testing.T) {
	in(t, Options{}, func(t *testing.T, h *house) {
		for range 64 { // select picks at random
			told := 0
			w := newWaiter(Request{Waiting: func() { told++ }})
			close(w.had)
			w.resolve(nil, errDied)
			if _, err := h.pool.outcome(t.Context(), w); !errors.Is(err, errDied) || told != 1 {
				t.Fatalf("%v, told %d times", err, told)
			}
		}
	})
}
