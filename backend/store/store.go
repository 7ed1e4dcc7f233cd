package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"hearth/backend/run"
	"hearth/backend/store/db"
)

// Options is what a Store is made of.
type Options struct {
	Path  string           // of the database file; its folder is made when it is not there
	Clock func() time.Time // nil is time.Now
	Log   *slog.Logger     // nil discards
}

// Store is an open database. Its methods may be called from any goroutine.
type Store struct {
	path  string
	claim *claim
	clock func() time.Time
	log   *slog.Logger

	writer, reader *sql.DB
	changes, views *db.Queries

	begun   atomic.Bool // the file is not marked as whole: Close has to
	damaged atomic.Bool // damage was met
}

var _ run.Store = (*Store)(nil)

// Close waits for what is going on and closes the database. A Store that was
// closed answers every call with an error.
func (s *Store) Close() error {
	s.end()
	// The writer goes last: the last to go puts the log into the file.
	err := errors.Join(closeAll(s.views, s.reader), closeAll(s.changes, s.writer))
	err = errors.Join(err, s.claim.release())
	if err != nil {
		return fmt.Errorf("close store: %w", err)
	}
	return nil
}

// closeAll closes a pool and what was prepared for it, as far as Open came.
func closeAll(q *db.Queries, pool *sql.DB) error {
	var err error
	if q != nil {
		err = q.Close()
	}
	if pool != nil {
		err = errors.Join(err, pool.Close())
	}
	return err
}

// durability says when a change is on the disk. It is the statement that tells
// SQLite so: in WAL mode NORMAL leaves the sync to a later change, and a later
// FULL one syncs all that was written before it.
type durability string

const (
	synced  durability = "PRAGMA synchronous = FULL"
	relaxed durability = "PRAGMA synchronous = NORMAL"
)

// change makes one write transaction out of what fn does; op names it in errors.
func (s *Store) change(ctx context.Context, d durability, op string, fn func(ctx context.Context, q *db.Queries) error) error {
	conn, err := s.writer.Conn(ctx)
	if err != nil {
		return s.failed(op, err)
	}
	defer conn.Close() //nolint:errcheck // it only goes back to its pool
	ctx = context.WithoutCancel(ctx)
	// Said anew each time, because the connection may be a new one.
	if _, err := conn.ExecContext(ctx, string(d)); err != nil {
		return s.failed(op, err)
	}
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return s.failed(op, err)
	}
	defer tx.Rollback() //nolint:errcheck // does nothing after a commit
	if err := fn(ctx, s.changes.WithTx(tx)); err != nil {
		return s.failed(op, err)
	}
	return s.failed(op, tx.Commit())
}

// view makes one read transaction out of what fn does.
func (s *Store) view(ctx context.Context, op string, fn func(q *db.Queries) error) error {
	tx, err := s.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return s.failed(op, err)
	}
	defer tx.Rollback() //nolint:errcheck // nothing was written
	return s.failed(op, fn(s.views.WithTx(tx)))
}

// none says whether a query found nothing.
func none(err error) bool { return errors.Is(err, sql.ErrNoRows) }
