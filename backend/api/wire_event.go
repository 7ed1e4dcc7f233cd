package api

import (
	"reflect"

	"hearth/backend/chat"
	"hearth/backend/event"
	"hearth/backend/run"
)

// Delta is a piece of what a run says, and its place.
type Delta struct {
	RunID string `json:"run_id"`
	At    int    `json:"at" doc:"Where in live_text of the run the piece begins, in UTF-16 code units, as JavaScript counts. 0 begins a new stretch."`
	Text  string `json:"text"`
}

// RunStep is a step of a run that began, went on or ended.
type RunStep struct {
	RunID string `json:"run_id"`
	Done  bool   `json:"done"`
	Step  Step   `json:"step"`
}

// RunSaving is what a run that is going has kept out of its agent's context.
type RunSaving struct {
	RunID  string `json:"run_id"`
	Saving Saving `json:"saving"`
}

// WorkbenchChanged says that something in a workbench has changed.
type WorkbenchChanged struct {
	ChannelID string `json:"channel_id"`
	Path      string `json:"path" doc:"Which workbench, as GET /api/channels/{id}/workbench has it."`
}

// Place in the stream, as ready and reset tell it.
type streamed struct {
	Epoch string `json:"epoch" doc:"The run of Hearth that this stream is of."`
	Seq   uint64 `json:"seq" doc:"The event after which the stream goes on."`
	// Stream is another one after each reconnect.
	Stream string `json:"stream" doc:"What this stream is known by, while it is open: see PUT /api/pages/{id}."`
}

// The events that the stream itself makes.
const (
	eventReady = "ready"
	eventReset = "reset"
)

// eventTypes is every event of the stream with the wire type of its data and
// what it says. The documentation is made of it, and a test holds it to what is
// published.
var eventTypes = []struct {
	name string
	data reflect.Type
	doc  string
}{
	{eventReady, reflect.TypeFor[streamed](), "The first event of a stream that misses nothing: whatever happens after seq follows."},
	{eventReset, reflect.TypeFor[streamed](), "Events were missed that can't be had any more: fetch anew what is shown."},
	{run.EventChannelCreated, reflect.TypeFor[Channel](), "A channel was made."},
	{run.EventChannelUpdated, reflect.TypeFor[Channel](), "A channel was changed, archived or brought back, or read further."},
	{run.EventChannelDeleted, reflect.TypeFor[Channel](), "A channel is gone, with all that was in it."},
	{run.EventBindingCreated, reflect.TypeFor[Binding](), "An agent was bound."},
	{run.EventBindingUpdated, reflect.TypeFor[Binding](), "A binding was changed or started fresh."},
	{run.EventBindingDeleted, reflect.TypeFor[Binding](), "A binding is gone; its rows stay."},
	{run.EventRowCreated, reflect.TypeFor[Row](), "A row was written."},
	{run.EventRowUpdated, reflect.TypeFor[Row](), "The text of a row was changed, or its owner deleted it and its place stays."},
	{run.EventRowDeleted, reflect.TypeFor[Row](), "A row was taken back, as it was; the runs it caused are gone with it."},
	{run.EventRunUpdated, reflect.TypeFor[Run](), "A run was queued, or changed its state."},
	{run.EventRunDelta, reflect.TypeFor[Delta](), "Text as it streams: keep the first `at` code units of what you have and put text after them. If you have fewer, " +
		"some was dropped under load (seq jumps then, too): GET /api/runs/{id} has the text so far. A step of kind text with an empty parent ends a stretch " +
		"of text, and run.updated of a run that is running voids what it said; what streams next begins anew, at 0. That first piece is never dropped."},
	{run.EventRunStep, reflect.TypeFor[RunStep](), "A step of a turn began, went on or ended."},
	{run.EventRunSaving, reflect.TypeFor[RunSaving](), "Something was kept out of an agent's context, or denied to a coordinator."},
	{run.EventPermissionAsked, reflect.TypeFor[Permission](), "An agent waits for an answer."},
	{run.EventPermissionAnswered, reflect.TypeFor[Permission](), "A question was answered or withdrawn."},
	{run.EventSpendWarned, reflect.TypeFor[Spending](), "A channel has come to 80 % of its spending limit of the day, or to all of it: then a person is asked before each turn. " +
		"channel.updated tells of each turn that ends in a channel with a limit."},
	{run.EventAgentState, reflect.TypeFor[State](), "How an agent is has changed."},
	{run.EventWorkbenchChanged, reflect.TypeFor[WorkbenchChanged](), "Something in a workbench has changed, or may have: fetch anew what is shown of it. Changes of spill/ alone are not told; " +
		"run.saving tells of what is spilled. It is told of workbenches that an agent works with or that were asked for since Hearth was started."},
}

// toEventData maps what was published; ok is false for data the wire knows
// nothing of.
func toEventData(e event.Event) (data any, ok bool) {
	switch v := e.Data.(type) {
	case chat.Channel:
		return toChannel(v), true
	case chat.Binding:
		return toBinding(v), true
	case chat.Row:
		return toRow(v), true
	case run.Run:
		return toRun(v), true
	case run.Delta:
		return Delta{RunID: v.RunID, At: v.At, Text: v.Text}, true
	case run.StepEvent:
		return RunStep{RunID: v.RunID, Done: v.Done, Step: toStep(v.Step)}, true
	case run.SavingEvent:
		return RunSaving{RunID: v.RunID, Saving: toSaving(v.Saving)}, true
	case run.WorkbenchChanged:
		return WorkbenchChanged{ChannelID: e.ChannelID, Path: v.Path}, true
	case run.Permission:
		return toPermission(v), true
	case run.Spending:
		return toSpending(e.ChannelID, v), true
	case AgentState:
		return toState(v), true
	}
	return nil, false
}
