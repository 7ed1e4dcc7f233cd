package store

import (
	"context"
	"slices"

	"hearth/backend/chat"
	"hearth/backend/run"
	"hearth/backend/store/db"
)

// Post stores a row and the runs it causes, synced. It sets the row's ID and
// CreatedAt, and of the runs all but BindingID, Cause and Hops. A person who has
// not written here before becomes a member. It answers CodeConflict when the
// channel is archived or an agent that a run is for was removed meanwhile, and
// CodeNotFound or CodeInvalid for a thread that is none of this channel's.
func (s *Store) Post(ctx context.Context, row chat.Row, runs []run.Run) (chat.Row, []run.Run, error) {
	queued := slices.Clone(runs)
	err := s.change(ctx, synced, "post", func(ctx context.Context, q *db.Queries) error {
		c, err := open(ctx, q, row.ChannelID)
		if err != nil {
			return err
		}
		if row.ThreadRootID != "" {
			if _, err := threadRoot(ctx, q, chat.Place{ChannelID: row.ChannelID, ThreadRootID: row.ThreadRootID}); err != nil {
				return err
			}
		}
		if row, err = s.insertRow(ctx, q, &c, row); err != nil {
			return err
		}
		if row.Kind == chat.KindUser {
			if err := join(ctx, q, c.ID, row.Handle, micros(row.CreatedAt)); err != nil {
				return err
			}
		}
		for i, r := range queued {
			if err := addressable(ctx, q, c, r.BindingID); err != nil {
				return err
			}
			queued[i] = run.Run{
				ChannelID: c.ID, BindingID: r.BindingID, RowID: row.ID, ThreadRootID: row.ThreadRootID,
				Cause: r.Cause, Hops: r.Hops,
			}
			if err := enqueue(ctx, q, &queued[i], micros(row.CreatedAt)); err != nil {
				return err
			}
		}
		return keep(ctx, q, c)
	})
	if err != nil {
		return chat.Row{}, nil, err
	}
	return row, queued, nil
}

// addressable answers CodeConflict when a binding is not in the channel any more.
func addressable(ctx context.Context, q *db.Queries, c db.Channel, bindingID string) error {
	b, err := present(ctx, q, bindingID)
	if chat.CodeOf(err) == chat.CodeNotFound || err == nil && b.ChannelID != c.ID {
		return conflict("An agent that this message addresses was removed in the same moment; send it again.")
	}
	return err
}

// insertRow stores a row at the next time of its channel's clock.
func (s *Store) insertRow(ctx context.Context, q *db.Queries, c *db.Channel, row chat.Row) (chat.Row, error) {
	id, at := s.tickRow(c)
	row.ID, row.ChannelID, row.CreatedAt = id, c.ID, timeOf(at)
	return row, q.InsertRow(ctx, db.InsertRowParams{
		ID: id, ChannelID: c.ID, ThreadRootID: row.ThreadRootID, Kind: string(row.Kind), Handle: row.Handle,
		BindingID: row.BindingID, RunID: row.RunID, Note: string(row.Note), Body: row.Body, CreatedAt: at,
	})
}

// enqueue stores a new run as queued.
func enqueue(ctx context.Context, q *db.Queries, r *run.Run, at int64) error {
	r.ID, r.State, r.QueuedAt = chat.NewID(timeOf(at)), run.Queued, timeOf(at)
	return insertRun(ctx, q, *r)
}
