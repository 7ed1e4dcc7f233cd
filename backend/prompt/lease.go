package prompt

import (
	"errors"
	"fmt"
	"strings"
)

// Temperature is what the process that takes a turn remembers.
type Temperature string

// The temperatures.
const (
	Warm     Temperature = "warm"     // it has lived since the last turn
	Restored Temperature = "restored" // it is new and loaded a saved session
	Cold     Temperature = "cold"     // it is new and remembers nothing
)

// Sent is what goes to a process for one turn.
type Sent struct {
	// Framing is what the process gets at its start, by flag. Empty for a warm
	// process, which has it.
	Framing string
	// Text is the user turn.
	Text string
	// Blocks are all parts in order, the framing too, for the record.
	Blocks []Block
}

// ForLease maps the temperature of a lease to what is sent. It is the only
// function that does:
//
//	warm      the newest user turn
//	restored  framing + the newest user turn
//	cold      framing + replay + the newest user turn
//
// A replay into a process that remembers is impossible: it would read its own
// answers as new input, in every turn again. newest is what Newest returned; if
// it says nothing the error is ErrEmptyTurn. A process that has just started
// and has no framing is an error as well.
func ForLease(t Temperature, framing, replay string, newest []Block) (Sent, error) {
	sent, err := forLease(t, framing, replay, newest)
	if err != nil {
		return Sent{}, fmt.Errorf("choose what a %s process is sent: %w", t, err)
	}
	return sent, nil
}

func forLease(t Temperature, framing, replay string, newest []Block) (Sent, error) {
	if err := check(newest); err != nil {
		return Sent{}, err
	}
	switch t {
	case Warm:
		framing, replay = "", ""
	case Restored:
		replay = ""
	case Cold:
	default:
		return Sent{}, errors.New("no such temperature")
	}
	var sent Sent
	if t != Warm {
		if framing == "" {
			return Sent{}, errors.New("the framing is empty")
		}
		sent.Framing = framing
		sent.Blocks = append(sent.Blocks, Block{KindFraming, framing})
	}
	if replay != "" {
		sent.Blocks = append(sent.Blocks, Block{KindReplay, replay + "\n\n"})
	}
	sent.Blocks = append(sent.Blocks, newest...)
	for _, block := range sent.Blocks {
		if block.Kind != KindFraming {
			sent.Text += block.Text
		}
	}
	return sent, nil
}

// check holds the newest user turn to its form: a payload first, and nothing
// in it that only a new process may get.
func check(newest []Block) error {
	text := ""
	for i, block := range newest {
		switch block.Kind {
		case KindPayload, KindBrief, KindReminder, KindRows, KindIndex:
		default:
			return fmt.Errorf("a block of kind %q has no place in the newest user turn", block.Kind)
		}
		if (block.Kind == KindPayload) != (i == 0) {
			return errors.New("the newest user turn must begin with its one payload")
		}
		text += block.Text
	}
	if strings.TrimSpace(text) == "" {
		return ErrEmptyTurn
	}
	return nil
}

// FramingInText returns what to send to an agent that takes no framing by
// flag: the framing stands at the head of the text. For a warm process, which
// had it in its first turn, nothing changes.
func (s Sent) FramingInText() Sent {
	if s.Framing == "" {
		return s
	}
	blocks := make([]Block, len(s.Blocks))
	copy(blocks, s.Blocks)
	blocks[0].Text += "\n\n"
	return Sent{Text: blocks[0].Text + s.Text, Blocks: blocks}
}
