// Package backend_test holds the house to its plan: which package may import which, who opens the database, how long a
// file may grow, and that every package says what it is. docs/decisions/0002-layers.md tells why.
package backend_test

import (
	"os"
	"testing"
)

// plan is the house. A directory with Go files stands in exactly one of layers and parts.
//
// A room that is not built yet may stand here already: its place is decided.
var plan = house{
	module: "hearth",

	// A package imports only from lower layers: the lowest ones import nothing of ours.
	layers: map[string]int{
		"backend/chat":    0, // channels, rows, members, bindings, threads, mentions: the vocabulary
		"backend/event":   0, // the bus
		"backend/folders": 0, // folders that anybody may have put there
		"backend/plain":   0, // foreign text made visible and countable
		"backend/pty":     0, // child processes
		"backend/token":   0, // counting
		"frontend":        0, // the page, embedded

		"backend/golden":            0, // compares what tests render with what was
		"backend/claude/claudetest": 0, // finds the real client for tests, of any layer

		"backend/acp":        1,
		"backend/changes":    1,
		"backend/claude":     1,
		"backend/delivery":   1,
		"backend/desktop":    1,
		"backend/files":      1,
		"backend/guard":      1,
		"backend/handoff":    1,
		"backend/ledger":     1,
		"backend/logs":       1,
		"backend/prompt":     1,
		"backend/resident":   1,
		"backend/search":     1,
		"backend/shell":      1,
		"backend/transcript": 1,
		"backend/workbench":  1,

		"backend/report": 2,
		"backend/run":    2,
		"backend/tool":   2,

		"backend/shell/helper": 2, // the program that stands before commands

		"backend/api":     3,
		"backend/sim":     3,
		"backend/standin": 3,
		"backend/store":   3,

		"backend/engine":          4, // puts it together
		"backend/store/storetest": 4, // an empty database for tests
		"backend/rehearsal":       4, // plays the simulation through the real client, against the stand-in

		"app":         5, // the window
		"build/icon":  6, // draws the icon
		"build/fill":  6, // fills a channel, to try a long history
		"backend/cli": 5, // the subcommands

		".":       6, // main.go
		"backend": 6, // this test, and one of the documents
	},

	// What a package may import beside itself, in its own layer, and why. Layer 0 has no exceptions.
	beside: map[pair]string{
		{"backend/shell", "backend/guard"}:     "which output is spilled, what its pointer says and which commands only read what was, is decided once",
		{"backend/workbench", "backend/guard"}: "how the file of a spilled text is called is decided once",
	},

	// A package that is a part of one room and is imported by that room alone.
	parts: map[string]string{
		"backend/chat/prose": "backend/chat",  // which parts of a message are words
		"backend/store/db":   "backend/store", // generated from the queries
		"app/freedesktop":    "app",           // notifications over the session bus
	},

	// Rooms whose imports of ours are listed one by one.
	only: map[string][]string{
		".": {"backend/cli", "app"},
	},

	// Modules that one room alone imports (with its parts), tests too.
	keepers: map[string]string{
		"modernc.org/sqlite": "backend/store",
	},

	// What any test may import whatever its layer. Nothing else is different for tests.
	forTests: map[string]bool{"backend/standin": true, "backend/store/storetest": true},

	// Hand-written files, tests aside. About 400 lines is comfortable.
	maxLines: 700,
}

func TestArchitecture(t *testing.T) {
	broken, err := plan.violations(os.DirFS(".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range broken {
		t.Error(b)
	}
}
