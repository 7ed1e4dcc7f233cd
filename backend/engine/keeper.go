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

	"hearth/backend/chat"
	"hearth/backend/claude"
	"hearth/backend/guard"
	"hearth/backend/plain"
	"hearth/backend/run"
	"hearth/backend/shell"
	"hearth/backend/store"
	"hearth/backend/token"
	"hearth/backend/tool"
	"hearth/backend/workbench"
)

// keeper keeps trivia out of one agent process's context: it answers the client's
// hooks as package guard decides, and writes what guard takes out.
type keeper struct {
	key       run.Key
	bench     *bench
	usable    bool // there is a workbench to write to
	over      int  // characters; 0: nothing is spilled
	role      *guard.Role
	isolated  []string // workers that get a worktree of their own
	saved     func(run.Saving)
	used      func(...store.ScriptUse)
	workspace string

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
		key: key, bench: bench, over: b.SpillOver, workspace: c.Workspace,
		saved: func(s run.Saving) { a.runs.Saved(key, s) },
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

// installHelper puts the helper that stands before agents' commands into the data
// folder. Where it can't be run agents work without.
func (a *agents) installHelper() error {
	// What the last start's helpers told and nobody read is of no run any more.
	if err := os.RemoveAll(filepath.Join(a.options.DataDir, recordsFolder)); err != nil {
		return fmt.Errorf("clear away what commands spilled: %w", err)
	}
	if a.options.Self == "" {
		return nil
	}
	helper, err := shell.Install(a.options.DataDir, a.options.Self)
	if err != nil {
		a.log.Warn("the output of commands that fail is not spilled", "error", err)
		return nil
	}
	a.helper = helper
	return nil
}

// environment makes the helper stand before the agent's commands. persons is what
// the agent is started with otherwise.
func (k *keeper) environment(helper string, persons []string) map[string]string {
	if k.records == "" || helper == "" {
		return nil
	}
	config := shell.Config{Over: k.over, Folder: k.bench.SpillFolder(), Records: k.records}
	for _, entry := range persons {
		if value, ok := strings.CutPrefix(entry, shell.PrefixVariable+"="); ok {
			config.Then = value
		}
	}
	return config.Environment(helper)
}

// hooks are what the client asks of the keeper. A plain agent is asked before
// nothing.
func (k *keeper) hooks() []claude.Hook {
	hooks := []claude.Hook{
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
		if !changed {
			return nil, nil
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

// subagentStart is about what the start of a subagent costs, in tokens: what a
// glance saves. It was measured over a long run of the client's.
const subagentStart = 4300

// after is told what a tool came to: what is too long goes into a file.
func (k *keeper) after(ctx context.Context, in claude.HookInput) (json.RawMessage, error) {
	k.note(ctx, in)
	if k.over == 0 || !k.usable || !spills(in.ToolName) || guard.ReadsSpill(in.ToolName, in.ToolInput, in.Dir, k.bench.SpillFolder()) {
		return nil, nil
	}
	output, saving, err := k.whole(ctx, in)
	if err != nil {
		k.fault(in, err)
		return nil, nil //nolint:nilerr // the output goes through as it is, and the saving says why
	}
	replaced, spilled := guard.Spill(output, k.over, k.bench.SpillFolder(), strings.HasPrefix(in.ToolName, "mcp__"))
	for _, s := range spilled {
		path, err := k.bench.Spill(s.Name, s.Text)
		if err != nil {
			k.fault(in, err)
			return nil, nil //nolint:nilerr // as above
		}
		k.saved(k.spill(in, path, s.Chars, s.Lines, tokensOf(s.Text, s.Chars, s.Kept)))
	}
	if saving != nil {
		k.saved(*saving)
	}
	if saving == nil && len(spilled) == 0 {
		return nil, nil
	}
	return decision("PostToolUse", map[string]any{"updatedToolOutput": replaced})
}

// spilledTools are the tools of the client whose long output is spilled.
var spilledTools = []string{"Bash", "Read", "Grep", "Glob", "WebFetch", "WebSearch"}

// spills says whether a tool's output may be spilled. What Hearth's own tools
// answer is bounded by themselves.
func spills(name string) bool {
	return slices.Contains(spilledTools, name) ||
		strings.HasPrefix(name, "mcp__") && !strings.HasPrefix(name, "mcp__"+tool.ServerName+"__")
}

// whole puts a pointer in the place of output that the client has kept in a file of
// its own, of which a hook is shown the beginning only. saving is nil when there is
// no such file.
func (k *keeper) whole(ctx context.Context, in claude.HookInput) (output json.RawMessage, saving *run.Saving, err error) {
	var shown map[string]json.RawMessage
	var kept struct {
		Path   string `json:"persistedOutputPath"`
		Stdout string `json:"stdout"`
	}
	if in.ToolName != "Bash" || json.Unmarshal(in.ToolResponse, &kept) != nil || kept.Path == "" {
		return in.ToolResponse, nil, nil
	}
	copied, err := k.bench.Copy(ctx, "", kept.Path)
	if err != nil {
		return nil, nil, err
	}
	pointer := guard.Excerpt{Chars: copied.Chars, Lines: copied.Lines, Head: kept.Stdout}.Pointer(copied.Path)
	if err := json.Unmarshal(in.ToolResponse, &shown); err != nil {
		return nil, nil, err
	}
	if shown["stdout"], err = json.Marshal(pointer); err != nil {
		return nil, nil, err
	}
	for name := range shown {
		if strings.HasPrefix(name, "persistedOutput") {
			delete(shown, name) // else the client puts a pointer of its own around ours
		}
	}
	output, err = json.Marshal(shown)
	whole := k.spill(in, copied.Path, copied.Chars, copied.Lines, tokensOf(kept.Stdout, copied.Chars, plain.Length(pointer)))
	return output, &whole, err
}

// afterFailure is told of a command that failed. What it printed was spilled before
// the client saw it; here it is noted.
func (k *keeper) afterFailure(ctx context.Context, in claude.HookInput) (json.RawMessage, error) {
	k.note(ctx, in)
	k.failures(in.ToolUseID, in.AgentID, commandIn(in.ToolInput))
	return nil, nil
}

// failures notes what the helper has spilled since it was last asked. stepID is the
// call whose command just failed.
func (k *keeper) failures(stepID, agentID, failed string) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if k.records == "" {
		return
	}
	records, next, err := shell.ReadRecords(k.records, k.read)
	if err != nil {
		return // nothing was spilled yet; what was can be read later
	}
	k.read = next
	for _, r := range records {
		s := run.Saving{
			Kind: run.SavingSpill, Tool: "Bash", Detail: detail(r.Command), Path: r.Path, Chars: r.Chars, Lines: r.Lines,
			Fault: r.Error, At: r.At,
		}
		if r.Path != "" {
			s.Tokens = tokensIn(r.Path, r.Chars, r.Kept)
		}
		if head, _ := plain.Cut(failed, run.MaxDetail); head == r.Command {
			s.StepID, s.AgentID = stepID, agentID
		}
		k.saved(s)
	}
}

// close notes the last of what the helper has spilled, and removes its file.
func (k *keeper) close() {
	k.failures("", "", "")
	if k.records != "" {
		_ = os.Remove(k.records) // it is not there when nothing was spilled
	}
}

// note counts the use of scripts, and brings the index up to date when a file of
// the workbench was written.
func (k *keeper) note(ctx context.Context, in claude.HookInput) {
	switch in.ToolName {
	case "Bash":
	case "Write", "Edit", "MultiEdit", "NotebookEdit":
		var input struct {
			File     string `json:"file_path"`
			Notebook string `json:"notebook_path"`
		}
		if json.Unmarshal(in.ToolInput, &input) != nil {
			return
		}
		path := input.File + input.Notebook
		if !filepath.IsAbs(path) {
			path = filepath.Join(in.Dir, path)
		}
		name, err := filepath.Rel(k.bench.Path(), path)
		if err != nil || !filepath.IsLocal(name) {
			return
		}
		if name = filepath.ToSlash(name); strings.HasPrefix(name, string(workbench.Script)+"/") && in.Event == "PostToolUse" {
			k.used(store.ScriptUse{Path: name, Written: 1})
		}
		if inventory, err := k.bench.Scan(ctx); err == nil {
			_, _ = k.bench.WriteIndex(inventory) // before each turn it is tried again, and told
		}
	}
}

func (k *keeper) spill(in claude.HookInput, path string, chars, lines, tokens int) run.Saving {
	return run.Saving{
		Kind: run.SavingSpill, StepID: in.ToolUseID, AgentID: in.AgentID, Tool: in.ToolName, Path: path, Chars: chars, Lines: lines, Tokens: tokens,
	}
}

// fault notes that output could not be spilled.
func (k *keeper) fault(in claude.HookInput, err error) {
	k.saved(run.Saving{Kind: run.SavingSpill, StepID: in.ToolUseID, AgentID: in.AgentID, Tool: in.ToolName, Fault: err.Error()})
}

// sample is how many characters of a long text are counted to estimate its tokens.
const sample = 4000

// tokensOf is about how many tokens a text of so many characters has more than what
// is kept of it, by its beginning.
func tokensOf(beginning string, chars, kept int) int {
	head, _ := plain.Cut(beginning, sample)
	counted := plain.Length(head)
	if counted == 0 {
		return 0
	}
	return max(0, int(float64(token.Count(head))/float64(counted)*float64(chars-kept)))
}

// tokensIn is tokensOf of a file.
func tokensIn(path string, chars, kept int) int {
	file, err := os.Open(path)
	if err != nil {
		return 0
	}
	defer file.Close() //nolint:errcheck // it was read
	head := make([]byte, 4*sample)
	n, _ := file.Read(head)
	return tokensOf(strings.ToValidUTF8(string(head[:n]), ""), chars, kept)
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
