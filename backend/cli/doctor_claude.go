package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"hearth/backend/api"
	"hearth/backend/claude"
	"hearth/backend/engine"
)

// checkClaude says whether Claude Code is here, which one it is, and whether it
// is signed in. It is not required: without it, agents can be the stand-in.
func (a *app) checkClaude(ctx context.Context) []finding {
	f := finding{Name: "claude", Fix: getClaude + "; until then, agents can be the stand-in, which has no model"}
	path, version, err := a.locate(ctx)
	if err != nil {
		f.Detail = short(err.Error(), 400)
		if errors.Is(err, claude.ErrNotFound) && !strings.Contains(err.Error(), "\n") {
			f.Detail = "not found" // and none that was found and won't do
		}
		if a.env(claude.PathVariable) != "" {
			f.Fix = "correct " + claude.PathVariable + ", or unset it to use the claude on the PATH"
		}
		return []finding{f}
	}
	f.OK, f.Fix, f.Detail = true, "", fmt.Sprintf("%s (%s)", path, version)
	return []finding{f, a.checkSignedIn(ctx, path)}
}

// checkSignedIn asks the client itself. It is not required: an agent with a base
// URL and a token of its own needs no account.
func (a *app) checkSignedIn(ctx context.Context, path string) finding {
	f := finding{Name: "signed in", Fix: "run `claude` once and sign in; agents with a base URL and a token of their own don't need it"}
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	switch account := engine.AccountOf(ctx, path, a.environ()); account.State {
	case api.SignedInYes:
		f.OK, f.Detail, f.Fix = true, "by "+short(account.By, 40), ""
	case api.SignedInNo:
		f.Detail = account.Why
	default:
		f.Detail, f.Fix = short(account.Why, 200), "run `claude` and see whether it asks you to sign in"
	}
	return f
}
