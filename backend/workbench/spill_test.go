package workbench

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"hearth/backend/chat"
	"hearth/backend/folders"
	"hearth/backend/plain"
)

const spilledName = "0123456789abcdef.txt"

func TestSpill(t *testing.T) {
	text := strings.Repeat("출력 한 줄\xff\n", 20_000)
	b, err := Open(t.TempDir()) // it makes the workbench
	if err != nil {
		t.Fatal(err)
	}
	path, err := b.Spill(spilledName, text)
	if err != nil || path != filepath.Join(b.root, ".flower/spill", spilledName) || filepath.Dir(path) != b.SpillFolder() {
		t.Fatalf("%s %v", path, err)
	}
	first, err := os.Lstat(path)
	if err != nil || first.Mode() != 0o600 {
		t.Fatalf("%v %v", first.Mode(), err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != text {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if _, err := b.Spill(spilledName, text); err != nil {
		t.Error(err)
	}
	if now, err := os.Lstat(path); err != nil || !os.SameFile(first, now) {
		t.Errorf("written twice: %v", err)
	}
	if got, err := os.ReadFile(filepath.Join(b.Path(), ignoreFile)); err != nil || string(got) != "*\n" {
		t.Errorf("%q %v", got, err)
	}
	for _, name := range []string{"", ".", "..", "../x.txt", "a/b.txt", ".hidden", "-x", "a\nb", "a\x00", strings.Repeat("x", 101), folders.PartPrefix + "x"} {
		if _, err := b.Spill(name, "x"); chat.CodeOf(err) != chat.CodeInvalid {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// What a pointer names must be there: what was changed is written anew, and what
// stands in the place is replaced, whatever it is.
func TestSpillReplaces(t *testing.T) {
	const text = "the whole of it"
	for name, set := range map[string]func(path, victim string) error{
		"shorter":   func(p, _ string) error { return os.WriteFile(p, []byte("the"), 0o600) },
		"changed":   func(p, _ string) error { return os.WriteFile(p, []byte("the whole of IT"), 0o600) },
		"longer":    func(p, _ string) error { return os.WriteFile(p, []byte(text+"!"), 0o600) },
		"a link":    func(p, v string) error { return os.Symlink(v, p) },
		"hard link": func(p, v string) error { return os.Link(v, p) },
		"a FIFO":    func(p, _ string) error { return syscall.Mkfifo(p, 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			b := bench(t)
			victim := filepath.Join(b.root, "victim")
			if err := errors.Join(os.WriteFile(victim, []byte(text), 0o644), set(filepath.Join(b.SpillFolder(), spilledName), victim)); err != nil {
				t.Fatal(err)
			}
			path, err := b.Spill(spilledName, text)
			if err != nil {
				t.Fatal(err)
			}
			info, err := os.Lstat(path)
			if err != nil || info.Mode() != 0o600 || hasSecondName(info) {
				t.Errorf("%v %v", info, err)
			}
			if got, err := os.ReadFile(path); err != nil || string(got) != text {
				t.Errorf("%q %v", got, err)
			}
			if got, err := os.ReadFile(victim); err != nil || string(got) != text {
				t.Errorf("the victim: %q %v", got, err)
			}
		})
	}
	b := bench(t)
	if err := os.Mkdir(filepath.Join(b.SpillFolder(), spilledName), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Spill(spilledName, text); chat.CodeOf(err) != chat.CodeConflict {
		t.Errorf("a folder: %v", err)
	}
	if got := tree(t, b.SpillFolder()); !slices.Equal(got, []string{spilledName}) {
		t.Errorf("left behind: %q", got)
	}
}

func TestSpillAtOnce(t *testing.T) {
	b, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("x", 1<<20)
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			path, err := b.Spill(spilledName, text)
			if err != nil {
				t.Error(err)
				return
			}
			if got, err := os.ReadFile(path); err != nil || string(got) != text {
				t.Errorf("%d bytes, %v", len(got), err)
			}
		})
	}
	wg.Wait()
	if got := tree(t, b.SpillFolder()); !slices.Equal(got, []string{spilledName}) {
		t.Errorf("%q", got)
	}
}

func TestCopy(t *testing.T) {
	b := bench(t)
	from := filepath.Join(t.TempDir(), "output")
	for name, text := range map[string]string{
		"empty": "", "a line": "one\n", "no end": "one\ntwo", "64 MB": strings.Repeat("빌드 로그의 한 줄입니다\n", 2_000_000), "binary": strings.Repeat("\xe2\x82\x00\xf0\x9f", 100_003),
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(from, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			hash := sha256.Sum256([]byte(text))
			lines := strings.Count(text, "\n")
			if text != "" && !strings.HasSuffix(text, "\n") {
				lines++
			}
			want := Copied{Path: filepath.Join(b.SpillFolder(), hex.EncodeToString(hash[:8])+".txt"), Bytes: int64(len(text)), Chars: plain.Length(text), Lines: lines}
			got, err := b.Copy(t.Context(), "", from)
			if err != nil || got != want {
				t.Fatalf("%+v, want %+v, %v", got, want, err)
			}
			if content, err := os.ReadFile(got.Path); err != nil || string(content) != text {
				t.Errorf("%d bytes, %v", len(content), err)
			}
			if info, err := os.Lstat(got.Path); err != nil || info.Mode() != 0o600 {
				t.Errorf("%v %v", info, err)
			}
			named, err := b.Copy(t.Context(), spilledName, from)
			if want.Path = filepath.Join(b.SpillFolder(), spilledName); err != nil || named != want {
				t.Errorf("%+v, want %+v, %v", named, want, err)
			}
		})
	}
}

func TestCopyRefuses(t *testing.T) {
	b := bench(t)
	folder := t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	sparse, err := os.Create(in("large"))
	err = errors.Join(err, sparse.Truncate(MaxCopy+1), sparse.Close(), os.WriteFile(in("file"), []byte("x"), 0o600), os.Symlink(in("file"), in("link")), syscall.Mkfifo(in("fifo"), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		from, as string
		code     chat.Code
	}{
		"relative":  {"file", "", chat.CodeInvalid},
		"missing":   {in("missing"), "", chat.CodeNotFound},
		"a link":    {in("link"), "", chat.CodeInvalid},
		"a FIFO":    {in("fifo"), "", chat.CodeInvalid},
		"a folder":  {folder, "", chat.CodeInvalid},
		"a device":  {"/dev/null", "", chat.CodeInvalid},
		"too large": {in("large"), "", chat.CodeTooLarge},
		"a name":    {in("file"), "../x", chat.CodeInvalid},
	} {
		if _, err := b.Copy(t.Context(), c.as, c.from); chat.CodeOf(err) != c.code {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := b.Copy(gone, "", in("file")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := copyTo(t.Context(), io.Discard, zeros{}, "grows"); chat.CodeOf(err) != chat.CodeTooLarge {
		t.Errorf("without end: %v", err)
	}
	if got := tree(t, b.SpillFolder()); len(got) != 0 {
		t.Errorf("left behind: %q", got)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { return len(b), nil }
