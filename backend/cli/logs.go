package cli

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hearth/backend/api"
	"hearth/backend/logs"
)

// followEvery is how often a log that is followed is looked at.
const followEvery = 300 * time.Millisecond

func (a *app) logsCommand() *cobra.Command {
	var q logs.Query
	var level string
	var follow bool
	cmd := &cobra.Command{
		Use:   "logs",
		Short: "Print Hearth's log, and follow it",
		Long: `Print the newest lines of Hearth's log. It needs no Hearth that runs. With --json every line is one line of JSON.

The log is hearth.log in the data folder: 10 MB, with two older files of that size beside it. HEARTH_DEBUG=1 at the start
of Hearth makes it say more.`,
		Args: takes(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := q.Level.UnmarshalText([]byte(level)); err != nil || strings.ContainsAny(level, "+-") {
				return usagef("--level is debug, info, warn or error, not %q.", level)
			}
			if q.Limit < 1 || q.Limit > logs.MaxLines {
				return usagef("--lines is a number from 1 to %d, not %d.", logs.MaxLines, q.Limit)
			}
			return a.logs(cmd.Context(), q, follow)
		},
	}
	cmd.Flags().IntVarP(&q.Limit, "lines", "n", 100, "how many lines, the newest")
	cmd.Flags().StringVar(&level, "level", "debug", "only lines of this level and above: debug, info, warn or error")
	cmd.Flags().StringVar(&q.Text, "text", "", "only lines that hold this, in any case")
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "go on with what is written, until interrupted")
	return cmd
}

func (a *app) logs(ctx context.Context, q logs.Query, follow bool) error {
	dir, err := a.dataDir()
	if err != nil {
		return err
	}
	said := false
	for {
		page, err := logs.Folder(dir).Read(ctx, q)
		if err != nil {
			return err
		}
		if page.Reset {
			a.complain("Lines were written faster than they were read, and some are gone.")
		}
		for _, line := range page.Lines {
			if err := a.logLine(line); err != nil {
				return err
			}
		}
		if said = said || len(page.Lines) > 0; !said {
			a.complain("%s", nothingLogged(dir, q))
			said = true
		}
		if !follow {
			return nil
		}
		whole := len(page.Lines) < q.Limit || q.After == ""
		q.After = page.Next
		if !whole {
			continue
		}
		q.Limit = logs.MaxLines
		select {
		case <-time.After(followEvery):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func nothingLogged(dir string, q logs.Query) string {
	if q.Text != "" || q.Level > slog.LevelDebug {
		return "No line of " + logs.Path(dir) + " fits."
	}
	return "Nothing was written to " + logs.Path(dir) + " yet. It begins with the first start of Hearth."
}

func (a *app) logLine(line logs.Line) error {
	if a.json {
		encoder := json.NewEncoder(a.stdout)
		encoder.SetEscapeHTML(false)
		return encoder.Encode(api.ToLogLine(line))
	}
	a.say("%-19s  %-5s  %s", a.when(line.At), line.Level, line.String())
	return nil
}
