package workbench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"hearth/backend/chat"
	"hearth/backend/folders"
)

const (
	// Folder is the name of every workbench. Fixed: agents and people know it.
	Folder = ".flower"
	// IndexFile is the generated index in it.
	IndexFile = "INDEX.md"
)

// A Bench is the workbench of one folder. It holds nothing open between calls, so
// that the folder may go and come back.
type Bench struct {
	root string // holds Folder; absolute
	name string

	refreshing chan struct{} // holds one value while the index is made
	trashing   sync.Mutex    // files go into the trash, or out of it

	mu        sync.Mutex
	described map[string]described // of the last scan, by path
}

// Open returns the workbench of a channel's workspace, an absolute path. Agents
// are told it as ".flower", which is right in whatever folder of that name they
// work. Nothing is made or looked at yet.
func Open(root string) (*Bench, error) { return open(root, Folder) }

// OpenOutside returns the workbench in a folder outside of the repository, for
// agents in worktrees of their own: it is told by its absolute path.
func OpenOutside(root string) (*Bench, error) {
	return open(root, filepath.Join(root, Folder))
}

func open(root, name string) (*Bench, error) {
	if !filepath.IsAbs(root) {
		return nil, chat.Errorf(chat.CodeInvalid, "The workbench's folder %q is no absolute path.", root)
	}
	return &Bench{root: filepath.Clean(root), name: name, refreshing: make(chan struct{}, 1)}, nil
}

// Name is how the workbench is called to agents: in Rules, and in the index.
func (b *Bench) Name() string { return b.name }

// Path is the workbench's absolute path.
func (b *Bench) Path() string { return filepath.Join(b.root, Folder) }

// SpillFolder is the absolute path of the folder that Spill and Copy write to.
func (b *Bench) SpillFolder() string { return filepath.Join(b.Path(), string(Spill)) }

// workspace opens the folder that holds the workbench.
func (b *Bench) workspace() (*os.Root, error) {
	root, err := folders.Open(b.root)
	switch {
	case err == nil:
		return root, nil
	case absent(err):
		return nil, chat.Wrap(chat.CodeConflict, cause(err), fmt.Sprintf("The folder %q is not there any more", b.root))
	}
	return nil, chat.Wrap(chat.CodeForbidden, cause(err), fmt.Sprintf("The folder %q can't be opened", b.root))
}

// errNone says that there is no workbench.
var errNone = errors.New("there is no " + Folder)

// folder opens the workbench itself as the root of all that follows: whatever
// takes its place later, all happens in this very folder. It is errNone when there
// is none.
func (b *Bench) folder() (*os.Root, error) {
	workspace, err := b.workspace()
	if err != nil {
		return nil, err
	}
	defer workspace.Close() //nolint:errcheck // a folder, looked into
	return b.enter(workspace)
}

func (b *Bench) enter(workspace *os.Root) (*os.Root, error) {
	folder, err := folders.Enter(workspace, Folder)
	switch {
	case err == nil:
		return folder, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, errNone
	case errors.Is(err, fs.ErrPermission):
		return nil, chat.Wrap(chat.CodeForbidden, cause(err), fmt.Sprintf("%s can't be opened", b.Path()))
	}
	return nil, chat.Wrap(chat.CodeConflict, cause(err), fmt.Sprintf("%s can't be used as the workbench; move away what stands there", b.Path()))
}

func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// cause is why the system refused something, without the path, which the sentence
// around it names already.
func cause(err error) error {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return errno
	}
	return err
}

// unwritable is what it means that a file of the workbench could not be written.
func (b *Bench) unwritable(path string, err error) error {
	var coded *chat.Error
	if errors.As(err, &coded) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	path = filepath.Join(b.Path(), filepath.FromSlash(path))
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return chat.Wrap(chat.CodeUnavailable, cause(err), fmt.Sprintf("The disk is full: %s was not written", path))
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return chat.Wrap(chat.CodeForbidden, cause(err), fmt.Sprintf("Nothing can be written in the workbench: %s was not", path))
	}
	return chat.Wrap(chat.CodeConflict, cause(err), fmt.Sprintf("%s can't be written; look at what stands in its place", path))
}
