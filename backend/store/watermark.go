package store

import (
	"context"
	"encoding/json"

	"hearth/backend/delivery"
	"hearth/backend/run"
	"hearth/backend/store/db"
)

// Watermarks returns a binding's watermarks by thread; "" is the channel.
func (s *Store) Watermarks(ctx context.Context, bindingID string) (marks map[string]delivery.Watermark, err error) {
	err = s.view(ctx, "read watermarks", func(q *db.Queries) error {
		marks, err = watermarks(ctx, q, bindingID)
		return err
	})
	return marks, err
}

// watermarks returns a binding's watermarks in its channel by thread.
func watermarks(ctx context.Context, q *db.Queries, bindingID string) (map[string]delivery.Watermark, error) {
	stored, err := q.Watermarks(ctx, bindingID)
	if err != nil {
		return nil, err
	}
	marks := make(map[string]delivery.Watermark, len(stored))
	for _, w := range stored {
		ids, err := decodeIDs(w.IDs)
		if err != nil {
			return nil, err
		}
		marks[w.ThreadRootID] = delivery.Watermark{Native: w.Native, LastAt: timeOf(w.LastAt), IDs: ids}
	}
	return marks, nil
}

// stage keeps the watermark a run is sent with.
func stage(ctx context.Context, q *db.Queries, runID string, w delivery.Watermark) error {
	ids, err := encodeIDs(w.IDs)
	if err != nil {
		return err
	}
	return q.InsertStaged(ctx, db.InsertStagedParams{RunID: runID, Native: w.Native, LastAt: micros(w.LastAt), IDs: ids})
}

// commit makes a run's staged watermark the one of its place. Within one native
// session a watermark only grows: each was true when it was committed, and both
// stay true together.
func commit(ctx context.Context, q *db.Queries, r run.Run, b db.Binding) error {
	if b.DeletedAt != 0 || b.FreshAt > micros(r.StartedAt) {
		return nil // the session it belongs to was thrown away
	}
	staged, err := q.Staged(ctx, r.ID)
	if none(err) {
		return nil
	}
	if err != nil {
		return err
	}
	put := db.PutWatermarkParams{
		BindingID: r.BindingID, ChannelID: r.ChannelID, ThreadRootID: r.ThreadRootID,
		Native: staged.Native, LastAt: staged.LastAt, IDs: staged.IDs,
	}
	there, err := q.Watermark(ctx, db.WatermarkParams{BindingID: r.BindingID, ChannelID: r.ChannelID, ThreadRootID: r.ThreadRootID})
	switch {
	case none(err) || err == nil && there.Native != staged.Native:
		return q.PutWatermark(ctx, put)
	case err != nil:
		return err
	}
	put.LastAt = max(put.LastAt, there.LastAt)
	if put.IDs, err = mergeIDs(there.IDs, staged.IDs); err != nil {
		return err
	}
	return q.PutWatermark(ctx, put)
}

// wrote notes in the watermark of a run's place what its native session wrote
// there itself: the reply and the interim rows. In this place they are left out
// as the agent's own anyway; with their ids known, so they are in a thread that
// begins with one of them.
func wrote(ctx context.Context, q *db.Queries, r run.Run, interim ...string) error {
	ids := interim
	if r.ReplyID != "" {
		ids = append(ids[:len(ids):len(ids)], r.ReplyID)
	}
	if len(ids) == 0 {
		return nil
	}
	there, err := q.Watermark(ctx, db.WatermarkParams{BindingID: r.BindingID, ChannelID: r.ChannelID, ThreadRootID: r.ThreadRootID})
	if none(err) || err == nil && there.Native != r.Native {
		return nil
	}
	if err != nil {
		return err
	}
	known, err := decodeIDs(there.IDs)
	if err != nil {
		return err
	}
	encoded, err := encodeIDs(delivery.Watermark{IDs: known}.Wrote(ids...).IDs)
	if err != nil {
		return err
	}
	return q.PutWatermark(ctx, db.PutWatermarkParams{
		BindingID: r.BindingID, ChannelID: r.ChannelID, ThreadRootID: r.ThreadRootID,
		Native: there.Native, LastAt: there.LastAt, IDs: encoded,
	})
}

// mergeIDs is the union of two stored lists, the newest delivery.MaxIDs of it.
func mergeIDs(older, newer string) (string, error) {
	before, err := decodeIDs(older)
	if err != nil {
		return "", err
	}
	after, err := decodeIDs(newer)
	if err != nil {
		return "", err
	}
	return encodeIDs(delivery.Watermark{IDs: before}.Wrote(after...).IDs)
}

func encodeIDs(ids []string) (string, error) {
	if ids == nil {
		ids = []string{}
	}
	out, err := json.Marshal(ids)
	return string(out), err
}

func decodeIDs(stored string) (ids []string, err error) {
	err = json.Unmarshal([]byte(stored), &ids)
	return ids, err
}
