package chat

import (
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Channel is a place people and agents write in.
type Channel struct {
	ID         string
	Name       string // unique among channels that are not archived, compared in lower case
	Topic      string
	Workspace  string // absolute folder the channel's agents work in
	Direct     bool   // a direct line: one agent, and every row of a person addresses it
	Ignore     Ignore // what git is told of the workbench, when Hearth makes it there
	CreatedAt  time.Time
	ArchivedAt time.Time // zero: not archived
	SpendLimit float64   // dollars that its agents may cost a day before a person is asked; 0: no limit

	// What the owner has not read yet, rows of threads among it. The store says it
	// of every channel that is read as such; what a turn is made of goes without.
	NewestID string    // the newest row; "" is none
	NewestAt time.Time // when it was written; zero: none
	ReadID   string    // the newest row the owner was shown, the read mark; "" is none
	Unread   int       // rows after ReadID that the owner did not write, 0..MaxUnread
	Spent    float64   // dollars that its agents have cost today; counted only where there is a limit
}

// Archived says whether the channel was put away; nobody can post to it then.
func (c Channel) Archived() bool { return !c.ArchivedAt.IsZero() }

// Check says what is wrong with the channel's own fields, as a CodeInvalid error.
func (c Channel) Check() error {
	if err := CheckName(c.Name); err != nil {
		return err
	}
	if n := utf8.RuneCountInString(c.Topic); n > MaxTopic {
		return Errorf(CodeInvalid, "The topic has %d characters; %d is the most.", n, MaxTopic)
	}
	if hasControl(c.Topic) {
		return Errorf(CodeInvalid, "The topic has a control character or a line break in it; remove it.")
	}
	if c.Workspace == "" || !filepath.IsAbs(c.Workspace) {
		return Errorf(CodeInvalid, "The workspace must be an absolute folder path; got %q.", c.Workspace)
	}
	if strings.ContainsRune(c.Workspace, 0) {
		return Errorf(CodeInvalid, "The workspace path has a NUL byte in it.")
	}
	if !IsSpendLimit(c.SpendLimit) {
		return Errorf(CodeInvalid, "The spending limit is an amount of %.2f to %d dollars a day, or 0 for none.", MinSpendLimit, int(MaxSpendLimit))
	}
	if !slices.Contains(ignores, c.Ignore) {
		return Errorf(CodeInvalid, "Git can be told to ignore all of the workbench, its output, or nothing; got %q.", c.Ignore)
	}
	return nil
}

// The lowest and the highest spending limit, in dollars a day. Fixed: less than a
// cent is a slip, and it would ask before every turn.
const (
	MinSpendLimit = 0.01
	MaxSpendLimit = 1_000_000
)

// IsSpendLimit says whether an amount of dollars can be a spending limit; 0, for none,
// can. What is no number can't.
func IsSpendLimit(amount float64) bool {
	return amount == 0 || amount >= MinSpendLimit && amount <= MaxSpendLimit
}

// ParseDollars reads an amount as JSON and people write it. One that is so small
// that a float64 holds it as 0 is the least there is, as 0 means something else. The
// error is strconv's; an amount that is too large is one.
func ParseDollars(text string) (float64, error) {
	amount, err := strconv.ParseFloat(text, 64)
	if digits, _, _ := strings.Cut(strings.ToLower(text), "e"); err == nil && amount == 0 && strings.ContainsAny(digits, "123456789") {
		amount = math.SmallestNonzeroFloat64
	}
	return amount, err
}

// Ignore is what a person wants git to see of a channel's workbench. It is asked
// when Hearth makes the workbench; afterwards its .gitignore is the person's own.
type Ignore string

// The choices.
const (
	IgnoreAll     Ignore = ""        // nothing of it is seen
	IgnoreOutput  Ignore = "output"  // scripts and notes are kept in git
	IgnoreNothing Ignore = "nothing" // there is no .gitignore
)

var ignores = []Ignore{IgnoreAll, IgnoreOutput, IgnoreNothing}

func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r)
	})
}
