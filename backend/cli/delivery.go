package cli

import (
	"bytes"
	"fmt"

	"github.com/spf13/cobra"

	"hearth/backend/delivery"
)

func (a *app) deliveryCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "delivery",
		Short: "Look at what an agent would be told",
		Args:  takes(0, 0, ""),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "render",
		Short: "Render a case from standard input (JSON) and print the result (JSON)",
		Long: `Render a case: which rows a session is shown, and what its watermark becomes.

In:  {"rows":[{"id","thread_root_id","kind":"user"|"agent","handle","body","created_at"}],
      "addressed","self","native","remembers","watermark":{"native","last_at","ids"}|null,"limit","max_chars"}
Out: {"block","shown":[ids],"omitted":{"count","before","by":{handle:count}}|null,
      "watermark":{"native","last_at","ids"}|null}

An empty handle is the owner. limit and max_chars may be left out (12, 600).`,
		Args: takes(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			var out bytes.Buffer
			if err := delivery.RunCase(a.stdin, &out); err != nil {
				return fmt.Errorf("%w. `hearth delivery render --help` shows what a case looks like", err)
			}
			_, err := a.stdout.Write(out.Bytes())
			return err
		},
	})
	return cmd
}
