package resident

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"
)

// What the pool answers, beside what an opener and a context say.
var (
	// ErrFull: pre-warming found no free place, or others wait for it.
	ErrFull = errors.New("no free place")
	// ErrBusy: pre-warming found a busy process with other settings.
	ErrBusy = errors.New("process is busy")
	// ErrLeased: a turn has the process (or waits for its start).
	ErrLeased = errors.New("process is leased")
	// ErrEvicted: the start was given up because the key was evicted.
	ErrEvicted = errors.New("evicted")
	// ErrClosed: the pool is closed.
	ErrClosed = errors.New("pool closed")
)

// Defaults of Options.
const (
	// DefaultCapacity is four: a Claude Code process takes about 280 MB.
	DefaultCapacity = 4
	DefaultIdle     = 30 * time.Minute
	// DefaultEnding leaves a process the time to write its session to disk
	// after its input was closed.
	DefaultEnding = 10 * time.Second
)

// Options of a Pool. Zero and below mean the default.
type Options struct {
	// Capacity is how many processes there are at most.
	Capacity int
	// Idle is how long a process lives without a turn.
	Idle time.Duration
	// Ending is how long a process may take to end gently, before force.
	Ending time.Duration
	// Changed is told every change of a key's state, in order, by one goroutine
	// and with no lock held. It may call the pool's methods, except Close. What
	// it takes long for is queued. Nil for nobody.
	Changed func(State)
	// Log gets crashes, failed starts and evictions. Nil for no log.
	Log *slog.Logger
}

// Pool holds the residents. Its methods may be called from any goroutine.
type Pool struct {
	capacity int
	idle     time.Duration
	ending   time.Duration
	log      *slog.Logger

	mu        sync.Mutex
	residents map[Key]*resident
	leases    map[Key]*Lease
	// waiting has the leases that were asked for and not yet given, and warming
	// the pre-warmings under way, both first come first.
	waiting []*waiter
	warming []*waiter
	past    map[Key]past
	shown   map[Key]State
	closed  bool

	// work counts starts, watchers and ends; background the pool's own two
	// goroutines, which quit ends after all work. done is closed after both.
	work       sync.WaitGroup
	background sync.WaitGroup
	quit       chan struct{}
	done       chan struct{}

	changes *feed
	bell    *bell
}

// New makes an empty pool. Close it.
func New(o Options) *Pool {
	if o.Capacity <= 0 {
		o.Capacity = DefaultCapacity
	}
	if o.Idle <= 0 {
		o.Idle = DefaultIdle
	}
	if o.Ending <= 0 {
		o.Ending = DefaultEnding
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	p := &Pool{
		capacity:  o.Capacity,
		idle:      o.Idle,
		ending:    o.Ending,
		log:       o.Log,
		residents: map[Key]*resident{},
		leases:    map[Key]*Lease{},
		past:      map[Key]past{},
		shown:     map[Key]State{},
		quit:      make(chan struct{}),
		done:      make(chan struct{}),
		changes:   newFeed(),
		bell:      newBell(),
	}
	p.background.Go(p.keepTime)
	if o.Changed != nil {
		p.background.Go(func() { p.changes.deliver(o.Changed, p.quit) })
	} else {
		p.changes = nil
	}
	return p
}

// Close ends all processes, leased ones too, and returns when they have ended
// and every goroutine with them. Leases that wait get ErrClosed, as does whoever
// asks for one afterwards. When ctx ends first the processes are ended by force
// (each is given Options.Ending at most in any case), and Close returns an error
// that names what has still not ended. It may be called again to wait for that.
func (p *Pool) Close(ctx context.Context) error {
	p.mu.Lock()
	if !p.closed {
		p.closed = true
		for _, w := range slices.Concat(p.waiting, p.warming) {
			w.resolve(nil, ErrClosed)
			p.note(w.Key)
		}
		p.waiting, p.warming = nil, nil
		for _, r := range p.residents {
			p.end(ctx, r, PhaseCold, ReasonClosing)
		}
		go func() {
			p.work.Wait()
			close(p.quit)
			p.background.Wait()
			close(p.done)
		}()
	}
	p.mu.Unlock()
	select {
	case <-p.done:
		return nil
	case <-ctx.Done():
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	var left []string
	for key := range p.residents {
		left = append(left, key.String())
	}
	slices.Sort(left)
	return fmt.Errorf("close residents: %w; not ended: [%s]", ctx.Err(), strings.Join(left, " "))
}
