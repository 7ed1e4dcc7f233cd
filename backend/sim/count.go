package sim

import (
	"strings"
	"unicode"

	"hearth/backend/token"
)

// counter counts tokens and tokenises no line twice. It is for one goroutine.
type counter struct {
	lines map[string][]int
	made  int // bytes that were tokenised: what a test counts
}

func newCounter() *counter { return &counter{lines: make(map[string][]int)} }

// line returns the tokens of a piece that lines cut off.
func (c *counter) line(piece string) []int {
	tokens, known := c.lines[piece]
	if !known {
		tokens = token.Tokens(piece)
		c.lines[piece] = tokens
		c.made += len(piece)
	}
	return tokens
}

// count returns how many tokens a text has.
func (c *counter) count(text string) int {
	n := 0
	for piece := range lines(text) {
		n += len(c.line(piece))
	}
	return n
}

// tokens returns the tokens of a text.
func (c *counter) tokens(text string) []int {
	var all []int
	for piece := range lines(text) {
		all = append(all, c.line(piece)...)
	}
	return all
}

// lines cuts a text where its tokens can be counted apart.
//
// Problem: the tokens of two texts are not the tokens of both in a row, since
// the tokenizer merges characters across the seam; but a row or the brief comes
// in many turns and is to be tokenised once.
// Why lines: the tokenizer first cuts a text into pieces by a pattern and merges
// only within one. Of the pattern's pieces none goes on behind a line break,
// except white space that runs up to a further line break.
// Solution: a text is cut behind each line break that no such white space
// follows. Then the tokens of the parts are the tokens of the whole, one for one.
func lines(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		start, from := 0, 0
		for {
			i := strings.IndexByte(text[from:], '\n')
			if i < 0 {
				break
			}
			from += i + 1
			rest := text[from:]
			words := strings.TrimLeftFunc(rest, unicode.IsSpace)
			if space := rest[:len(rest)-len(words)]; strings.ContainsAny(space, "\r\n") {
				from += strings.LastIndexAny(space, "\r\n")
				continue
			}
			if from < len(text) {
				if !yield(text[start:from]) {
					return
				}
				start = from
			}
		}
		if start < len(text) {
			yield(text[start:])
		}
	}
}
