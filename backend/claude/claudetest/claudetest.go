// Package claudetest finds the real Claude Code for the end-to-end tests: the
// program that HEARTH_TEST_CLAUDE names, else what `make claude` fetched into the
// cache. A test that finds none fails, and says how to get one. Only tests import
// it.
package claudetest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Variable names the program to test with, in the place of those in the cache.
const Variable = "HEARTH_TEST_CLAUDE"

// Client returns the path of the client that tests are about: the one that is
// named, else the pinned one.
func Client(t testing.TB) string {
	t.Helper()
	path, err := find(".")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Clients returns the paths of all clients there are, by version: the one that is
// named, else every one in the cache. The pinned one is among those.
func Clients(t testing.TB) map[string]string {
	t.Helper()
	all, err := findAll(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// find is Client for a test that runs in a folder of the clone.
func find(folder string) (string, error) {
	if path := os.Getenv(Variable); path != "" {
		return path, nil
	}
	cached, pinned, err := inCache(folder)
	return cached[pinned], err
}

// findAll is Clients for a test that runs in a folder of the clone.
func findAll(ctx context.Context, folder string) (map[string]string, error) {
	path := os.Getenv(Variable)
	if path == "" {
		cached, _, err := inCache(folder)
		return cached, err
	}
	out, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return nil, fmt.Errorf("ask %s for its version: %w", path, err)
	}
	version, _, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	return map[string]string{version: path}, nil
}

// inCache returns what is in the cache, by version, and the version that has to
// be there. The folders are those of build/claude.
func inCache(folder string) (cached map[string]string, pinned string, err error) {
	pinned, err = pinnedVersion(folder)
	if err != nil {
		return nil, "", err
	}
	cache := os.Getenv("XDG_CACHE_HOME")
	if cache == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return nil, "", fmt.Errorf("find the cache: %w", err)
		}
		cache = filepath.Join(home, ".cache")
	}
	root := filepath.Join(cache, "hearth", "claude")
	paths, err := filepath.Glob(filepath.Join(root, "*", "node_modules", "@anthropic-ai", "claude-code-*", "claude"))
	if err != nil {
		return nil, "", fmt.Errorf("look into %s: %w", root, err)
	}
	cached = map[string]string{}
	for _, path := range paths {
		rest, err := filepath.Rel(root, path)
		if err != nil {
			return nil, "", fmt.Errorf("look into %s: %w", root, err)
		}
		version, _, _ := strings.Cut(rest, string(filepath.Separator))
		cached[version] = path
	}
	if cached[pinned] == "" {
		return nil, "", fmt.Errorf("no Claude Code %s in %s: run `make claude`, or name a program in %s", pinned, root, Variable)
	}
	return cached, pinned, nil
}

// pinnedVersion reads the version that build/versions says, in the clone that
// folder belongs to.
func pinnedVersion(folder string) (string, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return "", fmt.Errorf("find build/versions: %w", err)
	}
	for dir := folder; ; dir = filepath.Dir(dir) {
		text, err := os.ReadFile(filepath.Join(dir, "build", "versions"))
		if err == nil {
			for line := range strings.Lines(string(text)) {
				if version, ok := strings.CutPrefix(line, "CLAUDE_VERSION="); ok {
					return strings.TrimSpace(version), nil
				}
			}
			return "", fmt.Errorf("%s/build/versions has no CLAUDE_VERSION", dir)
		}
		if !os.IsNotExist(err) || dir == filepath.Dir(dir) {
			return "", fmt.Errorf("find build/versions above %s: %w", folder, err)
		}
	}
}
