package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"hearth/backend/claude"
)

// checkClaude says whether Claude Code is here, which one it is, and whether it
// is signed in.
func (a *app) checkClaude(ctx context.Context) []finding {
	f := finding{Name: "claude", Required: true, Fix: getClaude}
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

// credentials are the variables that sign Claude Code in by themselves.
var credentials = []string{
	"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN",
	"CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY",
}

// checkSignedIn asks the client itself. It is not required: an agent with a base
// URL and a token of its own needs no account.
//
// A client that was never started writes its first settings when it is asked, so
// that one is not asked: it can't be signed in but by a variable.
func (a *app) checkSignedIn(ctx context.Context, path string) finding {
	f := finding{Name: "signed in", Fix: "run `claude` once and sign in; agents with a base URL and a token of their own don't need it"}
	for _, name := range credentials {
		if a.env(name) != "" {
			f.OK, f.Fix, f.Detail = true, "", "by "+name
			return f
		}
	}
	settings := a.env("CLAUDE_CONFIG_DIR")
	if settings == "" {
		settings = a.env("HOME")
	}
	if _, err := os.Stat(filepath.Join(settings, ".claude.json")); err != nil {
		f.Detail = "Claude Code was never started here"
		return f
	}
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "auth", "status", "--json")
	cmd.Dir = os.TempDir()
	out, err := cmd.Output() // it fails when nobody is signed in, and says so all the same
	var said struct {
		LoggedIn *bool  `json:"loggedIn"`
		Method   string `json:"authMethod"`
	}
	if unread := json.Unmarshal(out, &said); unread != nil || said.LoggedIn == nil {
		f.Detail = "Claude Code does not say: " + short(fmt.Sprint(errors.Join(err, unread)), 200)
		f.Fix = "run `claude` and see whether it asks you to sign in"
		return f
	}
	if f.OK = *said.LoggedIn; f.OK {
		f.Detail, f.Fix = "by "+short(said.Method, 40), ""
	} else {
		f.Detail = "no"
	}
	return f
}
