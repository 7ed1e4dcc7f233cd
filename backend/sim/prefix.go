package sim

import (
	_ "embed"
	"strings"
	"time"
)

// The tool definitions and the system prompt of a request, written for this
// simulation. With the framing of an agent named claude that gets its brief in
// every turn they are PrefixTokens; a test holds them to it.
var (
	//go:embed tools.jsonl
	tools string
	//go:embed system.txt
	system string
)

// PrefixTokens is what the prefix of the generated channel has, in tokens, in
// every strategy but hearth, whose framing holds the brief too. The published
// simulation has it.
const PrefixTokens = 2120

// prefix returns the texts that stand before the first message, in the order of
// the Messages API: tools, then the system prompt, to which the framing is
// appended.
func prefix(framing string) []string {
	return []string{tools, strings.TrimSpace(system) + "\n\n" + framing}
}

// presence is the line that unstable puts in front of everything. For the
// generated channel it has PresenceTokens.
func presence(channel string, turn int, at time.Time) string {
	online := string(rune('2' + turn%5)) // people come and go
	return "Channel #" + channel + " · " + online + " online · branch main · turn at " + at.UTC().Format("2006-01-02 15:04:05 MST") + "\n"
}

// PresenceTokens is what the line that unstable puts in front has, in tokens.
const PresenceTokens = 28
