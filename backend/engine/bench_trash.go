package engine

import (
	"context"
	"fmt"
	"time"

	"hearth/backend/api"
	"hearth/backend/changes"
	"hearth/backend/chat"
	"hearth/backend/desktop"
	"hearth/backend/workbench"
)

// tidyEvery is how often at most a workbench's trash is looked at, in a workbench in which
// something happens.
const tidyEvery = time.Hour

// DeleteEntries is api.Workbenches.
func (v benchViews) DeleteEntries(ctx context.Context, c chat.Channel, bench string, paths []string) (deleted []api.BenchDeleted, refused []workbench.Refused, err error) {
	views, err := v.among(ctx, c, bench)
	if err != nil {
		return nil, nil, err
	}
	left := make([]workbench.Refused, len(paths))
	for i, path := range paths {
		left[i] = workbench.Refused{Path: path, Err: chat.Errorf(chat.CodeForbidden, "%q is in no workbench of #%s. Only files in one can be deleted.", path, c.Name)}
	}
	for _, view := range views {
		// Where a file is, and can't be deleted, says more than where it is not.
		var pending []workbench.Refused
		asked := map[string]workbench.Refused{}
		var names []string
		for _, one := range left {
			if name, ok := within(view.Path(), one.Path); ok {
				asked[name] = one
				names = append(names, name)
			} else {
				pending = append(pending, one)
			}
		}
		if len(names) == 0 {
			continue
		}
		went, not, err := view.Delete(names, v.benches.clock())
		if err != nil {
			for _, name := range names {
				not = append(not, workbench.Refused{Path: name, Err: gone(c, err)})
			}
		}
		for _, one := range went {
			deleted = append(deleted, api.BenchDeleted{Bench: view.Path(), Deleted: one})
		}
		for _, one := range not {
			one.Path = asked[one.Path].Path
			if chat.CodeOf(one.Err) == chat.CodeNotFound {
				pending = append(pending, one)
			} else {
				refused = append(refused, one)
			}
		}
		left = pending
		if len(went) > 0 {
			// Nothing watches spill/, and whoever asked should see it at once.
			v.benches.changed(ctx, view.bench)
			v.benches.tidy(ctx, view.bench, 0)
		}
	}
	return deleted, append(refused, left...), nil
}

// Deleted is api.Workbenches.
func (v benchViews) Deleted(ctx context.Context, c chat.Channel) (all []api.BenchDeleted, err error) {
	views, err := v.of(ctx, c)
	if err != nil {
		return nil, err
	}
	var faults []error
	for _, view := range views {
		deleted, err := view.Deleted(ctx)
		if chat.CodeOf(err) == chat.CodeInternal && err != nil {
			return nil, err
		}
		if err != nil { // one that can't be looked into keeps nobody from the other
			faults = append(faults, gone(c, err))
		}
		for _, one := range deleted {
			all = append(all, api.BenchDeleted{Bench: view.Path(), Deleted: one})
		}
	}
	if len(faults) == len(views) {
		return nil, faults[0]
	}
	return all, nil
}

// RestoreEntry is api.Workbenches.
func (v benchViews) RestoreEntry(ctx context.Context, c chat.Channel, bench, id, path, as string) (restored string, err error) {
	err = v.inOne(ctx, c, bench, path, func(view benchView, name string) error {
		to := as
		if as != "" {
			var ok bool
			if to, ok = within(view.Path(), as); !ok {
				return chat.Errorf(chat.CodeForbidden, "%q is not in the workbench %q. Give a path in it.", as, view.Path())
			}
		}
		if restored, err = view.Restore(id, name, to); err == nil {
			v.benches.changed(ctx, view.bench)
		}
		return err
	})
	return restored, err
}

// inOne does something to a file in the first of a channel's workbenches (or in the one
// that is named) which lets it. Where none does, the error is of the one that has the
// file: that says more than where it is not.
func (v benchViews) inOne(ctx context.Context, c chat.Channel, bench, path string, do func(view benchView, name string) error) error {
	views, err := v.among(ctx, c, bench)
	if err != nil {
		return err
	}
	var refused error
	for _, view := range views {
		name, ok := within(view.Path(), path)
		if !ok {
			continue
		}
		err := do(view, name)
		if err == nil {
			return nil
		}
		if refused == nil || chat.CodeOf(refused) == chat.CodeNotFound && chat.CodeOf(err) != chat.CodeNotFound {
			refused = gone(c, err)
		}
	}
	if refused == nil {
		refused = chat.Errorf(chat.CodeForbidden, "%q is in no workbench of #%s. Name a file in one.", path, c.Name)
	}
	return refused
}

// among are the workbenches of a channel, or the one with this path.
func (v benchViews) among(ctx context.Context, c chat.Channel, bench string) ([]benchView, error) {
	views, err := v.of(ctx, c)
	if err != nil || bench == "" {
		return views, err
	}
	for _, view := range views {
		if view.Path() == bench {
			return []benchView{view}, nil
		}
	}
	return nil, noBench(c, bench)
}

func noBench(c chat.Channel, bench string) error {
	return chat.Errorf(chat.CodeNotFound, "#%s has no workbench %q. Look at those it has.", c.Name, bench)
}

// ShowEntry is api.Workbenches.
func (v benchViews) ShowEntry(ctx context.Context, opened api.OpenedEntry, inFolder bool) error {
	path := opened.AbsolutePath()
	if inFolder {
		return v.desktop.Reveal(ctx, path)
	}
	head := make([]byte, min(headForDesktop, opened.Size))
	n, err := opened.ReadAt(head, 0)
	if n < len(head) && err != nil {
		return chat.Wrap(chat.CodeUnavailable, err, fmt.Sprintf("%q can't be read; try again", path))
	}
	return v.edit(ctx, desktop.File{Path: path, Head: head[:n], Executable: opened.Executable})
}

// ShowFile is api.Workbenches.
func (v benchViews) ShowFile(ctx context.Context, path string, version changes.Version) error {
	if version.Text == nil {
		return chat.Errorf(chat.CodeTooLarge, "%q has more than 1 MB. Open it in a program of its own.", path)
	}
	head := version.Text[:min(headForDesktop, len(version.Text))]
	return v.edit(ctx, desktop.File{Path: path, Head: head, Executable: version.Mode&0o111 != 0})
}

// edit opens a file in the editor that the person has chosen.
func (v benchViews) edit(ctx context.Context, f desktop.File) error {
	chosen, err := v.store.WorkbenchSettings(ctx)
	if err != nil {
		return err
	}
	return v.desktop.Edit(ctx, f, chosen.Editor)
}

// headForDesktop is how much of a file is looked at before the desktop gets it, in bytes.
const headForDesktop = 8 << 10

// tidy takes away for good what has been in a workbench's trash for too long, if nobody
// has looked for so long.
func (s *benches) tidy(ctx context.Context, b *bench, every time.Duration) {
	now := s.clock()
	b.mutex.Lock()
	due := now.Sub(b.tidied) >= every
	if due {
		b.tidied = now
	}
	b.mutex.Unlock()
	if !due {
		return
	}
	chosen, err := s.settings(ctx)
	if err == nil {
		_, err = b.EmptyTrash(ctx, now.AddDate(0, 0, -chosen.TrashDays), now)
	}
	if err != nil && ctx.Err() == nil {
		s.log.Warn("empty the trash of a workbench", "path", b.Path(), "error", err)
	}
}
