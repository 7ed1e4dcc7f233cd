package cli

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"hearth/backend/engine"
	"hearth/backend/store"
)

// tryAtMost is how large a database is copied to try it, in bytes.
const tryAtMost = 256 << 20

// checkDatabase says whether the database opens. Opening one may bring it up to
// date, and the doctor changes nothing: a copy is opened, unless a Hearth that
// runs can be asked.
func (a *app) checkDatabase(ctx context.Context, dir string, running *client) finding {
	path := filepath.Join(dir, engine.Database)
	f := finding{Name: "database", Required: true, Detail: path}
	if running != nil {
		defer running.http.CloseIdleConnections()
		var have channelList
		if _, err := running.get(ctx, "/api/channels?archived=true", &have); err != nil {
			f.Detail, f.Fix = fmt.Sprintf("the running Hearth can't read %s: %s", path, err), "end it and start it again with `hearth serve`; its log may say more"
			return f
		}
		f.OK, f.Detail = true, fmt.Sprintf("%s (%s)", path, count(len(have.Channels), "channel", "channels"))
		return f
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.OK, f.Detail = true, path+" (made at the first start)"
		return f
	case err != nil:
		f.Detail = err.Error()
	case info.Size() > tryAtMost:
		f.OK, f.Detail = looksRight(path), fmt.Sprintf("%s (%s bytes: too large to try a copy, so only its beginning was looked at)", path, number(info.Size()))
	default:
		err = tryCopy(ctx, path)
		f.OK = err == nil
		if err != nil {
			f.Detail = fmt.Sprintf("%s does not open: %s", path, err)
		}
	}
	if !f.OK {
		f.Fix = "put a backup in its place, or move it away and start with a new one"
	}
	return f
}

// looksRight looks at the marks that SQLite and Hearth put at a file's beginning.
func looksRight(path string) bool {
	head, err := readHead(path, 100)
	return err == nil && len(head) == 100 && string(head[:16]) == "SQLite format 3\x00" && binary.BigEndian.Uint32(head[68:]) == databaseMark
}

// databaseMark is the application id of Hearth's database: "HRTH".
const databaseMark = 0x48525448

// tryCopy opens a copy of a database.
func tryCopy(ctx context.Context, path string) (err error) {
	scratch, err := os.MkdirTemp("", "hearth-doctor-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	copied := filepath.Join(scratch, filepath.Base(path))
	for _, suffix := range []string{"", "-wal"} {
		if err := copyFile(copied+suffix, path+suffix); err != nil && (suffix == "" || !errors.Is(err, fs.ErrNotExist)) {
			return err
		}
	}
	s, err := store.Open(ctx, store.Options{Path: copied})
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
