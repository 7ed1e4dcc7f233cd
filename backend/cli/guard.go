package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"hearth/backend/guard"
)

// maxCommand bounds one command that is read from standard input, in bytes; what
// is longer than the guard reads is no for it anyway.
const maxCommand = 1 << 20

func (a *app) guardCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "guard",
		Short: "Look at what the guard decides about a command",
		Args:  takes(0, 0, ""),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	var zero bool
	explain := &cobra.Command{
		Use:   "explain COMMAND",
		Short: "Say whether a shell command only looks, and which part decided",
		Long: `Say whether a shell command only looks. A coordinator may glance with one that does, and its result expires.

Give the command as one argument, in quotes. With -0, commands are read from standard input, separated by NUL bytes, and
each is answered by a line; with --json that is {"command","ephemeral","reason"}.`,
		Example: `  hearth guard explain 'git status -s && git log --oneline -10'
  printf 'ls\0rm x' | hearth guard explain -0 --json`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case zero && len(args) > 0:
				return usagef("With -0 the commands come from standard input; leave %q out.", args[0])
			case !zero && len(args) != 1:
				return usagef("Give one command, in quotes. `hearth guard explain --help` shows how.")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if !zero {
				return a.explain(a.stdout, args[0])
			}
			out := bufio.NewWriter(a.stdout)
			commands := bufio.NewScanner(a.stdin)
			commands.Buffer(nil, maxCommand)
			commands.Split(splitZero)
			for commands.Scan() {
				if err := a.explain(out, commands.Text()); err != nil {
					return err
				}
			}
			if err := commands.Err(); err != nil {
				return fmt.Errorf("read the commands: %w", err)
			}
			return out.Flush()
		},
	}
	explain.Flags().BoolVarP(&zero, "null", "0", false, "read commands from standard input, separated by NUL bytes")
	cmd.AddCommand(explain)
	return cmd
}

// explain prints what the guard decides about a command, in a line.
func (a *app) explain(out io.Writer, command string) error {
	e := guard.Explain(command)
	if a.json {
		line, err := json.Marshal(struct {
			Command   string `json:"command"`
			Ephemeral bool   `json:"ephemeral"`
			Reason    string `json:"reason"`
		}{command, e.Ephemeral, reason(e)})
		if err != nil {
			return err
		}
		_, err = out.Write(append(line, '\n'))
		return err
	}
	answer := "no"
	if e.Ephemeral {
		answer = "yes"
	}
	_, err := fmt.Fprintf(out, "%s: %s\n", answer, visible(reason(e)))
	return err
}

// reason is why, with the part of the command that decided.
func reason(e guard.Explanation) string {
	if e.Part == "" || strings.Contains(e.Reason, e.Part) {
		return e.Reason
	}
	return fmt.Sprintf("%s (in %q)", e.Reason, short(e.Part, 200))
}

// splitZero splits at NUL bytes; what stands behind the last one counts if it is
// not empty.
func splitZero(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}
