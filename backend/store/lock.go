package store

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"

	"github.com/gofrs/flock"

	"hearth/backend/chat"
)

// LockName is the file in a data folder whose lock says that a Hearth runs with
// that folder. It stays when the lock goes, and keeps the folder's instance.
const LockName = "lock"

// ErrHeld is in the errors of Lock and Open, and in no others, when somebody else
// has the data folder, or the database.
var ErrHeld = errors.New("another process holds its lock")

// A Hold is a data folder that this process has for itself. It says nothing about
// the database in it, which Open takes by itself: a database may be in two folders.
type Hold struct {
	lock     *flock.Flock
	instance string
}

// Lock takes a data folder, making it when it is not there, for this process
// alone. The error is CodeConflict and ErrHeld when another process has it, and
// otherwise a Fault as far as the folder is to blame. The system gives the lock
// back when the process ends, however it ends.
func Lock(dir string) (*Hold, error) {
	if err := makeFolder(dir); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, LockName)
	if err := regular(path); err != nil {
		return nil, err
	}
	if leads, err := os.Readlink(path); err == nil {
		// What is locked is written to: never to a file of somebody else's.
		return nil, notOurs(path, "is a link to "+leads)
	}
	for range replacements {
		// Not blocking, because what is opened may be a pipe by now.
		lock := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR|syscall.O_NONBLOCK|syscall.O_NOFOLLOW), flock.SetPermissions(0o600))
		ok, err := lock.TryLock()
		switch {
		case err != nil:
			return nil, fileFault(dir, "lock the data folder", err)
		case !ok:
			return nil, chat.Wrap(chat.CodeConflict, ErrHeld, fmt.Sprintf("Hearth is already running with this data folder (%s)", dir))
		}
		instance, err := instanceOf(path, lock)
		if err == nil {
			return &Hold{lock: lock, instance: instance}, nil
		}
		var fault *Fault
		if err := errors.Join(err, lock.Unlock()); errors.As(err, &fault) {
			return nil, fault
		} else if !errors.Is(err, errReplaced) {
			return nil, fileFault(dir, "lock the data folder", err)
		}
	}
	return nil, fmt.Errorf("lock the data folder: %s is replaced again and again", path)
}

// Held says whether another process has a data folder. It changes nothing there.
func Held(dir string) (bool, error) {
	path := filepath.Join(dir, LockName)
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false, nil //nolint:nilerr // nobody holds what is not there, or is no lock
	}
	lock := flock.New(path, flock.SetFlag(os.O_RDONLY|syscall.O_NONBLOCK))
	free, err := lock.TryRLock()
	if err != nil {
		return false, fileFault(dir, "look at the lock", err)
	}
	return !free, lock.Unlock()
}

// Instance is the random id that marks what Hearth starts with this data folder.
// It has letters and digits only. It is made at the first Lock and the same at
// every later one, also after the folder was renamed. It is another one when the
// file that is locked is another file: in a copy, in a backup that was brought
// back, after a move to another disk.
//
// So whoever holds a folder may take what carries its instance for left over:
// whoever started it held this same file, and does so no longer. (The number of
// a file that is gone can come back, but not while a process has it open.)
func (h *Hold) Instance() string { return h.instance }

// Release gives the folder back.
func (h *Hold) Release() error {
	if err := h.lock.Unlock(); err != nil {
		return fmt.Errorf("give the data folder back: %w", err)
	}
	return nil
}

// replacements is how often a lock file may be replaced by another while it is
// being locked.
const replacements = 10

// errReplaced says that the file that was locked is no longer the folder's.
var errReplaced = errors.New("the lock file was replaced")

// maxLock is how much of a lock file is read, in bytes; one that is as it should
// be is shorter.
const maxLock = 256

// instanceOf reads the instance out of a lock file that is held, or writes a new
// one into it, synced.
func instanceOf(path string, held *flock.Flock) (string, error) {
	file, err := os.OpenFile(path, os.O_RDWR|syscall.O_NONBLOCK|syscall.O_NOFOLLOW, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return "", errReplaced
	}
	if err != nil {
		return "", err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return "", err
	}
	if locked, err := held.Stat(); err != nil || !os.SameFile(locked, info) {
		return "", errors.Join(errReplaced, err)
	}
	place, err := placeOf(info)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(io.LimitReader(file, maxLock+1))
	if err != nil {
		return "", err
	}
	if instance, where := parseLock(text); instance != "" && where == place {
		return instance, nil
	}
	if !written(text) {
		return "", notOurs(path, "was written by another program")
	}
	instance := rand.Text()
	// Emptied first: no mixture of the two is ever there.
	if err := file.Truncate(0); err != nil {
		return "", err
	}
	if _, err := file.WriteAt([]byte("instance "+instance+" of file "+place+"\n"), 0); err != nil {
		return "", err
	}
	return instance, errors.Join(file.Sync(), syncDir(filepath.Dir(path)))
}

// placeOf names a file as the system does: by device and number.
func placeOf(info fs.FileInfo) (string, error) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "", errors.New("the system gives files no numbers")
	}
	return fmt.Sprintf("%x:%x", stat.Dev, stat.Ino), nil
}

// lockText is what stands in a lock file: the instance, and which file it was
// given to.
var lockText = regexp.MustCompile(`\Ainstance ([A-Z2-7]{26}) of file (-?[0-9a-f]+:[0-9a-f]+)\n\z`)

// parseLock reads what stands in a lock file; "" is anything that was not written
// here.
func parseLock(text []byte) (instance, place string) {
	found := lockText.FindSubmatch(text)
	if found == nil {
		return "", ""
	}
	return string(found[1]), string(found[2])
}

// written says whether what stands in a lock file may have been written here: it
// may also be cut off, or zeros, after the machine's power was.
func written(text []byte) bool {
	const begins = "instance "
	text = bytes.Trim(text, "\x00")
	return len(text) <= maxLock && (bytes.HasPrefix(text, []byte(begins)) || strings.HasPrefix(begins, string(text)))
}

func notOurs(path, what string) error {
	return &Fault{Code: chat.CodeConflict, Path: path, What: what + ", not a lock of Hearth's", Next: "Move it away, then try again"}
}

// makeFolder makes a folder for its owner alone, when it is not there.
func makeFolder(dir string) error {
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		return nil
	}
	for at := dir; ; at = filepath.Dir(at) {
		if leads, ok := dangling(at); ok {
			return danglingFault(at, leads)
		}
		if info, err := os.Stat(at); err == nil && !info.IsDir() {
			return &Fault{
				Code: chat.CodeConflict, Path: at, What: "is " + kind(info.Mode()) + ", not a folder",
				Next: "Move it away, or choose another data folder",
			}
		}
		if at == filepath.Dir(at) {
			return fileFault(dir, "make the data folder", err)
		}
	}
}

// dangling says where a link leads that leads to nothing.
func dangling(path string) (leads string, ok bool) {
	leads, err := os.Readlink(path)
	if err != nil {
		return "", false
	}
	_, err = os.Stat(path)
	return leads, errors.Is(err, fs.ErrNotExist)
}

// regular finds fault with what is there and is no file: a pipe or a device would
// keep whoever opens it for ever.
func regular(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if leads, ok := dangling(path); ok {
			return danglingFault(path, leads)
		}
		return nil
	case err != nil:
		return fileFault(path, "look at the file", err)
	case !info.Mode().IsRegular():
		return &Fault{
			Code: chat.CodeConflict, Path: path, What: "is " + kind(info.Mode()) + ", not a file",
			Next: "Move it away, then try again",
		}
	}
	return nil
}

func danglingFault(path, leads string) error {
	return &Fault{
		Code: chat.CodeConflict, Path: path, What: fmt.Sprintf("is a link to %s, which is not there", leads),
		Next: "If that is on a disk that is not mounted, mount it; else remove the link, then try again",
	}
}

// kind names what is no file, with its article.
func kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	case mode.IsRegular():
		return "a file"
	}
	return "something else"
}
