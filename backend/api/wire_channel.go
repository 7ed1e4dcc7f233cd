package api

import (
	"cmp"
	"fmt"
	"time"

	"hearth/backend/chat"
)

// Dollars is an amount that a person chose. See chat.ParseDollars.
type Dollars float64

// UnmarshalJSON reads it; null leaves it as it is.
func (d *Dollars) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return nil
	}
	amount, err := chat.ParseDollars(string(text))
	if err != nil {
		return fmt.Errorf("%s is no amount of dollars", text)
	}
	*d = Dollars(amount)
	return nil
}

// Channel is a channel on the wire.
type Channel struct {
	ID         string    `json:"id"`
	Name       string    `json:"name" doc:"Unique among channels that are not archived."`
	Topic      string    `json:"topic"`
	Workspace  string    `json:"workspace" doc:"The absolute folder its agents work in."`
	Direct     bool      `json:"direct" doc:"A direct line to one agent: no mention is needed."`
	GitIgnore  string    `json:"git_ignore" enum:"all,output,nothing" doc:"What git is told to ignore of the workbench when Hearth makes it: all of it, all but scripts and notes, nothing."`
	CreatedAt  time.Time `json:"created_at"`
	ArchivedAt time.Time `json:"archived_at,omitzero" doc:"Left out: not archived."`

	NewestRowID string    `json:"newest_row_id" doc:"The newest row, one in a thread too; empty: none."`
	NewestAt    time.Time `json:"newest_at,omitzero" doc:"When that was written. Left out: never."`
	ReadRowID   string    `json:"read_row_id" doc:"The read mark: the newest row the owner was shown; empty: none."`
	Unread      int       `json:"unread" doc:"How many rows after the mark the owner did not write, those in threads too. Counted to 100."`

	SpendLimitUSD float64 `json:"spend_limit_usd" doc:"What its agents may cost a day, in dollars, before a person is asked; 0: no limit."`
	SpentTodayUSD float64 `json:"spent_today_usd" doc:"What they have cost today; counted only where there is a limit."`
	SpendState    string  `json:"spend_state" enum:",ok,warned,asks" doc:"warned: 80 % of the limit are spent. asks: all of it is, and a person is asked before each turn (a question about the tool \"spend\"). Empty: no limit."`
}

func toChannel(c chat.Channel) Channel {
	return Channel{
		ID: c.ID, Name: c.Name, Topic: c.Topic, Workspace: c.Workspace, Direct: c.Direct,
		GitIgnore: toIgnore(c.Ignore), CreatedAt: utc(c.CreatedAt), ArchivedAt: utc(c.ArchivedAt),
		NewestRowID: c.NewestID, NewestAt: utc(c.NewestAt), ReadRowID: c.ReadID, Unread: c.Unread,
		SpendLimitUSD: c.SpendLimit, SpentTodayUSD: c.Spent, SpendState: spendState(c),
	}
}

// What git ignores, on the wire: "all" for what is "" inside.
const ignoreAll = "all"

func toIgnore(ignore chat.Ignore) string { return cmp.Or(string(ignore), ignoreAll) }

func fromIgnore(ignore string) chat.Ignore {
	if ignore == ignoreAll {
		return chat.IgnoreAll
	}
	return chat.Ignore(ignore)
}

// utc brings a time to the wire's form; zero stays zero.
func utc(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC().Truncate(time.Microsecond)
}

// each maps a list; nothing becomes [], never null.
func each[A, B any](in []A, to func(A) B) []B {
	out := make([]B, len(in))
	for i, a := range in {
		out[i] = to(a)
	}
	return out
}

// listed makes [] of nothing.
func listed[A any](in []A) []A {
	if in == nil {
		return []A{}
	}
	return in
}
