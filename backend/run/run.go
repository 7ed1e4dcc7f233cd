package run

import (
	"encoding/json"
	"time"

	"hearth/backend/chat"
	"hearth/backend/delivery"
	"hearth/backend/ledger"
	"hearth/backend/prompt"
)

// MaxHops is how many times in a row agents may wake one another before a
// person has to speak again. Fixed: without it two agents can talk for ever.
const MaxHops = 6

// Run is one piece of work for one binding.
type Run struct {
	ID           string
	ChannelID    string
	BindingID    string
	RowID        string // the row that addressed the agent; "" for an unasked run
	ThreadRootID string // the thread the row stands in and the reply goes to; "" is the channel
	Cause        Cause
	RetryOf      string // the run this one retries
	Hops         int    // agents that woke one another since a person spoke, 0..MaxHops
	State        State
	Temperature  string // warm, restored or cold; "" before a lease was taken
	Native       string // the native session that worked; "" before a lease was taken
	MessageUUID  string // the uuid of the message we sent: what proves that the transcript holds it
	ReplyID      string // the reply row; "" while there is none
	Failure      *Failure
	Usage        Usage
	Break        *ledger.Break // the cache break its turn was, judged by what is stored; nil: none, or not ended
	Changed      Changed
	QueuedAt     time.Time
	StartedAt    time.Time // zero: not begun
	EndedAt      time.Time // zero: not ended
}

// Key names the queue a run stands in.
func (r Run) Key() Key { return Key{ChannelID: r.ChannelID, BindingID: r.BindingID} }

// Place is where the run's row stands and its reply goes.
func (r Run) Place() chat.Place {
	return chat.Place{ChannelID: r.ChannelID, ThreadRootID: r.ThreadRootID}
}

// Key is a queue: one per channel and binding.
type Key struct{ ChannelID, BindingID string }

// FailureCode says what made a run fail.
type FailureCode string

// The failure codes.
const (
	FailStart       FailureCode = "start"       // the agent's process did not start, or would not load the saved session
	FailCrashed     FailureCode = "crashed"     // the process ended in the middle of the turn
	FailAPI         FailureCode = "api"         // the model's API answered with an error
	FailTurn        FailureCode = "turn"        // the client ended the turn with an error of its own
	FailInterrupted FailureCode = "interrupted" // Hearth was stopped, or died, while the run was going
	FailStuck       FailureCode = "stuck"       // the agent did not stop when told to; its process was ended
	FailInternal    FailureCode = "internal"    // our fault
)

// Failure is why a run failed and what became of its message.
type Failure struct {
	Code    FailureCode
	Message string // what happened, for people, with the end of stderr where there is one
	// Held says that the native session holds the run's message although the run
	// failed: its rows count as told, and a living session will see them again.
	Held bool
}

// Usage is what one turn used: its tokens, each message id counted once, and
// CostUSD the client's own figure for this turn alone.
type Usage struct {
	ledger.Usage
	CostUSD float64
	Context int64         // what the conversation holds after the turn; 0: no call of the main thread, or a summary took its place
	Window  int64         // what it can hold, by the client; 0: not said
	TTFT    time.Duration // from the first request of the main thread to the beginning of its answer; 0: not said
	Calls   []ledger.Call // every API call of the turn, in order
}

// Sent is what a turn was sent and how it was chosen, kept for the page that
// explains it.
type Sent struct {
	Blocks     []prompt.Block
	Considered []delivery.Considered
	Omitted    *delivery.Omitted
	Before     *delivery.Watermark // the watermark the rendering started from
	Staged     *delivery.Watermark // what it becomes when the turn is proven; nil for bindings that keep no session
	Index      *IndexMark          // what the session is told of the workbench's index with it; nil when that is nothing new
}

// Step is one thing that happened in a turn: a tool call, a subagent, a status.
// Text deltas are not steps; they pass by as events only.
type Step struct {
	N      int       // 0, 1, 2 … within the run
	Kind   string    // text, thinking, tool, task, status
	ID     string    // the tool_use or task id
	Parent string    // the tool_use id of the subagent this belongs to; "" is the main thread
	Name   string    // the tool's name
	Input  string    // JSON, cut at MaxStepChars
	Output string    // text, cut at MaxStepChars
	Error  bool      // the tool answered with an error
	At     time.Time // when it began
	Took   time.Duration
}

// StepCompacted is the Name of the status step which says that the client put a
// summary in the place of its history: what the session was told before is known
// to it in outline only.
const StepCompacted = "compacted"

func (s Step) compacts() bool { return s.Kind == "status" && s.Name == StepCompacted }

// MaxStepChars is how much of a step's input and output Hearth keeps, in
// characters. Fixed; the transcript has the rest.
const MaxStepChars = 20_000

// Permission is a question the agent's client asked: may this tool run?
type Permission struct {
	ID          string
	RunID       string // "" when it was asked in a turn nobody asked for
	ChannelID   string
	BindingID   string
	Tool        string
	Input       json.RawMessage
	AgentID     string // the subagent that asks; "" is the main thread
	Reason      string // the client's own word on why it asks
	BlockedPath string
	Workspace   string   // the folder it would run in
	Rules       []string // what "always" can allow, in the client's rule syntax, narrowest first; empty: this exact call
	State       PermissionState
	Rule        string // the rule that "always" chose
	Message     string // the reason of a denial, which the agent reads
	AskedAt     time.Time
	AnsweredAt  time.Time
}

// PermissionState is where a permission question stands.
type PermissionState string

// The states of a permission question.
const (
	PermissionOpen    PermissionState = "open"
	PermissionAllowed PermissionState = "allowed" // this once
	PermissionAlways  PermissionState = "always"  // this and what its rule covers, for this agent here
	PermissionDenied  PermissionState = "denied"
)

// Session is a native session of a binding.
type Session struct {
	Native    string
	BindingID string
	ChannelID string
	Workspace string
	StartedAt time.Time
	EndedAt   time.Time // zero: its process lives (or Hearth died with it)
	EndReason string
}
