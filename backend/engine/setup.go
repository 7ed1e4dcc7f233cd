package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"hearth/backend/api"
	"hearth/backend/claude"
	"hearth/backend/plain"
)

const (
	// setupFor is how long what was found counts: a page may ask at every click,
	// and a person who has just signed in should not have to wait.
	setupFor = 5 * time.Second
	// setupPatience is how long a caller waits for a look, which takes a second.
	setupPatience = 5 * time.Second
	// setupWithin bounds a look: a login shell, a version, a question.
	setupWithin = 45 * time.Second
	// maxReason is how many characters of a foreign reason are quoted.
	maxReason = 200
)

// How to get Claude Code, and how to sign it in.
const (
	howToInstall = "Install it with `npm install -g @anthropic-ai/claude-code` (or as https://claude.com/claude-code says), and run `claude` once in a terminal to sign in."
	howToSignIn  = "Run `claude` once in a terminal and sign in there. Then retry what failed."
)

// setup knows how Claude Code is on this machine. One look at a time is under way.
type setup struct {
	agents *agents
	now    func() time.Time

	mutex   sync.Mutex
	state   api.ClaudeState
	at      time.Time          // when state was found; zero is never
	looking chan struct{}      // closed at the end of the look under way; nil is none
	end     context.CancelFunc // ends that look
	closed  bool
}

var _ api.Setup = (*setup)(nil)

// FirstChannel returns the id of the channel that the first start made, if it is
// there.
func (s *setup) FirstChannel(ctx context.Context) (string, error) {
	return s.agents.store.FirstChannel(ctx)
}

// Claude says how Claude Code is here, by a look that is some seconds old at most.
// When a look takes long, it says what the last one found.
func (s *setup) Claude(ctx context.Context) api.ClaudeState {
	looking := s.look()
	if looking != nil {
		patience := time.NewTimer(setupPatience)
		defer patience.Stop()
		select {
		case <-looking:
		case <-patience.C:
		case <-ctx.Done():
		}
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.at.IsZero() {
		return api.ClaudeState{
			SignedIn: api.SignedInUnknown, Problem: "Hearth is still looking for Claude Code.", How: "Wait a moment and look again.",
		}
	}
	return s.state
}

// look starts a look, unless what is known is new or one is under way already. It
// returns when that ends; nil is at once. The caller's context plays no part: others
// wait for the same look, and it asks the login shell, once and for all.
func (s *setup) look() <-chan struct{} {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.looking != nil {
		return s.looking
	}
	if s.closed || !s.at.IsZero() && s.now().Sub(s.at) < setupFor {
		return nil
	}
	ctx, end := context.WithTimeout(context.Background(), setupWithin)
	looking := make(chan struct{})
	s.looking, s.end = looking, end
	go func() {
		defer end()
		state := s.agents.claudeState(ctx)
		s.mutex.Lock()
		s.state, s.at, s.looking = state, s.now(), nil
		s.mutex.Unlock()
		close(looking)
	}()
	return looking
}

// close ends the look that is under way and waits for that.
func (s *setup) close() {
	s.mutex.Lock()
	s.closed = true
	looking := s.looking
	if looking != nil {
		s.end()
	}
	s.mutex.Unlock()
	if looking != nil {
		<-looking
	}
}

// claudeState looks for Claude Code and asks it whether it is signed in.
func (a *agents) claudeState(ctx context.Context) api.ClaudeState {
	path, version, err := a.locate(ctx)
	if err != nil {
		return missing(err, value(a.options.Environ, claude.PathVariable))
	}
	state := api.ClaudeState{Found: true, Path: path, Version: version}
	account := AccountOf(ctx, path, a.environ(ctx))
	switch state.SignedIn = account.State; state.SignedIn {
	case api.SignedInNo:
		state.Problem, state.How = "Claude Code is not signed in.", howToSignIn
	case api.SignedInUnknown:
		state.Problem = "Claude Code does not say whether it is signed in."
		state.How = "If a message fails, run `claude` once in a terminal and see whether it asks you to sign in."
	}
	return state
}

// missing says why there is no client, and what to do.
func missing(err error, named string) api.ClaudeState {
	state := api.ClaudeState{SignedIn: api.SignedInUnknown}
	switch {
	case named != "" && !errors.Is(err, claude.ErrNotFound):
		state.Problem = fmt.Sprintf("%s names %s, which is no Claude Code that runs (%s).", claude.PathVariable, quoted(named), quoted(err.Error()))
		state.How = "Correct " + claude.PathVariable + " or unset it, and start Hearth again."
	case errors.Is(err, claude.ErrNotFound) && !strings.Contains(err.Error(), "\n"):
		state.Problem, state.How = "Claude Code was not found.", howToInstall
	default: // one was found that does not run
		state.Problem, state.How = fmt.Sprintf("Claude Code does not run (%s).", quoted(err.Error())), howToInstall
	}
	return state
}

// quoted makes foreign text fit for a sentence.
func quoted(text string) string {
	kept, cut := plain.Cut(text, maxReason)
	if cut > 0 {
		kept += " …"
	}
	return plain.Inline(kept)
}
