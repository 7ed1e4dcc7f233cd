package store

import (
	"context"

	"hearth/backend/chat"
	"hearth/backend/store/db"
)

// MarkRead says that the owner was shown a channel up to a row, which may stand
// in one of its threads, relaxed: a mark that a power cut takes costs a second
// look. The mark only moves forward; moved says whether it did. A row that is not
// in the channel is CodeNotFound.
func (s *Store) MarkRead(ctx context.Context, channelID, rowID string) (c chat.Channel, moved bool, err error) {
	err = s.change(ctx, relaxed, "mark a channel as read", func(ctx context.Context, q *db.Queries) error {
		stored, err := q.Channel(ctx, channelID)
		if err != nil {
			return found(err, "channel", channelID)
		}
		row, err := q.Row(ctx, rowID)
		if none(err) || err == nil && row.ChannelID != channelID {
			return notFound("message in this channel", rowID)
		}
		if err != nil {
			return err
		}
		if moved = row.CreatedAt > stored.ReadAt; moved {
			if err := q.MarkRead(ctx, db.MarkReadParams{ID: channelID, ReadID: row.ID, ReadAt: row.CreatedAt}); err != nil {
				return err
			}
		}
		c, err = s.readChannel(ctx, q, channelID)
		return err
	})
	if err != nil {
		return chat.Channel{}, false, err
	}
	return c, moved, nil
}
