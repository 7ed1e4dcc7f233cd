package run

import (
	"cmp"
	"slices"
	"time"

	"hearth/backend/plain"
)

// ToolCalls is how often a binding called a tool.
type ToolCalls struct {
	Tool     string // as the agent names it
	Subagent bool   // subagents called it; otherwise the main thread did
	Calls    int
	Failed   int // of them: the tool answered with an error, or the call was refused
	LastAt   time.Time
}

// maxToolName bounds the name of a tool, in characters: a model may call what there
// is not.
const maxToolName = 200

// CountTools counts the calls of tools among the steps of a run, by name. A run keeps
// its first 2,000 steps, and no more are counted.
func CountTools(steps []Step) []ToolCalls {
	type kind struct {
		tool     string
		subagent bool
	}
	found := map[kind]ToolCalls{}
	for _, s := range steps {
		if s.Kind != "tool" || s.Name == "" {
			continue
		}
		name, _ := plain.Cut(s.Name, maxToolName)
		k := kind{name, s.Parent != ""}
		count := found[k]
		count.Tool, count.Subagent = k.tool, k.subagent
		count.Calls++
		if s.Error {
			count.Failed++
		}
		if s.At.After(count.LastAt) {
			count.LastAt = s.At
		}
		found[k] = count
	}
	out := make([]ToolCalls, 0, len(found))
	for _, count := range found {
		out = append(out, count)
	}
	slices.SortFunc(out, func(a, b ToolCalls) int {
		return cmp.Or(cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Tool, b.Tool), b.LastAt.Compare(a.LastAt))
	})
	return out
}
