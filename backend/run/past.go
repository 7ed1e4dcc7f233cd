package run

import (
	"time"

	"hearth/backend/ledger"
)

// Ending says how a process ended.
type Ending string

// The endings.
const (
	EndedIdle    Ending = "idle"    // nobody spoke to it for the idle time
	EndedEvicted Ending = "evicted" // another agent wanted its place
	EndedCrashed Ending = "crashed" // by itself, out of order
	EndedFresh   Ending = "fresh"   // a person started the agent fresh
	EndedClosed  Ending = "closed"  // Hearth was closed
	EndedLost    Ending = "lost"    // Hearth died, and it with Hearth
	EndedOther   Ending = "ended"   // for another reason, which stands beside it
	EndedUnknown Ending = "unknown" // it did, and nobody wrote down how
)

// ProcessEnd is how one process of a binding ended.
type ProcessEnd struct {
	Native string // the native session it held
	How    Ending
	Reason string // in words; "" when How says it all
	At     time.Time
}

// PastLease is a turn that is over, and what became of its process after it.
type PastLease struct {
	Turn ledger.Turn
	// End is how the process ended before its next turn; nil: it had another one, or
	// lives.
	End *ProcessEnd
}

// PastLeases joins the turns of one binding, oldest first, with the ends of its
// processes, newest first, and returns them newest first. living is the native session
// of the process that there is now; "" is none.
func PastLeases(turns []ledger.Turn, ends []ProcessEnd, living string) []PastLease {
	out := make([]PastLease, 0, len(turns))
	for i := len(turns) - 1; i >= 0; i-- {
		lease := PastLease{Turn: turns[i]}
		var next *ledger.Turn
		if i+1 < len(turns) {
			next = &turns[i+1]
		}
		lease.End = endAfter(turns[i], next, ends)
		if lease.End == nil && !livedOn(turns[i], next, living) {
			lease.End = &ProcessEnd{Native: turns[i].Native, How: EndedUnknown}
		}
		out = append(out, lease)
	}
	return out
}

// endAfter is the end of a turn's process. It can lie within the turn: a process that
// crashes ends it.
func endAfter(turn ledger.Turn, next *ledger.Turn, ends []ProcessEnd) *ProcessEnd {
	var found *ProcessEnd
	for i := range ends {
		e := &ends[i]
		if e.Native == turn.Native && e.At.After(turn.Began) && (next == nil || e.At.Before(next.Began)) {
			found = e // the first one after it: a later one is that of a process that had no turn
		}
	}
	return found
}

// livedOn says whether the process of a turn had the next one too, or lives.
func livedOn(turn ledger.Turn, next *ledger.Turn, living string) bool {
	if next != nil {
		return next.Temperature == ledger.Warm
	}
	return turn.Native == living
}

// QueuedRun is a run that waits in a queue, and the message that it is about.
type QueuedRun struct {
	RunID    string
	RowID    string // "" for a run that no message asked for
	Handle   string // who wrote it; "" is the owner
	Agent    bool   // an agent wrote it
	Body     string
	QueuedAt time.Time
}

// SessionFacts is what is stored of a native session's turns.
type SessionFacts struct {
	Turns   int       // that began in it
	BeganAt time.Time // the first of them; zero: there was none
}
