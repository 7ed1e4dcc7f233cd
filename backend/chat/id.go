package chat

import (
	"crypto/rand"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
)

var (
	idMutex   sync.Mutex
	idEntropy = ulid.Monotonic(rand.Reader, 0)
)

// NewID returns an id that sorts by time: 26 characters of Crockford base 32
// (a ULID). Within one process two ids of the same millisecond still sort in
// the order they were made.
func NewID(at time.Time) string {
	idMutex.Lock()
	defer idMutex.Unlock()
	id, err := ulid.New(ulid.Timestamp(at), idEntropy)
	if err != nil {
		// Only a clock outside 1970..10889 or a spent entropy within one
		// millisecond (2^80 ids) gets here; a fresh random id is still unique.
		return ulid.Make().String()
	}
	return id.String()
}
