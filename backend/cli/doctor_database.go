package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"hearth/backend/engine"
	"hearth/backend/plain"
	"hearth/backend/store"
)

// tryAtMost is how large a database is copied to try it, in bytes.
const tryAtMost = 256 << 20

// checkDatabase says whether the database is whole and opens. It is read through
// in any case. Opening one may bring it up to date, and the doctor changes
// nothing: a copy is opened, unless a Hearth that runs can be asked.
func (a *app) checkDatabase(ctx context.Context, dir string, running *client) finding {
	path := filepath.Join(dir, engine.Database)
	f := finding{Name: "database", Required: true}
	var have channelList
	if running != nil {
		defer running.http.CloseIdleConnections()
		if _, err := running.get(ctx, "/api/channels?archived=true", &have); err != nil {
			f.Detail, f.Fix = fmt.Sprintf("the running Hearth can't read %s: %s", path, err), "end it and start it again with `hearth serve`; its log may say more"
			return f
		}
	}
	note, err := examine(ctx, path)
	var fault *store.Fault
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.OK, f.Detail = true, path+" (made at the first start)"
	case errors.As(err, &fault):
		f.Detail, f.Fix = fault.Problem(), fault.Next
	case err != nil:
		f.Detail, f.Fix = fmt.Sprintf("%s does not open: %s", path, err), "put a backup in its place, or move it away and start with a new one"
	case running != nil:
		f.OK, f.Detail = true, fmt.Sprintf("%s (%s)", path, plain.Count(len(have.Channels), "channel", "channels"))
	default:
		f.OK, f.Detail = true, path+note
	}
	return f
}

// examine reads a database through, and opens a copy of it where that is worth
// it. It leaves no trace but one: SQLite's index (-shm) of the log of a large
// database whose Hearth died.
func examine(ctx context.Context, path string) (note string, err error) {
	path, err = store.Resolve(path)
	if err != nil {
		return "", err
	}
	held, err := store.InUse(path)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	large := info.Size() > tryAtMost
	if large || held || store.Settled(path) {
		if err := store.Check(ctx, path); err != nil {
			return "", err
		}
	}
	switch {
	case held:
		return " (in use)", nil
	case large:
		return fmt.Sprintf(" (%s bytes, all of it read; too large to open a copy)", plain.Grouped(info.Size())), nil
	}
	return "", tryCopy(ctx, path)
}

// tryCopy reads a copy of a database through, and opens it.
func tryCopy(ctx context.Context, path string) (err error) {
	scratch, err := os.MkdirTemp("", "hearth-doctor-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	copied := filepath.Join(scratch, engine.Database)
	for _, suffix := range []string{"", "-wal"} {
		if err := copyFile(copied+suffix, path+suffix); err != nil && (suffix == "" || !errors.Is(err, fs.ErrNotExist)) {
			return err
		}
	}
	err = openCopy(ctx, copied)
	var fault *store.Fault
	if errors.As(err, &fault) && fault.Path == copied {
		fault.Path = path // what is said is about the original
	}
	return err
}

func openCopy(ctx context.Context, path string) error {
	if err := store.Check(ctx, path); err != nil {
		return err
	}
	s, err := store.Open(ctx, store.Options{Path: path})
	if err != nil {
		return err
	}
	_, err = s.Channels(ctx, true)
	return errors.Join(err, s.Close())
}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// writable asks the system, and leaves no trace.
func writable(dir string) bool { return unix.Access(dir, unix.W_OK|unix.X_OK) == nil }
