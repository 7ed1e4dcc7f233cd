package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"hearth/backend/store"
)

// dataDir is where everything is kept: HEARTH_DATA_DIR, or the platform's usual
// place.
func (a *app) dataDir() (string, error) {
	if dir := a.env("HEARTH_DATA_DIR"); dir != "" {
		absolute, err := filepath.Abs(dir)
		if err != nil {
			return "", fmt.Errorf("find the data folder: %w", err)
		}
		return absolute, nil
	}
	return store.DefaultDir()
}

// workspace is the folder of channels that are made without one: where the
// command was started, unless that is the root of the disk (started from a menu)
// or is gone.
func workspace() (string, error) {
	if dir, err := os.Getwd(); err == nil && dir != string(filepath.Separator) {
		return dir, nil
	}
	return os.UserHomeDir()
}
