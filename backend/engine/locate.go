package engine

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"hearth/backend/claude"
)

// versionWithin is how long `claude --version` may take: 50 ms, and seconds when
// the disk is cold.
const versionWithin = 20 * time.Second

// locate finds Claude Code as the person's terminal would. A Hearth that was
// started from a menu has a short PATH of its own, and a client that needs Node
// does not run with it: then it looks with the PATH of the login shell.
func (a *agents) locate(ctx context.Context) (path, version string, err error) {
	if a.options.Claude != "" {
		version, err = versionIn(ctx, a.options.Claude, a.environ(ctx))
		return a.options.Claude, version, err
	}
	path, version, err = claude.Locate(ctx)
	if err == nil || !errors.Is(err, claude.ErrNotFound) {
		return path, version, err
	}
	if path, version, ok := locateIn(ctx, a.environ(ctx)); ok {
		return path, version, nil
	}
	return "", "", err
}

// locateIn looks for the client in an environment: at the variable that names it,
// then in PATH.
func locateIn(ctx context.Context, environ []string) (path, version string, ok bool) {
	var candidates []string
	if named := value(environ, claude.PathVariable); named != "" {
		candidates = append(candidates, named)
	}
	for _, dir := range filepath.SplitList(value(environ, "PATH")) {
		candidates = append(candidates, filepath.Join(dir, "claude"))
	}
	for _, candidate := range candidates {
		if !filepath.IsAbs(candidate) {
			continue // what that is depends on where one stands
		}
		found, err := exec.LookPath(candidate)
		if err != nil {
			continue
		}
		if version, err := versionIn(ctx, found, environ); err == nil {
			return found, version, true
		}
	}
	return "", "", false
}

// versionIn runs `path --version`, which says "2.1.332 (Claude Code)".
func versionIn(ctx context.Context, path string, environ []string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, versionWithin)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.Env = environ
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s --version: %w", path, err)
	}
	version, what, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	if version == "" || !strings.Contains(what, "Claude Code") {
		return "", fmt.Errorf("%s --version: it is no Claude Code: %.80q", path, out)
	}
	return version, nil
}
