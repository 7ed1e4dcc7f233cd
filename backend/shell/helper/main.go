// The helper that stands before every command of an agent, small enough to start in
// a millisecond. Package shell says what it does. The build embeds it in Hearth.
package main

import (
	"os"

	"hearth/backend/shell"
)

func main() { os.Exit(shell.Main(os.Args)) }
