package ledger

import (
	"slices"

	"hearth/backend/plain"
)

// The settings of an agent that a request depends on; see Turn.Settings.
const (
	SettingModel     = "model"
	SettingRole      = "role"
	SettingWorkers   = "workers"
	SettingHands     = "hands"     // what a coordinator may do itself, glances too
	SettingHandle    = "handle"    // its name
	SettingBrief     = "brief"     // whether it is told the rules in each turn
	SettingWorkspace = "workspace" // the channel's
	SettingAPI       = "api"       // the address of its Messages API
)

// settings are all of them in the order in which people are told of them, in their words, and which causes a change of
// each can have.
var settings = []struct {
	name, words string
	causes      []Cause
}{
	{SettingModel, "its model", []Cause{ModelChanged}},
	{SettingRole, "its role", []Cause{ToolsChanged, FramingChanged}},
	{SettingWorkers, "its workers", []Cause{ToolsChanged, FramingChanged}},
	{SettingHands, "what it may do itself", []Cause{ToolsChanged, FramingChanged}},
	{SettingHandle, "its name", []Cause{FramingChanged}},
	{SettingBrief, "when it is told the rules", []Cause{FramingChanged}},
	{SettingWorkspace, "its workspace", []Cause{ToolsChanged, FramingChanged}},
	{SettingAPI, "the address of its API", []Cause{ModelChanged, NewProcess}},
}

// cameOf is what came of a person's change.
var cameOf = map[Cause]string{
	ModelChanged:   "Each model has a cache of its own, so everything had to be read anew.",
	ToolsChanged:   "That changed its tools. They stand at the very beginning of what is sent, so everything after them had to be read anew.",
	FramingChanged: "That changed what it is told at the beginning, so everything after it had to be read anew.",
	NewProcess:     "There, nothing was kept of what it had read before.",
}

// Settings are the names of all settings, in the order in which people are told of them.
func Settings() []string {
	names := make([]string, len(settings))
	for i, s := range settings {
		names[i] = s.name
	}
	return names
}

// edited are the settings that differ and can have had a cause.
func edited(cause Cause, was, is map[string]string) []string {
	var names []string
	for _, s := range settings {
		before, now := was[s.name], is[s.name]
		if before != "" && now != "" && before != now && slices.Contains(s.causes, cause) {
			names = append(names, s.name)
		}
	}
	return names
}

// Sentence is what happened, for people: the cause's own sentence, with what ended the process before where another one
// answered; or, where a person changed the agent's settings, that they did and what came of it.
func (b Break) Sentence() string {
	if len(b.Evidence.Edited) == 0 {
		said := b.Cause.Sentence()
		if b.Cause == NewProcess && b.Evidence.Ended != nil {
			said += " " + b.Evidence.Ended.How.Sentence()
		}
		return said
	}
	var words []string
	for _, s := range settings {
		if slices.Contains(b.Evidence.Edited, s.name) {
			words = append(words, s.words)
		}
	}
	return "The agent's settings were changed: " + plain.And(words) + ". " + cameOf[b.Cause]
}
