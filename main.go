// Hearth keeps coding agents resident in channels. This file only starts it.
package main

import (
	"context"
	"os"

	"hearth/app"
	"hearth/backend/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, cli.Window{
		Built: app.Built, Available: app.Available, Raise: app.Raise, NoDisplay: app.ErrNoDisplay,
		Run: func(ctx context.Context, o cli.WindowOptions) error { return app.Run(ctx, app.Options(o)) },
	}))
}
