package store

import (
	"context"

	"hearth/backend/chat"
	"hearth/backend/run"
	"hearth/backend/store/db"
)

// Edit changes the body of a row of the owner's and brings its runs to who is
// addressed now, synced. Runs of agents that are not in e.Runs are taken out of
// the queue; agents that are and have none get one, except those that the row
// addressed before (e.Addressed) and whose run a person has stopped since. It
// answers CodeConflict when the row can't be changed any more (see changeable),
// or was changed since e.Was was read.
func (s *Store) Edit(ctx context.Context, e run.Editing) (edited run.Edited, err error) {
	err = s.change(ctx, synced, "edit a message", func(ctx context.Context, q *db.Queries) error {
		row, c, runs, err := changeable(ctx, q, e.RowID, "edited")
		if err != nil {
			return err
		}
		if row.Body != e.Was {
			return conflict("The message was edited in the same moment. Look at it and edit it again.")
		}
		addressed, served := map[string]bool{}, map[string]bool{}
		for _, r := range e.Runs {
			addressed[r.BindingID] = true
		}
		for _, r := range runs {
			switch {
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
			if served[r.BindingID] {
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
// begun, synced. Those that stood in a queue are returned as stopped. It answers
// CodeConflict when the row can't be taken back any more (see changeable), or
// when it is the root of a thread.
func (s *Store) Delete(ctx context.Context, rowID string) (row chat.Row, stopped []run.Run, err error) {
	err = s.change(ctx, synced, "delete a message", func(ctx context.Context, q *db.Queries) error {
		var c db.Channel
		var runs []run.Run
		row, c, runs, err = changeable(ctx, q, rowID, "deleted")
		if err != nil {
			return err
		}
		replies, err := q.ThreadSize(ctx, row.ID)
		if err != nil {
			return err
		}
		if replies > 0 {
			return conflict("The message can't be deleted: others have answered it in its thread. Edit it instead.")
		}
		for _, r := range runs {
			if !r.State.Ended() {
				if r, err = s.takeOut(ctx, q, &c, r, "the message was deleted"); err != nil {
					return err
				}
				stopped = append(stopped, r)
			}
			if err := q.DeleteRun(ctx, r.ID); err != nil {
				return err
			}
		}
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
		if err := q.DeleteRow(ctx, row.ID); err != nil {
			return err
		}
		return revised(ctx, q, c, s.tick(&c))
	})
	if err != nil {
		return chat.Row{}, nil, err
	}
	return row, stopped, nil
}

// changeable returns a row that may still be changed, with its channel and the
// runs it has caused, or CodeConflict and a sentence that says why not; done is
// what can't be done to it then.
//
// A row may be changed as long as it is between the owner and Hearth alone. That
// ends with its first run that begins, and whatever became of that run. A run
// that ended before it began (stopped, or its agent did not start) has told nobody. (The other side of this is
// Begin: a turn that was composed before the change does not begin.)
//
// It also ends when the row was told to an agent it does not address, as one of
// the rows of the channel. The watermarks know that: a row is told to a session,
// or was named to it as left out, when it is not later than the LastAt of the
// row's place, or when its id is among the IDs of any place of the channel. The
// root of a thread is told in that thread too. A staged watermark counts as well:
// its run is running, what it says is on its way, and whether it arrived is known
// only when the run has ended. An agent that keeps no session between turns has
// no watermark: what it was told counts while its turn goes on, and ends with it. What an agent has looked up
// by itself (channel_history) is not recorded as told, here as elsewhere.
func changeable(ctx context.Context, q *db.Queries, rowID, done string) (row chat.Row, c db.Channel, runs []run.Run, err error) {
	refuse := func(why string) (chat.Row, db.Channel, []run.Run, error) {
		return chat.Row{}, db.Channel{}, nil, conflict("The message can't be %s any more: %s. Write another one that puts it right.", done, why)
	}
	stored, err := q.Row(ctx, rowID)
	if err != nil {
		return row, c, nil, found(err, "message", rowID)
	}
	if row = rowOf(stored); !row.IsOwners() {
		return row, c, nil, conflict("The message can't be %s: someone else wrote it, and only your own can be.", done)
	}
	if c, err = open(ctx, q, row.ChannelID); err != nil {
		return row, c, nil, err
	}
	caused, err := q.RunsOfRow(ctx, row.ID)
	if err != nil {
		return row, c, nil, err
	}
	for _, stored := range caused {
		r := runOf(stored)
		switch {
		case r.State == run.Running:
			return refuse("an agent is at work on it already")
		case !r.StartedAt.IsZero():
			return refuse("an agent has worked on it already")
		}
		runs = append(runs, r)
	}
	told, err := q.ShownTo(ctx, db.ShownToParams{
		ChannelID: c.ID, CreatedAt: stored.CreatedAt, ThreadRootID: row.ThreadRootID, RowID: row.ID,
	})
	if err != nil {
		return row, c, nil, err
	}
	if len(told) == 0 {
		told, err = q.BeingShownTo(ctx, db.BeingShownToParams{
			ChannelID: c.ID, CreatedAt: stored.CreatedAt, ThreadRootID: row.ThreadRootID, RowID: row.ID,
		})
		if err != nil {
			return row, c, nil, err
		}
	}
	if len(told) > 0 {
		return refuse("@" + told[0] + " was shown it already")
	}
	return row, c, runs, nil
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
