package engine

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hearth/backend/chat"
	"hearth/backend/pty"
)

// environOf returns the environment of a person whose Hearth has the given one.
func environOf(t *testing.T, own []string) func(context.Context) []string {
	p := personsEnvironment(own, "test/", func(context.Context) {})
	t.Cleanup(p.close)
	return p.environ
}

func TestAHearthFromAMenuAsksTheLoginShell(t *testing.T) {
	shell := filepath.Join(t.TempDir(), "shell")
	script := "#!/bin/sh\necho 'Welcome, PATH=/nowhere'\nexport FROM_PROFILE='두 줄\nlong' COUNT=$((COUNT+1))\nshift; exec /bin/sh \"$@\"\n"
	if err := os.WriteFile(shell, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	ask := environOf(t, []string{"SHELL=" + shell, "PATH=" + os.Getenv("PATH"), "HOME=/home/x"})
	gone, cancel := context.WithCancel(context.Background())
	cancel() // whoever asked first has gone already; the answer is everybody's
	ask(gone)
	got := ask(context.Background())
	for _, want := range []string{"FROM_PROFILE=두 줄\nlong", "HOME=/home/x", "COUNT=1"} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
	if pty.Variable(got, "PATH") != os.Getenv("PATH") {
		t.Errorf("what the profile printed became the PATH: %q", pty.Variable(got, "PATH"))
	}

	if has(got, pty.MarkVariable) {
		t.Errorf("the mark of what was asked is in %q", got)
	}

	own := []string{"SHLVL=1", "SHELL=" + shell, "VENV=here"}
	if got := environOf(t, own)(context.Background()); !slices.Equal(got, own) {
		t.Errorf("a Hearth from a terminal has its own environment, got %q", got)
	}
	broken := []string{"SHELL=/nonexistent", "A=1"}
	if got := environOf(t, broken)(context.Background()); !slices.Equal(got, broken) {
		t.Errorf("without a login shell its own is better than none, got %q", got)
	}
}

func TestABindingsEnvironment(t *testing.T) {
	persons := []string{"PATH=/bin", "ANTHROPIC_API_KEY=the-persons", "ANTHROPIC_AUTH_TOKEN=the-persons", "HEARTH_DATA_DIR=/secret"}
	cases := map[string]struct {
		binding chat.Binding
		want    []string
		not     []string
	}{
		"the person's own account": {chat.Binding{}, []string{"PATH=/bin", "ANTHROPIC_API_KEY=the-persons"}, []string{"HEARTH_"}},
		"another API never gets the person's key": {
			chat.Binding{BaseURL: "http://localhost:11434"}, []string{"ANTHROPIC_BASE_URL=http://localhost:11434"}, []string{"the-persons"},
		},
		"with its own token": {
			chat.Binding{BaseURL: "https://gateway.example.org", Token: "t0ken"}, []string{"ANTHROPIC_AUTH_TOKEN=t0ken"}, []string{"the-persons"},
		},
		"a token alone": {chat.Binding{Token: "t0ken"}, []string{"ANTHROPIC_AUTH_TOKEN=t0ken"}, []string{"the-persons"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := environment(persons, c.binding, nil)
			for _, want := range c.want {
				if !slices.Contains(got, want) {
					t.Errorf("%q is not in %q", want, got)
				}
			}
			for _, not := range c.not {
				if strings.Contains(strings.Join(got, "\n"), not) {
					t.Errorf("%q is in %q", not, got)
				}
			}
		})
	}
}

func TestRulesAreOfferedNarrowestFirst(t *testing.T) {
	got := offered([]byte(`[
		{"type":"addRules","behavior":"allow","rules":[{"toolName":"Bash"},{"toolName":"Bash","ruleContent":"npm run test:*"}]},
		{"type":"addRules","behavior":"deny","rules":[{"toolName":"Write"}]},
		{"type":"setMode","mode":"acceptEdits"},
		{"type":"addRules","behavior":"allow","rules":[{"toolName":"Bash","ruleContent":"npm:*"}]}]`))
	if want := []string{"Bash(npm run test:*)", "Bash(npm:*)", "Bash"}; !slices.Equal(got, want) {
		t.Errorf("offered %q, want %q", got, want)
	}
	for _, bad := range []string{"", "null", "{", `[{"type":1}]`} {
		if got := offered([]byte(bad)); len(got) != 0 {
			t.Errorf("offered(%q) = %q", bad, got)
		}
	}
	for rule, want := range map[string]string{
		"Bash":              `{"toolName":"Bash"}`,
		"Bash(touch (x)):*": `"toolName":"Bash(touch (x)):*"`,
		"Bash(echo (x))":    `{"toolName":"Bash","ruleContent":"echo (x)"}`,
	} {
		if got := string(ruleForSession(rule)); !strings.Contains(got, want) {
			t.Errorf("ruleForSession(%q) = %s", rule, got)
		}
	}
}
