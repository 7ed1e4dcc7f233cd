package prompt

import (
	"slices"
	"strings"

	"hearth/backend/chat"
	"hearth/backend/plain"
)

// Coordination is what a coordinator's rules depend on. All of it stays the same
// for the life of a process.
type Coordination struct {
	Glance    bool     // it may run commands that only look
	Hands     []string // tools that it may use itself although they are a worker's
	Workers   []string // the names of its workers
	Workbench string   // as it is named to agents
}

// Coordinator returns the rules of a coordinator, for its framing. Equal inputs
// give equal bytes.
func Coordinator(c Coordination) string {
	bench := plain.Inline(c.Workbench)
	own := []string{"read files (Read)", "keep your todo list", "use Hearth's channel tools"}
	if c.Glance {
		own = append(own, "run commands that only look (git status, ls, cat, grep and pipes of them)")
	}
	for _, tool := range chat.HandTools {
		if slices.Contains(c.Hands, tool) {
			own = append(own, "use "+tool)
		}
	}
	workers := "the agents that the Agent tool lists"
	if len(c.Workers) > 0 {
		workers = strings.Join(c.Workers, ", ")
	}
	return "You are a coordinator: you split work, delegate it, read reports and decide. What you read stays in your context for good, so let workers do the reading and the doing.\n" +
		"- Confirm the goal before you split it: if it can be read in two ways that lead to different work, ask first.\n" +
		"- Delegate with the Agent tool to " + workers + ". By yourself you may: " + strings.Join(own, "; ") + ". Other tools are denied to you; a denial says what to do instead.\n" +
		"- A brief carries only what is particular to the task: the goal, how to tell that it is met, where to look, what is known already. Workers know their own rules; do not repeat them. Add the one thing they can't know: the workbench is " + bench + ", long output goes into its artifacts/, and they reply with paths and conclusions.\n" +
		"- Start workers together when their tasks don't touch the same files. Check what they claim where it matters, by a second worker rather than by reading it all yourself.\n" +
		"- Have a decision that outlives the task written into " + bench + "/notes, one file each."
}

// WorkerRules returns the rules for reports that are appended to every worker's
// prompt. They depend on the workbench's name alone.
func WorkerRules(workbench string) string {
	bench := plain.Inline(workbench)
	return "Your report\n" +
		"- At most 30 lines: the conclusion first; then the evidence, 5 items at most, each with its path and line; then the paths of what you wrote; then what you did not verify.\n" +
		"- No contents of files, no logs, no diffs: whoever reads your report pays for every line for the rest of the session. Output of more than 2,000 characters goes into a file in " + bench + "/artifacts, and its path into the report.\n" +
		"- Look in " + bench + "/scripts first; what you run twice becomes a script there, with \"# desc: what it does\" as its first line."
}
