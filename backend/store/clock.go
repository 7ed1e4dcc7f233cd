package store

import (
	"context"
	"math"
	"time"

	"hearth/backend/chat"
	"hearth/backend/store/db"
)

// endOfTime is later than every stored time.
const endOfTime = math.MaxInt64

// micros is a time as it is stored; the zero time is 0.
func micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

// timeOf is the opposite of micros.
func timeOf(micros int64) time.Time {
	if micros == 0 {
		return time.Time{}
	}
	return time.UnixMicro(micros).UTC()
}

// tick takes the next time of a channel's clock. keep stores that it was taken.
func (s *Store) tick(c *db.Channel) int64 {
	c.LastAt = max(s.clock().UnixMicro(), c.LastAt+1)
	return c.LastAt
}

// tickRow takes the next time and the id of a row made then. Ids sort as times do.
func (s *Store) tickRow(c *db.Channel) (id string, at int64) {
	at = s.tick(c)
	id = chat.NewID(timeOf(at))
	if id <= c.LastID {
		// The last row is of the same millisecond and its id was made by an earlier
		// process, or with other channels' in between: the next millisecond is free.
		at = (at/1000 + 1) * 1000
		id = chat.NewID(timeOf(at))
	}
	c.LastAt, c.LastID = at, id
	return id, at
}

// keep stores how far a channel's clock has come.
func keep(ctx context.Context, q *db.Queries, c db.Channel) error {
	return q.SetLast(ctx, db.SetLastParams{ID: c.ID, LastAt: c.LastAt, LastID: c.LastID})
}
