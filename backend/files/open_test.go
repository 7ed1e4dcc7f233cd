package files

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

// place is a workspace with something in it, and something beside it.
func place(t *testing.T) (workspace, outside string) {
	t.Helper()
	workspace, outside = filepath.Join(t.TempDir(), "work"), t.TempDir()
	err := errors.Join(
		os.MkdirAll(filepath.Join(workspace, "docs/deep"), 0o755),
		os.WriteFile(filepath.Join(workspace, "docs/a b.png"), []byte(png), 0o600),
		os.WriteFile(filepath.Join(workspace, "page.png"), []byte("<!doctype html><script>alert(1)</script>"), 0o600),
		os.WriteFile(filepath.Join(outside, "secret.png"), []byte(png+"secret"), 0o600),
	)
	if err != nil {
		t.Fatal(err)
	}
	return workspace, outside
}

func read(t *testing.T, workspace, path string) (content, image string) {
	t.Helper()
	f, err := Open(workspace, path)
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return "", ""
	}
	defer f.Close()
	all, err := io.ReadAll(f)
	if err != nil || int64(len(all)) != f.Size || f.Modified.IsZero() || f.Name == "" {
		t.Errorf("%s: %v, %d bytes of %+v", path, err, len(all), f)
	}
	return string(all), f.Image
}

func TestOpen(t *testing.T) {
	workspace, _ := place(t)
	own := workspace
	linked := filepath.Join(t.TempDir(), "linked")
	err := errors.Join(
		os.Symlink(workspace, linked),
		os.Symlink("a b.png", filepath.Join(workspace, "docs/link.png")),
		os.Symlink("..", filepath.Join(workspace, "docs/deep/up")),
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{
		"docs/a b.png", "./docs/../docs//a b.png", filepath.Join(workspace, "docs/a b.png"), "docs/link.png", "docs/deep/up/a b.png",
	} {
		if content, image := read(t, workspace, path); content != png || image != "image/png" {
			t.Errorf("%s: %q %q", path, content, image)
		}
	}
	// A workspace that is a link: by either name.
	for _, path := range []string{filepath.Join(linked, "docs/a b.png"), filepath.Join(own, "docs/a b.png")} {
		if content, _ := read(t, linked, path); content != png {
			t.Errorf("%s: %q", path, content)
		}
	}
	// What it says it is counts for nothing.
	if _, image := read(t, workspace, "page.png"); image != "" {
		t.Errorf("HTML as %s", image)
	}
}

func TestOpenRefuses(t *testing.T) {
	workspace, outside := place(t)
	in := func(name string) string { return filepath.Join(workspace, name) }
	secret := filepath.Join(outside, "secret.png")
	large, err := os.Create(in("large.png"))
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(
		large.Truncate(MaxSize+1), large.Close(),
		os.Symlink(secret, in("absolute.png")),
		os.Symlink("../"+filepath.Base(outside)+"/secret.png", in("relative.png")),
		os.Symlink(outside, in("folder")),
		os.Symlink("circle.png", in("circle.png")),
		os.Symlink("nowhere", in("dangling.png")),
		os.Symlink("/dev/zero", in("zero.png")),
		os.Symlink("/proc/self/environ", in("environ.png")),
		os.Link(secret, in("hard.png")),
		syscall.Mkfifo(in("fifo.png"), 0o600),
		os.Symlink("fifo.png", in("to-fifo.png")),
	)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]struct {
		code chat.Code
		says string
	}{
		"":                               {chat.CodeInvalid, "names no file"},
		"a\x00b":                         {chat.CodeInvalid, "names no file"},
		".":                              {chat.CodeInvalid, "is a folder"},
		"docs":                           {chat.CodeInvalid, "is a folder"},
		"..":                             {chat.CodeForbidden, "outside of the channel's workspace"},
		"docs/../../x.png":               {chat.CodeForbidden, "outside of the channel's workspace"},
		"../" + filepath.Base(workspace): {chat.CodeForbidden, "outside of the channel's workspace"},
		secret:                           {chat.CodeForbidden, "outside of the channel's workspace"},
		"/":                              {chat.CodeForbidden, "outside of the channel's workspace"},
		workspace + "-sibling/x.png":     {chat.CodeForbidden, "outside of the channel's workspace"},
		"absolute.png":                   {chat.CodeForbidden, "leads out"},
		"relative.png":                   {chat.CodeForbidden, "leads out"},
		"folder/secret.png":              {chat.CodeForbidden, "leads out"},
		"circle.png":                     {chat.CodeForbidden, "leads out"},
		"zero.png":                       {chat.CodeForbidden, "leads out"},
		"environ.png":                    {chat.CodeForbidden, "leads out"},
		"dangling.png":                   {chat.CodeNotFound, "There is no file"},
		"docs/none.png":                  {chat.CodeNotFound, "There is no file"},
		"page.png/x":                     {chat.CodeNotFound, "There is no file"},
		strings.Repeat("x", 5000):        {chat.CodeInvalid, "can't be the name of a file"},
		"hard.png":                       {chat.CodeForbidden, "second name"},
		"fifo.png":                       {chat.CodeInvalid, "no regular file"},
		"to-fifo.png":                    {chat.CodeInvalid, "no regular file"},
		"large.png":                      {chat.CodeTooLarge, "more than 25 MB"},
	} {
		f, err := Open(workspace, path)
		if err == nil {
			t.Errorf("%.60q was opened", path)
			_ = f.Close()
			continue
		}
		if chat.CodeOf(err) != want.code || !strings.Contains(err.Error(), want.says) {
			t.Errorf("%.60q: %s: %v, want %s: %s", path, chat.CodeOf(err), err, want.code, want.says)
		}
	}
	// A device, in a workspace of devices.
	_, err = Open("/dev", "null")
	refused(t, err, chat.CodeInvalid, "no regular file")
}

// What is served is what the file had when it was opened, no byte more.
func TestOpenWhileItGrows(t *testing.T) {
	workspace, _ := place(t)
	f, err := Open(workspace, "docs/a b.png")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.WriteFile(filepath.Join(workspace, "docs/a b.png"), []byte(png+strings.Repeat("x", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	if all, err := io.ReadAll(f); err != nil || string(all) != png {
		t.Errorf("%q %v", all, err)
	}
}
