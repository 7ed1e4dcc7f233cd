package store

import (
	"context"
	"slices"

	"hearth/backend/chat"
	"hearth/backend/store/db"
)

// historyPage is how many rows of a history are read at once.
const historyPage = 500

// History returns the newest rows of a channel, those of its threads among them,
// oldest first: most rows at most, and once their bodies have so many bytes no more
// but the one that was at hand. more says whether there are older ones.
func (s *Store) History(ctx context.Context, channelID string, most, bytes int) (rows []chat.Row, more bool, err error) {
	err = s.view(ctx, "read the history of a channel", func(q *db.Queries) error {
		before, size := int64(endOfTime), 0
		for {
			// One more than is wanted tells whether there are more.
			page, err := q.HistoryBefore(ctx, db.HistoryBeforeParams{ChannelID: channelID, Before: before, Most: int64(min(historyPage, most-len(rows)+1))})
			if err != nil {
				return err
			}
			for _, row := range page {
				if len(rows) == most || size >= bytes {
					more = true
					return nil
				}
				rows, size, before = append(rows, rowOf(row)), size+len(row.Body), row.CreatedAt
			}
			if len(page) == 0 {
				return nil
			}
		}
	})
	if err != nil {
		return nil, false, err
	}
	slices.Reverse(rows)
	return rows, more, nil
}

// Answers returns which row each reply of a binding answers, by the reply's id.
func (s *Store) Answers(ctx context.Context, bindingID string) (map[string]string, error) {
	stored, err := s.views.Answers(ctx, bindingID)
	if err != nil {
		return nil, s.failed("read what an agent answered", err)
	}
	answers := make(map[string]string, len(stored))
	for _, r := range stored {
		answers[r.ReplyID] = r.RowID
	}
	return answers, nil
}
