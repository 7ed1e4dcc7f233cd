package cli

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"syscall"

	"github.com/spf13/cobra"
)

func (a *app) openCommand() *cobra.Command {
	var printOnly bool
	cmd := &cobra.Command{
		Use:   "open",
		Short: "Open the page of the Hearth that runs in the browser",
		Long:  "Print an address that signs one browser in, once, and open it.",
		Args:  takes(0, 0, ""),
		RunE: a.with(func(ctx context.Context, c *client, _ []string) error {
			if err := c.needsServer("`hearth open`"); err != nil {
				return err
			}
			var got struct {
				URL string `json:"url"`
			}
			raw, err := c.post(ctx, "/api/session", nil, &got)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(raw)
			}
			a.say("%s", got.URL)
			if printOnly {
				return nil
			}
			if err := a.browse(ctx, got.URL); err != nil {
				a.complain("The browser could not be opened (%s). Open the address above yourself.", err)
			}
			return nil
		}),
	}
	cmd.Flags().BoolVar(&printOnly, "print", false, "print the address only")
	return cmd
}

// browser is the program that opens a URL.
func browser() (string, error) {
	if runtime.GOOS == "darwin" {
		return exec.LookPath("open")
	}
	if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return "", errors.New("there is no display here")
	}
	return exec.LookPath("xdg-open")
}

// openBrowser opens a URL and does not wait: what is started may be the browser
// itself, and lives on. It gets a session of its own, so that Ctrl-C in our
// terminal is not its end.
func openBrowser(ctx context.Context, url string) error {
	program, err := browser()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), program, url)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Process.Release()
}
