package run

// Posting is a row someone wants to post.
type Posting struct {
	ChannelID    string
	ThreadRootID string // "" is the channel's top level
	Author       string // handle of the person; "" is the owner
	Body         string
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
