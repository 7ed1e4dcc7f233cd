package event

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrBadID means that a text is no id.
var ErrBadID = errors.New("not an event id")

// Epoch is the random word of this run of the program: 16 hexadecimal digits.
func (b *Bus) Epoch() string { return b.epoch }

// ID is the event's name outside the program: "epoch-seq". A client gives it
// back (as Last-Event-ID, say) to go on from there.
func (b *Bus) ID(e Event) string { return FormatID(b.epoch, e.Seq) }

// Resume subscribes after the event with this id, as Subscribe does. An id of
// another run of the program, one that is malformed and an empty one (a client
// that has seen nothing yet) begin at the present with missed: such a client
// has to fetch what it shows.
func (b *Bus) Resume(id string) (s *Subscription, missed bool) {
	epoch, seq, err := ParseID(id)
	if err != nil || epoch != b.epoch {
		s, _ = b.Subscribe(b.Last())
		return s, true
	}
	return b.Subscribe(seq)
}

// FormatID writes an id.
func FormatID(epoch string, seq uint64) string {
	return epoch + "-" + strconv.FormatUint(seq, 10)
}

// ParseID takes an id apart; its error is ErrBadID. It accepts only what
// FormatID writes, so an id has one spelling.
func ParseID(id string) (epoch string, seq uint64, err error) {
	epoch, digits, found := strings.Cut(id, "-")
	if found && epoch != "" {
		seq, err = strconv.ParseUint(digits, 10, 64)
		if err == nil && FormatID(epoch, seq) == id {
			return epoch, seq, nil
		}
	}
	// An id comes from outside: what is quoted of it is bounded.
	if len(id) > 64 {
		id = id[:64]
	}
	return "", 0, fmt.Errorf("parse event id %q: %w", id, ErrBadID)
}
