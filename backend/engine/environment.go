package engine

import (
	"bytes"
	"context"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"hearth/backend/pty"
)

const (
	// loginShellWithin bounds how long a person's shell start-up files may take.
	loginShellWithin = 10 * time.Second
	// loginShellOutput is how many bytes the login shell may say, its environment
	// and what its start-up files print. An environment of 128 KiB is a large one.
	loginShellOutput = 1 << 20
	// forEver is how long the login shell's answer counts.
	forEver = time.Duration(math.MaxInt64)
)

// persons is the environment agents start with: the person's own, as in their
// terminal. A Hearth started from a shell has it already (every shell sets SHLVL);
// one started from a desktop menu asks the login shell once.
//
// What the start-up files leave running ends with the shell: nobody would end it
// later.
type persons struct {
	own   []string
	asked *look[[]string] // nil: its own is the person's
}

// personsEnvironment knows that environment. What is started to ask for it carries
// the mark; first is called before that.
func personsEnvironment(own []string, mark string, first func(context.Context)) *persons {
	p := &persons{own: own}
	if !has(own, "SHLVL") {
		p.asked = &look[[]string]{within: loginShellWithin + time.Second, now: time.Now, find: func(ctx context.Context) []string {
			first(ctx)
			if asked, err := askLoginShell(ctx, own, mark); err == nil {
				return asked
			}
			return own
		}}
	}
	return p
}

// environ returns it. It waits for the login shell as long as ctx lasts; without
// its answer, Hearth's own environment is better than none.
func (p *persons) environ(ctx context.Context) []string {
	if p.asked == nil {
		return p.own
	}
	known := p.asked.await(ctx, forEver)
	if known.none() {
		return p.own
	}
	return known.value
}

// close ends the login shell, if it is being asked.
func (p *persons) close() {
	if p.asked != nil {
		p.asked.close()
	}
}

// askLoginShell runs the login shell and reads its environment. What start-up
// files print comes before the marker and is passed over.
func askLoginShell(ctx context.Context, own []string, mark string) ([]string, error) {
	const marker = "\x00hearth-environment\x00"
	shell := pty.Variable(own, "SHELL")
	if shell == "" {
		shell = "/bin/sh"
	}
	out, err := pty.Probe{
		Path: shell, Args: []string{"-l", "-c", `printf '\0hearth-environment\0'; exec env -0`},
		Env: append(slices.Clone(own), pty.MarkVariable+"="+mark), Within: loginShellWithin, Output: loginShellOutput,
	}.Run(ctx)
	if err != nil {
		return nil, err
	}
	_, after, found := bytes.Cut(out, []byte(marker))
	if !found {
		return nil, os.ErrInvalid
	}
	var environment []string
	for entry := range strings.SplitSeq(string(after), "\x00") {
		if strings.Contains(entry, "=") && !strings.HasPrefix(entry, pty.MarkVariable+"=") {
			environment = append(environment, entry)
		}
	}
	return environment, nil
}

func has(environment []string, name string) bool {
	for _, entry := range environment {
		if strings.HasPrefix(entry, name+"=") {
			return true
		}
	}
	return false
}
