package claude

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
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
