package run

import (
	"slices"

	"hearth/backend/chat"
)

// State is where a run stands.
type State string

// The states of a run. The last four are ends.
const (
	Queued    State = "queued"    // stored with the row that caused it; not begun
	Waiting   State = "waiting"   // wants a process while every place is taken by a busy one
	Running   State = "running"   // its message is on the way to the agent, or the agent works
	Succeeded State = "succeeded" // answered
	Declined  State = "declined"  // the agent refused, with a reason; the session heard the turn
	Failed    State = "failed"    // it ended with an error, kept in Failure; can be retried
	Stopped   State = "stopped"   // a person stopped it, or took it out of the queue
)

// Ended says whether the state is an end.
func (s State) Ended() bool {
	return s == Succeeded || s == Declined || s == Failed || s == Stopped
}

// moves is the whole state machine: from where to where.
var moves = map[State][]State{
	Queued:  {Waiting, Running, Stopped, Failed},
	Waiting: {Queued, Running, Stopped, Failed},
	Running: {Succeeded, Declined, Failed, Stopped},
}

// CheckMove says whether a run may go from one state to another; an end is
// never left.
func CheckMove(from, to State) error {
	if slices.Contains(moves[from], to) {
		return nil
	}
	return chat.Errorf(chat.CodeConflict, "A run that is %s can't become %s.", from, to)
}

// Cause is why a run exists.
type Cause string

// The causes of a run.
const (
	CauseMention Cause = "mention" // a row named the agent
	CauseDirect  Cause = "direct"  // a row on a direct line
	CauseAgent   Cause = "agent"   // another agent's channel_post addressed it
	CauseRetry   Cause = "retry"   // a person retried a run that failed or was stopped
	CauseUnasked Cause = "unasked" // the agent took a turn by itself
)
