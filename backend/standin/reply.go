package standin

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Reply is what the model answers to one request. The zero Reply is an empty
// message. Replies are values: the methods return changed copies, so one reply
// can be the start of many.
type Reply struct {
	Blocks []Block
	// StopReason: "" means tool_use when there are calls, else end_turn.
	StopReason string
	// Deltas is in how many pieces each text and each tool's input is streamed; 0
	// means up to 8, by length.
	Deltas int
	// Pause is waited before every piece but the first.
	Pause time.Duration
	// Hold is waited for before piece number HoldAfter (0: before anything at all is
	// written), until it is closed or the request is gone. Forever holds until the
	// request is gone.
	Hold      <-chan struct{}
	HoldAfter int
	Forever   bool
	// Error answers with an HTTP error instead of a message.
	Error *Failure
	// Break ends a message early.
	Break *Break
	// Usage replaces what the cache's rules came to.
	Usage *Usage
	// Diagnostics goes into the message as it is, as the API's own word on a cache
	// miss does; nil leaves it out.
	Diagnostics json.RawMessage
}

// Block is one block of an answer.
type Block struct {
	Type  string          // text, thinking or tool_use
	Text  string          // of text and thinking
	Tool  string          // of tool_use
	Input json.RawMessage // of tool_use
	ID    string          // of tool_use; "" gets one made for it
}

// Failure is an error as the API gives it.
type Failure struct {
	Status     int    // HTTP status; inside a stream it is not used
	Type       string // invalid_request_error, overloaded_error, ...
	Message    string
	RetryAfter int // seconds, as a header; 0 is none
}

// Break ends a message after a number of pieces: with an error event when Error
// is given, else by cutting the connection.
type Break struct {
	After int
	Error *Failure
}

// Say answers with text.
func Say(text string) Reply { return Reply{}.AndSay(text) }

// Use answers with a call of a tool. The input is anything encoding/json takes.
func Use(tool string, input any) Reply { return Reply{}.AndUse(tool, input) }

// Fail answers with an HTTP error of the API's usual type for that status.
func Fail(status int, message string) Reply {
	return Reply{Error: &Failure{Status: status, Type: errorType(status), Message: message}}
}

// Overloaded answers 529, as the API does when it is busy.
func Overloaded() Reply { return Fail(529, "Overloaded") }

// Stall holds the answer back until release is closed or the request is gone,
// before a byte of it is written. A nil release never comes.
func Stall(release <-chan struct{}, then Reply) Reply { return then.HeldAfter(0, release) }

// Huge answers with this many bytes of text in numbered lines, streamed in
// pieces of 32 KB.
func Huge(bytes int) Reply {
	var b strings.Builder
	b.Grow(bytes + 80)
	for n := 1; b.Len() < bytes; n++ {
		fmt.Fprintf(&b, "line %08d of a very long answer that nobody will read to its end\n", n)
	}
	return Say(b.String()[:bytes]).InDeltas(max(1, bytes/32_768))
}

// AndSay adds text.
func (r Reply) AndSay(text string) Reply { return r.and(Block{Type: "text", Text: text}) }

// AndThink adds thinking.
func (r Reply) AndThink(text string) Reply { return r.and(Block{Type: "thinking", Text: text}) }

// AndUse adds a call of a tool. It panics on an input that has no JSON: that is
// a mistake in the script.
func (r Reply) AndUse(tool string, input any) Reply {
	raw, err := json.Marshal(input)
	if err != nil {
		panic(fmt.Sprintf("standin: input of %s: %v", tool, err))
	}
	return r.and(Block{Type: "tool_use", Tool: tool, Input: raw})
}

func (r Reply) and(b Block) Reply {
	r.Blocks = append(append([]Block(nil), r.Blocks...), b)
	return r
}

// InDeltas streams each text in n pieces.
func (r Reply) InDeltas(n int) Reply { r.Deltas = n; return r }

// Slowly waits this long before every piece but the first.
func (r Reply) Slowly(pause time.Duration) Reply { r.Pause = pause; return r }

// HeldAfter waits before piece number n until release is closed; nil never is.
func (r Reply) HeldAfter(n int, release <-chan struct{}) Reply {
	r.HoldAfter, r.Hold, r.Forever = n, release, release == nil
	return r
}

// CutAfter cuts the connection after n pieces.
func (r Reply) CutAfter(n int) Reply { r.Break = &Break{After: n}; return r }

// ErrorAfter ends the stream with an error event after n pieces. The kind is the
// API's, such as overloaded_error.
func (r Reply) ErrorAfter(n int, kind, message string) Reply {
	r.Break = &Break{After: n, Error: &Failure{Status: statusOf(kind), Type: kind, Message: message}}
	return r
}

// Text is the reply's text, its blocks joined.
func (r Reply) Text() string {
	var b strings.Builder
	for _, block := range r.Blocks {
		if block.Type == "text" {
			b.WriteString(block.Text)
		}
	}
	return b.String()
}

func (r Reply) stopReason() string {
	if r.StopReason != "" {
		return r.StopReason
	}
	for _, b := range r.Blocks {
		if b.Type == "tool_use" {
			return "tool_use"
		}
	}
	return "end_turn"
}

// errorTypes are the API's error types by status.
var errorTypes = map[int]string{
	http.StatusBadRequest:            "invalid_request_error",
	http.StatusUnauthorized:          "authentication_error",
	http.StatusPaymentRequired:       "billing_error",
	http.StatusForbidden:             "permission_error",
	http.StatusNotFound:              "not_found_error",
	http.StatusRequestEntityTooLarge: "request_too_large",
	http.StatusTooManyRequests:       "rate_limit_error",
	http.StatusInternalServerError:   "api_error",
	http.StatusGatewayTimeout:        "timeout_error",
	529:                              "overloaded_error",
}

func errorType(status int) string {
	if kind, ok := errorTypes[status]; ok {
		return kind
	}
	return "api_error"
}

func statusOf(kind string) int {
	for status, k := range errorTypes {
		if k == kind {
			return status
		}
	}
	return http.StatusInternalServerError
}
