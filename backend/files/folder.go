package files

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"hearth/backend/chat"
	"hearth/backend/folders"
)

// open opens a workspace as the root of all that follows.
func open(workspace string) (*os.Root, error) {
	root, err := folders.Open(workspace)
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
func prepare(root *os.Root, ignore string) (*os.Root, error) {
	err := root.Mkdir(flower, 0o755)
	made := err == nil
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	folder, err := folders.Enter(root, flower)
	if err != nil {
		return nil, err
	}
	defer folder.Close() //nolint:errcheck // a folder, looked into
	if made && ignore != "" {
		if err := folders.WriteNew(folder, ".gitignore", ignore); err != nil {
			// Empty as it was made, so that the next file finds none and makes it anew.
			return nil, errors.Join(err, folders.Absent(root.Remove(flower)))
		}
	}
	if err := folder.Mkdir(artifacts, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return folders.Enter(folder, artifacts)
}
