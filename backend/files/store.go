package files

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"hearth/backend/chat"
	"hearth/backend/folders"
)

const (
	// flower is the folder of a workspace that agents and people share.
	flower = ".flower"
	// artifacts is where stored files go.
	artifacts = "artifacts"
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
// that goes wrong has a code and a sentence: a workspace that is gone, and a link
// or a file in the place of .flower or its artifacts (CodeConflict), a workspace
// that can't be written to (CodeForbidden), a disk that is full (CodeUnavailable),
// a file that is too large (CodeTooLarge), content that does not arrive
// (CodeInvalid). Then nothing of the file is left.
//
// A .flower that is not there is made, with ignore as its .gitignore; "" is none.
//
// Content may take minutes to arrive. When it is whole, and just before it gets
// its name, wanted is asked whether there still is a place for it; what it returns
// is what Store returns.
func Store(ctx context.Context, workspace, name, ignore string, content io.Reader, wanted func(context.Context) error) (_ Stored, err error) {
	root, err := open(workspace)
	if err != nil {
		return Stored{}, err
	}
	defer root.Close() //nolint:errcheck // a folder, looked into
	folder, err := prepare(root, ignore)
	if err != nil {
		return Stored{}, unwritable(err, workspace)
	}
	// From here on all happens in this very folder, whatever takes its place.
	defer folder.Close() //nolint:errcheck // a folder, looked into
	folders.Sweep(folder)

	part := folders.PartPrefix + rand.Text()
	file, err := folder.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return Stored{}, unwritable(err, workspace)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, folders.Absent(folder.Remove(part)))
		}
	}()
	sniffed, size, err := write(ctx, file, content)
	if closed := file.Close(); err == nil && closed != nil {
		err = closed
	}
	if err != nil {
		return Stored{}, unwritable(err, workspace)
	}
	if err := wanted(ctx); err != nil {
		return Stored{}, err
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
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err.Error()
	}
	return err.Error()
}
