package run

import (
	"context"
	"slices"

	"hearth/backend/chat"
)

// StopRun takes a run out of the queue, or stops it if it has begun, and returns
// it as it ended. The session lives on.
func (s *Service) StopRun(ctx context.Context, runID string) (Run, error) {
	r, err := s.store.Run(ctx, runID)
	if err != nil {
		return Run{}, err
	}
	if r.State.Ended() {
		return r, chat.Errorf(chat.CodeConflict, "That run has ended already (%s).", r.State)
	}
	if r.State != Running {
		cancelled, err := s.store.Cancel(ctx, runID, nil)
		if err == nil {
			s.publishRun(cancelled)
			return cancelled, s.stop(ctx, r.Key(), runID) // it may be waiting for a process
		}
		if chat.CodeOf(err) != chat.CodeConflict {
			return Run{}, err
		}
		// It began while we looked: stop it as a running one.
	}
	if err := s.stop(ctx, r.Key(), runID); err != nil {
		return Run{}, err
	}
	return s.store.Run(ctx, runID)
}

// StopBinding stops the run a binding is at, if any; queued ones stay.
func (s *Service) StopBinding(ctx context.Context, bindingID string) (bool, error) {
	b, err := s.store.Binding(ctx, bindingID)
	if err != nil {
		return false, err
	}
	key := KeyOf(b)
	at := s.At(key)
	if at == "" {
		return false, nil
	}
	if _, err := s.StopRun(ctx, at); err != nil {
		if chat.CodeOf(err) == chat.CodeConflict {
			return false, nil // it ended by itself in the same moment
		}
		return false, err
	}
	return true, nil
}

// stop ends the attempt at a run and waits until the worker has left it.
func (s *Service) stop(ctx context.Context, key Key, runID string) error {
	s.mutex.Lock()
	q := s.queue(key)
	if q.runID != runID || q.cancel == nil {
		s.mutex.Unlock()
		return nil
	}
	q.cancel(errStopped)
	attempt := activity{q.left, q.trouble}
	s.mutex.Unlock()
	return attempt.wait(ctx)
}

// Retry queues the row of a run that failed or was stopped again.
func (s *Service) Retry(ctx context.Context, runID string) (Run, error) {
	r, err := s.store.Retry(ctx, runID)
	if err != nil {
		return Run{}, err
	}
	s.publishRun(r)
	s.wake(r.Key())
	return r, nil
}

// Unasked stores a turn that the agent of a queue took by itself.
func (s *Service) Unasked(ctx context.Context, key Key, native string, outcome Outcome, steps []Step) error {
	f := Finishing{
		State: Succeeded, Reply: fit(outcome.Reply), Usage: outcome.Usage, Facts: outcome.Facts, Steps: steps,
		Savings:   s.takeUnasked(key),
		Compacted: slices.ContainsFunc(steps, Step.compacts),
	}
	if outcome.IsError || outcome.Interrupted {
		f.State, f.Failure, f.Reply = Failed, failureOf(ctx, outcome, nil), ""
	}
	r := Run{ChannelID: key.ChannelID, BindingID: key.BindingID, Temperature: "warm", Native: native}
	r, row, err := s.store.Unasked(ctx, r, f)
	if err != nil {
		return err
	}
	r.Changed = s.recordUnasked(ctx, key, r)
	if row != nil {
		s.publishRow(EventRowCreated, *row)
	}
	s.publishRun(r)
	s.tellSpending(ctx, r, outcome.Usage.CostUSD)
	return nil
}

// KeyOf names the queue of a binding.
func KeyOf(b chat.Binding) Key { return Key{ChannelID: b.ChannelID, BindingID: b.ID} }
