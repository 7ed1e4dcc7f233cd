package cli

import (
	"log/slog"
	"path/filepath"

	"gopkg.in/natefinch/lumberjack.v2"
)

// logName is the log in the data folder: 10 MB, with two older ones beside it.
const logName = "hearth.log"

// newLog makes the log of a data folder. The file is opened at the first line,
// so a command that has nothing to say makes none.
func (a *app) newLog(dir string) *slog.Logger {
	level := slog.LevelInfo
	if a.env("HEARTH_DEBUG") != "" {
		level = slog.LevelDebug
	}
	path := filepath.Join(dir, logName)
	if err := isFile(path); err != nil {
		a.complain("There is no log: %s.", err)
		return slog.New(slog.DiscardHandler)
	}
	file := &lumberjack.Logger{Filename: path, MaxSize: 10, MaxBackups: 2}
	return slog.New(slog.NewTextHandler(file, &slog.HandlerOptions{Level: level}))
}
