package chat

import (
	"strings"
	"time"
	"unicode/utf8"
)

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
}

// Place is where a row stands: a channel's top level or one thread.
type Place struct {
	ChannelID    string
	ThreadRootID string // "" is the channel's top level
}

// CleanBody repairs invalid UTF-8 and drops trailing white space.
func CleanBody(body string) string {
	return strings.TrimRight(strings.ToValidUTF8(body, "\uFFFD"), " \t\r\n")
}

// CheckBody says what is wrong with a message's text.
func CheckBody(body string) error {
	if strings.TrimSpace(body) == "" {
		return Errorf(CodeInvalid, "The message is empty; write something first.")
	}
	if n := utf8.RuneCountInString(body); n > MaxBody {
		return Errorf(CodeTooLarge, "The message has %d characters; %d is the most. Put long text into a file of the workspace and name it.", n, MaxBody)
	}
	if strings.ContainsRune(body, 0) {
		return Errorf(CodeInvalid, "The message has a NUL character in it; remove it.")
	}
	return nil
}
