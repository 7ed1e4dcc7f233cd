package claude

import (
	"encoding/json"
	"strings"
	"time"
)

// An Event is something that happened in a turn. Parent is the id of the tool call that started the subagent it happened
// in; empty on the main thread.
type Event interface{ event() }

// The events.
type (
	// TextDelta is a piece of text as it comes. Deltas may be joined or missing under load; Text has it all.
	TextDelta struct{ MessageID, Text, Parent string }
	// Text is a whole block of text.
	Text struct{ MessageID, Text, Parent string }
	// Thinking is a whole block of thinking.
	Thinking struct{ MessageID, Text, Parent string }
	// ToolUse is the model's call of a tool.
	ToolUse struct {
		ID, Name string
		Input    json.RawMessage
		Parent   string
	}
	// ToolResult is what a tool answered.
	ToolResult struct {
		ID         string          // the ToolUse it answers
		Content    json.RawMessage // a string or blocks, as the model gets it
		Structured json.RawMessage // the tool's own form; nil when there is none
		IsError    bool
		Duration   time.Duration // from the call to its result as they reached us; 0 when the call was not seen
		Parent     string
	}
	// TaskStarted says that a command or subagent is tracked as a task.
	TaskStarted struct {
		ID, ToolUseID, Kind, Description string
		Background                       bool // it goes on after the turn; older clients do not say
	}
	// TaskProgress says what a task does now.
	TaskProgress struct{ ID, ToolUseID, Description, LastTool string }
	// TaskEnded says that a task is over.
	TaskEnded struct{ ID, ToolUseID, Status, Summary, OutputFile string }
	// CallUsage is what one call used. For the main thread it comes when the call is over.
	CallUsage struct{ Call }
	// RateLimit is what the API said of the account's limits.
	RateLimit struct {
		Status      string // allowed, allowed_warning, rejected
		Kind        string // five_hour, seven_day, ...
		ResetsAt    time.Time
		Utilization float64 // 0 to 1
	}
	// Status is what the client says it is doing: requesting, compacting, api_retry, informational, ...
	Status struct{ Name, Text string }
	// Compacted says that the client replaced the history by a summary.
	Compacted struct {
		Trigger    string // auto or manual
		PreTokens  int64  // the context's size before
		PostTokens int64  // and after, as far as the client can tell before it sends it; 0: not said
		Calls      int    // how many calls of the turn had begun before
	}
	// Retract says that what this turn's sink got so far belonged to a turn of the client's own, which began in the same
	// moment; the answer follows. It can happen only with clients that do not name the message they work on.
	Retract struct{}
	// Unknown is a line, or a block of content, of a kind this package does not know.
	Unknown struct {
		Type string          // "type", "type/subtype" or "type/block"
		Raw  json.RawMessage // nil when longer than 64 KiB
	}
)

func (TextDelta) event()    {}
func (Text) event()         {}
func (Thinking) event()     {}
func (ToolUse) event()      {}
func (ToolResult) event()   {}
func (TaskStarted) event()  {}
func (TaskProgress) event() {}
func (TaskEnded) event()    {}
func (CallUsage) event()    {}
func (RateLimit) event()    {}
func (Status) event()       {}
func (Compacted) event()    {}
func (Retract) event()      {}
func (Unknown) event()      {}

// Text is the result's content as plain text, blocks joined by newlines; images and the like are left out.
func (r ToolResult) Text() string {
	var parts []string
	for _, b := range blocksOf(r.Content) {
		if b.Type == "text" {
			parts = append(parts, b.Text)
		}
	}
	return strings.Join(parts, "\n")
}

// weight is roughly how many bytes an event holds.
func weight(e Event) int {
	const fixed = 200
	switch e := e.(type) {
	case TextDelta:
		return fixed + len(e.Text)
	case Text:
		return fixed + len(e.Text)
	case Thinking:
		return fixed + len(e.Text)
	case ToolUse:
		return fixed + len(e.Input)
	case ToolResult:
		return fixed + len(e.Content) + len(e.Structured)
	case TaskEnded:
		return fixed + len(e.Summary)
	case Unknown:
		return fixed + len(e.Raw)
	}
	return fixed
}
