package store

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"time"

	"hearth/backend/changes"
	"hearth/backend/chat"
	"hearth/backend/run"
	"hearth/backend/store/db"
)

const (
	// textsKept is how long the contents of files are kept that runs changed. Fixed.
	textsKept = 90 * 24 * time.Hour
	// mostLater is how many later changes of a run's files are looked at.
	mostLater = 1000
)

// Change returns what a run has made of a file so far, with the contents that are
// kept; ok is false when nothing.
func (s *Store) Change(ctx context.Context, runID, path string) (c changes.Change, ok bool, err error) {
	err = s.view(ctx, "read what a run changed", func(q *db.Queries) error {
		stored, err := q.ChangeOf(ctx, db.ChangeOfParams{Path: path, RunID: runID})
		if none(err) {
			return nil
		}
		if err != nil {
			return err
		}
		ok = true
		c, err = changeOf(ctx, q, stored)
		return err
	})
	return c, ok, err
}

// Changes returns what a run has made of files, in order, with the contents that are
// kept.
func (s *Store) Changes(ctx context.Context, runID string) (all []changes.Change, err error) {
	err = s.view(ctx, "read what a run changed", func(q *db.Queries) error {
		stored, err := q.Changes(ctx, runID)
		if err != nil {
			return err
		}
		all = make([]changes.Change, len(stored))
		for i, c := range stored {
			if all[i], err = changeOf(ctx, q, c); err != nil {
				return err
			}
		}
		return nil
	})
	return all, err
}

// PutChange stores what a run has made of a file, relaxed: it is on the disk with the
// run's end at the latest. With ok false it has made nothing of it. Of files beyond
// changes.MaxFiles nothing is stored. It answers CodeNotFound for a run that was
// deleted.
func (s *Store) PutChange(ctx context.Context, runID string, c changes.Change, ok bool) error {
	return s.change(ctx, relaxed, "store what a run changed", func(ctx context.Context, q *db.Queries) error {
		if _, err := q.Run(ctx, runID); err != nil {
			return found(err, "run", runID)
		}
		before, err := q.ChangeOf(ctx, db.ChangeOfParams{Path: c.Path, RunID: runID})
		switch {
		case none(err) && !ok:
			return nil
		case err != nil && !none(err):
			return err
		case !ok:
			if err := q.DeleteChange(ctx, db.DeleteChangeParams{RunID: runID, N: before.N}); err != nil {
				return err
			}
			return q.SumChanges(ctx, runID)
		case none(err):
			if before.N, err = q.NextChange(ctx, runID); err != nil || before.N >= changes.MaxFiles {
				return err
			}
		}
		for _, v := range []changes.Version{c.Before, c.After} {
			if err := s.putText(ctx, q, v); err != nil {
				return err
			}
		}
		mode := c.Before.Mode
		if !c.Before.Exists() {
			mode = c.After.Mode
		}
		err = q.PutChange(ctx, db.PutChangeParams{
			RunID: runID, N: before.N, Path: c.Path, BeforeHash: c.Before.Hash, BeforeSize: c.Before.Size,
			AfterHash: c.After.Hash, AfterSize: c.After.Size, Mode: int64(mode), Form: string(c.Form), Added: int64(c.Added),
			Removed: int64(c.Removed), Mixed: c.Mixed, At: micros(c.At),
		})
		if err != nil {
			return err
		}
		if err := q.ForgetChangeTexts(ctx, micros(s.clock().Add(-textsKept))); err != nil {
			return err
		}
		return q.SumChanges(ctx, runID)
	})
}

// LaterChanges returns which runs have changed files after a run did, and have not
// been taken back, oldest first, by path.
func (s *Store) LaterChanges(ctx context.Context, r run.Run, paths []string) (map[string][]run.LaterChange, error) {
	if len(paths) == 0 || r.EndedAt.IsZero() {
		return nil, nil
	}
	list, err := json.Marshal(paths)
	if err != nil {
		return nil, s.failed("read later changes", err)
	}
	stored, err := s.views.LaterChanges(ctx, db.LaterChangesParams{
		Paths: string(list), After: micros(r.EndedAt), RunID: r.ID, Most: mostLater,
	})
	if err != nil {
		return nil, s.failed("read later changes", err)
	}
	later := map[string][]run.LaterChange{}
	for _, c := range stored {
		later[c.Path] = append(later[c.Path], run.LaterChange{RunID: c.ID, BindingID: c.BindingID})
	}
	return later, nil
}

// The values of going.
const (
	takingBack  = 1
	puttingBack = 2
)

// MoveChanges notes that changes are about to be taken back, or put back, and keeps
// what stands in their files, synced.
func (s *Store) MoveChanges(ctx context.Context, runID string, moves []run.ChangeMove) error {
	return s.change(ctx, synced, "begin to take changes back", func(ctx context.Context, q *db.Queries) error {
		for _, m := range moves {
			going := int64(takingBack)
			if m.Back {
				going = puttingBack
			}
			for _, v := range []changes.Version{m.Over, m.Before} { // both are needed from here on
				if err := s.putText(ctx, q, v); err != nil {
					return err
				}
			}
			err := q.MoveChange(ctx, db.MoveChangeParams{
				Going: going, OverHash: m.Over.Hash, OverSize: m.Over.Size, RunID: runID, N: int64(m.N),
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// SettleChanges notes what came of that, with the row that tells of it (nil: none),
// synced.
func (s *Store) SettleChanges(ctx context.Context, runID string, settled []run.ChangeMove, row *chat.Row) (r run.Run, told *chat.Row, err error) {
	err = s.change(ctx, synced, "take changes back", func(ctx context.Context, q *db.Queries) error {
		for _, m := range settled {
			err := q.SettleChange(ctx, db.SettleChangeParams{
				UndoneAt: micros(m.UndoneAt), OverHash: m.Over.Hash, OverSize: m.Over.Size, RunID: runID, N: int64(m.N),
			})
			if err != nil {
				return err
			}
		}
		if err := q.SumChanges(ctx, runID); err != nil {
			return err
		}
		if r, err = readRun(ctx, q, runID); err != nil {
			return err
		}
		if err := withBreaks(ctx, q, &r); err != nil {
			return err
		}
		if row == nil {
			return nil
		}
		c, err := q.Channel(ctx, r.ChannelID)
		if err != nil {
			return err
		}
		stored, err := s.insertRow(ctx, q, &c, *row)
		if err != nil {
			return err
		}
		told = &stored
		return keep(ctx, q, c)
	})
	if err != nil {
		return run.Run{}, nil, err
	}
	return r, told, nil
}

// MovingChanges returns what Hearth died with while it was taken back or put back, by
// run.
func (s *Store) MovingChanges(ctx context.Context) (moving map[string][]run.ChangeMove, err error) {
	moving = map[string][]run.ChangeMove{}
	err = s.view(ctx, "read changes that were being taken back", func(q *db.Queries) error {
		stored, err := q.MovingChanges(ctx)
		if err != nil {
			return err
		}
		for _, c := range stored {
			m := run.ChangeMove{Back: c.Going == puttingBack}
			if m.Change, err = changeOf(ctx, q, c); err != nil {
				return err
			}
			moving[c.RunID] = append(moving[c.RunID], m)
		}
		return nil
	})
	return moving, err
}

func changeOf(ctx context.Context, q *db.Queries, c db.RunChange) (changes.Change, error) {
	mode := fs.FileMode(c.Mode) & fs.ModePerm //nolint:gosec // permission bits
	out := changes.Change{
		N: int(c.N), Path: c.Path, Form: changes.Form(c.Form), Added: int(c.Added), Removed: int(c.Removed), Mixed: c.Mixed, At: timeOf(c.At),
		Before:   changes.Version{Hash: c.BeforeHash, Size: c.BeforeSize, Mode: mode},
		After:    changes.Version{Hash: c.AfterHash, Size: c.AfterSize, Mode: mode},
		Over:     changes.Version{Hash: c.OverHash, Size: c.OverSize, Mode: mode},
		UndoneAt: timeOf(c.UndoneAt),
	}
	for _, v := range []*changes.Version{&out.Before, &out.After, &out.Over} {
		if !v.Exists() || v.Size > changes.MaxKept {
			continue
		}
		packed, err := q.ChangeText(ctx, v.Hash)
		if none(err) {
			continue // kept too long ago
		}
		if err != nil {
			return out, err
		}
		if v.Text, err = unpack(packed); err != nil {
			return out, err
		}
	}
	return out, nil
}

// putText keeps the content of a version, or keeps it for longer.
func (s *Store) putText(ctx context.Context, q *db.Queries, v changes.Version) error {
	if v.Text == nil || !v.Exists() {
		return nil
	}
	at := micros(s.clock())
	known, err := q.KnowsChangeText(ctx, v.Hash)
	if err != nil {
		return err
	}
	if known {
		return q.TouchChangeText(ctx, db.TouchChangeTextParams{Hash: v.Hash, At: at})
	}
	packed, err := pack(v.Text)
	if err != nil {
		return err
	}
	return q.PutChangeText(ctx, db.PutChangeTextParams{Hash: v.Hash, Text: packed, At: at})
}

func pack(text []byte) ([]byte, error) {
	var into bytes.Buffer
	w, err := flate.NewWriter(&into, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return into.Bytes(), nil
}

func unpack(packed []byte) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), changes.MaxKept+1))
	if err != nil {
		return nil, fmt.Errorf("read the content of a file that a run changed: %w", err)
	}
	return text, nil // never nil: an empty file has a content, too
}
