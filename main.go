// Hearth keeps coding agents resident in channels. This file only starts it.
package main

import (
	"os"

	"hearth/backend/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
