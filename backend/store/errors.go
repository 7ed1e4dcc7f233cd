package store

import (
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"hearth/backend/chat"
)

// failed names the operation in an error, and tells people what they can do
// about a damaged file or a full disk. Coded errors pass as they are.
func (s *Store) failed(op string, err error) error {
	var coded *chat.Error
	if err == nil || errors.As(err, &coded) {
		return err
	}
	if said := explain(s.path, err); said != nil {
		return said
	}
	return fmt.Errorf("%s: %w", op, err)
}

// explain finds words for what SQLite says about the file itself; nil when it
// is about something else.
func explain(path string, err error) error {
	var broken *sqlite.Error
	if !errors.As(err, &broken) {
		return nil
	}
	switch broken.Code() & 0xff { // the rest of the code is detail
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return chat.Wrap(chat.CodeInternal, err, fmt.Sprintf("The database file %s is damaged, or is no database. Hearth has not changed it: put a good copy in its place, or move it away to start with an empty one", path))
	case sqlite3.SQLITE_FULL:
		return chat.Wrap(chat.CodeUnavailable, err, fmt.Sprintf("The disk that holds %s is full. Nothing was changed: free some space and try again", path))
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		return chat.Wrap(chat.CodeUnavailable, err, fmt.Sprintf("The database file %s can't be opened for writing: look at its owner and permissions, and at those of its folder", path))
	case sqlite3.SQLITE_BUSY:
		return chat.Wrap(chat.CodeUnavailable, err, fmt.Sprintf("The database file %s is locked by another program: end that program, or try again later", path))
	}
	return nil
}

// notFound is the error for an id that nobody knows.
func notFound(what, id string) error {
	return chat.Errorf(chat.CodeNotFound, "There is no %s %q.", what, id)
}

// found turns "no such line" into CodeNotFound.
func found(err error, what, id string) error {
	if none(err) {
		return notFound(what, id)
	}
	return err
}

// conflict is the error for what clashes with the state of things.
func conflict(format string, args ...any) error {
	return chat.Errorf(chat.CodeConflict, format, args...)
}
