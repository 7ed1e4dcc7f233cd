package plain

import (
	"bytes"
	"unicode/utf8"
)

// A Counter counts a text that comes in pieces, which may end in the middle of a
// character. Write never fails. Call End after the last piece.
type Counter struct {
	Bytes int64
	Chars int // as Length counts them
	Lines int // as an editor counts them: an end of line at the end begins none

	rest []byte // the beginning of a character
	last byte
}

// Write counts the next piece.
func (c *Counter) Write(piece []byte) (int, error) {
	n := len(piece)
	if n == 0 {
		return 0, nil
	}
	c.Bytes += int64(n)
	c.Lines += bytes.Count(piece, []byte{'\n'})
	c.last = piece[n-1]
	if len(c.rest) > 0 {
		piece = append(c.rest, piece...)
	}
	whole := len(piece)
	for at := max(0, len(piece)-utf8.UTFMax+1); at < len(piece); at++ {
		if utf8.RuneStart(piece[at]) && !utf8.FullRune(piece[at:]) {
			whole = at
			break
		}
	}
	c.Chars += utf8.RuneCount(piece[:whole])
	c.rest = append([]byte(nil), piece[whole:]...)
	return n, nil
}

// End counts what the text ended in the middle of: a character, a line.
func (c *Counter) End() {
	c.Chars += utf8.RuneCount(c.rest)
	c.rest = nil
	if c.Bytes > 0 && c.last != '\n' {
		c.Lines++
	}
}
