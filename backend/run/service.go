package run

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"hearth/backend/changes"
	"hearth/backend/chat"
	"hearth/backend/event"
)

// Options is what a Service is made of.
type Options struct {
	Store   Store
	Agents  Agents
	Benches Workbenches // nil: agents work without
	Files   Files       // nil is the disk
	Bus     *event.Bus
	Clock   Clock        // nil is time.Now
	Log     *slog.Logger // nil discards
}

// Service takes posts, works the queues and answers for the runs. Make one with
// New; Serve works until its context ends.
type Service struct {
	store   Store
	agents  Agents
	benches Workbenches
	files   Files
	bus     *event.Bus
	clock   Clock
	log     *slog.Logger

	mutex     sync.Mutex
	serving   context.Context // nil when queues are not worked
	ready     chan struct{}   // closed when they first are
	readyOnce sync.Once
	queues    map[Key]*queue
	live      map[string]*live           // runs that have begun, by run id
	asked     map[string]chan Verdict    // open permission questions, by id
	unasked   map[Key][]Saving           // of turns that nobody asked for, until they are stored
	observed  map[Key][]changes.Observed // of turns that nobody asked for, until they are stored
	workers   sync.WaitGroup

	recording sync.Mutex // one change at a time
	taking    sync.Mutex // one undo at a time

	spending     sync.Mutex // one tells at a time
	toldSpending map[string]told
}

// New makes a service. Nothing runs before Serve; posts are stored all the same.
func New(o Options) *Service {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Files == nil {
		o.Files = changes.Disk{}
	}
	return &Service{
		store: o.Store, agents: o.Agents, benches: o.Benches, files: o.Files, bus: o.Bus, clock: o.Clock, log: o.Log,
		ready: make(chan struct{}), queues: map[Key]*queue{}, live: map[string]*live{}, asked: map[string]chan Verdict{},
		unasked: map[Key][]Saving{}, observed: map[Key][]changes.Observed{}, toldSpending: map[string]told{},
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

// Going is what a run that is going has said since its last whole stretch of text,
// and done so far.
type Going struct {
	Text    string
	Steps   []Step
	Savings []Saving
}

// Live returns what a run that is going has come to; ok is false for any other.
func (s *Service) Live(runID string) (going Going, ok bool) {
	s.mutex.Lock()
	l := s.live[runID]
	s.mutex.Unlock()
	if l == nil {
		return Going{}, false
	}
	going.Text, going.Steps = l.snapshot()
	going.Savings = l.saved()
	return going, true
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
	return s.settleChanges(ctx)
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
	_, _, err = s.store.Finish(ctx, Finishing{
		RunID: r.ID, State: Failed, Commit: held,
		Failure: &Failure{Code: FailInterrupted, Held: held, Message: "Hearth ended while the agent was working on this. Retry to ask again."},
	})
	if err != nil && chat.CodeOf(err) != chat.CodeConflict {
		return err
	}
	return nil
}
