package store

import (
	"context"

	"hearth/backend/run"
	"hearth/backend/store/db"
)

// RunSavings returns what a run that has ended kept out of its agent's context, in
// the order in which it happened.
func (s *Store) RunSavings(ctx context.Context, id string) (savings []run.Saving, err error) {
	err = s.view(ctx, "read what a run saved", func(q *db.Queries) error {
		if _, err := q.Run(ctx, id); err != nil {
			return found(err, "run", id)
		}
		stored, err := q.Savings(ctx, id)
		if err != nil {
			return err
		}
		savings = make([]run.Saving, len(stored))
		for i, v := range stored {
			savings[i] = run.Saving{
				Kind: run.SavingKind(v.Kind), StepID: v.StepID, AgentID: v.AgentID, Tool: v.Tool, Detail: v.Detail, Path: v.Path,
				Chars: int(v.Chars), Lines: int(v.Lines), Tokens: int(v.Tokens), Fault: v.Fault, At: timeOf(v.At),
			}
		}
		return nil
	})
	return savings, err
}

func putSavings(ctx context.Context, q *db.Queries, runID string, savings []run.Saving) error {
	for n, v := range savings {
		err := q.PutSaving(ctx, db.PutSavingParams{
			RunID: runID, N: int64(n), Kind: string(v.Kind), StepID: v.StepID, AgentID: v.AgentID, Tool: v.Tool, Detail: v.Detail,
			Path: v.Path, Chars: int64(v.Chars), Lines: int64(v.Lines), Tokens: int64(v.Tokens), Fault: v.Fault, At: micros(v.At),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// ScriptUse is how often agents wrote and ran a script of a workbench.
type ScriptUse struct {
	Path    string // in the workbench, with slashes: scripts/…
	Written int
	Run     int
}

// UseScripts adds to how often scripts of a workbench (its absolute path) were
// written and run, relaxed.
func (s *Store) UseScripts(ctx context.Context, bench string, uses ...ScriptUse) error {
	return s.change(ctx, relaxed, "count the use of a script", func(ctx context.Context, q *db.Queries) error {
		for _, u := range uses {
			err := q.UseScript(ctx, db.UseScriptParams{
				Bench: bench, Path: u.Path, Written: int64(u.Written), Run: int64(u.Run), LastAt: micros(s.clock()),
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// ScriptUses returns how often the scripts of a workbench were written and run, by
// their paths.
func (s *Store) ScriptUses(ctx context.Context, bench string) (map[string]ScriptUse, error) {
	stored, err := s.views.ScriptUses(ctx, bench)
	if err != nil {
		return nil, s.failed("read the uses of scripts", err)
	}
	uses := make(map[string]ScriptUse, len(stored))
	for _, u := range stored {
		uses[u.Path] = ScriptUse{Path: u.Path, Written: int(u.Written), Run: int(u.Run)}
	}
	return uses, nil
}
