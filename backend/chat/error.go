package chat

import (
	"errors"
	"fmt"
)

// Code says what kind of thing went wrong. One table in package api maps codes
// to HTTP statuses.
type Code string

// The codes. Anything without one is CodeInternal.
const (
	CodeInvalid      Code = "invalid"      // what was given is wrong; the message says what and how to mend it
	CodeNotFound     Code = "not_found"    // no such thing
	CodeConflict     Code = "conflict"     // it clashes with what is there (a name that is taken, a run that has ended)
	CodeUnauthorized Code = "unauthorized" // the caller did not show who it is
	CodeForbidden    Code = "forbidden"    // the caller may not do this
	CodeTooLarge     Code = "too_large"    // over a documented limit
	CodeUnavailable  Code = "unavailable"  // not now: full, busy, shutting down, or the client is missing
	CodeInternal     Code = "internal"     // our fault
)

// Error is an error with a code and a sentence for people.
type Error struct {
	Code    Code
	Message string
	Err     error // the cause, if any
}

func (e *Error) Error() string {
	if e.Err != nil {
		return e.Message + ": " + e.Err.Error()
	}
	return e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Errorf makes a coded error out of a sentence for people. A cause goes in with Wrap.
func Errorf(code Code, format string, args ...any) error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Wrap gives a cause a code and a sentence that comes before it.
func Wrap(code Code, err error, message string) error {
	return &Error{Code: code, Message: message, Err: err}
}

// CodeOf returns the code of the first coded error in the chain, CodeInternal
// when there is none, and "" for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	var coded *Error
	if errors.As(err, &coded) {
		return coded.Code
	}
	return CodeInternal
}
