package run

import (
	"context"
	"errors"
	"sync"
	"time"

	"hearth/backend/chat"
)

// endWithin bounds the wait for a process that a change ends. The pool gives it
// ten seconds, then force.
const endWithin = 20 * time.Second

// Arrange stores a change that agents can't work through: it stops what the
// queues are at and lets nothing begin in them while change is stored, then ends
// their processes. Whatever was posted before the change is in the queues when it
// is stored, so change takes out, in its own transaction, the runs that nobody
// will answer any more, and returns them. A change that fails leaves the
// processes as they are.
func (s *Service) Arrange(ctx context.Context, keys []Key, reason string, change func(context.Context) ([]Run, error)) error {
	release, err := s.hold(ctx, keys...)
	if err != nil {
		return err
	}
	defer release()
	ended, err := change(ctx)
	if err != nil {
		return err
	}
	for _, r := range ended {
		s.publishRun(r)
	}
	// The change stands, even if whoever asked for it has gone.
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), endWithin)
	defer cancel()
	var ending sync.WaitGroup
	for _, key := range keys {
		ending.Go(func() {
			if err := s.agents.End(bounded, key, reason); err != nil {
				// It is never lent again; the roster shows that it does not end.
				s.log.Error("end an agent's process after a change", "channel", key.ChannelID, "binding", key.BindingID, "error", err)
			}
		})
	}
	ending.Wait()
	return nil
}

// Why processes are ended, as Agents.End is told, where that is put down as an ending of its own; see ledger.Endings.
const (
	BecauseFresh    = "started fresh"
	BecauseChanged  = "the agent's settings were changed"
	BecauseMoved    = "the channel's workspace was changed"
	BecauseRevoked  = "a permission was taken back"
	BecauseReplaced = "made room for a saved session"
)

// Fresh stops what a binding is at, makes it forget what it was told, and ends
// its process and its native session: its next turn is cold, with an empty replay.
func (s *Service) Fresh(ctx context.Context, bindingID string) (chat.Binding, error) {
	b, err := s.store.Binding(ctx, bindingID)
	if err != nil {
		return chat.Binding{}, err
	}
	err = s.Arrange(ctx, []Key{KeyOf(b)}, BecauseFresh, func(ctx context.Context) ([]Run, error) {
		var err error
		b, err = s.store.Fresh(ctx, bindingID)
		return nil, err
	})
	return b, err
}

// UndoFresh takes the last Start fresh of a binding back, as long as it was asked
// nothing since: its next turn goes on in the session that was thrown away. The
// session is zero when there is none to load: then what the binding was asked and
// answered is told it again. Once the change is stored it stands, whatever the error.
func (s *Service) UndoFresh(ctx context.Context, bindingID string) (chat.Binding, Session, error) {
	b, err := s.store.Binding(ctx, bindingID)
	if err != nil {
		return chat.Binding{}, Session{}, err
	}
	key := KeyOf(b)
	// Before anything is held: what it is at is not stopped for an Undo that comes too late.
	if err := s.store.CanUndoFresh(ctx, bindingID); err != nil {
		return chat.Binding{}, Session{}, err
	}
	if err := s.mustRest(ctx, key, b); err != nil {
		return chat.Binding{}, Session{}, err
	}
	release, err := s.hold(ctx, key)
	if err != nil {
		return chat.Binding{}, Session{}, err
	}
	defer release()
	if b, err = s.store.UndoFresh(ctx, bindingID); err != nil {
		return chat.Binding{}, Session{}, err
	}
	if !b.Remembers() {
		return b, Session{}, nil
	}
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), endWithin)
	defer cancel()
	saved, _, err := s.load(bounded, b) // there may have been one that was warmed since
	return b, saved, err
}

// RemoveRule takes back what "always" allowed, and ends the agent's process: it
// was told the rule and would go on by it.
func (s *Service) RemoveRule(ctx context.Context, bindingID, ruleID string) error {
	b, err := s.store.Binding(ctx, bindingID)
	if err != nil {
		return err
	}
	return s.Arrange(ctx, []Key{KeyOf(b)}, BecauseRevoked, func(ctx context.Context) ([]Run, error) {
		return nil, s.store.RemoveRule(ctx, bindingID, ruleID)
	})
}

// Warm starts a binding's process ahead of its next turn, only into a free place.
func (s *Service) Warm(ctx context.Context, bindingID string) error {
	b, err := s.store.Binding(ctx, bindingID)
	if err != nil {
		return err
	}
	inside, leave, ok := s.enter(ctx, KeyOf(b))
	if !ok {
		return changing(b)
	}
	defer leave()
	if err = s.warm(inside, KeyOf(b)); err != nil && errors.Is(context.Cause(inside), errStopped) {
		return changing(b)
	}
	return err
}

// warm does it inside the queue: no change is stored without ending this first.
func (s *Service) warm(ctx context.Context, key Key) error {
	c, b, err := s.whose(ctx, Run{ChannelID: key.ChannelID, BindingID: key.BindingID})
	switch {
	case err != nil:
		return err
	case !b.Remembers():
		return chat.Errorf(chat.CodeConflict, "@%s starts afresh each time; there is nothing to keep warm.", b.Handle)
	case c.Archived():
		return chat.Errorf(chat.CodeConflict, "The channel is archived.")
	case !s.isServing():
		return chat.Errorf(chat.CodeUnavailable, "Hearth is not running yet, so there is nothing to keep warm. Start it and try again.")
	}
	return s.agents.Warm(ctx, c, b)
}

func changing(b chat.Binding) error {
	return chat.Errorf(chat.CodeConflict, "@%s is being changed at this moment. Try again.", b.Handle)
}

func (s *Service) isServing() bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.serving != nil
}

// Restore ends a binding's process, if it has one that is not at work, and makes
// the next one load the newest saved session.
func (s *Service) Restore(ctx context.Context, bindingID string) (Session, error) {
	b, err := s.store.Binding(ctx, bindingID)
	if err != nil {
		return Session{}, err
	}
	if !b.Remembers() {
		return Session{}, chat.Errorf(chat.CodeConflict, "@%s starts afresh each time; it has no saved session.", b.Handle)
	}
	key := KeyOf(b)
	if err := s.mustRest(ctx, key, b); err != nil {
		return Session{}, err
	}
	release, err := s.hold(ctx, key)
	if err != nil {
		return Session{}, err
	}
	defer release()
	saved, ok, err := s.load(ctx, b)
	if err == nil && !ok {
		err = chat.Errorf(chat.CodeNotFound, "@%s has no saved session of this folder since its last Start fresh.", b.Handle)
	}
	return saved, err
}

// load makes the next process of a binding load the newest saved session, if there
// is one, and ends the process that there is; nothing goes on in its queue.
func (s *Service) load(ctx context.Context, b chat.Binding) (saved Session, ok bool, err error) {
	// First the end: the session that ends now may be the newest.
	if err := s.agents.End(ctx, KeyOf(b), BecauseReplaced); err != nil {
		return Session{}, false, err
	}
	saved, ok, err = s.store.Restorable(ctx, b.ID)
	if err == nil && ok {
		s.agents.Restore(KeyOf(b), saved.Native)
	}
	return saved, ok, err
}

// mustRest answers CodeConflict while a binding is at work.
func (s *Service) mustRest(ctx context.Context, key Key, b chat.Binding) error {
	atWork, err := s.atWork(ctx, key)
	if err == nil && atWork {
		err = chat.Errorf(chat.CodeConflict, "@%s is at work. Stop it first, or wait until it has answered.", b.Handle)
	}
	return err
}

// atWork says whether a queue is at a run that has not ended. The worker leaves a
// run a moment after its end was stored, and everyone was told.
func (s *Service) atWork(ctx context.Context, key Key) (bool, error) {
	at := s.At(key)
	if at == "" {
		return false, nil
	}
	r, err := s.store.Run(ctx, at)
	if chat.CodeOf(err) == chat.CodeNotFound {
		return false, nil
	}
	return !r.State.Ended(), err
}
