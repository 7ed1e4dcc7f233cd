package claudetest

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// write makes a file and the folders it is in.
func write(t *testing.T, text string, path ...string) string {
	t.Helper()
	name := filepath.Join(path...)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestClientsOfTheCache(t *testing.T) {
	clone, cache := t.TempDir(), t.TempDir()
	write(t, "# versions\nGO_VERSION=1\nCLAUDE_VERSION=2.0.1\n", clone, "build", "versions")
	folder := filepath.Dir(write(t, "", clone, "backend", "claude", "x_test.go"))
	t.Setenv(Variable, "")
	t.Setenv("XDG_CACHE_HOME", cache)
	newer := write(t, "", cache, "hearth/claude/2.0.2/node_modules/@anthropic-ai/claude-code-linux-x64/claude")
	if _, err := find(folder); err == nil || !strings.Contains(err.Error(), "make claude") || !strings.Contains(err.Error(), "2.0.1") {
		t.Errorf("without the pinned one: %v", err)
	}
	if _, err := findAll(t.Context(), folder); err == nil {
		t.Error("without the pinned one, another is good enough")
	}
	pinned := write(t, "", cache, "hearth/claude/2.0.1/node_modules/@anthropic-ai/claude-code-linux-x64/claude")
	write(t, "", cache, "hearth/claude/.part.x/node_modules/@anthropic-ai/claude-code-linux-x64/other")
	if path, err := find(folder); err != nil || path != pinned {
		t.Errorf("%q, %v", path, err)
	}
	all, err := findAll(t.Context(), folder)
	if want := map[string]string{"2.0.1": pinned, "2.0.2": newer}; err != nil || !maps.Equal(all, want) {
		t.Errorf("%v, %v", all, err)
	}
}

func TestAClientThatIsNamed(t *testing.T) {
	named := write(t, "#!/bin/sh\necho '9.8.7 (Claude Code)'\n", t.TempDir(), "claude")
	t.Setenv(Variable, named)
	if path := Client(t); path != named {
		t.Errorf("%q", path)
	}
	if all := Clients(t); !slices.Equal(slices.Collect(maps.Keys(all)), []string{"9.8.7"}) || all["9.8.7"] != named {
		t.Errorf("%v", all)
	}
	t.Setenv(Variable, filepath.Join(t.TempDir(), "nothing"))
	if _, err := findAll(t.Context(), "."); err == nil {
		t.Error("one that is not there has a version")
	}
}

func TestThePinnedVersionIsThatOfTheBuild(t *testing.T) {
	version, err := pinnedVersion(".")
	if err != nil || strings.Count(version, ".") != 2 {
		t.Errorf("%q, %v", version, err)
	}
	if _, err := pinnedVersion(t.TempDir()); err == nil {
		t.Error("there is a version outside of any clone")
	}
}
