package store

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"hearth/backend/chat"
)

func lock(t *testing.T, dir string) *Hold {
	t.Helper()
	hold, err := Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	return hold
}

func release(t *testing.T, hold *Hold) {
	t.Helper()
	if err := hold.Release(); err != nil {
		t.Fatal(err)
	}
}

// instance is the instance of a folder that nobody holds.
func instance(t *testing.T, dir string) string {
	t.Helper()
	hold := lock(t, dir)
	defer release(t, hold)
	return hold.Instance()
}

func TestLock(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	if held, err := Held(dir); held || err != nil {
		t.Errorf("a folder that is not there: held %t, %v", held, err)
	}
	hold := lock(t, dir)
	_, err := Lock(dir)
	wantCode(t, err, chat.CodeConflict)
	if !errors.Is(err, ErrHeld) || !strings.Contains(err.Error(), "Hearth is already running with this data folder ("+dir+")") {
		t.Errorf("got %v", err)
	}
	if held, err := Held(dir); !held || err != nil {
		t.Errorf("held %t, %v", held, err)
	}
	for name, want := range map[string]os.FileMode{dir: 0o700 | os.ModeDir, filepath.Join(dir, LockName): 0o600} {
		if got := must(os.Stat(name))(t).Mode(); got != want {
			t.Errorf("%s has mode %v, want %v", name, got, want)
		}
	}
	release(t, hold)
	if held, err := Held(dir); held || err != nil {
		t.Errorf("released: held %t, %v", held, err)
	}
	release(t, lock(t, dir))
}

func TestLockRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(t *testing.T, dir string)
		says string
	}{
		{"a file for a folder", func(t *testing.T, dir string) { write(t, dir, nil) }, "data is a file, not a folder"},
		{"a pipe for a folder", func(t *testing.T, dir string) { pipe(t, dir) }, "data is a named pipe, not a folder"},
		{"a link to nothing for a folder", func(t *testing.T, dir string) { link(t, "/nowhere/data", dir) }, "data is a link to /nowhere/data, which is not there"},
		{"a pipe for a lock", func(t *testing.T, dir string) {
			release(t, lock(t, dir))
			if err := os.Remove(filepath.Join(dir, LockName)); err != nil {
				t.Fatal(err)
			}
			pipe(t, filepath.Join(dir, LockName))
		}, "lock is a named pipe, not a file"},
		{"a folder for a lock", func(t *testing.T, dir string) {
			if err := os.MkdirAll(filepath.Join(dir, LockName), 0o700); err != nil {
				t.Fatal(err)
			}
		}, "lock is a folder, not a file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "data")
			c.make(t, dir)
			if held, err := Held(dir); held || err != nil {
				t.Errorf("held %t, %v", held, err)
			}
			_, err := Lock(dir)
			wantCode(t, err, chat.CodeConflict)
			var fault *Fault
			if !errors.As(err, &fault) || errors.Is(err, ErrHeld) || !strings.Contains(err.Error(), c.says) || fault.Next == "" {
				t.Errorf("got %v", err)
			}
		})
	}
}

// The instance is that of the file that is locked, by whatever name.
func TestInstance(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	file := filepath.Join(dir, LockName)
	id := instance(t, dir)
	if !lockText.MatchString("instance " + id + " of file 1:2\n") {
		t.Errorf("instance %q", id)
	}
	if again := instance(t, dir); again != id {
		t.Errorf("it was %q and is %q", id, again)
	}
	moved := dir + "-moved"
	if err := os.Rename(dir, moved); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(moved, dir); err != nil {
		t.Fatal(err)
	}
	link(t, dir, moved)
	if again := instance(t, moved); again != id {
		t.Errorf("moved, and by a link: it was %q and is %q", id, again)
	}

	copied := filepath.Join(t.TempDir(), "copy")
	if said, err := exec.Command("cp", "-a", dir, copied).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	other := instance(t, copied)
	if other == id {
		t.Error("a copy is the same instance")
	}
	if again := instance(t, copied); again != other {
		t.Errorf("the copy was %q and is %q", other, again)
	}
	if again := instance(t, dir); again != id {
		t.Errorf("with a copy somewhere: it was %q and is %q", id, again)
	}

	// Copied into the folder of another, it does not take the other's place.
	text := must(os.ReadFile(file))(t)
	write(t, filepath.Join(copied, LockName), text)
	if got := instance(t, copied); got == id {
		t.Error("a copied lock file is the same instance")
	}

	// A file that was removed while it was held can't come back as it was.
	hold := lock(t, dir)
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if got := instance(t, dir); got == id {
		t.Error("a new lock file is the same instance, and the old one is held")
	}
	release(t, hold)
}

// What else may stand in a lock file: nothing (of before there were instances), or
// half of what was written when the power went.
func TestInstanceOfAStrangeLockFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, LockName)
	id := instance(t, dir)
	text := string(must(os.ReadFile(file))(t))
	for _, strange := range []string{"", text[:len(text)-1], text[:4], text[:20] + "\x00\x00", text + "x", strings.Repeat("\x00", len(text)), strings.Replace(text, id, "../../etc", 1)} {
		write(t, file, []byte(strange))
		got := instance(t, dir)
		if got == id || !lockText.MatchString("instance "+got+" of file 1:2\n") {
			t.Errorf("%.40q: instance %q", strange, got)
		}
		if again := instance(t, dir); again != got {
			t.Errorf("%.40q: it was %q and is %q", strange, got, again)
		}
	}
}

// What somebody else has written is never written over, whether it stands there
// itself or by a link.
func TestALockIsNeverWrittenOverAnothersFile(t *testing.T) {
	for name, put := range map[string]func(lock, others string) error{
		"linked": func(lock, others string) error { return os.Symlink(others, lock) },
		"joined": func(lock, others string) error { return os.Link(others, lock) },
		"copied": func(lock, others string) error {
			text, err := os.ReadFile(others)
			if err != nil {
				return err
			}
			return os.WriteFile(lock, text, 0o600)
		},
	} {
		for _, text := range []string{"root:x:0:0:root:/root:/bin/bash\n", "x", strings.Repeat("instance ", 1000), "instances of things\n" + strings.Repeat("\x00", 300)} {
			dir := t.TempDir()
			others, path := filepath.Join(t.TempDir(), "passwd"), filepath.Join(dir, LockName)
			write(t, others, []byte(text))
			if err := put(path, others); err != nil {
				t.Fatal(err)
			}
			var fault *Fault
			if _, err := Lock(dir); !errors.As(err, &fault) || fault.Next == "" {
				t.Errorf("%s, %.20q: %v", name, text, err)
			}
			if got := string(must(os.ReadFile(path))(t)); got != text {
				t.Errorf("%s: %.20q became %.60q", name, text, got)
			}
		}
	}
}

// Two folders whose files are the same ones are one folder.
func TestLockOfAHardLink(t *testing.T) {
	one, two := t.TempDir(), t.TempDir()
	hold := lock(t, one)
	if err := os.Link(filepath.Join(one, LockName), filepath.Join(two, LockName)); err != nil {
		t.Fatal(err)
	}
	if _, err := Lock(two); !errors.Is(err, ErrHeld) {
		t.Errorf("got %v", err)
	}
	release(t, hold)
}

func FuzzParseLock(f *testing.F) {
	f.Add([]byte("instance ABCDEFGHIJKLMNOPQRSTUVWXYZ of file 801:1f3\n"))
	f.Add([]byte(""))
	f.Fuzz(func(t *testing.T, text []byte) {
		instance, place := parseLock(text)
		if instance != "" && string(text) != "instance "+instance+" of file "+place+"\n" || strings.ContainsAny(instance, "/\x00") {
			t.Errorf("%q: %q %q", text, instance, place)
		}
	})
}

// What the system says about a file is said in words, each with what to do.
func TestFileFault(t *testing.T) {
	for cause, says := range map[error]string{
		syscall.ENOSPC: "no room left", syscall.EDQUOT: "no room left", syscall.EROFS: "mounted read-only",
		syscall.EACCES: "not yours", syscall.EPERM: "not yours",
	} {
		err := fileFault("/x", "lock the data folder", &os.PathError{Op: "open", Path: "/x/lock", Err: cause})
		wantCode(t, err, chat.CodeUnavailable)
		var fault *Fault
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), says) || !strings.HasPrefix(err.Error(), "/x can't be written: ") || !errors.Is(err, cause) {
			t.Errorf("%v: %v", cause, err)
		}
	}
	if err := fileFault("/x", "lock the data folder", syscall.EIO); chat.CodeOf(err) != chat.CodeInternal || err.Error() != "lock the data folder /x: input/output error" {
		t.Errorf("got %v", err)
	}
}
