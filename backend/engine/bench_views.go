package engine

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"hearth/backend/api"
	"hearth/backend/chat"
	"hearth/backend/desktop"
	"hearth/backend/run"
	"hearth/backend/store"
	"hearth/backend/workbench"
)

// benchViews shows people the workbenches of a channel. One that was looked at is
// watched from then on, so that whoever shows it hears of changes.
type benchViews struct {
	benches *benches
	store   *store.Store
	desktop *desktop.Desktop
	live    func(runID string) (going run.Going, ok bool)
}

var _ api.Workbenches = benchViews{}

// benchView is one workbench of a channel.
type benchView struct {
	*bench
	outside  bool
	bindings []string // ids of those who work with it
}

// of returns the workbenches of a channel, its workspace's first. The one outside is
// there when an agent works with it, or did: what is in it stays to be seen.
func (v benchViews) of(ctx context.Context, c chat.Channel) ([]benchView, error) {
	bindings, err := v.store.Bindings(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	inside, err := v.benches.at(c.ID, c.Workspace, workbench.Open)
	if err != nil {
		return nil, err
	}
	views := []benchView{{bench: inside}}
	root := v.benches.outside(c.ID)
	info, err := os.Stat(root)
	was := err == nil && info.IsDir()
	for _, b := range bindings {
		if !b.Isolated() {
			views[0].bindings = append(views[0].bindings, b.ID)
			continue
		}
		if len(views) == 1 {
			outside, err := v.benches.of(c, b)
			if err != nil {
				return nil, err
			}
			views = append(views, benchView{bench: outside, outside: true})
		}
		views[1].bindings = append(views[1].bindings, b.ID)
	}
	if len(views) == 1 && was {
		outside, err := v.benches.at(c.ID, root, workbench.OpenOutside)
		if err != nil {
			return nil, err
		}
		views = append(views, benchView{bench: outside, outside: true})
	}
	return views, nil
}

// Workbenches is api.Workbenches.
func (v benchViews) Workbenches(ctx context.Context, c chat.Channel) ([]api.BenchState, error) {
	views, err := v.of(ctx, c)
	if err != nil {
		return nil, err
	}
	states := make([]api.BenchState, len(views))
	for i, view := range views {
		if states[i], err = v.state(ctx, c, view); err != nil {
			return nil, err
		}
	}
	return states, nil
}

// state looks at one workbench. What is wrong with it alone is its fault, and no
// error.
func (v benchViews) state(ctx context.Context, c chat.Channel, view benchView) (api.BenchState, error) {
	state := api.BenchState{Path: view.Path(), Name: view.Name(), Outside: view.outside, BindingIDs: view.bindings}
	var err error
	if state.Exists, err = view.Exists(); err == nil {
		state.Inventory, err = view.Scan(ctx)
	}
	var coded *chat.Error
	if errors.As(err, &coded) {
		state.Fault = gone(c, err)
		return state, nil
	}
	if err != nil {
		return state, err
	}
	if len(state.Inventory.Entries) > 0 {
		state.Index = workbench.Index(state.Inventory)
		state.Tokens = view.count(state.Inventory)
	}
	uses, err := v.store.ScriptUses(ctx, view.Path())
	state.Uses = make(map[string]api.ScriptUse, len(uses))
	for path, use := range uses {
		state.Uses[path] = api.ScriptUse{Written: use.Written, Run: use.Run}
	}
	return state, err
}

// gone says what to do about a workspace that is not there.
func gone(c chat.Channel, err error) error {
	if chat.CodeOf(err) != chat.CodeConflict || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		return err
	}
	return chat.Errorf(chat.CodeConflict, "The workspace of #%s, %q, is not there any more. Bring the folder back, or give the channel another workspace.", c.Name, c.Workspace)
}

// OpenEntry is api.Workbenches.
func (v benchViews) OpenEntry(ctx context.Context, c chat.Channel, bench, path string) (entry api.OpenedEntry, err error) {
	err = v.inOne(ctx, c, bench, path, func(view benchView, name string) error {
		opened, err := view.Open(name)
		if err == nil {
			entry = api.OpenedEntry{Bench: view.Path(), Opened: opened}
		}
		return err
	})
	return entry, err
}

// within is a path as an entry of the workbench has it. People and agents write it
// as absolute, or from the workspace, too; ok says that it could be in this
// workbench. It looks at the spelling only.
func within(bench, asked string) (name string, ok bool) {
	if !filepath.IsAbs(asked) {
		if asked != "" {
			asked = path.Clean(asked)
		}
		return strings.TrimPrefix(asked, workbench.Folder+"/"), true
	}
	asked = filepath.Clean(asked)
	own, err := filepath.EvalSymlinks(bench) // where the workspace is a link
	if err != nil {
		own = bench
	}
	for _, folder := range []string{bench, own} {
		if name, err := filepath.Rel(folder, asked); err == nil && filepath.IsLocal(name) {
			return filepath.ToSlash(name), true
		}
	}
	return "", false
}

// FindEntries is api.Workbenches.
func (v benchViews) FindEntries(ctx context.Context, c chat.Channel, query string, limit int) (found []api.BenchMatch, more bool, err error) {
	views, err := v.of(ctx, c)
	if err != nil {
		return nil, false, err
	}
	var faults []error
	for _, view := range views {
		if len(found) == limit { // there is another one to look into
			return found, true, nil
		}
		in, err := view.Find(ctx, query, limit-len(found))
		for _, m := range in.Matches {
			found = append(found, api.BenchMatch{Bench: view.Path(), Match: m})
		}
		more = more || in.More
		switch code := chat.CodeOf(err); {
		case err == nil:
		case code == chat.CodeInternal, code == chat.CodeInvalid:
			return found, more, err
		default: // one that can't be looked into keeps nobody from the other
			faults = append(faults, gone(c, err))
			more = true
		}
	}
	if len(faults) == len(views) {
		return nil, false, faults[0]
	}
	return found, more, nil
}
