package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"hearth/backend/api"
	"hearth/backend/store"
)

// Window is the window as far as this package knows it: it may not import package
// app, so main hands in that package's functions. The zero value is a program
// without one.
type Window struct {
	// Built says whether this build has a window in it.
	Built bool
	// Available says whether there is a display to show it on. It is called on the
	// main goroutine.
	Available func() bool
	// Run shows the window until it is closed or ctx ends. It is called on the main
	// goroutine, with the data folder's lock held. It answers an error that wraps
	// NoDisplay when there is nothing to show a window on, and has then done nothing.
	Run       func(ctx context.Context, o WindowOptions) error
	NoDisplay error
	// Raise brings the window of the Hearth that runs with a data folder to the
	// front, and says whether there is one. mention opens the dialog in it in which to
	// write to an agent.
	Raise func(dataDir string, mention bool) bool

	// mention is what this start wants of the window, of one that is there or of its own.
	mention bool
}

// WindowOptions is what a window is given; package app says more of each field.
type WindowOptions struct {
	Handler http.Handler
	DataDir string
	Title   string
	Version string
	Log     *slog.Logger
	Mention bool
	Busy    func() int
	OnQuit  func(background bool)
}

// busyWithin bounds asking how many agents are at work; a person waits for it.
const busyWithin = 2 * time.Second

func (w Window) available() bool { return w.Available != nil && w.Run != nil && w.Available() }

func (w Window) raise(dataDir string) bool { return w.Raise != nil && w.Raise(dataDir, w.mention) }

// why says why there is no window.
func (w Window) why() string {
	if !w.Built {
		return "This build has no window, so Hearth shows its page to a browser."
	}
	return "There is no display to open a window on, so Hearth shows its page to a browser."
}

// errRaised says that a Hearth with a window had the data folder, and that its
// window is in front now.
var errRaised = errors.New("the window that was there is in front now")

// errNoWindow says that a start that wants a window for what it does has none.
var errNoWindow = errors.New("this takes a window, and none can be opened here: use `hearth post CHANNEL \"@agent …\"`")

func (a *app) mentionCommand() *cobra.Command {
	var o serveOptions
	cmd := &cobra.Command{
		Use:   "mention",
		Short: "Bring the window up to write to an agent, quickly",
		Long: `Bring the window to the front, out of the background too, with a small dialog: to whom, and what. Without a Hearth that runs,
start one. A shortcut of the desktop that runs this command writes to an agent from anywhere.`,
		Args: takes(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.named = cmd.Flags().Changed("addr")
			wanting := *a
			wanting.window.mention = true
			return wanting.start(cmd.Context(), o)
		},
	}
	a.addrFlag(cmd, &o)
	return cmd
}

// start is `hearth` alone: it raises the window that is there, or opens one, or
// serves to a browser where there is none to be had.
func (a *app) start(ctx context.Context, o serveOptions) error {
	dir, err := a.dataDir()
	if err != nil {
		return err
	}
	if a.window.raise(dir) {
		err = errRaised
	} else {
		o.window, o.orRaise = a.window.available(), true
		if !o.window && a.window.mention {
			return errNoWindow
		}
		if !o.window {
			fmt.Fprintln(a.stdout, a.window.why())
		}
		err = a.serve(ctx, o)
	}
	if errors.Is(err, errRaised) {
		a.say("Hearth runs already; its window is in front now.")
		return nil
	}
	return err
}

// openOrRaise is openToServe for a start that would rather raise the window of the
// Hearth that has the folder: then it answers errRaised.
func (a *app) openOrRaise(ctx context.Context, dir string, log *slog.Logger) (Engine, error) {
	trying := *a
	trying.open = func(ctx context.Context, o engineOptions) (Engine, error) {
		e, err := a.open(ctx, o)
		if errors.Is(err, store.ErrHeld) && a.window.raise(dir) {
			return nil, errRaised
		}
		return e, err
	}
	e, err := trying.openToServe(ctx, dir, log)
	if (errors.Is(err, store.ErrHeld) || errors.Is(err, errRunsAlready)) && a.raiseSoon(ctx, dir) {
		err = errRaised
	}
	return e, err
}

// raiseSoon waits for a window that is about to come up: an icon that is clicked
// twice starts two Hearths at once.
func (a *app) raiseSoon(ctx context.Context, dir string) bool {
	deadline := time.NewTimer(a.patience)
	defer deadline.Stop()
	for {
		if running, ok, err := readServer(dir); err != nil || !ok || !running.Window {
			return false
		}
		if a.window.raise(dir) {
			return true
		}
		select {
		case <-time.After(retryEvery):
		case <-ctx.Done():
			return false
		case <-deadline.C:
			return false
		}
	}
}

// show shows the window until it is closed or ctx ends; where that can't be, it
// answers an error that wraps NoDisplay.
func (a *app) show(ctx context.Context, e Engine, dir string, log *slog.Logger) error {
	return a.window.Run(ctx, WindowOptions{
		Handler: e.Handler(), DataDir: dir, Version: versionText(), Log: log, Mention: a.window.mention,
		Busy: func() int { return busy(ctx, e, log) },
		OnQuit: func(background bool) {
			if !background {
				log.Info("the window was closed")
				return
			}
			log.Info("the window was closed; the agents go on in the background")
			fmt.Fprintln(a.stdout, "Hearth goes on in the background: `hearth` brings its window back, `hearth quit` ends it.")
		},
	})
}

// busy is how many agents have a run that is not over, or a task in the
// background. When that can't be told it is 1, so that closing asks.
func busy(ctx context.Context, e Engine, log *slog.Logger) int {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), busyWithin)
	defer cancel()
	n, err := countBusy(ctx, &client{http: &http.Client{Transport: inProcess{e.Handler()}}, base: "http://127.0.0.1"})
	if err != nil {
		log.Warn("how many agents are at work can't be told", "error", err)
		return max(n, 1)
	}
	return n
}

func countBusy(ctx context.Context, c *client) (n int, err error) {
	var have channelList
	if _, err := c.get(ctx, "/api/channels?archived=true", &have); err != nil {
		return 0, err
	}
	for _, channel := range have.Channels {
		var roster struct {
			Agents []api.Agent `json:"agents"`
		}
		if _, err := c.get(ctx, at("/api/channels/%s/roster", channel.ID), &roster); err != nil {
			return n, err
		}
		for _, agent := range roster.Agents {
			if s := agent.State; s.RunID != "" || s.Queued > 0 || s.Background > 0 {
				n++
			}
		}
	}
	return n, nil
}
