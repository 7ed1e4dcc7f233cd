package engine

import (
	"context"
	"time"

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

const (
	// noModel is one more of them, where the agent is the stand-in; what was wrong and
	// what to do about it stand around it.
	noModel = " So `@claude` is a stand-in: it shows how everything works, and no model is behind it. "
	// noWord is one more of them, where Claude Code had not answered yet.
	noWord = "Claude Code had not said that it runs when this channel was made, so `@claude` may not answer. `hearth doctor` says how it is; `hearth bindings edit general claude --runtime standin` makes `@claude` a stand-in, which needs no model."
)

// welcomeWithin is how long the first start waits to hear that Claude Code is there:
// 0.1 s is usual, and nobody should look at an empty terminal for long.
const welcomeWithin = 2 * time.Second

// Welcome is what the first start made.
type Welcome struct {
	Channel chat.Channel
	Agent   chat.Binding
	// Problem says, where the agent is the stand-in, why it is not Claude Code, and
	// How what to do about it: sentences for people.
	Problem, How string
	// Unsure says that Claude Code had not answered yet, and was taken to be there.
	Unsure bool
}

// Standin says whether its agent is the stand-in.
func (w Welcome) Standin() bool { return w.Agent.Runtime == chat.RuntimeStandin }

// Welcome makes the first channel, with some rows that explain it and an agent
// that answers: Claude Code when it is found, else the stand-in. It does so in a
// data folder without any channel, once; made is false otherwise.
//
// It waits for the look at most two seconds. To find nothing takes no time; so
// Claude Code that has not answered by then (a cold disk, a slow login shell) is
// there, most likely, and is taken: a row says so, and its first turn says what is
// wrong if it is not.
func (e *Engine) Welcome(ctx context.Context) (w Welcome, made bool, err error) {
	there, err := e.store.Channels(ctx, true)
	if err != nil || len(there) > 0 {
		return Welcome{}, false, err // without looking for the client: this is every start but the first
	}
	runtime, bodies := chat.RuntimeClaude, sampleRows
	patient, cancel := context.WithTimeout(ctx, welcomeWithin)
	found := e.agents.clients.await(patient, noClientFor)
	cancel()
	switch {
	case found.none():
		w.Unsure = true
		bodies = append(bodies[:len(bodies):len(bodies)], noWord)
	case found.value.err != nil:
		runtime = chat.RuntimeStandin
		state := missing(found.value.err)
		w.Problem, w.How = state.Problem, state.How
		bodies = append(bodies[:len(bodies):len(bodies)], state.Problem+noModel+state.How+" Then `hearth bindings edit general claude --runtime claude`.")
	}
	rows := make([]chat.Row, len(bodies))
	for i, body := range bodies {
		rows[i] = chat.Row{Kind: chat.KindUser, Handle: guide, Body: body}
	}
	w.Channel, w.Agent, made, err = e.store.Welcome(ctx,
		chat.Channel{Name: firstChannel, Topic: firstTopic, Workspace: e.agents.options.Workspace},
		chat.NewBinding(firstAgent, runtime), rows)
	if err != nil || !made {
		return Welcome{}, false, err
	}
	e.bus.Publish(event.Event{Type: run.EventChannelCreated, ChannelID: w.Channel.ID, Data: w.Channel})
	e.bus.Publish(event.Event{Type: run.EventBindingCreated, ChannelID: w.Channel.ID, Data: w.Agent})
	return w, true, nil
}
