package cli

import (
	"runtime"

	"github.com/spf13/cobra"
)

// version is set by the build: -ldflags '-X hearth/backend/cli.version=…'.
var version string

func versionText() string {
	if version == "" {
		return "unknown"
	}
	return version
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  takes(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			platform := runtime.GOOS + "/" + runtime.GOARCH
			if a.json {
				return a.printValue(map[string]string{"version": versionText(), "go": runtime.Version(), "platform": platform})
			}
			a.say("hearth %s (%s, %s)", versionText(), runtime.Version(), platform)
			return nil
		},
	}
}
