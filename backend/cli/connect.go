package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"hearth/backend/store"
)

const (
	// healthWithin is how long a Hearth may take to say that it is there. On
	// loopback it is milliseconds; a machine that swaps takes longer.
	healthWithin = 3 * time.Second
	// closeWithin bounds giving the data folder back after a command.
	closeWithin = 30 * time.Second
	// retryEvery is how often a data folder that is held is asked for again.
	retryEvery = 100 * time.Millisecond
)

// with connects to a Hearth, does something, and lets go.
func (a *app) with(do func(ctx context.Context, c *client, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		c, err := a.connect(cmd.Context())
		if err != nil {
			return err
		}
		return errors.Join(do(cmd.Context(), c, args), c.close(cmd.Context()))
	}
}

// connect finds the Hearth that runs with the data folder, or opens the folder
// itself. A folder that is held by a Hearth that does not answer yet, or by
// another command, is waited for a little.
func (a *app) connect(ctx context.Context) (*client, error) {
	dir, err := a.dataDir()
	if err != nil {
		return nil, err
	}
	deadline := time.NewTimer(a.patience)
	defer deadline.Stop()
	for {
		c, running, err := reach(ctx, dir)
		if err != nil || c != nil {
			return c, err
		}
		e, err := a.open(ctx, engineOptions{dataDir: dir, log: a.newLog(dir), environ: a.environ(), findings: a.findings})
		if err == nil {
			return &client{http: &http.Client{Transport: inProcess{e.Handler()}}, base: "http://127.0.0.1", engine: e}, nil
		}
		if !errors.Is(err, store.ErrHeld) {
			return nil, fmt.Errorf("open the data folder %s: %w", dir, err)
		}
		select {
		case <-time.After(retryEvery):
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-deadline.C:
			return nil, a.held(dir, running, err)
		}
	}
}

// held explains a data folder that is in use by something that does not answer.
func (a *app) held(dir string, running serverFile, err error) error {
	if running.PID == 0 {
		return fmt.Errorf("the data folder %s is in use, and what uses it can't be reached: if it is a command that takes long, try again later; if it is a Hearth, end it and start it again with `hearth serve` (%w)", dir, err)
	}
	return fmt.Errorf("a Hearth (process %d) runs with the data folder %s, but does not answer on %s: end it with `kill %d` and start it again with `hearth serve` (%w)", running.PID, dir, running.Addr, running.PID, err)
}

// reach connects to the Hearth that server.json names, if it is there: nil
// otherwise, with what the file says.
func reach(ctx context.Context, dir string) (*client, serverFile, error) {
	running, ok, err := readServer(dir)
	if err != nil || !ok {
		return nil, running, err
	}
	transport := &http.Transport{DialContext: (&net.Dialer{}).DialContext} // never a proxy
	c := &client{http: &http.Client{Transport: transport}, base: "http://" + running.Addr, token: running.Token}
	if err := c.health(ctx); err != nil {
		c.http.CloseIdleConnections()
		if ctx.Err() != nil {
			return nil, running, ctx.Err()
		}
		return nil, running, nil
	}
	return c, running, nil
}

// health asks whether a Hearth is there. The token is kept back: the port may be
// another program's by now.
func (c *client) health(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, healthWithin)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/api/health", nil)
	if err != nil {
		return err
	}
	response, err := c.http.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	var said struct {
		Service string `json:"service"`
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, 4096)).Decode(&said); err != nil {
		return err
	}
	if said.Service != "hearth" {
		return fmt.Errorf("what answers on %s is no Hearth", c.base)
	}
	return nil
}

// needsServer refuses what only a Hearth that runs can do.
func (c *client) needsServer(what string) error {
	if !c.offline() {
		return nil
	}
	return fmt.Errorf("%s needs a Hearth that runs, and none does: start it with `hearth serve`, then try again", what)
}
