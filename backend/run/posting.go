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
	Runs    []Run // of the row, that wait in queues now
	Queued  []Run // those of them that are new
	Stopped []Run // of agents that are not addressed any more
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
