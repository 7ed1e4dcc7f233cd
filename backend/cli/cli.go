package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"hearth/backend/claude"
	"hearth/backend/desktop"
	"hearth/backend/engine"
	"hearth/backend/plain"
	"hearth/backend/shell"
)

// The exit statuses.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130
)

// Engine is a Hearth without a face: package engine's, or a test's.
type Engine interface {
	// Handler answers the HTTP API and the page; it trusts its caller.
	Handler() http.Handler
	// Welcome makes the first channel where there is none at all.
	Welcome(ctx context.Context) (first engine.Welcome, made bool, err error)
	// Serve works the queues until ctx ends.
	Serve(ctx context.Context) error
	// Close ends every agent's process and gives the data folder back.
	Close(ctx context.Context) error
}

// app is one call of the program: what it was given, and what it asks the world.
// Tests give it another world.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	env            func(string) string
	environ        func() []string // all of it, for what is started
	location       *time.Location
	now            func() time.Time

	// open opens the data folder. It answers store.ErrHeld when another process has
	// it.
	open func(ctx context.Context, o engineOptions) (Engine, error)
	// locate finds the Claude Code client.
	locate func(ctx context.Context) (path, version string, err error)
	// browse opens a URL in the person's browser.
	browse func(ctx context.Context, url string) error
	// terminate tells a process to end.
	terminate func(pid int) error
	// window is the window this program has, if any.
	window Window
	// address is where Hearth listens when nobody says.
	address string
	// patience is how long a data folder that another command holds is waited for.
	patience time.Duration
	// terminal says whether standard output is one.
	terminal func() bool

	json bool // --json
}

// usualAddress is where Hearth listens when nobody says.
const usualAddress = "127.0.0.1:4747"

// Main runs a command line and returns its exit status. Call it on the main
// goroutine, which a window needs.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer, window Window) int {
	// The helper before agents' commands is this program by another name, in a build
	// that has no smaller one for it; its arguments are commands.
	if shell.Called(os.Args) {
		return shell.Main(os.Args)
	}
	// The stand-in agent is started as often as an agent is: it comes before
	// everything else, and its flags are another program's.
	if len(args) > 0 && args[0] == standinCommand {
		return standinAgent(args[1:], stdin, stdout, stderr)
	}
	a := newApp(stdin, stdout, stderr)
	a.window = window
	return a.main(args)
}

// main runs a command line that a signal interrupts.
func (a *app) main(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return a.run(ctx, args)
}

func newApp(stdin io.Reader, stdout, stderr io.Writer) *app {
	return &app{
		stdin: stdin, stdout: stdout, stderr: stderr, env: os.Getenv, environ: os.Environ, location: time.Local, now: time.Now,
		open: openEngine, locate: func(ctx context.Context) (string, string, error) { return claude.Locate(ctx, os.Environ()) }, browse: func(ctx context.Context, url string) error { return desktop.Browse(ctx, os.Environ(), url) }, terminate: func(pid int) error { return syscall.Kill(pid, syscall.SIGTERM) }, address: usualAddress, patience: 5 * time.Second,
		terminal: func() bool {
			file, ok := stdout.(*os.File)
			return ok && term.IsTerminal(int(file.Fd()))
		},
	}
}

func (a *app) run(ctx context.Context, args []string) int {
	root := a.root()
	root.SetArgs(append([]string{}, args...)) // never nil, for which cobra would take the process's own
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	return a.exit(root.ExecuteContext(ctx))
}

// usageError is a command line that makes no sense.
type usageError struct{ message string }

func (e *usageError) Error() string { return e.message }

func usagef(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// exitError ends with a status and says nothing more.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// exit says what went wrong and turns it into the exit status.
func (a *app) exit(err error) int {
	var status exitError
	var usage *usageError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &status):
		return int(status)
	case errors.As(err, &usage):
		a.complain("%s", usage.message)
		return exitUsage
	case errors.Is(err, context.Canceled):
		a.complain("Interrupted.")
		return exitInterrupted
	}
	a.complain("%s", err)
	return exitFailed
}

// complain writes to standard error. A message may quote foreign text, of many
// lines even (the end of an agent's stderr): all of it is made visible, and no
// line but the first can look like one of ours.
func (a *app) complain(format string, args ...any) {
	message := visible(fmt.Sprintf(format, args...))
	fmt.Fprintln(a.stderr, "hearth: "+strings.ReplaceAll(message, "\n", "\n  "))
}

// say writes a line for people; with --json there are none.
func (a *app) say(format string, args ...any) {
	if !a.json {
		fmt.Fprintln(a.stdout, visible(fmt.Sprintf(format, args...)))
	}
}

// visible keeps line breaks and makes everything else safe to print.
func visible(s string) string {
	lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	for i, line := range lines {
		lines[i] = plain.Inline(line)
	}
	return strings.Join(lines, "\n")
}

// takes checks how many arguments a command got, and names them when it is
// another number. most below 0 is any number.
func takes(least, most int, names string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return usagef("`%s` wants %s. `%s --help` says more.", cmd.CommandPath(), names, cmd.CommandPath())
		case most >= 0 && len(args) > most:
			if names == "" {
				return usagef("`%s` takes no %q. `%s --help` says what it takes.", cmd.CommandPath(), args[most], cmd.CommandPath())
			}
			return usagef("`%s` wants %s and nothing more, but got %q too. Put quotes around words that belong together.", cmd.CommandPath(), names, args[most])
		}
		return nil
	}
}

// page checks a --limit.
func page(limit int) error {
	if limit < 1 || limit > 200 {
		return usagef("--limit is a number from 1 to 200, not %d.", limit)
	}
	return nil
}
