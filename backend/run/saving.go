package run

import (
	"context"
	"time"

	"hearth/backend/chat"
	"hearth/backend/event"
	"hearth/backend/workbench"
)

// Saving is one thing that a rule of Hearth's did in a turn to keep the agent's
// context small: what it was, how large, and where the whole of it is.
type Saving struct {
	Kind    SavingKind
	StepID  string // the tool_use id it is about; "" for the index, and for a command whose call is not known any more
	AgentID string // the subagent that made the call; "" is the main thread
	Tool    string // the tool that was called
	Detail  string // the command, the reason of a denial, or what else a person wants to know; at most MaxDetail characters
	Path    string // the file that has the whole, absolute; "" when there is none
	Chars   int    // of what was taken out, as people count characters
	Lines   int
	// Tokens is about how many tokens the context has less by it: estimated, of a long
	// text by its beginning. 0 is not known, or none.
	Tokens int
	Fault  string // why output that should have been spilled was not; then it is in the context
	At     time.Time
}

// MaxDetail is how much of a command or a reason a Saving keeps, in characters.
const MaxDetail = 1000

// SavingKind says which rule it was.
type SavingKind string

// The kinds of a saving.
const (
	SavingSpill    SavingKind = "spill"    // long output is in a file, and a pointer in the context
	SavingDenial   SavingKind = "denial"   // a coordinator was told to delegate a call
	SavingGlance   SavingKind = "glance"   // a coordinator looked by itself, without a worker
	SavingIndex    SavingKind = "index"    // the workbench's index was told by what changed, or not at all
	SavingIsolated SavingKind = "isolated" // a worker was given a worktree of its own
)

// SavingEvent tells of a saving while the run goes on.
type SavingEvent struct {
	RunID  string
	Saving Saving
}

// IndexMark is what a native session has been told of the workbench's index.
type IndexMark struct {
	Native string
	Mark   workbench.Mark
}

// Workbenches knows the workbenches that agents work with.
type Workbenches interface {
	// Inventory brings the index of a binding's workbench up to date and returns what
	// is in it. tokens counts the whole index, which takes its time once for each.
	Inventory(ctx context.Context, c chat.Channel, b chat.Binding) (inv workbench.Inventory, tokens func() int, err error)
}

// Saved takes in what was kept out of the context of the agent that works in a
// queue. Of a turn that nobody asked for it is kept until that turn is stored.
func (s *Service) Saved(key Key, saving Saving) {
	if saving.At.IsZero() {
		saving.At = s.clock()
	}
	s.mutex.Lock()
	var l *live
	if q := s.queues[key]; q != nil {
		l = s.live[q.runID]
	}
	if l == nil {
		s.unasked[key] = append(s.unasked[key], saving)
		s.unasked[key] = s.unasked[key][max(0, len(s.unasked[key])-maxSteps):]
	}
	s.mutex.Unlock()
	if l != nil && l.save(saving) {
		s.bus.Publish(event.Event{Type: EventRunSaving, ChannelID: key.ChannelID, Data: SavingEvent{RunID: l.run.ID, Saving: saving}})
	}
}

// takeUnasked returns what Saved was told in turns that nobody asked for.
func (s *Service) takeUnasked(key Key) []Saving {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	kept := s.unasked[key]
	delete(s.unasked, key)
	return kept
}
