package run

import (
	"time"

	"hearth/backend/ledger"
)

// Facts is what is known of how a turn was made: what the ledger compares turns
// by, and what the client said of each model. The zero Facts says that nothing is.
type Facts struct {
	Process string // names the process: equal in two turns if and only if the same took both
	Version string // of the client
	// Tools and Framing are what we control of what a request begins with: the tools
	// by their names, our own and the workers by all that is told of them. In a session
	// that goes on with the framing it began with, Framing is that one.
	Tools, Framing ledger.Part
	Settings       map[string]string // as the person had set them when the process started; see ledger.Turn
	Model          string            // of the session, by the client's own name
	Models         []ledger.ModelUse // the client's own count
	Compactions    []ledger.Compaction
}

// TurnOf is a run that has ended as the ledger knows it.
func TurnOf(r Run, f Facts) ledger.Turn {
	u := r.Usage
	return ledger.Turn{
		Run: r.ID, Binding: r.BindingID, Channel: r.ChannelID, Native: r.Native, Process: f.Process, Temperature: r.Temperature,
		Version: f.Version, Tools: f.Tools, Framing: f.Framing, Settings: f.Settings, Models: f.Models, CostUSD: u.CostUSD, Window: u.Window,
		Compactions: f.Compactions, Began: r.StartedAt, Ended: r.EndedAt, Usage: u.Usage, Calls: u.Calls,
	}
}

// TurnsQuery selects turns of the ledger: of a binding, or else of a channel.
type TurnsQuery struct {
	ChannelID string
	BindingID string // "" is all of the channel
	Before    string // a run: only turns that ended before it; "" is the end
	Limit     int
}

// Totals are what a channel's turns used on some days.
type Totals struct {
	All    ledger.Sum
	Days   []DaySum   // those asked for, oldest first
	Agents []AgentSum // who had a turn on those days
	Models []ModelSum // by name
	Saved  []SavedSum // what was kept out of contexts, by kind
}

// DaySum is what one day's turns used.
type DaySum struct {
	Day ledger.Day
	Sum ledger.Sum
}

// AgentSum is what one binding's turns used. The binding may have been removed.
type AgentSum struct {
	BindingID string
	Sum       ledger.Sum
}

// ModelSum is what one model used, the larger of the client's count and the calls.
type ModelSum struct {
	Model string // as the API calls it; "" is what the client names no model for
	Turns int
	Usage ledger.Usage
	Money ledger.Money

	Unpriced int // as in ledger.Sum
}

// SavedSum is what one rule kept out of the agents' contexts.
type SavedSum struct {
	Kind   SavingKind
	Times  int
	Faults int // how often it should have, and could not; in none of the others
	Chars  int64
	Lines  int64
	Tokens int64 // estimated
}

// Handle is how an agent of a channel is called, or was before it was removed.
type Handle struct {
	BindingID string
	Handle    string
	Removed   bool
}

// today is the day of a person's calendar, in the zone of the machine.
func today(now time.Time) ledger.Day { return ledger.DayOf(now, time.Local) }
