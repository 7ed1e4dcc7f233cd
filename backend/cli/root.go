package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

const about = `Hearth keeps coding agents resident in channels: their processes stay warm, and they are told only what they
have not heard yet.

` + "`hearth`" + ` alone opens the window; a second time, it brings that window to the front. Without a display it prints an address
for a browser. ` + "`hearth serve`" + ` never opens a window. While it runs, commands reach it from any terminal:

  hearth post general "@claude what is in here?" --wait

CHANNEL is a channel's name, with or without #, or its id. Commands work while no Hearth runs, too; what is posted then is
answered at the next start. Exit statuses: 0 done, 1 failed, 2 the command line makes no sense, 130 interrupted.`

const environment = `
Environment:
  HEARTH_DATA_DIR   where channels and all else are kept (hearth doctor says where that is)
  HEARTH_CLAUDE     the Claude Code client to use, instead of the claude on the PATH
`

// root puts the commands together.
func (a *app) root() *cobra.Command {
	version := a.versionCommand()
	var printVersion bool
	var o serveOptions
	root := &cobra.Command{
		Use:           "hearth",
		Short:         "Chat with resident coding agents in channels",
		Long:          about,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			message := fmt.Sprintf("There is no command %q.", args[0])
			if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
				message += " Did you mean " + strings.Join(near, " or ") + "?"
			}
			return usagef("%s `hearth --help` lists those there are.", message)
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if printVersion {
				return version.RunE(version, nil)
			}
			o.named = cmd.Flags().Changed("addr")
			return a.start(cmd.Context(), o)
		},
	}
	root.Flags().BoolVar(&printVersion, "version", false, "print the version")
	a.addrFlag(root, &o)
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print JSON, with the keys of the API")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%s. `%s --help` lists the flags there are.", strings.TrimSuffix(err.Error(), "."), cmd.CommandPath())
	})
	root.SuggestionsMinimumDistance = 2
	root.SetUsageTemplate(root.UsageTemplate() + environment)
	root.AddCommand(
		a.serveCommand(), a.openCommand(), a.mentionCommand(), a.quitCommand(), a.doctorCommand(), version,
		a.channelsCommand(), a.bindingsCommand(), a.rosterCommand(), a.commandsCommand(),
		a.postCommand(), a.historyCommand(), a.searchCommand(), a.runsCommand(), a.runCommand(), a.stopCommand(), a.retryCommand(), a.undoCommand(),
		a.permissionsCommand(), a.allowCommand(), a.denyCommand(), a.rulesCommand(), a.workbenchCommand(), a.deliveryCommand(), a.guardCommand(),
		a.cacheCommand(), a.logsCommand(), a.reportCommand(),
		a.simCommand(), a.rehearseCommand(),
	)
	return root
}
