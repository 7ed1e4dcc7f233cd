package store

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"hearth/backend/chat"
)

// A claim is a database file that this process has for itself. A folder's lock
// can't stand for it: the file may have another name in another folder, and a lock
// file can be removed under a Hearth that runs.
//
// It is a lock on one byte of the file itself, so it is the same by whatever name,
// and a copy has its own. The system gives it back when the process ends.
//
//   - It is one of an open file (F_OFD_SETLK). A lock of a process (F_SETLK), which
//     is what SQLite takes, would go as soon as SQLite closes one of its own
//     connections. A lock on the whole file (flock) is apart from SQLite's on Linux
//     alone: on macOS, and on NFS and SMB under Linux, it would keep SQLite out.
//   - Nobody reads, writes or locks the byte. SQLite never uses the page it is in.
//   - macOS has had these locks since 10.13, but there this is untested.
//   - On NFS it holds between machines as far as the server's locks do; SQLite's own
//     log does not, so a database on a share is not for two machines in any case.
//   - Where the system has no such locks the folder's lock stands alone.
type claim struct {
	file  *os.File // nil once it was released
	place string
}

// claimByte is in the middle of the one page (of 4 KiB) which SQLite leaves empty
// for locks, behind the 512 bytes of it that SQLite locks. Fixed.
const claimByte = 0x40000000 + 0x800

// claims are the files this process has, by placeOf. To close a file is to lose
// all that SQLite has locked in it, so none of these is opened a second time.
var claims = struct {
	sync.Mutex
	files map[string]bool
}{files: map[string]bool{}}

// A process that was killed gives back what it holds one after the other: the lock
// of its folder, and the claim some moments later. So a claim of another process is
// asked for again for claimPatience.
const (
	claimPatience = time.Second
	claimPause    = 10 * time.Millisecond
)

// claimFile takes a database file, by the path that it really has. The error is
// ErrHeld when somebody has it, in this process or in another.
func claimFile(path string, log *slog.Logger) (*claim, error) {
	for began := time.Now(); ; time.Sleep(claimPause) {
		c, elsewhere, err := tryClaim(path, log)
		if !elsewhere || time.Since(began) > claimPatience {
			return c, err
		}
	}
}

// tryClaim is claimFile once; elsewhere says that another process has the file.
func tryClaim(path string, log *slog.Logger) (c *claim, elsewhere bool, err error) {
	claims.Lock()
	defer claims.Unlock()
	for range replacements {
		place, err := placeAt(path)
		if err != nil {
			return nil, false, err
		}
		if claims.files[place] {
			return nil, false, heldDatabase(path)
		}
		// Not blocking, because what is opened may be a pipe by now.
		file, err := os.OpenFile(path, os.O_RDWR|syscall.O_NONBLOCK, 0)
		if err != nil {
			return nil, false, fileFault(path, "open the database", err)
		}
		err = setLock(file)
		if noSuchLock(err) {
			log.Warn("the system can't lock the database itself: see to it that no second Hearth opens it by another name", "path", path, "error", err)
			err = nil
		}
		// A file that was put in its place meanwhile is the one to take.
		now, gone := placeAt(path)
		switch {
		case errors.Is(err, unix.EAGAIN), errors.Is(err, unix.EACCES):
			return nil, true, errors.Join(heldDatabase(path), file.Close())
		case err != nil:
			return nil, false, errors.Join(fileFault(path, "lock the database", err), file.Close())
		case gone == nil && now == place && isAt(file, place):
			claims.files[place] = true
			return &claim{file: file, place: place}, false, nil
		}
		if err := file.Close(); err != nil {
			return nil, false, err
		}
	}
	return nil, false, fmt.Errorf("lock the database: %s is replaced again and again", path)
}

// release gives the file back; a second time does nothing. SQLite must have closed
// it.
func (c *claim) release() error {
	claims.Lock()
	defer claims.Unlock()
	if c.file == nil {
		return nil
	}
	err := c.file.Close()
	c.file = nil
	delete(claims.files, c.place)
	return err
}

// InUse says whether a Hearth has a database open, by whatever name, or has the
// folder it is in. It changes nothing. What is not there, or is no file, is not in
// use.
func InUse(path string) (bool, error) {
	if real, err := Resolve(path); err == nil && claimed(real) {
		return true, nil
	}
	return Held(filepath.Dir(path))
}

// claimed says whether a database file is claimed, here or in another process.
func claimed(path string) bool {
	claims.Lock()
	defer claims.Unlock()
	place, err := placeAt(path)
	if err != nil || claims.files[place] {
		return err == nil
	}
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false // whoever opens it next says why
	}
	defer file.Close()
	lock := lockOf()
	return unix.FcntlFlock(file.Fd(), ofdGetLock, &lock) == nil && lock.Type != unix.F_UNLCK
}

// lockOf is the lock on the claim's byte.
func lockOf() unix.Flock_t { return unix.Flock_t{Type: unix.F_WRLCK, Start: claimByte, Len: 1} }

func setLock(file *os.File) error {
	lock := lockOf()
	return unix.FcntlFlock(file.Fd(), ofdSetLock, &lock)
}

// noSuchLock says whether a lock was refused because the system, or the file
// system, has none.
func noSuchLock(err error) bool {
	return errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOSYS) || errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.EOPNOTSUPP)
}

// placeAt is the place of the file at a path.
func placeAt(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fileFault(path, "look at the database", err)
	}
	return placeOf(info)
}

// isAt says whether an open file is the one of a place.
func isAt(file *os.File, place string) bool {
	info, err := file.Stat()
	if err != nil {
		return false
	}
	at, err := placeOf(info)
	return err == nil && at == place
}

func heldDatabase(path string) error {
	return chat.Wrap(chat.CodeConflict, ErrHeld, fmt.Sprintf("Hearth is already running with this database (%s)", path))
}
