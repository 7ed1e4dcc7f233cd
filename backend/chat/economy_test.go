package chat

import (
	"strings"
	"testing"
)

func bound(change func(*Binding)) Binding {
	b := Binding{
		Handle: "claude", Runtime: RuntimeClaude, Role: RoleCoordinator, Glance: true, Hands: []string{"Grep"},
		Workers: DefaultWorkers(), SpillOver: DefaultSpillOver,
	}
	change(&b)
	return b
}

func TestEconomyThatIsRight(t *testing.T) {
	for name, b := range map[string]Binding{
		"as it comes":   bound(func(*Binding) {}),
		"plain":         bound(func(b *Binding) { b.Role = RolePlain }),
		"no workers":    bound(func(b *Binding) { b.Workers = nil }),
		"never spilled": bound(func(b *Binding) { b.SpillOver = 0 }),
		"all hands":     bound(func(b *Binding) { b.Hands = HandTools }),
		"as much as there is": bound(func(b *Binding) {
			w := &b.Workers[0]
			w.Name, w.Description = strings.Repeat("a", MaxWorkerName), strings.Repeat("말", MaxWorkerDescription)
			w.Prompt, w.Tools, w.Model = strings.Repeat("\n말", MaxWorkerPrompt/2), WorkerTools, "opus"
		}),
	} {
		if err := b.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestEconomyThatIsWrongSaysWhy(t *testing.T) {
	worker := func(change func(*Worker)) Binding {
		return bound(func(b *Binding) { change(&b.Workers[1]) })
	}
	for want, b := range map[string]Binding{
		"Unknown role":                bound(func(b *Binding) { b.Role = "boss" }),
		"got \"Bash\"":                bound(func(b *Binding) { b.Hands = []string{"Bash"} }),
		"each once; got \"Grep\"":     bound(func(b *Binding) { b.Hands = []string{"Grep", "Grep"} }),
		"or never (0); got 999":       bound(func(b *Binding) { b.SpillOver = MinSpillOver - 1 }),
		"or never (0); got -1":        bound(func(b *Binding) { b.SpillOver = -1 }),
		"or never (0); got 1000001":   bound(func(b *Binding) { b.SpillOver = MaxSpillOver + 1 }),
		"can have 12 workers; got 13": bound(func(b *Binding) { b.Workers = make([]Worker, MaxWorkers+1) }),
		"Two workers are named":       worker(func(w *Worker) { w.Name = "explorer" }),
		"begins with none":            worker(func(w *Worker) { w.Name = "-x" }),
		"got \"Tester\"":              worker(func(w *Worker) { w.Name = "Tester" }),
		"got \"\"":                    worker(func(w *Worker) { w.Name = "" }),
		"needs a description":         worker(func(w *Worker) { w.Description = " " }),
		"description of the worker implementer has a control": worker(func(w *Worker) { w.Description = "a\nb" }),
		"has 501 characters; 500 is the most":                 worker(func(w *Worker) { w.Description = strings.Repeat("말", 501) }),
		"needs a prompt":                                      worker(func(w *Worker) { w.Prompt = "" }),
		"prompt of the worker implementer has a control":      worker(func(w *Worker) { w.Prompt = "a\x00" }),
		"has 4001 characters; 4000 is the most":               worker(func(w *Worker) { w.Prompt = strings.Repeat("말", 4001) }),
		"needs at least one tool":                             worker(func(w *Worker) { w.Tools = nil }),
		"each once; got \"Agent\"":                            worker(func(w *Worker) { w.Tools = []string{"Read", "Agent"} }),
		"The model of the worker implementer":                 worker(func(w *Worker) { w.Model = "--flag" }),
	} {
		err := b.Check()
		if CodeOf(err) != CodeInvalid || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func TestIsolatedIsACoordinatorsAffair(t *testing.T) {
	isolated := func(b *Binding) { b.Workers[2].Isolated = true }
	if bound(func(*Binding) {}).Isolated() {
		t.Error("no worker is isolated")
	}
	b := bound(isolated)
	if !b.Isolated() {
		t.Error("a worker is")
	}
	b.Role = RolePlain
	if b.Isolated() {
		t.Error("a plain agent has no workers")
	}
	if DefaultWorkers()[2].Isolated {
		t.Error("the defaults were changed")
	}
}

func TestWhatGitIgnoresIsChecked(t *testing.T) {
	c := Channel{Name: "a", Workspace: "/w"}
	for _, ignore := range []Ignore{IgnoreAll, IgnoreOutput, IgnoreNothing} {
		if c.Ignore = ignore; c.Check() != nil {
			t.Errorf("%q: %v", ignore, c.Check())
		}
	}
	if c.Ignore = "some"; CodeOf(c.Check()) != CodeInvalid {
		t.Errorf("got %v", c.Check())
	}
}
