package workbench

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"hearth/backend/chat"
	"hearth/backend/folders"
)

// ignores are the contents of .gitignore.
var ignores = map[chat.Ignore]string{
	chat.IgnoreAll:     "*\n",
	chat.IgnoreOutput:  "# Scripts and notes are kept in git.\n/*\n!/.gitignore\n!/scripts/\n!/notes/\n",
	chat.IgnoreNothing: "",
}

// GitIgnore is what .gitignore says in a workbench that is made with this choice; ""
// when there is none.
func GitIgnore(choice chat.Ignore) string { return ignores[choice] }

const ignoreFile = ".gitignore"

// Prepare makes the workbench and its folders, as far as they are not there. On
// first use (there was no workbench, or an empty folder) git is told what to
// ignore; later that is the person's own, whether there is a .gitignore or not.
// Errors: the workspace is gone or something else stands in a folder's place
// (chat.CodeConflict), it can't be written to (chat.CodeForbidden), the disk is
// full (chat.CodeUnavailable).
func (b *Bench) Prepare(choice chat.Ignore) error {
	folder, err := b.prepare(choice)
	if err != nil {
		return err
	}
	defer folder.Close() //nolint:errcheck // a folder, looked into
	folders.Sweep(folder)
	spill, err := folders.Enter(folder, string(Spill))
	if err != nil {
		return b.unwritable(string(Spill), err)
	}
	defer spill.Close() //nolint:errcheck // a folder, looked into
	folders.Sweep(spill)
	return nil
}

func (b *Bench) prepare(choice chat.Ignore) (_ *os.Root, err error) {
	ignore, known := ignores[choice]
	if !known {
		return nil, fmt.Errorf("prepare workbench: no such choice: %q", choice)
	}
	workspace, err := b.workspace()
	if err != nil {
		return nil, err
	}
	defer workspace.Close() //nolint:errcheck // a folder, looked into
	if err := workspace.Mkdir(Folder, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, b.unwritable("", err)
	}
	folder, err := b.enter(workspace)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, folder.Close())
		}
	}()
	// Before the folders: as long as there are none, this is the first use, also
	// when Hearth died in the middle of the one before.
	if ignore != "" && empty(folder) {
		if err := folders.WriteNew(folder, ignoreFile, ignore); err != nil {
			return nil, b.unwritable(ignoreFile, err)
		}
	}
	for _, kind := range kinds {
		mode := fs.FileMode(0o755)
		if kind == Spill {
			mode = 0o700 // what a tool printed may be a secret
		}
		if err := folder.Mkdir(string(kind), mode); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, b.unwritable(string(kind), err)
		}
	}
	return folder, nil
}

func empty(folder *os.Root) bool {
	list, err := folder.Open(".")
	if err != nil {
		return false
	}
	defer list.Close()
	_, err = list.Readdirnames(1)
	return errors.Is(err, io.EOF)
}

// Refresh scans and brings INDEX.md up to date. It is written only when it
// changed, and never where there is no workbench. The inventory is whole also when
// the error is that INDEX.md could not be written: see Scan and WriteIndex, which
// it is made of.
func (b *Bench) Refresh(ctx context.Context) (Inventory, error) {
	// One at a time, so that an older index never replaces a newer one.
	select {
	case b.refreshing <- struct{}{}:
	case <-ctx.Done():
		return Inventory{Name: b.name}, ctx.Err()
	}
	defer func() { <-b.refreshing }()
	inv, err := b.Scan(ctx)
	if err != nil {
		return inv, err
	}
	_, err = b.WriteIndex(inv)
	return inv, err
}

// WriteIndex writes INDEX.md if it says something else than the inventory's
// index. Whatever has its name is replaced; a link is not followed.
func (b *Bench) WriteIndex(inv Inventory) (written bool, err error) {
	folder, err := b.folder()
	if errors.Is(err, errNone) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer folder.Close() //nolint:errcheck // a folder, looked into
	text := Index(inv) + "\n"
	if holds(folder, IndexFile, text) {
		return false, nil
	}
	_, err = writeWhole(folder, 0o644, func(file *os.File) (string, error) {
		_, err := file.WriteString(text)
		return IndexFile, err
	})
	if err != nil {
		return false, b.unwritable(IndexFile, err)
	}
	return true, nil
}

// holds says whether a regular file with one name holds a text, and nothing else.
func holds(folder *os.Root, name, text string) bool {
	file, err := openRegular(folder, name)
	if err != nil {
		return false
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || info.Size() != int64(len(text)) {
		return false
	}
	buf := make([]byte, 64<<10)
	for {
		n, err := file.Read(buf)
		if n > len(text) || text[:n] != string(buf[:n]) {
			return false
		}
		text = text[n:]
		if err != nil {
			return errors.Is(err, io.EOF) && text == ""
		}
	}
}

// writeWhole writes a file beside its place and gives it its name, which write
// says, when it is whole. What has that name is replaced: a link, too, and never
// what it leads to. Not brought to the disk by force: what is written here can be
// made again, or is lost with the machine's last seconds like the conversation it
// belongs to.
func writeWhole(folder *os.Root, mode fs.FileMode, write func(*os.File) (name string, err error)) (name string, err error) {
	part := folders.PartPrefix + rand.Text()
	file, err := folder.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			if gone := folder.Remove(part); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
				err = errors.Join(err, gone)
			}
		}
	}()
	name, err = write(file)
	if closed := file.Close(); err == nil && closed != nil {
		err = closed
	}
	if err != nil {
		return "", err
	}
	return name, folder.Rename(part, name)
}
