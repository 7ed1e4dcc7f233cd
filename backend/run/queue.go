package run

import (
	"context"
	"errors"
	"time"

	"hearth/backend/chat"
)

// queue is what the service knows about one (channel, binding) while it works.
type queue struct {
	working bool                    // a worker goroutine is at it
	again   bool                    // something was queued since the worker last looked
	holds   int                     // callers that keep the queue from beginning a run
	cancel  context.CancelCauseFunc // ends the attempt the worker is at; nil between attempts
	runID   string                  // the run the worker is at
	left    chan struct{}           // closed when the worker leaves that run
	trouble chan struct{}           // closed when that run's end can't be stored for now; nil between attempts
	idle    chan struct{}           // closed when the worker stops; nil when there is none
	warming map[*warming]bool       // pre-warmings that are under way
}

// warming is one pre-warming: no turn, and yet something that goes on.
type warming struct {
	cancel context.CancelCauseFunc
	over   chan struct{} // closed when it is over
}

// Why an attempt at a run was cancelled.
var (
	errStopped  = errors.New("stopped by a person")
	errShutdown = errors.New("Hearth is shutting down") //nolint:staticcheck // a name, not a word
)

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
		q.again = true // there may be more behind it
		if q.holds > 0 {
			s.mutex.Unlock()
			cancel(nil)
			continue
		}
		q.cancel, q.runID, q.left, q.trouble = cancel, r.ID, make(chan struct{}), make(chan struct{})
		s.mutex.Unlock()
		s.turn(ctx, attempt, r)
		s.mutex.Lock()
		q.cancel, q.runID, q.trouble = nil, "", nil
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

// hold keeps queues from beginning another run and from being pre-warmed, stops
// what they are at, and waits until nothing goes on in them. The release function
// lets them go on.
func (s *Service) hold(ctx context.Context, keys ...Key) (release func(), err error) {
	var going []activity
	s.mutex.Lock()
	for _, key := range keys {
		q := s.queue(key)
		q.holds++
		if q.cancel != nil {
			q.cancel(errStopped)
		}
		if q.working {
			going = append(going, activity{q.idle, q.trouble})
		}
		for w := range q.warming {
			w.cancel(errStopped)
			going = append(going, activity{over: w.over})
		}
	}
	s.mutex.Unlock()
	release = func() {
		s.mutex.Lock()
		for _, key := range keys {
			s.queue(key).holds--
		}
		s.mutex.Unlock()
		for _, key := range keys {
			s.wake(key)
		}
	}
	for _, a := range going {
		if err := a.wait(ctx); err != nil {
			release()
			return nil, err
		}
	}
	return release, nil
}

// activity is something that goes on in a queue.
type activity struct {
	over    <-chan struct{}
	trouble <-chan struct{} // nil: there is nothing to store in it
}

// wait returns when it is over. What can't be stored is over nobody knows when:
// then it answers CodeUnavailable at once.
func (a activity) wait(ctx context.Context) error {
	select {
	case <-a.over:
		return nil
	case <-a.trouble:
		return chat.Errorf(chat.CodeUnavailable, "An agent's answer can't be written to the disk now; it may be full. Make room: the answer is written as soon as it can be. Then try again.")
	case <-ctx.Done():
		return ctx.Err()
	}
}

// trouble tells those who wait for a queue's run that its end can't be stored.
func (s *Service) trouble(key Key) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	q := s.queue(key)
	select {
	case <-q.trouble: // told already
	default:
		if q.trouble != nil {
			close(q.trouble)
		}
	}
}

// enter begins a pre-warming, which a hold of the queue ends; ok is false while
// the queue is held. Call leave when it is over.
func (s *Service) enter(ctx context.Context, key Key) (inside context.Context, leave func(), ok bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	q := s.queue(key)
	if q.holds > 0 {
		return nil, nil, false
	}
	inside, cancel := context.WithCancelCause(ctx)
	w := &warming{cancel: cancel, over: make(chan struct{})}
	if q.warming == nil {
		q.warming = map[*warming]bool{}
	}
	q.warming[w] = true
	return inside, func() {
		s.mutex.Lock()
		delete(q.warming, w)
		s.mutex.Unlock()
		cancel(nil)
		close(w.over)
	}, true
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
