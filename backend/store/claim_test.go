package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"hearth/backend/chat"
)

func init() {
	children["hold a database"] = holdDatabase
	children["open a database"] = openDatabase
	children["look for SQLite's lock"] = lookForLock
}

// holdDatabase opens a database, says so, and keeps it until its standard input
// ends. Its argument is the path.
func holdDatabase(args []string) error {
	s, err := Open(context.Background(), Options{Path: args[0]})
	if err != nil {
		return err
	}
	fmt.Println("open")
	_, err = io.Copy(io.Discard, os.Stdin)
	return errors.Join(err, s.Close())
}

// openDatabase says whether a database is in use, whether it opens, and what a
// check says. Its argument is the path.
func openDatabase(args []string) error {
	used, err := InUse(args[0])
	if err != nil {
		return err
	}
	checked := Check(context.Background(), args[0])
	s, err := Open(context.Background(), Options{Path: args[0]})
	if err == nil {
		err = s.Close()
	}
	fmt.Printf("in use %t, held %t, opened %t, checked %v", used, errors.Is(err, ErrHeld), err == nil, checked)
	return nil
}

// sharedBytes is where SQLite locks what it reads: its SHARED_FIRST and
// SHARED_SIZE. Fixed by the file format.
var sharedBytes = unix.Flock_t{Type: unix.F_WRLCK, Start: 0x40000002, Len: 510}

// lookForLock says whether SQLite's lock is on a database in another process. Its
// argument is the path.
func lookForLock(args []string) error {
	file, err := os.Open(args[0])
	if err != nil {
		return err
	}
	defer file.Close()
	found := sharedBytes
	if err := unix.FcntlFlock(file.Fd(), unix.F_GETLK, &found); err != nil {
		return err
	}
	fmt.Printf("locked %t", found.Type != unix.F_UNLCK)
	return nil
}

// say has a child do its task, and returns what it said.
func say(t *testing.T, task string, args ...string) string {
	t.Helper()
	child := exec.Command(must(os.Executable())(t), args...)
	child.Env = append(os.Environ(), childTask+"="+task)
	said, err := child.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v: %s", task, err, said)
	}
	return string(said)
}

// hold has a child open a database. It lets go when it is killed, or when close
// is called.
func hold(t *testing.T, path string) (kill, closed func()) {
	t.Helper()
	child := exec.Command(must(os.Executable())(t), path)
	child.Env = append(os.Environ(), childTask+"=hold a database")
	child.Stderr = os.Stderr
	in, out := must(child.StdinPipe())(t), must(child.StdoutPipe())(t)
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatalf("the child says %q: %v", line, err)
	}
	kill = func() {
		_ = child.Process.Kill()
		_ = child.Wait()
	}
	t.Cleanup(kill)
	return kill, func() {
		if err := errors.Join(in.Close(), child.Wait()); err != nil {
			t.Error(err)
		}
	}
}

// ways are other names of a database, and what people do to the lock file.
var ways = []struct {
	name string
	make func(t *testing.T, dir string) (path string)
}{
	{"its name", func(_ *testing.T, dir string) string { return filepath.Join(dir, "hearth.db") }},
	{"its name, and the lock file is gone", func(t *testing.T, dir string) string {
		if err := os.Remove(filepath.Join(dir, LockName)); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return filepath.Join(dir, "hearth.db")
	}},
	{"a link to the file", func(t *testing.T, dir string) string {
		path := filepath.Join(t.TempDir(), "hearth.db")
		link(t, filepath.Join(dir, "hearth.db"), path)
		return path
	}},
	{"a link to the folder", func(t *testing.T, dir string) string {
		path := filepath.Join(t.TempDir(), "data")
		link(t, dir, path)
		return filepath.Join(path, "hearth.db")
	}},
	{"a hard link", func(t *testing.T, dir string) string {
		path := filepath.Join(t.TempDir(), "hearth.db")
		if err := os.Link(filepath.Join(dir, "hearth.db"), path); err != nil {
			t.Fatal(err)
		}
		return path
	}},
}

// A database has one store at a time, by whatever name, and whatever became of
// the lock file: one in this process, or in another.
func TestADatabaseIsOpenOnce(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "hearth.db")
	s := openAt(t, path, nil)
	must(s.Channels(t.Context(), false))(t)
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			release(t, lock(t, dir))
			other := way.make(t, dir)
			again, err := Open(t.Context(), Options{Path: other})
			if err == nil {
				t.Fatal("opened twice in one process", again.Close())
			}
			wantCode(t, err, chat.CodeConflict)
			real := must(Resolve(other))(t)
			if !errors.Is(err, ErrHeld) || !strings.Contains(err.Error(), "Hearth is already running with this database ("+real+")") {
				t.Errorf("got %v", err)
			}
			if used, err := InUse(other); !used || err != nil {
				t.Errorf("in use %t, %v", used, err)
			}
			if said := say(t, "open a database", other); said != "in use true, held true, opened false, checked <nil>" {
				t.Errorf("another process: %s", said)
			}
			// To close a file is to lose SQLite's locks on it: nothing of the above did.
			if said := say(t, "look for SQLite's lock", path); said != "locked true" {
				t.Errorf("SQLite's lock: %s", said)
			}
		})
	}
	must(s.CreateChannel(t.Context(), chat.Channel{Name: "a", Workspace: "/a"}))(t)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if used, err := InUse(path); used || err != nil {
		t.Errorf("closed: in use %t, %v", used, err)
	}
	if said := say(t, "open a database", path); said != "in use false, held false, opened true, checked <nil>" {
		t.Errorf("closed: %s", said)
	}
}

// What another process has is free again when that has closed it, or was killed.
func TestADatabaseOfAnotherProcess(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "hearth.db")
	kill, _ := hold(t, path)
	for _, way := range ways {
		other := way.make(t, dir)
		if used, err := InUse(other); !used || err != nil {
			t.Errorf("%s: in use %t, %v", way.name, used, err)
		}
		if _, err := Open(t.Context(), Options{Path: other}); !errors.Is(err, ErrHeld) {
			t.Errorf("%s: %v", way.name, err)
		}
		if err := Check(t.Context(), other); err != nil {
			t.Errorf("%s: %v", way.name, err)
		}
	}
	copied := filepath.Join(t.TempDir(), "hearth.db")
	write(t, copied, must(os.ReadFile(path))(t))
	if used, err := InUse(copied); used || err != nil {
		t.Errorf("a copy: in use %t, %v", used, err)
	}
	kill()
	if used, err := InUse(path); used || err != nil {
		t.Errorf("killed: in use %t, %v", used, err)
	}
	if err := openAt(t, path, nil).Close(); err != nil {
		t.Error(err)
	}
	_, closed := hold(t, path)
	closed()
	openAt(t, path, nil)
}

// An opening that fails gives the database back.
func TestAnOpeningThatFailsLetsGo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hearth.db")
	write(t, path, []byte(strings.Repeat("this is no database. ", 400)))
	for range 2 {
		if _, err := Open(t.Context(), Options{Path: path}); err == nil || errors.Is(err, ErrHeld) {
			t.Errorf("got %v", err)
		}
	}
	if used, err := InUse(path); used || err != nil {
		t.Errorf("in use %t, %v", used, err)
	}
}

func TestInUseOfNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "hearth.db")
	if used, err := InUse(path); used || err != nil {
		t.Errorf("not there: in use %t, %v", used, err)
	}
	// Who has the folder is about to have the database.
	hold := lock(t, dir)
	if used, err := InUse(path); !used || err != nil {
		t.Errorf("the folder is held: in use %t, %v", used, err)
	}
	release(t, hold)
	pipe(t, path) // nobody waits for its other end
	if used, err := InUse(path); used || err != nil {
		t.Errorf("a pipe: in use %t, %v", used, err)
	}
}

// A system without such locks is no reason not to start.
func TestNoSuchLock(t *testing.T) {
	for err, want := range map[error]bool{syscall.EINVAL: true, syscall.EOPNOTSUPP: true, syscall.ENOSYS: true, syscall.EAGAIN: false, syscall.EIO: false, nil: false} {
		if got := noSuchLock(err); got != want {
			t.Errorf("%v: %t", err, got)
		}
	}
}
