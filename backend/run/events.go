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
	EventRunUpdated         = "run.updated"         // Run
	EventRunDelta           = "run.delta"           // Delta; may be dropped under load
	EventRunStep            = "run.step"            // StepEvent
	EventPermissionAsked    = "permission.asked"    // Permission
	EventPermissionAnswered = "permission.answered" // Permission
	EventAgentState         = "agent.state"         // the roster's state of one agent
)

// Delta is text to append to a run's reply while it streams.
type Delta struct {
	RunID string
	Text  string
}

// StepEvent is a step that began or ended.
type StepEvent struct {
	RunID string
	Step  Step
	Done  bool
}

func (s *Service) publishRow(row chat.Row) {
	s.bus.Publish(event.Event{Type: EventRowCreated, ChannelID: row.ChannelID, Data: row})
}

func (s *Service) publishRun(r Run) {
	s.bus.Publish(event.Event{Type: EventRunUpdated, ChannelID: r.ChannelID, Data: r})
}

func (s *Service) publishPermission(kind string, p Permission) {
	s.bus.Publish(event.Event{Type: kind, ChannelID: p.ChannelID, Data: p})
}
