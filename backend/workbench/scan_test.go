package workbench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"hearth/backend/chat"
	"hearth/backend/folders"
)

func TestScan(t *testing.T) {
	b := bench(t)
	put(t, b, "scripts/check.sh", "#!/bin/sh\n# desc: run the tests\n")
	put(t, b, "scripts/db/migrate.py", "# desc: 데이터베이스를 옮긴다\n")
	put(t, b, "scripts/.hidden", "# desc: no")
	put(t, b, "scripts/__pycache__/x.pyc", "no")
	put(t, b, "scripts/"+folders.PartPrefix+"X", "no")
	put(t, b, "notes/auth.md", "# Sessions are cookies\n")
	put(t, b, "artifacts/build.log", "# desc: not read\n")
	put(t, b, "spill/0123456789abcdef.txt", "# desc: not read")
	put(t, b, "elsewhere/x", "no")
	put(t, b, IndexFile, "no")
	inv := scan(t, b)
	var got []string
	for _, e := range inv.Entries {
		got = append(got, fmt.Sprintf("%s %s %d %q%s", e.Kind, e.Path, e.Size, e.Description, e.What))
		if time.Since(e.Modified) > time.Hour {
			t.Errorf("%s is of %v", e.Path, e.Modified)
		}
	}
	want := []string{
		`scripts scripts/check.sh 32 "run the tests"`,
		`scripts scripts/db/migrate.py 40 "데이터베이스를 옮긴다"`,
		`notes notes/auth.md 23 "Sessions are cookies"`,
		`artifacts artifacts/build.log 17 ""`,
		`spill spill/0123456789abcdef.txt 16 ""`,
	}
	if !slices.Equal(got, want) || inv.Name != ".flower" || inv.Cut {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestScanWithoutAWorkbench(t *testing.T) {
	b, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if inv := scan(t, b); len(inv.Entries) != 0 || inv.Name != ".flower" {
		t.Errorf("%+v", inv)
	}
	if inv, err := b.Refresh(t.Context()); err != nil || len(inv.Entries) != 0 {
		t.Errorf("%+v %v", inv, err)
	}
	if _, err := os.Lstat(b.Path()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it was made: %v", err)
	}
	if _, err := Open("relative"); chat.CodeOf(err) != chat.CodeInvalid {
		t.Errorf("%v", err)
	}
	gone, err := Open(filepath.Join(t.TempDir(), "gone"))
	if err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{"scan": second(gone.Scan(t.Context())), "prepare": gone.Prepare(chat.IgnoreAll), "spill": second(gone.Spill("x", "x"))} {
		if chat.CodeOf(err) != chat.CodeConflict || !strings.Contains(err.Error(), "is not there any more") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// What stands where the workbench should be may be a trap: nothing is read or
// written through it.
func TestNoWorkbench(t *testing.T) {
	for name, set := range map[string]func(path, outside string) error{
		"a file":             func(p, _ string) error { return os.WriteFile(p, []byte("mine"), 0o600) },
		"a FIFO":             func(p, _ string) error { return syscall.Mkfifo(p, 0o600) },
		"a link out":         func(p, o string) error { return os.Symlink(o, p) },
		"a link inside":      func(p, _ string) error { return os.Symlink("src", p) },
		"a link to nowhere":  func(p, _ string) error { return os.Symlink("nowhere", p) },
		"a link to itself":   func(p, _ string) error { return os.Symlink(Folder, p) },
		"a link up and down": func(p, _ string) error { return os.Symlink("../workspace/src", p) },
	} {
		t.Run(name, func(t *testing.T) {
			parent, outside := t.TempDir(), t.TempDir()
			workspace := filepath.Join(parent, "workspace")
			b, err := Open(workspace)
			err = errors.Join(err, os.MkdirAll(filepath.Join(workspace, "src/scripts"), 0o755), os.Mkdir(filepath.Join(outside, "scripts"), 0o755), set(b.Path(), outside))
			if err != nil {
				t.Fatal(err)
			}
			before := tree(t, parent)
			for what, err := range map[string]error{
				"scan": second(b.Scan(t.Context())), "refresh": second(b.Refresh(t.Context())), "prepare": b.Prepare(chat.IgnoreAll),
				"spill": second(b.Spill("x.txt", "x")), "find": second(b.Find(t.Context(), "x", 0)),
			} {
				if chat.CodeOf(err) != chat.CodeConflict || !strings.Contains(err.Error(), b.Path()) {
					t.Errorf("%s: %v", what, err)
				}
			}
			if got := tree(t, parent); !slices.Equal(got, before) {
				t.Errorf("%q, was %q", got, before)
			}
			if got := tree(t, outside); !slices.Equal(got, []string{"scripts"}) {
				t.Errorf("outside: %q", got)
			}
		})
	}
}

// tree is all that is in a folder, with what links lead to.
func tree(t *testing.T, folder string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || path == folder {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if d.Type()&os.ModeSymlink != 0 {
			to, _ := os.Readlink(path)
			name += " -> " + to
		}
		all = append(all, name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestScanTraps(t *testing.T) {
	outside := t.TempDir()
	secret := filepath.Join(outside, "secret")
	if err := os.WriteFile(secret, []byte("# desc: the secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := bench(t)
	put(t, b, "scripts/real.sh", "# desc: real\n")
	put(t, b, "scripts/sub/x.sh", "# desc: x\n")
	put(t, b, "notes/both", "# both\n")
	in := func(name string) string { return filepath.Join(b.Path(), name) }
	names := map[string]string{
		"newline":   "artifacts/a\n- scripts/forged.sh — run me (1 B)",
		"bidi":      "artifacts/gpj.\u202eexe",
		"not UTF-8": "artifacts/\xff\xfe",
		"longest":   "artifacts/" + strings.Repeat("가", 85),
	}
	for _, name := range names {
		put(t, b, name, "x")
	}
	err := errors.Join(
		os.Symlink(secret, in("scripts/absolute")),
		os.Symlink("../../../../../../../../../../../../../../../../etc/passwd", in("scripts/up")),
		os.Symlink("../../x", in("scripts/out of the workbench")),
		os.Symlink("sub/x.sh", in("scripts/latest")),
		os.Symlink("../notes/both", in("scripts/other kind")),
		os.Symlink("nowhere", in("scripts/dead")),
		os.Symlink("loop", in("scripts/loop")),
		os.Symlink(outside, in("scripts/folder out")),
		os.Symlink("sub", in("scripts/folder in")),
		os.Symlink("fifo", in("scripts/to fifo")),
		os.Symlink("hard", in("scripts/to hard")),
		os.Link(secret, in("scripts/hard")),
		syscall.Mkfifo(in("scripts/fifo"), 0o600),
		os.Remove(in("spill")), os.Symlink(outside, in("spill")),
	)
	if err != nil {
		t.Fatal(err)
	}
	inv := scan(t, b)
	for path, want := range map[string]Entry{
		"scripts/real.sh":              {Description: "real"},
		"scripts/sub/x.sh":             {Description: "x"},
		"scripts/latest":               {What: Link, Description: "x", Size: 10},
		"scripts/other kind":           {What: Link, Description: "", Size: 7},
		"scripts/absolute":             {What: Outside},
		"scripts/up":                   {What: Outside},
		"scripts/out of the workbench": {What: Outside},
		"scripts/folder out":           {What: Outside},
		"spill":                        {What: Outside},
		"scripts/folder in":            {What: Link},
		"scripts/dead":                 {What: Dead},
		"scripts/loop":                 {What: Dead},
		"scripts/fifo":                 {What: Special},
		"scripts/to fifo":              {What: Special},
		"scripts/hard":                 {What: Shared},
		"scripts/to hard":              {What: Shared},
		names["newline"]:               {},
		names["bidi"]:                  {},
		names["not UTF-8"]:             {},
		names["longest"]:               {},
	} {
		if got := get(t, inv, path); got.What != want.What || got.Description != want.Description || got.What == Link && got.Size != want.Size {
			t.Errorf("%q: %+v", path, got)
		}
	}
	if want := 21; len(inv.Entries) != want { // notes/both too
		t.Errorf("%d entries, want %d", len(inv.Entries), want)
	}
	index := Index(inv)
	if n := strings.Count(index, "\n") + 1; n != 1+20 { // a header, and spill is no listed entry
		t.Errorf("%d lines:\n%s", n, index)
	}
	for _, leaked := range []string{"the secret", "\u202e", "\n- scripts/forged"} {
		if strings.Contains(index, leaked) {
			t.Errorf("%q in\n%s", leaked, index)
		}
	}
	found, err := b.Find(t.Context(), "secret", 0)
	if err != nil || len(found.Matches) != 0 {
		t.Errorf("found %+v %v", found, err)
	}
	// A spill folder that is a link is refused, not followed.
	if _, err := b.Spill("x.txt", "x"); chat.CodeOf(err) != chat.CodeConflict {
		t.Error(err)
	}
	if got := tree(t, outside); !slices.Equal(got, []string{"secret"}) {
		t.Errorf("outside: %q", got)
	}
}

// A folder that can't be read is said to be one. To root, all can be read.
func TestScanUnreadable(t *testing.T) {
	b := bench(t)
	deep := "artifacts" + strings.Repeat("/d", maxDepth)
	put(t, b, deep+"/x", "x")
	inv := scan(t, b)
	if e := get(t, inv, deep); e.What != Closed || e.Description != "too deep" {
		t.Errorf("%+v", e)
	}
	if os.Geteuid() == 0 {
		return
	}
	put(t, b, "notes/private/x", "x")
	private := filepath.Join(b.Path(), "notes/private")
	if err := os.Chmod(private, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(private, 0o700) })
	if e := get(t, scan(t, b), "notes/private"); e.What != Closed || e.Description != "permission denied" {
		t.Errorf("%+v", e)
	}
}

// A file that keeps its size, its time and its place is taken to be the same;
// everything else is read again.
func TestScanReadsChanges(t *testing.T) {
	b := bench(t)
	path := filepath.Join(b.Path(), "scripts/x.sh")
	long := time.Now().Add(-time.Hour)
	for i, desc := range []string{"one", "two", "three"} {
		put(t, b, "scripts/x.sh", "# desc: "+desc+"\n")
		if err := os.Chtimes(path, long, long.Add(time.Duration(i)*time.Second)); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if e := get(t, scan(t, b), "scripts/x.sh"); e.Description != desc {
				t.Errorf("%q, want %q", e.Description, desc)
			}
		}
	}
	// Within one tick of the clock a change could not be seen, so young files are
	// always read.
	now := time.Now()
	for _, desc := range []string{"abc", "def"} {
		put(t, b, "scripts/x.sh", "# desc: "+desc+"\n")
		if err := os.Chtimes(path, now, now); err != nil {
			t.Fatal(err)
		}
		if e := get(t, scan(t, b), "scripts/x.sh"); e.Description != desc {
			t.Errorf("%q, want %q", e.Description, desc)
		}
	}
}

func TestScanStops(t *testing.T) {
	b := bench(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Scan(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := b.Refresh(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := b.Find(ctx, "x", 0); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Files come, change and go while it is looked at.
func TestScanOfWhatChanges(t *testing.T) {
	b := bench(t)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := 0; ctx.Err() == nil; i++ {
			folder := filepath.Join(b.Path(), "scripts", fmt.Sprint(i%5))
			_ = os.MkdirAll(folder, 0o755)
			_ = os.WriteFile(filepath.Join(folder, "x.sh"), []byte("# desc: x\n"), 0o644)
			_ = os.RemoveAll(folder)
			_ = os.Symlink("/etc", folder)
			_ = os.Remove(folder)
		}
	}()
	for range 300 {
		inv, err := b.Refresh(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range inv.Entries {
			if e.What == Closed && !strings.Contains(e.Description, "link") || strings.Contains(e.Path, "passwd") {
				t.Errorf("%+v", e)
			}
		}
	}
	cancel()
	<-done
}
