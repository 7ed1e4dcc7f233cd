package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"hearth/backend/chat"
)

// isMarked says whether a closed database says that its last end was in order.
func isMarked(t *testing.T, path string) bool {
	t.Helper()
	pool := must(connect(path, 1, "mode=ro", "immutable=1"))(t)
	defer pool.Close()
	return must(marked(t.Context(), pool))(t)
}

// leave leaves a database behind as a crash would, with its log, and something in
// both; damage scrambles a page in the middle of the file.
func leave(t *testing.T, path string, damage bool) chat.Channel {
	t.Helper()
	from := filepath.Join(t.TempDir(), "hearth.db")
	s := openAt(t, from, nil)
	c := must(s.CreateChannel(t.Context(), chat.Channel{Name: "a", Workspace: "/a"}))(t)
	for range 50 {
		must2(s.Post(t.Context(), chat.Row{ChannelID: c.ID, Kind: chat.KindUser, Body: strings.Repeat("x", 3000)}, nil))(t)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if damage {
		scramble(t, from)
	}
	s = openAt(t, from, nil)
	must(s.CreateChannel(t.Context(), chat.Channel{Name: "in the log", Workspace: "/a"}))(t)
	for name, content := range contents(t, filepath.Dir(from)) {
		if suffix, ok := strings.CutPrefix(name, "hearth.db"); ok && suffix != "-shm" {
			write(t, path+suffix, []byte(content))
		}
	}
	if Settled(path) {
		t.Fatal("there is no log: the test shows nothing")
	}
	return c
}

func must2[A, B any](_ A, _ B, err error) func(testing.TB) {
	return func(t testing.TB) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
}

func scramble(t *testing.T, path string) {
	t.Helper()
	file := must(os.ReadFile(path))(t)
	for at := len(file) / 4 * 3; at < len(file)-4096; at++ {
		file[at] = 0xA5
	}
	write(t, path, file)
}

// The mark is there after an end in order, and only then.
func TestOpenTakesTheMarkAndCloseBringsItBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hearth.db")
	for range 2 {
		s := openAt(t, path, nil)
		var n int
		if err := s.reader.QueryRowContext(t.Context(), "SELECT count(*) FROM meta WHERE key = 'whole'").Scan(&n); err != nil || n != 0 {
			t.Errorf("open, and marked %d times (%v)", n, err)
		}
		for range 2 {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if !isMarked(t, path) || !Settled(path) {
			t.Error("closed, and not marked, or with a log")
		}
	}
	s := openAt(t, path, nil)
	s.damaged.Store(true)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if isMarked(t, path) {
		t.Error("damage was met, and the file is marked as whole")
	}
}

// Damage that a crash left is found before anything is built on it, and nothing
// is touched.
func TestOpenAfterACrashReadsItThrough(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "hearth.db")
	c := leave(t, whole, false)
	if got := must(openAt(t, whole, nil).Channel(t.Context(), c.ID))(t); got.ID != c.ID {
		t.Errorf("got %+v", got)
	}

	dir := t.TempDir()
	path := filepath.Join(dir, "hearth.db")
	leave(t, path, true)
	before := contents(t, dir)
	for range 2 {
		s, err := Open(t.Context(), Options{Path: path})
		if err == nil {
			t.Fatal(s.Close())
		}
		wantCode(t, err, chat.CodeInternal)
		for _, part := range []string{path + " is damaged", "left it as it was", "put the backup in their place"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%q does not say %q", err, part)
			}
		}
		after := contents(t, dir)
		delete(after, "hearth.db-shm") // an index of the log, made anew by whoever reads it
		if !mapsEqual(before, after) {
			t.Errorf("the folder was changed: %v, then %v", keysOf(before), keysOf(after))
		}
	}
}

// An end in order is not paid for at the next start. What is broken all the same
// is found by a check, and marks the file for the next start when it is met.
func TestDamageAfterAnEndInOrder(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "hearth.db")
	c := leave(t, path, false)
	if err := openAt(t, path, nil).Close(); err != nil {
		t.Fatal(err)
	}
	if err := Check(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	scramble(t, path)
	before := contents(t, dir)
	err := Check(t.Context(), path)
	wantCode(t, err, chat.CodeInternal)
	var fault *Fault
	if !errors.As(err, &fault) || !strings.Contains(fault.Problem(), path+" is damaged") || !strings.Contains(fault.Next, "backup") {
		t.Errorf("got %v", err)
	}
	if !mapsEqual(before, contents(t, dir)) {
		t.Error("the check changed the folder")
	}
	s := openAt(t, path, nil)
	if _, _, err := s.Rows(t.Context(), chat.Place{ChannelID: c.ID}, "", 100); err == nil {
		t.Fatal("nothing was met")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), Options{Path: path}); err == nil || !strings.Contains(err.Error(), "is damaged") {
		t.Errorf("the next start says %v", err)
	}
}

// A database is checked beside a Hearth that writes to it.
func TestCheckBesideAHearth(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "hearth.db")
	hold := lock(t, dir)
	s := openAt(t, path, nil)
	c := must(s.CreateChannel(t.Context(), chat.Channel{Name: "a", Workspace: "/a"}))(t)
	done := make(chan error)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for ctx.Err() == nil {
			if _, _, err := s.Post(ctx, chat.Row{ChannelID: c.ID, Kind: chat.KindUser, Body: strings.Repeat("x", 3000)}, nil); err != nil && ctx.Err() == nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	for range 20 {
		if err := Check(t.Context(), path); err != nil {
			t.Error(err)
		}
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	release(t, hold)
	if err := Check(t.Context(), path); err != nil {
		t.Error(err)
	}
}

func TestCheckOfNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "hearth.db")
	if err := Check(t.Context(), path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("not there: %v", err)
	}
	write(t, path, nil) // as a start that broke off leaves it
	if err := Check(t.Context(), path); err != nil {
		t.Errorf("empty: %v", err)
	}
	if got := len(contents(t, dir)); got != 1 {
		t.Errorf("%d files", got)
	}
}

// A database may be a link to a file on another disk; its log is there too.
func TestOpenFollowsALink(t *testing.T) {
	there, here := t.TempDir(), t.TempDir()
	c := leave(t, filepath.Join(there, "big.db"), false)
	path := filepath.Join(here, "hearth.db")
	link(t, filepath.Join(there, "big.db"), path)
	if err := Check(t.Context(), path); err != nil {
		t.Error(err)
	}
	s := openAt(t, path, nil)
	if got := must(s.Channels(t.Context(), false))(t); len(got) != 2 || got[0].ID != c.ID && got[1].ID != c.ID {
		t.Errorf("got %+v", got)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := keysOf(contents(t, there)); len(got) != 1 {
		t.Errorf("left behind: %v", got)
	}
}

func init() { children["open without rights"] = openWithoutRights }

// nobody is a user without rights.
const nobody = 65534

// openWithoutRights locks a folder and opens its database as a user without
// rights. Its argument is the folder.
func openWithoutRights(args []string) error {
	if os.Getuid() == 0 {
		if err := errors.Join(syscall.Setgroups(nil), syscall.Setgid(nobody), syscall.Setuid(nobody)); err != nil {
			return err
		}
	}
	_, err := Lock(args[0])
	var fault *Fault
	if !errors.As(err, &fault) || chat.CodeOf(err) != chat.CodeUnavailable {
		return fmt.Errorf("lock: %w", err)
	}
	fmt.Println("lock:", err)
	_, err = Open(context.Background(), Options{Path: filepath.Join(args[0], "hearth.db")})
	if !errors.As(err, &fault) || chat.CodeOf(err) != chat.CodeUnavailable {
		return fmt.Errorf("open: %w", err)
	}
	fmt.Println("open:", err)
	return nil
}

// A folder that may not be written to is said to be one, and not to be in use.
func TestAFolderThatMayNotBeWrittenTo(t *testing.T) {
	for name, make := range map[string]func(t *testing.T, dir string){
		"empty":           func(*testing.T, string) {},
		"with a database": func(t *testing.T, dir string) { closed(t, filepath.Join(dir, "hearth.db")) },
		"after a crash":   func(t *testing.T, dir string) { leave(t, filepath.Join(dir, "hearth.db"), false) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil { // it is the folder's own rights that count
				t.Fatal(err)
			}
			make(t, dir)
			for file := range contents(t, dir) {
				if err := os.Chmod(filepath.Join(dir, file), 0o444); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Chmod(dir, 0o555); err != nil {
				t.Fatal(err)
			}
			child := exec.Command(must(os.Executable())(t), dir)
			child.Env = append(os.Environ(), childTask+"=open without rights")
			said, err := child.CombinedOutput()
			if err != nil || !strings.Contains(string(said), "lock: "+dir+" can't be written: it is not yours, or its permissions forbid it") {
				t.Errorf("%v: %s", err, said)
			}
			if err := os.Chmod(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		})
	}
}
