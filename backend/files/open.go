package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"hearth/backend/chat"
)

// File is a file of a workspace that is being read.
type File struct {
	Name     string // the last part of its path
	Size     int64  // bytes, at most MaxSize
	Modified time.Time
	// Image is the media type, such as image/png, "" when its content is no image
	// that browsers show.
	Image string

	*io.SectionReader // of Size bytes
	file              *os.File
}

// Close lets go of the file.
func (f *File) Close() error { return f.file.Close() }

// Open opens a regular file inside a workspace. The path is relative to the
// workspace, or absolute in it. Links are followed as long as they lead from one
// place of the workspace to another by a relative path. Everything that goes
// wrong has a code and a sentence: a path that leads out, and a file with a second
// name, are CodeForbidden, no such file is CodeNotFound, what is no file is
// CodeInvalid, more bytes than MaxSize is CodeTooLarge, a workspace that is gone is
// CodeConflict.
func Open(workspace, path string) (_ *File, err error) {
	name, err := inside(workspace, path)
	if err != nil {
		return nil, err
	}
	root, err := open(workspace)
	if err != nil {
		return nil, err
	}
	defer root.Close() //nolint:errcheck // a folder, looked into
	// Looked at before it is opened, because opening alone does something to some
	// devices; and once more after, because another may stand there by then.
	info, err := root.Stat(name)
	if err == nil {
		err = readable(info, path)
	}
	if err != nil {
		return nil, unreadable(err, path)
	}
	// O_NONBLOCK: a FIFO that took its place would wait for a writer for ever.
	file, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, unreadable(err, path)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, file.Close())
		}
	}()
	if info, err = file.Stat(); err != nil {
		return nil, unreadable(err, path)
	}
	if err := readable(info, path); err != nil {
		return nil, err
	}
	f := &File{
		Name: filepath.Base(name), Size: info.Size(), Modified: info.ModTime(),
		SectionReader: io.NewSectionReader(file, 0, info.Size()), file: file,
	}
	if f.Image, err = ImageType(f); err != nil {
		return nil, unreadable(err, path)
	}
	return f, nil
}

// inside returns a path relative to the workspace. It looks at the spelling
// only: where links lead is the root's business.
func inside(workspace, path string) (string, error) {
	if path == "" || strings.ContainsRune(path, 0) {
		return "", chat.Errorf(chat.CodeInvalid, "The path %q names no file. Give one inside the workspace.", path)
	}
	name := filepath.Clean(path)
	if filepath.IsAbs(name) {
		var ok bool
		if name, ok = below(workspace, name); !ok {
			// Agents are told the folder's own path where the workspace is a link.
			own, err := filepath.EvalSymlinks(workspace)
			if err != nil {
				own = workspace
			}
			if name, ok = below(own, filepath.Clean(path)); !ok {
				return "", outside(path)
			}
		}
	}
	if !filepath.IsLocal(name) {
		return "", outside(path)
	}
	return name, nil
}

func below(folder, path string) (string, bool) {
	name, err := filepath.Rel(folder, path)
	return name, err == nil && filepath.IsLocal(name)
}

func outside(path string) error {
	return chat.Errorf(chat.CodeForbidden, "%q is outside of the channel's workspace. Only files in it are shown: copy it there.", path)
}

// readable says why a file is not one to read.
func readable(info fs.FileInfo, path string) error {
	switch {
	case info.IsDir():
		return chat.Errorf(chat.CodeInvalid, "%q is a folder. Name a file in it.", path)
	case !info.Mode().IsRegular():
		return chat.Errorf(chat.CodeInvalid, "%q is no regular file. Only those are read.", path)
	case info.Size() > MaxSize:
		return chat.Errorf(chat.CodeTooLarge, "%q has more than 25 MB, which is the most. Open it in a program of its own.", path)
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); !ok || stat.Nlink > 1 {
		// A hard link is as good as the file itself, and no path shows where that is.
		return chat.Errorf(chat.CodeForbidden, "%q has a second name (a hard link), which may be outside of the workspace. Copy it and name the copy.", path)
	}
	return nil
}

// unreadable says what to do when a file can't be read.
func unreadable(err error, path string) error {
	var coded *chat.Error
	switch {
	case errors.As(err, &coded):
		return err
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return chat.Errorf(chat.CodeNotFound, "There is no file %q in the channel's workspace.", path)
	case errors.Is(err, fs.ErrPermission):
		return chat.Errorf(chat.CodeForbidden, "The file %q can't be read (%s). Give yourself the right to read it.", path, reason(err))
	case errors.Is(err, syscall.ENAMETOOLONG), errors.Is(err, syscall.EINVAL):
		return chat.Errorf(chat.CodeInvalid, "The path %q can't be the name of a file.", path)
	case errors.Is(err, syscall.EIO), errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return chat.Errorf(chat.CodeUnavailable, "The file %q can't be read now (%s). Try again.", path, reason(err))
	}
	// What is left is a link that leads out of the root, or round in a circle.
	return chat.Errorf(chat.CodeForbidden, "%q leads out of the channel's workspace (%s). Copy what it leads to into the workspace.", path, reason(err))
}
