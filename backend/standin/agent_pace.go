package standin

import (
	"context"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode"
)

const (
	// demoPace is how long the demo waits after each word: a person sees it come.
	demoPace = 20 * time.Millisecond
	// slowest bounds what pauses add up to in one block of text, whatever is asked
	// for: nobody wants to watch a demo for longer.
	slowest = 10 * time.Second
	// paceVariable sets the pause, in milliseconds; 0 is none.
	paceVariable = "STANDIN_AGENT_PACE"
	// maxPace is the longest pause that it can set.
	maxPace = 10_000
)

// piece is a part of a text as it is streamed, and the pause after it.
type piece struct {
	text  string
	pause time.Duration
}

// paceOf is the pause after each word: what the environment says, else the demo's
// own, else none.
func paceOf(demo bool) time.Duration {
	if n, err := strconv.Atoi(os.Getenv(paceVariable)); err == nil && 0 <= n && n <= maxPace {
		return time.Duration(n) * time.Millisecond
	}
	if demo {
		return demoPace
	}
	return 0
}

// pieces cuts a text for streaming: into n parts (0 leaves that to the length),
// or word by word when there is a pace.
func (a *agent) pieces(text string, n int) []piece {
	var out []piece
	if a.pace == 0 {
		for _, part := range cut(text, n) {
			out = append(out, piece{text: part})
		}
		return out
	}
	parts := byWord(text)
	pause := min(a.pace, slowest/time.Duration(max(1, len(parts))))
	for _, part := range parts {
		out = append(out, piece{part, pause})
	}
	return out
}

// byWord cuts a text after each run of white space. Together they are the text.
func byWord(text string) []string {
	var out []string
	from, space := 0, false
	for at, r := range text {
		if space && !unicode.IsSpace(r) {
			out = append(out, text[from:at])
			from = at
		}
		space = unicode.IsSpace(r)
	}
	if from < len(text) {
		out = append(out, text[from:])
	}
	return out
}

// maxCount is how far it counts.
const maxCount = 600

// counting is a text that counts to n, a number a second.
func (a *agent) counting(n int) []piece {
	out := a.pieces("I count to "+strconv.Itoa(n)+", a number a second. Press Stop whenever you like; Retry makes me begin again.\n\n", 0)
	for i := range n {
		text := strconv.Itoa(i + 1)
		if i+1 < n {
			text += ", "
		}
		out = append(out, piece{text, time.Second})
	}
	return out
}

func textOf(pieces []piece) string {
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(p.text)
	}
	return b.String()
}

// rest waits for a pause; an interrupt ends it.
func rest(ctx context.Context, pause time.Duration) error {
	if pause == 0 {
		return context.Cause(ctx)
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return context.Cause(ctx)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
