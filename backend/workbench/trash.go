package workbench

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"hearth/backend/chat"
	"hearth/backend/folders"
)

const (
	// TrashFolder is where in the workbench deleted files wait: on the same disk, so
	// that to delete is to rename; and with a dot, so that they are no entries, and not
	// looked at by what searches folders. Under it is a folder for each deletion, named
	// after its time, and in that the files under the paths they had.
	TrashFolder = ".hearth-trash"

	// What of it goes for good, the oldest first: what is older than the person says,
	// and what is more than this. Fixed, as is what is younger than trashLeast: it stays,
	// so that Undo can be relied on.
	maxTrashBytes = 1 << 30
	maxTrashFiles = 10_000
	trashLeast    = time.Hour

	// trashTime is how a deletion's folder begins; the rest tells two of one second apart.
	trashTime = "20060102T150405Z"
)

var trashName = regexp.MustCompile(`^[0-9]{8}T[0-9]{6}Z-[0-9A-Z]{26}$`)

// A Deleted is a file that waits in the trash.
type Deleted struct {
	ID   string // of the deletion; several files may have gone with one
	Kind Kind
	Path string // as in Entry; where it was
	What What   // File, Link or Special: what is deleted is not looked into
	Size int64  // bytes
	At   time.Time
	// Taken says that a file has its name by now.
	Taken bool
}

// Refused is a file that could not be deleted, and why.
type Refused struct {
	Path string
	Err  error
}

// Delete moves entries into the trash: files, links (never what they lead to), hard
// links (the one name), FIFOs, none of which is opened. An agent that holds one open
// goes on writing to it there; one that writes it anew makes another. What can't be
// deleted is refused for itself, with a reason. Errors: no workbench
// (chat.CodeNotFound), the trash can't be made, Scan's.
func (b *Bench) Delete(names []string, now time.Time) (deleted []Deleted, refused []Refused, err error) {
	err = b.inTrash(true, func(root, trash *os.Root) error {
		deleted, refused, err = b.deleteInto(root, trash, names, now)
		return err
	})
	if errors.Is(err, errNone) {
		err = b.notThere()
	}
	return deleted, refused, err
}

func (b *Bench) deleteInto(root, trash *os.Root, names []string, now time.Time) (deleted []Deleted, refused []Refused, err error) {
	id := now.UTC().Format(trashTime) + "-" + rand.Text()
	if err := trash.Mkdir(id, 0o700); err != nil {
		return nil, nil, b.unwritable(TrashFolder, err)
	}
	into, err := folders.Enter(trash, id)
	if err != nil {
		return nil, nil, b.unwritable(TrashFolder, err)
	}
	defer into.Close() //nolint:errcheck // a folder, looked into
	for _, name := range names {
		one, err := b.delete(root, into, name)
		if err != nil {
			refused = append(refused, Refused{name, err})
			continue
		}
		one.ID, one.At = id, now.UTC().Truncate(time.Second)
		deleted = append(deleted, one)
	}
	if len(deleted) == 0 {
		prune(trash, id)
	}
	return deleted, refused, nil
}

func (b *Bench) delete(root, into *os.Root, name string) (Deleted, error) {
	kind, err := b.kindOf(name)
	if err != nil {
		return Deleted{}, err
	}
	if kind == "" {
		return Deleted{}, chat.Errorf(chat.CodeInvalid, "%s is made by Hearth out of what is in the workbench, and can't be deleted.", IndexFile)
	}
	if name == string(kind) {
		return Deleted{}, chat.Errorf(chat.CodeInvalid, "%s is one of the workbench's own folders. Name the files in it.", shownPath(name))
	}
	from, err := descend(root, path.Dir(name), false)
	if err != nil {
		return Deleted{}, b.undeletable(name, err)
	}
	defer from.Close() //nolint:errcheck // a folder, looked into
	base := path.Base(name)
	info, err := from.Lstat(base)
	if err != nil {
		return Deleted{}, b.undeletable(name, err)
	}
	if info.IsDir() {
		return Deleted{}, chat.Errorf(chat.CodeInvalid, "%s is a folder. Name the files in it.", shownPath(name))
	}
	to, err := descend(into, path.Dir(name), true)
	if err != nil {
		return Deleted{}, b.unwritable(TrashFolder, err)
	}
	defer to.Close() //nolint:errcheck // a folder, looked into
	if err := folders.Move(from, base, to, base); err != nil {
		prune(into, path.Dir(name))
		return Deleted{}, b.undeletable(name, err)
	}
	// Another may have taken its place before it was moved: what is there counts.
	if now, err := to.Lstat(base); err == nil {
		info = now
	}
	return Deleted{Kind: kind, Path: name, What: whatOf(info), Size: sizeOf(info)}, nil
}

// undeletable says what to do about a file that can't be moved to the trash.
func (b *Bench) undeletable(name string, err error) error {
	var coded *chat.Error
	switch {
	case errors.As(err, &coded):
		return err
	case absent(err):
		return b.noEntry(name)
	case errors.Is(err, folders.ErrNone):
		return chat.Errorf(chat.CodeForbidden, "%s is behind a link or a file, and not in a folder of the workbench. Name the file where it is.", shownPath(name))
	case errors.Is(err, syscall.EXDEV):
		return chat.Errorf(chat.CodeConflict, "%s is on another disk than the workbench, so that it can't be kept to be restored. Delete it yourself.", shownPath(name))
	case errors.Is(err, fs.ErrExist):
		return chat.Errorf(chat.CodeConflict, "%s was deleted just now. Look at what stands there.", shownPath(name))
	}
	return b.unwritable(name, err)
}

// Deleted are the files in the trash, the last deleted first. What was put there by
// other hands is no deletion. No workbench has none. Errors: Scan's.
func (b *Bench) Deleted(ctx context.Context) ([]Deleted, error) {
	var all []Deleted
	err := b.inTrash(false, func(root, trash *os.Root) error {
		for _, id := range deletions(trash) {
			if err := ctx.Err(); err != nil {
				return err
			}
			files := filesOf(trash, id)
			for i := range files {
				// A link in the place of a folder counts as its name's being taken: nothing is
				// restored through it.
				if _, err := root.Lstat(files[i].Path); err == nil {
					files[i].Taken = true
				}
			}
			all = append(all, files...)
		}
		return nil
	})
	if errors.Is(err, errNone) || errors.Is(err, errNoTrash) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return all, nil
}

// Restore gives a deleted file its place again, or the one that as names, and returns
// that. Nothing that is there is ever replaced. Errors: it is not in the trash any more
// (chat.CodeNotFound); a file has that name (chat.CodeConflict); as is no name for an
// entry (chat.CodeInvalid, chat.CodeNotFound, chat.CodeForbidden); it can't be written
// there, as Spill's.
func (b *Bench) Restore(id, name, as string) (string, error) {
	if as == "" {
		as = name
	}
	for _, one := range []string{name, as} {
		if kind, err := b.kindOf(one); err != nil {
			return "", err
		} else if kind == "" || kind == Kind(one) {
			return "", chat.Errorf(chat.CodeInvalid, "%s is no name for a file in scripts/, notes/, artifacts/ or spill/.", shownPath(one))
		}
	}
	err := b.inTrash(false, func(root, trash *os.Root) error { return b.restoreFrom(root, trash, id, name, as) })
	switch {
	case errors.Is(err, errNone):
		return "", b.notThere()
	case errors.Is(err, errNoTrash):
		return "", b.notDeleted(name)
	case err != nil:
		return "", err
	}
	return as, nil
}

func (b *Bench) restoreFrom(root, trash *os.Root, id, name, as string) error {
	if !trashName.MatchString(id) {
		return b.notDeleted(name)
	}
	from, err := descend(trash, path.Join(id, path.Dir(name)), false)
	if err != nil {
		return b.notDeleted(name)
	}
	defer from.Close() //nolint:errcheck // a folder, looked into
	if info, err := from.Lstat(path.Base(name)); err != nil || info.IsDir() {
		return b.notDeleted(name)
	}
	to, err := descend(root, path.Dir(as), true)
	if err != nil {
		return b.unrestorable(as, err)
	}
	defer to.Close() //nolint:errcheck // a folder, looked into
	if err := folders.Move(from, path.Base(name), to, path.Base(as)); err != nil {
		return b.unrestorable(as, err)
	}
	prune(trash, path.Join(id, path.Dir(name)))
	return nil
}

func (b *Bench) notDeleted(name string) error {
	return chat.Errorf(chat.CodeNotFound, "%s is not among what was deleted lately. Look at what is.", shownPath(name))
}

func (b *Bench) unrestorable(as string, err error) error {
	switch {
	case errors.Is(err, fs.ErrExist):
		return chat.Errorf(chat.CodeConflict, "There is a file %s by now, which stays as it is. Restore the deleted one under another name.", shownPath(as))
	case errors.Is(err, folders.ErrNone):
		return chat.Errorf(chat.CodeConflict, "The folder of %s is a link or a file by now. Restore it under another name.", shownPath(as))
	}
	if errors.Is(err, syscall.ENAMETOOLONG) {
		return chat.Errorf(chat.CodeInvalid, "%s is too long for the name of a file. Restore it under another name.", shownPath(as))
	}
	return b.unwritable(as, err)
}

// EmptyTrash takes away for good what was deleted before a time, and the oldest of what
// is more than the trash may hold; what was deleted in the last hour stays. It says how
// many files went.
func (b *Bench) EmptyTrash(ctx context.Context, before, now time.Time) (gone int, err error) {
	err = b.inTrash(false, func(_, trash *os.Root) error {
		gone, err = b.emptied(ctx, trash, before, now)
		return err
	})
	if errors.Is(err, errNone) || errors.Is(err, errNoTrash) {
		err = nil
	}
	return gone, err
}

func (b *Bench) emptied(ctx context.Context, trash *os.Root, before, now time.Time) (gone int, err error) {
	var bytes int64
	files := 0
	for _, id := range deletions(trash) {
		if err := ctx.Err(); err != nil {
			return gone, err
		}
		of := filesOf(trash, id)
		for _, one := range of {
			files++
			bytes += one.Size
		}
		at := deletedAt(id)
		if now.Sub(at) < trashLeast || !at.Before(before) && bytes <= maxTrashBytes && files <= maxTrashFiles {
			continue
		}
		if err := trash.RemoveAll(id); err != nil { // which follows no links
			return gone, b.unwritable(TrashFolder, err)
		}
		gone += len(of)
	}
	return gone, nil
}

// errNoTrash says that nothing was ever deleted in a workbench.
var errNoTrash = errors.New("there is no trash")

// inTrash does something with the workbench's folder and its trash, one after another.
// Errors: errNone (no workbench), errNoTrash (unless create), the folder's, do's.
func (b *Bench) inTrash(create bool, do func(root, trash *os.Root) error) error {
	root, err := b.folder()
	if err != nil {
		return err
	}
	defer root.Close() //nolint:errcheck // a folder, looked into
	b.trashing.Lock()
	defer b.trashing.Unlock()
	trash, err := b.trash(root, create)
	if err != nil {
		return err
	}
	defer trash.Close() //nolint:errcheck // a folder, looked into
	return do(root, trash)
}

// trash opens the trash, made if need be, with what keeps git and searches out of it.
func (b *Bench) trash(root *os.Root, create bool) (*os.Root, error) {
	if create {
		if err := root.Mkdir(TrashFolder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, b.unwritable(TrashFolder, err)
		}
	}
	trash, err := folders.Enter(root, TrashFolder)
	if !create && absent(err) {
		return nil, errNoTrash
	}
	if err != nil {
		return nil, b.unwritable(TrashFolder, err)
	}
	if create {
		for _, name := range []string{ignoreFile, ".ignore"} { // the second is what search tools read where there is no repository
			if err := folders.WriteNew(trash, name, ignores[chat.IgnoreAll]); err != nil {
				return nil, errors.Join(b.unwritable(TrashFolder, err), trash.Close())
			}
		}
	}
	return trash, nil
}

// deletions are the names of the folders of the trash, the last first.
func deletions(trash *os.Root) (ids []string) {
	list, err := trash.Open(".")
	if err != nil {
		return nil
	}
	defer list.Close()
	names, _ := list.Readdirnames(-1) // as far as they can be read
	for _, name := range names {
		if trashName.MatchString(name) && !deletedAt(name).IsZero() {
			ids = append(ids, name)
		}
	}
	slices.Sort(ids)
	slices.Reverse(ids)
	return ids
}

func deletedAt(id string) time.Time {
	at, _ := time.Parse(trashTime, id[:min(len(id), len(trashTime))]) // the zero time is none
	return at
}

// filesOf are the files of one deletion, by path.
func filesOf(trash *os.Root, id string) (all []Deleted) {
	at := deletedAt(id)
	top, err := folders.Enter(trash, id)
	if err != nil {
		return nil
	}
	defer top.Close() //nolint:errcheck // a folder, looked into
	var below func(in *os.Root, within string, depth int)
	below = func(in *os.Root, within string, depth int) {
		list, err := in.Open(".")
		if err != nil {
			return
		}
		defer list.Close()
		names, _ := list.Readdirnames(-1) // as far as they can be read
		for _, name := range names {
			info, err := in.Lstat(name)
			if err != nil {
				continue
			}
			path := path.Join(within, name)
			if !info.IsDir() {
				if kind, _, ok := strings.Cut(path, "/"); ok && slices.Contains(kinds, Kind(kind)) {
					all = append(all, Deleted{ID: id, Kind: Kind(kind), Path: path, What: whatOf(info), Size: sizeOf(info), At: at})
				}
				continue
			}
			if depth > maxDepth {
				continue
			}
			if folder, err := folders.Enter(in, name); err == nil {
				below(folder, path, depth+1)
				_ = folder.Close() // it was looked into
			}
		}
	}
	below(top, "", 0)
	slices.SortFunc(all, func(x, y Deleted) int { return strings.Compare(x.Path, y.Path) })
	return all
}

// descend opens a folder some folders below another one, and follows no link on the
// way; with create, what is not there is made.
func descend(root *os.Root, at string, create bool) (*os.Root, error) {
	in, err := root.OpenRoot(".")
	if err != nil {
		return nil, err
	}
	for part := range strings.SplitSeq(at, "/") {
		if part == "." {
			continue
		}
		if create {
			mode := fs.FileMode(0o755)
			if part == string(Spill) {
				mode = 0o700
			}
			if err := in.Mkdir(part, mode); err != nil && !errors.Is(err, fs.ErrExist) {
				return nil, errors.Join(err, in.Close())
			}
		}
		next, err := folders.Enter(in, part)
		if err := errors.Join(err, in.Close()); err != nil {
			if next != nil {
				err = errors.Join(err, next.Close())
			}
			return nil, err
		}
		in = next
	}
	return in, nil
}

// prune removes a folder, and those above it, as far as nothing is in them.
func prune(root *os.Root, at string) {
	for ; at != "." && at != "/"; at = path.Dir(at) {
		if root.Remove(at) != nil {
			return
		}
	}
}

func whatOf(info fs.FileInfo) What {
	switch {
	case info.Mode().IsRegular():
		return File
	case info.Mode()&fs.ModeSymlink != 0:
		return Link
	}
	return Special
}

func sizeOf(info fs.FileInfo) int64 {
	if info.Mode().IsRegular() {
		return info.Size()
	}
	return 0
}
