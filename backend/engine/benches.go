package engine

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"hearth/backend/chat"
	"hearth/backend/event"
	"hearth/backend/run"
	"hearth/backend/token"
	"hearth/backend/workbench"
)

// outsideFolder is where in the data folder the workbenches are that can't lie in
// a repository, one a channel.
const outsideFolder = "workbenches"

// benches keeps the workbenches that are in use, and their indexes up to date.
type benches struct {
	dataDir string
	bus     *event.Bus
	log     *slog.Logger
	watch   func(*bench) // until close
	stop    context.CancelFunc

	settings func(context.Context) (workbench.Settings, error)
	clock    func() time.Time

	mutex    sync.Mutex
	open     map[string]*bench // by path
	watchers sync.WaitGroup
}

// bench is one workbench in use.
type bench struct {
	*workbench.Bench

	mutex    sync.Mutex
	channels map[string]bool // that agents use it in
	index    string          // as it was counted last
	tokens   int             // of it
	tidied   time.Time       // when its trash was looked at last
}

var _ run.Workbenches = (*benches)(nil)

func newBenches(o Options, bus *event.Bus, settings func(context.Context) (workbench.Settings, error)) *benches {
	ctx, stop := context.WithCancel(context.Background())
	s := &benches{dataDir: o.DataDir, bus: bus, log: o.Log, stop: stop, open: map[string]*bench{}, settings: settings, clock: o.Clock}
	s.watch = func(b *bench) {
		s.watchers.Go(func() {
			if err := b.Watch(ctx, func() { s.changed(ctx, b); s.tidy(ctx, b, tidyEvery) }); err != nil {
				o.Log.Warn("watch a workbench; its index is brought up to date before each turn", "path", b.Path(), "error", err)
			}
		})
	}
	return s
}

// close ends the watching.
func (s *benches) close() {
	s.stop()
	s.watchers.Wait()
}

// of returns the workbench that a binding works with: in the channel's folder, or
// outside of it when its workers have worktrees of their own.
func (s *benches) of(c chat.Channel, b chat.Binding) (*bench, error) {
	if !b.Isolated() {
		return s.at(c.ID, c.Workspace, workbench.Open)
	}
	root := s.outside(c.ID)
	if err := os.MkdirAll(root, 0o700); err != nil {
		return nil, fmt.Errorf("make a workbench outside of the repository: %w", err)
	}
	return s.at(c.ID, root, workbench.OpenOutside)
}

// name is how the workbench of a binding is called to agents.
func (s *benches) name(c chat.Channel, b chat.Binding) string {
	if !b.Isolated() {
		return workbench.Folder
	}
	return filepath.Join(s.outside(c.ID), workbench.Folder)
}

// outside is the folder of the workbench of a channel that can't lie in its
// repository.
func (s *benches) outside(channelID string) string {
	return filepath.Join(s.dataDir, outsideFolder, channelID)
}

// at returns the workbench of a folder, and watches it from now on.
func (s *benches) at(channelID, root string, open func(string) (*workbench.Bench, error)) (*bench, error) {
	opened, err := open(root)
	if err != nil {
		return nil, err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	b := s.open[opened.Path()]
	if b != nil {
		b.mutex.Lock()
		defer b.mutex.Unlock()
		b.channels[channelID] = true
		return b, nil
	}
	// The channel is in it before it is watched: what the watch tells first is told to it.
	b = &bench{Bench: opened, channels: map[string]bool{channelID: true}}
	s.open[opened.Path()] = b
	s.watch(b)
	return b, nil
}

// changed brings the index on the disk up to date and tells everyone.
func (s *benches) changed(ctx context.Context, b *bench) {
	if _, err := b.Refresh(ctx); err != nil && ctx.Err() == nil {
		s.log.Warn("refresh the index of a workbench", "path", b.Path(), "error", err)
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	for id := range b.channels {
		s.bus.Publish(event.Event{Type: run.EventWorkbenchChanged, ChannelID: id, Data: run.WorkbenchChanged{Path: b.Path()}})
	}
}

// Inventory is run.Workbenches.
func (s *benches) Inventory(ctx context.Context, c chat.Channel, b chat.Binding) (workbench.Inventory, func() int, error) {
	bench, err := s.of(c, b)
	if err != nil {
		return workbench.Inventory{}, nil, err
	}
	inventory, err := bench.Scan(ctx)
	if err != nil {
		return workbench.Inventory{}, nil, err
	}
	if len(inventory.Entries) == 0 {
		// A person may have removed it since the agent's process began to work with it.
		if there, err := bench.Exists(); err == nil && !there {
			if err := bench.Prepare(c.Ignore); err != nil {
				s.log.Warn("make the workbench again; long output stays in the context", "path", bench.Path(), "error", err)
			}
		}
	}
	if _, err := bench.WriteIndex(inventory); err != nil {
		s.log.Warn("write the index of a workbench", "path", bench.Path(), "error", err)
	}
	return inventory, func() int { return bench.count(inventory) }, nil
}

// count returns how many tokens the whole index is. It is counted when it changes.
func (b *bench) count(inventory workbench.Inventory) int {
	if len(inventory.Entries) == 0 {
		return 0
	}
	index := workbench.Index(inventory)
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if index != b.index {
		b.index, b.tokens = index, token.Count(index)
	}
	return b.tokens
}
