package claude

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// PathVariable names the client to use instead of the one that would be found.
const PathVariable = "HEARTH_CLAUDE"

// versionBound is how long `claude --version` may take. It takes 50 ms, and seconds when the disk is cold.
const versionBound = 20 * time.Second

// ErrNotFound says that no client was found.
var ErrNotFound = errors.New("no Claude Code found; install it (https://claude.com/claude-code) or name it in " + PathVariable)

// Locate finds the client as a terminal with this environment would, and asks for its version, like "2.1.332". It looks at
// PathVariable (what that names must work; nothing else is taken instead), then in PATH, then where the installers put it.
func Locate(ctx context.Context, environ []string) (path, version string, err error) {
	if named := variable(environ, PathVariable); named != "" {
		path, err := lookPath(named, environ)
		if err == nil {
			version, err = Version(ctx, path, environ)
		}
		if err != nil {
			return "", "", fmt.Errorf("locate Claude Code by %s: %w", PathVariable, err)
		}
		return path, version, nil
	}
	var errs []error
	for _, candidate := range candidates(environ) {
		path, err := exec.LookPath(candidate)
		if err != nil {
			continue
		}
		version, err := Version(ctx, path, environ)
		if err == nil {
			return path, version, nil
		}
		errs = append(errs, err) // a broken link of an old installation must not hide a good one
	}
	return "", "", fmt.Errorf("locate Claude Code: %w", errors.Join(append(errs, ErrNotFound)...))
}

// lookPath finds a program by its path, or by its name in the environment's PATH.
func lookPath(name string, environ []string) (string, error) {
	if strings.ContainsRune(name, filepath.Separator) {
		return exec.LookPath(name)
	}
	for _, candidate := range inPath(name, environ) {
		if path, err := exec.LookPath(candidate); err == nil {
			return path, nil
		}
	}
	return "", &exec.Error{Name: name, Err: exec.ErrNotFound}
}

// inPath lists where in PATH a program could be. Relative folders are passed by: what they are depends on where one stands.
func inPath(name string, environ []string) []string {
	var places []string
	for _, dir := range filepath.SplitList(variable(environ, "PATH")) {
		if filepath.IsAbs(dir) {
			places = append(places, filepath.Join(dir, name))
		}
	}
	return places
}

func candidates(environ []string) []string {
	places := inPath("claude", environ)
	if home := variable(environ, "HOME"); home != "" {
		for _, p := range []string{
			".local/bin/claude", ".claude/local/claude", ".claude/local/node_modules/.bin/claude", ".npm-global/bin/claude",
			".bun/bin/claude", ".volta/bin/claude", "bin/claude",
		} {
			places = append(places, filepath.Join(home, filepath.FromSlash(p)))
		}
	}
	return append(places, "/opt/homebrew/bin/claude", "/usr/local/bin/claude", "/usr/bin/claude", "/home/linuxbrew/.linuxbrew/bin/claude")
}

// Version runs `path --version`, which says "2.1.332 (Claude Code)", and answers with the number. A client that needs Node
// finds it in the environment's PATH.
func Version(ctx context.Context, path string, environ []string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, versionBound)
	defer cancel()
	c := exec.CommandContext(ctx, path, "--version")
	c.Env = environ
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

// variable is the value of an environment variable: the last one counts, as it does for a child process.
func variable(environ []string, name string) string {
	for _, entry := range slices.Backward(environ) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}
