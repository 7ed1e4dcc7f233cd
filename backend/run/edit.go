package run

import (
	"context"
	"errors"

	"hearth/backend/event"
)

// ErrRevised is answered by Begin when a row of the channel was edited or deleted
// since the turn was composed.
var ErrRevised = errors.New("a message of the channel was changed since the turn was composed")

// Edit changes the text of a row of the owner's. Whom it addresses is read anew, by
// Post's rules: agents that are no longer addressed lose their run. As long as no
// agent was told the row, new ones get one, and an agent whose run a person has
// taken out of the queue is not asked again. One that was told hears of the change
// in its next turn, and nobody is asked anew. The store decides in one transaction
// which it is; a turn that begins at that moment has either begun, or is made of the
// new text.
func (s *Service) Edit(ctx context.Context, rowID, body string) (Edited, error) {
	body, err := checkedBody(body)
	if err != nil {
		return Edited{}, err
	}
	row, err := s.store.Row(ctx, rowID)
	if err != nil {
		return Edited{}, err
	}
	channel, err := s.store.Channel(ctx, row.ChannelID)
	if err != nil {
		return Edited{}, err
	}
	bindings, err := s.store.Bindings(ctx, row.ChannelID)
	if err != nil {
		return Edited{}, err
	}
	e := Editing{RowID: row.ID, Was: row.Body, Body: body, Addressed: map[string]bool{}}
	if e.Runs, err = causes(channel, bindings, body); err != nil {
		return Edited{}, err
	}
	before, _ := addressees(channel, bindings, row.Body)
	for _, b := range before {
		e.Addressed[b.ID] = true
	}
	edited, err := s.store.Edit(ctx, e)
	if err != nil {
		return Edited{}, err
	}
	s.publishRow(EventRowUpdated, edited.Row)
	for _, r := range edited.Queued {
		s.publishRun(r)
		s.wake(r.Key())
	}
	s.tookOut(ctx, edited.Stopped)
	return edited, nil
}

// Delete takes a row of the owner's away, with the runs it caused. One that agents
// were told, or that was answered in its thread, loses its text and keeps its place.
func (s *Service) Delete(ctx context.Context, rowID string) (Deleted, error) {
	deleted, err := s.store.Delete(ctx, rowID)
	if err != nil {
		return Deleted{}, err
	}
	row := deleted.Row
	s.tookOut(ctx, deleted.Stopped)
	if row.Deleted() {
		s.publishRow(EventRowUpdated, row)
		return deleted, nil
	}
	s.publishRow(EventRowDeleted, row)
	// It may have been the channel's newest, or where its read mark was.
	channel, err := s.store.Channel(context.WithoutCancel(ctx), row.ChannelID)
	if err != nil {
		s.log.Error("read the channel of a row that was deleted", "channel", row.ChannelID, "error", err)
		return deleted, nil
	}
	s.bus.Publish(event.Event{Type: EventChannelUpdated, ChannelID: channel.ID, Data: channel})
	return deleted, nil
}

// tookOut tells of runs that were taken out of their queues, and ends the attempts
// at them: one may be waiting for a process.
func (s *Service) tookOut(ctx context.Context, runs []Run) {
	for _, r := range runs {
		s.publishRun(r)
	}
	for _, r := range runs {
		if err := s.stop(ctx, r.Key(), r.ID); err != nil {
			return // whoever asked has gone; the change stands, and the attempt ends by itself
		}
	}
}
