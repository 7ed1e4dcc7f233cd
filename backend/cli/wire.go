package cli

import (
	"context"
	"io"
	"log/slog"
	"os"

	"hearth/backend/engine"
	"hearth/backend/standin"
	"hearth/frontend"
)

// standinCommand is the hidden subcommand that makes this binary the stand-in
// agent.
const standinCommand = "standin-agent"

// engineOptions is what the command line says about an engine.
type engineOptions struct {
	dataDir   string
	workspace string // folder of channels that name none
	log       *slog.Logger
	environ   []string
	findings  func(context.Context) []finding // what the doctor finds, for reports
}

// openEngine opens the real one.
func openEngine(ctx context.Context, o engineOptions) (Engine, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	e, err := engine.New(ctx, engine.Options{
		DataDir: o.dataDir, Standin: []string{self, standinCommand, standin.DemoFlag}, Workspace: o.workspace,
		Version: versionText(), UI: frontend.Assets(), Log: o.log, Self: self, Environ: o.environ, Findings: o.findings,
	})
	if err != nil {
		return nil, err // never a nil *Engine in the interface
	}
	return e, nil
}

func standinAgent(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return standin.RunAgent(context.Background(), args, stdin, stdout, stderr)
}
