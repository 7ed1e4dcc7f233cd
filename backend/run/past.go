package run

import (
	"time"

	"hearth/backend/ledger"
)

// PastLease is a turn that is over, and what became of its process after it.
type PastLease struct {
	Turn ledger.Turn
	// End is how the process ended before its next turn; nil: it had another one, or
	// lives.
	End *ledger.ProcessEnd
}

// PastLeases joins the turns of one binding, oldest first, with the ends of its
// processes, newest first, and returns them newest first. living is the native session
// of the process that there is now; "" is none.
func PastLeases(turns []ledger.Turn, ends []ledger.ProcessEnd, living string) []PastLease {
	out := make([]PastLease, 0, len(turns))
	for i := len(turns) - 1; i >= 0; i-- {
		lease := PastLease{Turn: turns[i]}
		var next *ledger.Turn
		if i+1 < len(turns) {
			next = &turns[i+1]
		}
		lease.End = ledger.EndAfter(&turns[i], next, ends)
		if lease.End == nil && !livedOn(turns[i], next, living) {
			lease.End = &ledger.ProcessEnd{Native: turns[i].Native, How: ledger.EndedUnknown}
		}
		out = append(out, lease)
	}
	return out
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
