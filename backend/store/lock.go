package store

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// LockName is the file in a data folder whose lock says that a Hearth runs with
// that folder. It stays when the lock goes.
const LockName = "lock"

// Lock takes a data folder, making it when it is not there, for this process
// alone. It answers CodeConflict when another process has it. The system gives
// the lock back when the process ends, however it ends.
func Lock(dir string) (release func() error, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("lock the data folder: %w", err)
	}
	lock := flock.New(filepath.Join(dir, LockName), flock.SetPermissions(0o600))
	ok, err := lock.TryLock()
	switch {
	case err != nil:
		return nil, fmt.Errorf("lock the data folder: %w", err)
	case !ok:
		return nil, conflict("Hearth is already running with this data folder (%s).", dir)
	}
	return lock.Unlock, nil
}
