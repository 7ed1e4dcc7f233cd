package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"sync"
	"time"

	"hearth/backend/chat"
	"hearth/backend/claude"
	"hearth/backend/event"
	"hearth/backend/prompt"
	"hearth/backend/resident"
	"hearth/backend/run"
	"hearth/backend/store"
	"hearth/backend/transcript"
	"hearth/backend/workbench"
)

// agents gives the runs their leases: it knows how a binding becomes a process.
type agents struct {
	options  Options
	store    *store.Store
	bus      *event.Bus
	log      *slog.Logger
	instance string // of the data folder that is held: marks every process that is started

	persons    *persons       // whose environment agents start with
	clients    *look[located] // Claude Code, looked for
	probesLeft sync.Once      // what an earlier start was asking has been ended

	pool    *resident.Pool
	runs    *run.Service
	benches *benches

	mutex    sync.Mutex
	restore  map[run.Key]string   // native session that the next process of a key loads
	taken    map[run.Key]string   // the one that a process which is starting is to load
	living   map[run.Key]*process // by key, for the roster
	offered  map[run.Key][]string // the tools of the last process of a key, by name
	watchers sync.WaitGroup

	telling sync.Mutex // held while a state is looked at and told
}

var (
	_ run.Agents = (*agents)(nil)
	_ run.Lease  = (*lease)(nil)
)

func newAgents(o Options, s *store.Store, bus *event.Bus, instance string) *agents {
	a := &agents{
		options: o, store: s, bus: bus, log: o.Log, instance: instance,
		restore: map[run.Key]string{}, taken: map[run.Key]string{}, living: map[run.Key]*process{}, offered: map[run.Key][]string{},
	}
	a.newLooks()
	return a
}

// wait returns when everything that watches a process is over.
func (a *agents) wait() { a.watchers.Wait() }

func poolKey(k run.Key) resident.Key {
	return resident.Key{Channel: k.ChannelID, Binding: k.BindingID}
}

// request says what the pool is asked for on behalf of a binding.
func (a *agents) request(c chat.Channel, b chat.Binding, waiting func()) resident.Request {
	return resident.Request{
		Key: poolKey(run.KeyOf(b)), Fingerprint: a.fingerprint(c, b), Keep: b.Remembers(), Waiting: waiting,
		Open: func(ctx context.Context, _ resident.Key, _ string) (resident.Process, resident.Temperature, error) {
			return a.open(ctx, c, b)
		},
	}
}

// fingerprint stands for all that a process is started with: when it differs,
// the living process is not the one the person asks for any more.
func (a *agents) fingerprint(c chat.Channel, b chat.Binding) string {
	b.FreshAt, b.CreatedAt = time.Time{}, time.Time{}
	text, err := json.Marshal(struct {
		Workspace string
		Binding   chat.Binding
		Framing   string
	}{c.Workspace, b, a.framing(c, b)})
	if err != nil {
		panic("engine: a binding that is no JSON: " + err.Error()) // strings, numbers and bools only
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// framing is what every process of a binding is told at its start.
func (a *agents) framing(c chat.Channel, b chat.Binding) string {
	bench := a.benches.name(c, b)
	return prompt.Framing(prompt.FramingInput{
		Handle: b.Handle, BriefEveryTurn: b.BriefEveryTurn, Workbench: workbench.Rules(bench), Coordinator: coordination(b, bench),
	})
}

// Lease borrows the process of a binding for one turn. A process that has died
// and whose remains are still being ended is waited for and not lent: its turn
// would fail without having begun. Nor is one lent whose folder is gone, in which it
// would go on unseen: it is kept, for the folder may come back. Where another folder
// stands in the place, a new process takes over.
func (a *agents) Lease(ctx context.Context, c chat.Channel, b chat.Binding, waiting func()) (run.Lease, error) {
	for {
		borrowed, err := a.pool.Lease(ctx, a.request(c, b, waiting))
		if err != nil {
			return nil, err
		}
		p, ok := borrowed.Process.(*process)
		if !ok {
			borrowed.Release(false)
			return nil, errors.New("the pool lent a process of another kind")
		}
		if p.session.Err() == nil {
			there, err := p.inPlace(c.Workspace)
			if err == nil && there {
				return &lease{borrowed: borrowed, process: p, keep: func(ctx context.Context) { a.keepCommands(ctx, b, p) }}, nil
			}
			borrowed.Release(false)
			if err != nil {
				return nil, folderGone(c, b, "was not asked", err)
			}
			if err := a.pool.ForceEvict(ctx, poolKey(run.KeyOf(b)), "another folder stands in the place of its own"); err != nil {
				return nil, err
			}
			continue
		}
		borrowed.Release(true)
		select {
		case <-p.Done():
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// Warm starts the process of a binding ahead of its turn.
func (a *agents) Warm(ctx context.Context, c chat.Channel, b chat.Binding) error {
	err := a.pool.Warm(ctx, a.request(c, b, nil))
	var start *run.StartError
	switch {
	case errors.As(err, &start):
		return chat.Errorf(chat.CodeConflict, "%s", start.Message)
	case errors.Is(err, resident.ErrFull):
		return chat.Errorf(chat.CodeUnavailable, "Every place for a warm agent is taken; @%s starts with its next message.", b.Handle)
	case errors.Is(err, resident.ErrEvicted):
		return chat.Errorf(chat.CodeConflict, "@%s was ended at this moment. Try again.", b.Handle)
	case errors.Is(err, resident.ErrBusy):
		return chat.Errorf(chat.CodeConflict, "@%s is busy; it takes up its new settings with its next message.", b.Handle)
	}
	return err
}

// End ends the process of a key, a busy one too, and returns when that has been
// recorded. A wish for its next process ends with it.
func (a *agents) End(ctx context.Context, key run.Key, reason string) error {
	a.mutex.Lock()
	delete(a.restore, key)
	delete(a.taken, key)
	p := a.living[key]
	a.mutex.Unlock()
	if err := a.pool.ForceEvict(ctx, poolKey(key), reason); err != nil || p == nil {
		return err
	}
	return p.recorded(ctx)
}

// Restore makes the next process of a key load a saved session, and tells everyone.
func (a *agents) Restore(key run.Key, native string) {
	a.mutex.Lock()
	a.restore[key] = native
	delete(a.taken, key)
	a.mutex.Unlock()
	a.changed(a.pool.State(poolKey(key)))
}

// takeRestore returns the session to load, once: a second try starts cold, unless
// the wish is given back.
func (a *agents) takeRestore(key run.Key) string {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	native := a.restore[key]
	delete(a.restore, key)
	if native != "" {
		a.taken[key] = native
	}
	return native
}

// settleRestore says what became of the wish that takeRestore returned. It is given
// back for the next process when this one did not start for a reason that has
// nothing to do with the session, unless the binding has been ended meanwhile or
// has another wish.
func (a *agents) settleRestore(key run.Key, back bool) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if native := a.taken[key]; native != "" && back {
		a.restore[key] = native
	}
	delete(a.taken, key)
}

// Holds looks for a message in the transcript of a native session.
func (a *agents) Holds(ctx context.Context, workspace, native, messageUUID string) (bool, error) {
	if native == "" || messageUUID == "" {
		return false, nil
	}
	path, err := transcript.Find(transcript.ConfigDir(a.environ(ctx)), workspace, native)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil // a session that never took a message has none
	}
	if err != nil {
		return false, err
	}
	return transcript.Holds(ctx, path, messageUUID)
}

// lease is one turn's right to a process.
type lease struct {
	borrowed *resident.Lease
	process  *process
	keep     func(context.Context) // notes what the client told of itself
	used     bool                  // a message may have reached the process, and no command of its client's
}

func (l *lease) Native() string                  { return l.process.Native() }
func (l *lease) Temperature() prompt.Temperature { return prompt.Temperature(l.borrowed.Temperature) }
func (l *lease) Framing() string                 { return l.process.framing }
func (l *lease) Release()                        { l.borrowed.Release(l.used) }

func (l *lease) Commands() []chat.Command {
	commands, _ := commandsOf(l.process.session)
	return commands
}

// Turn sends one message and listens until its end.
func (l *lease) Turn(ctx context.Context, m run.Message, sink func(run.Happening)) (run.Outcome, error) {
	var shown seen
	result, err := l.process.session.Turn(ctx, claude.Message{UUID: m.UUID, Text: m.Text}, func(e claude.Event) {
		shown.take(e)
		if h, ok := happening(e); ok {
			sink(h)
		}
	})
	l.used = !m.Command                   // a process that was warm stays so
	l.process.keeper.failures("", "", "") // those of commands in the background, too
	l.keep(ctx)
	came := outcome(result)
	if err != nil {
		sent, err := failed(err)
		l.used = l.used && sent
		came.Usage, came.Facts = shown.usage(), l.process.facts.with(l.process.session.Info())
		return came, err
	}
	came.Facts = l.process.facts.of(result)
	return came, nil
}
