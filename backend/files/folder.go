package files

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"time"

	"hearth/backend/chat"
)

// here is put behind the path of a folder that is opened. Opening a FIFO waits
// until somebody writes to it, for ever if need be. With this behind it the system
// goes through the path, which it does with folders alone, before it opens
// anything: what is no folder is refused at once, also what took a folder's place
// after it was looked at.
const here = "/."

// open opens a workspace as the root of all that follows.
func open(workspace string) (*os.Root, error) {
	root, err := os.OpenRoot(workspace + here)
	switch {
	case err == nil:
		return root, nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return nil, chat.Errorf(chat.CodeConflict, "The channel's workspace %q is not there any more. Bring the folder back, or choose another workspace.", workspace)
	}
	return nil, chat.Errorf(chat.CodeForbidden, "The channel's workspace %q can't be opened (%s). Give yourself the right to it, or choose another workspace.", workspace, reason(err))
}

// prepare makes the folder that files go to, and opens it. A .flower that is there
// stays as it is.
func prepare(root *os.Root) (*os.Root, error) {
	err := root.Mkdir(flower, 0o755)
	made := err == nil
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	folder, err := enter(root, flower)
	if err != nil {
		return nil, err
	}
	defer folder.Close() //nolint:errcheck // a folder, looked into
	if made {
		if err := ignoreAll(folder); err != nil {
			// Empty as it was made, so that the next file finds none and makes it anew.
			return nil, errors.Join(err, absent(root.Remove(flower)))
		}
	}
	if err := folder.Mkdir(artifacts, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return enter(folder, artifacts)
}

// ignoreAll keeps a folder out of the person's repository.
func ignoreAll(folder *os.Root) error {
	const name = ".gitignore"
	file, err := folder.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil // somebody was quicker: it is theirs
	}
	if err != nil {
		return err
	}
	_, err = file.WriteString("*\n")
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, absent(folder.Remove(name)))
	}
	return nil
}

// errNoFolder says that something is there and is no folder of its own.
var errNoFolder = errors.New("it is no folder of its own, but a link or a file")

// enter opens a folder in another one, and nothing that a link leads to: a link
// may lead to a place in which files are run, such as git's hooks.
func enter(in *os.Root, name string) (*os.Root, error) {
	before, err := in.Lstat(name)
	if err != nil {
		return nil, err
	}
	return enterSame(in, name, before)
}

// enterSame opens a folder that was looked at before.
func enterSame(in *os.Root, name string, before fs.FileInfo) (*os.Root, error) {
	if !before.IsDir() {
		return nil, errNoFolder
	}
	folder, err := openFolder(in, name)
	if errors.Is(err, syscall.ENOTDIR) {
		return nil, errNoFolder
	}
	if err != nil {
		return nil, err
	}
	// A link may have taken its place in between.
	after, err := folder.Stat(".")
	if err == nil && !os.SameFile(before, after) {
		err = errNoFolder
	}
	if err != nil {
		return nil, errors.Join(err, folder.Close())
	}
	return folder, nil
}

func openFolder(in *os.Root, name string) (*os.Root, error) { return in.OpenRoot(name + here) }

// sweep takes away what a Hearth that died was writing. What goes wrong here
// stands in nobody's way.
func sweep(folder *os.Root) {
	list, err := fs.ReadDir(folder.FS(), ".")
	if err != nil {
		return
	}
	for _, entry := range list {
		if !strings.HasPrefix(entry.Name(), partPrefix) {
			continue
		}
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > partsAfter {
			_ = folder.Remove(entry.Name())
		}
	}
}
