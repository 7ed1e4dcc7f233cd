package folders

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Whoever opens a FIFO waits for a writer: one is never opened, by its path, by its
// name, or when it stands in a folder's place after that was looked at.
func TestAFIFOIsNotWaitedFor(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(fifo); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("by its path: %v", err)
	}
	root, err := Open(filepath.Dir(fifo))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if _, err := Enter(root, "fifo"); !errors.Is(err, ErrNone) {
		t.Errorf("by its name: %v", err)
	}
	if folder, err := openIn(root, "fifo"); err == nil {
		t.Errorf("opened: %v", folder.Close())
	}
}

// A folder whose place a link takes after it was looked at is not the one that is entered.
func TestEnterEntersWhatItLookedAt(t *testing.T) {
	workspace := t.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(workspace, "real"), 0o755), os.Mkdir(filepath.Join(workspace, "other"), 0o755), os.Symlink("other", filepath.Join(workspace, "link"))); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(workspace)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	before, err := root.Lstat("real")
	if err != nil {
		t.Fatal(err)
	}
	if folder, err := enterSame(root, "real", before); err != nil {
		t.Error(err)
	} else if err := folder.Close(); err != nil {
		t.Error(err)
	}
	if _, err := enterSame(root, "link", before); !errors.Is(err, ErrNone) {
		t.Errorf("through a link: %v", err)
	}
}

// What a Hearth that died was writing goes, what is being written now stays.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	long := time.Now().Add(-2 * PartsAfter)
	for _, name := range []string{PartPrefix + "old", PartPrefix + "new", "old"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "old") {
			if err := os.Chtimes(path, long, long); err != nil {
				t.Fatal(err)
			}
		}
	}
	root, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	Sweep(root)
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range list {
		names = append(names, entry.Name())
	}
	if want := []string{PartPrefix + "new", "old"}; !slices.Equal(names, want) {
		t.Errorf("left are %q, want %q", names, want)
	}
}
