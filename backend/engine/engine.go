package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"hearth/backend/api"
	"hearth/backend/desktop"
	"hearth/backend/event"
	"hearth/backend/logs"
	"hearth/backend/report"
	"hearth/backend/resident"
	"hearth/backend/run"
	"hearth/backend/store"
)

// Database is the file in the data folder that holds everything.
const Database = "hearth.db"

// Options is what an Engine is made of. Zero values are the defaults.
type Options struct {
	DataDir   string   // holds the database and the lock; must exist or be creatable
	Claude    string   // path of the Claude Code client; "" looks for it when first needed
	Standin   []string // command of the stand-in agent: path and first arguments
	Environ   []string // the environment agents start from; nil is the person's own
	Workspace string   // folder of channels that name none; "" is the home folder
	Version   string
	UI        fs.FS // the web UI; nil serves none
	// Self is this program's own file, whose main must call shell.Main when
	// shell.Called says so. "": nothing stands before agents' commands, and the output of
	// those that fail stays as it is.
	Self     string
	Capacity int // processes at once; 0 is resident.DefaultCapacity
	Idle     time.Duration
	Clock    func() time.Time
	Log      *slog.Logger
	// Findings is what the doctor finds, for reports; nil is nothing.
	Findings func(context.Context) []report.Finding
}

// withDefaults fills in what was left out and needs no looking for.
func (o Options) withDefaults() Options {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	return o
}

// Engine is a Hearth without a face.
type Engine struct {
	store   *store.Store
	pool    *resident.Pool
	runs    *run.Service
	agents  *agents
	benches *benches
	setup   *setup
	bus     *event.Bus
	handler http.Handler
	log     *slog.Logger
	unlock  func() error
}

// New opens the data folder, which it locks against a second Hearth, and wires
// everything. Nothing is started before Serve; the handler works at once. The
// error is store.ErrHeld when another Hearth has the folder, or its database by
// another name, and a store.Fault when the folder or its database can't be used as
// it is.
func New(ctx context.Context, o Options) (_ *Engine, err error) {
	o = o.withDefaults()
	if o.DataDir, err = filepath.Abs(o.DataDir); err != nil {
		return nil, err
	}
	if o.Workspace == "" {
		if o.Workspace, err = os.UserHomeDir(); err != nil {
			return nil, fmt.Errorf("find the home folder: %w", err)
		}
	}
	e := &Engine{bus: event.NewBus(event.Options{}), log: o.Log}
	hold, err := store.Lock(o.DataDir)
	if err != nil {
		return nil, err
	}
	e.unlock = hold.Release
	defer func() {
		if err != nil {
			err = errors.Join(err, e.Close(ctx))
		}
	}()
	if e.store, err = store.Open(ctx, store.Options{Path: filepath.Join(o.DataDir, Database), Clock: o.Clock, Log: o.Log}); err != nil {
		return nil, err
	}
	e.benches = newBenches(o, e.bus, e.store.WorkbenchSettings)
	e.agents = newAgents(o, e.store, e.bus, hold.Instance())
	e.pool = resident.New(resident.Options{Capacity: o.Capacity, Idle: o.Idle, Changed: e.agents.changed, Log: o.Log})
	e.runs = run.New(run.Options{Store: e.store, Agents: e.agents, Benches: e.benches, Bus: e.bus, Clock: o.Clock, Log: o.Log})
	e.agents.pool, e.agents.runs, e.agents.benches = e.pool, e.runs, e.benches
	if err := e.agents.forgetRecords(); err != nil {
		return nil, err
	}
	e.setup = newSetup(e.agents, time.Now)
	views := benchViews{e.benches, e.store, &desktop.Desktop{Environ: e.agents.persons.environ}, e.runs.Live}
	e.handler = api.New(api.Deps{
		Store: e.store, Runs: e.runs, Presence: e.agents, Setup: e.setup, Workbenches: views, Comparisons: NewComparisons(e.store), Bus: e.bus,
		Logs: logs.Folder(o.DataDir), Reports: NewReports(o, e.store, nil),
		Version: o.Version, DefaultWorkspace: o.Workspace, UI: o.UI, Log: o.Log, Clock: o.Clock,
	})
	return e, nil
}

// Handler answers the HTTP API and the UI. It asks nobody who they are: put
// api.Access around it before it listens anywhere.
func (e *Engine) Handler() http.Handler { return e.handler }

// Store is for first-start set-up and for tests.
func (e *Engine) Store() *store.Store { return e.store }

// Serve ends what the last start left running, settles its runs, and works the
// queues until ctx ends and every run has its end.
func (e *Engine) Serve(ctx context.Context) error {
	err := e.agents.endLeftovers(ctx)
	if err == nil {
		err = e.runs.Serve(ctx)
	}
	if ctx.Err() != nil {
		return nil // it was told to end, and did
	}
	return err
}

// Close ends every agent's process and closes the store. Call it after Serve has
// returned; it is safe on a half-made engine.
func (e *Engine) Close(ctx context.Context) error {
	var errs []error
	if e.setup != nil {
		e.setup.close()
	}
	if e.agents != nil {
		e.agents.closeLooks()
	}
	if e.pool != nil {
		errs = append(errs, e.pool.Close(ctx))
	}
	if e.agents != nil {
		e.agents.wait()
	}
	if e.benches != nil {
		e.benches.close()
	}
	if e.store != nil {
		errs = append(errs, e.store.Close())
	}
	if e.unlock != nil {
		errs = append(errs, e.unlock())
	}
	return errors.Join(errs...)
}
