package run

import "hearth/backend/chat"

// Posting is a row someone wants to post.
type Posting struct {
	ChannelID    string
	ThreadRootID string // "" is the channel's top level
	Author       string // handle of the person; "" is the owner
	Body         string
}

// Editing is a change of a row that its owner wants to make.
type Editing struct {
	RowID string
	Was   string // the body that is changed; another one by now is a conflict
	Body  string
	Runs  []Run // one an agent that Body addresses: BindingID and Cause
	// Addressed are the bindings that Was addressed, of those that are there.
	Addressed map[string]bool
}

// Edited is what came of it.
type Edited struct {
	Row     chat.Row
	Told    bool  // agents were told it before: they hear of the change in their next turn
	Runs    []Run // of the row, that wait in queues now
	Queued  []Run // those of them that are new; none when it was told
	Stopped []Run // of agents that are not addressed any more
}

// Deleted is what came of deleting a row.
type Deleted struct {
	Row     chat.Row // as it was; or emptied, when its place stays
	Told    bool     // agents were told it before: they hear of it in their next turn
	Stopped []Run    // that stood in queues
}

// Decision is a person's answer to a permission question.
type Decision string

// The decisions.
const (
	AllowOnce   Decision = "allow"
	AllowAlways Decision = "always"
	Deny        Decision = "deny"
)

// Answer answers a permission question.
type Answer struct {
	Decision Decision
	Rule     string // for AllowAlways: one of the question's Rules; "" is the first
	Message  string // for Deny: the reason, which the agent reads
}
