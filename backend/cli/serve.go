package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"hearth/backend/api"
	"hearth/backend/store"
)

const (
	// headerWithin is how long a request's head may take; it is the only deadline
	// that a stream of events can live with.
	headerWithin = 10 * time.Second
	// answersWithin is how long answers that are under way are waited for at the end.
	answersWithin = 3 * time.Second
	// endWithin bounds the end of all agents: closing their input, TERM and KILL
	// take a few seconds each.
	endWithin = 20 * time.Second
)

func (a *app) serveCommand() *cobra.Command {
	var o serveOptions
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run Hearth without a window: the agents, the API and the page",
		Long: `Run Hearth until it is interrupted: the agents, the API and the page, without a window. It listens on this machine only.
The first start makes a channel, #general, in this folder, with an agent under the handle claude.

Interrupting it ends every agent with it, in order; a second time, at once.`,
		Args: takes(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.named = cmd.Flags().Changed("addr")
			return a.serve(cmd.Context(), o)
		},
	}
	a.addrFlag(cmd, &o)
	cmd.Flags().BoolVar(&o.open, "open", false, "open the page in the browser")
	return cmd
}

func (a *app) addrFlag(cmd *cobra.Command, o *serveOptions) {
	cmd.Flags().StringVar(&o.addr, "addr", a.address, "where to listen; port 0 chooses a free one, and so does Hearth when this is taken and was not named")
}

// serveOptions is how a Hearth is started.
type serveOptions struct {
	addr  string
	named bool // the person named addr: it is that or nothing
	open  bool // open the page in the browser
	// window opens a window on the page, and orRaise looks for one that is open.
	window, orRaise bool
}

// serve runs a Hearth. ctx ends with the first signal.
func (a *app) serve(ctx context.Context, o serveOptions) (err error) {
	if !isLoopback(o.addr) {
		return usagef("Hearth listens on this machine only: give --addr an address such as 127.0.0.1:4321 or [::1]:0, not %q.", o.addr)
	}
	dir, err := a.dataDir()
	if err != nil {
		return err
	}
	log := a.newLog(dir)
	opens := a.openToServe
	if o.orRaise {
		opens = a.openOrRaise
	}
	e, err := opens(ctx, dir, log)
	if err != nil {
		return err
	}
	ending, end := context.WithCancel(ctx)
	defer a.impatient(ending, log)()
	defer func() {
		end()
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), endWithin)
		defer cancel()
		if closed := e.Close(bounded); closed != nil {
			err = errors.Join(err, fmt.Errorf("end the agents and close the data folder: %w", closed))
		}
	}()
	listener, err := a.listen(ctx, o)
	if err != nil {
		return err
	}
	access := api.NewAccess(listener.Addr().String())
	if err := a.firstStart(ctx, e); err != nil {
		return errors.Join(err, listener.Close())
	}
	running := serverFile{Addr: listener.Addr().String(), Token: access.Token(), PID: os.Getpid(), Window: o.window}
	if err := running.write(dir); err != nil {
		return errors.Join(err, listener.Close())
	}
	defer func() { err = errors.Join(err, running.remove(dir)) }()
	log.Info("started", "version", versionText(), "address", running.Addr, "pid", running.PID, "window", o.window)

	toBrowser := func() {
		url := access.OneTimeURL()
		fmt.Fprintf(a.stdout, "Hearth is listening on http://%s\n", running.Addr)
		fmt.Fprintf(a.stdout, "Open this in a browser, once: %s\n", url)
		fmt.Fprintf(a.stdout, "Another one: `hearth open`. End it: Ctrl-C, or `hearth quit`.\n")
		if o.open {
			if err := a.browse(ctx, url); err != nil {
				a.complain("The browser could not be opened (%s). Open the address above yourself.", err)
			}
		}
	}
	face := func(ctx context.Context) error {
		if o.window {
			fmt.Fprintf(a.stdout, "Hearth opens its window. Commands reach it too, and browsers on http://%s (`hearth open`).\n", running.Addr)
			fmt.Fprintf(a.stdout, "End it: close the window, Ctrl-C, or `hearth quit`.\n")
			err := a.show(ctx, e, dir, log)
			if err == nil || !errors.Is(err, a.window.NoDisplay) {
				return err
			}
			log.Warn("no window could be opened", "error", err)
			fmt.Fprintln(a.stdout, a.window.why())
			running.Window = false
			if err := running.write(dir); err != nil {
				return err
			}
		}
		toBrowser()
		<-ctx.Done()
		return nil
	}
	return a.work(ctx, end, e, listener, access, log, face)
}

// listen listens where the person said; where they said nothing, on the usual
// port, or, when that is taken, on a free one. (A browser keeps drafts and the
// like by address, so it should be the same from one start to the next.)
func (a *app) listen(ctx context.Context, o serveOptions) (net.Listener, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.addr)
	if err == nil {
		return listener, nil
	}
	if o.named {
		return nil, fmt.Errorf("listen on %s: %w. Choose another port with --addr, or let Hearth choose one", o.addr, err)
	}
	free, freeErr := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if freeErr != nil {
		return nil, fmt.Errorf("listen on this machine: %w", errors.Join(err, freeErr))
	}
	fmt.Fprintf(a.stdout, "The usual address, %s, is taken: another program listens there. Hearth takes a free port this time.\n", o.addr)
	return free, nil
}

// errRunsAlready says that a Hearth which answers has the data folder.
var errRunsAlready = errors.New("Hearth runs already") //nolint:staticcheck // Hearth is a name

// openToServe opens the data folder, or says who has it.
func (a *app) openToServe(ctx context.Context, dir string, log *slog.Logger) (Engine, error) {
	workspace, err := workspace()
	if err != nil {
		return nil, err
	}
	deadline := time.NewTimer(a.patience)
	defer deadline.Stop()
	for {
		e, err := a.open(ctx, engineOptions{dataDir: dir, workspace: workspace, log: log, environ: a.environ(), findings: a.findings})
		if err == nil {
			return e, nil
		}
		if !errors.Is(err, store.ErrHeld) {
			return nil, fmt.Errorf("open the data folder %s: %w", dir, err)
		}
		c, running, reached := reach(ctx, dir)
		if reached != nil {
			return nil, reached
		}
		if c != nil {
			c.http.CloseIdleConnections()
			return nil, fmt.Errorf("%w with the data folder %s, on http://%s: `hearth open` opens it. For a second one, set HEARTH_DATA_DIR to another folder", errRunsAlready, dir, running.Addr)
		}
		select {
		case <-time.After(retryEvery): // another command may have it for a moment
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-deadline.C:
			return nil, a.held(dir, running, err)
		}
	}
}

// work serves until its face is gone, ctx ends or something breaks, then ends in
// order: the face, then no new requests, then no new turns. Every step is bounded;
// the agents' end is the caller's. It calls end as it begins to end. face runs on
// this goroutine, until ctx ends or a person has closed it.
func (a *app) work(ctx context.Context, end func(), e Engine, listener net.Listener, access *api.Access, log *slog.Logger, face func(context.Context) error) error {
	ending := make(chan struct{})
	server := &http.Server{
		Handler: endless(access.Middleware(e.Handler()), ending), ReadHeaderTimeout: headerWithin,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	working, rest := context.WithCancel(context.WithoutCancel(ctx))
	defer rest()
	facing, turnAway := context.WithCancel(ctx)
	defer turnAway()
	worked, served, watched := make(chan error, 1), make(chan error, 1), make(chan struct{})
	go func() { worked <- e.Serve(working) }()
	go func() { served <- server.Serve(listener) }()

	var err error
	var hasWorked, hasServed bool
	go func() {
		defer close(watched)
		defer turnAway()
		select {
		case <-facing.Done():
		case err = <-worked:
			hasWorked = true
			err = broke("the agents' work", err)
		case err = <-served:
			hasServed = true
			err = broke("the server", err)
		}
	}()
	faced := face(facing)
	turnAway()
	<-watched
	err = errors.Join(err, faced)
	end()
	fmt.Fprintln(a.stderr, "hearth: Ending the agents. (Ctrl-C now, and it ends at once.)")
	if err != nil {
		log.Error("ending", "error", err)
	} else {
		log.Info("ending")
	}
	close(ending)
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), answersWithin)
	defer cancel()
	if shut := server.Shutdown(bounded); shut != nil {
		log.Warn("answers under way were cut off", "error", errors.Join(shut, server.Close()))
	}
	if !hasServed {
		if stopped := <-served; !errors.Is(stopped, http.ErrServerClosed) {
			log.Warn("the server ended", "error", stopped)
		}
	}
	rest()
	if !hasWorked {
		// Interrupted before it had well begun, it says so.
		if ended := <-worked; ended != nil && !errors.Is(ended, context.Canceled) && err == nil {
			err = fmt.Errorf("end the agents' work: %w", ended)
		}
	}
	return err
}

// impatient ends the program at once when a second signal comes after the one
// that ended ctx: the agents hang up with their terminals. What it returns stops
// looking for one.
func (a *app) impatient(ctx context.Context, log *slog.Logger) (stop func()) {
	again := make(chan os.Signal, 1)
	finished, looked := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(looked)
		select {
		case <-ctx.Done():
		case <-finished:
			return
		}
		signal.Notify(again, os.Interrupt, syscall.SIGTERM)
		defer signal.Stop(again)
		select {
		case <-again:
			log.Warn("ended at once by a second signal")
			os.Exit(exitInterrupted)
		case <-finished:
		}
	}()
	return func() {
		close(finished)
		<-looked
	}
}

func broke(what string, err error) error {
	if err == nil {
		err = errors.New("it ended by itself")
	}
	return fmt.Errorf("%s broke off: %w. Look at the log (hearth doctor says where it is), then start again", what, err)
}

// endless ends the requests that have no end of their own, streams of events,
// when Hearth does; others are answered to their end.
func endless(next http.Handler, ending <-chan struct{}) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/events" {
			next.ServeHTTP(w, r)
			return
		}
		ctx, cancel := context.WithCancel(r.Context())
		watched := make(chan struct{})
		go func() {
			defer close(watched)
			select {
			case <-ending:
				cancel()
			case <-ctx.Done():
			}
		}()
		next.ServeHTTP(w, r.WithContext(ctx))
		cancel()
		<-watched
	})
}
