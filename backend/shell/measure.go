package shell

import (
	"crypto/sha256"
	"hash"
	"unicode/utf8"

	"hearth/backend/guard"
	"hearth/backend/plain"
)

// A measure is what is known of a text that comes in pieces: all that its pointer
// says.
type measure struct {
	plain.Counter
	sum        hash.Hash
	head, tail []byte
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
	m.sum.Write(piece)
	if room := headBytes - len(m.head); room > 0 {
		m.head = append(m.head, piece[:min(room, n)]...)
	}
	m.tail = append(m.tail, piece[max(0, n-tailBytes):]...)
	if len(m.tail) > 4*tailBytes {
		m.tail = append(m.tail[:0], m.tail[len(m.tail)-tailBytes:]...)
	}
	return m.Counter.Write(piece)
}

// name is guard.SpillName of the text.
func (m *measure) name() string { return guard.SpillNameOf(m.sum.Sum(nil)) }

// pointer is guard.FailedPointer of the text, without having it.
func (m *measure) pointer(path string) string {
	return guard.Excerpt{Chars: m.Chars, Lines: m.Lines, Head: string(m.head), Tail: string(m.tail)}.FailedPointer(path)
}
