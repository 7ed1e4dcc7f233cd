package store

import (
	"cmp"
	"context"

	"hearth/backend/ledger"
	"hearth/backend/run"
	"hearth/backend/store/db"
)

// StartSession records that a process works in a native session, relaxed. The
// time is the channel's clock's, not s.StartedAt, so that it compares with
// FreshAt. A session that is started again (restored) is open again and keeps
// its first time. Another binding's session is CodeConflict.
func (s *Store) StartSession(ctx context.Context, session run.Session) error {
	return s.change(ctx, relaxed, "record a session", func(ctx context.Context, q *db.Queries) error {
		b, err := present(ctx, q, session.BindingID)
		if err != nil {
			return err
		}
		there, err := q.Session(ctx, session.Native)
		if err == nil && there.BindingID != b.ID {
			return conflict("The native session %s belongs to another agent.", session.Native)
		}
		if err != nil && !none(err) {
			return err
		}
		c, err := q.Channel(ctx, b.ChannelID)
		if err != nil {
			return err
		}
		err = q.StartSession(ctx, db.StartSessionParams{
			Native: session.Native, BindingID: b.ID, ChannelID: c.ID, Workspace: session.Workspace, StartedAt: s.tick(&c),
		})
		if err != nil {
			return err
		}
		return keep(ctx, q, c)
	})
}

// EndSession records that a session's process is gone, and how, relaxed. One that
// has ended already, and one nobody knows, stay as they are.
func (s *Store) EndSession(ctx context.Context, native string, how ledger.Ending, reason string) error {
	return s.change(ctx, relaxed, "end a session", func(ctx context.Context, q *db.Queries) error {
		session, err := q.Session(ctx, native)
		if none(err) {
			return nil
		}
		if err != nil {
			return err
		}
		return s.endSession(ctx, q, session, how, reason)
	})
}

// EndOpenSessions ends the sessions an earlier Hearth left open, and says how
// many: their processes were lost with it. It is for the start, before there are
// processes.
func (s *Store) EndOpenSessions(ctx context.Context, reason string) (int, error) {
	ended := 0
	err := s.change(ctx, relaxed, "end the sessions left open", func(ctx context.Context, q *db.Queries) error {
		left, err := q.OpenSessions(ctx)
		if err != nil {
			return err
		}
		ended = len(left)
		for _, session := range left { // in order, so that the newest ends last
			if err := s.endSession(ctx, q, session, ledger.EndedLost, reason); err != nil {
				return err
			}
		}
		return nil
	})
	return ended, err
}

// Restorable returns the session of a binding that ended last, if it has begun
// since the last Start fresh, its transcript is known to hold a turn (a process
// that was never spoken to has left nothing to load), and the channel's workspace
// is still the one it worked in: the client finds a session by its folder.
func (s *Store) Restorable(ctx context.Context, bindingID string) (session run.Session, ok bool, err error) {
	stored, err := s.views.Restorable(ctx, bindingID)
	if none(err) {
		return run.Session{}, false, nil
	}
	if err != nil {
		return run.Session{}, false, s.failed("find a session to restore", err)
	}
	return run.Session{
		Native: stored.Native, BindingID: stored.BindingID, ChannelID: stored.ChannelID, Workspace: stored.Workspace,
		StartedAt: timeOf(stored.StartedAt), EndedAt: timeOf(stored.EndedAt), EndReason: stored.EndReason,
	}, true, nil
}

// ModelOf returns the model that a native session's last turn was answered with, by
// the client's own name; "" when that is not known.
func (s *Store) ModelOf(ctx context.Context, native string) (string, error) {
	model, err := s.views.ModelOf(ctx, native)
	if none(err) {
		return "", nil
	}
	return model, s.failed("read the model of a session", err)
}

func (s *Store) endSession(ctx context.Context, q *db.Queries, session db.Session, how ledger.Ending, reason string) error {
	c, err := q.Channel(ctx, session.ChannelID)
	if err != nil {
		return err
	}
	if err := endSessionAt(ctx, q, session, how, reason, s.tick(&c)); err != nil {
		return err
	}
	return keep(ctx, q, c)
}

// endSessionsOf ends the open sessions of a binding; the caller keeps the clock.
func endSessionsOf(ctx context.Context, q *db.Queries, bindingID string, how ledger.Ending, reason string, at int64) error {
	left, err := q.OpenSessionsOf(ctx, bindingID)
	if err != nil {
		return err
	}
	for _, session := range left {
		if err := endSessionAt(ctx, q, session, how, reason, at); err != nil {
			return err
		}
	}
	return nil
}

// endSessionAt ends a session and puts down how its process ended; one that has
// ended already stays as it is.
func endSessionAt(ctx context.Context, q *db.Queries, session db.Session, how ledger.Ending, reason string, at int64) error {
	if session.EndedAt != 0 {
		return nil
	}
	if err := q.EndSession(ctx, db.EndSessionParams{Native: session.Native, EndedAt: at, EndReason: cmp.Or(reason, string(how))}); err != nil {
		return err
	}
	err := q.InsertProcessEnd(ctx, db.InsertProcessEndParams{
		BindingID: session.BindingID, EndedAt: at, Native: session.Native, How: string(how), Reason: reason,
	})
	if err != nil {
		return err
	}
	return q.TrimProcessEnds(ctx, db.TrimProcessEndsParams{BindingID: session.BindingID, Most: keptEnds})
}
