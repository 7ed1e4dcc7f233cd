package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"hearth/backend/chat"
)

// maxSame is how many files may have one name before it is refused.
const maxSame = 10_000

// naming is a way to give a written file its name: fs.ErrExist when the name is
// taken, errUnable when the file system can't do it this way.
type naming func(folder *os.Root, part, name string) error

// errUnable says that a file system does not know a way of naming.
var errUnable = errors.New("the file system can't do this")

// settle gives a written file its name, or the next one that is free, by the
// first of the ways that the file system knows. The file is whole before it has
// the name, and nothing that is there is replaced.
func settle(folder *os.Root, part, name string, ways ...naming) (string, error) {
	for n := 1; n <= maxSame; n++ {
		try := numbered(name, n)
		err := ways[0](folder, part, try)
		for len(ways) > 1 && errors.Is(err, errUnable) {
			ways = ways[1:]
			err = ways[0](folder, part, try)
		}
		if err == nil {
			return try, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", err
		}
	}
	return "", chat.Errorf(chat.CodeConflict, "There are %d files named %q already. Give this one another name.", maxSame, name)
}

// renameNew renames in one step that fails where something is already. Linux and
// macOS know it; some file systems of theirs (NFS, for one) do not.
func renameNew(folder *os.Root, part, name string) error {
	list, err := folder.Open(".")
	if err != nil {
		return err
	}
	defer list.Close()
	raw, err := list.SyscallConn()
	if err != nil {
		return err
	}
	var renamed error
	if err := raw.Control(func(fd uintptr) { renamed = renameExclusive(int(fd), part, name) }); err != nil {
		return err
	}
	if renamed != nil {
		return unable(&os.LinkError{Op: "rename", Old: part, New: name, Err: renamed})
	}
	return nil
}

// linkNew gives the file a second name and takes the first away. In between it
// can't be shown (see Open); a Hearth that dies right there leaves both names,
// until the first is swept away.
func linkNew(folder *os.Root, part, name string) error {
	if err := folder.Link(part, name); err != nil {
		return unable(err)
	}
	if err := absent(folder.Remove(part)); err != nil {
		return errors.Join(err, absent(folder.Remove(name)))
	}
	return nil
}

// takeNew takes the name with an empty file, and then renames over it. It is for
// file systems that know neither of the others: whoever looks in between sees the
// empty file, and a Hearth that dies right there leaves it.
func takeNew(folder *os.Root, part, name string) error {
	taken, err := folder.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	if err := errors.Join(taken.Close(), folder.Rename(part, name)); err != nil {
		return errors.Join(err, absent(folder.Remove(name)))
	}
	return nil
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
