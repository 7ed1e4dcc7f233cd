package store

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"hearth/backend/chat"
)

// A Fault says why a data folder, or a file in it, can't be used as it is, and
// what a person can do about it. Nothing was changed.
type Fault struct {
	Code chat.Code
	Path string // the folder or the file
	What string // what is the matter: the rest of a sentence that begins with Path
	Next string // what to do: one sentence or more, the last without a full stop
	Err  error  // the cause, if any
}

// Error is what is the matter, and then what to do.
func (f *Fault) Error() string { return f.Problem() + ". " + f.Next }

// Problem is what is the matter alone.
func (f *Fault) Problem() string {
	said := f.Path + " " + f.What
	if f.Err != nil {
		said += " (" + f.Err.Error() + ")"
	}
	return said
}

// Unwrap gives the coded error, and the cause.
func (f *Fault) Unwrap() []error {
	coded := chat.Errorf(f.Code, "%s.", f.Error())
	if f.Err == nil {
		return []error{coded}
	}
	return []error{coded, f.Err}
}

// failed names the operation in an error, and tells people what they can do
// about a damaged file or a full disk. Coded errors pass as they are.
func (s *Store) failed(op string, err error) error {
	var coded *chat.Error
	if err == nil || errors.As(err, &coded) {
		return err
	}
	if damage(err) {
		s.damaged.Store(true)
	}
	if said := explain(s.path, err); said != nil {
		return said
	}
	return fmt.Errorf("%s: %w", op, err)
}

// recovery is what to do about a file that can't be read.
const recovery = "Hearth has left it as it was, where it was. To go back to a backup: end every Hearth, move hearth.db and, where they are, " +
	"hearth.db-wal and hearth.db-shm to another folder (keep them: `sqlite3 hearth.db .recover` can save what is still readable), " +
	"put the backup in their place as hearth.db, and start again. Without a backup, move them all the same: Hearth then starts with an empty one"

// damagedFault is a database in which something is broken; what was found says
// what.
func damagedFault(path, what string, err error) error {
	return &Fault{Code: chat.CodeInternal, Path: path, What: what, Next: recovery, Err: err}
}

// damage says whether an error is about what stands in the file.
func damage(err error) bool {
	var broken *sqlite.Error
	return errors.As(err, &broken) && broken.Code()&0xff == sqlite3.SQLITE_CORRUPT
}

// explain finds words for what SQLite says about the file itself; nil when it
// is about something else.
func explain(path string, err error) error {
	var broken *sqlite.Error
	if !errors.As(err, &broken) {
		return nil
	}
	fault := &Fault{Code: chat.CodeUnavailable, Path: path, Err: err}
	code := broken.Code() & 0xff // the rest of it is detail
	if broken.Code() == sqlite3.SQLITE_IOERR_SHMSIZE {
		code = sqlite3.SQLITE_FULL // no room for the log's index
	}
	switch code {
	case sqlite3.SQLITE_CORRUPT:
		return damagedFault(path, "is damaged", err)
	case sqlite3.SQLITE_NOTADB:
		return damagedFault(path, "is no database, or its beginning is damaged", err)
	case sqlite3.SQLITE_FULL:
		fault.What, fault.Next = noRoom, makeRoom
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		fault.What, fault.Next = "can't be opened for writing", "Look at its owner and permissions, at those of its folder, and whether the disk is mounted read-only"
	case sqlite3.SQLITE_BUSY:
		fault.What, fault.Next = "is locked by another program", "End that program, or try again later"
	case sqlite3.SQLITE_IOERR:
		fault.What, fault.Next = "can't be read or written: the disk reports an error", "Look at the system's log (`dmesg`), and copy the data folder to another disk while it can be read"
	default:
		return nil
	}
	return fault
}

const (
	noRoom   = "can't be written: there is no room left on its disk"
	makeRoom = "Nothing is lost: free some space, then try again"
)

// fileFault finds words for what the system says about a file or a folder; op
// names the operation where there are none.
func fileFault(path, op string, err error) error {
	fault := &Fault{Code: chat.CodeUnavailable, Path: path, Err: err}
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		fault.What, fault.Next = noRoom, makeRoom
	case errors.Is(err, syscall.EROFS):
		fault.What, fault.Next = "can't be written: its disk is mounted read-only", "Mount it for writing, or choose another data folder"
	case errors.Is(err, fs.ErrPermission):
		fault.What, fault.Next = "can't be written: it is not yours, or its permissions forbid it", "Look at its owner and permissions (`ls -ld`), or choose another data folder"
	default:
		return fmt.Errorf("%s %s: %w", op, path, err)
	}
	return fault
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
