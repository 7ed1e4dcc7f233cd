package run

import (
	"context"
	"encoding/json"
	"time"

	"hearth/backend/changes"
	"hearth/backend/chat"
	"hearth/backend/delivery"
	"hearth/backend/ledger"
	"hearth/backend/prompt"
)

// Store keeps rows, runs, watermarks, sessions and permissions. Each method that
// changes something is one transaction. Methods marked durable have been synced
// to disk when they return; the others are safe from a crash of the process and
// become durable with the next durable one.
type Store interface {
	// Channel and Binding answer CodeNotFound for ids they do not know.
	Channel(ctx context.Context, id string) (chat.Channel, error)
	Binding(ctx context.Context, id string) (chat.Binding, error)
	Bindings(ctx context.Context, channelID string) ([]chat.Binding, error)
	Row(ctx context.Context, id string) (chat.Row, error)

	// Post stores a row and the runs it causes, durable. It sets the row's ID and
	// CreatedAt (strictly after every row of the channel) and the runs' IDs; the
	// runs come back queued. A new author becomes a member.
	Post(ctx context.Context, row chat.Row, runs []Run) (chat.Row, []Run, error)

	// Edit changes the body of a row of the owner's, and takes runs out of the queue
	// for whom it addresses no more, durable. While no agent was told the row, those
	// it addresses now get runs; afterwards what it said is kept as a version, and a
	// correction tells those who know it. CodeConflict when its body is not Was any
	// more.
	Edit(ctx context.Context, e Editing) (Edited, error)
	// Delete removes a row of the owner's with the runs it caused, durable. One that
	// agents were told, or that was answered in its thread, is emptied instead, with a
	// correction. The runs that stood in a queue come back as stopped.
	Delete(ctx context.Context, rowID string) (Deleted, error)

	// QueuedKeys returns the queues that hold queued or waiting runs.
	QueuedKeys(ctx context.Context) ([]Key, error)
	// Next returns the oldest queued or waiting run of a queue; ok is false when
	// there is none.
	Next(ctx context.Context, key Key) (r Run, ok bool, err error)
	Run(ctx context.Context, id string) (Run, error)
	// Wait moves a run between queued and waiting.
	Wait(ctx context.Context, runID string, waiting bool) error
	// Material reads what one turn is made of, in one snapshot; the exchanges only
	// for a turn that replays them, and without those of the run's own native session.
	Material(ctx context.Context, r Run, replays bool) (Material, error)
	// CountOlder counts rows, by handle ("" is the owner).
	CountOlder(ctx context.Context, q OlderQuery) (map[string]int, error)
	// Begin moves a queued or waiting run to running and stages its watermark. It
	// answers CodeConflict when the run is no longer there to begin (taken out of
	// the queue meanwhile), and ErrRevised when a row of the channel was edited or
	// deleted since the material was read.
	Begin(ctx context.Context, b Beginning) error
	// Finish ends a running run, durable: the reply row, the run's end, its usage
	// and steps, its line in the ledger, and the watermark (committed when Commit, discarded otherwise).
	// The run comes back as it ended, the reply (nil: none) with its ID and CreatedAt.
	Finish(ctx context.Context, f Finishing) (ended Run, reply *chat.Row, err error)
	// Unasked stores a run nobody asked for, already ended, durable; its place is
	// that of the binding's latest run in the same native session. Of f it takes the
	// state and what there is beside it.
	Unasked(ctx context.Context, r Run, f Finishing) (Run, *chat.Row, error)
	// Cancel ends a queued or waiting run as stopped, or, with a failure, as failed,
	// durable. CodeConflict when it has begun or ended.
	Cancel(ctx context.Context, runID string, failure *Failure) (Run, error)
	// Retry queues a new run for the row of one that failed or was stopped,
	// durable. CodeConflict for any other run, and when it was retried already.
	Retry(ctx context.Context, runID string) (Run, error)
	// HalfEnded returns the runs found running at start: Hearth died with them.
	HalfEnded(ctx context.Context) ([]Run, error)

	// Change returns what a run has made of a file so far, with the contents that are
	// kept; ok is false when nothing.
	Change(ctx context.Context, runID, path string) (c changes.Change, ok bool, err error)
	// PutChange stores what a run has made of a file; with ok false that it has made
	// nothing of it. Of files beyond changes.MaxFiles nothing is stored.
	PutChange(ctx context.Context, runID string, c changes.Change, ok bool) error
	// Changes returns what a run has made of files, in order, with the contents that
	// are kept.
	Changes(ctx context.Context, runID string) ([]changes.Change, error)
	// LaterChanges returns which runs have changed files after a run did, and have not
	// been taken back, oldest first, by path.
	LaterChanges(ctx context.Context, r Run, paths []string) (map[string][]LaterChange, error)
	// MoveChanges notes that changes are about to be taken back, or put back, and keeps
	// what stands in their files, durable.
	MoveChanges(ctx context.Context, runID string, moves []ChangeMove) error
	// SettleChanges notes what came of that, with the row that tells of it (nil: none),
	// durable.
	SettleChanges(ctx context.Context, runID string, settled []ChangeMove, row *chat.Row) (Run, *chat.Row, error)
	// MovingChanges returns what Hearth died with while it was taken back or put back,
	// by run.
	MovingChanges(ctx context.Context) (map[string][]ChangeMove, error)

	// Fresh starts a binding afresh, durable: forgets its watermarks, ends its
	// session, clears what was to be restored, and sets FreshAt.
	Fresh(ctx context.Context, bindingID string) (chat.Binding, error)
	// CanUndoFresh answers CodeConflict when UndoFresh would.
	CanUndoFresh(ctx context.Context, bindingID string) error
	UndoFresh(ctx context.Context, bindingID string) (chat.Binding, error)

	// StartSession and EndSession record native sessions, and how their processes
	// ended.
	StartSession(ctx context.Context, s Session) error
	EndSession(ctx context.Context, native string, how ledger.Ending, reason string) error
	// Restorable returns the newest ended native session of a binding since its
	// last Start fresh; ok is false when there is none.
	Restorable(ctx context.Context, bindingID string) (s Session, ok bool, err error)

	// Ask records an open permission question under the ID it has, durable.
	Ask(ctx context.Context, p Permission) (Permission, error)
	// Answer closes an open one, durable; with state PermissionAlways it adds the
	// rule to the binding's, unless it is about ToolSpend. CodeConflict when it is
	// closed already.
	Answer(ctx context.Context, id string, state PermissionState, rule, message string) (Permission, error)
	Permission(ctx context.Context, id string) (Permission, error)
	OpenPermissions(ctx context.Context) ([]Permission, error)
	// OpenQuestions returns a channel's open questions about a tool, oldest first.
	OpenQuestions(ctx context.Context, channelID, tool string) ([]Permission, error)
	// AlwaysAllowed says whether a person has answered a question about a tool in a
	// channel with "always" that was asked since then.
	AlwaysAllowed(ctx context.Context, channelID, tool string, since time.Time) (bool, error)
	// Rules returns what "always" has allowed a binding; an exact rule is one call.
	Rules(ctx context.Context, bindingID string) ([]Rule, error)
	// RemoveRule takes one back, durable; CodeNotFound when there is none.
	RemoveRule(ctx context.Context, bindingID, id string) error
}

// Rule is something a person has allowed an agent for good.
type Rule struct {
	ID    string
	At    time.Time       // since when
	Text  string          // in the client's rule syntax; "" for an exact one
	Tool  string          // of an exact rule
	Input json.RawMessage // of an exact rule: this very input
}

// Material is what one turn is made of.
type Material struct {
	Channel   chat.Channel
	RevisedAt time.Time // when a row of the channel was last edited or deleted; zero: never
	Binding   chat.Binding
	Agents    []chat.Binding // every agent of the channel, the addressed one too
	Addressed chat.Row
	Rows      []chat.Row           // the newest delivery.Newest rows of the place, oldest first
	Held      map[string]time.Time // rows that other queued or waiting runs of this binding will bring, and when they were posted
	// Watermarks are the binding's in this channel by thread ("" is the channel).
	Watermarks map[string]delivery.Watermark
	// Corrections are the channel's that the run's session may not have heard of.
	Corrections []chat.Correction
	Index       *IndexMark // what the binding's newest session was told of the workbench; nil: nothing yet
	// Exchanges is what the binding was asked and answered in this channel since
	// its last Start fresh, oldest first, the newest 400.
	Exchanges []prompt.Exchange
}

// OlderQuery selects rows of a place that came before those a rendering looks
// at and that the session has not heard of.
type OlderQuery struct {
	Place     chat.Place
	Before    time.Time // strictly
	After     time.Time // strictly; zero: from the first row on
	NotBy     string    // a binding whose rows do not count; "" counts all
	Excluding []string  // row ids that do not count
}

// Beginning is what is known when a run begins.
type Beginning struct {
	RunID       string
	Native      string
	Temperature string
	MessageUUID string
	Sent        Sent
	RevisedAt   time.Time // of the material that Sent was made of
}

// Finishing is what is known when a run ends.
type Finishing struct {
	RunID   string
	State   State // Succeeded, Declined, Failed or Stopped
	Reply   string
	Note    chat.Note // of the reply row
	Failure *Failure
	Usage   Usage
	Facts   Facts
	Steps   []Step
	Savings []Saving
	// Compacted says that the session knows what it was told before, and in this turn,
	// in outline only: it is told the index anew.
	Compacted bool
	// Interim are the rows the agent posted while its turn was going. Together with
	// the reply they are known to the session that wrote them.
	Interim []string
	// Commit makes the staged watermark the session's; false discards it.
	Commit bool
}

// Agents gives leases on agents' processes.
type Agents interface {
	// Lease borrows the process of a binding, starting it when there is none.
	// waiting is called once if every place is taken by a busy process. The
	// error of a process that does not start carries the end of its stderr.
	Lease(ctx context.Context, c chat.Channel, b chat.Binding, waiting func()) (Lease, error)
	// Warm starts the process ahead of a turn, only into a free place.
	Warm(ctx context.Context, c chat.Channel, b chat.Binding) error
	// End ends the process of a binding, if it has one, and waits for that; reason is
	// put down (BecauseFresh and so on, or other words). What its next process was to
	// load is forgotten.
	End(ctx context.Context, key Key, reason string) error
	// Restore makes the next process of a binding load a saved native session.
	Restore(key Key, native string)
	// Holds says whether the transcript of a native session holds the message
	// with this uuid, whether or not a process is alive.
	Holds(ctx context.Context, workspace, native, messageUUID string) (bool, error)
}

// Files are the files that agents change.
type Files interface {
	// Look returns what a file is now; no file is the zero Version.
	Look(path string) (changes.Version, error)
	// Replace makes a file another version if it has the hash expect now, and returns
	// what it took out of its place; changes.ErrChanged when it has not.
	Replace(path, expect string, want changes.Version) (changes.Version, error)
}

// Lease is the right to one turn with one process.
type Lease interface {
	Native() string
	Temperature() prompt.Temperature
	// Framing is what the process was started with.
	Framing() string
	// Commands are those that the process's client said it has.
	Commands() []chat.Command
	// Turn sends one message and listens until its end. After a command a process is
	// lent as it was before: it has been told nothing of what its first turn tells.
	Turn(ctx context.Context, m Message, sink func(Happening)) (Outcome, error)
	// Release gives the process back.
	Release()
}

// Message is what a turn sends.
type Message struct {
	UUID    string // what proves that the transcript holds it
	Text    string
	Command bool // it is a command of the client's and nothing else
}

// Happening is something the agent did while its turn was going: a delta of
// text, or a step begun, progressed or ended.
type Happening struct {
	Delta string // text to append to the reply as it streams; "" when this is a step
	Step  *Step  // N and At are set by the run
	Done  bool   // of a step: it has ended
	// Retract says that all before it belonged to another turn, which the agent
	// took by itself in the same moment.
	Retract bool
}

// Outcome is how a turn ended on the agent's side.
type Outcome struct {
	Reply       string
	IsError     bool
	API         bool   // of an error: the model's API answered with it
	Message     string // of an error
	Interrupted bool
	Local       bool       // the client answered by itself: no model was called
	Compacted   *Compacted // the newest summary that took the place of the history; nil: none did
	Usage       Usage
	Facts       Facts
}

// Compacted is how large a history was, in tokens, before a summary took its place,
// and how large the summary is; 0: not said.
type Compacted struct{ Before, After int64 }

// Clock tells the time; tests replace it.
type Clock func() time.Time
