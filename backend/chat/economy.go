package chat

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Role is how an agent works: with its own hands, or through workers.
type Role string

// The roles.
const (
	RolePlain       Role = ""            // it does everything itself
	RoleCoordinator Role = "coordinator" // it splits work, delegates, reads reports and decides
)

// HandTools are the tools that a coordinator delegates unless its binding lets it
// use them itself. What changes files or runs more than a glance it always
// delegates.
var HandTools = []string{"Grep", "Glob", "WebFetch", "WebSearch"}

// WorkerTools are the tools a worker can have.
var WorkerTools = []string{"Read", "Write", "Edit", "Bash", "Glob", "Grep", "WebFetch", "WebSearch", "NotebookEdit"}

// Worker is a subagent that a coordinator delegates to.
type Worker struct {
	Name        string   // what it is called by: lower-case ASCII letters, digits and -, at most MaxWorkerName
	Description string   // when to use it, which the coordinator reads; at most MaxWorkerDescription characters
	Prompt      string   // what it is told, before the rules for reports; at most MaxWorkerPrompt characters
	Tools       []string // of WorkerTools; empty is none
	Model       string   // ModelInherit is the coordinator's own
	Isolated    bool     // it works in a git worktree of its own
}

// Bounds of a binding's economy. Fixed. Workers are told to the client as a
// whole, in every process: so they are few, and short.
const (
	MaxWorkers           = 12
	MaxWorkerName        = 40
	MaxWorkerDescription = 500
	MaxWorkerPrompt      = 4000
	// ModelInherit makes a worker use the coordinator's model: what is saved is
	// context, and not the quality of the work.
	ModelInherit = "inherit"
	// DefaultSpillOver is SpillOver of a new binding. Below MinSpillOver a pointer
	// would be hardly shorter than what it stands for; the client itself cuts what is
	// longer than MaxSpillOver.
	DefaultSpillOver = 4000
	MinSpillOver     = 1000
	MaxSpillOver     = 1_000_000
)

// DefaultWorkers are the workers a binding has from the start.
func DefaultWorkers() []Worker {
	return []Worker{
		{
			Name: "explorer", Model: ModelInherit, Tools: []string{"Read", "Grep", "Glob", "Bash", "WebFetch", "WebSearch", "Write"},
			Description: "Finds things out: where something is, how it works, what depends on it, what the documentation says. Changes nothing.",
			Prompt:      "You find things out and change nothing but files in the workbench. Look broadly first, then read only what answers the question. Say what is so, where it stands (path and line), and what you could not find.",
		},
		{
			Name: "implementer", Model: ModelInherit, Tools: []string{"Read", "Write", "Edit", "Bash", "Grep", "Glob"},
			Description: "Changes code or other files to meet a goal, with its tests, and checks that they pass.",
			Prompt:      "You make one change, completely: read what is there, follow its ways, write the code and its test, and run the checks that concern it. Do not widen the task. If the goal can't be met as it was given, stop and say why.",
		},
		{
			Name: "tester", Model: ModelInherit, Tools: []string{"Read", "Write", "Edit", "Bash", "Grep", "Glob"},
			Description: "Runs tests, builds, benchmarks and programs, reproduces faults, and says what really happens.",
			Prompt:      "You find out what really happens. Run it, reproduce it, narrow it down to the smallest case. Change tests and scripts only, never what is tested. Report what you ran and what came out; a guess is called one.",
		},
	}
}

// Isolated says whether a worker of the binding works in a worktree of its own:
// then what it shares with others can't lie in the repository.
func (b Binding) Isolated() bool {
	return b.Role == RoleCoordinator && slices.ContainsFunc(b.Workers, func(w Worker) bool { return w.Isolated })
}

// checkEconomy says what is wrong with the role, the workers and the spill.
func (b Binding) checkEconomy() error {
	if b.Role != RolePlain && b.Role != RoleCoordinator {
		return Errorf(CodeInvalid, "Unknown role %q; an agent is plain or a coordinator.", b.Role)
	}
	for i, tool := range b.Hands {
		if !slices.Contains(HandTools, tool) || slices.Contains(b.Hands[:i], tool) {
			return Errorf(CodeInvalid, "A coordinator can be allowed %s, each once; got %q.", strings.Join(HandTools, ", "), tool)
		}
	}
	if b.SpillOver != 0 && (b.SpillOver < MinSpillOver || b.SpillOver > MaxSpillOver) {
		return Errorf(CodeInvalid, "Output can be spilled over %d to %d characters, or never (0); got %d.", MinSpillOver, MaxSpillOver, b.SpillOver)
	}
	if len(b.Workers) > MaxWorkers {
		return Errorf(CodeInvalid, "An agent can have %d workers; got %d.", MaxWorkers, len(b.Workers))
	}
	for i, w := range b.Workers {
		if err := w.check(); err != nil {
			return err
		}
		if slices.ContainsFunc(b.Workers[:i], func(other Worker) bool { return other.Name == w.Name }) {
			return Errorf(CodeInvalid, "Two workers are named %q; give one of them another name.", w.Name)
		}
	}
	return nil
}

func (w Worker) check() error {
	plainName := func(r rune) bool { return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' }
	if w.Name == "" || len(w.Name) > MaxWorkerName || w.Name[0] == '-' || strings.ContainsFunc(w.Name, func(r rune) bool { return !plainName(r) }) {
		return Errorf(CodeInvalid, "A worker's name has 1 to %d of the characters a-z, 0-9 and -, and begins with none of the last; got %q.", MaxWorkerName, w.Name)
	}
	for _, text := range []struct {
		what, value string
		most        int
		lines       bool
	}{{"description", w.Description, MaxWorkerDescription, false}, {"prompt", w.Prompt, MaxWorkerPrompt, true}} {
		n := utf8.RuneCountInString(text.value)
		switch {
		case strings.TrimSpace(text.value) == "":
			return Errorf(CodeInvalid, "The worker %s needs a %s.", w.Name, text.what)
		case n > text.most:
			return Errorf(CodeInvalid, "The %s of the worker %s has %d characters; %d is the most.", text.what, w.Name, n, text.most)
		case !utf8.ValidString(text.value) || strings.ContainsFunc(text.value, func(r rune) bool {
			return unicode.IsControl(r) && (!text.lines || r != '\n' && r != '\t')
		}):
			return Errorf(CodeInvalid, "The %s of the worker %s has a control character in it; remove it.", text.what, w.Name)
		}
	}
	for i, tool := range w.Tools {
		if !slices.Contains(WorkerTools, tool) || slices.Contains(w.Tools[:i], tool) {
			return Errorf(CodeInvalid, "The worker %s can have the tools %s, each once; got %q.", w.Name, strings.Join(WorkerTools, ", "), tool)
		}
	}
	if len(w.Tools) == 0 {
		return Errorf(CodeInvalid, "The worker %s needs at least one tool.", w.Name)
	}
	if w.Model == "" || utf8.RuneCountInString(w.Model) > 200 || w.Model[0] == '-' || strings.ContainsFunc(w.Model, unicode.IsControl) {
		return Errorf(CodeInvalid, "The model of the worker %s is %q (the coordinator's own) or a model's name; got %q.", w.Name, ModelInherit, w.Model)
	}
	return nil
}
