package workbench

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
	"time"

	"hearth/backend/folders"
)

// Kind is what an entry is for: the folder of the workbench that it is in.
type Kind string

// The kinds, in the order in which they are listed.
const (
	Script   Kind = "scripts"
	Note     Kind = "notes"
	Artifact Kind = "artifacts"
	Spill    Kind = "spill" // counted, and never listed one by one
)

var kinds = []Kind{Script, Note, Artifact, Spill}

// What says what an entry is on the disk, in words that stand in the index.
type What string

// What an entry can be.
const (
	File    What = ""                              // a regular file with one name
	Link    What = "a link"                        // to another entry's place in the workbench
	Shared  What = "a hard link; not read"         // it has a second name, which may be anywhere
	Outside What = "a link that leads outside"     // out of the workbench; never followed
	Dead    What = "a link that leads nowhere"     // or round in a circle
	Special What = "no regular file; never opened" // a FIFO, a socket, a device
	Closed  What = "a folder not looked into"      // the description says why
)

// An Entry is one file of the workbench.
type Entry struct {
	Kind Kind
	// Path is relative to the workbench, with slashes, in the bytes that the disk
	// has: it may hold anything but a zero byte.
	Path     string
	What     What
	Size     int64 // bytes; of what a Link leads to
	Modified time.Time
	// Description is what the file says of itself, one line as it is written; it
	// may hold anything. One that goes on beyond what is read ends in "…".
	Description string
}

// An Inventory is what was in a workbench at one moment.
type Inventory struct {
	Name string // of the workbench, as agents are told
	// Entries stand in the order of the kinds, and in each by path.
	Entries []Entry
	// Cut says that there are more than MaxEntries: the rest was not looked at.
	Cut bool
}

const (
	// MaxEntries is how many files are looked at. Beyond it nobody is helped by a
	// list.
	MaxEntries = 200_000
	// maxDepth is how many folders deep files are looked for.
	maxDepth = 16
	// headBytes is how much of a file is read to find its description.
	headBytes = 4 << 10
	// batch is how many names are taken from a folder at once.
	batch = 1024
)

// passed are names that tools leave behind and that are nobody's entry. So are
// all that begin with a dot.
var passed = map[string]bool{"__pycache__": true, "node_modules": true}

// Scan looks at all that is in the workbench. No workbench is an empty inventory.
// A file that changes or goes meanwhile is there as it was at some moment, or not.
// Errors: the workspace is gone or .flower is no folder (chat.CodeConflict), they
// can't be opened (chat.CodeForbidden), the context's.
func (b *Bench) Scan(ctx context.Context) (Inventory, error) {
	inv := Inventory{Name: b.name}
	root, err := b.folder()
	if errors.Is(err, errNone) {
		return inv, nil
	}
	if err != nil {
		return inv, err
	}
	defer root.Close() //nolint:errcheck // a folder, looked into
	b.mu.Lock()
	known := b.described
	b.mu.Unlock()
	s := scanner{root: root, inv: &inv, begun: time.Now(), known: known, described: map[string]described{}}
	for _, kind := range kinds {
		begun := len(inv.Entries)
		if err := s.folder(ctx, root, kind, string(kind), 1); err != nil {
			return Inventory{Name: b.name}, err
		}
		slices.SortFunc(inv.Entries[begun:], func(x, y Entry) int { return cmp.Compare(x.Path, y.Path) })
	}
	b.mu.Lock()
	b.described = s.described
	b.mu.Unlock()
	return inv, nil
}

// described is a description that was read, and the state of the file it was read
// from.
type described struct {
	inode    uint64
	size     int64
	modified time.Time
	text     string
}

// settled is how old a file must be for its description to be kept: one written
// twice within a clock's tick would look the same.
const settled = 2 * time.Second

type scanner struct {
	root      *os.Root
	inv       *Inventory
	begun     time.Time
	known     map[string]described // not written to
	described map[string]described
}

// folder looks at all that is in a folder, and in the folders in it. Its error is
// the context's.
func (s *scanner) folder(ctx context.Context, in *os.Root, kind Kind, at string, depth int) error {
	name := path.Base(at)
	info, err := in.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !info.IsDir() {
		s.entry(in, kind, at, info)
		return nil
	}
	var folder *os.Root
	if err == nil && depth > maxDepth {
		err = errors.New("too deep")
	}
	if err == nil {
		folder, err = folders.Enter(in, name)
	}
	if err != nil {
		s.closed(kind, at, info, err)
		return nil
	}
	defer folder.Close() //nolint:errcheck // a folder, looked into
	list, err := folder.Open(".")
	if err != nil {
		s.closed(kind, at, info, err)
		return nil
	}
	defer list.Close()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		names, err := list.Readdirnames(batch)
		for _, name := range names {
			if strings.HasPrefix(name, ".") || passed[name] {
				continue
			}
			if len(s.inv.Entries) >= MaxEntries {
				s.inv.Cut = true
				return nil
			}
			info, err := folder.Lstat(name)
			if err != nil {
				continue // it is gone already
			}
			if !info.IsDir() {
				s.entry(folder, kind, at+"/"+name, info)
			} else if err := s.folder(ctx, folder, kind, at+"/"+name, depth+1); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) || len(names) == 0 && err == nil {
			return nil
		}
		if err != nil {
			s.closed(kind, at, info, err)
			return nil
		}
	}
}

// closed notes a folder that could not be looked into, unless it is gone by now.
func (s *scanner) closed(kind Kind, at string, info fs.FileInfo, err error) {
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	e := Entry{Kind: kind, Path: at, What: Closed, Description: cause(err).Error()}
	if info != nil {
		e.Modified = info.ModTime()
	}
	s.inv.Entries = append(s.inv.Entries, e)
}

// entry notes one thing that is no folder.
func (s *scanner) entry(in *os.Root, kind Kind, at string, info fs.FileInfo) {
	e := Entry{Kind: kind, Path: at, Size: info.Size(), Modified: info.ModTime()}
	switch {
	case info.Mode().IsRegular():
		if hasSecondName(info) {
			e.What = Shared
		} else if kind == Script || kind == Note {
			e.Description = s.describe(in, path.Base(at), at, kind, info)
		}
	case info.Mode()&fs.ModeSymlink != 0:
		s.link(&e)
	default:
		e.What, e.Size = Special, 0
	}
	s.inv.Entries = append(s.inv.Entries, e)
}

// link finds out where a link leads, without following it out of the workbench.
func (s *scanner) link(e *Entry) {
	e.Size = 0
	info, err := s.root.Stat(e.Path)
	switch {
	case err == nil && info.Mode().IsRegular() && hasSecondName(info):
		e.What = Shared
	case err == nil && info.Mode().IsRegular():
		e.What, e.Size, e.Modified = Link, info.Size(), info.ModTime()
		if e.Kind == Script || e.Kind == Note {
			e.Description = s.describe(s.root, e.Path, e.Path, e.Kind, info)
		}
	case err == nil && info.IsDir():
		e.What = Link
	case err == nil:
		e.What = Special
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ELOOP), errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrPermission):
		e.What = Dead
	default: // the root's own error, which has no name
		e.What = Outside
	}
}

// describe returns a file's description, as it was read last time when the file
// has not changed.
func (s *scanner) describe(in *os.Root, name, at string, kind Kind, info fs.FileInfo) string {
	state := described{size: info.Size(), modified: info.ModTime()}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		state.inode = stat.Ino
	}
	if old, ok := s.known[at]; ok && old.inode == state.inode && old.size == state.size && old.modified.Equal(state.modified) {
		s.described[at] = old
		return old.text
	}
	head, whole := readHead(in, name)
	if kind == Script {
		state.text = describeScript(head, whole)
	} else {
		state.text = describeNote(head, whole)
	}
	if s.begun.Sub(state.modified) > settled {
		s.described[at] = state
	}
	return state.text
}

// readHead reads how a file begins; whole says that this is all of it. What can't
// be read is empty.
func readHead(in *os.Root, name string) (head []byte, whole bool) {
	file, err := openRegular(in, name)
	if err != nil {
		return nil, true
	}
	defer file.Close()
	head = make([]byte, headBytes+1)
	n, err := io.ReadFull(file, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, true
	}
	return head[:min(n, headBytes)], n <= headBytes
}

var errNotRead = errors.New("it is no regular file with one name")

// openRegular opens a regular file with one name. It has been looked at before
// it comes to this, and something else may have taken its place: O_NONBLOCK,
// because a FIFO would wait for a writer for ever.
func openRegular(in *os.Root, name string) (*os.File, error) {
	file, err := in.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && (!info.Mode().IsRegular() || hasSecondName(info)) {
		err = errNotRead
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

func hasSecondName(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return !ok || stat.Nlink > 1
}
