package sim

import "hearth/backend/token"

// conversation is what one native session was told and what it said, message by
// message.
//
// It only grows: a message that is in it never changes, and none is put in
// between. So two requests of one conversation are its first messages, of one
// fewer than of the other, and share the shorter whole. That is what keeps the
// simulation from comparing millions of tokens with themselves.
type conversation struct {
	ends []int64 // the tokens up to the end of each message
}

// say adds a message of so many tokens.
func (c *conversation) say(tokens int) {
	c.ends = append(c.ends, c.tokens(len(c.ends))+int64(tokens))
}

// tokens counts the first messages.
func (c *conversation) tokens(messages int) int64 {
	if messages == 0 {
		return 0
	}
	return c.ends[messages-1]
}

// request is what one call of a model would carry: a head and the first messages
// of a conversation. The texts of messages are tokenised apart, as no token of an
// API reaches from one message into the next.
type request struct {
	head     []int // tokens of everything before the first message
	of       *conversation
	messages int
}

func (r request) tokens() int64 { return int64(len(r.head)) + r.of.tokens(r.messages) }

// common returns how many tokens two requests of a conversation have in common
// from their beginning.
func common(a, b request) int64 {
	n := token.CommonPrefix(a.head, b.head)
	if n < len(a.head) || n < len(b.head) {
		return int64(n)
	}
	return int64(n) + a.of.tokens(min(a.messages, b.messages))
}
