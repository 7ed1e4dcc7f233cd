package engine

import (
	"context"
	"slices"

	"hearth/backend/chat"
	"hearth/backend/run"
	"hearth/backend/tool"
)

// tools answers what agents call.
type tools struct{ *agents }

var _ tool.Backend = tools{}

func key(scope tool.Scope) run.Key {
	return run.Key{ChannelID: scope.ChannelID, BindingID: scope.BindingID}
}

// History returns a page of rows of the scope's channel.
func (t tools) History(ctx context.Context, scope tool.Scope, q tool.HistoryQuery) (tool.Page, error) {
	for _, id := range []string{q.Before, q.ThreadRootID} {
		if id != "" {
			if _, err := t.inScope(ctx, scope, id); err != nil {
				return tool.Page{}, err
			}
		}
	}
	place := chat.Place{ChannelID: scope.ChannelID, ThreadRootID: q.ThreadRootID}
	rows, more, err := t.store.Rows(ctx, place, q.Before, q.Limit)
	if err != nil {
		return tool.Page{}, err
	}
	page, err := t.sized(ctx, rows)
	return tool.Page{Rows: page, More: more}, err
}

// Message returns one row of the scope's channel.
func (t tools) Message(ctx context.Context, scope tool.Scope, rowID string) (tool.Row, error) {
	row, err := t.inScope(ctx, scope, rowID)
	if err != nil {
		return tool.Row{}, err
	}
	rows, err := t.sized(ctx, []chat.Row{row})
	if err != nil {
		return tool.Row{}, err
	}
	return rows[0], nil
}

// inScope returns a row if it is of the scope's channel; to an agent a row of
// another channel does not exist.
func (t tools) inScope(ctx context.Context, scope tool.Scope, rowID string) (chat.Row, error) {
	row, err := t.store.Row(ctx, rowID)
	if err == nil && row.ChannelID != scope.ChannelID {
		err = chat.Errorf(chat.CodeNotFound, "There is no message %q in this channel.", rowID)
	}
	return row, err
}

// sized adds the sizes of the threads that rows began.
func (t tools) sized(ctx context.Context, rows []chat.Row) ([]tool.Row, error) {
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	sizes, err := t.store.ThreadSizes(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := make([]tool.Row, len(rows))
	for i, row := range rows {
		out[i] = tool.Row{Row: row, Replies: sizes[row.ID]}
	}
	return out, nil
}

// Roster says who is in the scope's channel, and how its agents are.
func (t tools) Roster(ctx context.Context, scope tool.Scope) (tool.Roster, error) {
	channel, err := t.store.Channel(ctx, scope.ChannelID)
	if err != nil {
		return tool.Roster{}, err
	}
	members, err := t.store.Members(ctx, scope.ChannelID)
	if err != nil {
		return tool.Roster{}, err
	}
	bindings, err := t.store.Bindings(ctx, scope.ChannelID)
	if err != nil {
		return tool.Roster{}, err
	}
	states, err := t.Presence(ctx, scope.ChannelID)
	if err != nil {
		return tool.Roster{}, err
	}
	roster := tool.Roster{Channel: channel.Name, Topic: channel.Topic, Workspace: channel.Workspace}
	for _, m := range members {
		roster.People = append(roster.People, tool.Person{Handle: m.Handle})
	}
	for i, b := range bindings {
		model := states[i].Model
		if model == "" {
			model = b.Model
		}
		roster.Agents = append(roster.Agents, tool.Agent{
			Handle: b.Handle, Self: b.ID == scope.BindingID, State: states[i].Phase,
			Reachable: states[i].Reachable, Model: model,
		})
	}
	return roster, nil
}

// recentRuns is how many ended runs project_activity tells of.
const recentRuns = 10

// Activity returns what the channel's agents do and did last.
func (t tools) Activity(ctx context.Context, scope tool.Scope) (tool.RunActivity, string, error) {
	channel, err := t.store.Channel(ctx, scope.ChannelID)
	if err != nil {
		return tool.RunActivity{}, "", err
	}
	bindings, err := t.store.Bindings(ctx, scope.ChannelID)
	if err != nil {
		return tool.RunActivity{}, "", err
	}
	handles := map[string]string{}
	for _, b := range bindings {
		handles[b.ID] = b.Handle
	}
	runs, _, err := t.store.Runs(ctx, scope.ChannelID, "", recentRuns*2)
	if err != nil {
		return tool.RunActivity{}, "", err
	}
	var out tool.RunActivity
	for _, r := range runs {
		line := tool.RunLine{RunID: r.ID, Handle: handles[r.BindingID], State: string(r.State), StartedAt: r.StartedAt, EndedAt: r.EndedAt}
		if r.RowID != "" {
			row, err := t.store.Row(ctx, r.RowID)
			if chat.CodeOf(err) == chat.CodeNotFound {
				continue // the message was deleted in this moment, and its runs with it
			}
			if err != nil {
				return tool.RunActivity{}, "", err
			}
			line.Asked = row.Body
		}
		switch {
		case !r.State.Ended():
			out.Running = append(out.Running, line)
		case len(out.Recent) < recentRuns:
			out.Recent = append(out.Recent, line)
		}
	}
	slices.Reverse(out.Running) // the store's newest come first
	return out, channel.Workspace, nil
}

// Post stores an interim word and wakes those it names.
func (t tools) Post(ctx context.Context, scope tool.Scope, r tool.PostRequest) (tool.PostResult, error) {
	said, err := t.runs.Say(ctx, key(scope), r.Body, r.To)
	return tool.PostResult{RowID: said.RowID, Woke: said.Woke, NotReached: said.NotReached}, err
}

// Decline makes the reason the reply of the turn that is going.
func (t tools) Decline(ctx context.Context, scope tool.Scope, reason string) error {
	return t.runs.Decline(ctx, key(scope), reason)
}
