package ledger

import "time"

// Ending says how a process ended.
type Ending string

// The endings; see Endings.
const (
	EndedIdle     Ending = "idle"     // nobody spoke to it for the idle time
	EndedEvicted  Ending = "evicted"  // another agent wanted its place
	EndedCrashed  Ending = "crashed"  // by itself, out of order
	EndedFresh    Ending = "fresh"    // a person started the agent fresh
	EndedClosed   Ending = "closed"   // Hearth was closed
	EndedLost     Ending = "lost"     // Hearth died, and it with Hearth
	EndedChanged  Ending = "changed"  // the agent's settings were changed
	EndedRevoked  Ending = "revoked"  // a permission was taken back
	EndedReplaced Ending = "replaced" // to restore a saved session
	EndedAfresh   Ending = "afresh"   // its agent keeps none between turns
	EndedOther    Ending = "ended"    // for another reason, which stands beside it
	EndedUnknown  Ending = "unknown"  // it did, and nobody wrote down how
)

// An EndingInfo is what is to be known of an ending. Both texts are for people, begin with a capital and end with a full stop.
type EndingInfo struct {
	Ending   Ending
	Sentence string // what happened
	Advice   string // what one can do, where that is something; "" otherwise
}

// Endings are all endings.
func Endings() []EndingInfo {
	return []EndingInfo{
		{EndedIdle, "Nobody had asked the agent anything for its idle time, so its process was ended.", restore},
		{EndedEvicted, "Its process had made room for another agent.", restore + " With fewer agents at work at a time, each keeps its process."},
		{EndedCrashed, "Its process had crashed.", restore + " Why it crashed stands in the log."},
		{EndedFresh, "The agent had been started fresh.", ""},
		{EndedClosed, "Hearth had been closed.", restore + " A Hearth that goes on in the background keeps its agents."},
		{EndedLost, "Hearth had not been closed in order, and its process ended with it.", restore},
		{EndedChanged, "Its process was ended because the agent's settings were changed.", "Change settings between pieces of work, not in the middle of one."},
		{EndedRevoked, "Its process was ended because a permission was taken back.", restore},
		{EndedReplaced, "Its process was ended so that a saved session could be restored.", ""},
		{EndedAfresh, "The agent keeps no process between its turns.", "An agent that stays resident remembers, and sends only what is new."},
		{EndedOther, "Its process had ended.", restore},
		{EndedUnknown, "Why its process ended is not known.", ""},
	}
}

const restore = "Restore, before it is asked again, has it go on with its saved session."

// Sentence is what happened, for people.
func (e Ending) Sentence() string { return e.info().Sentence }

// Advice is what one can do about it, for people; "" for nothing.
func (e Ending) Advice() string { return e.info().Advice }

func (e Ending) info() EndingInfo {
	all := Endings()
	for _, info := range all {
		if info.Ending == e {
			return info
		}
	}
	return all[len(all)-1]
}

// ProcessEnd is how one process of a binding ended.
type ProcessEnd struct {
	Native string // the native session it held
	How    Ending
	Reason string // in words; "" when How says it all
	// At is when that was put down: of a process that was lost, when Hearth was started again. Zero: not known.
	At time.Time
}

// EndAfter is how the process of a turn ended before the next turn of its binding (nil: there was none yet), among the ends of
// the binding's processes, newest first. It can lie within the turn: a process that crashes ends it. nil: none is known.
func EndAfter(turn, next *Turn, ends []ProcessEnd) *ProcessEnd {
	var found *ProcessEnd
	for i := range ends {
		e := &ends[i]
		if e.Native == turn.Native && e.At.After(turn.Began) && (next == nil || e.At.Before(next.Began)) {
			found = e // the first one after it: a later one is that of a process that had no turn
		}
	}
	return found
}
