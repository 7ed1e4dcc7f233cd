package resident

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
)

// Key names what a process answers for: at most one lives for each.
type Key struct {
	Channel string
	Binding string
}

// String is for logs and errors.
func (k Key) String() string { return k.Channel + "/" + k.Binding }

// Temperature says what a process remembers when it is lent.
type Temperature string

const (
	// Warm: it lives and has had a turn. It knows its framing and everything it
	// was shown.
	Warm Temperature = "warm"
	// Restored: a saved session was loaded into a new process.
	Restored Temperature = "restored"
	// Cold: a new process that remembers nothing.
	Cold Temperature = "cold"
)

// Process is what the pool knows of an agent's process.
//
// Native, Busy, Done and Err are called with the pool's lock held: they must
// neither block nor call the pool (but what they lock themselves may be held
// while Notify is called, which takes no lock of the pool's).
type Process interface {
	// Native is the id of the agent's own session; empty while it has none.
	Native() string
	// Busy is true during a turn, while there are background tasks and while a
	// person is asked something. Call Pool.Notify when it has changed.
	Busy() bool
	// Done is closed when the process, and all that it started, has ended.
	Done() <-chan struct{}
	// Err is why it ended, with the end of its error output; nil when it ended in
	// order. It is asked after Done only.
	Err() error
	// Close ends the process: gently while ctx lasts, by force then. It returns
	// when Done is closed, or with an error when even force did not help. It is
	// called once, possibly while a turn runs and after the process has died.
	// reason is one of the Reasons, or what Evict was given.
	Close(ctx context.Context, reason string) error
}

// Reasons are why the pool ends a process by itself, as State.Reason and
// Process.Close have them.
const (
	ReasonIdle    = "idle"                    // nobody leased it for Options.Idle
	ReasonPlace   = "place wanted by "        // what follows is the key that wanted it
	ReasonClosing = "closing"                 // the pool is closed
	ReasonAfresh  = "starts afresh each time" // its binding keeps none between turns
	ReasonChanged = "settings changed"        // a lease with other settings was asked for
)

// Opener starts the process for a key with the settings that the fingerprint
// stands for, and says whether it is Cold or Restored.
//
// ctx bounds the start and nothing else: it is cancelled as soon as the opener
// has returned, so the process must not be bound to it. It carries no values of
// the lease's context, because a start can serve several leases. An opener that
// fails leaves no process behind. It must be bounded by itself; the pool sets no
// limit to a start, it only cancels it on Evict and Close.
type Opener func(ctx context.Context, key Key, fingerprint string) (Process, Temperature, error)

var (
	// errBroken is in the errors of drivers that broke the contract above.
	errBroken = errors.New("broken driver")
	// errEnded stands for the error of a process that ended in order, where it
	// should not have ended.
	errEnded = errors.New("ended in order")
)

// call runs the opener. A panic in it is an error: one agent's driver must not
// take down the others'. With an error there may be a process, to be ended.
func (open Opener) call(ctx context.Context, log *slog.Logger, key Key, fingerprint string) (p Process, t Temperature, err error) {
	defer func() {
		if r := recover(); r != nil {
			log.Error("opener panicked", "key", key, "panic", r, "stack", string(debug.Stack()))
			p, err = nil, fmt.Errorf("%w: panic: %v", errBroken, r)
		}
	}()
	p, t, err = open(ctx, key, fingerprint)
	switch {
	case err != nil:
		return nil, "", err
	case p == nil:
		return nil, "", fmt.Errorf("%w: no process and no error", errBroken)
	case t != Cold && t != Restored:
		// Whatever would be sent to it might be too much or too little.
		return p, "", fmt.Errorf("%w: a new process cannot be %q", errBroken, t)
	}
	return p, t, nil
}
