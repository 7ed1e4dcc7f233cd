package api

import (
	"context"
	"path/filepath"
	"time"

	"hearth/backend/changes"
	"hearth/backend/chat"
	"hearth/backend/ledger"
	"hearth/backend/logs"
	"hearth/backend/report"
	"hearth/backend/run"
	"hearth/backend/search"
	"hearth/backend/workbench"
)

// Store is what the API reads, and the parts of the house that people arrange
// by hand: channels, bindings, members.
type Store interface {
	Channels(ctx context.Context, archived bool) ([]chat.Channel, error)
	Channel(ctx context.Context, id string) (chat.Channel, error)
	// ChannelByName finds a channel that is not archived by its name, folded.
	ChannelByName(ctx context.Context, name string) (chat.Channel, error)
	CreateChannel(ctx context.Context, c chat.Channel) (chat.Channel, error) // sets ID and CreatedAt
	UpdateChannel(ctx context.Context, c chat.Channel) (chat.Channel, error) // name, topic, workspace, ArchivedAt
	// ArchiveChannel takes what stands in the channel's queues out of them.
	ArchiveChannel(ctx context.Context, id string) (chat.Channel, []run.Run, error)
	// DeleteChannel removes a channel with its rows, bindings, runs, sessions and
	// permissions, and says how many rows went.
	DeleteChannel(ctx context.Context, id string) (rows int, err error)

	// MarkRead moves a channel's read mark forward to a row; moved says whether it did.
	MarkRead(ctx context.Context, channelID, rowID string) (c chat.Channel, moved bool, err error)

	// Page returns a page of a place's rows; a thread's root is not among them.
	Page(ctx context.Context, place chat.Place, page chat.Page) (chat.Paged, error)
	Row(ctx context.Context, id string) (chat.Row, error)
	// ThreadSizes returns how many rows the threads of these roots have.
	ThreadSizes(ctx context.Context, rootIDs []string) (map[string]int, error)
	// Versions returns what a row said before it was edited, newest first.
	Versions(ctx context.Context, rowID string) ([]chat.Version, error)
	Members(ctx context.Context, channelID string) ([]chat.Member, error)
	// Search finds rows of the given channels, newest first.
	Search(ctx context.Context, q search.Request) (search.Results, error)

	Bindings(ctx context.Context, channelID string) ([]chat.Binding, error)
	Binding(ctx context.Context, id string) (chat.Binding, error)
	CreateBinding(ctx context.Context, b chat.Binding) (chat.Binding, error) // sets ID and CreatedAt
	UpdateBinding(ctx context.Context, b chat.Binding) (chat.Binding, error)
	// DeleteBinding removes a binding that is not needed any more, and takes what
	// stands in its queue out of it; its rows stay.
	DeleteBinding(ctx context.Context, id string) ([]run.Run, error)

	// Runs returns the newest runs of a channel before a run ("" is the end),
	// newest first.
	Runs(ctx context.Context, channelID, before string, limit int) (runs []run.Run, more bool, err error)
	Run(ctx context.Context, id string) (run.Run, error)
	RunSent(ctx context.Context, id string) (run.Sent, error)
	RunSteps(ctx context.Context, id string) ([]run.Step, error)
	RunSavings(ctx context.Context, id string) ([]run.Saving, error)

	Permission(ctx context.Context, id string) (run.Permission, error)
	// Permissions returns the newest of a channel ("" is all channels), newest
	// first; open limits them to those that wait for an answer.
	Permissions(ctx context.Context, channelID string, open bool, limit int) ([]run.Permission, error)
	Rules(ctx context.Context, bindingID string) ([]run.Rule, error)

	// ToolCalls returns how often a binding called each tool in runs that have ended,
	// the most called first.
	ToolCalls(ctx context.Context, bindingID string) ([]run.ToolCalls, error)
	// ProcessEnds returns how the last processes of a binding ended, newest first.
	ProcessEnds(ctx context.Context, bindingID string) ([]ledger.ProcessEnd, error)
	// SessionFacts returns what is stored of a native session's turns.
	SessionFacts(ctx context.Context, native string) (run.SessionFacts, error)
	// QueuedRuns returns the first runs that wait in a binding's queue, in order.
	QueuedRuns(ctx context.Context, bindingID string, limit int) ([]run.QueuedRun, error)

	Ledger

	WorkbenchSettings(ctx context.Context) (workbench.Settings, error)
	SetWorkbenchSettings(ctx context.Context, chosen workbench.Settings) error
}

// Runs is what people do to the work of agents.
type Runs interface {
	Post(ctx context.Context, p run.Posting) (chat.Row, []run.Run, error)
	// Edit changes the text of a row of the owner's, and says which of its runs wait
	// now; Delete takes such a row away, or empties it where others know it.
	Edit(ctx context.Context, rowID, body string) (run.Edited, error)
	Delete(ctx context.Context, rowID string) (run.Deleted, error)
	StopRun(ctx context.Context, runID string) (run.Run, error)
	// StopBinding stops the run that a binding is at, if any; queued ones stay.
	StopBinding(ctx context.Context, bindingID string) (stopped bool, err error)
	Retry(ctx context.Context, runID string) (run.Run, error)
	Fresh(ctx context.Context, bindingID string) (chat.Binding, error)
	// UndoFresh takes the last Start fresh back, with the session that the next turn
	// goes on in; zero: there is none to load.
	UndoFresh(ctx context.Context, bindingID string) (chat.Binding, run.Session, error)
	Warm(ctx context.Context, bindingID string) error
	Restore(ctx context.Context, bindingID string) (run.Session, error)
	AnswerPermission(ctx context.Context, id string, a run.Answer) (run.Permission, error)
	// RemoveRule takes back what "always" allowed and ends the agent's process.
	RemoveRule(ctx context.Context, bindingID, ruleID string) error
	// LimitChanged lets the runs go on that wait for a person's word on a channel's
	// spending limit, when nobody has to be asked any more.
	LimitChanged(ctx context.Context, channelID string) error
	// Changes returns what a run made of files, and how they stand now.
	Changes(ctx context.Context, runID string) (run.Run, []run.ChangeView, error)
	// TakeBack gives files the content that they had before a run, or takes that back,
	// and leaves alone what others have changed since.
	TakeBack(ctx context.Context, runID string, t run.Taking) (run.Taken, error)
	// Live returns what a run that is going has said and done so far; ok is false for
	// any other.
	Live(runID string) (going run.Going, ok bool)
	// Arrange stores a change that agents can't work through, while nothing goes
	// on in their queues, and then ends their processes.
	Arrange(ctx context.Context, keys []run.Key, reason string, change func(context.Context) ([]run.Run, error)) error
}

// Presence tells how the agents of a channel are right now.
type Presence interface {
	Presence(ctx context.Context, channelID string) ([]AgentState, error)
	// Detail looks at one agent closely. It asks the agent's client, for some seconds
	// at most; what can't be seen is said in it.
	Detail(ctx context.Context, b chat.Binding) (AgentLook, error)
	// Commands tells what an agent's client can be told to do by itself.
	Commands(ctx context.Context, b chat.Binding) (CommandsLook, error)
}

// CommandsLook is what the client of an agent said that it can be told to do.
type CommandsLook struct {
	Commands []chat.Command
	At       time.Time // when it said so; zero: it never has
	Now      bool      // it is the living one, otherwise the last there was
}

// AgentLook is one agent, looked at closely.
type AgentLook struct {
	State   AgentState
	Process *AgentProcess // nil: none lives
	// Tools are those that the client offers its model, by name; ToolsNow says that it
	// is the living one, otherwise it is the last one of this Hearth that had a turn.
	Tools    []string
	ToolsNow bool
	Servers  []ToolServer // MCP servers, as the living client says
	// ServersFault is why it does not, a sentence for people; "" is no fault.
	ServersFault string
}

// AgentProcess is a living process and all that it started.
type AgentProcess struct {
	PID         int
	BeganAt     time.Time
	MemoryBytes int64 // resident; what processes share is counted in each
	Processes   int
	Fault       string // why its memory can't be seen, a sentence for people
}

// ToolServer is an MCP server that a client works with.
type ToolServer struct {
	Name    string
	Status  string // by the client: connected, failed, needs-auth, pending, ...
	Error   string
	Scope   string // where it is configured: user, project, local, dynamic, ...
	Version string
	Tools   []ServerTool
	LeftOut int // tools that are not among them: there were too many
}

// ServerTool is what a client says of a server's tool.
type ServerTool struct {
	Name        string
	Description string // "" when the client does not say
	ReadOnly    bool
	Destructive bool
	OpenWorld   bool
}

// AgentState is one agent as the roster shows it.
type AgentState struct {
	BindingID     string
	Phase         string // cold, starting, warm, busy, waiting, ending, evicted, crashed
	Native        string // the living native session; "" is none
	PID           int    // 0 is none
	Since         time.Time
	IdleDeadline  time.Time // when an idle process will be ended; zero: not counting
	Asking        int       // questions of it that wait for a person
	Queued        int       // runs that wait in this binding's queue
	RunID         string    // the run it is at; "" is none
	Background    int       // background tasks of its process
	Model         string    // as the client reports it
	ClientVersion string
	Error         string // why the last process ended, when it did not end in order
	Reachable     bool   // its runtime is there (the client was found)
	Restorable    string // the saved native session that could be restored; "" is none
	Restoring     string // the saved native session that its next process loads; "" is none
	Tools         []string
}

// Setup tells what agents need that Hearth does not bring.
type Setup interface {
	// Claude says how Claude Code is here. It answers soon: a look that takes
	// long goes on by itself.
	Claude(ctx context.Context) ClaudeState
	// FirstChannel returns the id of the channel that the first start made, "" when
	// there is none, or not any more.
	FirstChannel(ctx context.Context) (string, error)
}

// ClaudeState is how Claude Code is on this machine.
type ClaudeState struct {
	Found    bool
	Path     string // "" when it was not found
	Version  string
	SignedIn SignedIn
	SignedBy string // how, as the client says it, or the variable that does it; "" is not known
	Command  string // what gets it or signs it in, in a terminal; "" when nothing has to be done, or no command does it
	Problem  string // a sentence for people, "" when nothing is wrong
	How      string // what to do about it, a sentence for people
}

// SignedIn is whether Claude Code has an account or a key of its own.
type SignedIn string

// What is known of that.
const (
	SignedInYes     SignedIn = "yes"
	SignedInNo      SignedIn = "no"
	SignedInUnknown SignedIn = "unknown" // it does not say, or not in time
)

// Logs reads Hearth's log.
type Logs interface {
	Read(ctx context.Context, q logs.Query) (logs.Page, error)
}

// Reports makes a report of this Hearth, without secrets and words.
type Reports interface {
	Report(ctx context.Context) (report.Bundle, error)
}

// Workbenches shows the workbenches of channels.
type Workbenches interface {
	// Workbenches returns what is in a channel's workbenches, its workspace's first.
	// A fault of one is told in it.
	Workbenches(ctx context.Context, c chat.Channel) ([]BenchState, error)
	// OpenEntry opens an entry of a channel's workbench. bench is the workbench's path;
	// "" is the first one that has such an entry. path is relative to the workbench, or
	// absolute in it.
	OpenEntry(ctx context.Context, c chat.Channel, bench, path string) (OpenedEntry, error)
	// FindEntries looks through a channel's workbenches. When ctx ends, what was found so
	// far is returned, with its error.
	FindEntries(ctx context.Context, c chat.Channel, query string, limit int) (found []BenchMatch, more bool, err error)
	// DeleteEntries moves entries into the trash, as far as it can: what it can't is
	// refused for itself. bench and paths are as OpenEntry's.
	DeleteEntries(ctx context.Context, c chat.Channel, bench string, paths []string) (deleted []BenchDeleted, refused []workbench.Refused, err error)
	// Deleted returns what is in the trash, of each workbench the last deleted first.
	Deleted(ctx context.Context, c chat.Channel) ([]BenchDeleted, error)
	// RestoreEntry gives a deleted file its place again, or another ("" is its own), and
	// returns that. It replaces nothing.
	RestoreEntry(ctx context.Context, c chat.Channel, bench, id, path, as string) (string, error)
	// Origin says which run wrote a file of a workbench last; ok is false when none says so.
	Origin(ctx context.Context, c chat.Channel, bench, path string, modified time.Time) (origin Origin, ok bool, err error)
	// ShowEntry opens an entry in the person's editor, or shows it in its folder.
	ShowEntry(ctx context.Context, opened OpenedEntry, inFolder bool) error
	// ShowFile opens any file, as it was just looked at, in the person's editor.
	ShowFile(ctx context.Context, path string, v changes.Version) error
}

// Comparisons plays what was said in a channel again.
type Comparisons interface {
	// Compare says what telling an agent of its channel would have cost, in each of the
	// ways there are. It takes seconds; when ctx ends it stops soon. It answers
	// CodeConflict where nobody has addressed the agent, and CodeUnavailable when it
	// takes too long.
	Compare(ctx context.Context, c chat.Channel, b chat.Binding, o CompareOptions) (Strategies, error)
}

// CompareOptions say how a channel is played.
type CompareOptions struct {
	Rows    int // the newest messages that are played, 1 or more
	Limit   int // the most messages that a turn shows, 1 to 30
	EvictAt int // the mention, from 2 on, that a new process answers; 0 is none
}

// BenchState is one workbench of a channel, at one moment.
type BenchState struct {
	Path       string // absolute
	Name       string // as agents are told
	Outside    bool   // it is not in the workspace
	Exists     bool
	BindingIDs []string // of the agents that work with it
	Inventory  workbench.Inventory
	Index      string // as agents read it; "" when they are told nothing
	Tokens     int    // of the index, about
	Uses       map[string]ScriptUse
	Fault      error // why it can't be looked at
}

// ScriptUse is how often agents wrote and ran a script.
type ScriptUse struct{ Written, Run int }

// OpenedEntry is an entry that is being read, and the path of its workbench.
type OpenedEntry struct {
	Bench string
	*workbench.Opened
}

// AbsolutePath is where it is.
func (o OpenedEntry) AbsolutePath() string { return filepath.Join(o.Bench, filepath.FromSlash(o.Path)) }

// BenchDeleted is a file in the trash, and the path of its workbench.
type BenchDeleted struct {
	Bench string
	workbench.Deleted
}

// Origin is what wrote a file of a workbench last.
type Origin struct {
	RunID, ChannelID, BindingID string
	Handle                      string // of the agent
	AgentID                     string // the subagent or its call; "" is the main thread
	StepID                      string // the tool_use id; "" is not known
	Tool                        string
	Command                     string // "" when it was none
	At                          time.Time
}

// BenchMatch is a place where something was found, and the path of its workbench.
type BenchMatch struct {
	Bench string
	workbench.Match
}
