package chat

import "time"

// RowKind tells who wrote a row.
type RowKind string

// The kinds of row.
const (
	KindUser  RowKind = "user"  // a person
	KindAgent RowKind = "agent" // an agent
)

// Note marks a row that is more than a plain message.
type Note string

// The notes a row can carry.
const (
	NoteNone     Note = ""
	NoteInterim  Note = "interim"  // a word an agent said while its turn was still going
	NoteDeclined Note = "declined" // an agent refused what it was asked; the body is the reason
	NoteUnasked  Note = "unasked"  // the outcome of a turn nobody asked for
	NoteUndone   Note = "undone"   // the owner took back what a run changed, or put it back; Hearth wrote the body
	NoteCommand  Note = "command"  // the answer to a command, by the client or by Hearth: no model said it
)

// Row is one message in a channel.
type Row struct {
	ID           string
	ChannelID    string
	ThreadRootID string // "" for a top-level row
	Kind         RowKind
	Handle       string // "" is the owner
	BindingID    string // the agent that wrote it; "" for people
	RunID        string // the run it was written in; "" for people
	Note         Note
	Body         string
	CreatedAt    time.Time // strictly increasing within a channel, in whole microseconds
	EditedAt     time.Time // when the owner last changed the body; zero: never
	DeletedAt    time.Time // when the owner deleted it, and its body with that; zero: it stands
}

// Deleted says whether the owner deleted the row. Its place stays for those who
// know it: agents that were told it, and whoever answered it in its thread.
func (r Row) Deleted() bool { return !r.DeletedAt.IsZero() }

// Version is what a row said before it was edited.
type Version struct {
	Body string
	At   time.Time // since when it had said so
}

// Correction says that a row was edited or deleted after agents had been told it.
// A row has one, the newest.
type Correction struct {
	ID  string // sorts by time among the ids of rows
	At  time.Time
	Row Row // as it is now
}

// IsOwners says whether the owner wrote the row.
func (r Row) IsOwners() bool { return r.Kind == KindUser && r.Handle == "" }

// Place is where a row stands: a channel's top level or one thread.
type Place struct {
	ChannelID    string
	ThreadRootID string // "" is the channel's top level
}

// Page says which rows of a place are wanted. At most one of Before, After, Around
// and Since is given; without one they are the newest. A row that is named may stand
// anywhere in the channel: only its time counts.
type Page struct {
	Before string    // rows before this one, the nearest
	After  string    // rows after this one, the nearest
	Around string    // the row itself, half of the others before it, half after it
	Since  time.Time // rows of this moment and later, the nearest
	Limit  int       // 1 or more
}

// Paged is a page of rows.
type Paged struct {
	Rows      []Row // oldest first
	HasBefore bool  // there are rows of the place before the first
	HasAfter  bool  // there are rows of the place after the last
}
