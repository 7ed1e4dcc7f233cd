package workbench

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"hearth/backend/chat"
	"hearth/backend/folders"
)

func TestPrepare(t *testing.T) {
	for choice, want := range map[chat.Ignore][]string{
		chat.IgnoreAll:     {},
		chat.IgnoreOutput:  {".flower/.gitignore", ".flower/notes/artifacts/n.md", ".flower/notes/n.md", ".flower/scripts/spill/s.sh"},
		chat.IgnoreNothing: {".flower/INDEX.md", ".flower/artifacts/a", ".flower/notes/artifacts/n.md", ".flower/notes/n.md", ".flower/scripts/spill/s.sh", ".flower/spill/x.txt"},
	} {
		t.Run(string(choice), func(t *testing.T) {
			b, err := Open(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			git(t, b.root, "init", "--quiet")
			for range 2 {
				if err := b.Prepare(choice); err != nil {
					t.Fatal(err)
				}
			}
			for _, name := range []string{"artifacts/a", "notes/n.md", "notes/artifacts/n.md", "scripts/spill/s.sh"} {
				put(t, b, name, "x")
			}
			_, err = b.Spill("x.txt", "x")
			if err := errors.Join(err, second(b.Refresh(t.Context()))); err != nil {
				t.Fatal(err)
			}
			seen := git(t, b.root, "status", "--porcelain=v1", "-z", "--untracked-files=all")
			got := slices.Sorted(strings.SplitSeq(strings.ReplaceAll(seen, "?? ", ""), "\x00"))
			if got = got[1:]; !slices.Equal(got, want) {
				t.Errorf("git sees %q, want %q", got, want)
			}
			if info, err := os.Stat(b.SpillFolder()); err != nil || info.Mode().Perm() != 0o700 {
				t.Errorf("spill/: %v %v", info, err)
			}
		})
	}
	b, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Prepare("some"); err == nil || len(tree(t, b.root)) != 0 {
		t.Errorf("an unknown choice: %v", err)
	}
}

func git(t *testing.T, folder string, args ...string) string {
	t.Helper()
	path, err := exec.LookPath("git")
	if err != nil {
		t.Fatalf("%v: install git (on Debian: apt-get install git)", err)
	}
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// What the person has made of it stays: the .gitignore, and that there is none.
func TestPrepareTouchesNothing(t *testing.T) {
	mine := bench(t)
	ignore := filepath.Join(mine.Path(), ignoreFile)
	if err := os.WriteFile(ignore, []byte("mine\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	none := bench(t)
	if err := errors.Join(os.Remove(filepath.Join(none.Path(), ignoreFile)), os.RemoveAll(filepath.Join(none.Path(), "notes"))); err != nil {
		t.Fatal(err)
	}
	for _, b := range []*Bench{mine, none} {
		if err := b.Prepare(chat.IgnoreOutput); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Spill("x.txt", "x"); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(ignore); err != nil || string(got) != "mine\n" {
		t.Errorf("%q %v", got, err)
	}
	if got := tree(t, none.Path()); !slices.Equal(got, []string{"artifacts", "notes", "scripts", "spill", "spill/x.txt"}) {
		t.Errorf("%q", got)
	}
	// An empty folder is one that Hearth died in, or nobody's yet.
	b, err := Open(t.TempDir())
	if err = errors.Join(err, os.Mkdir(b.Path(), 0o755), b.Prepare(chat.IgnoreOutput)); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(b.Path(), ignoreFile)); err != nil || string(got) != ignores[chat.IgnoreOutput] {
		t.Errorf("%q %v", got, err)
	}
}

// What a Hearth that died was writing goes, what is being written now stays.
func TestPrepareSweeps(t *testing.T) {
	b := bench(t)
	long := time.Now().Add(-2 * folders.PartsAfter)
	for _, name := range []string{folders.PartPrefix + "old", folders.PartPrefix + "new", "spill/" + folders.PartPrefix + "old", "spill/old"} {
		put(t, b, name, "x")
		if strings.HasSuffix(name, "old") {
			if err := os.Chtimes(filepath.Join(b.Path(), name), long, long); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := b.Prepare(chat.IgnoreAll); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, b.Path()); !slices.Equal(got, []string{ignoreFile, folders.PartPrefix + "new", "artifacts", "notes", "scripts", "spill", "spill/old"}) {
		t.Errorf("%q", got)
	}
}

// INDEX.md is the index, written only when it changed, and in the place of
// whatever has its name.
func TestRefresh(t *testing.T) {
	b := bench(t)
	path := filepath.Join(b.Path(), IndexFile)
	put(t, b, "scripts/x.sh", "# desc: 하나\n")
	for name, set := range map[string]func() error{
		"nothing": func() error { return nil },
		"a file":  func() error { return os.WriteFile(path, []byte("old"), 0o600) },
		"as long": func() error { return os.WriteFile(path, []byte(strings.Repeat("x", len(Index(scan(t, b)))+1)), 0o600) },
		"a link":  func() error { return os.Symlink(filepath.Join(b.root, "victim"), path) },
		"a FIFO":  func() error { return syscall.Mkfifo(path, 0o600) },
		"a hard link": func() error {
			return errors.Join(os.WriteFile(filepath.Join(b.root, "other"), []byte("precious"), 0o600), os.Link(filepath.Join(b.root, "other"), path))
		},
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
			if err := errors.Join(os.WriteFile(filepath.Join(b.root, "victim"), []byte("precious"), 0o600), set()); err != nil {
				t.Fatal(err)
			}
			inv, err := b.Refresh(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			first, err := os.Lstat(path)
			if err != nil || !first.Mode().IsRegular() {
				t.Fatalf("%v %v", first, err)
			}
			if got, err := os.ReadFile(path); err != nil || string(got) != Index(inv)+"\n" {
				t.Errorf("%q %v", got, err)
			}
			if again, err := b.WriteIndex(scan(t, b)); err != nil || again {
				t.Errorf("written again: %v %v", again, err)
			}
			if now, err := os.Lstat(path); err != nil || !os.SameFile(first, now) {
				t.Errorf("another file: %v", err)
			}
			for _, name := range []string{"victim", "other"} {
				if got, err := os.ReadFile(filepath.Join(b.root, name)); err == nil && string(got) != "precious" {
					t.Errorf("%s: %q", name, got)
				}
			}
		})
	}
	if err := errors.Join(os.Remove(path), os.Mkdir(path, 0o755)); err != nil {
		t.Fatal(err)
	}
	inv, err := b.Refresh(t.Context())
	if chat.CodeOf(err) != chat.CodeConflict || !strings.Contains(err.Error(), path) || len(inv.Entries) != 1 {
		t.Errorf("a folder: %v, %+v", err, inv)
	}
	if got := tree(t, b.Path()); slices.ContainsFunc(got, func(name string) bool { return strings.HasPrefix(name, folders.PartPrefix) }) {
		t.Errorf("left behind: %q", got)
	}
}

// Many at once: the last index is that of the last inventory.
func TestRefreshAtOnce(t *testing.T) {
	b := bench(t)
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			name := filepath.Join(b.Path(), "scripts", fmt.Sprint(i))
			if err := os.WriteFile(name, []byte("# desc: x\n"), 0o644); err != nil {
				t.Error(err)
			}
			if _, err := b.Refresh(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if written, err := b.WriteIndex(scan(t, b)); err != nil || written {
		t.Errorf("it was not up to date: %v", err)
	}
}

// A folder in which nothing can be written. To root, only the kernel's own are.
func TestReadOnly(t *testing.T) {
	workspace := t.TempDir()
	if err := os.Chmod(workspace, 0o555); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		workspace = map[string]string{"linux": "/sys", "darwin": "/System"}[runtime.GOOS]
	}
	b, err := Open(workspace)
	if err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{"prepare": b.Prepare(chat.IgnoreAll), "spill": second(b.Spill("x.txt", "x")), "copy": second(b.Copy(t.Context(), "", os.Args[0]))} {
		if chat.CodeOf(err) != chat.CodeForbidden || !strings.Contains(err.Error(), "Nothing can be written in the workbench") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := b.Refresh(t.Context()); err != nil {
		t.Errorf("refresh: %v", err)
	}
}

// What a full disk and the rest become: no test can fill a disk.
func TestUnwritable(t *testing.T) {
	b := bench(t)
	for errno, want := range map[syscall.Errno]chat.Code{
		syscall.ENOSPC: chat.CodeUnavailable, syscall.EDQUOT: chat.CodeUnavailable, syscall.EROFS: chat.CodeForbidden,
		syscall.EACCES: chat.CodeForbidden, syscall.EPERM: chat.CodeForbidden, syscall.EISDIR: chat.CodeConflict,
	} {
		err := b.unwritable("spill/x.txt", fmt.Errorf("write: %w", &os.PathError{Op: "openat", Path: folders.PartPrefix + "X", Err: errno}))
		if chat.CodeOf(err) != want || !errors.Is(err, errno) || !strings.Contains(err.Error(), "/.flower/spill/x.txt") || strings.Contains(err.Error(), folders.PartPrefix) {
			t.Errorf("%v: %v", errno, err)
		}
	}
}
