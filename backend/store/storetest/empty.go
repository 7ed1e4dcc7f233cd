// Package storetest prepares databases for the tests of other packages.
package storetest

import (
	"context"

	"hearth/backend/golden"
	"hearth/backend/store"
)

var empty golden.Once

// Empty puts a database of today's schema with nothing in it at a path, unless there
// is a file. To bring one there takes most of what opening it takes, and under the race
// detector half a second, so a test program does it once.
func Empty(path string) error {
	return empty.Copy(path, func(path string) error {
		s, err := store.Open(context.Background(), store.Options{Path: path})
		if err != nil {
			return err
		}
		return s.Close()
	})
}
