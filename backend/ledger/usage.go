package ledger

import (
	"strings"
	"time"
)

// Usage counts tokens. The kinds do not overlap, but for Thinking, which is part of Output. None is negative.
type Usage struct {
	Input        int64 // neither read from nor written to the cache
	CacheRead    int64
	CacheWrite5m int64 // written to live five minutes; everything when the client does not say which
	CacheWrite1h int64 // written to live an hour
	Output       int64
	Thinking     int64 // how much of Output was thinking; 0 also where the client does not say
}

// Written is what was written to the cache.
func (u Usage) Written() int64 { return u.CacheWrite5m + u.CacheWrite1h }

// Prompt is all that was sent.
func (u Usage) Prompt() int64 { return u.Input + u.CacheRead + u.Written() }

// Context is all that was sent and answered: what the conversation holds after the call.
func (u Usage) Context() int64 { return u.Prompt() + u.Output }

// Add returns the sum of both.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		Input: u.Input + v.Input, CacheRead: u.CacheRead + v.CacheRead, CacheWrite5m: u.CacheWrite5m + v.CacheWrite5m,
		CacheWrite1h: u.CacheWrite1h + v.CacheWrite1h, Output: u.Output + v.Output, Thinking: u.Thinking + v.Thinking,
	}
}

// beyond is what u has more than v, kind by kind. What was written is compared as a whole, because one of the two may not
// know the lives.
func (u Usage) beyond(v Usage) Usage {
	written := max(0, u.Written()-v.Written())
	hour := min(written, max(0, u.CacheWrite1h-v.CacheWrite1h))
	return Usage{
		Input: max(0, u.Input-v.Input), CacheRead: max(0, u.CacheRead-v.CacheRead), CacheWrite5m: written - hour,
		CacheWrite1h: hour, Output: max(0, u.Output-v.Output), Thinking: max(0, u.Thinking-v.Thinking),
	}
}

// Temperatures of a turn: what the process remembered when it began.
const (
	Warm     = "warm"     // it lived and knew the conversation
	Restored = "restored" // a new process into which a saved conversation was loaded
	Cold     = "cold"     // a new process that remembered nothing
)

// A Turn is what one run used and what is known of how. The more of it is filled in the more can be said; what is not known
// stays zero.
type Turn struct {
	Run, Binding, Channel string

	Native      string // the native session's id
	Process     string // names the process: equal in two turns if and only if the same process took both
	Temperature string // Warm, Restored, Cold; "" for a run whose lease is not known
	Version     string // of the client

	// Tools and Framing are what we control of what a request begins with.
	Tools, Framing Part
	// Settings are what a person decides of the agent, as it was when the process started: a hash by name (SettingModel
	// and so on). What is not in it is not known.
	Settings map[string]string

	Calls []Call
	// Usage is all this turn used, by the client's own count, never less than its calls.
	Usage Usage
	// Models is the same by model, with money.
	Models  []ModelUse
	CostUSD float64 // the client's own figure for this turn

	Window      int64        // the context window of the main thread's model, tokens; 0: not said
	Compactions []Compaction // the times that the client replaced its history by a summary

	Began, Ended time.Time

	// ProcessEnd is how the process that took it ended before the next turn; see EndAfter. nil: it is not known to have.
	ProcessEnd *ProcessEnd
}

// A Part is a piece of the request that we control, known by a hash of its bytes.
type Part struct {
	Hash string // "": not known
	Size int64  // bytes
}

// A Call is one request to the Messages API.
type Call struct {
	MessageID string
	Model     string
	Main      bool // by the main thread, not by a subagent
	Usage     Usage
	TTFT      time.Duration // from the request to the beginning of the answer; 0: not said
	// Began and Ended are when the answer did; zero: not known. From its beginning on, what the call wrote can be read.
	Began, Ended time.Time
	Miss         Miss
}

// A Miss is the API's own word on why a call read less than it could have. The zero Miss: it said nothing.
type Miss struct {
	Reason string // model_changed, system_changed, tools_changed, messages_changed, previous_message_not_found, unavailable, …
	Tokens int64  // about how many were not read; 0: not said
}

// ModelUse is what one model used in a turn, by the client's own count, subagents and side calls included.
type ModelUse struct {
	Model   string
	Usage   Usage
	CostUSD float64
}

// A Compaction is a time that the client replaced its history by a summary.
type Compaction struct {
	Calls int // how many of the turn's calls came before it
}

// calls returns the turn's calls, each message id once with the larger of its figures, in the order they began, and how
// many of them stood before each compaction's place.
func (t *Turn) calls() []numbered {
	out := make([]numbered, 0, len(t.Calls))
next:
	for n, c := range t.Calls {
		if c.MessageID != "" {
			for i := range out {
				if out[i].MessageID == c.MessageID {
					out[i].Usage = out[i].Usage.Add(c.Usage.beyond(out[i].Usage))
					continue next
				}
			}
		}
		out = append(out, numbered{c, n})
	}
	return out
}

// numbered is a call with its place in Turn.Calls.
type numbered struct {
	Call
	n int
}

// main returns the calls of the main thread, each once.
func (t *Turn) main() []numbered {
	all := t.calls()
	out := all[:0]
	for _, c := range all {
		if c.Main {
			out = append(out, c)
		}
	}
	return out
}

// compacted says whether the history was replaced after the call at place from (-1: the turn's beginning) and before the
// call at place to (len(Calls): the turn's end).
func (t *Turn) compacted(from, to int) bool {
	for _, c := range t.Compactions {
		if c.Calls > from && c.Calls <= to {
			return true
		}
	}
	return false
}

// Context is how many tokens the conversation holds after the turn, and last is what its last call on the main thread sent
// (input, cache read and cache written together): what the line is compared with. ok is false when there was no such call,
// or the history was replaced since.
func (t *Turn) Context() (context, last int64, ok bool) {
	main := t.main()
	if len(main) == 0 {
		return 0, 0, false
	}
	c := main[len(main)-1]
	if t.compacted(c.n, len(t.Calls)) {
		return 0, 0, false
	}
	return c.Usage.Context(), c.Usage.Prompt(), true
}

// anew says whether the conversation began in this turn, given the native session of the one before ("" if there was none).
func (t *Turn) anew(native string) bool {
	if t.Temperature != "" {
		return t.Temperature == Cold
	}
	return t.Native != native
}

// ModelName is a model's name without what the client adds to it, like [1m]: the API's name and the client's are then the
// same.
func ModelName(name string) string {
	name, _, _ = strings.Cut(name, "[")
	return name
}
