package claude

import (
	"errors"
	"fmt"
	"strings"
)

// A Code says what kind of failure an Error is.
type Code string

// The codes.
const (
	CodeStart        Code = "start_failed"  // the process did not come up
	CodeFolder       Code = "no_folder"     // the working directory is not there, or can't be worked in; Err says which
	CodeNoSession    Code = "no_session"    // there is no such session to resume
	CodeSessionInUse Code = "session_taken" // a new session was to have an id that exists already
	CodeWrongSession Code = "wrong_session" // the client opened another session than the one asked for
	CodeCrashed      Code = "crashed"       // the process ended by itself
	CodeClosed       Code = "closed"        // Close was called
	CodeBusy         Code = "busy"          // another Turn is under way
	CodeInterrupted  Code = "interrupted"   // the turn's context ended; the session lives on
	CodeHung         Code = "hung"          // the client did not react to an interrupt and was ended
	CodeDuplicate    Code = "duplicate"     // the native session already holds a message with this uuid
	CodeRefused      Code = "refused"       // the client answered a request with an error
)

// ErrBusy is returned by Turn while another Turn of the same session is under way.
var ErrBusy error = &Error{Code: CodeBusy, Op: "turn", Err: errors.New("another turn is under way")}

// stderrInMessage is how much of the end of stderr an error's text repeats; the field Stderr holds all that was kept.
const stderrInMessage = 2000

// An Error is what the exported functions return.
type Error struct {
	Code   Code
	Op     string // what was being done: "start", "turn", "request interrupt"
	Err    error  // the cause
	Stderr string // the end of the process's standard error, when the process has ended
	Sent   bool   // of a turn: the message may have reached the native session; only its transcript tells
}

// Error is "operation: cause", with the end of stderr when there is any.
func (e *Error) Error() string {
	text := e.Op + ": " + string(e.Code)
	if e.Err != nil {
		text = e.Op + ": " + e.Err.Error()
	}
	if tail := strings.TrimSpace(e.Stderr); tail != "" {
		text += "; stderr: " + strings.ToValidUTF8(tail[max(0, len(tail)-stderrInMessage):], "")
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// CodeOf is the code of the first Error in err's chain, or empty.
func CodeOf(err error) Code {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return ""
}

func errWrongSession(asked, got string) error {
	return fmt.Errorf("asked for session %s, the client opened %s", asked, got)
}
