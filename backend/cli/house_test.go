package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"go.uber.org/goleak"

	"hearth/backend/api"
	"hearth/backend/changes"
	"hearth/backend/chat"
	"hearth/backend/claude"
	"hearth/backend/engine"
	"hearth/backend/event"
	"hearth/backend/golden"
	"hearth/backend/ledger"
	"hearth/backend/logs"
	"hearth/backend/prompt"
	"hearth/backend/run"
	"hearth/backend/store"
	"hearth/backend/store/storetest"
)

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" {
		os.Exit(child())
	}
	goleak.VerifyTestMain(m,
		// The log's file is kept by a goroutine that nothing can end; the program ends it.
		goleak.IgnoreTopFunction("gopkg.in/natefinch/lumberjack%2ev2.(*Logger).millRun"))
}

// patience bounds what a test waits for; nothing is measured by it.
const patience = 60 * time.Second

// epoch is when everything in a test happens.
var epoch = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func clock() time.Time { return epoch }

// fakeEngine is a Hearth with the real store, queues and API, whose agents are
// played here.
type fakeEngine struct {
	store   *store.Store
	runs    *run.Service
	bus     *event.Bus
	handler http.Handler
	unlock  func() error
	first   engineOptions
	standin bool // no Claude Code is found
}

func openFake(ctx context.Context, o engineOptions) (_ Engine, err error) {
	e := &fakeEngine{bus: event.NewBus(event.Options{}), first: o}
	hold, err := store.Lock(o.dataDir)
	if err != nil {
		return nil, err
	}
	e.unlock = hold.Release
	path := filepath.Join(o.dataDir, "hearth.db")
	if err := storetest.Empty(path); err != nil {
		return nil, errors.Join(err, e.unlock())
	}
	if e.store, err = store.Open(ctx, store.Options{Path: path, Clock: clock}); err != nil {
		return nil, errors.Join(err, e.unlock())
	}
	players := &players{}
	e.runs = run.New(run.Options{Store: e.store, Agents: players, Bus: e.bus, Clock: clock})
	players.runs = e.runs
	e.handler = api.New(api.Deps{
		Store: e.store, Runs: e.runs, Presence: e, Setup: e, Comparisons: engine.NewComparisons(e.store), Bus: e.bus, Version: "1.2.3", DefaultWorkspace: o.workspace, Clock: clock,
		Logs: logs.Folder(o.dataDir), Reports: engine.NewReports(engine.Options{DataDir: o.dataDir, Version: "1.2.3", Environ: o.environ, Findings: o.findings, Clock: clock}, e.store, nil),
		UI: fstest.MapFS{"index.html": {Data: []byte("<title>Hearth</title>")}},
	})
	return e, nil
}

func (e *fakeEngine) Handler() http.Handler           { return e.handler }
func (e *fakeEngine) Serve(ctx context.Context) error { return e.runs.Serve(ctx) }
func (e *fakeEngine) Close(context.Context) error     { return errors.Join(e.store.Close(), e.unlock()) }

// Welcome is the first start, without the rows that explain things.
func (e *fakeEngine) Welcome(ctx context.Context) (w engine.Welcome, made bool, err error) {
	b := chat.Binding{Handle: "claude", Runtime: chat.RuntimeClaude, Supervised: true, Resident: true}
	if e.standin {
		b.Runtime = chat.RuntimeStandin
		w.Problem, w.How = engine.Missing(claude.ErrNotFound)
	}
	w.Channel, w.Agent, made, err = e.store.Welcome(ctx, chat.Channel{Name: "general", Topic: "The first channel", Workspace: e.first.workspace}, b, nil)
	return w, made, err
}

func (e *fakeEngine) Claude(context.Context) api.ClaudeState { return api.ClaudeState{} }
func (e *fakeEngine) FirstChannel(ctx context.Context) (string, error) {
	return e.store.FirstChannel(ctx)
}

func (e *fakeEngine) Presence(ctx context.Context, channelID string) ([]api.AgentState, error) {
	bindings, err := e.store.Bindings(ctx, channelID)
	open, unread := e.store.Permissions(ctx, channelID, true, 200)
	asking := map[string]int{}
	for _, p := range open {
		asking[p.BindingID]++
	}
	out := make([]api.AgentState, len(bindings))
	for i, b := range bindings {
		out[i] = api.AgentState{BindingID: b.ID, Phase: "cold", Reachable: b.Runtime == chat.RuntimeStandin, Asking: asking[b.ID], RunID: e.runs.At(run.KeyOf(b))}
	}
	return out, errors.Join(err, unread)
}

// Commands are those of an agent that has a process when its handle is "alive".
func (e *fakeEngine) Commands(_ context.Context, b chat.Binding) (api.CommandsLook, error) {
	if b.Handle != "alive" {
		return api.CommandsLook{}, nil
	}
	return api.CommandsLook{Now: true, At: time.Now(), Commands: []chat.Command{
		{Name: "clear", Aliases: []string{"reset"}, Hint: "[name]", Description: "Start a new session"},
		{Name: "context", Description: "Show current context usage"},
	}}, nil
}

// Detail is that of an agent that has a process when its handle is "alive".
func (e *fakeEngine) Detail(ctx context.Context, b chat.Binding) (api.AgentLook, error) {
	states, err := e.Presence(ctx, b.ChannelID)
	look := api.AgentLook{State: states[slices.IndexFunc(states, func(s api.AgentState) bool { return s.BindingID == b.ID })]}
	if b.Handle != "alive" {
		return look, err
	}
	look.State.Phase, look.State.Native, look.State.ClientVersion, look.State.Error = "warm", "native", "2.1.332", ""
	look.Process = &api.AgentProcess{PID: 42, BeganAt: clock(), MemoryBytes: 300 << 20, Processes: 3}
	look.Tools, look.ToolsNow = []string{"Bash", "mcp__helper__greet"}, true
	look.Servers = []api.ToolServer{
		{Name: "helper", Status: "connected", Tools: []api.ServerTool{{Name: "greet", Description: "Says hello.\nTo somebody."}}},
		{Name: "broken", Status: "failed", Error: "ENOENT \x1b[2J"},
	}
	return look, err
}

// players play the agents of a test. What they do stands in the message.
type players struct{ runs *run.Service }

func (p *players) Lease(_ context.Context, c chat.Channel, b chat.Binding, _ func()) (run.Lease, error) {
	return &player{players: p, key: run.Key{ChannelID: c.ID, BindingID: b.ID}, workspace: c.Workspace}, nil
}

func (p *players) Warm(context.Context, chat.Channel, chat.Binding) error { return nil }
func (p *players) End(context.Context, run.Key, string) error             { return nil }
func (p *players) Restore(run.Key, string)                                {}
func (p *players) Holds(context.Context, string, string, string) (bool, error) {
	return false, nil
}

type player struct {
	*players
	workspace string
	key       run.Key
}

func (p *player) Native() string                  { return "native" }
func (p *player) Temperature() prompt.Temperature { return prompt.Warm }
func (p *player) Framing() string                 { return "framing" }
func (p *player) Commands() []chat.Command        { return nil }
func (p *player) Release()                        {}

// Turn answers by the words in the message.
func (p *player) Turn(ctx context.Context, m run.Message, sink func(run.Happening)) (run.Outcome, error) {
	tokens := ledger.Usage{Input: 3, CacheRead: 12345, CacheWrite5m: 678, Output: 9}
	usage := run.Usage{Usage: tokens, CostUSD: 0.0123, Calls: []ledger.Call{{MessageID: "m", Model: "model", Main: true, Usage: tokens}}}
	said := func(reply string) (run.Outcome, error) { return run.Outcome{Reply: reply, Usage: usage}, nil }
	// The message itself, without the rows that came along.
	_, text, _ := strings.Cut(m.Text, `"text":"`)
	text, _, _ = strings.Cut(text, "\n")
	switch {
	case strings.Contains(text, "BROKEN"):
		return run.Outcome{IsError: true, API: true, Message: "529 over\x1bloaded", Usage: usage}, nil
	case strings.Contains(text, "ASK"):
		const input = `{"command":"rm -rf \u001b[31mx\nsecond"}`
		question := run.Question{
			Tool: "Bash", Input: []byte(input), Reason: "not allowed yet", Workspace: "/w",
			Rules: []string{"Bash(rm:*)", "Bash"},
		}
		if strings.Contains(text, "EXACTLY") {
			question.Rules = nil
		}
		verdict := p.runs.Permit(ctx, p.key, question)
		sink(run.Happening{Step: &run.Step{Kind: "tool", ID: "t", Name: "Bash", Input: input, Output: verdict.Message, Error: !verdict.Allow}, Done: true})
		return said(fmt.Sprintf("allowed: %t %s%s", verdict.Allow, verdict.Rule, verdict.Message))
	case strings.Contains(text, "SPILL"):
		for id, saving := range map[string]run.Saving{
			"t1": {Kind: run.SavingSpill, Tool: "Bash", Path: "/w/.flower/spill/x.txt", Chars: 812345, Lines: 12001, Tokens: 203000},
			"t2": {Kind: run.SavingDenial, Tool: "Write", Detail: "Delegate it: \x1b[2J use a worker."},
			"t3": {Kind: run.SavingGlance, Tool: "Bash", Tokens: 4300},
		} {
			saving.StepID = id
			p.runs.Saved(p.key, saving)
			sink(run.Happening{Step: &run.Step{Kind: "tool", ID: id, Name: saving.Tool, Input: "{}", Output: "y", Error: id == "t2"}, Done: true})
		}
		p.runs.Saved(p.key, run.Saving{Kind: run.SavingIndex, Tokens: 321})
		p.runs.Saved(p.key, run.Saving{Kind: run.SavingSpill, Tool: "Bash", Detail: "make test", Path: "/w/.flower/spill/y.txt", Chars: 1, Lines: 1})
		p.runs.Saved(p.key, run.Saving{Kind: run.SavingSpill, Tool: "Read", StepID: "unknown", Fault: "The disk is full"})
		p.runs.Saved(p.key, run.Saving{Kind: run.SavingIsolated, Tool: "Agent"})
		return said("spilled")
	case strings.Contains(text, "CHANGE"):
		for _, file := range [][2]string{{"a.txt", "one\ntwo"}, {"한글.txt", "x"}} {
			o := changes.Observed{Path: changes.Resolve(filepath.Join(p.workspace, file[0]))}
			err := os.WriteFile(o.Path, []byte(file[1]), 0o600)
			if err == nil {
				o.After, err = changes.Look(o.Path)
			}
			if err != nil {
				return run.Outcome{}, err
			}
			p.runs.Changed(ctx, p.key, o)
		}
		return said("changed")
	case strings.Contains(text, "HANG"):
		<-ctx.Done()
		return run.Outcome{Interrupted: true}, nil
	case strings.Contains(text, "REFUSE"):
		if err := p.runs.Decline(ctx, p.key, "I would rather not."); err != nil {
			return run.Outcome{}, err
		}
		return said("declined")
	case strings.Contains(text, "STREAM"):
		for _, piece := range []string{"Let me ", "look.", "TOOL", "It is ", "안녕\x1b[2J", "\nall."} {
			if piece == "TOOL" {
				sink(run.Happening{Step: &run.Step{Kind: "text", Output: "Let me look."}, Done: true})
				sink(run.Happening{Step: &run.Step{Kind: "tool", ID: "t", Name: "Read", Input: `{"file_path":"/x"}`, Output: "y"}, Done: true})
				continue
			}
			sink(run.Happening{Delta: piece})
		}
		sink(run.Happening{Step: &run.Step{Kind: "text", Output: "It is 안녕\nall."}, Done: true})
		return said("It is 안녕\x1b[2J\nall.")
	}
	return said("pong <&> \x1b[31mred\nsecond line")
}

// house is a data folder and the world around it.
type house struct {
	t         *testing.T
	dir       string // the data folder
	work      string // the folder commands are started in
	env       map[string]string
	stdin     string
	term      bool
	engine    func(context.Context, engineOptions) (Engine, error)
	terminate func(pid int) error
	located   error
	window    Window
	address   string       // where it listens when nobody says
	browsed   *screen      // the addresses that were opened, a line each
	log       bytes.Buffer // the transcript of what was done
}

func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{t: t, dir: filepath.Join(t.TempDir(), "data"), work: t.TempDir(), engine: openFake, browsed: newScreen(), address: "127.0.0.1:0"}
	h.engine = func(ctx context.Context, o engineOptions) (Engine, error) {
		e, err := openFake(ctx, o)
		if fake, ok := e.(*fakeEngine); ok {
			fake.standin = h.located != nil
		}
		return e, err
	}
	h.env = map[string]string{"HEARTH_DATA_DIR": h.dir, "HOME": t.TempDir()}
	t.Chdir(h.work)
	return h
}

func (h *house) app(stdout, stderr io.Writer) *app {
	return &app{
		stdin: strings.NewReader(h.stdin), stdout: stdout, stderr: stderr, env: func(name string) string { return h.env[name] },
		environ: func() (all []string) {
			for name, value := range h.env {
				all = append(all, name+"="+value)
			}
			return all
		},
		location: time.UTC, now: clock, open: h.engine, window: h.window, terminate: h.terminate, address: h.address, patience: patience, terminal: func() bool { return h.term },
		locate: func(context.Context) (string, string, error) { return "/bin/claude", "2.1.332", h.located },
		browse: func(_ context.Context, url string) error {
			_, err := fmt.Fprintln(h.browsed, url)
			return err
		},
	}
}

// result is what a command came to.
type result struct {
	code           int
	stdout, stderr string
}

// run runs a command to its end.
func (h *house) run(args ...string) result {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var stdout, stderr bytes.Buffer
	code := h.app(&stdout, &stderr).run(ctx, args)
	if ctx.Err() != nil {
		h.t.Fatalf("hearth %q did not end: %s%s", args, stdout.String(), stderr.String())
	}
	return result{code, stdout.String(), stderr.String()}
}

// ok runs a command that has to work, and returns what it printed.
func (h *house) ok(args ...string) string {
	h.t.Helper()
	r := h.run(args...)
	if r.code != exitDone {
		h.t.Fatalf("hearth %q: %d\n%s%s", args, r.code, r.stdout, r.stderr)
	}
	return r.stdout
}

// do runs a command and writes it into the transcript.
func (h *house) do(args ...string) result {
	h.t.Helper()
	r := h.run(args...)
	fmt.Fprintf(&h.log, "$ hearth")
	for _, arg := range args {
		if strings.ContainsAny(arg, " @\x1b\n\"") || arg == "" {
			arg = fmt.Sprintf("%q", arg)
		}
		fmt.Fprintf(&h.log, " %s", arg)
	}
	h.log.WriteString("\n" + r.stdout)
	for line := range strings.Lines(r.stderr) {
		h.log.WriteString("2> " + line)
	}
	if r.code != exitDone {
		fmt.Fprintf(&h.log, "=> %d\n", r.code)
	}
	h.log.WriteString("\n")
	return r
}

// screen takes in what a command prints while it runs.
type screen struct {
	mutex sync.Mutex
	text  bytes.Buffer
	fresh chan struct{} // has something when there is more
}

func newScreen() *screen { return &screen{fresh: make(chan struct{}, 1)} }

func (s *screen) Write(b []byte) (int, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	select {
	case s.fresh <- struct{}{}:
	default:
	}
	return s.text.Write(b)
}

func (s *screen) String() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.text.String()
}

// until waits until something stands on the screen.
func (s *screen) until(t *testing.T, wanted *regexp.Regexp) []string {
	t.Helper()
	deadline := time.After(patience)
	for {
		if found := wanted.FindStringSubmatch(s.String()); found != nil {
			return found
		}
		select {
		case <-s.fresh:
		case <-deadline:
			t.Fatalf("never said %s: %s", wanted, s.String())
		}
	}
}

// background is a command that runs.
type background struct {
	t              *testing.T
	stdout, stderr *screen
	interrupt      func() // as a signal would
	done           chan struct{}
	code           int
}

// start runs a command in the background.
func (h *house) start(args ...string) *background {
	h.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	b := &background{t: h.t, stdout: newScreen(), stderr: newScreen(), interrupt: cancel, done: make(chan struct{})}
	a := h.app(b.stdout, b.stderr)
	go func() {
		defer close(b.done)
		b.code = a.run(ctx, args)
	}()
	h.t.Cleanup(func() {
		cancel()
		b.end()
	})
	return b
}

// end waits until the command has ended.
func (b *background) end() result {
	b.t.Helper()
	select {
	case <-b.done:
	case <-time.After(patience):
		b.t.Fatalf("the command did not end: %s%s", b.stdout, b.stderr)
	}
	return result{b.code, b.stdout.String(), b.stderr.String()}
}

// runs lists the runs of #general until the list satisfies is.
func (h *house) runs(is func(list string) bool) string {
	h.t.Helper()
	for {
		if list := h.ok("runs", "general"); is(list) {
			return list
		}
	}
}

// serve starts a Hearth and waits until it listens.
func (h *house) serve(args ...string) (address string, server *background) {
	h.t.Helper()
	server = h.start(append([]string{"serve"}, args...)...)
	return server.stdout.until(h.t, regexp.MustCompile(`listening on http://(\S+)\n(?s:.*)End it`))[1], server
}

var (
	anID    = regexp.MustCompile(`\b[0-9A-HJKMNP-TV-Z]{26}\b`)
	aUUID   = regexp.MustCompile(`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`)
	aBlock  = regexp.MustCompile(`(?m)^(  [a-z]+) +\d+ +\d+$`)
	aMoment = regexp.MustCompile(`2026-01-02T03:04:05(\.\d+)?Z`)
)

// golden compares the transcript with a file, with everything that differs from
// one time to the next replaced by something of the same width.
func (h *house) golden(name string) {
	h.t.Helper()
	seen := map[string]string{}
	text := anID.ReplaceAllStringFunc(h.log.String(), func(id string) string {
		if seen[id] == "" {
			seen[id] = fmt.Sprintf("ID%024d", len(seen)+1)
		}
		return seen[id]
	})
	text = aUUID.ReplaceAllString(text, "UUID")
	text = aMoment.ReplaceAllString(text, "TIME")
	text = aBlock.ReplaceAllString(text, "$1  N  N") // how long they are is package prompt's
	for path, name := range map[string]string{h.dir: "/data", h.work: "/work"} {
		text = strings.ReplaceAll(text, path, name)
	}
	// Columns are as wide as the paths in them, which differ too; TestTable looks
	// at how they stand.
	text = regexp.MustCompile(`(\S)   +`).ReplaceAllString(text, "$1  ")
	path := filepath.Join(packageDir, "testdata", name)
	golden.EqualFile(h.t, path, text)
}

// packageDir is the folder of this package; tests change theirs.
var packageDir = func() string {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	return dir
}()
