package claude

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"hearth/backend/pty"
)

// PathVariable names the client to use instead of the one that would be found.
const PathVariable = "HEARTH_CLAUDE"

// versionBound is how long `claude --version` may take. It takes 50 ms, and seconds when the disk is cold.
const versionBound = 20 * time.Second

// ErrNotFound says that no client was found.
var ErrNotFound = errors.New("no Claude Code found; install it (https://claude.com/claude-code) or name it in " + PathVariable)

// A NamedError says that PathVariable names something that is no client that runs.
type NamedError struct {
	Name string // what it names
	Err  error  // why that is none
}

func (e *NamedError) Error() string {
	return fmt.Sprintf("%s names %s, which is no Claude Code that runs: %v", PathVariable, e.Name, e.Err)
}

// Unwrap returns the cause.
func (e *NamedError) Unwrap() error { return e.Err }

// errRelative says that a path means another thing in each folder: agents start in their workspaces.
var errRelative = errors.New("it is a relative path; give the whole path")

// Locate finds the client as a terminal with this environment would, and asks for its version, like "2.1.332". It looks at
// PathVariable (what that names must work; nothing else is taken instead: the error is a *NamedError), then in PATH, then
// where the installers put it. Each client that is found may take 20 seconds; bound ctx.
func Locate(ctx context.Context, environ []string) (path, version string, err error) {
	if named := pty.Variable(environ, PathVariable); named != "" {
		path, err := pty.LookPath(named, environ)
		if err != nil && strings.ContainsRune(named, filepath.Separator) && !filepath.IsAbs(named) {
			err = errRelative
		}
		if err == nil {
			version, err = Version(ctx, path, environ)
		}
		if unfound, ok := errors.AsType[*exec.Error](err); ok {
			err = unfound.Err // the error names it already
		}
		if err != nil {
			return "", "", &NamedError{Name: named, Err: err}
		}
		return path, version, nil
	}
	var errs []error
	for _, candidate := range candidates(environ) {
		path, err := exec.LookPath(candidate)
		if err != nil {
			continue
		}
		if ctx.Err() != nil {
			errs = append(errs, context.Cause(ctx))
			break
		}
		version, err := Version(ctx, path, environ)
		if err == nil {
			return path, version, nil
		}
		errs = append(errs, err) // a broken link of an old installation must not hide a good one
	}
	return "", "", fmt.Errorf("locate Claude Code: %w", errors.Join(append(errs, ErrNotFound)...))
}

func candidates(environ []string) []string {
	places := pty.InPath("claude", environ)
	if home := pty.Variable(environ, "HOME"); home != "" {
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
	out, err := pty.Probe{Path: path, Args: []string{"--version"}, Env: environ, Within: versionBound}.Run(ctx)
	if err != nil {
		return "", fmt.Errorf("%s --version: %w", path, err)
	}
	version, what, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	if version == "" || !strings.Contains(what, "Claude Code") {
		return "", fmt.Errorf("%s --version: it is no Claude Code: %.80q", path, out)
	}
	return version, nil
}
