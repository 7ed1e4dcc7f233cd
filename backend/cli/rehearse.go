package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"hearth/backend/claude"
	"hearth/backend/rehearsal"
)

const aboutRehearse = `Play the simulation's channel through the real Claude Code, with a stand-in for the model that keeps the documented rules of the
prompt cache, and measure what was sent: the table of ` + "`hearth sim`" + `, and how much of its first request a new process reads from
what the last one cached, in other folders, on other days, in other states of a repository.

It needs Claude Code and git, but no account and no network: the client gets a home of its own with nothing in it, and reaches
nothing outside of this machine. It takes some minutes.

With --claude given several times, the first one plays the channel, and cold starts are measured with each and from the first to
the others.`

type rehearseOptions struct {
	clients []string
	report  string
	rehearsal.Options
}

func (a *app) rehearseCommand() *cobra.Command {
	var o rehearseOptions
	cmd := &cobra.Command{
		Use:   "rehearse",
		Short: "Play the simulation through the real Claude Code, without a model, and measure",
		Long:  aboutRehearse,
		Args:  takes(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("turns") && o.Turns < 1 {
				return usagef("--turns is the number of mentions to play, from 1 on, not %d.", o.Turns)
			}
			return a.rehearse(cmd.Context(), o)
		},
	}
	cmd.Flags().StringArrayVar(&o.clients, "claude", nil, "the Claude Code at this `PATH`, instead of the one that agents use; again for another version")
	cmd.Flags().IntVar(&o.Turns, "turns", 0, "play the first `N` mentions only")
	cmd.Flags().Uint64Var(&o.Seed, "seed", 1, "which generated channel")
	cmd.Flags().StringVar(&o.report, "report", "", "write a page with charts to this `FILE`")
	return cmd
}

func (a *app) rehearse(ctx context.Context, o rehearseOptions) error {
	var err error
	if o.Clients, err = a.rehearsed(ctx, o.clients); err != nil {
		return err
	}
	if o.report != "" { // minutes later is too late to find out
		if info, err := os.Stat(filepath.Dir(o.report)); err != nil || !info.IsDir() {
			return usagef("--report %s: there is no folder %s.", o.report, filepath.Dir(o.report))
		}
	}
	o.Path = a.env("PATH")
	progress, finish := a.progress()
	o.Progress = progress
	report, err := rehearsal.Run(ctx, o.Options)
	finish()
	if err != nil {
		return err
	}
	if o.report != "" {
		var page bytes.Buffer
		if err := report.HTML(&page, a.now().In(a.location)); err != nil {
			return err
		}
		if err := os.WriteFile(o.report, page.Bytes(), 0o644); err != nil { //nolint:gosec // it is for people to look at
			return err
		}
	}
	if a.json {
		return a.printValue(report)
	}
	if _, err := fmt.Fprint(a.stdout, report.Text()); err != nil {
		return err
	}
	if o.report != "" {
		a.say("\nThe report is in %s.", o.report)
	}
	return nil
}

// rehearsed finds the clients that were named, or the one that agents use.
func (a *app) rehearsed(ctx context.Context, named []string) ([]rehearsal.Client, error) {
	if len(named) == 0 {
		path, version, err := a.locate(ctx)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, claude.ErrNotFound):
			return nil, errors.New("no Claude Code was found, and a rehearsal is played with the real one. " +
				"Install it with `npm install -g @anthropic-ai/claude-code` (you need not sign in), or name one: `hearth rehearse --claude PATH`. " +
				"`hearth sim` needs none")
		case err != nil:
			return nil, fmt.Errorf("find Claude Code: %w. Name one: `hearth rehearse --claude PATH`", err)
		}
		return []rehearsal.Client{{Path: path, Version: version}}, nil
	}
	var clients []rehearsal.Client
	for _, name := range named {
		path, err := filepath.Abs(name)
		if err != nil {
			return nil, err
		}
		if _, err := os.Stat(path); err != nil {
			return nil, usagef("--claude %s: %s.", name, strings.TrimPrefix(err.Error(), "stat "+path+": "))
		}
		version, err := claude.Version(ctx, path, a.environ())
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("--claude %s: %w", name, err)
		}
		clients = append(clients, rehearsal.Client{Path: path, Version: version})
	}
	return clients, nil
}

// progress says on standard error how far a rehearsal is: on a terminal in one line
// that changes, elsewhere in a line now and then. finish ends that line.
func (a *app) progress() (progress func(done, total int, what string), finish func()) {
	file, ok := a.stderr.(*os.File)
	if ok && term.IsTerminal(int(file.Fd())) {
		return func(done, total int, what string) {
				line := fmt.Sprintf("%3d %%  %s", 100*done/max(1, total), what)
				if width, _, err := term.GetSize(int(file.Fd())); err == nil && width > 1 {
					line = string([]rune(line)[:min(len([]rune(line)), width-1)])
				}
				fmt.Fprintf(a.stderr, "\r\x1b[K%s", line)
			}, func() {
				fmt.Fprint(a.stderr, "\r\x1b[K")
			}
	}
	const tenths = 10
	said := -1
	return func(done, total int, what string) {
		if at := tenths * done / max(1, total); at > said {
			said = at
			fmt.Fprintf(a.stderr, "%d of %d steps done. Next: %s.\n", done, total, what)
		}
	}, func() {}
}
