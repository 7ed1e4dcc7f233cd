package engine

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"

	"hearth/backend/claude"
	"hearth/backend/guard"
	"hearth/backend/plain"
	"hearth/backend/run"
	"hearth/backend/shell"
	"hearth/backend/token"
	"hearth/backend/tool"
)

// after is told what a tool came to: what is too long goes into a file.
func (k *keeper) after(ctx context.Context, in claude.HookInput) (json.RawMessage, error) {
	k.note(ctx, in)
	if k.over == 0 || !k.usable || !spills(in.ToolName) || guard.ReadsSpill(in.ToolName, in.ToolInput, in.Dir, k.bench.SpillFolder()) {
		return nil, nil
	}
	output, saving, err := k.whole(ctx, in)
	if err != nil {
		k.fault(in, err)
		return nil, nil // the output goes through as it is, and the saving says why
	}
	replaced, spilled := guard.Spill(output, k.over, k.bench.SpillFolder(), strings.HasPrefix(in.ToolName, "mcp__"))
	for _, s := range spilled {
		path, err := k.bench.Spill(s.Name, s.Text)
		if err != nil {
			k.fault(in, err)
			return nil, nil
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
			s.Tokens = k.tokensIn(r.Path, r.Chars, r.Kept)
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

func (k *keeper) spill(in claude.HookInput, path string, chars, lines, tokens int) run.Saving {
	return run.Saving{
		Kind: run.SavingSpill, StepID: in.ToolUseID, AgentID: in.AgentID, Tool: in.ToolName, Detail: detail(commandIn(in.ToolInput)),
		Path: path, Chars: chars, Lines: lines, Tokens: tokens,
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

// tokensIn is tokensOf of a file in the workbench.
func (k *keeper) tokensIn(path string, chars, kept int) int {
	name, _ := k.inside(path)
	file, err := k.bench.Open(name)
	if err != nil {
		return 0
	}
	defer file.Close() //nolint:errcheck // it was only read
	head := make([]byte, 4*sample)
	n, _ := file.Read(head)
	return tokensOf(strings.ToValidUTF8(string(head[:n]), ""), chars, kept)
}
