package engine

import (
	"context"
	"strings"

	"hearth/backend/api"
	"hearth/backend/event"
	"hearth/backend/resident"
	"hearth/backend/run"
)

var _ api.Presence = (*agents)(nil)

// maxAsking is how many open questions of a channel are counted.
const maxAsking = 200

// Presence tells how the agents of a channel are, in the order of its bindings.
func (a *agents) Presence(ctx context.Context, channelID string) ([]api.AgentState, error) {
	bindings, err := a.store.Bindings(ctx, channelID)
	if err != nil {
		return nil, err
	}
	queued, err := a.store.QueueLengths(ctx, channelID)
	if err != nil {
		return nil, err
	}
	open, err := a.store.Permissions(ctx, channelID, true, maxAsking)
	if err != nil {
		return nil, err
	}
	asking := map[string]int{}
	for _, p := range open {
		asking[p.BindingID]++
	}
	states := make([]api.AgentState, len(bindings))
	for i, b := range bindings {
		state := a.state(run.KeyOf(b))
		state.Queued, state.Asking = queued[b.ID], asking[b.ID]
		state.Reachable = a.reachable(b)
		if saved, ok, err := a.store.Restorable(ctx, b.ID); err != nil {
			return nil, err
		} else if ok && b.Remembers() {
			state.Restorable = saved.Native
		}
		states[i] = state
	}
	return states, nil
}

// phaseOf is the phase that people are told. Evicted is an agent that had to make room
// for another; one whose process was ended for another reason, such as Start fresh or
// an idle half hour, is cold.
func phaseOf(s resident.State) resident.Phase {
	if s.Phase == resident.PhaseEvicted && !strings.HasPrefix(s.Reason, resident.ReasonPlace) {
		return resident.PhaseCold
	}
	return s.Phase
}

// state is what is known of one agent without asking the store.
func (a *agents) state(key run.Key) api.AgentState {
	s := a.pool.State(poolKey(key))
	out := api.AgentState{
		BindingID: key.BindingID, Phase: string(phaseOf(s)), Since: s.Since, IdleDeadline: s.IdleDeadline, RunID: a.runs.At(key),
	}
	if s.Err != nil {
		out.Error = s.Err.Error()
	}
	a.mutex.Lock()
	p := a.living[key]
	out.Restoring = a.restore[key]
	a.mutex.Unlock()
	if p != nil {
		info := p.session.Info()
		out.Native, out.PID, out.Background = p.Native(), p.session.Record().PID, p.session.BackgroundTasks()
		out.Model, out.ClientVersion, out.Tools = info.Model, info.Version, info.Tools
	}
	return out
}

// changed tells everyone that an agent's state is another. It runs on the pool's
// own goroutine, so it may ask the store; and on those of others, so what was looked
// at later is told later.
func (a *agents) changed(s resident.State) {
	a.telling.Lock()
	defer a.telling.Unlock()
	key := run.Key{ChannelID: s.Key.Channel, BindingID: s.Key.Binding}
	states, err := a.Presence(context.Background(), key.ChannelID)
	if err != nil {
		a.log.Debug("tell an agent's state", "binding", key.BindingID, "error", err)
		return // its channel is being deleted, or Hearth is closing: nobody asks any more
	}
	for _, state := range states {
		if state.BindingID == key.BindingID {
			a.bus.Publish(event.Event{Type: run.EventAgentState, ChannelID: key.ChannelID, Data: state})
		}
	}
}

// tellAgents tells everyone how the agents of all channels are.
func (a *agents) tellAgents(ctx context.Context) error {
	channels, err := a.store.Channels(ctx, false)
	if err != nil {
		return err
	}
	for _, c := range channels {
		states, err := a.Presence(ctx, c.ID)
		if err != nil {
			return err
		}
		for _, state := range states {
			a.bus.Publish(event.Event{Type: run.EventAgentState, ChannelID: c.ID, Data: state})
		}
	}
	return nil
}
