package changes

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"hearth/backend/folders"
)

// Fault says why a file can't be looked at or written, in words that go on after
// "it": "is a link by now".
type Fault struct{ Why string }

func (f *Fault) Error() string { return "the file " + f.Why }

// The faults.
var (
	errLink    = &Fault{"is a link"}
	errHard    = &Fault{"has a second name (a hard link)"}
	errSpecial = &Fault{"is no regular file"}
	errFolder  = &Fault{"is behind a link or a file, and not in the folder where it was"}
	errRights  = &Fault{"can't be read or written: the rights to it or to its folder are missing"}
)

// Resolve returns a path with the links in it resolved, as far as it exists. A path
// that is none is returned as it is, cleaned.
func Resolve(path string) string {
	path = filepath.Clean(path)
	var rest []string
	for at := path; ; at = filepath.Dir(at) {
		if own, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(append([]string{own}, rest...)...)
		}
		if at == filepath.Dir(at) {
			return path
		}
		rest = append([]string{filepath.Base(at)}, rest...)
	}
}

// Disk is the disk that everybody works on.
type Disk struct{}

// Look is the function Look.
func (Disk) Look(path string) (Version, error) { return Look(path) }

// Replace is the function Replace.
func (Disk) Replace(path, expect string, want Version) (Version, error) {
	return Replace(path, expect, want)
}

// Look returns what a file is now; no file, and no folder to it, is the zero Version.
// The path is one that Resolve returned. Errors: a Fault, or what reading met.
func Look(path string) (Version, error) {
	in, err := folders.Reach(filepath.Dir(path), false)
	if errors.Is(err, fs.ErrNotExist) {
		return Version{}, nil
	}
	if err != nil {
		return Version{}, faultOf(err)
	}
	defer in.Close() //nolint:errcheck // a folder, looked into
	return look(in, filepath.Base(path))
}

// look is Look for a file of an open folder.
func look(in *os.Root, name string) (Version, error) {
	before, err := in.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return Version{}, nil
	}
	if err != nil {
		return Version{}, faultOf(err)
	}
	if err := usable(before); err != nil {
		return Version{}, err
	}
	// O_NONBLOCK: a FIFO that took its place would wait for a writer for ever.
	file, err := in.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if err != nil {
		return Version{}, faultOf(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return Version{}, faultOf(err)
	}
	if !os.SameFile(before, info) {
		return Version{}, errLink // it took the file's place just now
	}
	v := Version{Hash: Unknown, Size: info.Size(), Mode: info.Mode().Perm()}
	if v.Size > maxHashed {
		return v, nil
	}
	sum := sha256.New()
	kept, err := io.ReadAll(io.TeeReader(io.LimitReader(file, MaxKept+1), sum))
	if err != nil {
		return Version{}, faultOf(err)
	}
	size := int64(len(kept))
	if size > MaxKept {
		more, err := io.Copy(sum, io.LimitReader(file, maxHashed))
		if err != nil {
			return Version{}, faultOf(err)
		}
		size += more
	} else {
		v.Text = kept
	}
	v.Size, v.Hash = size, hex.EncodeToString(sum.Sum(nil))
	return v, nil
}

// usable says why a file is not one to read or to replace.
func usable(info fs.FileInfo) error {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return errLink
	case !info.Mode().IsRegular():
		return errSpecial
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && stat.Nlink > 1 {
		return errHard
	}
	return nil
}

// faultOf puts into words what is wrong with a file or its folder, where that is known.
func faultOf(err error) error {
	switch {
	case errors.Is(err, folders.ErrNone), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ELOOP):
		return errFolder
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return errRights
	case strings.Contains(err.Error(), "path escapes"): // os.Root's own, which is not exported
		return errLink
	}
	return err
}

func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// Why says what is wrong with a file, in words that go on after "it".
func Why(err error) string {
	var fault *Fault
	if errors.As(err, &fault) {
		return fault.Why
	}
	return "can't be read or written (" + err.Error() + ")"
}
