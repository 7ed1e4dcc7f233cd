package folders

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// Move gives a file of one folder a name in another one, or in the same, and replaces
// nothing: fs.ErrExist when the name is taken. The file is whole under either name.
// Links are moved themselves, never what they lead to, and nothing is opened: a FIFO
// is moved as well. Both names are the last part of a path. Folders on two disks are
// syscall.EXDEV.
func Move(from *os.Root, name string, into *os.Root, as string) error {
	return move(from, name, into, as, renameNew, linkNew, takeNew)
}

// naming is a way to move a file: fs.ErrExist when the name is taken, errUnable when
// the file system can't do it this way.
type naming func(from, into int, name, as string) error

// errUnable says that a file system does not know a way of naming.
var errUnable = errors.New("the file system can't do this")

// move moves by the first of the ways that the file system knows.
func move(from *os.Root, name string, into *os.Root, as string, ways ...naming) error {
	err := errUnable
	for _, way := range ways {
		if errors.Is(err, errUnable) {
			err = opened(from, into, func(f, i int) error { return way(f, i, name, as) })
		}
	}
	if err == nil {
		return nil
	}
	return &os.LinkError{Op: "move", Old: name, New: as, Err: err}
}

// opened does something with the descriptors of two folders.
func opened(from, into *os.Root, do func(from, into int) error) error {
	one, err := from.Open(".")
	if err != nil {
		return err
	}
	defer one.Close()
	two, err := into.Open(".")
	if err != nil {
		return err
	}
	defer two.Close()
	return under(one, func(f int) error {
		return under(two, func(i int) error { return do(f, i) })
	})
}

func under(folder *os.File, do func(fd int) error) (err error) {
	raw, err := folder.SyscallConn()
	if err != nil {
		return err
	}
	if used := raw.Control(func(fd uintptr) { err = do(int(fd)) }); used != nil {
		return used
	}
	return err
}

// renameNew renames in one step that fails where something is already. Linux and
// macOS know it; some file systems of theirs (NFS, for one) do not.
func renameNew(from, into int, name, as string) error {
	return unable(renameExclusive(from, name, into, as))
}

// linkNew gives the file a second name and takes the first away. In between it is a
// hard link, which nobody reads; a Hearth that dies right there leaves both names.
func linkNew(from, into int, name, as string) error {
	if err := unix.Linkat(from, name, into, as, 0); err != nil {
		return unable(err)
	}
	if err := Absent(unix.Unlinkat(from, name, 0)); err != nil {
		return errors.Join(err, Absent(unix.Unlinkat(into, as, 0)))
	}
	return nil
}

// takeNew takes the name with an empty file, and then renames over it. It is for
// file systems that know neither of the others: whoever looks in between sees the
// empty file, and a Hearth that dies right there leaves it.
func takeNew(from, into int, name, as string) error {
	taken, err := unix.Openat(into, as, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_CLOEXEC|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(unix.Close(taken), unix.Renameat(from, name, into, as)); err != nil {
		return errors.Join(err, Absent(unix.Unlinkat(into, as, 0)))
	}
	return nil
}

// Absent is err, unless it says that there is no such file.
func Absent(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// unable tells that a file system does not know a way from everything else that
// may go wrong. EPERM is what Linux answers for file systems without hard links,
// and some sandboxes for calls that they do not know; when it is about rights, the
// last way says so.
func unable(err error) error {
	for _, errno := range []syscall.Errno{syscall.EINVAL, syscall.ENOSYS, syscall.ENOTSUP, syscall.EOPNOTSUPP, syscall.EPERM} {
		if errors.Is(err, errno) {
			return fmt.Errorf("%w: %w", errUnable, err)
		}
	}
	return err
}
