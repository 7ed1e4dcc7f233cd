package engine

import (
	"context"

	"hearth/backend/chat"
	"hearth/backend/event"
	"hearth/backend/run"
)

const (
	// firstChannel is the name of the channel that a first start makes, and
	// firstAgent the handle of the agent in it.
	firstChannel = "general"
	firstAgent   = "claude"
	firstTopic   = "A place to try things out"
	// guide is who the sample rows are from.
	guide = "hearth"
)

// sampleRows are messages that teach by being read. They are rows like any
// others: agents are shown them, and nothing knows them again.
var sampleRows = []string{
	"Welcome. This is a channel: you write here, and so do agents. Its workspace is the folder they work in.",
	"An agent answers when a message mentions it. Try `@claude what is in this folder?`, or `@claude help`. The first answer takes longest, because a process starts; it then stays warm, and is told only what it has not heard yet.",
	"A message without a mention wakes nobody. Agents read it with their next turn, so this is a place for notes they should know.",
	"An agent that wants to run or change something asks you first, here in the channel. What each answer cost stands below it.",
}

// noModel is one more of them, where the agent is the stand-in.
const noModel = "Claude Code was not found when this channel was made, so `@claude` is a stand-in: it shows how everything works, and no model is behind it. The page, and `hearth doctor`, say how to get the real one."

// Welcome is what the first start made.
type Welcome struct {
	Channel chat.Channel
	Agent   chat.Binding
}

// Standin says whether its agent is the stand-in.
func (w Welcome) Standin() bool { return w.Agent.Runtime == chat.RuntimeStandin }

// Welcome makes the first channel, with some rows that explain it and an agent
// that answers: Claude Code when it is found, else the stand-in. It does so in a
// data folder without any channel, once; made is false otherwise.
func (e *Engine) Welcome(ctx context.Context) (w Welcome, made bool, err error) {
	there, err := e.store.Channels(ctx, true)
	if err != nil || len(there) > 0 {
		return Welcome{}, false, err // without looking for the client: this is every start but the first
	}
	runtime, bodies := chat.RuntimeClaude, sampleRows
	if _, _, err := e.agents.locate(ctx); err != nil {
		runtime = chat.RuntimeStandin
		bodies = append(bodies[:len(bodies):len(bodies)], noModel)
	}
	rows := make([]chat.Row, len(bodies))
	for i, body := range bodies {
		rows[i] = chat.Row{Kind: chat.KindUser, Handle: guide, Body: body}
	}
	w.Channel, w.Agent, made, err = e.store.Welcome(ctx,
		chat.Channel{Name: firstChannel, Topic: firstTopic, Workspace: e.agents.options.Workspace},
		chat.Binding{Handle: firstAgent, Runtime: runtime, Supervised: true, Resident: true}, rows)
	if err != nil || !made {
		return Welcome{}, false, err
	}
	e.bus.Publish(event.Event{Type: run.EventChannelCreated, ChannelID: w.Channel.ID, Data: w.Channel})
	e.bus.Publish(event.Event{Type: run.EventBindingCreated, ChannelID: w.Channel.ID, Data: w.Agent})
	return w, true, nil
}
