package sim

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"hearth/backend/chat"
	"hearth/backend/delivery"
	"hearth/backend/plain"
)

// Channel is what is played.
type Channel struct {
	Name   string // without #
	Agent  string // the handle of the agent that is played, without @
	Direct bool   // every message of a person addresses the agent
	Rows   []Row  // as they were posted, created_at strictly increasing
	Older  bool   // there are messages before these, which are left out
}

// Row is a message of a channel. Own need not be set: it follows from the handle.
type Row struct {
	delivery.Row
	// Answers is the id of the row that this one, by the agent, is the reply to.
	// Where no row of the channel has it, replies are taken in the order of what
	// they answer, place by place.
	Answers string
}

// place is the channel's top level or one thread.
type place struct {
	thread string
	rows   []delivery.Row // oldest first; a thread's root is its first
	last   int            // the index of the last row that addresses the agent, -1: none
}

// turn is one row that addresses the agent, and what the agent replied.
type turn struct {
	place *place
	at    int // the index of the row in its place
	row   int // and in the channel
	reply *delivery.Row
}

func (t turn) asked() delivery.Row { return t.place.rows[t.at] }

// What a channel can't be played for.
var (
	ErrNoTurns  = errors.New("nobody addresses the agent")
	ErrNotLater = errors.New("it can be any but the first")
)

// turns sorts a channel into its places and finds what is asked and answered.
func (c Channel) turns() ([]turn, []*place, error) {
	var turns []turn
	places := []*place{{last: -1}}
	byThread := map[string]*place{"": places[0]}
	roots := make(map[string]delivery.Row, len(c.Rows))
	asked := make(map[string]int) // the turn of a row that addresses the agent
	waiting := make(map[*place][]int)
	explicit := make(map[string]bool, len(c.Rows)) // the rows that some row says it answers
	for _, row := range c.Rows {
		if row.Answers != "" {
			explicit[row.Answers] = true
		}
	}
	for i := range c.Rows {
		row := c.Rows[i].Row
		row.Own = row.Agent && chat.Fold(row.Handle) == chat.Fold(c.Agent)
		in := byThread[row.ThreadRootID]
		if in == nil {
			root, ok := roots[row.ThreadRootID]
			if !ok {
				return nil, nil, fmt.Errorf("row %q is in the thread of %q, which is no earlier row of the channel", row.ID, row.ThreadRootID)
			}
			in = &place{thread: root.ID, rows: []delivery.Row{root}, last: -1}
			byThread[root.ID] = in
			places = append(places, in)
		}
		in.rows = append(in.rows, row)
		if row.ThreadRootID == "" {
			roots[row.ID] = row
		}
		switch {
		case explicit[row.ID] || c.addresses(row):
			asked[row.ID] = len(turns)
			waiting[in] = append(waiting[in], len(turns))
			in.last = len(in.rows) - 1
			turns = append(turns, turn{place: in, at: in.last, row: i})
		case !row.Own:
		case len(explicit) > 0:
			if n, ok := asked[c.Rows[i].Answers]; ok && turns[n].reply == nil {
				turns[n].reply = &row
			}
		case len(waiting[in]) > 0:
			turns[waiting[in][0]].reply = &row
			waiting[in] = waiting[in][1:]
		}
	}
	if len(turns) == 0 {
		return nil, nil, fmt.Errorf("play #%s with @%s: %w", c.Name, c.Agent, ErrNoTurns)
	}
	return turns, places, nil
}

// addresses says whether a person addresses the agent. What agents write wakes
// nobody by itself.
func (c Channel) addresses(row delivery.Row) bool {
	if row.Agent || strings.TrimSpace(row.Body) == "" {
		return false
	}
	return c.Direct || len(chat.Mentions(row.Body, []string{c.Agent})) > 0
}

// Facts are the figures a channel is known by.
type Facts struct {
	Name     string `json:"name"`
	Agent    string `json:"agent"`
	Rows     int    `json:"rows"`
	Mentions int    `json:"mentions"`  // rows that address the agent
	People   int    `json:"people"`    // who wrote
	Agents   int    `json:"agents"`    // who wrote, the one that is played in any case
	LongRows int    `json:"long_rows"` // of more characters than a block shows of one
	Gaps     Gaps   `json:"gaps"`
	Older    bool   `json:"older,omitempty"` // only the channel's newest messages were played
}

// Gaps tells how far from one mention to the next it is, in rows: 1 is the very
// next row. All are 0 when there is only one mention.
type Gaps struct {
	Min    int     `json:"min"`
	Median float64 `json:"median"`
	Max    int     `json:"max"`
}

func (c Channel) facts(turns []turn) Facts {
	f := Facts{Name: c.Name, Agent: c.Agent, Rows: len(c.Rows), Mentions: len(turns), Older: c.Older}
	people, agents := map[string]bool{}, map[string]bool{chat.Fold(c.Agent): true}
	for _, row := range c.Rows {
		if row.Agent {
			agents[chat.Fold(row.Handle)] = true
		} else {
			people[chat.Fold(row.Handle)] = true
		}
		if plain.Length(row.Body) > delivery.DefaultMaxChars {
			f.LongRows++
		}
	}
	f.People, f.Agents = len(people), len(agents)
	var gaps []int
	for i := 1; i < len(turns); i++ {
		gaps = append(gaps, turns[i].row-turns[i-1].row)
	}
	if n := len(gaps); n > 0 {
		slices.Sort(gaps)
		f.Gaps = Gaps{Min: gaps[0], Median: float64(gaps[(n-1)/2]+gaps[n/2]) / 2, Max: gaps[n-1]}
	}
	return f
}
