package store

import (
	"context"
	"strconv"
	"time"

	"hearth/backend/run"
	"hearth/backend/store/db"
	"hearth/backend/workbench"
)

// The keys of settings in the table meta. Fixed.
const (
	metaEditor    = "workbench_editor"
	metaTrashDays = "workbench_trash_days"
)

// WorkbenchSettings returns what a person chose for workbenches, the usual where they
// chose nothing.
func (s *Store) WorkbenchSettings(ctx context.Context) (chosen workbench.Settings, err error) {
	chosen.TrashDays = workbench.DefaultTrashDays
	err = s.view(ctx, "read the settings of workbenches", func(q *db.Queries) error {
		if chosen.Editor, err = q.Meta(ctx, metaEditor); err != nil && !none(err) {
			return err
		}
		days, err := q.Meta(ctx, metaTrashDays)
		if err != nil && !none(err) {
			return err
		}
		if n, err := strconv.Atoi(days); err == nil && n >= 1 && n <= workbench.MaxTrashDays {
			chosen.TrashDays = n
		}
		return nil
	})
	return chosen, err
}

// SetWorkbenchSettings keeps what a person chose for workbenches, synced.
func (s *Store) SetWorkbenchSettings(ctx context.Context, chosen workbench.Settings) error {
	return s.change(ctx, synced, "keep the settings of workbenches", func(ctx context.Context, q *db.Queries) error {
		for key, value := range map[string]string{metaEditor: chosen.Editor, metaTrashDays: strconv.Itoa(chosen.TrashDays)} {
			if err := q.SetMeta(ctx, db.SetMetaParams{Key: key, Value: value}); err != nil {
				return err
			}
		}
		return nil
	})
}

const (
	// longestRun is how long before a moment a run that was going then was queued at
	// most, to be found.
	longestRun = 7 * 24 * time.Hour
	// mostGoing is how many of these are looked at.
	mostGoing = 20
)

// RunsGoing returns the runs of a channel that were going at some moment between two,
// the last queued first, at most 20. Their calls are left out.
func (s *Store) RunsGoing(ctx context.Context, channelID string, since, until time.Time) (runs []run.Run, err error) {
	err = s.view(ctx, "read the runs of a moment", func(q *db.Queries) error {
		stored, err := q.RunsGoing(ctx, db.RunsGoingParams{
			ChannelID: channelID, Oldest: micros(since.Add(-longestRun)), Since: micros(since), Until: micros(until), Most: mostGoing,
		})
		if err != nil {
			return err
		}
		for _, r := range stored {
			runs = append(runs, runOf(r))
		}
		return nil
	})
	return runs, err
}

// WritingSteps returns the steps of a run that may have written a file whose name
// stands in their input: calls of the tools that write files, and commands. Their
// outputs are left out.
func (s *Store) WritingSteps(ctx context.Context, runID, name string) (steps []run.Step, err error) {
	err = s.view(ctx, "read what a run wrote", func(q *db.Queries) error {
		stored, err := q.WritingSteps(ctx, db.WritingStepsParams{RunID: runID, File: name})
		if err != nil {
			return err
		}
		steps = make([]run.Step, len(stored))
		for i, v := range stored {
			steps[i] = run.Step{
				N: int(v.N), Kind: "tool", ID: v.StepID, Parent: v.Parent, Name: v.Name, Input: v.Input, At: timeOf(v.At), Took: time.Duration(v.Took) * time.Microsecond,
			}
		}
		return nil
	})
	return steps, err
}
