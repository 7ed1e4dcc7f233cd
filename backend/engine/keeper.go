package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"hearth/backend/changes"
	"hearth/backend/chat"
	"hearth/backend/claude"
	"hearth/backend/guard"
	"hearth/backend/plain"
	"hearth/backend/run"
	"hearth/backend/shell"
	"hearth/backend/store"
	"hearth/backend/workbench"
)

// keeper keeps trivia out of one agent process's context: it answers the client's
// hooks as package guard decides, and writes what guard takes out. It also watches
// which files the process's tools change.
type keeper struct {
	bench    *bench
	usable   bool        // there is a workbench to write to
	over     int         // characters; 0: nothing is spilled
	role     *guard.Role // nil: a plain agent's
	isolated []string    // workers that get a worktree of their own
	saved    func(run.Saving)
	used     func(...store.ScriptUse)
	watched  *watched

	mutex   sync.Mutex
	records string // file that the helper before each command writes to; "" is none
	read    int64  // how far
}

// recordsFolder is where in the data folder the helpers tell what they spilled.
const recordsFolder = "spilled"

// keep makes the keeper of a process that is about to start, and its workbench. An
// agent whose workbench can't be made works without: nothing is spilled then.
func (a *agents) keep(ctx context.Context, c chat.Channel, b chat.Binding, native string) (*keeper, error) {
	bench, err := a.benches.of(c, b)
	if err != nil {
		return nil, err
	}
	key := run.KeyOf(b)
	k := &keeper{
		bench: bench, over: b.SpillOver,
		saved:   func(s run.Saving) { a.runs.Saved(key, s) },
		watched: &watched{changed: func(ctx context.Context, o changes.Observed) { a.runs.Changed(ctx, key, o) }, log: a.log},
		used: func(uses ...store.ScriptUse) {
			if err := a.store.UseScripts(context.WithoutCancel(ctx), bench.Path(), uses...); err != nil {
				a.log.Warn("count the use of a script", "workbench", bench.Path(), "error", err)
			}
		},
	}
	if err := bench.Prepare(c.Ignore); err != nil {
		a.log.Warn("make the workbench; long output stays in the context", "channel", c.ID, "error", err)
	} else {
		k.usable = true
	}
	if b.Role == chat.RoleCoordinator {
		k.role = &guard.Role{Glance: b.Glance, Hands: b.Hands, Workbench: bench.Name()}
		for _, w := range b.Workers {
			if w.Isolated {
				k.isolated = append(k.isolated, w.Name)
			}
		}
	}
	if k.usable && k.over > 0 {
		folder := filepath.Join(a.options.DataDir, recordsFolder)
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return nil, fmt.Errorf("make a folder for what commands spill: %w", err)
		}
		k.records = filepath.Join(folder, native+".jsonl")
	}
	return k, nil
}

// forgetRecords clears away what the last start's helpers told and nobody read: it is
// of no run any more.
func (a *agents) forgetRecords() error {
	if err := os.RemoveAll(filepath.Join(a.options.DataDir, recordsFolder)); err != nil {
		return fmt.Errorf("clear away what commands spilled: %w", err)
	}
	return nil
}

// helper puts the program that stands before agents' commands into the data folder,
// and returns its path, "" when there is none. It is looked at before each start of an
// agent, which takes some milliseconds, and at no other time. Where it can't be run
// agents work without.
func (a *agents) helper() string {
	if a.options.Self == "" {
		return ""
	}
	helper, err := shell.Install(a.options.DataDir, a.options.Self)
	if err != nil {
		a.log.Warn("the output of commands that fail is not spilled", "error", err)
	}
	return helper
}

// environment makes a helper stand before the agent's commands. persons is what the
// agent is started with otherwise.
func (k *keeper) environment(helper func() string, persons []string) map[string]string {
	if k.records == "" {
		return nil
	}
	program := helper()
	if program == "" {
		return nil
	}
	config := shell.Config{Over: k.over, Folder: k.bench.SpillFolder(), Records: k.records}
	for _, entry := range persons {
		if value, ok := strings.CutPrefix(entry, shell.PrefixVariable+"="); ok {
			config.Then = value
		}
	}
	return config.Environment(program)
}

// hooks are what the client asks of the keeper. A plain agent is asked before it
// writes files, and then only because they are looked at.
func (k *keeper) hooks() []claude.Hook {
	hooks := []claude.Hook{
		{Event: "PreToolUse", Matcher: strings.Join(guard.Writers, "|"), Call: k.watched.before},
		{Event: "PostToolUse", Call: k.after},
		{Event: "PostToolUseFailure", Matcher: "Bash", Call: k.afterFailure},
	}
	if k.role != nil {
		hooks = append(hooks, claude.Hook{Event: "PreToolUse", Call: k.before})
	}
	return hooks
}

// before is asked whether a tool may run: a coordinator's hands are kept from what
// workers do, and an isolated worker is given its worktree.
func (k *keeper) before(_ context.Context, in claude.HookInput) (json.RawMessage, error) {
	if in.ToolName == "Agent" || in.ToolName == "Task" {
		updated, changed := guard.Isolate(in.ToolInput, k.isolated)
		if !changed || !inRepository(in.Dir) {
			return nil, nil // where there is no repository the client refuses to make a worktree
		}
		k.saved(run.Saving{Kind: run.SavingIsolated, StepID: in.ToolUseID, AgentID: in.AgentID, Tool: in.ToolName})
		return decision("PreToolUse", map[string]any{"updatedInput": updated})
	}
	reason := guard.Delegate(*k.role, guard.Call{Tool: in.ToolName, Input: in.ToolInput, AgentID: in.AgentID})
	if reason != "" {
		k.saved(run.Saving{Kind: run.SavingDenial, StepID: in.ToolUseID, Tool: in.ToolName, Detail: detail(reason)})
		return decision("PreToolUse", map[string]any{"permissionDecision": "deny", "permissionDecisionReason": reason})
	}
	if in.ToolName == "Bash" && in.AgentID == "" {
		k.saved(run.Saving{
			Kind: run.SavingGlance, StepID: in.ToolUseID, Tool: in.ToolName, Detail: detail(commandIn(in.ToolInput)), Tokens: subagentStart,
		})
	}
	return nil, nil
}

// inRepository says whether a folder is in a git repository.
func inRepository(folder string) bool {
	for {
		if _, err := os.Lstat(filepath.Join(folder, ".git")); err == nil {
			return true
		}
		above := filepath.Dir(folder)
		if above == folder {
			return false
		}
		folder = above
	}
}

// subagentStart is about what the start of a subagent costs, in tokens: what a
// glance saves. It was measured over a long run of the client's.
const subagentStart = 4300

// note counts the use of scripts, and brings the index up to date when a file of
// the workbench was written.
func (k *keeper) note(ctx context.Context, in claude.HookInput) {
	switch {
	case in.ToolName == "Bash":
		command, scripts := commandIn(in.ToolInput), filepath.Join(k.bench.Path(), string(workbench.Script))
		ran, written := guard.Touched(command, in.Dir, scripts)
		uses := append(k.uses(written, store.ScriptUse{Written: 1}), k.uses(ran, store.ScriptUse{Run: 1})...)
		if len(uses) > 0 {
			k.used(uses...)
		}
		if len(written) > 0 {
			_, _ = k.bench.Refresh(ctx) // before each turn it is tried again, and told
		}
	case slices.Contains(guard.Writers, in.ToolName):
		k.watched.after(ctx, in)
		path, ok := writtenBy(in)
		if !ok {
			return
		}
		name, ok := k.inside(path)
		if !ok {
			return
		}
		if strings.HasPrefix(name, string(workbench.Script)+"/") {
			k.used(store.ScriptUse{Path: name, Written: 1})
		}
		_, _ = k.bench.Refresh(ctx) // before each turn it is tried again, and told
	}
}

// writtenBy is the file that a call of one of guard.Writers is about.
func writtenBy(in claude.HookInput) (path string, ok bool) {
	var input struct {
		File     string `json:"file_path"`
		Notebook string `json:"notebook_path"`
	}
	if json.Unmarshal(in.ToolInput, &input) != nil {
		return "", false
	}
	path = input.File + input.Notebook
	if path == "" || strings.ContainsRune(path, 0) {
		return "", false
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(in.Dir, path)
	}
	return path, true
}

// uses is the same use of each of some files, as far as they are in the workbench.
func (k *keeper) uses(paths []string, use store.ScriptUse) (uses []store.ScriptUse) {
	for _, path := range paths {
		if name, ok := k.inside(path); ok {
			use.Path = name
			uses = append(uses, use)
		}
	}
	return uses
}

// inside returns the name of a file in the workbench, with slashes.
func (k *keeper) inside(path string) (name string, ok bool) {
	name, err := filepath.Rel(k.bench.Path(), path)
	return filepath.ToSlash(name), err == nil && filepath.IsLocal(name)
}

func commandIn(input json.RawMessage) string {
	var in struct {
		Command string `json:"command"`
	}
	_ = json.Unmarshal(input, &in) // what has none is judged as none
	return in.Command
}

func detail(text string) string {
	head, _ := plain.Cut(text, run.MaxDetail)
	return head
}

// decision is a hook's output that says something.
func decision(event string, fields map[string]any) (json.RawMessage, error) {
	fields["hookEventName"] = event
	return json.Marshal(map[string]any{"hookSpecificOutput": fields})
}
