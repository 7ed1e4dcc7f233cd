package guard

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Role is what a coordinator's main thread may do by itself.
type Role struct {
	// Glance lets it run commands that only look.
	Glance bool
	// Hands are the tools that it may use although they are a worker's: any of
	// Grep, Glob, WebFetch and WebSearch.
	Hands []string
	// Workbench is the folder that workers put long output into, as it is to be
	// named to them.
	Workbench string
}

// Writers are the tools of the client that write files. (The store has them written
// out in a query, which a test holds to this.)
var Writers = []string{"Write", "Edit", "MultiEdit", "NotebookEdit"}

// The tools that take hands: a coordinator delegates them. The second list it may
// be allowed; it is chat.HandTools, which is not imported here: the helper before
// commands is made of this package, and the less it holds the sooner it starts.
var (
	handsOn  = append([]string{"Bash"}, Writers...)
	optional = []string{"Grep", "Glob", "WebFetch", "WebSearch"}
)

// Call is a tool call as a hook is told of it.
type Call struct {
	Tool    string
	Input   json.RawMessage
	AgentID string // the subagent that calls; "" is the main thread
}

// Delegate says why a coordinator may not make a call itself, in words that the
// model reads; "" makes no decision, so that the person's own permissions hold.
// Subagents do what they are told: only the main thread is judged.
func Delegate(role Role, call Call) (reason string) {
	if call.AgentID != "" {
		return ""
	}
	switch {
	case call.Tool == "Bash" && role.Glance:
		var in struct {
			Command string `json:"command"`
			Hidden  bool   `json:"run_in_background"`
		}
		if json.Unmarshal(call.Input, &in) != nil {
			return way(role, "Bash was called without a command")
		}
		if in.Hidden {
			return way(role, "A command in the background is not a glance")
		}
		if e := Explain(in.Command); !e.Ephemeral {
			return way(role, fmt.Sprintf("This command does more than look: %s", e.Reason))
		}
		return ""
	case slices.Contains(handsOn, call.Tool), slices.Contains(optional, call.Tool) && !slices.Contains(role.Hands, call.Tool):
		return way(role, call.Tool+" is not for the coordinator's own hands")
	}
	return ""
}

// way is a denial that shows the way.
func way(role Role, why string) string {
	glance := ""
	if role.Glance {
		glance = " To look around, short commands that only read (git status, ls, cat) are fine."
	}
	return why + ". You coordinate: delegate it with the Agent tool. Give the goal and how to tell that it is met; " +
		"have long output put into " + role.Workbench + "/artifacts, and ask for paths and conclusions." + glance
}

// Isolate puts a git worktree of its own into the input of the Agent tool when it
// starts one of the isolated workers, unless the model chose a folder or an
// isolation itself. changed is false when the input stays as it is.
func Isolate(input json.RawMessage, isolated []string) (updated json.RawMessage, changed bool) {
	var in map[string]json.RawMessage
	if json.Unmarshal(input, &in) != nil {
		return input, false
	}
	var worker string
	if json.Unmarshal(in["subagent_type"], &worker) != nil || !slices.Contains(isolated, worker) {
		return input, false
	}
	for _, chosen := range []string{"isolation", "cwd"} {
		if value, ok := in[chosen]; ok && string(value) != "null" && string(value) != `""` {
			return input, false
		}
	}
	in["isolation"] = json.RawMessage(`"worktree"`)
	out, err := json.Marshal(in)
	if err != nil {
		return input, false
	}
	return out, true
}
