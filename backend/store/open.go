package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/pressly/goose/v3"
	"modernc.org/sqlite"

	"hearth/backend/store/db"
)

//go:embed migrations/*.sql
var migrations embed.FS

// applicationID marks a database file as Hearth's ("HRTH"). Fixed.
const applicationID = 0x48525448

// readers is how many views can go on at once; more wait for one another.
const readers = 4

// DefaultDir is the platform's usual place for Hearth's data: on Linux
// $XDG_DATA_HOME/hearth or ~/.local/share/hearth, on macOS
// ~/Library/Application Support/Hearth.
func DefaultDir() (string, error) {
	if runtime.GOOS != "darwin" {
		if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
			return filepath.Join(dir, "hearth"), nil
		}
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find the data folder: %w", err)
	}
	if runtime.GOOS == "darwin" {
		return filepath.Join(home, "Library", "Application Support", "Hearth"), nil
	}
	return filepath.Join(home, ".local", "share", "hearth"), nil
}

// Open opens the database, making it when it is not there and bringing its
// schema up to date. When its last end was not in order, it is read through
// first, as Check does. Hold Lock on its folder while it is open. In a test it
// refuses a path inside DefaultDir.
//
// A database is open once at a time: the error is CodeConflict and ErrHeld when
// another process has it, or this one, by whatever name. It is a Fault when the file
// can't be used as it is.
func Open(ctx context.Context, o Options) (_ *Store, err error) {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	path, err := place(o.Path)
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	claim, err := claimFile(path, o.Log)
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, claim.release())
		}
	}()
	version, err := inspect(ctx, path, looking{alone: true, log: o.Log})
	if err == nil {
		err = tighten(path)
	}
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	// A sync of the data is what a commit waits for; the file's times can come
	// later. Where the system has no such call SQLite uses the one it has.
	_, _ = sqlite.Fdatasync(true)

	s := &Store{path: path, claim: claim, clock: o.Clock, log: o.Log}
	defer func() {
		if meaningless(err) { // the file lacks a part of the schema: say which
			if _, found := inspect(ctx, path, looking{through: true}); found != nil {
				err = found
			}
		}
		if err != nil {
			err = errors.Join(s.failed("open store", err), s.Close())
		}
	}()
	if s.writer, err = connect(path, 1, "_txlock=immediate", "_pragma=journal_mode(WAL)", "_pragma=synchronous(FULL)",
		"_pragma=fullfsync(1)", "_pragma=checkpoint_fullfsync(1)", "_pragma=journal_size_limit(16777216)"); err != nil {
		return nil, err
	}
	if s.reader, err = connect(path, readers, "_query_only=1"); err != nil {
		return nil, err
	}
	if err := migrate(ctx, s.writer, path, version, o.Log); err != nil {
		return nil, err
	}
	if s.changes, err = db.Prepare(ctx, s.writer); err != nil {
		return nil, err
	}
	if s.views, err = db.Prepare(ctx, s.reader); err != nil {
		return nil, err
	}
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// place makes the folder and the file, for their owner alone, and returns the
// path that the file really has. It finds fault with what is there and is no file.
func place(path string) (string, error) {
	if path == "" {
		return "", errors.New("no path was given")
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if testing.Testing() {
		if dir, err := DefaultDir(); err == nil && strings.HasPrefix(path, dir+string(filepath.Separator)) {
			return "", fmt.Errorf("%s is a person's own data: a test must use a folder of its own", path)
		}
	}
	dir := filepath.Dir(path)
	if err := makeFolder(dir); err != nil {
		return "", err
	}
	there, err := Resolve(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return there, err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return "", fileFault(dir, "make the database in", err)
	}
	// The name of a new file is on the disk when its folder is.
	return path, errors.Join(file.Close(), syncDir(dir), syncDir(filepath.Dir(dir)))
}

// tighten keeps others from reading a file that is ours.
func tighten(path string) error {
	info, err := os.Stat(path)
	if err == nil && info.Mode().Perm()&0o077 != 0 {
		err = os.Chmod(path, 0o600)
	}
	if err != nil {
		return fileFault(path, "look at the database", err)
	}
	return nil
}

// Resolve follows a link to a database to the file itself, beside which SQLite
// keeps its log. It finds fault with whatever SQLite would open and is no file: a
// pipe, say, whose other end it would wait for, for ever. A file that is not there
// is an error (fs.ErrNotExist).
//
// Nothing is opened to find out: to close a file is to lose the locks that this
// process has on it.
func Resolve(path string) (string, error) {
	if _, err := os.Readlink(path); err == nil {
		if err := regular(path); err != nil {
			return "", err
		}
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return "", fmt.Errorf("find the database: %w", err)
		}
	}
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		if err := regular(path + suffix); err != nil {
			return "", err
		}
	}
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("find the database: %w", err)
	}
	return path, nil
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// connect makes a pool of at most n connections; each is kept.
func connect(path string, n int, params ...string) (*sql.DB, error) {
	if err := AddFunctions(); err != nil {
		return nil, err
	}
	params = append(params, "_defensive=1", "_dqs=0", "_error_rc=1", "_pragma=busy_timeout(10000)", "_pragma=foreign_keys(1)")
	escaped := (&url.URL{Path: path}).EscapedPath()
	pool, err := sql.Open("sqlite", "file:"+escaped+"?"+strings.Join(params, "&"))
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(n)
	pool.SetMaxIdleConns(n)
	return pool, nil
}

// migrate brings the schema from a version up to date, each step in one
// transaction.
func migrate(ctx context.Context, writer *sql.DB, path string, version int64, log *slog.Logger) error {
	provider, err := steps(writer)
	if err != nil {
		return err
	}
	sources := provider.ListSources()
	newest := sources[len(sources)-1].Version
	if version == newest {
		return nil
	}
	if _, err := writer.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", applicationID)); err != nil {
		return err
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("bring the schema of %s up to date: %w", path, err)
	}
	log.Info("the database's schema is up to date", "path", path, "from", version, "to", newest)
	return nil
}

// steps is what brings the schema of a database from one version to another.
func steps(db *sql.DB) (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return nil, fmt.Errorf("read the migrations: %w", err)
	}
	return provider, nil
}
