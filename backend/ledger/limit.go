package ledger

// LimitState is how a channel stands to its spending limit of the day.
type LimitState string

// The states of a limit.
const (
	LimitOK     LimitState = "ok"
	LimitWarned LimitState = "warned" // 80 % of it or more is spent
	LimitAsks   LimitState = "asks"   // all of it or more is spent: a person is asked before the next turn
)

// State says how spent stands to limit. The boundaries belong to the stricter state: exactly 80 % is warned, exactly the
// limit asks. A limit of 0 or less is none.
func State(spent, limit Money) LimitState {
	switch {
	case limit <= 0:
		return LimitOK
	case spent >= limit:
		return LimitAsks
	case spent >= limit-limit/5: // four fifths, rounded up: nothing below 80 % is warned, nor does it overflow
		return LimitWarned
	}
	return LimitOK
}
