package cli

import (
	"log/slog"

	"hearth/backend/logs"
)

// newLog makes the log of a data folder.
func (a *app) newLog(dir string) *slog.Logger {
	level := slog.LevelInfo
	if a.env("HEARTH_DEBUG") != "" {
		level = slog.LevelDebug
	}
	if err := isFile(logs.Path(dir)); err != nil {
		a.complain("There is no log: %s.", err)
		return slog.New(slog.DiscardHandler)
	}
	return logs.New(dir, level)
}
