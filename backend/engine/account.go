package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"hearth/backend/api"
	"hearth/backend/pty"
)

// accountWithin is how long the client may take to say whether it is signed in.
// It takes 0.7 s.
const accountWithin = 10 * time.Second

// Account is what is known of the client's own account or key.
type Account struct {
	State api.SignedIn
	By    string // how it is signed in, such as claude.ai or a variable's name
	Why   string // why it is not, or why nobody knows
}

// credentials are the variables that sign the client in by themselves.
var credentials = []string{
	"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN",
	"CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY",
}

// AccountOf asks the client at a path whether it is signed in, in an environment,
// without starting a turn. Whether the account or the key is any good, only a
// turn shows.
//
// A client that was never started writes its first settings when it is asked, so
// that one is not asked: it can't be signed in but by a variable.
func AccountOf(ctx context.Context, path string, environ []string) Account {
	for _, name := range credentials {
		if pty.Variable(environ, name) != "" {
			return Account{State: api.SignedInYes, By: name}
		}
	}
	if neverStarted(environ) {
		return Account{State: api.SignedInNo, Why: "Claude Code was never started here"}
	}
	out, err := pty.Probe{
		Path: path, Args: []string{"auth", "status", "--json"}, Within: accountWithin,
		Dir: os.TempDir(), // no project's settings
		Env: slices.Concat(environ, []string{"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1"}),
	}.Run(ctx) // it fails when nobody is signed in, and says so all the same
	var said struct {
		LoggedIn *bool  `json:"loggedIn"`
		Method   string `json:"authMethod"`
	}
	unread := json.Unmarshal(out, &said)
	switch {
	case unread != nil || said.LoggedIn == nil:
		return Account{State: api.SignedInUnknown, Why: "Claude Code does not say: " + fmt.Sprint(errors.Join(err, unread))}
	case *said.LoggedIn:
		return Account{State: api.SignedInYes, By: said.Method}
	}
	return Account{State: api.SignedInNo, Why: "no"}
}

// neverStarted says whether the client has left nothing in its folder: neither
// its own file nor anything that signs it in.
func neverStarted(environ []string) bool {
	home := pty.Variable(environ, "HOME")
	places := []string{filepath.Join(home, ".claude.json"), filepath.Join(home, ".claude", ".credentials.json"), filepath.Join(home, ".claude", "settings.json")}
	if dir := pty.Variable(environ, "CLAUDE_CONFIG_DIR"); dir != "" {
		places = []string{filepath.Join(dir, ".claude.json"), filepath.Join(dir, ".credentials.json"), filepath.Join(dir, "settings.json")}
	}
	for _, place := range places {
		if _, err := os.Stat(place); err == nil {
			return false
		}
	}
	return true
}
