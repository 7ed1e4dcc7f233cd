package claude

import (
	"encoding/json"
	"time"
)

// A Result is the end of a turn. IsError says whether it failed; Subtype does not (an API error comes as "success").
type Result struct {
	Text           string
	IsError        bool
	Interrupted    bool   // it was stopped: by Interrupt, by the end of the turn's context, or by a denial that said so
	API            bool   // it failed because of what the API said, or that it could not be reached
	Subtype        string // success, error_during_execution, error_max_turns, ...
	TerminalReason string // completed, api_error, aborted_streaming, ...
	Errors         []string
	Native         string
	NumTurns       int
	Duration       time.Duration
	APIDuration    time.Duration // of this turn; at most Duration in the first turn after a resume, whose base is not known
	TTFT           time.Duration // from our message to the first token of the answer; 0: not said. Each call has its own
	CostUSD        float64       // of this turn
	// Usage is all this turn used: the client's own count, subagents and side calls included, and never less than the sum
	// of Calls (a call that was cut off is not in the client's count).
	Usage         Usage
	Calls         []Call // in the order they began
	Models        map[string]ModelUsage
	ContextWindow int64 // of the model of the main thread's last call, in tokens; 0: not said
	// Compacted are the times that the client replaced its history by a summary. The call that made the summary is in Usage
	// and Models, but never among Calls: the client does not show it.
	Compacted []Compacted
	// Client is what the client said of itself at the beginning of this turn: its version, and what it has for tools.
	Client Init
	Raw    json.RawMessage
}

// ContextSize is how many tokens the native session holds after the turn, by its last call on the main thread: all that was
// sent and all that was answered. 0: there was no such call, or the history was replaced by a summary since.
func (r Result) ContextSize() int64 {
	for i := len(r.Calls) - 1; i >= 0; i-- {
		if c := r.Calls[i]; c.Main {
			if n := len(r.Compacted); n > 0 && r.Compacted[n-1].Calls > i {
				return 0
			}
			return c.Usage.Prompt() + c.Usage.Output
		}
	}
	return 0
}

// A Turn is one that the client took by itself.
type Turn struct {
	Result Result
	// Origin is what the client says caused it: "task-notification" for background tasks; may be empty.
	Origin string
	// Trigger are the background tasks that ended since the turn before.
	Trigger []TaskEnded
	// Events are what happened in it, without deltas; and how many of the oldest were left out, of more than 2,000 or 16 MiB.
	Events  []Event
	Dropped int
	Began   time.Time
	Ended   time.Time
}

// totals are the client's running figures at the last result.
type totals struct {
	first  bool // no result yet
	cost   float64
	api    float64
	models map[string]wireModelUsage
}

// settle makes the result of a cycle from the client's last line and what its calls showed, and moves the totals on.
//
// Older versions count from the start of the process, also after a resume. 2.1.332 goes on where the saved session stopped,
// so its totals are no base for the first turn; it says itself what was used since the last result.
func (t *totals) settle(w wireResult, raw []byte, book *callBook) Result {
	r := Result{
		Text: w.Text, IsError: w.IsError, Subtype: w.Subtype, TerminalReason: w.Terminal, Errors: w.Errors,
		Native: w.Native, NumTurns: w.NumTurns, Duration: milliseconds(w.Duration), TTFT: milliseconds(w.TTFT),
		Interrupted: w.IsError && len(w.Terminal) >= len(aborted) && w.Terminal[:len(aborted)] == aborted,
		Raw:         append(json.RawMessage(nil), raw...), Models: map[string]ModelUsage{},
	}
	r.API = w.IsError && (w.Terminal == "api_error" || w.APIStatus != nil || w.Subtype == "success")
	if w.Failure != "" {
		r.Errors = append(r.Errors, w.Failure)
	}
	since := w.SinceLast
	if since != nil {
		for _, m := range since {
			r.CostUSD += m.CostUSD
		}
	} else {
		since = make(map[string]wireModelUsage, len(w.Models))
		for name, m := range w.Models {
			since[name] = m.minus(t.models[name])
		}
		r.CostUSD = max(0, w.CostUSD-t.cost)
	}
	var counted Usage
	for name, m := range since {
		if u := m.usage(); u != (Usage{}) || m.CostUSD != 0 {
			r.Models[name] = ModelUsage{Usage: u, CostUSD: m.CostUSD, ContextWindow: m.ContextWindow}
			counted = counted.Add(u)
		}
	}
	r.APIDuration = milliseconds(max(0, w.API-t.api))
	if t.first {
		r.APIDuration = min(r.APIDuration, r.Duration)
	}
	var shown Usage
	r.Calls, shown = book.calls()
	r.Usage = counted.most(shown)
	r.ContextWindow = window(w.Models, r.Calls)
	t.first, t.cost, t.api = false, max(t.cost, w.CostUSD), max(t.api, w.API)
	if w.Models != nil {
		t.models = w.Models
	}
	return r
}

// window is the context window of the main thread's model: the client may list it under the API's name or under its own,
// with a suffix like [1m].
func window(models map[string]wireModelUsage, calls []Call) int64 {
	for i := len(calls) - 1; i >= 0; i-- {
		if !calls[i].Main {
			continue
		}
		if m, ok := models[calls[i].Model]; ok {
			return m.ContextWindow
		}
		for name, m := range models {
			if len(name) > len(calls[i].Model) && name[:len(calls[i].Model)+1] == calls[i].Model+"[" {
				return m.ContextWindow
			}
		}
		break
	}
	if len(models) == 1 {
		for _, m := range models {
			return m.ContextWindow
		}
	}
	return 0
}

func milliseconds(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }
