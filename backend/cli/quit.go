package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"hearth/backend/plain"
	"hearth/backend/store"
)

// goneWithin bounds how long a Hearth that was told to end is waited for: it bounds
// its own steps, which together take less.
const goneWithin = headerWithin + answersWithin + endWithin

func (a *app) quitCommand() *cobra.Command {
	var stop bool
	cmd := &cobra.Command{
		Use:   "quit",
		Short: "End the Hearth that runs, in the background too",
		Long: `End the Hearth that runs, with its window and its agents, as Ctrl-C in its terminal does, and wait until it is gone. While
agents are at work it refuses, unless --stop says that they may be stopped where they are.`,
		Args: takes(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.quit(cmd.Context(), stop) },
	}
	cmd.Flags().BoolVar(&stop, "stop", false, "stop agents that are at work, where they are")
	return cmd
}

func (a *app) quit(ctx context.Context, stop bool) error {
	dir, err := a.dataDir()
	if err != nil {
		return err
	}
	c, running, err := reach(ctx, dir)
	if err != nil {
		return err
	}
	if c == nil {
		if free, err := isFree(dir); err != nil {
			return err
		} else if !free {
			return a.held(dir, running, store.ErrHeld)
		}
		return a.ended(0, "No Hearth runs with the data folder "+dir+".")
	}
	defer c.http.CloseIdleConnections()
	// This also shows that the process in the file is the one that answers: it knows the
	// token.
	n, err := countBusy(ctx, c)
	if err != nil {
		return fmt.Errorf("see whether agents are at work: %w", err)
	}
	if n > 0 && !stop {
		return fmt.Errorf("%s at work, and ending Hearth would stop them where they are: wait until they are done, or give --stop", plain.Count(n, "agent is", "agents are"))
	}
	if err := a.terminate(running.PID); err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("end Hearth (process %d): %w", running.PID, err)
	}
	deadline := time.NewTimer(goneWithin)
	defer deadline.Stop()
	for {
		free, err := isFree(dir)
		if err != nil {
			return err
		}
		if free {
			return a.ended(running.PID, fmt.Sprintf("Hearth (process %d) has ended.", running.PID))
		}
		select {
		case <-time.After(retryEvery):
		case <-ctx.Done():
			return ctx.Err()
		case <-deadline.C:
			return fmt.Errorf("Hearth (process %d) was told to end and has not: its log says more (`hearth logs`); `kill -9 %d` ends it at once, and its agents with the next start", running.PID, running.PID) //nolint:staticcheck // Hearth is a name
		}
	}
}

// ended says what became of it; pid 0 is none that ran.
func (a *app) ended(pid int, sentence string) error {
	if a.json {
		return a.printValue(map[string]any{"ended": pid != 0, "pid": pid})
	}
	a.say("%s", sentence)
	return nil
}

// isFree says whether nobody has a data folder. It makes none.
func isFree(dir string) (bool, error) {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	hold, err := store.Lock(dir)
	if errors.Is(err, store.ErrHeld) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, hold.Release()
}
