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
	if named := variable(environ, PathVariable); named != "" {
		path, err := lookPath(named, environ)
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

// lookPath finds a program by its path, or by its name in the environment's PATH.
func lookPath(name string, environ []string) (string, error) {
	if strings.ContainsRune(name, filepath.Separator) {
		if !filepath.IsAbs(name) {
			return "", errRelative
		}
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

// variable is the value of an environment variable: the last one counts, as it does for a child process.
func variable(environ []string, name string) string {
	for _, entry := range slices.Backward(environ) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}
