package cli

import (
	"context"

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
