package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"hearth/backend/chat"
	"hearth/backend/claude"
	"hearth/backend/resident"
	"hearth/backend/run"
	"hearth/backend/store"
	"hearth/backend/tool"
)

// process is one agent's living process, as the pool sees it.
type process struct {
	key     run.Key
	session *claude.Session
	framing string    // what it was told at its start
	kept    time.Time // when the client told the commands that are stored
	keeper  *keeper
	facts   facts
	began   time.Time
	folder  fs.FileInfo   // what it was started in
	told    atomic.Value  // string: why the pool ended it; nil: it did not
	gone    chan struct{} // closed when its end has been recorded
}

var _ resident.Process = (*process)(nil)

func (p *process) Native() string        { return p.session.Native() }
func (p *process) Done() <-chan struct{} { return p.session.Done() }
func (p *process) Err() error            { return p.session.Err() }

func (p *process) Close(ctx context.Context, reason string) error {
	p.told.Store(reason)
	return p.session.Close(ctx)
}

// recorded waits until the process has ended and that is recorded.
func (p *process) recorded(ctx context.Context) error {
	select {
	case <-p.gone:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// inPlace says whether the process still works in the folder that a path leads to; a
// folder that can't be worked in is an error, as claude.Workable tells it.
func (p *process) inPlace(path string) (bool, error) {
	if err := claude.Workable(path); err != nil {
		return false, err
	}
	now, err := os.Stat(path)
	return err == nil && os.SameFile(p.folder, now), err
}

// Busy says that a turn runs or is about to, that a person is asked, or that a
// background task runs: each would be lost with the process.
func (p *process) Busy() bool { return p.session.Busy() || p.session.BackgroundTasks() > 0 }

// command is how the program behind a binding is started.
type command struct {
	path string
	args []string
}

// command finds the program behind a binding.
func (a *agents) command(ctx context.Context, b chat.Binding) (command, error) {
	if b.Runtime == chat.RuntimeStandin {
		if len(a.options.Standin) == 0 {
			return command{}, chat.Errorf(chat.CodeUnavailable, "This Hearth has no stand-in agent.")
		}
		return command{path: a.options.Standin[0], args: a.options.Standin[1:]}, nil
	}
	if a.options.Claude != "" {
		return command{path: a.options.Claude}, nil
	}
	path, err := a.client(ctx)
	return command{path: path}, err
}

// open starts the process of a binding: with a session of its own, or with the
// saved one that was asked for. What the model is sent before the first turn
// (framing, flags, tools) is the same bytes each time.
func (a *agents) open(ctx context.Context, c chat.Channel, b chat.Binding) (resident.Process, resident.Temperature, error) {
	cmd, err := a.command(ctx, b)
	if err != nil {
		return nil, "", err
	}
	rules, err := a.store.Rules(ctx, b.ID)
	if err != nil {
		return nil, "", err
	}
	key := run.KeyOf(b)
	scope := tool.Scope{ChannelID: c.ID, BindingID: b.ID}
	native, temperature := a.takeRestore(key), resident.Restored
	if native == "" {
		native, temperature = uuid.NewString(), resident.Cold
	}
	keeper, err := a.keep(ctx, c, b, native)
	if err != nil {
		return nil, "", err
	}
	persons := a.environ(ctx)
	mark := a.instance + "/" + chat.NewID(time.Now())
	framing, agents := a.framing(c, b), workers(b, keeper.bench.Name())
	saved, model := "", b.Model
	if temperature == resident.Restored {
		saved, model = native, a.modelOf(ctx, b, native)
	}
	folder, err := os.Stat(c.Workspace)
	if err != nil {
		folder = nil // the client's start says so
	}
	facts, began := a.factsOf(ctx, c, b, framing, mark, saved, agents), time.Now()
	session, err := claude.Start(ctx, claude.Options{
		Path: cmd.path, Prefix: cmd.args, Dir: c.Workspace, Env: environment(persons, b, keeper.environment(a.helper, persons)), Mark: mark,
		Native: native, Resume: temperature == resident.Restored,
		Framing: framing, Model: model, PermissionMode: b.PermissionMode, Args: reach(c, keeper),
		Agents: agents, Hooks: keeper.hooks(),
		Servers: map[string]*mcp.Server{tool.ServerName: tool.New(tools{a}, scope)},
		Allowed: allowed(), Rules: ruleList(rules),
		Permission: func(ctx context.Context, q claude.Question) claude.Answer {
			return a.permit(ctx, key, c.Workspace, q)
		},
		Unasked: func(t claude.Turn) { a.unasked(key, native, facts, t) },
		Changed: func() { a.pool.Notify(poolKey(key)) },
		Clock:   a.options.Clock,
		Log:     a.log.With("channel", c.ID, "binding", b.ID),
	})
	if err != nil {
		if b.Runtime == chat.RuntimeClaude {
			a.clients.expire() // it may not be there any more, or not run
		}
		a.settleRestore(key, ctx.Err() != nil || !aboutSession(err)) // given up from outside, or not by the session
		return nil, "", startError(c, b, err)
	}
	p := &process{
		key: key, session: session, framing: framing, keeper: keeper, facts: facts, began: began, folder: folder,
		gone: make(chan struct{}),
	}
	a.keepCommands(ctx, b, p)
	if err := a.moveIn(ctx, p, c, mark); err != nil {
		a.settleRestore(key, true)
		return nil, "", errors.Join(err, session.Close(ctx), a.forget(ctx, mark))
	}
	a.settleRestore(key, false)
	return p, temperature, nil
}

// modelOf is the model that a process is told to take which loads a saved session:
// the binding's, or else the session's own.
//
// Problem: 2.1.197, told of no model, goes on with another than the session had.
// Why: it takes the name from the transcript, where it stands without what the client
// adds to it, like [1m]. Solution: it is told by the client's own name for it. The
// cache is not lost then, and a default that has changed meanwhile waits for the next
// conversation.
func (a *agents) modelOf(ctx context.Context, b chat.Binding, native string) string {
	if b.Model != "" {
		return b.Model
	}
	model, err := a.store.ModelOf(ctx, native)
	if err != nil {
		a.log.Warn("read the model of a saved session", "native", native, "error", err)
	}
	return model
}

// forgetWithin bounds how long the record of a process that did not move in is
// waited for.
const forgetWithin = 5 * time.Second

// forget removes the record of a process that has been ended before it moved in.
func (a *agents) forget(ctx context.Context, mark string) error {
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), forgetWithin)
	defer cancel()
	return a.store.ForgetProcess(bounded, mark)
}

// aboutSession says whether a client that did not start may have failed over the
// session it was to load. It has when it ran and gave up by itself; it has not when
// it could not be run in that folder, or at all.
func aboutSession(err error) bool {
	var failed *claude.Error
	var lookup *exec.Error
	var system *fs.PathError
	switch {
	case errors.As(err, &failed) && failed.Code == claude.CodeFolder:
		return false
	case errors.As(err, &lookup):
		return false
	case errors.As(err, &system) && system.Op == "fork/exec":
		return false
	}
	return true
}

// startError says why the process of a binding did not start, and what to do
// where that is known.
func startError(c chat.Channel, b chat.Binding, err error) error {
	message := "@" + b.Handle + " did not start: " + err.Error()
	var failed *claude.Error
	if errors.As(err, &failed) && failed.Code == claude.CodeFolder {
		return folderGone(c, b, "did not start", failed.Err)
	}
	return &run.StartError{Message: message, Err: err}
}

// folderGone says what could not be done in a workspace, why, and what to do.
func folderGone(c chat.Channel, b chat.Binding, what string, err error) error {
	return &run.StartError{Message: fmt.Sprintf("@%s %s: %v. Put the folder back, or give #%s another workspace: `hearth channels edit %q --workspace FOLDER`. Then try again.",
		b.Handle, what, err, c.Name, c.Name), Err: err}
}

// moveIn records a new process and its session, and watches for its end.
func (a *agents) moveIn(ctx context.Context, p *process, c chat.Channel, mark string) error {
	if err := a.recorded(ctx, p.key); err != nil {
		return err
	}
	err := a.store.RecordProcess(ctx, store.ProcessRecord{
		Record: p.session.Record(), Native: p.Native(), BindingID: p.key.BindingID,
	})
	if err != nil {
		return err
	}
	err = a.store.StartSession(ctx, run.Session{
		Native: p.Native(), BindingID: p.key.BindingID, ChannelID: c.ID, Workspace: c.Workspace,
	})
	if err != nil {
		return err
	}
	a.mutex.Lock()
	a.living[p.key] = p
	a.mutex.Unlock()
	a.watchers.Go(func() { a.watch(context.WithoutCancel(ctx), p, mark) })
	return nil
}

// recorded waits until the end of the process that a key had before is recorded. The
// pool gives its place away as soon as it has ended: put down later, the end would be
// one of the process that comes now.
func (a *agents) recorded(ctx context.Context, key run.Key) error {
	a.mutex.Lock()
	before := a.living[key]
	a.mutex.Unlock()
	if before == nil {
		return nil
	}
	return before.recorded(ctx)
}

// watch waits for the end of a process and clears away what was recorded of it.
func (a *agents) watch(ctx context.Context, p *process, mark string) {
	// The pool has told of the end before it was recorded, with what can be restored.
	defer func() { a.changed(a.pool.State(poolKey(p.key))) }()
	defer close(p.gone)
	<-p.Done()
	how, reason := p.ending()
	if err := p.session.Close(ctx); err != nil {
		a.log.Warn("close a session whose process has ended", "native", p.Native(), "error", err)
	}
	p.keeper.close()
	if err := a.store.EndSession(ctx, p.Native(), how, reason); err != nil {
		a.log.Warn("store the end of a session", "native", p.Native(), "error", err)
	}
	if err := a.store.ForgetProcess(ctx, mark); err != nil {
		a.log.Warn("forget a process that has ended", "native", p.Native(), "error", err)
	}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if tools := p.session.Info().Tools; len(tools) > 0 {
		a.offered[p.key] = tools
	}
	if a.living[p.key] == p {
		delete(a.living, p.key)
	}
}

// environment is what a binding's process starts with, and more. With a Messages
// API of its own it must not get the person's key for another.
func environment(persons []string, b chat.Binding, more map[string]string) []string {
	more = maps.Clone(more)
	if more == nil {
		more = map[string]string{}
	}
	if b.BaseURL != "" {
		more["ANTHROPIC_BASE_URL"] = b.BaseURL
		persons = without(persons, "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN")
	}
	if b.Token != "" {
		persons = without(persons, "ANTHROPIC_API_KEY")
		more["ANTHROPIC_AUTH_TOKEN"] = b.Token
	}
	return claude.Environment(persons, more)
}

// allowed lists what always runs without a question: Hearth's own tools.
func allowed() []string { return []string{"mcp__" + tool.ServerName} }

// ruleList lists what a person allowed for good. A rule for one very call is no
// rule of the client's: package run answers for the person.
func ruleList(rules []run.Rule) []claude.Rule {
	var out []claude.Rule
	for _, rule := range rules {
		if rule.Text != "" {
			name, content := parseRule(rule.Text)
			out = append(out, claude.Rule{Tool: name, Content: content})
		}
	}
	return out
}

// permit carries a question of the client to a person and the answer back.
func (a *agents) permit(ctx context.Context, key run.Key, workspace string, q claude.Question) claude.Answer {
	verdict := a.runs.Permit(ctx, key, run.Question{
		Tool: q.Tool, Input: q.Input, AgentID: q.AgentID, Reason: q.Reason, BlockedPath: q.BlockedPath,
		Workspace: workspace, Rules: offered(q.Suggestions),
	})
	answer := claude.Answer{Allow: verdict.Allow, Message: verdict.Message}
	if verdict.Rule != "" {
		answer.Permissions = ruleForSession(verdict.Rule)
	}
	return answer
}

// suggestion is the client's proposal for an "always".
type suggestion struct {
	Type     string          `json:"type"`
	Behavior string          `json:"behavior"`
	Rules    []suggestedRule `json:"rules"`
}

type suggestedRule struct {
	Tool    string `json:"toolName"`
	Content string `json:"ruleContent,omitempty"`
}

// text is the rule in the client's syntax: Tool, or Tool(content).
func (r suggestedRule) text() string {
	if r.Content == "" {
		return r.Tool
	}
	return r.Tool + "(" + r.Content + ")"
}

// offered reads the rules out of the client's suggestions, narrowest (longest)
// first. Suggestions of other kinds (directories, modes) are wider than a rule
// and are left to the client's own settings.
func offered(suggestions json.RawMessage) []string {
	var all []suggestion
	if len(suggestions) == 0 || json.Unmarshal(suggestions, &all) != nil {
		return nil
	}
	var out []string
	for _, s := range all {
		if s.Type != "addRules" || s.Behavior != "allow" {
			continue
		}
		for _, rule := range s.Rules {
			at := 0
			for at < len(out) && len(out[at]) >= len(rule.text()) {
				at++
			}
			out = append(out[:at], append([]string{rule.text()}, out[at:]...)...)
		}
	}
	return out
}

// ruleForSession puts a rule into force in the living process; later processes
// get it at their start.
func ruleForSession(rule string) json.RawMessage {
	name, content := parseRule(rule)
	text, err := json.Marshal([]any{map[string]any{
		"type": "addRules", "behavior": "allow", "destination": "session",
		"rules": []suggestedRule{{Tool: name, Content: content}},
	}})
	if err != nil {
		panic(fmt.Sprintf("engine: a rule that is no JSON: %v", err)) // two strings
	}
	return text
}

// parseRule is the opposite of suggestedRule.text.
func parseRule(text string) (name, content string) {
	if inside, ok := strings.CutSuffix(text, ")"); ok {
		if name, content, ok := strings.Cut(inside, "("); ok {
			return name, content
		}
	}
	return text, ""
}

func without(environment []string, names ...string) []string {
	out := make([]string, 0, len(environment))
	for _, entry := range environment {
		name, _, _ := strings.Cut(entry, "=")
		keep := true
		for _, n := range names {
			keep = keep && n != name
		}
		if keep {
			out = append(out, entry)
		}
	}
	return out
}
