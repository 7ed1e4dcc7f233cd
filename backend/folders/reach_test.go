package folders

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

func TestReachFollowsNoLink(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(t.TempDir(), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if _, err := Reach(filepath.Join(dir, "link", "below"), true); !errors.Is(err, ErrNone) {
		t.Errorf("through a link: %v", err)
	}
	if _, err := Reach(filepath.Join(dir, "a", "b"), false); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what is not there: %v", err)
	}
	made, err := Reach(filepath.Join(dir, "a", "b"), true)
	if err != nil {
		t.Fatal(err)
	}
	defer made.Close()
	if info, err := os.Stat(filepath.Join(dir, "a", "b")); err != nil || !info.IsDir() {
		t.Errorf("it was not made: %v", err)
	}
}

// In each way both files are whole, under each other's name.
func TestExchange(t *testing.T) {
	for name, swap := range map[string]naming{
		"swap":  renameSwap,
		"moves": func(int, int, string, string) error { return unix.EINVAL }, // of a file system that does not know it
	} {
		t.Run(name, func(t *testing.T) {
			in := root(t)
			if err := errors.Join(in.WriteFile("one", []byte("1"), 0o600), in.WriteFile("other", []byte("2"), 0o600)); err != nil {
				t.Fatal(err)
			}
			if err := exchange(in, "one", "other", swap); err != nil {
				t.Fatal(err)
			}
			for name, want := range map[string]string{"one": "2", "other": "1"} {
				if text, err := in.ReadFile(name); err != nil || string(text) != want {
					t.Errorf("%s holds %q, %v", name, text, err)
				}
			}
			if got := names(t, in); len(got) != 2 {
				t.Errorf("left are %q", got)
			}
			if err := exchange(in, "one", "none", swap); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("with what is not there: %v", err)
			}
			if text, err := in.ReadFile("one"); err != nil || string(text) != "2" {
				t.Errorf("then one holds %q, %v", text, err)
			}
		})
	}
}
