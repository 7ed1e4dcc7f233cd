package run

import (
	"hearth/backend/chat"
	"hearth/backend/event"
)

// The types of the events that the service and the API publish. Their data are
// the domain values named behind them; package api maps them for the wire.
const (
	EventChannelCreated     = "channel.created"     // chat.Channel
	EventChannelUpdated     = "channel.updated"     // chat.Channel
	EventChannelDeleted     = "channel.deleted"     // chat.Channel
	EventBindingCreated     = "binding.created"     // chat.Binding
	EventBindingUpdated     = "binding.updated"     // chat.Binding
	EventBindingDeleted     = "binding.deleted"     // chat.Binding
	EventRowCreated         = "row.created"         // chat.Row
	EventRowUpdated         = "row.updated"         // chat.Row
	EventRowDeleted         = "row.deleted"         // chat.Row, as it was
	EventRunUpdated         = "run.updated"         // Run
	EventRunDelta           = "run.delta"           // Delta; may be dropped under load, but for the first of a stretch
	EventRunStep            = "run.step"            // StepEvent
	EventRunSaving          = "run.saving"          // SavingEvent
	EventPermissionAsked    = "permission.asked"    // Permission
	EventPermissionAnswered = "permission.answered" // Permission
	EventSpendWarned        = "spend.warned"        // Spending
	EventAgentState         = "agent.state"         // the roster's state of one agent
	EventWorkbenchChanged   = "workbench.changed"   // WorkbenchChanged
)

// WorkbenchChanged says that something in a workbench of the event's channel has
// changed.
type WorkbenchChanged struct {
	Path string // of the workbench, absolute
}

// Delta is text of a run's reply while it streams.
type Delta struct {
	RunID string
	// At is where in the stretch of text that streams Text begins: what Live returns
	// has it there too. In UTF-16 code units, which is how JavaScript counts. It is 0
	// again when a whole block of text has come as a step, and after a Retract.
	At   int
	Text string // valid UTF-8
}

// StepEvent is a step that began or ended.
type StepEvent struct {
	RunID string
	Step  Step
	Done  bool
}

func (s *Service) publishRow(kind string, row chat.Row) {
	s.bus.Publish(event.Event{Type: kind, ChannelID: row.ChannelID, Data: row})
}

func (s *Service) publishRun(r Run) {
	s.bus.Publish(event.Event{Type: EventRunUpdated, ChannelID: r.ChannelID, Data: r})
}

func (s *Service) publishPermission(kind string, p Permission) {
	s.bus.Publish(event.Event{Type: kind, ChannelID: p.ChannelID, Data: p})
}

// BindingEvent is an event about a binding. Its token does not go out: events stay in
// memory for a while, and that there is one is all they tell.
func BindingEvent(kind string, b chat.Binding) event.Event {
	if b.Token != "" {
		b.Token = "kept"
	}
	return event.Event{Type: kind, ChannelID: b.ChannelID, Data: b}
}
