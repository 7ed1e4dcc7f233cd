package store

import (
	"context"
	"encoding/json"
	"strings"

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
		marks[w.ThreadRootID] = delivery.Watermark{Native: w.Native, LastAt: timeOf(w.LastAt), IDs: decodeIDs(w.IDs)}
	}
	return marks, nil
}

// stage keeps the watermark a run is sent with.
func stage(ctx context.Context, q *db.Queries, runID string, w delivery.Watermark) error {
	return q.InsertStaged(ctx, db.InsertStagedParams{RunID: runID, Native: w.Native, LastAt: micros(w.LastAt), IDs: encodeIDs(w.IDs)})
}

// stageIndex keeps what a run's session is told of the index.
func stageIndex(ctx context.Context, q *db.Queries, runID string, m run.IndexMark) error {
	mark, err := json.Marshal(m.Mark)
	if err != nil {
		return err
	}
	return q.InsertStagedIndex(ctx, db.InsertStagedIndexParams{RunID: runID, Native: m.Native, Mark: string(mark)})
}

// settle brings the watermark of a run's place up to date with the run's end.
//
// What was staged becomes the place's when commit says so, unless the binding was
// started afresh or removed since the run began: then the session it belongs to
// was thrown away. Within one native session a watermark only grows: each was true
// when it was committed, and both stay true together.
//
// What the session wrote there itself, the reply and the interim rows, is noted in
// it too. In this place they are left out as the agent's own anyway; with their ids
// known, so they are in a thread that begins with one of them.
func settle(ctx context.Context, q *db.Queries, r run.Run, b db.Binding, committed bool, interim ...string) error {
	staged, err := q.TakeStaged(ctx, r.ID)
	if err != nil && !none(err) {
		return err
	}
	committed = committed && err == nil && b.DeletedAt == 0 && b.FreshAt <= micros(r.StartedAt)
	wrote := interim
	if r.ReplyID != "" {
		wrote = append(wrote[:len(wrote):len(wrote)], r.ReplyID)
	}
	if !committed && len(wrote) == 0 {
		return nil
	}
	there, err := q.Watermark(ctx, db.WatermarkParams{BindingID: r.BindingID, ChannelID: r.ChannelID, ThreadRootID: r.ThreadRootID})
	if err != nil && !none(err) {
		return err
	}
	mark := db.PutWatermarkParams{
		BindingID: r.BindingID, ChannelID: r.ChannelID, ThreadRootID: r.ThreadRootID,
		Native: there.Native, LastAt: there.LastAt, IDs: there.IDs,
	}
	switch {
	case committed && there.Native == staged.Native:
		mark.LastAt = max(there.LastAt, staged.LastAt)
		mark.IDs = addIDs(there.IDs, decodeIDs(staged.IDs))
	case committed:
		mark.Native, mark.LastAt, mark.IDs = staged.Native, staged.LastAt, staged.IDs
	}
	if mark.Native == "" || mark.Native != r.Native && !committed {
		return nil // it is another session's, or there is none
	}
	if mark.Native == r.Native {
		mark.IDs = addIDs(mark.IDs, wrote)
	}
	return q.PutWatermark(ctx, mark)
}

// addIDs adds ids to a stored list and keeps the newest delivery.MaxIDs.
func addIDs(stored string, ids []string) string {
	if len(ids) == 0 {
		return stored
	}
	return encodeIDs(delivery.Watermark{IDs: decodeIDs(stored)}.Wrote(ids...).IDs)
}

// Ids are stored in one text with a space between them; there is none in an id.
func encodeIDs(ids []string) string { return strings.Join(ids, " ") }

func decodeIDs(stored string) []string { return strings.Fields(stored) }

// settleIndex brings what a binding's session knows of the workbench's index up to
// date with a run's end. One that was compacted is told anew.
func settleIndex(ctx context.Context, q *db.Queries, r run.Run, b db.Binding, f run.Finishing) error {
	staged, err := q.TakeStagedIndex(ctx, r.ID)
	if err != nil && !none(err) {
		return err
	}
	switch {
	case f.Compacted:
		return q.ForgetIndexMark(ctx, r.BindingID)
	case err == nil && f.Commit && b.DeletedAt == 0 && b.FreshAt <= micros(r.StartedAt):
		return q.PutIndexMark(ctx, db.PutIndexMarkParams{BindingID: r.BindingID, Native: staged.Native, Mark: staged.Mark})
	}
	return nil
}

// indexMark returns what a binding's newest session was told of the index.
func indexMark(ctx context.Context, q *db.Queries, bindingID string) (*run.IndexMark, error) {
	stored, err := q.IndexMark(ctx, bindingID)
	if none(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	mark := &run.IndexMark{Native: stored.Native}
	// One that can't be read costs an index told anew, and no turn.
	_ = json.Unmarshal([]byte(stored.Mark), &mark.Mark)
	return mark, nil
}
