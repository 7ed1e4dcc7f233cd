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
	} else if _, _, err := Locate(t.Context(), os.Environ()); !errors.Is(err, ErrNotFound) {
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
		if path, version, err := Locate(t.Context(), os.Environ()); err != nil || path != want || version != "9.8.7" {
			t.Errorf("%q in PATH: %s, %s, %v", body, path, version, err)
		}
	}
	t.Setenv(PathVariable, filepath.Join(other, "nothing"))
	if _, _, err := Locate(t.Context(), os.Environ()); err == nil || !strings.Contains(err.Error(), PathVariable) {
		t.Errorf("a named one that is not there: %v", err)
	}
	named := program(t, filepath.Join(other, "mine"), good)
	t.Setenv(PathVariable, named)
	if path, _, err := Locate(t.Context(), os.Environ()); err != nil || path != named {
		t.Errorf("a named one: %s, %v", path, err)
	}
	program(t, named, "exit 3")
	if _, _, err := Locate(t.Context(), os.Environ()); err == nil {
		t.Error("a named one that is broken was passed over in silence")
	}
}

// What counts is the environment that was given: the login shell's, for a Hearth
// that was started from a menu.
func TestLocateInAnotherEnvironment(t *testing.T) {
	good := program(t, filepath.Join(t.TempDir(), "claude"), "echo '9.8.7 (Claude Code)'")
	broken := program(t, filepath.Join(t.TempDir(), "claude"), "exit 1")
	needy := program(t, filepath.Join(t.TempDir(), "claude"), `[ "$NODE" = here ] && echo '9.8.7 (Claude Code)'`)
	t.Setenv("PATH", "/nonexistent")
	t.Chdir(filepath.Dir(good))
	for name, c := range map[string]struct {
		environ []string
		want    string
	}{
		"on the PATH":           {[]string{"PATH=/nonexistent:" + filepath.Dir(good)}, good},
		"behind a broken one":   {[]string{"PATH=" + filepath.Dir(broken) + ":" + filepath.Dir(good)}, good},
		"by name":               {[]string{"PATH=/nonexistent", PathVariable + "=" + good}, good},
		"by its name in PATH":   {[]string{"PATH=" + filepath.Dir(good), PathVariable + "=claude"}, good},
		"where one stands":      {[]string{"PATH=.::", PathVariable + "=claude"}, ""},
		"what it needs is here": {[]string{"PATH=" + filepath.Dir(needy), "NODE=here"}, needy},
		"the last one counts":   {[]string{PathVariable + "=" + broken, PathVariable + "=" + good}, good},
	} {
		path, version, err := Locate(t.Context(), append(c.environ, "HOME=/nonexistent"))
		if path != c.want || (err == nil) != (c.want != "") || err == nil && version != "9.8.7" {
			t.Errorf("%s: %q %q %v", name, path, version, err)
		}
	}
}
