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
	file := &lumberjack.Logger{Filename: filepath.Join(dir, logName), MaxSize: 10, MaxBackups: 2}
	return slog.New(slog.NewTextHandler(file, &slog.HandlerOptions{Level: level}))
}
