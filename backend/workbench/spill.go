package workbench

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"syscall"

	"hearth/backend/chat"
	"hearth/backend/folders"
	"hearth/backend/guard"
	"hearth/backend/plain"
)

// MaxCopy is the most bytes that are copied into spill/: 1 GiB. Fixed.
const MaxCopy = 1 << 30

// spillName is what a spilled text's file may be called.
var spillName = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z._-]{0,99}$`)

// Spill writes a text to a file in spill/ and returns its absolute path. The name
// is a hash of the text: when the file is there and holds it, nothing is written;
// one that was changed is written anew. Only this user can read it. A workbench
// that is not there is made, unseen by git. Errors: the disk is full
// (chat.CodeUnavailable), nothing can be written (chat.CodeForbidden), something
// stands in the way (chat.CodeConflict), the name is none (chat.CodeInvalid). Then
// nothing of it is left.
func (b *Bench) Spill(name, text string) (path string, err error) {
	if !spillName.MatchString(name) {
		return "", noName(name)
	}
	folder, err := b.spill()
	if err != nil {
		return "", err
	}
	defer folder.Close() //nolint:errcheck // a folder, looked into
	path = filepath.Join(b.SpillFolder(), name)
	if holds(folder, name, text) {
		return path, nil
	}
	_, err = writeWhole(folder, 0o600, func(file *os.File) (string, error) {
		_, err := file.WriteString(text)
		return name, err
	})
	if err != nil {
		return "", b.unwritable(string(Spill)+"/"+name, err)
	}
	return path, nil
}

func noName(name string) error {
	return chat.Errorf(chat.CodeInvalid, "%q is no name for a spilled text.", name)
}

// spill opens the folder spill/, made if need be.
func (b *Bench) spill() (*os.Root, error) {
	flower, err := b.prepare(chat.IgnoreAll)
	if err != nil {
		return nil, err
	}
	defer flower.Close() //nolint:errcheck // a folder, looked into
	folder, err := folders.Enter(flower, string(Spill))
	if err != nil {
		return nil, b.unwritable(string(Spill), err)
	}
	return folder, nil
}

// Copied is a file that was copied into spill/.
type Copied struct {
	Path  string // absolute
	Bytes int64
	Chars int // as plain.Length counts them
	Lines int // as an editor counts them
}

// Copy copies a file, such as the one in which the client keeps a command's whole
// output, into spill/, piece by piece. from is absolute, and a regular file of any
// size up to MaxCopy; it may still grow: what was there when its end was met is
// copied. name "" makes the name out of the content as for any spilled text: 16
// hexadecimal digits of its SHA-256, and ".txt". Errors as Spill's; also no such
// file (chat.CodeNotFound), no regular one (chat.CodeInvalid), too large
// (chat.CodeTooLarge), the context's.
func (b *Bench) Copy(ctx context.Context, name, from string) (_ Copied, err error) {
	if name != "" && !spillName.MatchString(name) {
		return Copied{}, noName(name)
	}
	source, err := openSource(from)
	if err != nil {
		return Copied{}, err
	}
	defer source.Close()
	folder, err := b.spill()
	if err != nil {
		return Copied{}, err
	}
	defer folder.Close() //nolint:errcheck // a folder, looked into
	var c plain.Counter
	name, err = writeWhole(folder, 0o600, func(file *os.File) (string, error) {
		hash := sha256.New()
		if err := copyTo(ctx, io.MultiWriter(file, hash, &c), source, from); err != nil {
			return "", err
		}
		if name != "" {
			return name, nil
		}
		return guard.SpillNameOf(hash.Sum(nil)), nil
	})
	if err != nil {
		return Copied{}, b.unwritable(string(Spill)+"/"+name, err)
	}
	c.End()
	return Copied{Path: filepath.Join(b.SpillFolder(), name), Bytes: c.Bytes, Chars: c.Chars, Lines: c.Lines}, nil
}

// openSource opens a file from outside of the workspace. That is the client's own,
// but its path went through the client: only a regular file is taken, and no link.
func openSource(from string) (*os.File, error) {
	if !filepath.IsAbs(from) {
		return nil, chat.Errorf(chat.CodeInvalid, "The output's file %q is no absolute path.", from)
	}
	file, err := os.OpenFile(from, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOFOLLOW|syscall.O_NOCTTY, 0)
	if absent(err) {
		return nil, chat.Wrap(chat.CodeNotFound, cause(err), fmt.Sprintf("The output's file %q is not there", from))
	}
	if err != nil {
		return nil, chat.Wrap(chat.CodeInvalid, cause(err), fmt.Sprintf("The output's file %q can't be read", from))
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = chat.Errorf(chat.CodeInvalid, "The output's file %q is no regular file.", from)
	}
	if err == nil && info.Size() > MaxCopy {
		err = tooLarge(from)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

func tooLarge(from string) error {
	return chat.Errorf(chat.CodeTooLarge, "The output's file %q has more than 1 GB, which is the most that is copied.", from)
}

func copyTo(ctx context.Context, to io.Writer, source io.Reader, from string) error {
	buf := make([]byte, 256<<10)
	var size int64
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := source.Read(buf)
		if size += int64(n); size > MaxCopy {
			return tooLarge(from)
		}
		if _, err := to.Write(buf[:n]); err != nil {
			return err
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return chat.Wrap(chat.CodeUnavailable, cause(err), fmt.Sprintf("The output's file %q can't be read", from))
		}
	}
}
