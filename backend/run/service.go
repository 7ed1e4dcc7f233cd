package run

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"hearth/backend/chat"
	"hearth/backend/event"
)

// Options is what a Service is made of.
type Options struct {
	Store  Store
	Agents Agents
	Bus    *event.Bus
	Clock  Clock        // nil is time.Now
	Log    *slog.Logger // nil discards
}

// Service takes posts, works the queues and answers for the runs. Make one with
// New; Serve works until its context ends.
type Service struct {
	store  Store
	agents Agents
	bus    *event.Bus
	clock  Clock
	log    *slog.Logger

	mutex     sync.Mutex
	serving   context.Context // nil when queues are not worked
	ready     chan struct{}   // closed when they first are
	readyOnce sync.Once
	queues    map[Key]*queue
	live      map[string]*live        // runs that have begun, by run id
	asked     map[string]chan Verdict // open permission questions, by id
	workers   sync.WaitGroup
}

// queue is what the service knows about one (channel, binding) while it works.
type queue struct {
	working bool                    // a worker goroutine is at it
	again   bool                    // something was queued since the worker last looked
	holds   int                     // callers that keep the queue from beginning a run
	cancel  context.CancelCauseFunc // ends the attempt the worker is at; nil between attempts
	runID   string                  // the run the worker is at
	left    chan struct{}           // closed when the worker leaves that run
	idle    chan struct{}           // closed when the worker stops; nil when there is none
}

// Why an attempt at a run was cancelled.
var (
	errStopped  = errors.New("stopped by a person")
	errShutdown = errors.New("Hearth is shutting down") //nolint:staticcheck // a name, not a word
)

// New makes a service. Nothing runs before Serve; posts are stored all the same.
func New(o Options) *Service {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{
		store: o.Store, agents: o.Agents, bus: o.Bus, clock: o.Clock, log: o.Log,
		ready: make(chan struct{}), queues: map[Key]*queue{}, live: map[string]*live{}, asked: map[string]chan Verdict{},
	}
}

// Serve settles what the last start left behind, then works the queues until ctx
// ends. It returns when every run it began has ended.
func (s *Service) Serve(ctx context.Context) error {
	if err := s.settle(ctx); err != nil {
		return err
	}
	// From here on a post wakes its queue; so what is queued is read after it.
	s.mutex.Lock()
	s.serving = ctx
	s.mutex.Unlock()
	defer s.retire()
	s.readyOnce.Do(func() { close(s.ready) })
	keys, err := s.store.QueuedKeys(ctx)
	if err != nil {
		return err
	}
	for _, key := range keys {
		s.wake(key)
	}
	<-ctx.Done()
	return nil
}

// retire ends the attempts that are going and returns when all workers are over.
func (s *Service) retire() {
	s.mutex.Lock()
	s.serving = nil
	for _, q := range s.queues {
		if q.cancel != nil {
			q.cancel(errShutdown)
		}
	}
	s.mutex.Unlock()
	s.workers.Wait()
}

// Ready is closed when Serve has settled what was left and works the queues.
func (s *Service) Ready() <-chan struct{} { return s.ready }

// wake makes sure that a worker looks at a queue.
func (s *Service) wake(key Key) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	q := s.queue(key)
	q.again = true
	if s.serving == nil || q.working || q.holds > 0 {
		return
	}
	q.working = true
	q.idle = make(chan struct{})
	s.workers.Add(1)
	go s.work(s.serving, key, q)
}

// queue returns the record of a queue; the mutex is held.
func (s *Service) queue(key Key) *queue {
	q := s.queues[key]
	if q == nil {
		q = &queue{}
		s.queues[key] = q
	}
	return q
}

// work does the runs of one queue, one after the other, until there is none.
func (s *Service) work(ctx context.Context, key Key, q *queue) {
	defer s.workers.Done()
	for s.another(ctx, q) {
		r, ok, err := s.store.Next(ctx, key)
		if err != nil {
			if ctx.Err() == nil {
				s.log.Error("read the next run", "channel", key.ChannelID, "binding", key.BindingID, "error", err)
			}
			s.mutex.Lock()
			q.again = true // what is queued is still there
			s.mutex.Unlock()
			rest(ctx)
			continue
		}
		if !ok {
			continue
		}
		attempt, cancel := context.WithCancelCause(ctx)
		s.mutex.Lock()
		q.cancel, q.runID, q.left = cancel, r.ID, make(chan struct{})
		q.again = true // there may be more behind it
		s.mutex.Unlock()
		s.turn(attempt, r)
		s.mutex.Lock()
		q.cancel, q.runID = nil, ""
		close(q.left)
		s.mutex.Unlock()
		cancel(nil)
	}
}

// storeAgain is how long a store that did not answer is left alone: a full disk
// is not emptied by asking again at once.
const storeAgain = time.Second

// rest waits storeAgain, or until ctx ends.
func rest(ctx context.Context) {
	select {
	case <-time.After(storeAgain):
	case <-ctx.Done():
	}
}

// another says whether the worker should look at its queue again; when not, the
// worker is over.
func (s *Service) another(ctx context.Context, q *queue) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if q.again && q.holds == 0 && ctx.Err() == nil {
		q.again = false
		return true
	}
	q.working = false
	close(q.idle)
	return false
}

// hold keeps a queue from beginning another run, stops the one it is at, and
// waits until its worker is over. The release function lets the queue go on.
func (s *Service) hold(ctx context.Context, key Key) (release func(), err error) {
	s.mutex.Lock()
	q := s.queue(key)
	q.holds++
	if q.cancel != nil {
		q.cancel(errStopped)
	}
	idle := q.idle
	working := q.working
	s.mutex.Unlock()
	release = func() {
		s.mutex.Lock()
		q.holds--
		s.mutex.Unlock()
		s.wake(key)
	}
	if working {
		select {
		case <-idle:
		case <-ctx.Done():
			release()
			return nil, ctx.Err()
		}
	}
	return release, nil
}

// Live returns the text and steps so far of a run that is going; ok is false for
// any other.
func (s *Service) Live(runID string) (text string, steps []Step, ok bool) {
	s.mutex.Lock()
	l := s.live[runID]
	s.mutex.Unlock()
	if l == nil {
		return "", nil, false
	}
	text, steps = l.snapshot()
	return text, steps, true
}

// At returns the run a queue is at, "" when there is none.
func (s *Service) At(key Key) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if q := s.queues[key]; q != nil {
		return q.runID
	}
	return ""
}

// liveOf returns the run that has begun in a queue; nil when there is none.
func (s *Service) liveOf(key Key) *live {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if q := s.queues[key]; q != nil {
		return s.live[q.runID]
	}
	return nil
}

// settle ends what the last start left half-ended: runs whose Hearth died, and
// permission questions nobody can answer any more.
func (s *Service) settle(ctx context.Context) error {
	open, err := s.store.OpenPermissions(ctx)
	if err != nil {
		return err
	}
	for _, p := range open {
		if _, err := s.store.Answer(ctx, p.ID, PermissionDenied, "", "Hearth was restarted before anyone answered."); err != nil {
			return err
		}
	}
	runs, err := s.store.HalfEnded(ctx)
	if err != nil {
		return err
	}
	for _, r := range runs {
		if err := s.settleRun(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// settleRun ends one run that Hearth died with. What its native session was
// shown is decided by its transcript alone.
func (s *Service) settleRun(ctx context.Context, r Run) error {
	channel, err := s.store.Channel(ctx, r.ChannelID)
	if err != nil {
		return err
	}
	held, err := s.agents.Holds(ctx, channel.Workspace, r.Native, r.MessageUUID)
	if err != nil {
		s.log.Warn("look for a run in its transcript", "run", r.ID, "native", r.Native, "error", err)
	}
	_, err = s.store.Finish(ctx, Finishing{
		RunID: r.ID, State: Failed, Commit: held,
		Failure: &Failure{Code: FailInterrupted, Held: held, Message: "Hearth ended while the agent was working on this. Retry to ask again."},
	})
	if err != nil && chat.CodeOf(err) != chat.CodeConflict {
		return err
	}
	return nil
}
