package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/iotest"
	"time"

	"hearth/backend/chat"
	"hearth/backend/folders"
)

// all is a .gitignore that hides a whole folder.
const all = "*\n"

// wanted is of a file that is still wanted when it is whole.
func wanted(context.Context) error { return nil }

const png = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"

func keep(t *testing.T, workspace, name, content string) Stored {
	t.Helper()
	stored, err := Store(t.Context(), workspace, name, all, strings.NewReader(content), wanted)
	if err != nil {
		t.Fatal(err)
	}
	return stored
}

// tree lists what a folder holds.
func tree(t *testing.T, folder string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && path != folder {
			out = append(out, strings.TrimPrefix(path, folder+"/"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func refused(t *testing.T, err error, code chat.Code, says string) {
	t.Helper()
	if chat.CodeOf(err) != code || !strings.Contains(err.Error(), says) {
		t.Errorf("%q (%s), want %q (%s)", err, chat.CodeOf(err), says, code)
	}
}

func TestStore(t *testing.T) {
	workspace := t.TempDir()
	stored := keep(t, workspace, "한글 파일.png", png)
	want := Stored{
		Path: filepath.Join(workspace, ".flower/artifacts/한글-파일.png"), Relative: ".flower/artifacts/한글-파일.png",
		Name: "한글-파일.png", Size: int64(len(png)), MediaType: "image/png",
	}
	if stored != want {
		t.Errorf("%+v, want %+v", stored, want)
	}
	content, err := os.ReadFile(stored.Path)
	if err != nil || string(content) != png {
		t.Errorf("%q %v", content, err)
	}
	// The same name twice, and once more: all stay.
	for n, name := range []string{"한글-파일-2.png", "한글-파일-3.png"} {
		if again := keep(t, workspace, "한글 파일.png", fmt.Sprint("text ", n)); again.Name != name || again.MediaType != "text/plain" {
			t.Errorf("%+v", again)
		}
	}
	if empty := keep(t, workspace, "__init__.py", ""); empty.Size != 0 || empty.Name != "__init__.py" {
		t.Errorf("%+v", empty)
	}
	ignore, err := os.ReadFile(filepath.Join(workspace, ".flower/.gitignore"))
	if err != nil || string(ignore) != "*\n" {
		t.Errorf("%q %v", ignore, err)
	}
	if got := tree(t, workspace); len(got) != 7 {
		t.Errorf("%q", got)
	}
}

// A .flower that is there belongs to the person: it gets no .gitignore.
func TestStoreLeavesAFlowerAlone(t *testing.T) {
	workspace := t.TempDir()
	if err := os.Mkdir(filepath.Join(workspace, ".flower"), 0o755); err != nil {
		t.Fatal(err)
	}
	keep(t, workspace, "x", "x")
	if got := tree(t, workspace); !slices.Equal(got, []string{".flower", ".flower/artifacts", ".flower/artifacts/x"}) {
		t.Errorf("%q", got)
	}
}

// No name leads anywhere else.
func TestStoreStaysInside(t *testing.T) {
	outside := t.TempDir()
	workspace := filepath.Join(outside, "workspace")
	if err := os.Mkdir(workspace, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"../../../x", "/etc/x", `..\..\x`, "..", ".git/hooks/x", "x\x00y", strings.Repeat("x/", 5000) + "y", "-x", ".hearth-part-x"} {
		stored := keep(t, workspace, name, "x")
		if filepath.Dir(stored.Path) != filepath.Join(workspace, ".flower/artifacts") {
			t.Errorf("%q went to %s", name, stored.Path)
		}
	}
	if got, err := os.ReadDir(outside); err != nil || len(got) != 1 {
		t.Errorf("%v %v", got, err)
	}
}

// What stands where files go may be a trap.
func TestStoreTraps(t *testing.T) {
	for name, set := range map[string]func(workspace, outside string) error{
		".flower leads out":   func(w, o string) error { return os.Symlink(o, filepath.Join(w, ".flower")) },
		".flower is a file":   func(w, _ string) error { return os.WriteFile(filepath.Join(w, ".flower"), nil, 0o600) },
		".flower is a FIFO":   func(w, _ string) error { return syscall.Mkfifo(filepath.Join(w, ".flower"), 0o600) },
		"artifacts leads out": func(w, o string) error { return trap(w, func(p string) error { return os.Symlink(o, p) }) },
		"artifacts leads up":  func(w, _ string) error { return trap(w, func(p string) error { return os.Symlink("../..", p) }) },
		".flower leads on":    func(w, _ string) error { return leads(w, "sub", ".flower") },
		"artifacts leads on": func(w, _ string) error {
			return trap(w, func(p string) error { return leads(w, "../sub", ".flower/"+filepath.Base(p)) })
		},
		"artifacts is a FIFO": func(w, _ string) error {
			return trap(w, func(p string) error { return syscall.Mkfifo(p, 0o600) })
		},
		"artifacts leads to a FIFO": func(w, _ string) error {
			return trap(w, func(p string) error {
				return errors.Join(syscall.Mkfifo(filepath.Join(w, "fifo"), 0o600), os.Symlink("../fifo", p))
			})
		},
		"artifacts is a file": func(w, _ string) error {
			return trap(w, func(p string) error { return os.WriteFile(p, nil, 0o600) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			outside := t.TempDir()
			workspace := filepath.Join(t.TempDir(), "workspace")
			if err := errors.Join(os.Mkdir(workspace, 0o755), set(workspace, outside)); err != nil {
				t.Fatal(err)
			}
			before := tree(t, filepath.Dir(workspace))
			_, err := Store(t.Context(), workspace, "x.png", all, strings.NewReader("x"), wanted)
			refused(t, err, chat.CodeConflict, "can't be kept in .flower/artifacts")
			if got := tree(t, outside); len(got) != 0 {
				t.Errorf("outside: %q", got)
			}
			if got := tree(t, filepath.Dir(workspace)); !slices.Equal(got, before) {
				t.Errorf("left %q, was %q", got, before)
			}
		})
	}
}

func trap(workspace string, set func(path string) error) error {
	flower := filepath.Join(workspace, ".flower")
	return errors.Join(os.Mkdir(flower, 0o755), set(filepath.Join(flower, "artifacts")))
}

// leads makes a folder in the workspace, and a link to it.
func leads(workspace, to, link string) error {
	return errors.Join(os.Mkdir(filepath.Join(workspace, "sub"), 0o755), os.Symlink(to, filepath.Join(workspace, link)))
}

// A workspace that is a FIFO: whoever opens one waits for a writer.
func TestStoreInAFIFO(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Store(t.Context(), fifo, "x", all, strings.NewReader("x"), wanted)
	refused(t, err, chat.CodeConflict, "is not there any more")
}

// A link that has the name already is a name that is taken.
func TestStoreFollowsNoLink(t *testing.T) {
	workspace, victim := t.TempDir(), filepath.Join(t.TempDir(), "victim")
	keep(t, workspace, "first", "x")
	link := filepath.Join(workspace, ".flower/artifacts/x.png")
	if err := errors.Join(os.WriteFile(victim, []byte("precious"), 0o600), os.Symlink(victim, link)); err != nil {
		t.Fatal(err)
	}
	if stored := keep(t, workspace, "x.png", "new"); stored.Name != "x-2.png" {
		t.Errorf("%+v", stored)
	}
	if content, err := os.ReadFile(victim); err != nil || string(content) != "precious" {
		t.Errorf("%q %v", content, err)
	}
}

func TestStoreRefuses(t *testing.T) {
	broken := errors.New("the line went dead")
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx     context.Context
		content io.Reader
		code    chat.Code
		says    string
	}{
		"half of it":     {t.Context(), io.MultiReader(strings.NewReader("half"), iotest.ErrReader(broken)), chat.CodeInvalid, "did not arrive whole"},
		"half a body":    {t.Context(), io.MultiReader(strings.NewReader("half"), iotest.ErrReader(io.ErrUnexpectedEOF)), chat.CodeInvalid, "did not arrive whole"},
		"given up":       {gone, strings.NewReader("x"), chat.CodeInvalid, "did not arrive whole"},
		"a byte too big": {t.Context(), io.LimitReader(zeros{}, MaxSize+1), chat.CodeTooLarge, "more than 25 MB"},
		"without end":    {t.Context(), zeros{}, chat.CodeTooLarge, "more than 25 MB"},
	} {
		t.Run(name, func(t *testing.T) {
			workspace := t.TempDir()
			_, err := Store(c.ctx, workspace, "x", all, c.content, wanted)
			refused(t, err, c.code, c.says)
			if got := tree(t, filepath.Join(workspace, ".flower/artifacts")); len(got) != 0 {
				t.Errorf("left behind: %q", got)
			}
		})
	}
	workspace := t.TempDir()
	stored, err := Store(t.Context(), workspace, "x", all, io.LimitReader(zeros{}, MaxSize), wanted)
	if err != nil || stored.Size != MaxSize {
		t.Errorf("the largest: %+v %v", stored, err)
	}
	if f, err := Open(workspace, stored.Path); err != nil || f.Size != MaxSize {
		t.Errorf("the largest, read: %v", err)
	} else if err := f.Close(); err != nil {
		t.Error(err)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

func TestStoreInAWorkspaceThatIsGone(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	_, err := Store(t.Context(), missing, "x", all, strings.NewReader("x"), wanted)
	refused(t, err, chat.CodeConflict, "is not there any more")
	if _, err := os.Stat(missing); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it was made: %v", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = Store(t.Context(), file, "x", all, strings.NewReader("x"), wanted)
	refused(t, err, chat.CodeConflict, "is not there any more")
	_, err = Open(missing, "x")
	refused(t, err, chat.CodeConflict, "is not there any more")
}

// Root may write anywhere, so this asks what the errors of a read-only folder
// and of a full disk become.
func TestUnwritable(t *testing.T) {
	for err, want := range map[syscall.Errno]chat.Code{
		syscall.EROFS: chat.CodeForbidden, syscall.EACCES: chat.CodeForbidden, syscall.EPERM: chat.CodeForbidden,
		syscall.ENOSPC: chat.CodeUnavailable, syscall.EDQUOT: chat.CodeUnavailable, syscall.ELOOP: chat.CodeConflict,
	} {
		wrapped := unwritable(fmt.Errorf("write: %w", &fs.PathError{Op: "open", Path: "x", Err: err}), "/w")
		if chat.CodeOf(wrapped) != want || !strings.Contains(wrapped.Error(), "("+err.Error()+")") {
			t.Errorf("%v: %v", err, wrapped)
		}
	}
}

// A folder in which nothing can be written. To root, only the kernel's own are.
func TestStoreInAReadOnlyWorkspace(t *testing.T) {
	workspace := t.TempDir()
	if err := os.Chmod(workspace, 0o555); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		workspace = map[string]string{"linux": "/sys", "darwin": "/System"}[runtime.GOOS]
	}
	_, err := Store(t.Context(), workspace, "x", all, strings.NewReader("x"), wanted)
	refused(t, err, chat.CodeForbidden, "Nothing can be written in the workspace")
}

// Many at once, all with one name: each keeps its content.
func TestStoreAtOnce(t *testing.T) {
	const writers = 20
	workspace := t.TempDir()
	var wg sync.WaitGroup
	stored := make([]Stored, writers)
	for i := range writers {
		wg.Go(func() {
			var err error
			if stored[i], err = Store(context.Background(), workspace, "same.txt", all, strings.NewReader(fmt.Sprint(i)), wanted); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	names := map[string]bool{}
	for i, s := range stored {
		names[s.Name] = true
		if content, err := os.ReadFile(s.Path); err != nil || string(content) != fmt.Sprint(i) {
			t.Errorf("%s: %q %v, want %d", s.Name, content, err, i)
		}
	}
	if len(names) != writers {
		t.Errorf("%d names", len(names))
	}
}

// Whoever waits for a file to be there finds it whole.
func TestStoreIsWholeOrNotThere(t *testing.T) {
	const files, content = 100, "whole"
	workspace := t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		for n := 1; n <= files && ctx.Err() == nil; {
			info, err := os.Stat(filepath.Join(workspace, ".flower/artifacts", fmt.Sprint(n)))
			switch {
			case err == nil && info.Size() != int64(len(content)):
				t.Errorf("%s has %d bytes", info.Name(), info.Size())
				n++
			case err == nil:
				n++
			case !errors.Is(err, fs.ErrNotExist):
				t.Error(err)
				return
			}
		}
	})
	defer wg.Wait()
	defer stop()
	for n := range files {
		keep(t, workspace, fmt.Sprint(n+1), content)
	}
}

// A file that nobody wants any more when it is whole never gets its name.
func TestStoreUnwanted(t *testing.T) {
	workspace := t.TempDir()
	gone := chat.Errorf(chat.CodeNotFound, "There is no channel.")
	_, err := Store(t.Context(), workspace, "x", all, strings.NewReader("x"), func(context.Context) error { return gone })
	refused(t, err, chat.CodeNotFound, "no channel")
	if got := tree(t, filepath.Join(workspace, ".flower/artifacts")); len(got) != 0 {
		t.Errorf("left behind: %q", got)
	}
}

// What a Hearth that died was writing goes, what is being written now stays.
func TestStoreSweeps(t *testing.T) {
	workspace := t.TempDir()
	keep(t, workspace, "x", "x")
	folder := filepath.Join(workspace, ".flower/artifacts")
	long := time.Now().Add(-2 * folders.PartsAfter)
	for _, name := range []string{folders.PartPrefix + "old", folders.PartPrefix + "new", "old"} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "old") {
			if err := os.Chtimes(path, long, long); err != nil {
				t.Fatal(err)
			}
		}
	}
	keep(t, workspace, "y", "y")
	if got := tree(t, folder); !slices.Equal(got, []string{folders.PartPrefix + "new", "old", "x", "y"}) {
		t.Errorf("%q", got)
	}
}

func TestSniff(t *testing.T) {
	const svg = `<svg xmlns="http://www.w3.org/2000/svg"/>`
	for content, want := range map[string]string{
		png:                            "image/png",
		"\xff\xd8\xff\xe0\x00\x10JFIF": "image/jpeg",
		"GIF89a...":                    "image/gif",
		"RIFF\x00\x00\x00\x00WEBPVP8 ": "image/webp",
		"RIFF\x00\x00\x00\x00WAVEfmt ": "",
		"\x00\x00\x00\x1cftypavif\x00": "image/avif",
		"BM\x46\x00\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00": "image/bmp",
		"BMW makes cars, and not pictures":                   "",
		"\x00\x00\x01\x00\x01\x00":                           "image/x-icon",
		svg:                                                  "image/svg+xml",
		"\ufeff<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- by hand -->\n<!DOCTYPE svg>\n" + svg: "image/svg+xml",
		`<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:script>alert(1)</s:script></s:svg>`:          "image/svg+xml", // and served where no script runs
		"<!--" + strings.Repeat("x", 1000) + "-->" + svg:                                             "image/svg+xml",
		`<svg onload="alert(1)">`:                     "", // HTML's own, without the namespace
		"<!doctype html><html>" + svg:                 "",
		"<html>" + svg + "</html>":                    "",
		"text " + svg:                                 "",
		"<!-- svg --><script>alert(1)</script>" + svg: "",
		`<html xmlns="http://www.w3.org/2000/svg"/>`:  "",
		`<svg xmlns="http://www.w3.org/1999/xhtml"/>`: "",
		"%PDF-1.7":   "",
		"plain text": "",
		"":           "",
		"<":          "",
		"\x89PNG":    "",
	} {
		if got := image([]byte(content)); got != want {
			t.Errorf("%.60q: %q, want %q", content, got, want)
		}
	}
	for content, want := range map[string]string{"%PDF-1.7": "application/pdf", "a": "text/plain", "\x00\x01": "application/octet-stream", "BMW makes cars": "application/octet-stream"} {
		if got := mediaType([]byte(content)); got != want {
			t.Errorf("%q: %q, want %q", content, got, want)
		}
	}
}

func FuzzSniff(f *testing.F) {
	f.Add([]byte(png))
	f.Add([]byte(`<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg">`))
	f.Fuzz(func(t *testing.T, content []byte) {
		if kind := image(content); kind == "image/svg+xml" && !bytes.Contains(content, []byte("svg")) {
			t.Errorf("%q is no SVG", content)
		}
		if mediaType(content) == "" {
			t.Error("no media type")
		}
	})
}
