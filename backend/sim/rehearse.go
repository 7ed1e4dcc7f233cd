package sim

import (
	"context"
	"fmt"
	"slices"

	"hearth/backend/prompt"
)

// Telling is a channel as one strategy tells it to one process, text by text: what
// a rehearsal sends in earnest. It is made by the play that is counted.
type Telling struct {
	Strategy string // window, watermark, unstable or hearth
	Framing  string // what the process is told at its start
	Turns    []Told
}

// Told is one turn.
type Told struct {
	Text  string // what the process is sent
	Reply string // what the agent replied; empty: nothing
	Line  string // what unstable puts in front of everything; empty: nothing
}

// Tell plays a channel with every strategy, as Run does, and returns what each
// sends, in the order of the table. The channel is answered by one process. A
// channel in which nobody addresses the agent is ErrNoTurns.
func Tell(c Channel) ([]Telling, error) {
	g, err := newGame(c, Options{})
	if err != nil {
		return nil, err
	}
	var tellings []Telling
	for _, one := range []struct {
		name string
		strategy
	}{{"window", window}, {"watermark", watermark}, {"unstable", unstable}, {"hearth", hearth}} {
		t := Telling{Strategy: one.name, Framing: g.framing(one.strategy)}
		_, err := g.play(context.Background(), one.strategy, func(_ *playing, s sight) {
			told := Told{Text: s.sent.Text}
			if reply := g.turns[s.n].reply; reply != nil {
				told.Reply = reply.Body
			}
			if one.unstable {
				told.Line = s.head[0]
			}
			t.Turns = append(t.Turns, told)
		})
		if err != nil {
			return nil, fmt.Errorf("play #%s: %w", c.Name, err)
		}
		tellings = append(tellings, t)
	}
	return tellings, nil
}

// First returns the channel with its first n mentions: what was said before the next
// one, and the replies to them, wherever they stand. A channel with no more
// mentions than that, and n below 1, is all of it.
func First(c Channel, n int) (Channel, error) {
	turns, _, err := c.turns()
	if err != nil || n < 1 || n >= len(turns) {
		return c, err
	}
	next := turns[n].row
	replies := make(map[string]bool, n)
	for _, t := range turns[:n] {
		if t.reply != nil {
			replies[t.reply.ID] = true
		}
	}
	rows := slices.Clone(c.Rows[:next])
	for _, row := range c.Rows[next:] {
		if replies[row.ID] {
			rows = append(rows, row)
		}
	}
	c.Rows = rows
	return c, nil
}

// Replayed returns what a new process that remembers nothing would be sent as its
// first turn, if it answered the last mention of a channel: the past in short, and
// then the turn. It is what hearth sends.
func Replayed(c Channel) (string, error) {
	turns, _, err := c.turns()
	if err != nil {
		return "", err
	}
	g, err := newGame(c, Options{EvictAt: len(turns)})
	if err != nil {
		return "", err
	}
	var text string
	_, err = g.play(context.Background(), hearth, func(_ *playing, s sight) {
		if s.n == len(turns)-1 {
			text = s.sent.Text
		}
	})
	if err != nil {
		return "", fmt.Errorf("play #%s: %w", c.Name, err)
	}
	return text, nil
}

// Framing returns what hearth tells a process at its start that is called so.
func Framing(handle string) string {
	return prompt.Framing(prompt.FramingInput{Handle: handle})
}
