package changes

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"hearth/backend/folders"
)

func put(t *testing.T, path, content string) string {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o640)); err != nil {
		t.Fatal(err)
	}
	return path
}

func looked(t *testing.T, path string) Version {
	t.Helper()
	v, err := Look(path)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func folder(t *testing.T) string {
	t.Helper()
	return Resolve(t.TempDir())
}

// alone says that nothing but these files is in a folder: no part of one that was written.
func alone(t *testing.T, folder string, want ...string) {
	t.Helper()
	list, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, one := range list {
		names = append(names, one.Name())
	}
	if !slices.Equal(names, want) {
		t.Errorf("in the folder are %q, want %q", names, want)
	}
}

func content(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Each odd file goes to another content and back, to the byte.
func TestReplaceAndBack(t *testing.T) {
	for name, texts := range map[string][2]string{
		"plain": {"one\ntwo\n", "one\nTWO\n"}, "no last line end": {"one\ntwo", "one\ntwo\n"}, "crlf": {"one\r\ntwo\r\n", "one\r\nTWO\r\n"},
		"empty": {"", "something"}, "emptied": {"something", ""}, "binary": {"\x00\xff\xfe", "\x00\x01"}, "utf16": {"\xff\xfea\x00", "\xff\xfeb\x00"},
		"한글 이름.txt": {"가나다\n", "가나다라\n"}, "नाम 😀": {"क", "ख"}, "with\nline": {"a", "b"}, "large": {strings.Repeat("x", MaxKept), "y"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t)
			path := put(t, filepath.Join(dir, name), texts[0])
			before := looked(t, path)
			after := Version{Hash: hashOf([]byte(texts[1])), Text: []byte(texts[1])}
			taken, err := Replace(path, before.Hash, after)
			if err != nil || content(t, path) != texts[1] || taken.Hash != before.Hash || string(taken.Text) != texts[0] {
				t.Fatalf("replaced: %v, %q taken", err, taken.Hash)
			}
			if _, err := Replace(path, after.Hash, before); err != nil || content(t, path) != texts[0] {
				t.Fatalf("and back: %v", err)
			}
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
				t.Errorf("its rights are %v, %v", info.Mode(), err)
			}
			alone(t, dir, name)
		})
	}
}

func TestReplaceMakesAndRemoves(t *testing.T) {
	dir := folder(t)
	path := filepath.Join(dir, "new", "deep", "a.txt")
	made := Version{Hash: hashOf([]byte("x")), Text: []byte("x"), Mode: 0o755}
	if _, err := Replace(path, "", made); err != nil || content(t, path) != "x" {
		t.Fatalf("made: %v", err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("its rights are %v, %v", info.Mode(), err)
	}
	if taken, err := Replace(path, made.Hash, Version{}); err != nil || string(taken.Text) != "x" {
		t.Fatalf("removed: %v, %q", err, taken.Text)
	}
	alone(t, filepath.Dir(path))
	if _, err := Replace(path, "", Version{}); err != nil {
		t.Errorf("what is not there is removed: %v", err)
	}
	if _, err := Replace(filepath.Join(dir, "gone", "b"), made.Hash, Version{}); !errors.Is(err, ErrChanged) {
		t.Errorf("whose folder is gone: %v", err)
	}
}

// What somebody else has written stays, whenever it was written.
func TestReplaceLeavesWhatOthersWrote(t *testing.T) {
	want := Version{Hash: hashOf([]byte("old")), Text: []byte("old")}
	for name, c := range map[string]struct {
		expect  string // what the file held when it was looked at
		want    Version
		between func(path string) error
		left    string
	}{
		"before":            {"left", want, nil, "mine"},
		"written in place":  {"mine", want, func(path string) error { return os.WriteFile(path, []byte("newer"), 0o600) }, "newer"},
		"saved by a rename": {"mine", want, rename, "newer"},
		"removal":           {"mine", Version{}, rename, "newer"},
		"made meanwhile":    {"", want, func(path string) error { return os.WriteFile(path, []byte("newer"), 0o600) }, "newer"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t)
			path := filepath.Join(dir, "a.txt")
			expect := ""
			if c.expect != "" {
				put(t, path, "mine")
				expect = hashOf([]byte(c.expect))
			}
			in, err := folders.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			r := replacing{in: in, name: "a.txt", part: folders.PartPrefix + "x", expect: expect, between: func() {
				if c.between != nil {
					if err := c.between(path); err != nil {
						t.Fatal(err)
					}
				}
			}}
			switch {
			case name == "before":
				_, err = Replace(path, expect, c.want)
			case !c.want.Exists():
				_, err = r.remove()
			case expect == "":
				err = r.create(c.want)
			default:
				_, err = r.exchange(c.want)
			}
			if !errors.Is(err, ErrChanged) || content(t, path) != c.left {
				t.Errorf("%v, the file holds %q", err, content(t, path))
			}
			alone(t, dir, "a.txt")
		})
	}
}

func rename(path string) error {
	return errors.Join(os.WriteFile(path+".tmp", []byte("newer"), 0o600), os.Rename(path+".tmp", path))
}

// No link is followed, whatever stands in the place of a file or of its folder.
func TestReplaceFollowsNoLinks(t *testing.T) {
	dir, other := folder(t), folder(t)
	secret := put(t, filepath.Join(other, "secret"), "mine")
	for _, err := range []error{
		os.Symlink(secret, filepath.Join(dir, "link")), os.Symlink(other, filepath.Join(dir, "folder")),
		os.Link(secret, filepath.Join(dir, "hard")), syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o600), os.Mkdir(filepath.Join(dir, "sub"), 0o755),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"link", "folder/secret", "hard", "fifo", "sub"} {
		var fault *Fault
		path := filepath.Join(dir, name)
		if _, err := Look(path); !errors.As(err, &fault) {
			t.Errorf("looked at %s: %v", name, err)
		}
		if _, err := Replace(path, hashOf([]byte("mine")), Version{Hash: hashOf(nil), Text: []byte{}}); !errors.As(err, &fault) {
			t.Errorf("replaced %s: %v", name, err)
		}
	}
	if content(t, secret) != "mine" {
		t.Error("it was written through a link")
	}
	if got := Resolve(filepath.Join(dir, "folder", "not", "there")); got != filepath.Join(other, "not", "there") {
		t.Errorf("resolved to %s", got)
	}
}

func TestReplaceSaysWhatCantBeWritten(t *testing.T) {
	if os.Getuid() == 0 {
		// Rights do not bind root; a folder that nothing can be written to does.
		if _, err := Replace("/proc/sys/kernel/hearth", "", Version{Hash: "x", Text: []byte("x")}); err == nil {
			t.Error("it was written to /proc")
		}
		return
	}
	dir := folder(t)
	path := put(t, filepath.Join(dir, "a"), "x")
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) }) //nolint:gosec // it is to be removed
	if _, err := Replace(path, hashOf([]byte("x")), Version{Hash: hashOf(nil), Text: []byte{}}); !errors.Is(err, errRights) {
		t.Errorf("replaced: %v", err)
	}
}

func TestLookAtLargeFiles(t *testing.T) {
	dir := folder(t)
	path := put(t, filepath.Join(dir, "a"), strings.Repeat("x", MaxKept+1))
	v := looked(t, path)
	if v.Text != nil || v.Restorable() || v.Size != MaxKept+1 || v.Hash != hashOf(bytes.Repeat([]byte("x"), MaxKept+1)) {
		t.Errorf("%+v", v)
	}
	if err := os.Truncate(path, maxHashed+1); err != nil {
		t.Fatal(err)
	}
	if v := looked(t, path); v.Hash != Unknown || Same(v.Hash, v.Hash) {
		t.Errorf("%+v", v)
	}
}

func TestJoin(t *testing.T) {
	version := func(text string) Version {
		return Version{Hash: hashOf([]byte(text)), Size: int64(len(text)), Text: []byte(text)}
	}
	first, ok := Join(Change{}, false, Observed{Path: "/a", Before: version("1\n2\n"), After: version("1\nx\n")})
	if !ok || first.Added != 1 || first.Removed != 1 || first.Form != FormText || first.Mixed {
		t.Errorf("the first: %+v", first)
	}
	second, ok := Join(first, true, Observed{Path: "/a", Before: version("1\nx\n"), After: version("1\nx\ny\n")})
	if !ok || second.Added != 2 || second.Removed != 1 || second.Mixed || string(second.Before.Text) != "1\n2\n" {
		t.Errorf("the second: %+v", second)
	}
	mixed, ok := Join(first, true, Observed{Path: "/a", Before: version("else\n"), After: version("else\ny\n")})
	if !ok || !mixed.Mixed {
		t.Errorf("after another's: %+v", mixed)
	}
	if _, ok := Join(first, true, Observed{Path: "/a", Before: version("1\nx\n"), After: version("1\n2\n")}); ok {
		t.Error("there and back is a change")
	}
	for form, v := range map[Form]Version{FormBinary: version("\x00"), FormLarge: {Hash: "x", Size: MaxKept + 1}} {
		if got, _ := Join(Change{}, false, Observed{Before: v, After: version("x")}); got.Form != form || got.Added != 0 {
			t.Errorf("%s: %+v", form, got)
		}
	}
	if made, _ := Join(Change{}, false, Observed{After: version("1\n2")}); made.Added != 2 || made.Removed != 0 {
		t.Errorf("made: %+v", made)
	}
}

func render(d Diff) string {
	var b strings.Builder
	for _, h := range d.Hunks {
		fmt.Fprintf(&b, "@%d,%d\n", h.Old, h.New)
		for _, l := range h.Lines {
			fmt.Fprintf(&b, "%s %q", map[LineKind]string{LineSame: " ", LineAdded: "+", LineRemoved: "-"}[l.Kind], l.Text)
			if l.Unended {
				b.WriteString(" unended")
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

func TestCompare(t *testing.T) {
	for name, c := range map[string]struct{ before, after, want string }{
		"made":          {"", "a\nb\n", "@0,1\n+ \"a\"\n+ \"b\"\n"},
		"emptied":       {"a", "", "@1,0\n- \"a\" unended\n"},
		"no line end":   {"a\nb", "a\nb\n", "@1,1\n  \"a\"\n- \"b\" unended\n+ \"b\"\n"},
		"line ends":     {"a\n", "a\r\n", "@1,1\n- \"a\"\n+ \"a\\r\"\n"},
		"like a header": {"-- a\n++ b\n", "-- a\n@@ c\n", "@1,1\n  \"-- a\"\n- \"++ b\"\n+ \"@@ c\"\n"},
		"korean":        {"가\n나\n", "가\n다\n", "@1,1\n  \"가\"\n- \"나\"\n+ \"다\"\n"},
		"blank":         {"\n\n", "\n\n\n", "@1,1\n  \"\"\n  \"\"\n+ \"\"\n"},
		"the same":      {"a\n", "a\n", ""},
	} {
		if got := render(Compare([]byte(c.before), []byte(c.after), 100)); got != c.want {
			t.Errorf("%s:\n%s want\n%s", name, got, c.want)
		}
	}
	// Every twentieth line of many: as many lines differ as were changed.
	var from, to strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&from, "line %d\n", i)
		if i%20 == 0 {
			fmt.Fprintf(&to, "other %d\n", i)
		} else {
			fmt.Fprintf(&to, "line %d\n", i)
		}
	}
	d := Compare([]byte(from.String()), []byte(to.String()), 50)
	lines := 0
	for _, h := range d.Hunks {
		lines += len(h.Lines)
	}
	if d.Added != 250 || d.Removed != 250 || lines != 50 || d.Left == 0 {
		t.Errorf("%d added, %d removed, %d shown, %d left", d.Added, d.Removed, lines, d.Left)
	}
	long := Compare(nil, []byte(strings.Repeat("가", maxLineChars+5)), 10)
	if line := long.Hunks[0].Lines[0]; line.Cut != 5 || !line.Unended {
		t.Errorf("of a long line %d are cut", line.Cut)
	}
}

func FuzzCompare(f *testing.F) {
	f.Add("a\nb\n", "a\nc")
	f.Add("\\ No newline at end of file\n", "@@ -1 +1 @@\n")
	f.Fuzz(func(t *testing.T, before, after string) {
		d := Compare([]byte(before), []byte(after), 1<<30)
		if !isText([]byte(before)) || !isText([]byte(after)) {
			return
		}
		count := func(text string) int {
			n := strings.Count(text, "\n")
			if text != "" && !strings.HasSuffix(text, "\n") {
				n++
			}
			return n
		}
		if count(after)-count(before) != d.Added-d.Removed {
			t.Errorf("%d lines added and %d removed between %q and %q", d.Added, d.Removed, before, after)
		}
	})
}
