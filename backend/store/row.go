package store

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"hearth/backend/chat"
	"hearth/backend/run"
	"hearth/backend/store/db"
)

// Row returns a row.
func (s *Store) Row(ctx context.Context, id string) (chat.Row, error) {
	r, err := s.views.Row(ctx, id)
	if err != nil {
		return chat.Row{}, s.failed("read a row", found(err, "message", id))
	}
	return rowOf(r), nil
}

// Rows returns the newest rows of a place before a row ("" is the end), oldest
// first, at most limit; more says whether there are older ones. A thread is its
// root and the rows that name it. The row before may stand anywhere in the
// channel: only its time counts.
func (s *Store) Rows(ctx context.Context, place chat.Place, before string, limit int) (rows []chat.Row, more bool, err error) {
	if limit < 1 {
		return nil, false, chat.Errorf(chat.CodeInvalid, "The limit must be 1 or more; got %d.", limit)
	}
	err = s.view(ctx, "read rows", func(q *db.Queries) error {
		if _, err := q.Channel(ctx, place.ChannelID); err != nil {
			return found(err, "channel", place.ChannelID)
		}
		end := int64(endOfTime)
		if before != "" {
			row, err := q.Row(ctx, before)
			if err != nil {
				return found(err, "message", before)
			}
			if row.ChannelID != place.ChannelID {
				return notFound("message in this channel", before)
			}
			end = row.CreatedAt
		}
		rows, more, err = newest(ctx, q, place, end, limit)
		return err
	})
	if err != nil {
		return nil, false, err
	}
	return rows, more, nil
}

// newest returns the newest rows of a place before a time, oldest first.
func newest(ctx context.Context, q *db.Queries, place chat.Place, before int64, limit int) (rows []chat.Row, more bool, err error) {
	stored, err := q.RowsBefore(ctx, db.RowsBeforeParams{
		ChannelID: place.ChannelID, ThreadRootID: place.ThreadRootID, Before: before, Most: int64(limit) + 1,
	})
	if err != nil {
		return nil, false, err
	}
	if place.ThreadRootID != "" {
		// Every row of a thread is younger than its root.
		root, err := threadRoot(ctx, q, place)
		if err != nil {
			return nil, false, err
		}
		if root.CreatedAt < before {
			stored = append(stored, root)
		}
	}
	if len(stored) > limit {
		stored, more = stored[:limit], true
	}
	rows = make([]chat.Row, len(stored))
	for i, row := range stored {
		rows[i] = rowOf(row)
	}
	slices.Reverse(rows)
	return rows, more, nil
}

// threadRoot returns the root of a thread, which has to be a top-level row of
// the channel.
func threadRoot(ctx context.Context, q *db.Queries, place chat.Place) (db.Row, error) {
	root, err := q.Row(ctx, place.ThreadRootID)
	switch {
	case err != nil:
		return db.Row{}, found(err, "thread", place.ThreadRootID)
	case root.ChannelID != place.ChannelID:
		return db.Row{}, notFound("thread in this channel", place.ThreadRootID)
	case root.ThreadRootID != "":
		return db.Row{}, chat.Errorf(chat.CodeInvalid, "The message %q is in a thread itself: name the thread's first message, %q.", root.ID, root.ThreadRootID)
	}
	return root, nil
}

// ThreadSizes returns how many rows name each of these roots; a row without a
// thread has no entry.
func (s *Store) ThreadSizes(ctx context.Context, rootIDs []string) (map[string]int, error) {
	sizes := make(map[string]int, len(rootIDs))
	err := s.view(ctx, "count the rows of threads", func(q *db.Queries) error {
		for _, id := range rootIDs {
			n, err := q.ThreadSize(ctx, id)
			if err != nil {
				return err
			}
			if n > 0 {
				sizes[id] = int(n)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return sizes, nil
}

// CountOlder counts rows, by handle ("" is the owner). Handles that have none
// have no entry.
func (s *Store) CountOlder(ctx context.Context, query run.OlderQuery) (map[string]int, error) {
	counts := map[string]int{}
	between := db.CountBetweenParams{
		ChannelID: query.Place.ChannelID, ThreadRootID: query.Place.ThreadRootID,
		After: micros(query.After), Before: micros(query.Before), NotBy: query.NotBy,
	}
	counted := func(createdAt int64, bindingID string) bool {
		return createdAt > between.After && createdAt < between.Before && (query.NotBy == "" || bindingID != query.NotBy)
	}
	excluded, err := json.Marshal(query.Excluding)
	if err != nil {
		return nil, s.failed("count older rows", err)
	}
	err = s.view(ctx, "count older rows", func(q *db.Queries) error {
		// All of them are counted on the index alone; then the excluded ones, few,
		// are taken off.
		all, err := q.CountBetween(ctx, between)
		if err != nil {
			return err
		}
		for _, by := range all {
			counts[by.Handle] = int(by.Count)
		}
		// Of one that was deleted there is nothing to tell.
		deleted, err := q.CountDeleted(ctx, db.CountDeletedParams(between))
		if err != nil {
			return err
		}
		for _, by := range deleted {
			counts[by.Handle] -= int(by.Count)
		}
		listed, err := q.RowsListed(ctx, string(excluded))
		if err != nil {
			return err
		}
		for _, row := range listed {
			if row.ChannelID == between.ChannelID && row.ThreadRootID == between.ThreadRootID && counted(row.CreatedAt, row.BindingID) {
				counts[row.Handle]--
			}
		}
		if query.Place.ThreadRootID == "" {
			return nil
		}
		root, err := threadRoot(ctx, q, query.Place)
		if err != nil {
			return err
		}
		if root.DeletedAt == 0 && counted(root.CreatedAt, root.BindingID) && !slices.Contains(query.Excluding, root.ID) {
			counts[root.Handle]++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(counts, func(_ string, n int) bool { return n == 0 })
	return counts, nil
}

func rowOf(r db.Row) chat.Row {
	return chat.Row{
		ID: r.ID, ChannelID: r.ChannelID, ThreadRootID: r.ThreadRootID, Kind: chat.RowKind(r.Kind), Handle: r.Handle,
		BindingID: r.BindingID, RunID: r.RunID, Note: chat.Note(r.Note), Body: r.Body, CreatedAt: timeOf(r.CreatedAt),
		EditedAt: timeOf(r.EditedAt), DeletedAt: timeOf(r.DeletedAt),
	}
}
