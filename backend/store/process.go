package store

import (
	"context"

	"hearth/backend/pty"
	"hearth/backend/store/db"
)

// ProcessRecord is an agent's process that was started and not yet seen to end.
type ProcessRecord struct {
	pty.Record        // how to know it again
	Native     string // the native session it works in
	BindingID  string
}

// RecordProcess keeps a process, by its mark, so that the next start can end it
// if this one can't, relaxed: a power cut ends processes too.
func (s *Store) RecordProcess(ctx context.Context, p ProcessRecord) error {
	return s.change(ctx, relaxed, "record a process", func(ctx context.Context, q *db.Queries) error {
		return q.RecordProcess(ctx, db.RecordProcessParams{
			Mark: p.Mark, PID: int64(p.PID), Started: p.Started, Native: p.Native, BindingID: p.BindingID,
		})
	})
}

// ForgetProcess removes the record of a process that was seen to end, relaxed.
func (s *Store) ForgetProcess(ctx context.Context, mark string) error {
	return s.change(ctx, relaxed, "forget a process", func(ctx context.Context, q *db.Queries) error {
		return q.ForgetProcess(ctx, mark)
	})
}

// Processes returns the records that were not forgotten.
func (s *Store) Processes(ctx context.Context) ([]ProcessRecord, error) {
	stored, err := s.views.Processes(ctx)
	if err != nil {
		return nil, s.failed("read the records of processes", err)
	}
	records := make([]ProcessRecord, len(stored))
	for i, p := range stored {
		records[i] = ProcessRecord{
			Record: pty.Record{PID: int(p.PID), Started: p.Started, Mark: p.Mark},
			Native: p.Native, BindingID: p.BindingID,
		}
	}
	return records, nil
}
