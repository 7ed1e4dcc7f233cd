package store

import (
	"context"

	"hearth/backend/chat"
	"hearth/backend/run"
	"hearth/backend/store/db"
)

// Channels returns the channels that are not archived, with archived those that
// are too, oldest first.
func (s *Store) Channels(ctx context.Context, archived bool) ([]chat.Channel, error) {
	all := int64(0)
	if archived {
		all = 1
	}
	stored, err := s.views.Channels(ctx, all)
	if err != nil {
		return nil, s.failed("read the channels", err)
	}
	channels := make([]chat.Channel, len(stored))
	for i, c := range stored {
		channels[i] = channelRead(db.ChannelReadRow(c))
		if err := s.spent(ctx, s.views, &channels[i]); err != nil {
			return nil, s.failed("add up what a channel has spent", err)
		}
	}
	return channels, nil
}

// Channel returns a channel, archived or not.
func (s *Store) Channel(ctx context.Context, id string) (chat.Channel, error) {
	c, err := s.readChannel(ctx, s.views, id)
	return c, s.failed("read a channel", err)
}

// ChannelByName finds a channel that is not archived by its name, folded.
func (s *Store) ChannelByName(ctx context.Context, name string) (c chat.Channel, err error) {
	err = s.view(ctx, "find a channel", func(q *db.Queries) error {
		stored, err := q.ChannelByName(ctx, chat.Fold(name))
		if err != nil {
			return found(err, "channel named", name)
		}
		c, err = s.readChannel(ctx, q, stored.ID)
		return err
	})
	return c, err
}

// CreateChannel stores a new channel with the owner in it. It sets ID and
// CreatedAt, and answers CodeConflict when the name is taken.
func (s *Store) CreateChannel(ctx context.Context, c chat.Channel) (created chat.Channel, err error) {
	err = s.change(ctx, synced, "create a channel", func(ctx context.Context, q *db.Queries) error {
		if err := nameFree(ctx, q, c.Name, ""); err != nil {
			return err
		}
		now := s.tick(&db.Channel{})
		c.ID = chat.NewID(timeOf(now))
		err := q.CreateChannel(ctx, db.CreateChannelParams{
			ID: c.ID, Name: c.Name, NameFold: chat.Fold(c.Name), Topic: c.Topic, Workspace: c.Workspace,
			Direct: c.Direct, Ignored: string(c.Ignore), SpendLimitUSD: c.SpendLimit, CreatedAt: now, ArchivedAt: micros(c.ArchivedAt),
		})
		if err != nil {
			return err
		}
		if err := join(ctx, q, c.ID, "", now); err != nil {
			return err
		}
		created, err = s.readChannel(ctx, q, c.ID)
		return err
	})
	return created, err
}

// ArchiveChannel puts a channel away: nobody can post to it. What stood in its
// queues ends as stopped and is returned. It does nothing to one that is archived,
// and answers CodeConflict while a run of it is running.
func (s *Store) ArchiveChannel(ctx context.Context, id string) (archived chat.Channel, cleared []run.Run, err error) {
	err = s.change(ctx, synced, "archive a channel", func(ctx context.Context, q *db.Queries) error {
		c, err := q.Channel(ctx, id)
		if err != nil {
			return found(err, "channel", id)
		}
		if c.ArchivedAt == 0 {
			bindings, err := q.Bindings(ctx, id)
			if err != nil {
				return err
			}
			for _, b := range bindings {
				ended, err := s.clear(ctx, q, &c, b, "the channel was archived")
				if err != nil {
					return err
				}
				cleared = append(cleared, ended...)
			}
			if err := q.ArchiveChannel(ctx, db.ArchiveChannelParams{ID: id, ArchivedAt: s.tick(&c)}); err != nil {
				return err
			}
			if err := keep(ctx, q, c); err != nil {
				return err
			}
		}
		archived, err = s.readChannel(ctx, q, id)
		return err
	})
	if err != nil {
		return chat.Channel{}, nil, err
	}
	return archived, cleared, nil
}

// UpdateChannel stores a channel's name, topic, workspace, spending limit and ArchivedAt. It
// answers CodeConflict when the name is taken by one that is not archived.
func (s *Store) UpdateChannel(ctx context.Context, c chat.Channel) (updated chat.Channel, err error) {
	err = s.change(ctx, synced, "update a channel", func(ctx context.Context, q *db.Queries) error {
		if _, err := q.Channel(ctx, c.ID); err != nil {
			return found(err, "channel", c.ID)
		}
		if !c.Archived() {
			if err := nameFree(ctx, q, c.Name, c.ID); err != nil {
				return err
			}
		}
		err := q.UpdateChannel(ctx, db.UpdateChannelParams{
			ID: c.ID, Name: c.Name, NameFold: chat.Fold(c.Name), Topic: c.Topic, Workspace: c.Workspace,
			Ignored: string(c.Ignore), SpendLimitUSD: c.SpendLimit, ArchivedAt: micros(c.ArchivedAt),
		})
		if err != nil {
			return err
		}
		updated, err = s.readChannel(ctx, q, c.ID)
		return err
	})
	return updated, err
}

// DeleteChannel removes a channel with its rows, bindings, runs, sessions and
// permissions, and says how many rows went.
func (s *Store) DeleteChannel(ctx context.Context, id string) (rows int, err error) {
	err = s.change(ctx, synced, "delete a channel", func(ctx context.Context, q *db.Queries) error {
		if _, err := q.Channel(ctx, id); err != nil {
			return found(err, "channel", id)
		}
		n, err := q.CountRows(ctx, id)
		if err != nil {
			return err
		}
		rows = int(n)
		return q.DeleteChannel(ctx, id)
	})
	if err != nil {
		return 0, err
	}
	return rows, nil
}

// Members returns the people of a channel in the order they joined.
func (s *Store) Members(ctx context.Context, channelID string) ([]chat.Member, error) {
	stored, err := s.views.Members(ctx, channelID)
	if err != nil {
		return nil, s.failed("read the members of a channel", err)
	}
	members := make([]chat.Member, len(stored))
	for i, m := range stored {
		members[i] = chat.Member{ChannelID: m.ChannelID, Handle: m.Handle, JoinedAt: timeOf(m.JoinedAt)}
	}
	return members, nil
}

// join makes a person a member of a channel, once.
func join(ctx context.Context, q *db.Queries, channelID, handle string, at int64) error {
	return q.AddMember(ctx, db.AddMemberParams{ChannelID: channelID, HandleFold: chat.Fold(handle), Handle: handle, JoinedAt: at})
}

// nameFree answers CodeConflict when a channel other than but has the name.
func nameFree(ctx context.Context, q *db.Queries, name, but string) error {
	taken, err := q.ChannelByName(ctx, chat.Fold(name))
	switch {
	case none(err) || err == nil && taken.ID == but:
		return nil
	case err != nil:
		return err
	}
	return conflict("There is a channel named %q already; choose another name.", taken.Name)
}

// open returns a channel that can be written to.
func open(ctx context.Context, q *db.Queries, id string) (db.Channel, error) {
	c, err := q.Channel(ctx, id)
	if err != nil {
		return db.Channel{}, found(err, "channel", id)
	}
	if c.ArchivedAt != 0 {
		return db.Channel{}, conflict("The channel %q is archived; bring it back first.", c.Name)
	}
	return c, nil
}

func (s *Store) readChannel(ctx context.Context, q *db.Queries, id string) (chat.Channel, error) {
	c, err := q.ChannelRead(ctx, id)
	if err != nil {
		return chat.Channel{}, found(err, "channel", id)
	}
	channel := channelRead(c)
	if err := s.spent(ctx, q, &channel); err != nil {
		return chat.Channel{}, err
	}
	return channel, nil
}

// channelRead is a channel with what the owner has not read of it.
func channelRead(r db.ChannelReadRow) chat.Channel {
	c := channelOf(r.Channel)
	c.NewestID, c.NewestAt, c.Unread = r.NewestID, timeOf(r.NewestAt), int(r.Unread)
	return c
}

func channelOf(c db.Channel) chat.Channel {
	return chat.Channel{
		ID: c.ID, Name: c.Name, Topic: c.Topic, Workspace: c.Workspace, Direct: c.Direct,
		Ignore: chat.Ignore(c.Ignored), CreatedAt: timeOf(c.CreatedAt), ArchivedAt: timeOf(c.ArchivedAt), ReadID: c.ReadID,
		SpendLimit: c.SpendLimitUSD,
	}
}
