package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"hearth/backend/api"
	"hearth/backend/chat"
	"hearth/backend/claude"
	"hearth/backend/pty"
)

const (
	// clientFor is how long a client that was found counts as there, if its file is.
	// Looking for it runs it.
	clientFor = time.Minute
	// noClientFor is how long one that was not found counts as missing: a person may
	// be installing it.
	noClientFor = 5 * time.Second
	// locateWithin bounds a look: a login shell, and a version or two.
	locateWithin = 45 * time.Second
	// probes ends the instance of what is asked something, such as a version. They
	// are no agents: a Hearth that starts ends agents that were left, at a moment
	// when it may be asking already.
	probes = ".probe"
)

// located is what a look for Claude Code found.
type located struct {
	path, version string
	err           error // why there is none
}

// there says whether the client was found and is still where it was.
func (c located) there() bool {
	if c.err != nil {
		return false
	}
	_, err := os.Stat(c.path)
	return err == nil
}

// newLooks makes what the agents find out about their surroundings.
func (a *agents) newLooks() {
	a.persons = personsEnvironment(a.options.Environ, a.probeMark(), a.endProbes)
	a.clients = &look[located]{find: a.locate, within: locateWithin, now: time.Now, told: a.tellReachable}
}

// closeLooks ends what is looked for, and waits for that.
func (a *agents) closeLooks() {
	a.clients.close()
	a.persons.close()
}

// probeMark marks what is asked something, so that the next start finds what this
// one could not end.
func (a *agents) probeMark() string { return a.instance + probes + "/" }

// endProbes ends, once and before anything is asked, what a Hearth that died was
// asking.
func (a *agents) endProbes(ctx context.Context) {
	if a.instance == "" {
		return
	}
	a.probesLeft.Do(func() {
		if _, err := pty.EndLeftovers(ctx, a.instance+probes); err != nil {
			a.log.Warn("end what the last start was asking", "error", err)
		}
	})
}

// environ is the environment agents start with, as in the person's terminal.
func (a *agents) environ(ctx context.Context) []string { return a.persons.environ(ctx) }

// probing is that environment for what is only asked something.
func (a *agents) probing(ctx context.Context) []string {
	environ := a.environ(ctx)
	if a.instance == "" {
		return environ
	}
	return append(environ[:len(environ):len(environ)], pty.MarkVariable+"="+a.probeMark())
}

// locate finds Claude Code as the person's terminal would. A Hearth that was
// started from a menu has a short PATH of its own, and a client that needs Node
// does not run with it: so it looks with the environment of the login shell.
func (a *agents) locate(ctx context.Context) located {
	a.endProbes(ctx)
	var c located
	environ := a.probing(ctx)
	if a.options.Claude != "" {
		c.path = a.options.Claude
		c.version, c.err = claude.Version(ctx, c.path, environ)
	} else {
		c.path, c.version, c.err = claude.Locate(ctx, environ)
	}
	return c
}

// keep is how long what was found counts.
func keep(c located) time.Duration {
	if c.there() {
		return clientFor
	}
	return noClientFor
}

// client returns the path of Claude Code. It waits for a look only when none is
// known that is still there.
func (a *agents) client(ctx context.Context) (string, error) {
	known := a.clients.last()
	if known.none() || !known.value.there() {
		if known.value.err == nil {
			a.clients.expire() // it was there, and is gone
		}
		known = a.clients.await(ctx, noClientFor)
	}
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case known.none():
		return "", chat.Errorf(chat.CodeUnavailable, "Hearth is ending and has not found Claude Code yet. Retry after its next start.")
	case known.value.err != nil:
		return "", notFound(known.value.err)
	}
	return known.value.path, nil
}

// reachable says whether the program behind a binding is there, as far as was last
// found out, at once; it counts as there until a look has ended that says
// otherwise. What is old by now is looked at again, for the next who asks.
func (a *agents) reachable(b chat.Binding) bool {
	switch {
	case b.Runtime == chat.RuntimeStandin:
		return len(a.options.Standin) > 0
	case a.options.Claude != "":
		return true // it was named, and whoever named it knows
	}
	known := a.clients.last()
	a.clients.start(keep(known.value))
	return known.none() || known.value.err == nil
}

// tellReachable tells everyone how the agents are, when Claude Code has become
// reachable or ceased to be.
func (a *agents) tellReachable(ctx context.Context, before finding[located], after located) {
	was := before.none() || before.value.err == nil
	if was == (after.err == nil) || a.options.Claude != "" {
		return
	}
	if after.err != nil {
		a.log.Info("Claude Code is not there", "error", after.err)
	}
	if err := a.tellAgents(ctx); err != nil && ctx.Err() == nil {
		a.log.Warn("tell whether Claude Code is there", "error", err)
	}
}

// Missing says why the look whose error it is given found no Claude Code, and what to
// do about it: sentences for people.
func Missing(err error) (problem, how string) {
	state := missing(err)
	return state.Problem, state.How
}

// missing says why there is no client, and what to do.
func missing(err error) api.ClaudeState {
	state := api.ClaudeState{SignedIn: api.SignedInUnknown}
	var named *claude.NamedError
	switch {
	case errors.As(err, &named):
		state.Problem = fmt.Sprintf("%s names %s, which is no Claude Code that runs (%s).", claude.PathVariable, quoted(named.Name), quoted(named.Err.Error()))
		state.How = "Correct " + claude.PathVariable + " or unset it, and start Hearth again."
	case errors.Is(err, claude.ErrNotFound) && !strings.Contains(err.Error(), "\n"):
		state.Problem, state.How, state.Command = "Claude Code was not found.", howToInstall, install
	default: // one was found that does not run
		state.Problem, state.How = fmt.Sprintf("Claude Code does not run (%s).", quoted(err.Error())), howToInstall
	}
	return state
}

// notFound says what to do without Claude Code. One that was named and does not
// run has its own reason.
func notFound(err error) error {
	state := missing(err)
	return &chat.Error{Code: chat.CodeUnavailable, Message: state.Problem + " " + state.How + " Then retry. `hearth doctor` says more."}
}
