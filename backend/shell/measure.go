package shell

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strconv"
	"strings"
	"unicode/utf8"

	"hearth/backend/guard"
	"hearth/backend/plain"
)

// A measure is what is known of a text that comes in pieces: all that its pointer
// says.
type measure struct {
	bytes        int64
	chars, lines int
	sum          hash.Hash
	head, tail   []byte
	rest         []byte // a character that a piece ended in the middle of
	lastByte     byte
}

const (
	// headBytes hold guard.SpillHead characters with all the marks that may belong to
	// the last of them.
	headBytes = 16 << 10
	// tailBytes hold guard.SpillTail characters and one more.
	tailBytes = utf8.UTFMax * (guard.SpillTail + 1)
)

func newMeasure() *measure { return &measure{sum: sha256.New()} }

// Write takes the next piece.
func (m *measure) Write(piece []byte) (int, error) {
	n := len(piece)
	if n == 0 {
		return 0, nil
	}
	m.bytes += int64(n)
	m.sum.Write(piece)
	m.lines += bytes.Count(piece, []byte{'\n'})
	m.lastByte = piece[n-1]
	if room := headBytes - len(m.head); room > 0 {
		m.head = append(m.head, piece[:min(room, n)]...)
	}
	m.tail = append(m.tail, piece[max(0, n-tailBytes):]...)
	if len(m.tail) > 4*tailBytes {
		m.tail = append(m.tail[:0], m.tail[len(m.tail)-tailBytes:]...)
	}
	if len(m.rest) > 0 {
		piece = append(m.rest, piece...)
	}
	whole := len(piece)
	for at := max(0, len(piece)-utf8.UTFMax+1); at < len(piece); at++ {
		if utf8.RuneStart(piece[at]) && !utf8.FullRune(piece[at:]) {
			whole = at
			break
		}
	}
	m.chars += utf8.RuneCount(piece[:whole])
	m.rest = append([]byte(nil), piece[whole:]...)
	return n, nil
}

// end counts what the text ended in the middle of.
func (m *measure) end() {
	m.chars += utf8.RuneCount(m.rest)
	m.rest = nil
	if m.bytes > 0 && m.lastByte != '\n' {
		m.lines++
	}
}

// name is guard.SpillName of the text.
func (m *measure) name() string {
	return hex.EncodeToString(m.sum.Sum(nil)[:8]) + ".txt"
}

// pointer is guard.FailedPointer of the text, without having it: a test holds both
// to be the same.
func (m *measure) pointer(path string) string {
	head, _ := plain.Cut(string(m.head), guard.SpillHead)
	return fmt.Sprintf("[%s characters, %s lines, spilled to %s. Read it in parts or search it with Grep. It begins:]\n%s\n[… and ends:]\n%s",
		thousands(m.chars), thousands(m.lines), path, head, m.last())
}

// last is the end of the text, from the start of a line if there is one in it.
func (m *measure) last() string {
	at := len(m.tail)
	for n := 0; at > 0 && n < guard.SpillTail; n++ {
		_, size := utf8.DecodeLastRune(m.tail[:at])
		at -= size
	}
	end := string(m.tail[at:])
	if _, whole, found := strings.Cut(end, "\n"); found && at > 0 && whole != "" {
		return whole
	}
	return end
}

func thousands(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
