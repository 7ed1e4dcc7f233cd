package claude

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// PathVariable names the client to use instead of the one that would be found.
const PathVariable = "HEARTH_CLAUDE"

// versionBound is how long `claude --version` may take. It takes 50 ms, and seconds when the disk is cold.
const versionBound = 20 * time.Second

// ErrNotFound says that no client was found.
var ErrNotFound = errors.New("no Claude Code found; install it (https://claude.com/claude-code) or name it in " + PathVariable)

// Locate finds the client and asks for its version, like "2.1.332". It looks at PathVariable (what that names must work;
// nothing else is taken instead), then in PATH, then where the installers put it. An app started from the desktop has a
// short PATH, so the usual places matter.
func Locate(ctx context.Context) (path, version string, err error) {
	if named := os.Getenv(PathVariable); named != "" {
		path, err := exec.LookPath(named)
		if err != nil {
			return "", "", fmt.Errorf("locate Claude Code by %s: %w", PathVariable, err)
		}
		version, err := versionOf(ctx, path)
		if err != nil {
			return "", "", fmt.Errorf("locate Claude Code by %s: %w", PathVariable, err)
		}
		return path, version, nil
	}
	var errs []error
	for _, candidate := range candidates() {
		path, err := exec.LookPath(candidate)
		if err != nil {
			continue
		}
		version, err := versionOf(ctx, path)
		if err == nil {
			return path, version, nil
		}
		errs = append(errs, err) // a broken link of an old installation must not hide a good one
	}
	return "", "", fmt.Errorf("locate Claude Code: %w", errors.Join(append(errs, ErrNotFound)...))
}

func candidates() []string {
	places := []string{"claude"} // in PATH
	if home, err := os.UserHomeDir(); err == nil {
		for _, p := range []string{
			".local/bin/claude", ".claude/local/claude", ".claude/local/node_modules/.bin/claude", ".npm-global/bin/claude",
			".bun/bin/claude", ".volta/bin/claude", "bin/claude",
		} {
			places = append(places, filepath.Join(home, filepath.FromSlash(p)))
		}
	}
	return append(places, "/opt/homebrew/bin/claude", "/usr/local/bin/claude", "/usr/bin/claude", "/home/linuxbrew/.linuxbrew/bin/claude")
}

// versionOf runs `path --version`, which says "2.1.332 (Claude Code)".
func versionOf(ctx context.Context, path string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, versionBound)
	defer cancel()
	c := exec.CommandContext(ctx, path, "--version")
	c.WaitDelay = time.Second
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%s --version: %w", path, err)
	}
	version, what, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	if version == "" || !strings.Contains(what, "Claude Code") {
		return "", fmt.Errorf("%s --version: it is no Claude Code: %.80q", path, out)
	}
	return version, nil
}
