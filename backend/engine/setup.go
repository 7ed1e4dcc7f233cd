package engine

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"hearth/backend/api"
	"hearth/backend/plain"
	"hearth/backend/pty"
)

const (
	// setupFor is how long what was found counts: a page may ask at every click,
	// and a person who has just signed in should not have to wait.
	setupFor = 5 * time.Second
	// setupPatience is how long a caller waits for a look, which takes a second.
	setupPatience = 5 * time.Second
	// setupWithin bounds a look: a login shell, a version, a question.
	setupWithin = 60 * time.Second
	// maxReason is how many characters of a foreign reason are quoted.
	maxReason = 200
)

// install is what gets the client.
const install = "npm install -g @anthropic-ai/claude-code"

// How to get Claude Code, and how to sign it in.
const (
	howToInstall = "Install it with `" + install + "` (or as https://claude.com/claude-code says), and run `claude` once in a terminal to sign in."
	howToSignIn  = "Run `claude` once in a terminal and sign in there. Then retry what failed."
)

// setup knows how Claude Code is on this machine.
type setup struct {
	agents *agents
	states *look[api.ClaudeState]
}

var _ api.Setup = (*setup)(nil)

func newSetup(a *agents, now func() time.Time) *setup {
	return &setup{agents: a, states: &look[api.ClaudeState]{find: a.claudeState, within: setupWithin, now: now}}
}

// FirstChannel returns the id of the channel that the first start made, if it is
// there.
func (s *setup) FirstChannel(ctx context.Context) (string, error) {
	return s.agents.store.FirstChannel(ctx)
}

// Claude says how Claude Code is here, by a look that is some seconds old at most.
// When a look takes long, it says what the last one found.
func (s *setup) Claude(ctx context.Context) api.ClaudeState {
	patient, cancel := context.WithTimeout(ctx, setupPatience)
	defer cancel()
	known := s.states.await(patient, setupFor)
	if known.none() {
		return api.ClaudeState{
			SignedIn: api.SignedInUnknown, Problem: "Hearth is still looking for Claude Code.", How: "Wait a moment and look again.",
		}
	}
	return known.value
}

// close ends the look that is under way and waits for that.
func (s *setup) close() { s.states.close() }

// claudeState has Claude Code looked for and asks it whether it is signed in.
func (a *agents) claudeState(ctx context.Context) api.ClaudeState {
	a.clients.expire()
	known := a.clients.await(ctx, 0)
	if known.none() {
		return api.ClaudeState{SignedIn: api.SignedInUnknown, Problem: "Claude Code does not answer.", How: howToInstall}
	}
	found := known.value
	if found.err != nil {
		return missing(found.err)
	}
	state := api.ClaudeState{Found: true, Path: found.path, Version: found.version}
	account := AccountOf(ctx, found.path, a.probing(ctx))
	switch state.SignedIn = account.State; state.SignedIn {
	case api.SignedInYes:
		state.SignedBy = quoted(account.By)
	case api.SignedInNo:
		state.Command = typed(found.path, a.probing(ctx)) + " auth login" // its own command for that
		state.Problem, state.How = "Claude Code is not signed in.", howToSignIn
	case api.SignedInUnknown:
		state.Problem = "Claude Code does not say whether it is signed in."
		state.How = "If a message fails, run `claude` once in a terminal and see whether it asks you to sign in."
	}
	return state
}

// typed is how a client is called in a terminal: by its name where that finds it, else by its path.
func typed(path string, environ []string) string {
	if slices.Contains(filepath.SplitList(pty.Variable(environ, "PATH")), filepath.Dir(path)) {
		path = filepath.Base(path)
	}
	return plain.ShellWord(path)
}

// quoted makes foreign text fit for a sentence.
func quoted(text string) string {
	return plain.Inline(plain.Short(text, maxReason))
}
