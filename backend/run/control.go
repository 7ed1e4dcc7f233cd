package run

import (
	"context"

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
	left := q.left
	s.mutex.Unlock()
	select {
	case <-left:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
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

// Fresh stops what a binding is at, ends its process and its native session, and
// forgets what it was told: its next turn is cold, with an empty replay.
func (s *Service) Fresh(ctx context.Context, bindingID string) (chat.Binding, error) {
	b, err := s.store.Binding(ctx, bindingID)
	if err != nil {
		return chat.Binding{}, err
	}
	release, err := s.hold(ctx, KeyOf(b))
	if err != nil {
		return chat.Binding{}, err
	}
	defer release()
	if err := s.agents.End(ctx, KeyOf(b), "started fresh"); err != nil {
		return chat.Binding{}, err
	}
	s.agents.Restore(KeyOf(b), "")
	return s.store.Fresh(ctx, bindingID)
}

// Warm starts a binding's process ahead of its next turn, only into a free place.
func (s *Service) Warm(ctx context.Context, bindingID string) error {
	b, err := s.store.Binding(ctx, bindingID)
	if err != nil {
		return err
	}
	if !b.Remembers() {
		return chat.Errorf(chat.CodeConflict, "@%s starts afresh each time; there is nothing to keep warm.", b.Handle)
	}
	c, err := s.store.Channel(ctx, b.ChannelID)
	if err != nil {
		return err
	}
	if c.Archived() {
		return chat.Errorf(chat.CodeConflict, "The channel is archived.")
	}
	s.mutex.Lock()
	serving := s.serving != nil
	s.mutex.Unlock()
	if !serving {
		return chat.Errorf(chat.CodeUnavailable, "Hearth is not running yet, so there is nothing to keep warm. Start it and try again.")
	}
	return s.agents.Warm(ctx, c, b)
}

// Restore ends a binding's process, if it has one, and makes the next one load
// the newest saved session.
func (s *Service) Restore(ctx context.Context, bindingID string) (Session, error) {
	b, err := s.store.Binding(ctx, bindingID)
	if err != nil {
		return Session{}, err
	}
	if !b.Remembers() {
		return Session{}, chat.Errorf(chat.CodeConflict, "@%s starts afresh each time; it has no saved session.", b.Handle)
	}
	saved, ok, err := s.store.Restorable(ctx, bindingID)
	if err != nil {
		return Session{}, err
	}
	if !ok {
		return Session{}, chat.Errorf(chat.CodeNotFound, "@%s has no saved session since its last Start fresh.", b.Handle)
	}
	release, err := s.hold(ctx, KeyOf(b))
	if err != nil {
		return Session{}, err
	}
	defer release()
	if err := s.agents.End(ctx, KeyOf(b), "made room for a saved session"); err != nil {
		return Session{}, err
	}
	// The session that has just ended may be the newer one.
	newest, ok, err := s.store.Restorable(ctx, bindingID)
	if err != nil {
		return Session{}, err
	}
	if ok {
		saved = newest
	}
	s.agents.Restore(KeyOf(b), saved.Native)
	return saved, nil
}

// EndBinding stops what a binding is at, takes its queued runs out of the queue
// and ends its process, so that it can be changed or removed.
func (s *Service) EndBinding(ctx context.Context, bindingID, reason string) error {
	b, err := s.store.Binding(ctx, bindingID)
	if err != nil {
		return err
	}
	release, err := s.hold(ctx, KeyOf(b))
	if err != nil {
		return err
	}
	defer release()
	for {
		r, ok, err := s.store.Next(ctx, KeyOf(b))
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		cancelled, err := s.store.Cancel(ctx, r.ID, nil)
		if err != nil {
			return err
		}
		s.publishRun(cancelled)
	}
	return s.agents.End(ctx, KeyOf(b), reason)
}

// EndChannel does EndBinding for every agent of a channel.
func (s *Service) EndChannel(ctx context.Context, channelID, reason string) error {
	bindings, err := s.store.Bindings(ctx, channelID)
	if err != nil {
		return err
	}
	for _, b := range bindings {
		if err := s.EndBinding(ctx, b.ID, reason); err != nil {
			return err
		}
	}
	return nil
}

// Unasked stores a turn that the agent of a queue took by itself.
func (s *Service) Unasked(ctx context.Context, key Key, native string, outcome Outcome, steps []Step) error {
	r := Run{
		ChannelID: key.ChannelID, BindingID: key.BindingID, Cause: CauseUnasked,
		State: Succeeded, Temperature: "warm", Native: native, Usage: outcome.Usage,
	}
	if outcome.IsError || outcome.Interrupted {
		r.State, r.Failure = Failed, failureOf(ctx, outcome, nil)
		outcome.Reply = ""
	}
	r, row, err := s.store.Unasked(ctx, r, outcome.Reply, steps)
	if err != nil {
		return err
	}
	if row != nil {
		s.publishRow(*row)
	}
	s.publishRun(r)
	return nil
}

// KeyOf names the queue of a binding.
func KeyOf(b chat.Binding) Key { return Key{ChannelID: b.ChannelID, BindingID: b.ID} }
