package store

import (
	"context"

	"hearth/backend/chat"
	"hearth/backend/store/db"
)

// metaFirst is the key of the first channel's id in the table meta. Fixed.
const metaFirst = "first_channel"

// Welcome makes the first channel of a data folder, with an agent and rows of
// people in it: all of it or nothing, synced. It does so once: made is false when
// it was done before, whatever became of the channel, and when there is any
// channel, archived ones too. Of the channel it takes name, topic and workspace.
func (s *Store) Welcome(ctx context.Context, c chat.Channel, b chat.Binding, rows []chat.Row) (first chat.Channel, bound chat.Binding, made bool, err error) {
	err = s.change(ctx, synced, "make the first channel", func(ctx context.Context, q *db.Queries) error {
		if _, err := q.Meta(ctx, metaFirst); !none(err) {
			return err // nil when it was made before
		}
		there, err := q.Channels(ctx, 1)
		if err != nil || len(there) > 0 {
			return err
		}
		clock := db.Channel{}
		clock.ID = chat.NewID(timeOf(s.tick(&clock)))
		err = q.CreateChannel(ctx, db.CreateChannelParams{
			ID: clock.ID, Name: c.Name, NameFold: chat.Fold(c.Name), Topic: c.Topic, Workspace: c.Workspace, CreatedAt: clock.LastAt,
		})
		if err != nil {
			return err
		}
		if err := q.AddMeta(ctx, db.AddMetaParams{Key: metaFirst, Value: clock.ID}); err != nil {
			return err
		}
		if err := join(ctx, q, clock.ID, "", clock.LastAt); err != nil {
			return err
		}
		if err := s.insertBinding(ctx, q, &clock, &b); err != nil {
			return err
		}
		for _, row := range rows {
			if row, err = s.insertRow(ctx, q, &clock, row); err != nil {
				return err
			}
			if err := join(ctx, q, clock.ID, row.Handle, micros(row.CreatedAt)); err != nil {
				return err
			}
		}
		if err := keep(ctx, q, clock); err != nil {
			return err
		}
		if first, err = s.readChannel(ctx, q, clock.ID); err != nil {
			return err
		}
		if bound, err = readBinding(ctx, q, b.ID); err != nil {
			return err
		}
		made = true
		return nil
	})
	return first, bound, made && err == nil, err
}

// FirstChannel returns the id of the channel that Welcome made, "" when it made
// none, and when that one was deleted or is archived.
func (s *Store) FirstChannel(ctx context.Context) (string, error) {
	id, err := s.views.Meta(ctx, metaFirst)
	if none(err) {
		return "", nil
	}
	if err != nil {
		return "", s.failed("read the first channel", err)
	}
	c, err := s.views.Channel(ctx, id)
	if none(err) || err == nil && c.ArchivedAt != 0 {
		return "", nil
	}
	return id, s.failed("read the first channel", err)
}
