package resident

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestAnyOrder plays random operations and holds, after each, what the pool did
// against the test's own books.
func TestAnyOrder(t *testing.T) {
	for seed := range uint64(300) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { newPlay(t, seed).run(200) })
		})
	}
}

var playKeys = []string{"a", "b", "c", "d", "e"}

// play is one random run. Of what it keeps, nothing comes from the pool.
type play struct {
	*house
	t        *testing.T
	dice     *rand.Rand
	starts   *rand.Rand // the openers' own, with the house's lock
	capacity int
	log      []string

	pending []*asking // leases asked for, in order
	held    []*asking // leases given and not released
	used    map[*fake]bool
	// excused processes may be ended while they are busy or leased.
	excused map[*fake]bool
	// entered are the keys whose openers were called, with the house's lock.
	entered []string
	others  []*asked // Warm and Evict calls
}

type asking struct {
	*asked
	req   Request
	order int
}

func newPlay(t *testing.T, seed uint64) *play {
	p := &play{t: t, dice: rand.New(rand.NewPCG(seed, 2)), starts: rand.New(rand.NewPCG(seed, 4)), used: map[*fake]bool{}, excused: map[*fake]bool{}}
	p.capacity = 1 + p.dice.IntN(3)
	p.house = newHouse(t, Options{Capacity: p.capacity})
	return p
}

func (p *play) fatalf(format string, args ...any) {
	p.t.Helper()
	p.t.Fatalf("%s\nafter:\n  %s", fmt.Sprintf(format, args...), strings.Join(p.log, "\n  "))
}

func (p *play) run(steps int) {
	for i := range steps {
		waited, asked := p.needPlace(), slices.Clone(p.pending)
		p.takeEntered()
		before := p.unended()
		p.step(i)
		synctest.Wait()
		p.collect()
		p.checkEnds(before)
		p.checkOrder(waited, asked, p.takeEntered())
		p.checkIdle()
		p.check(p.capacity)
		if p.t.Failed() {
			p.fatalf("broken")
		}
	}
	p.finish()
}

func (p *play) note(format string, args ...any) { p.log = append(p.log, fmt.Sprintf(format, args...)) }

func (p *play) step(i int) {
	name := playKeys[p.dice.IntN(len(playKeys))]
	req := Request{Key: key(name), Fingerprint: "1", Keep: p.dice.IntN(5) > 0, Open: p.playOpen}
	if p.dice.IntN(6) == 0 {
		req.Fingerprint = "2"
	}
	switch roll := p.dice.IntN(100); {
	case roll < 25:
		p.note("%d: lease %s fingerprint %s keep %v", i, name, req.Fingerprint, req.Keep)
		p.pending = append(p.pending, &asking{asked: p.ask(req), req: req, order: i})
	case roll < 50 && len(p.held) > 0:
		p.release(p.dice.IntN(len(p.held)), p.dice.IntN(3) > 0)
	case roll < 55 && len(p.pending) > 0:
		a := p.pending[p.dice.IntN(len(p.pending))]
		p.note("%d: cancel %s", i, a.name)
		a.cancel()
	case roll < 62:
		p.note("%d: warm %s fingerprint %s", i, name, req.Fingerprint)
		p.others = append(p.others, p.askWarm(req))
	case roll < 75:
		if f := p.anyLiving(); f != nil {
			busy := !f.look().busy
			p.note("%d: %s busy: %v", i, f.key.Binding, busy)
			f.set(busy)
		}
	case roll < 79:
		if f := p.anyLiving(); f != nil {
			p.note("%d: %s crashes", i, f.key.Binding)
			f.end(errDied)
		}
	case roll < 84:
		p.evictAny(i, name)
	case roll < 92:
		minutes := 1 + p.dice.IntN(20)
		p.note("%d: %d minutes", i, minutes)
		time.Sleep(time.Duration(minutes) * minute)
	case roll < 95:
		if f := p.anyLiving(); f != nil && !f.look().slow {
			p.note("%d: %s will end slowly", i, f.key.Binding)
			f.mu.Lock()
			f.hold = make(chan struct{})
			f.mu.Unlock()
		}
	default:
		p.turnGate(i)
	}
}

// takeEntered is whose openers were called since it was last asked.
func (p *play) takeEntered() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	entered := p.entered
	p.entered = nil
	return entered
}

// playOpen fails now and then.
func (p *play) playOpen(ctx context.Context, k Key, fp string) (Process, Temperature, error) {
	p.mu.Lock()
	p.entered = append(p.entered, k.Binding)
	roll := p.starts.IntN(12)
	p.mu.Unlock()
	switch roll {
	case 0:
		return nil, "", errDied
	case 1:
		panic("boom")
	}
	return p.open(ctx, k, fp)
}

// turnGate makes starts slow, or lets the slow ones and the slow ends go on.
func (p *play) turnGate(i int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.gate == nil {
		p.note("%d: starts are slow", i)
		p.gate = make(chan struct{})
		return
	}
	p.note("%d: starts are quick", i)
	close(p.gate)
	p.gate = nil
}

func (p *play) evictAny(i int, name string) {
	force := p.dice.IntN(2) == 0
	p.note("%d: evict %s force %v", i, name, force)
	for _, f := range p.all() {
		if f.key == key(name) && (force || p.holder(f) == nil) {
			p.excused[f] = true
		}
	}
	evict := p.pool.Evict
	if force {
		evict = p.pool.ForceEvict
	}
	leased := slices.ContainsFunc(p.held, func(a *asking) bool {
		f := a.lease.Process.(*fake)
		return f.key == key(name) && !f.look().dead && f.look().closed == 0
	})
	a := &asked{name: "evict " + name, done: make(chan struct{}), cancel: func() {}}
	go func() {
		defer close(a.done)
		a.err = evict(context.Background(), key(name), "by the test")
	}()
	synctest.Wait()
	if leased && !force && (a.pending() || !errors.Is(a.err, ErrLeased)) {
		p.fatalf("evicting a leased process: pending %v, %v", a.pending(), a.err)
	}
	p.others = append(p.others, a)
}

func (p *play) anyLiving() *fake {
	var living []*fake
	for _, f := range p.all() {
		if s := f.look(); !s.dead && s.closed == 0 {
			living = append(living, f)
		}
	}
	if len(living) == 0 {
		return nil
	}
	return living[p.dice.IntN(len(living))]
}

func (p *play) holder(f *fake) *asking {
	for _, a := range p.held {
		if a.lease.Process == Process(f) {
			return a
		}
	}
	return nil
}

func (p *play) release(i int, used bool) {
	a := p.held[i]
	p.held = slices.Delete(p.held, i, i+1)
	f := a.lease.Process.(*fake)
	p.note("release %s used %v", a.name, used)
	if used {
		p.used[f] = true
	}
	if !a.req.Keep {
		p.excused[f] = true
	}
	a.lease.Release(used)
}

// collect takes what has been answered and looks at each lease.
func (p *play) collect() {
	first := map[string]bool{}
	var still []*asking
	for _, a := range p.pending {
		if a.pending() {
			first[a.name] = true
			still = append(still, a)
			continue
		}
		if a.err != nil {
			if !errors.Is(a.err, errDied) && !errors.Is(a.err, errBroken) && !errors.Is(a.err, context.Canceled) && !errors.Is(a.err, ErrEvicted) {
				p.fatalf("lease %s: %v", a.name, a.err)
			}
			continue
		}
		f := a.lease.Process.(*fake)
		want := Cold
		if p.used[f] {
			want = Warm
		}
		switch {
		case first[a.name]:
			p.fatalf("%s: leased before one who asked earlier", a.name)
		case slices.ContainsFunc(p.held, func(b *asking) bool { return b.name == a.name }):
			p.fatalf("%s: leased twice", a.name)
		case a.lease.Temperature != want:
			p.fatalf("%s: %s, want %s", a.name, a.lease.Temperature, want)
		case f.key != a.req.Key || f.print != a.req.Fingerprint:
			p.fatalf("%s: leased %s with fingerprint %s", a.name, f.key, f.print)
		case !a.req.Keep && p.used[f]:
			p.fatalf("%s: starts afresh and got a used process", a.name)
		}
		p.held = append(p.held, a)
	}
	p.pending = still
	for _, a := range p.others {
		if !a.pending() && a.err != nil && !slices.ContainsFunc(
			[]error{ErrFull, ErrBusy, ErrLeased, ErrEvicted, errDied, errBroken}, func(e error) bool { return errors.Is(a.err, e) }) {
			p.fatalf("%s: %v", a.name, a.err)
		}
	}
	p.others = slices.DeleteFunc(p.others, func(a *asked) bool { return !a.pending() })
}

// unended are the processes that nobody has told to end.
func (p *play) unended() map[*fake]bool {
	set := map[*fake]bool{}
	for _, f := range p.all() {
		if f.look().closed == 0 {
			set[f] = true
		}
	}
	return set
}

// checkEnds: who was told to end in this step was neither busy nor leased.
func (p *play) checkEnds(before map[*fake]bool) {
	for f := range before {
		if f.look().closed == 0 || p.excused[f] {
			continue
		}
		if f.look().busy {
			p.fatalf("%s was busy and was ended", f.key)
		}
		if p.holder(f) != nil {
			p.fatalf("%s was leased and was ended", f.key)
		}
	}
}

// needPlace are the waiting leases that lack nothing but a place: the first of
// each key that has neither lease nor process.
func (p *play) needPlace() []*asking {
	var need []*asking
	seen := map[string]bool{}
	for _, a := range p.pending {
		leased := slices.ContainsFunc(p.held, func(b *asking) bool { return b.name == a.name })
		if !seen[a.name] && !leased && p.living(a.req.Key) == 0 {
			need = append(need, a)
		}
		seen[a.name] = true
	}
	return need
}

// checkOrder: in this step nobody started before one who had asked earlier and
// was waiting for a place already.
func (p *play) checkOrder(waited, asked []*asking, entered []string) {
	for _, w := range waited {
		started := slices.Contains(entered, w.name)
		if !w.pending() || started {
			continue
		}
		for _, name := range entered {
			first := slices.IndexFunc(asked, func(a *asking) bool { return a.name == name })
			if first < 0 || asked[first].order > w.order {
				p.fatalf("%s started while %s had waited longer", name, w.name)
			}
		}
	}
}

// checkIdle: nobody waits for a place that could be had.
func (p *play) checkIdle() {
	need := len(p.needPlace())
	if need == 0 {
		return
	}
	if p.taken() < p.capacity {
		p.fatalf("%d wait for a place, %d of %d taken", need, p.taken(), p.capacity)
	}
	idle, ending := 0, 0
	for _, f := range p.all() {
		switch s := f.look(); {
		case s.dead:
		case s.closed > 0:
			ending++
		case !s.busy && p.holder(f) == nil:
			idle++
		}
	}
	if idle > 0 && need > ending {
		p.fatalf("%d wait for a place, %d are being freed, and %d are idle", need, ending, idle)
	}
}

// finish lets everything come to its end: every lease has to be answered.
func (p *play) finish() {
	p.note("finish")
	for range 1000 {
		p.mu.Lock()
		if p.gate != nil {
			close(p.gate)
			p.gate = nil
		}
		p.mu.Unlock()
		for _, f := range p.all() {
			if !f.look().dead {
				f.set(false)
			}
		}
		for len(p.held) > 0 {
			p.release(0, true)
		}
		time.Sleep(11 * time.Second) // slow ends are over
		synctest.Wait()
		p.collect()
		if len(p.pending)+len(p.held) == 0 {
			break
		}
	}
	if len(p.pending)+len(p.others) > 0 {
		p.fatalf("%d leases and %d others were never answered", len(p.pending), len(p.others))
	}
	// With nothing to do, all processes end.
	sleep(61)
	if p.taken() != 0 {
		p.fatalf("%d processes left", p.taken())
	}
}

// TestAllAtOnce has real goroutines and no order at all: nothing may be counted
// twice, and everybody must be answered.
func TestAllAtOnce(t *testing.T) {
	const capacity = 3
	h := newHouse(t, Options{Capacity: capacity, Idle: time.Hour})
	var running sync.WaitGroup
	for worker := range 8 {
		running.Go(func() {
			dice := rand.New(rand.NewPCG(uint64(worker), 3))
			for range 300 {
				req := h.request(playKeys[dice.IntN(len(playKeys))])
				req.Keep = dice.IntN(4) > 0
				req.Fingerprint = fmt.Sprint(dice.IntN(8) / 7)
				ctx, cancel := context.WithCancel(context.Background())
				switch dice.IntN(10) {
				case 0:
					if err := h.pool.Warm(ctx, req); err != nil && !errors.Is(err, ErrFull) && !errors.Is(err, ErrBusy) && !errors.Is(err, ErrEvicted) {
						t.Error(err)
					}
				case 1:
					if err := h.pool.Evict(ctx, req.Key, "test"); err != nil && !errors.Is(err, ErrLeased) {
						t.Error(err)
					}
				case 2:
					go cancel()
					fallthrough
				default:
					l, err := h.pool.Lease(ctx, req)
					if err != nil {
						if !errors.Is(err, context.Canceled) && !errors.Is(err, errDied) {
							t.Error(err)
						}
						break
					}
					f := l.Process.(*fake)
					f.set(true)
					h.pool.Snapshot()
					if dice.IntN(10) == 0 {
						f.end(errDied)
					}
					f.set(false)
					l.Release(dice.IntN(2) == 0)
				}
				cancel()
			}
		})
	}
	running.Wait()
	h.check(capacity)
}
