// Package folders opens folders that anybody may have put there, and follows
// nothing. The workspace's .flower is written to by agents, people and several
// parts of Hearth at once: whatever goes into it goes through here.
package folders

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"time"
)

const (
	// PartPrefix begins the names of files that are being written.
	PartPrefix = ".hearth-part-"
	// PartsAfter is when what was being written, by a Hearth that died, is taken
	// away. A write takes seconds.
	PartsAfter = time.Hour

	// sweepAtMost is how many names Sweep looks at.
	sweepAtMost = 200_000

	// here is put behind the path of a folder that is opened. Opening a FIFO waits
	// until somebody writes to it, for ever if need be. With this behind it the system
	// goes through the path, which it does with folders alone, before it opens
	// anything: what is no folder is refused at once, also what took a folder's place
	// after it was looked at.
	here = "/."
)

// ErrNone says that something is there and is no folder of its own.
var ErrNone = errors.New("it is no folder of its own, but a link or a file")

// Open opens a folder by its path as the root of all that follows. A link to one is
// followed. What is no folder is ENOTDIR; it is never waited for.
func Open(path string) (*os.Root, error) { return os.OpenRoot(path + here) }

// Enter opens a folder in another one, and nothing that a link leads to: a link may
// lead to a place in which files are run, such as git's hooks. What is there and is
// no folder of its own is ErrNone.
func Enter(in *os.Root, name string) (*os.Root, error) {
	before, err := in.Lstat(name)
	if err != nil {
		return nil, err
	}
	return enterSame(in, name, before)
}

// enterSame opens a folder that was looked at before.
func enterSame(in *os.Root, name string, before os.FileInfo) (*os.Root, error) {
	if !before.IsDir() {
		return nil, ErrNone
	}
	opened, err := openIn(in, name)
	if errors.Is(err, syscall.ENOTDIR) {
		return nil, ErrNone
	}
	if err != nil {
		return nil, err
	}
	// A link may have taken its place in between.
	after, err := opened.Stat(".")
	if err == nil && !os.SameFile(before, after) {
		err = ErrNone
	}
	if err != nil {
		return nil, errors.Join(err, opened.Close())
	}
	return opened, nil
}

func openIn(in *os.Root, name string) (*os.Root, error) { return in.OpenRoot(name + here) }

// Sweep takes away what a Hearth that died was writing in a folder. What goes wrong
// here stands in nobody's way.
func Sweep(in *os.Root) {
	list, err := in.Open(".")
	if err != nil {
		return
	}
	defer list.Close()
	names, err := list.Readdirnames(sweepAtMost)
	if err != nil {
		return
	}
	for _, name := range names {
		if !strings.HasPrefix(name, PartPrefix) {
			continue
		}
		if info, err := in.Lstat(name); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > PartsAfter {
			_ = in.Remove(name)
		}
	}
}

// WriteNew writes a file where none is: of one that is there already, somebody was
// quicker, and it is theirs. It is gone again when it can't be whole.
func WriteNew(folder *os.Root, name, content string) error {
	file, err := folder.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = file.WriteString(content)
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, Absent(folder.Remove(name)))
	}
	return nil
}
