package store

import (
	"context"

	"hearth/backend/chat"
	"hearth/backend/run"
	"hearth/backend/store/db"
)

// Edit changes the body of a row of the owner's and brings its runs to who is
// addressed now, synced. Runs of agents that are not in e.Runs are taken out of
// the queue. As long as no agent was told the row (see mine), agents that are in it
// and have none get one, except those that the row addressed before (e.Addressed)
// and whose run a person has stopped since. Afterwards nobody is asked anew: what
// the row said is kept as a version, and a correction tells the agents that know
// it. It answers CodeConflict for a row that is not the owner's to change, and for
// one that was changed since e.Was was read.
func (s *Store) Edit(ctx context.Context, e run.Editing) (edited run.Edited, err error) {
	err = s.change(ctx, synced, "edit a message", func(ctx context.Context, q *db.Queries) error {
		m, err := mine(ctx, q, e.RowID, "edited")
		if err != nil {
			return err
		}
		row, c := m.row, m.channel
		if row.Body != e.Was {
			return conflict("The message was edited in the same moment. Look at it and edit it again.")
		}
		edited.Told = m.told
		addressed, served := map[string]bool{}, map[string]bool{}
		for _, r := range e.Runs {
			addressed[r.BindingID] = true
		}
		for _, r := range m.runs {
			switch {
			case r.State == run.Running: // it was told the row, and hears of the change
			case r.State.Ended():
				// A person took it out of the queue; the agent is not asked again for a typo.
				served[r.BindingID] = served[r.BindingID] || e.Addressed[r.BindingID]
			case addressed[r.BindingID]:
				edited.Runs = append(edited.Runs, r)
				served[r.BindingID] = true
			default:
				if r, err = s.takeOut(ctx, q, &c, r, "the message was edited and does not name this agent any more"); err != nil {
					return err
				}
				edited.Stopped = append(edited.Stopped, r)
			}
		}
		at := s.tick(&c)
		for _, r := range e.Runs {
			if served[r.BindingID] || m.told {
				continue
			}
			if err := addressable(ctx, q, c, r.BindingID); err != nil {
				return err
			}
			queued := run.Run{
				ChannelID: c.ID, BindingID: r.BindingID, RowID: row.ID, ThreadRootID: row.ThreadRootID, Cause: r.Cause, Hops: r.Hops,
			}
			if err := enqueue(ctx, q, &queued, at); err != nil {
				return err
			}
			edited.Runs, edited.Queued = append(edited.Runs, queued), append(edited.Queued, queued)
		}
		if m.told {
			since := micros(row.CreatedAt)
			if !row.EditedAt.IsZero() {
				since = micros(row.EditedAt)
			}
			if err := q.PutVersion(ctx, db.PutVersionParams{RowID: row.ID, At: since, Body: row.Body}); err != nil {
				return err
			}
			if at, err = s.correct(ctx, q, &c, row); err != nil {
				return err
			}
		}
		row.Body, row.EditedAt = e.Body, timeOf(at)
		edited.Row = row
		if err := q.EditRow(ctx, db.EditRowParams{ID: row.ID, Body: row.Body, EditedAt: at}); err != nil {
			return err
		}
		return revised(ctx, q, c, at)
	})
	if err != nil {
		return run.Edited{}, err
	}
	return edited, nil
}

// Delete removes a row of the owner's and the runs it caused, none of which has
// begun, synced. One that agents were told (see mine), or that was answered in its
// thread, keeps its place and its runs: its text goes, with its versions, and a
// correction tells the agents that know it. Runs that stood in a queue are returned
// as stopped. It answers CodeConflict for a row that is not the owner's to delete.
func (s *Store) Delete(ctx context.Context, rowID string) (deleted run.Deleted, err error) {
	err = s.change(ctx, synced, "delete a message", func(ctx context.Context, q *db.Queries) error {
		m, err := mine(ctx, q, rowID, "deleted")
		if err != nil {
			return err
		}
		row, c := m.row, m.channel
		replies, err := q.ThreadSize(ctx, row.ID)
		if err != nil {
			return err
		}
		stays := m.told || replies > 0
		for _, r := range m.runs {
			if r.State == run.Queued || r.State == run.Waiting {
				if r, err = s.takeOut(ctx, q, &c, r, "the message was deleted"); err != nil {
					return err
				}
				deleted.Stopped = append(deleted.Stopped, r)
			}
			if stays {
				continue
			}
			if err := q.DeleteRun(ctx, r.ID); err != nil {
				return err
			}
		}
		deleted.Row, deleted.Told = row, m.told
		if !stays {
			if err := removeRow(ctx, q, c, row); err != nil {
				return err
			}
			return revised(ctx, q, c, s.tick(&c))
		}
		at := s.tick(&c)
		if m.told {
			if at, err = s.correct(ctx, q, &c, row); err != nil {
				return err
			}
		}
		if err := q.DeleteVersions(ctx, row.ID); err != nil {
			return err
		}
		if err := q.EmptyRow(ctx, db.EmptyRowParams{ID: row.ID, DeletedAt: at}); err != nil {
			return err
		}
		deleted.Row.Body, deleted.Row.DeletedAt = "", timeOf(at)
		return revised(ctx, q, c, at)
	})
	if err != nil {
		return run.Deleted{}, err
	}
	return deleted, nil
}

// removeRow takes a row out of its channel, and the read mark off it.
func removeRow(ctx context.Context, q *db.Queries, c db.Channel, row chat.Row) error {
	if c.ReadID == row.ID {
		// The mark stays where it is, at the time; it has to name a row that is there.
		last, err := q.NewestBefore(ctx, db.NewestBeforeParams{ChannelID: c.ID, Before: c.ReadAt})
		if err != nil && !none(err) {
			return err
		}
		if err := q.MarkRead(ctx, db.MarkReadParams{ID: c.ID, ReadID: last, ReadAt: c.ReadAt}); err != nil {
			return err
		}
	}
	return q.DeleteRow(ctx, row.ID)
}

// correct notes, at the channel's next time, that a row which agents know is
// changed. Whom that concerns is decided when they are told (package delivery).
func (s *Store) correct(ctx context.Context, q *db.Queries, c *db.Channel, row chat.Row) (at int64, err error) {
	id, at := s.tickRow(c)
	return at, q.PutCorrection(ctx, db.PutCorrectionParams{
		RowID: row.ID, ID: id, ChannelID: c.ID, ThreadRootID: row.ThreadRootID, At: at,
	})
}

// maxVersions is how many versions of a row are shown. Fixed.
const maxVersions = 100

// Versions returns what a row said before it was edited, newest first, at most the
// newest 100. It answers CodeNotFound for a row that is not there.
func (s *Store) Versions(ctx context.Context, rowID string) (versions []chat.Version, err error) {
	err = s.view(ctx, "read the versions of a message", func(q *db.Queries) error {
		if _, err := q.Row(ctx, rowID); err != nil {
			return found(err, "message", rowID)
		}
		stored, err := q.Versions(ctx, db.VersionsParams{RowID: rowID, Most: maxVersions})
		for _, v := range stored {
			versions = append(versions, chat.Version{Body: v.Body, At: timeOf(v.At)})
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return versions, nil
}

// own is a row of the owner's that is about to be changed.
type own struct {
	row     chat.Row
	channel db.Channel
	runs    []run.Run // that it has caused, in whatever state
	told    bool      // to an agent
}

// mine returns a row of the owner's with its channel, the runs it has caused and
// whether an agent was told it, or CodeConflict and a sentence that says why it
// can't be changed; done is what can't be done to it then.
//
// A row is told with its first run that begins, whatever becomes of that run. A
// run that ended before it began (stopped, or its agent did not start) has told
// nobody. (The other side of this is Begin: a turn that was composed before the
// change does not begin.)
//
// It is also told to an agent it does not address, as one of the rows of the
// channel. The watermarks know that: a row is told to a session, or was named to
// it as left out, when it is not later than the LastAt of the row's place, or when
// its id is among the IDs of any place of the channel. The root of a thread is told
// in that thread too. A staged watermark counts as well: its run is running, what
// it says is on its way, and whether it arrived is known only when the run has
// ended. An agent that keeps no session between turns has no watermark: what it was
// told counts while its turn goes on, and ends with it. What an agent has looked up
// by itself (channel_history) is not recorded as told, here as elsewhere.
func mine(ctx context.Context, q *db.Queries, rowID, done string) (m own, err error) {
	stored, err := q.Row(ctx, rowID)
	if err != nil {
		return m, found(err, "message", rowID)
	}
	switch m.row = rowOf(stored); {
	case !m.row.IsOwners():
		return m, conflict("The message can't be %s: someone else wrote it, and only your own can be.", done)
	case m.row.Note == chat.NoteUndone:
		return m, conflict("The message can't be %s: Hearth wrote it to tell the agents what you did to their files.", done)
	case m.row.Deleted():
		return m, conflict("The message can't be %s: it was deleted already.", done)
	}
	if m.channel, err = open(ctx, q, m.row.ChannelID); err != nil {
		return m, err
	}
	caused, err := q.RunsOfRow(ctx, m.row.ID)
	if err != nil {
		return m, err
	}
	for _, stored := range caused {
		r := runOf(stored)
		m.told = m.told || r.State == run.Running || !r.StartedAt.IsZero()
		m.runs = append(m.runs, r)
	}
	if m.told {
		return m, nil
	}
	shown, err := q.ShownTo(ctx, db.ShownToParams{
		ChannelID: m.channel.ID, CreatedAt: stored.CreatedAt, ThreadRootID: m.row.ThreadRootID, RowID: m.row.ID,
	})
	if err != nil {
		return m, err
	}
	being, err := q.BeingShownTo(ctx, db.BeingShownToParams{
		ChannelID: m.channel.ID, CreatedAt: stored.CreatedAt, ThreadRootID: m.row.ThreadRootID, RowID: m.row.ID,
	})
	m.told = len(shown) > 0 || len(being) > 0
	return m, err
}

// revised notes that a row of a channel was changed, so that no turn begins which
// was composed of the channel as it was before. It keeps the channel's clock.
func revised(ctx context.Context, q *db.Queries, c db.Channel, at int64) error {
	if err := q.SetRevised(ctx, db.SetRevisedParams{ID: c.ID, RevisedAt: at}); err != nil {
		return err
	}
	c.LastAt = max(c.LastAt, at)
	return keep(ctx, q, c)
}
