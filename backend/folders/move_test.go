package folders

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// In each way a file is whole under its new name or stays under the old one, and
// nothing that is there already is replaced.
func TestMove(t *testing.T) {
	unable := func(int, int, string, string) error { return errUnable }
	for name, way := range map[string]naming{"rename": renameNew, "link": linkNew, "take": takeNew} {
		t.Run(name, func(t *testing.T) {
			here, there := root(t), root(t)
			if err := errors.Join(
				here.WriteFile("x", []byte("new"), 0o600), there.WriteFile("taken", []byte("old"), 0o600), there.Symlink("nowhere", "dead"),
				here.Symlink("x", "link"), syscall.Mkfifo(filepath.Join(here.Name(), "fifo"), 0o600),
			); err != nil {
				t.Fatal(err)
			}
			for _, as := range []string{"taken", "dead"} {
				if err := move(here, "x", there, as, unable, way); !errors.Is(err, fs.ErrExist) {
					t.Errorf("as %s: %v", as, err)
				}
			}
			for _, one := range []string{"x", "link", "fifo"} {
				if err := move(here, one, there, one, unable, way); err != nil {
					t.Errorf("%s: %v", one, err)
				}
			}
			if err := move(here, "none", there, "none", unable, way); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("what is not there: %v", err)
			}
			if got := names(t, here); len(got) != 0 {
				t.Errorf("left are %q", got)
			}
			if got := names(t, there); !slices.Equal(got, []string{"dead", "fifo", "link", "taken", "x"}) {
				t.Errorf("moved are %q", got)
			}
			for name, want := range map[string]string{"x": "new", "taken": "old"} {
				if text, err := there.ReadFile(name); err != nil || string(text) != want {
					t.Errorf("%s: %q %v", name, text, err)
				}
			}
			if to, err := there.Readlink("link"); err != nil || to != "x" {
				t.Errorf("the link leads to %q, %v", to, err)
			}
		})
	}
	here := root(t)
	if err := move(here, "x", here, "y", unable, unable); !errors.Is(err, errUnable) {
		t.Errorf("where no way is known: %v", err)
	}
}

func root(t *testing.T) *os.Root {
	t.Helper()
	opened, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { opened.Close() })
	return opened
}

func names(t *testing.T, folder *os.Root) (names []string) {
	t.Helper()
	list, err := os.ReadDir(folder.Name())
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range list {
		names = append(names, entry.Name())
	}
	return names
}
