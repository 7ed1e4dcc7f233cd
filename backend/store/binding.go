package store

import (
	"context"
	"encoding/json"
	"strings"

	"hearth/backend/chat"
	"hearth/backend/ledger"
	"hearth/backend/run"
	"hearth/backend/store/db"
)

// Bindings returns the agents of a channel in the order they came.
func (s *Store) Bindings(ctx context.Context, channelID string) ([]chat.Binding, error) {
	stored, err := s.views.Bindings(ctx, channelID)
	if err != nil {
		return nil, s.failed("read the bindings of a channel", err)
	}
	return bindingsOf(stored), nil
}

// Binding returns a binding; one that was removed is CodeNotFound.
func (s *Store) Binding(ctx context.Context, id string) (chat.Binding, error) {
	b, err := readBinding(ctx, s.views, id)
	return b, s.failed("read a binding", err)
}

// CreateBinding stores a new binding. It sets ID and CreatedAt, and answers
// CodeConflict when the handle is taken in the channel, when the channel is
// archived, and when it is a direct line that has its agent already.
func (s *Store) CreateBinding(ctx context.Context, b chat.Binding) (created chat.Binding, err error) {
	err = s.change(ctx, synced, "create a binding", func(ctx context.Context, q *db.Queries) error {
		c, err := open(ctx, q, b.ChannelID)
		if err != nil {
			return err
		}
		if err := handleFree(ctx, q, b); err != nil {
			return err
		}
		if c.Direct {
			there, err := q.Bindings(ctx, c.ID)
			if err != nil {
				return err
			}
			if len(there) > 0 {
				return conflict("%q is a direct line to @%s; it can't have another agent.", c.Name, there[0].Handle)
			}
		}
		if err := s.insertBinding(ctx, q, &c, &b); err != nil {
			return err
		}
		if err := keep(ctx, q, c); err != nil {
			return err
		}
		created, err = readBinding(ctx, q, b.ID)
		return err
	})
	return created, err
}

// insertBinding stores a new binding in its channel, and sets its ID.
func (s *Store) insertBinding(ctx context.Context, q *db.Queries, c *db.Channel, b *chat.Binding) error {
	workers, err := encodeWorkers(b.Workers)
	if err != nil {
		return err
	}
	now := s.tick(c)
	b.ID = chat.NewID(timeOf(now))
	return q.CreateBinding(ctx, db.CreateBindingParams{
		ID: b.ID, ChannelID: c.ID, Handle: b.Handle, HandleFold: chat.Fold(b.Handle),
		Runtime: string(b.Runtime), Model: b.Model, PermissionMode: b.PermissionMode, Supervised: b.Supervised,
		Resident: b.Resident, BaseURL: b.BaseURL, Token: b.Token, BriefEveryTurn: b.BriefEveryTurn, CreatedAt: now,
		Role: string(b.Role), Glance: b.Glance, Hands: strings.Join(b.Hands, " "), Workers: workers, SpillOver: int64(b.SpillOver),
	})
}

// UpdateBinding stores what people set of a binding: everything but its ID,
// channel and times. It answers CodeConflict when the handle is taken. Another
// runtime is another agent: it starts afresh, because the past is not its own.
func (s *Store) UpdateBinding(ctx context.Context, b chat.Binding) (updated chat.Binding, err error) {
	err = s.change(ctx, synced, "update a binding", func(ctx context.Context, q *db.Queries) error {
		there, err := present(ctx, q, b.ID)
		if err != nil {
			return err
		}
		b.ChannelID = there.ChannelID
		if err := handleFree(ctx, q, b); err != nil {
			return err
		}
		workers, err := encodeWorkers(b.Workers)
		if err != nil {
			return err
		}
		err = q.UpdateBinding(ctx, db.UpdateBindingParams{
			ID: b.ID, Handle: b.Handle, HandleFold: chat.Fold(b.Handle), Runtime: string(b.Runtime), Model: b.Model,
			PermissionMode: b.PermissionMode, Supervised: b.Supervised, Resident: b.Resident, BaseURL: b.BaseURL,
			Token: b.Token, BriefEveryTurn: b.BriefEveryTurn,
			Role: string(b.Role), Glance: b.Glance, Hands: strings.Join(b.Hands, " "), Workers: workers, SpillOver: int64(b.SpillOver),
		})
		if err != nil {
			return err
		}
		if there.Runtime != string(b.Runtime) {
			if err := s.refresh(ctx, q, there, noUndo); err != nil {
				return err
			}
			if err := forgetShown(ctx, q, b.ID); err != nil {
				return err
			}
		}
		updated, err = readBinding(ctx, q, b.ID)
		return err
	})
	return updated, err
}

// DeleteBinding removes a binding with its watermarks, rules and token; its rows
// and runs stay. What stood in its queue ends as stopped and is returned. It
// answers CodeConflict while a run of it is running.
func (s *Store) DeleteBinding(ctx context.Context, id string) (cleared []run.Run, err error) {
	err = s.change(ctx, synced, "delete a binding", func(ctx context.Context, q *db.Queries) error {
		b, err := present(ctx, q, id)
		if err != nil {
			return err
		}
		c, err := q.Channel(ctx, b.ChannelID)
		if err != nil {
			return err
		}
		if cleared, err = s.clear(ctx, q, &c, b, "the agent was taken out of the channel"); err != nil {
			return err
		}
		now := s.tick(&c)
		if err := endSessionsOf(ctx, q, id, ledger.EndedOther, "binding removed", now); err != nil {
			return err
		}
		if err := forgetShown(ctx, q, id); err != nil {
			return err
		}
		if err := q.ForgetRules(ctx, id); err != nil {
			return err
		}
		if err := q.RemoveBinding(ctx, db.RemoveBindingParams{ID: id, DeletedAt: now}); err != nil {
			return err
		}
		return keep(ctx, q, c)
	})
	if err != nil {
		return nil, err
	}
	return cleared, nil
}

// forgetShown forgets what the sessions of a binding were shown: no process of it
// loads one of them again.
func forgetShown(ctx context.Context, q *db.Queries, id string) error {
	if err := q.ForgetWatermarks(ctx, id); err != nil {
		return err
	}
	return q.ForgetIndexMark(ctx, id)
}

// noUndo stands in fresh_before where there is no Start fresh to take back.
const noUndo = -1

// Fresh starts a binding afresh: ends its session, and sets FreshAt, so that no
// earlier session can be restored. The watermarks stay: they are of a native session
// that no process works in any more, and are its own again if UndoFresh brings it back.
func (s *Store) Fresh(ctx context.Context, bindingID string) (fresh chat.Binding, err error) {
	err = s.change(ctx, synced, "start a binding afresh", func(ctx context.Context, q *db.Queries) error {
		b, err := present(ctx, q, bindingID)
		if err != nil {
			return err
		}
		before := b.FreshAt
		if b.FreshBefore != noUndo { // twice with nothing between is once
			asked, err := askedSince(ctx, q, b)
			if err != nil {
				return err
			}
			if !asked {
				before = b.FreshBefore
			}
		}
		if err := s.refresh(ctx, q, b, before); err != nil {
			return err
		}
		fresh, err = readBinding(ctx, q, bindingID)
		return err
	})
	return fresh, err
}

// CanUndoFresh says whether UndoFresh would do it: nil, or CodeConflict.
func (s *Store) CanUndoFresh(ctx context.Context, bindingID string) error {
	return s.view(ctx, "look whether a Start fresh can be taken back", func(q *db.Queries) error {
		b, err := present(ctx, q, bindingID)
		if err != nil {
			return err
		}
		return canUndoFresh(ctx, q, b)
	})
}

// UndoFresh takes the last Start fresh of a binding back: what it was asked and
// answered before counts again, and its sessions can be restored. It answers
// CodeConflict when there is none, and once the binding was asked something since:
// that belongs to the new conversation.
func (s *Store) UndoFresh(ctx context.Context, bindingID string) (back chat.Binding, err error) {
	err = s.change(ctx, synced, "take a Start fresh back", func(ctx context.Context, q *db.Queries) error {
		b, err := present(ctx, q, bindingID)
		if err != nil {
			return err
		}
		if err := canUndoFresh(ctx, q, b); err != nil {
			return err
		}
		if err := q.RefreshBinding(ctx, db.RefreshBindingParams{ID: b.ID, FreshAt: b.FreshBefore, FreshBefore: noUndo}); err != nil {
			return err
		}
		back, err = readBinding(ctx, q, bindingID)
		return err
	})
	return back, err
}

func canUndoFresh(ctx context.Context, q *db.Queries, b db.Binding) error {
	if b.FreshBefore == noUndo {
		return conflict("@%s was not started fresh, or that was taken back already.", b.Handle)
	}
	asked, err := askedSince(ctx, q, b)
	if err != nil {
		return err
	}
	if asked {
		return conflict("It is too late to take Start fresh back: @%s was asked something since, in its new conversation.", b.Handle)
	}
	return nil
}

// askedSince says whether a binding was asked something after its last Start fresh,
// or has begun since then what had waited.
func askedSince(ctx context.Context, q *db.Queries, b db.Binding) (bool, error) {
	return q.AskedSince(ctx, db.AskedSinceParams{BindingID: b.ID, At: b.FreshAt})
}

// refresh ends a binding's sessions, and what it was asked and answered until now
// counts no more. before is what UndoFresh goes back to, or noUndo.
func (s *Store) refresh(ctx context.Context, q *db.Queries, b db.Binding, before int64) error {
	c, err := q.Channel(ctx, b.ChannelID)
	if err != nil {
		return err
	}
	now := s.tick(&c)
	if err := endSessionsOf(ctx, q, b.ID, ledger.EndedFresh, "started afresh", now); err != nil {
		return err
	}
	if err := q.RefreshBinding(ctx, db.RefreshBindingParams{ID: b.ID, FreshAt: now, FreshBefore: before}); err != nil {
		return err
	}
	return keep(ctx, q, c)
}

// present returns a binding that was not removed.
func present(ctx context.Context, q *db.Queries, id string) (db.Binding, error) {
	b, err := q.Binding(ctx, id)
	if err != nil {
		return db.Binding{}, found(err, "binding", id)
	}
	if b.DeletedAt != 0 {
		return db.Binding{}, notFound("binding", id)
	}
	return b, nil
}

func readBinding(ctx context.Context, q *db.Queries, id string) (chat.Binding, error) {
	b, err := present(ctx, q, id)
	if err != nil {
		return chat.Binding{}, err
	}
	return bindingOf(b), nil
}

// handleFree answers CodeConflict when another binding of the channel has the handle.
func handleFree(ctx context.Context, q *db.Queries, b chat.Binding) error {
	taken, err := q.BindingByHandle(ctx, db.BindingByHandleParams{ChannelID: b.ChannelID, HandleFold: chat.Fold(b.Handle)})
	switch {
	case none(err) || err == nil && taken.ID == b.ID:
		return nil
	case err != nil:
		return err
	}
	return conflict("There is an agent @%s in this channel already; choose another handle.", taken.Handle)
}

func bindingOf(b db.Binding) chat.Binding {
	return chat.Binding{
		ID: b.ID, ChannelID: b.ChannelID, Handle: b.Handle, Runtime: chat.Runtime(b.Runtime), Model: b.Model,
		PermissionMode: b.PermissionMode, Supervised: b.Supervised, Resident: b.Resident, BaseURL: b.BaseURL,
		Token: b.Token, BriefEveryTurn: b.BriefEveryTurn, CreatedAt: timeOf(b.CreatedAt), FreshAt: timeOf(b.FreshAt),
		Role: chat.Role(b.Role), Glance: b.Glance, Hands: list(b.Hands), Workers: decodeWorkers(b.Workers), SpillOver: int(b.SpillOver),
	}
}

// list returns the words of a text; none are nil.
func list(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Fields(text)
}

// storedWorker is the stored form of chat.Worker, with names of its own.
type storedWorker struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Prompt      string   `json:"prompt"`
	Tools       []string `json:"tools"`
	Model       string   `json:"model"`
	Isolated    bool     `json:"isolated,omitempty"`
}

func encodeWorkers(workers []chat.Worker) (string, error) {
	stored := make([]storedWorker, len(workers))
	for i, w := range workers {
		stored[i] = storedWorker(w)
	}
	out, err := json.Marshal(stored)
	return string(out), err
}

// decodeWorkers is the opposite; "" is a binding that is older than workers.
func decodeWorkers(encoded string) []chat.Worker {
	var stored []storedWorker
	if encoded == "" || json.Unmarshal([]byte(encoded), &stored) != nil {
		return chat.DefaultWorkers()
	}
	var workers []chat.Worker
	for _, w := range stored {
		workers = append(workers, chat.Worker(w))
	}
	return workers
}

func bindingsOf(stored []db.Binding) []chat.Binding {
	bindings := make([]chat.Binding, len(stored))
	for i, b := range stored {
		bindings[i] = bindingOf(b)
	}
	return bindings
}
