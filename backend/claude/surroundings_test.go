package claude

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestEnvironment(t *testing.T) {
	base := []string{"PATH=/bin", "HEARTH_TOKEN=secret", "A=1", "HEARTHSTONE=kept", "CLAUDECODE=1", "B=2", "EMPTY=", "HEARTH_MARK=x/1"}
	got := Environment(base, map[string]string{"B": "3", "Z": "", "HEARTH_SPILL": "ours to give"})
	want := []string{"PATH=/bin", "A=1", "HEARTHSTONE=kept", "EMPTY=", "B=3", "HEARTH_SPILL=ours to give", "Z="}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// program writes a shell script.
func program(t *testing.T, path, body string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestLocate(t *testing.T) {
	const good = "echo '9.8.7 (Claude Code)'"
	bin, home, other := t.TempDir(), t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("PATH", bin+":/bin:/usr/bin")
	t.Setenv(PathVariable, "")
	places := []string{"/opt/homebrew/bin/claude", "/usr/local/bin/claude", "/usr/bin/claude", "/bin/claude"}
	if slices.ContainsFunc(places, func(p string) bool { _, err := os.Stat(p); return err == nil }) {
		t.Log("a Claude Code is installed on this machine; not finding any is not tried")
	} else if _, _, err := Locate(t.Context()); !errors.Is(err, ErrNotFound) {
		t.Errorf("nothing there: %v", err)
	}
	inHome := program(t, filepath.Join(home, ".local/bin/claude"), good)
	inPath := filepath.Join(bin, "claude")
	for body, want := range map[string]string{
		"":                          inHome, // nothing in PATH
		"exit 1":                    inHome, // a broken one hides nothing
		"echo 'something else 1.0'": inHome,
		good:                        inPath,
	} {
		if err := os.RemoveAll(inPath); err != nil {
			t.Fatal(err)
		}
		if body != "" {
			program(t, inPath, body)
		}
		if path, version, err := Locate(t.Context()); err != nil || path != want || version != "9.8.7" {
			t.Errorf("%q in PATH: %s, %s, %v", body, path, version, err)
		}
	}
	t.Setenv(PathVariable, filepath.Join(other, "nothing"))
	if _, _, err := Locate(t.Context()); err == nil || !strings.Contains(err.Error(), PathVariable) {
		t.Errorf("a named one that is not there: %v", err)
	}
	named := program(t, filepath.Join(other, "mine"), good)
	t.Setenv(PathVariable, named)
	if path, _, err := Locate(t.Context()); err != nil || path != named {
		t.Errorf("a named one: %s, %v", path, err)
	}
	program(t, named, "exit 3")
	if _, _, err := Locate(t.Context()); err == nil {
		t.Error("a named one that is broken was passed over in silence")
	}
}

func TestConfigDir(t *testing.T) {
	for want, env := range map[string][]string{
		"/home/a/.claude": {"HOME=/x", "HOME=/home/a", "XCLAUDE_CONFIG_DIR=/y"},
		"/c":              {"CLAUDE_CONFIG_DIR=/c", "HOME=/home/a"},
	} {
		if got := ConfigDir(env); got != want {
			t.Errorf("%q: %s", env, got)
		}
	}
}

func TestTranscriptPath(t *testing.T) {
	for dir, want := range map[string]string{
		"/nonexistent/a.b_c d":    "/c/projects/-nonexistent-a-b-c-d/n.jsonl",
		"/nonexistent/한글":         "/c/projects/-nonexistent---/n.jsonl",
		"/nonexistent/\U0001F600": "/c/projects/-nonexistent---/n.jsonl",
	} {
		if got := TranscriptPath("/c", dir, "n"); got != want {
			t.Errorf("%s: %s, want %s", dir, got, want)
		}
	}
	real, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	if TranscriptPath("/c", link, "n") != TranscriptPath("/c", real, "n") {
		t.Error("a link was not followed")
	}
}

func TestFindTranscript(t *testing.T) {
	config := t.TempDir()
	if _, err := FindTranscript(config, native); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no projects at all: %v", err)
	}
	write := func(project string, age time.Duration) string {
		path := filepath.Join(config, "projects", project, native+".jsonl")
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		when := time.Now().Add(-age)
		if err := os.Chtimes(path, when, when); err != nil {
			t.Fatal(err)
		}
		return path
	}
	old := write("-a", time.Hour)
	if got, err := FindTranscript(config, native); err != nil || got != old {
		t.Errorf("%s, %v", got, err)
	}
	newer := write("-b", time.Minute)
	write("-c", 2*time.Hour)
	if err := os.WriteFile(filepath.Join(config, "projects", "a file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := FindTranscript(config, native); err != nil || got != newer {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := FindTranscript(config, "99999999-2222-4333-8444-555555555555"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("another session: %v", err)
	}
	if _, err := FindTranscript(config, "../x"); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no id: %v", err)
	}
}
