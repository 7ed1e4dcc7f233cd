package tool

import (
	"context"
	"time"

	"hearth/backend/chat"
)

// Scope says for whom a server speaks.
type Scope struct {
	ChannelID string
	BindingID string
}

// Backend is what the tools need to know and to do. Its errors are shown to
// agents: a coded one ([chat.Error]) as it stands, any other as our own fault.
// Every method stays within the scope's channel, and answers
// [chat.CodeNotFound] for a row of another one.
type Backend interface {
	// History returns the newest rows of a place, strictly older than a row when
	// one is given.
	History(ctx context.Context, scope Scope, q HistoryQuery) (Page, error)
	// Message returns one row.
	Message(ctx context.Context, scope Scope, rowID string) (Row, error)
	Roster(ctx context.Context, scope Scope) (Roster, error)
	// Activity returns the channel's runs and its workspace, an absolute folder.
	Activity(ctx context.Context, scope Scope) (runs RunActivity, workspace string, err error)
	// Post stores an interim word of the agent where its turn belongs (the thread
	// or the channel) and wakes the agents it names.
	Post(ctx context.Context, scope Scope, r PostRequest) (PostResult, error)
	// Decline makes the reason the reply of the turn that is going, marked as a
	// refusal.
	Decline(ctx context.Context, scope Scope, reason string) error
}

// HistoryQuery selects rows.
type HistoryQuery struct {
	Before       string // row id; "" is the end
	ThreadRootID string // "" is the channel's top level
	Limit        int    // 1..MaxLimit
}

// Page is a stretch of rows, oldest first.
type Page struct {
	Rows []Row
	More bool // there are older ones
}

// Row is a row and the size of the thread it began.
type Row struct {
	chat.Row
	Replies int // rows in its thread, itself not counted; 0: there is none
}

// Roster is who is in a channel.
type Roster struct {
	Channel   string // its name
	Topic     string
	Workspace string
	People    []Person
	Agents    []Agent
}

// Person is a member of the channel.
type Person struct {
	Handle string // "" is the owner
}

// Agent is one agent of the channel.
type Agent struct {
	Handle    string
	Self      bool   // the one that asks
	State     string // one word: cold, warm, busy, ...
	Reachable bool   // it can be woken
	Model     string // "" when nobody knows yet
}

// RunActivity is what the channel's agents do and did.
type RunActivity struct {
	Running []RunLine // queued and waiting ones too, oldest first
	Recent  []RunLine // ended ones, newest first
}

// RunLine is one run.
type RunLine struct {
	RunID     string
	Handle    string // of the agent
	State     string // queued, running, succeeded, ...
	Asked     string // the text that caused it; shown by its beginning; "" when nobody asked
	StartedAt time.Time
	EndedAt   time.Time // zero: not ended
}

// PostRequest is an interim word.
type PostRequest struct {
	Body string   // clean, 1..chat.MaxBody characters
	To   []string // handles of the agents to wake, without @, at most chat.MaxRecipients, each once
}

// PostResult is what came of it.
type PostResult struct {
	RowID      string
	Woke       []string          // handles
	NotReached map[string]string // the other handles, and why
}
