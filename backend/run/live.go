package run

import (
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf16"

	"hearth/backend/chat"
	"hearth/backend/event"
	"hearth/backend/plain"
)

// maxSteps is how many steps of one run are kept; a turn with more keeps the
// first ones and counts the rest in a last step.
const maxSteps = 2000

// live is a run that has begun: what streamed so far and what was said in it.
type live struct {
	run  Run
	note chat.Note // of its reply; the turn's own goroutine sets and reads it

	mutex    sync.Mutex
	text     strings.Builder
	units    int // length of text, in UTF-16 code units
	steps    []Step
	byID     map[string]int // index in steps of a step that is going, by its ID
	dropped  int
	savings  []Saving
	compact  bool     // the client put a summary in the place of its history
	declined string   // the reason of channel_decline; "" is not declined
	interim  []string // rows posted while the turn was going
}

func newLive(r Run) *live { return &live{run: r, byID: map[string]int{}} }

// happen takes in what the agent did and says what to publish.
func (l *live) happen(h Happening, now time.Time) event.Event {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if h.Retract {
		l.restart()
		l.steps, l.dropped, l.byID = nil, 0, map[string]int{}
		return event.Event{Type: EventRunUpdated, ChannelID: l.run.ChannelID, Data: l.run}
	}
	if h.Step == nil {
		// Cleaned here and not by each encoder: a character cut in two between deltas
		// would be one in the whole text and two marks in its parts.
		delta := Delta{RunID: l.run.ID, At: l.units, Text: strings.ToValidUTF8(h.Delta, "\uFFFD")}
		l.text.WriteString(delta.Text)
		for _, r := range delta.Text {
			l.units += utf16.RuneLen(r)
		}
		// The first of a stretch is never dropped: who has the text of an earlier one
		// learns from it to begin anew.
		return event.Event{Type: EventRunDelta, ChannelID: l.run.ChannelID, Delta: delta.At > 0, Data: delta}
	}
	l.compact = l.compact || h.Step.compacts()
	step := l.keep(*h.Step, h.Done, now)
	if step.Kind == "text" && step.Parent == "" {
		// A whole block of text has come: what streams next starts anew.
		l.restart()
	}
	return event.Event{Type: EventRunStep, ChannelID: l.run.ChannelID, Data: StepEvent{RunID: l.run.ID, Step: step, Done: h.Done}}
}

// restart begins a new stretch of text.
func (l *live) restart() {
	l.text.Reset()
	l.units = 0
}

// keep stores a step or brings the one with the same ID up to date.
func (l *live) keep(step Step, done bool, now time.Time) Step {
	step.Input, step.Output = cutStep(step.Input), cutStep(step.Output)
	if at, ok := l.byID[step.ID]; ok && step.ID != "" {
		kept := &l.steps[at]
		if step.Name != "" {
			kept.Name = step.Name
		}
		if step.Input != "" {
			kept.Input = step.Input
		}
		kept.Output, kept.Error = step.Output, step.Error
		if done {
			kept.Took = now.Sub(kept.At)
			delete(l.byID, step.ID)
		}
		return *kept
	}
	step.N, step.At = len(l.steps)+l.dropped, now
	if len(l.steps) >= maxSteps {
		l.dropped++
		return step
	}
	l.steps = append(l.steps, step)
	if !done && step.ID != "" {
		l.byID[step.ID] = len(l.steps) - 1
	}
	return step
}

func cutStep(s string) string {
	kept, cut := plain.Cut(s, MaxStepChars)
	if cut == 0 {
		return s
	}
	return kept + " … [cut by Hearth; the session's transcript has the rest]"
}

func (l *live) snapshot() (string, []Step) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.String(), append([]Step(nil), l.steps...)
}

// lastText is the newest whole text of the main thread; "" when there is none.
func (l *live) lastText() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for _, step := range slices.Backward(l.steps) {
		if step.Kind == "text" && step.Parent == "" {
			return step.Output
		}
	}
	return ""
}

func (l *live) decline(reason string) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.declined = reason
}

func (l *live) declinedFor() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.declined
}

// save keeps a saving; it says whether there is room for it.
func (l *live) save(s Saving) bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if len(l.savings) >= maxSteps {
		return false
	}
	l.savings = append(l.savings, s)
	return true
}

func (l *live) saved() []Saving {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return append([]Saving(nil), l.savings...)
}

func (l *live) compacted() bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.compact
}

func (l *live) posted(rowID string) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.interim = append(l.interim, rowID)
}

func (l *live) said() []string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return append([]string(nil), l.interim...)
}
