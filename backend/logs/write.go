package logs

import (
	"io"
	"log/slog"
	"path/filepath"

	"gopkg.in/natefinch/lumberjack.v2"
)

const (
	// Name is the log's name in the data folder.
	Name = "hearth.log"
	// maxMegabytes is how large a file grows, and maxOlder how many older ones stay.
	maxMegabytes = 10
	maxOlder     = 2
)

// Path is where the log of a data folder is.
func Path(dir string) string { return filepath.Join(dir, Name) }

// New makes the log of a data folder. The file is opened at the first line, so who
// has nothing to say makes none.
func New(dir string, level slog.Level) *slog.Logger {
	return newLogger(&lumberjack.Logger{Filename: Path(dir), MaxSize: maxMegabytes, MaxBackups: maxOlder}, level)
}

func newLogger(to io.Writer, level slog.Level) *slog.Logger {
	return slog.New(slog.NewTextHandler(to, &slog.HandlerOptions{Level: level}))
}
