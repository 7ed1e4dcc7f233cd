package files

import (
	"context"
	"crypto/rand"
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

const (
	// flower is the folder of a workspace that agents and people share.
	flower = ".flower"
	// artifacts is where stored files go.
	artifacts = "artifacts"
	// partPrefix begins the names of files that are being written.
	partPrefix = ".hearth-part-"
	// partsAfter is when what a Hearth that died was writing is taken away. A write
	// takes seconds.
	partsAfter = time.Hour
	// maxSame is how many files may have one name before it is refused.
	maxSame = 10_000
)

// Stored is a file that was stored.
type Stored struct {
	Path      string // absolute
	Relative  string // to the workspace, with slashes
	Name      string // as it is called now
	Size      int64
	MediaType string // by its content
}

// Store keeps a file in a workspace, under a safe form of its name. Everything
// that goes wrong has a code and a sentence: a workspace that is gone
// (CodeConflict), one that can't be written to (CodeForbidden), a disk that is
// full (CodeUnavailable), a file that is too large (CodeTooLarge), content that
// does not arrive (CodeInvalid). Then nothing of the file is left.
func Store(ctx context.Context, workspace, name string, content io.Reader) (_ Stored, err error) {
	root, err := open(workspace)
	if err != nil {
		return Stored{}, err
	}
	defer root.Close() //nolint:errcheck // a folder, looked into
	if err := prepare(root); err != nil {
		return Stored{}, unwritable(err, workspace)
	}
	// From here on all happens in this very folder, whatever takes its place.
	folder, err := root.OpenRoot(flower + "/" + artifacts)
	if err != nil {
		return Stored{}, unwritable(err, workspace)
	}
	defer folder.Close() //nolint:errcheck // a folder, looked into
	sweep(folder)

	part := partPrefix + rand.Text()
	file, err := folder.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return Stored{}, unwritable(err, workspace)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, absent(folder.Remove(part)))
		}
	}()
	sniffed, size, err := write(ctx, file, content)
	if closed := file.Close(); err == nil && closed != nil {
		err = closed
	}
	if err != nil {
		return Stored{}, unwritable(err, workspace)
	}
	if name, err = settle(folder, part, SafeName(name)); err != nil {
		return Stored{}, unwritable(err, workspace)
	}
	relative := flower + "/" + artifacts + "/" + name
	return Stored{
		Path: filepath.Join(workspace, filepath.FromSlash(relative)), Relative: relative,
		Name: name, Size: size, MediaType: mediaType(sniffed),
	}, nil
}

// open opens a workspace as the root of all that follows.
func open(workspace string) (*os.Root, error) {
	info, err := os.Stat(workspace)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || err == nil && !info.IsDir() {
		return nil, chat.Errorf(chat.CodeConflict, "The channel's workspace %q is not there any more. Bring the folder back, or choose another workspace.", workspace)
	}
	var root *os.Root
	if err == nil {
		root, err = os.OpenRoot(workspace)
	}
	if err == nil {
		return root, nil
	}
	return nil, chat.Errorf(chat.CodeForbidden, "The channel's workspace %q can't be opened (%s). Give yourself the right to it, or choose another workspace.", workspace, reason(err))
}

// prepare makes the folder that files go to. A .flower that is there stays as it is.
func prepare(root *os.Root) error {
	err := root.Mkdir(flower, 0o755)
	switch {
	case err == nil:
		if err := root.WriteFile(flower+"/.gitignore", []byte("*\n"), 0o644); err != nil {
			return errors.Join(err, root.RemoveAll(flower))
		}
	case !errors.Is(err, fs.ErrExist):
		return err
	}
	if err := root.Mkdir(flower+"/"+artifacts, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

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

// errTooLarge says that content has more bytes than MaxSize.
var errTooLarge = chat.Errorf(chat.CodeTooLarge, "The file has more than 25 MB, which is the most. Copy it into the workspace yourself and name its path.")

// TooLarge says that a file is too large, before any of it was read.
func TooLarge() error { return errTooLarge }

// write takes the content in, brings it to the disk, and returns its beginning.
func write(ctx context.Context, file *os.File, content io.Reader) (beginning []byte, size int64, err error) {
	source := &arriving{from: io.LimitReader(content, MaxSize+1), over: ctx.Err}
	size, err = io.Copy(file, source)
	switch {
	case source.err != nil:
		return nil, 0, chat.Errorf(chat.CodeInvalid, "The file did not arrive whole (%s). Send it again.", source.err)
	case err != nil:
		return nil, 0, err
	case size > MaxSize:
		return nil, 0, errTooLarge
	}
	return source.beginning, size, file.Sync()
}

// arriving reads content, and keeps its beginning and what went wrong with it
// apart from what went wrong with the disk.
type arriving struct {
	from      io.Reader
	over      func() error // whoever sends it has given up
	beginning []byte
	err       error
}

func (a *arriving) Read(b []byte) (int, error) {
	if err := a.over(); err != nil {
		a.err = err
		return 0, err
	}
	n, err := a.from.Read(b)
	if missing := sniffBytes - len(a.beginning); missing > 0 {
		a.beginning = append(a.beginning, b[:min(n, missing)]...)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		a.err = err
	}
	return n, err
}

// settle gives a written file its name, or the next one that is free. The name
// is taken first, by an empty file that is nobody else's, and then given to the
// written one: a rename alone would replace what is there.
func settle(folder *os.Root, part, name string) (string, error) {
	for n := 1; n <= maxSame; n++ {
		try := numbered(name, n)
		taken, err := folder.OpenFile(try, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		if err := errors.Join(taken.Close(), folder.Rename(part, try)); err != nil {
			return "", errors.Join(err, absent(folder.Remove(try)))
		}
		return try, nil
	}
	return "", chat.Errorf(chat.CodeConflict, "There are %d files named %q already. Give this one another name.", maxSame, name)
}

// unwritable says what to do when something can't be written.
func unwritable(err error, workspace string) error {
	var coded *chat.Error
	switch {
	case errors.As(err, &coded):
		return err
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return chat.Errorf(chat.CodeUnavailable, "The disk is full (%s). Make room and send the file again.", reason(err))
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return chat.Errorf(chat.CodeForbidden, "Nothing can be written in the workspace %q (%s). Give yourself the right to, or choose another workspace.", workspace, reason(err))
	}
	return chat.Errorf(chat.CodeConflict, "The file can't be kept in %s of the workspace %q (%s). Look at what stands in its place.", flower+"/"+artifacts, workspace, reason(err))
}

// reason is why the system refused something, without the path, which the
// sentence names already.
func reason(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}

func absent(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
