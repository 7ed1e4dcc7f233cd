package api

import (
	"time"

	"hearth/backend/chat"
)

// Channel is a channel on the wire.
type Channel struct {
	ID         string    `json:"id"`
	Name       string    `json:"name" doc:"Unique among channels that are not archived."`
	Topic      string    `json:"topic"`
	Workspace  string    `json:"workspace" doc:"The absolute folder its agents work in."`
	Direct     bool      `json:"direct" doc:"A direct line to one agent: no mention is needed."`
	CreatedAt  time.Time `json:"created_at"`
	ArchivedAt time.Time `json:"archived_at,omitzero" doc:"Left out: not archived."`

	NewestRowID string    `json:"newest_row_id" doc:"The newest row, one in a thread too; empty: none."`
	NewestAt    time.Time `json:"newest_at,omitzero" doc:"When that was written. Left out: never."`
	ReadRowID   string    `json:"read_row_id" doc:"The read mark: the newest row the owner was shown; empty: none."`
	Unread      int       `json:"unread" doc:"How many rows after the mark the owner did not write, those in threads too. Counted to 100."`
}

func toChannel(c chat.Channel) Channel {
	return Channel{
		ID: c.ID, Name: c.Name, Topic: c.Topic, Workspace: c.Workspace, Direct: c.Direct,
		CreatedAt: utc(c.CreatedAt), ArchivedAt: utc(c.ArchivedAt),
		NewestRowID: c.NewestID, NewestAt: utc(c.NewestAt), ReadRowID: c.ReadID, Unread: c.Unread,
	}
}

// utc brings a time to the wire's form; zero stays zero.
func utc(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC().Truncate(time.Microsecond)
}

// each maps a list; nothing becomes [], never null.
func each[A, B any](in []A, to func(A) B) []B {
	out := make([]B, len(in))
	for i, a := range in {
		out[i] = to(a)
	}
	return out
}

// listed makes [] of nothing.
func listed[A any](in []A) []A {
	if in == nil {
		return []A{}
	}
	return in
}
