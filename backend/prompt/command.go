package prompt

import (
	"errors"
	"fmt"
	"strings"
)

// Command returns what a turn sends that is a command of the client's: text, which
// begins with a slash, and nothing else. The client takes a message for a command
// only by its very first character, so nothing stands before it; and what stands
// behind it would be its argument. Whatever else there is to tell, framing and replay
// too, waits for the next turn.
func Command(text string) (Sent, error) {
	name, slash := strings.CutPrefix(text, "/")
	if !slash || strings.TrimSpace(name) == "" {
		return Sent{}, fmt.Errorf("make a command's turn: %w", errors.New("it does not begin with a slash and a name"))
	}
	return Sent{Text: text, Blocks: []Block{{KindCommand, text}}}, nil
}
