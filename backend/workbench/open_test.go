package workbench

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"hearth/backend/chat"
)

func read(t *testing.T, b *Bench, path string) string {
	t.Helper()
	o, err := b.Open(path)
	if err != nil {
		t.Fatalf("%q: %v", path, err)
	}
	defer o.Close()
	text, err := io.ReadAll(o)
	if err != nil || int64(len(text)) != o.Size || o.Path != path || o.Modified.IsZero() {
		t.Errorf("%q: %d bytes of %d, path %q, %v: %v", path, len(text), o.Size, o.Path, o.Modified, err)
	}
	return string(text)
}

func TestOpen(t *testing.T) {
	b := bench(t)
	for path, kind := range map[string]Kind{
		"scripts/check.sh": Script, "notes/2026/왜.md": Note, "artifacts/\xff\n\u202e": Artifact, "spill/0123456789abcdef.txt": Spill, IndexFile: "",
	} {
		put(t, b, path, "the content of "+path)
		if got := read(t, b, path); got != "the content of "+path {
			t.Errorf("%q: %q", path, got)
		}
		o, err := b.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if o.Kind != kind {
			t.Errorf("%q is one of %q", path, o.Kind)
		}
		if err := o.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := os.Symlink("../notes/2026/왜.md", filepath.Join(b.Path(), "scripts/link")); err != nil {
		t.Fatal(err)
	}
	if got := read(t, b, "scripts/link"); got != "the content of notes/2026/왜.md" {
		t.Errorf("a link inside: %q", got)
	}
	if there, err := b.Exists(); !there || err != nil {
		t.Errorf("%t %v", there, err)
	}
}

// Nothing outside of the workbench is read, nothing is waited for, and what is
// wrong is said.
func TestOpenRefuses(t *testing.T) {
	outside := t.TempDir()
	secret := filepath.Join(outside, "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := bench(t)
	in := func(name string) string { return filepath.Join(b.Path(), name) }
	put(t, b, "scripts/sub/x.sh", "x")
	put(t, b, "scripts/.hidden", "x")
	put(t, b, "scripts/node_modules/x", "x")
	put(t, b, "elsewhere/x", "x")
	put(t, b, "notes/closed", "x")
	if err := os.WriteFile(filepath.Join(b.root, "neighbour"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	err := errors.Join(
		os.Chmod(in("notes/closed"), 0),
		os.Symlink(secret, in("scripts/absolute")),
		os.Symlink("../../neighbour", in("scripts/up")),
		os.Symlink(outside, in("scripts/folder out")),
		os.Symlink("nowhere", in("scripts/dead")),
		os.Symlink("loop", in("scripts/loop")),
		os.Symlink("fifo", in("scripts/to fifo")),
		os.Symlink("hard", in("scripts/to hard")),
		os.Link(secret, in("scripts/hard")),
		syscall.Mkfifo(in("scripts/fifo"), 0o600),
	)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]struct {
		code chat.Code
		says string
	}{
		"":                        {chat.CodeInvalid, "names no file"},
		"scripts/a\x00b":          {chat.CodeInvalid, "names no file"},
		"scripts//x":              {chat.CodeInvalid, "names no file"},
		"scripts/sub/../sub/x.sh": {chat.CodeInvalid, "names no file"},
		"../neighbour":            {chat.CodeForbidden, "is outside of the workbench"},
		"scripts/../../neighbour": {chat.CodeForbidden, "is outside of the workbench"},
		"/etc/passwd":             {chat.CodeForbidden, "is outside of the workbench"},
		"elsewhere/x":             {chat.CodeNotFound, "no entry elsewhere/x"},
		".gitignore":              {chat.CodeNotFound, "no entry"},
		"scripts/.hidden":         {chat.CodeNotFound, "don't begin with a dot"},
		"scripts/node_modules/x":  {chat.CodeNotFound, "no entry"},
		"scripts/none":            {chat.CodeNotFound, "List what is in it"},
		"scripts/sub/x.sh/y":      {chat.CodeNotFound, "List what is in it"},
		"scripts":                 {chat.CodeInvalid, "is a folder. Name a file"},
		"scripts/sub":             {chat.CodeInvalid, "is a folder"},
		"scripts/fifo":            {chat.CodeInvalid, "no regular file"},
		"scripts/to fifo":         {chat.CodeInvalid, "no regular file"},
		"scripts/hard":            {chat.CodeForbidden, "a hard link"},
		"scripts/to hard":         {chat.CodeForbidden, "a hard link"},
		"scripts/absolute":        {chat.CodeForbidden, "leads out of the workbench"},
		"scripts/up":              {chat.CodeForbidden, "leads out of the workbench"},
		"scripts/folder out/secret": {
			chat.CodeForbidden, "leads out of the workbench",
		},
		"scripts/dead":                        {chat.CodeNotFound, "leads nowhere"},
		"scripts/loop":                        {chat.CodeNotFound, "a link that leads"},
		"scripts/" + strings.Repeat("x", 300): {chat.CodeInvalid, "can't be the name of a file"},
		"notes/closed":                        {chat.CodeForbidden, "can't be read"},
	} {
		o, err := b.Open(path)
		if err == nil {
			if os.Getuid() == 0 && path == "notes/closed" {
				_ = o.Close()
				continue // nothing is closed to root
			}
			t.Errorf("%q was opened", path)
			continue
		}
		if chat.CodeOf(err) != want.code || !strings.Contains(err.Error(), want.says) {
			t.Errorf("%q: %s %v, want %s %q", path, chat.CodeOf(err), err, want.code, want.says)
		}
		if strings.ContainsAny(err.Error(), "\x00\n") || len(err.Error()) > 1000 {
			t.Errorf("%q: says %q", path, err)
		}
	}
}

func TestOpenWithoutAWorkbench(t *testing.T) {
	b, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Open("scripts/x"); chat.CodeOf(err) != chat.CodeNotFound || !strings.Contains(err.Error(), "There is no workbench") {
		t.Errorf("%v", err)
	}
	if there, err := b.Exists(); there || err != nil {
		t.Errorf("%t %v", there, err)
	}
	if err := os.Symlink(t.TempDir(), b.Path()); err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{"open": second(b.Open("scripts/x")), "exists": second(b.Exists())} {
		if chat.CodeOf(err) != chat.CodeConflict {
			t.Errorf("%s through a link: %v", what, err)
		}
	}
	gone, err := Open(filepath.Join(t.TempDir(), "gone"))
	if err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{"open": second(gone.Open("scripts/x")), "exists": second(gone.Exists())} {
		if chat.CodeOf(err) != chat.CodeConflict {
			t.Errorf("%s where the folder is gone: %v", what, err)
		}
	}
}

func FuzzOpen(f *testing.F) {
	for _, path := range []string{"scripts/x", "../neighbour", "scripts/../../neighbour", "spill/\xff", "INDEX.md", "scripts/link/neighbour", "/", "."} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		b := bench(t)
		put(t, b, "scripts/x", "inside")
		if err := errors.Join(os.WriteFile(filepath.Join(b.root, "neighbour"), []byte("outside"), 0o600), os.Symlink("../..", filepath.Join(b.Path(), "scripts/link"))); err != nil {
			t.Fatal(err)
		}
		o, err := b.Open(path)
		if err != nil {
			if chat.CodeOf(err) == chat.CodeInternal {
				t.Errorf("%q: %v", path, err)
			}
			return
		}
		defer o.Close()
		if text, err := io.ReadAll(o); err != nil || string(text) != "inside" {
			t.Errorf("%q: %q %v", path, text, err)
		}
	})
}
