package engine

import (
	"context"

	"hearth/backend/claude"
)

// locate finds Claude Code as the person's terminal would. A Hearth that was
// started from a menu has a short PATH of its own, and a client that needs Node
// does not run with it: so it looks with the environment of the login shell.
func (a *agents) locate(ctx context.Context) (path, version string, err error) {
	environ := a.environ(ctx)
	if a.options.Claude != "" {
		version, err = claude.Version(ctx, a.options.Claude, environ)
		return a.options.Claude, version, err
	}
	return claude.Locate(ctx, environ)
}
