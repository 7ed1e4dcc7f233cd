package workbench

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"hearth/backend/chat"
)

// An Opened is a file of the workbench that is being read.
type Opened struct {
	Kind     Kind   // "" is the index
	Path     string // as in Entry
	Size     int64  // bytes
	Modified time.Time
	// Executable says that the system would run it.
	Executable bool

	*io.SectionReader // of Size bytes; fewer come when the file is cut meanwhile
	file              *os.File
}

// Close lets go of the file.
func (o *Opened) Close() error { return o.file.Close() }

// Open opens an entry by its path, or the index by its name, as Scan would read
// them: of any size, and never what is no regular file with one name or stands
// outside of the workbench, wherever links lead. Errors: no such entry, or no
// workbench (chat.CodeNotFound); a path out of it, a link that leads out, a hard
// link, or no right to read it (chat.CodeForbidden); a folder, a FIFO or what else is
// no file, or no name (chat.CodeInvalid); the disk, or too many open files
// (chat.CodeUnavailable); Scan's.
func (b *Bench) Open(name string) (*Opened, error) {
	kind, err := b.kindOf(name)
	if err != nil {
		return nil, err
	}
	root, err := b.folder()
	if errors.Is(err, errNone) {
		return nil, b.notThere()
	}
	if err != nil {
		return nil, err
	}
	defer root.Close() //nolint:errcheck // a folder, looked into
	name = filepath.FromSlash(name)
	// Looked at before it is opened, because opening alone does something to some
	// devices; openRegular looks again, because another may stand there by then.
	info, err := root.Stat(name)
	if err == nil {
		err = b.readable(info, name)
	}
	if err != nil {
		return nil, b.unreadable(root, name, err)
	}
	file, err := openRegular(root, name)
	if err != nil {
		return nil, b.unreadable(root, name, err)
	}
	if info, err = file.Stat(); err != nil {
		return nil, errors.Join(b.unreadable(root, name, err), file.Close())
	}
	return &Opened{
		Kind: kind, Path: filepath.ToSlash(name), Size: info.Size(), Modified: info.ModTime(), Executable: info.Mode()&0o111 != 0,
		SectionReader: io.NewSectionReader(file, 0, info.Size()), file: file,
	}, nil
}

// notThere says that there is no workbench.
func (b *Bench) notThere() error {
	return chat.Errorf(chat.CodeNotFound, "There is no workbench %s yet. It is made when an agent begins to work there.", shownPath(b.Path()))
}

// Exists says whether there is a workbench. Errors: Scan's, but for the context's.
func (b *Bench) Exists() (bool, error) {
	root, err := b.folder()
	if errors.Is(err, errNone) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, root.Close()
}

// kindOf says of which kind an entry with this path would be; the index is of none.
func (b *Bench) kindOf(name string) (Kind, error) {
	if name == "" || strings.ContainsRune(name, 0) || path.Clean(name) != name && filepath.IsLocal(name) {
		return "", chat.Errorf(chat.CodeInvalid, "The path %s names no file of the workbench. Give one such as scripts/check.sh.", shownPath(name))
	}
	if !filepath.IsLocal(name) {
		return "", chat.Errorf(chat.CodeForbidden, "%s is outside of the workbench %s. Only files in it are shown.", shownPath(name), shownPath(b.Path()))
	}
	if name == IndexFile {
		return "", nil
	}
	parts := strings.Split(name, "/")
	if kind := Kind(parts[0]); slices.Contains(kinds, kind) {
		for _, part := range parts[1:] {
			if strings.HasPrefix(part, ".") || passed[part] {
				return "", b.noEntry(name)
			}
		}
		return kind, nil
	}
	return "", b.noEntry(name)
}

func (b *Bench) noEntry(name string) error {
	return chat.Errorf(chat.CodeNotFound, "There is no entry %s in the workbench %s. List what is in it: entries stand in scripts/, notes/, artifacts/ and spill/, and their names don't begin with a dot.", shownPath(name), shownPath(b.Path()))
}

// readable says why something is not to be read.
func (b *Bench) readable(info fs.FileInfo, name string) error {
	switch {
	case info.IsDir():
		return chat.Errorf(chat.CodeInvalid, "%s is a folder. Name a file in it.", shownPath(name))
	case !info.Mode().IsRegular():
		return chat.Errorf(chat.CodeInvalid, "%s is no regular file. Only those are read.", shownPath(name))
	case hasSecondName(info):
		// A hard link is as good as the file itself, and no path shows where that is.
		return chat.Errorf(chat.CodeForbidden, "%s has a second name (a hard link), which may be outside of the workbench. Copy it, and read the copy.", shownPath(name))
	}
	return nil
}

// unreadable says what to do when an entry can't be read.
func (b *Bench) unreadable(root *os.Root, name string, err error) error {
	var coded *chat.Error
	switch {
	case errors.As(err, &coded):
		return err
	case absent(err):
		if info, err := root.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return chat.Errorf(chat.CodeNotFound, "%s is a link that leads nowhere. Mend or remove it.", shownPath(name))
		}
		return b.noEntry(name)
	case errors.Is(err, errNotRead): // it took the place of a file just now
		return chat.Errorf(chat.CodeConflict, "%s was replaced while it was opened. Look at what stands there now.", shownPath(name))
	case errors.Is(err, fs.ErrPermission):
		return chat.Wrap(chat.CodeForbidden, cause(err), fmt.Sprintf("%s can't be read; give yourself the right to read it", shownPath(name)))
	case errors.Is(err, syscall.ENAMETOOLONG), errors.Is(err, syscall.EINVAL):
		return chat.Errorf(chat.CodeInvalid, "The path %s can't be the name of a file.", shownPath(name))
	case errors.Is(err, syscall.EIO), errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return chat.Wrap(chat.CodeUnavailable, cause(err), fmt.Sprintf("%s can't be read now; try again", shownPath(name)))
	case errors.Is(err, syscall.ELOOP):
		return chat.Errorf(chat.CodeNotFound, "%s is a link that leads round in a circle. Mend or remove it.", shownPath(name))
	}
	// What is left is the root's own error: a link that leads out of it.
	return chat.Errorf(chat.CodeForbidden, "%s is a link that leads out of the workbench, which is never followed. Copy what it leads to into the workbench.", shownPath(name))
}
