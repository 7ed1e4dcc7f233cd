package transcript

import (
	"errors"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

const native = "99999999-1111-4111-8111-111111111111"

func TestConfigDir(t *testing.T) {
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		env  []string
		want string
	}{
		{"the home", []string{"PATH=/bin", "HOME=/home/someone"}, "/home/someone/.claude"},
		{"the variable", []string{"CLAUDE_CONFIG_DIR=/etc/c=d", "HOME=/home/someone"}, "/etc/c=d"},
		{"the later one", []string{"HOME=/a", "HOME=/b"}, "/b/.claude"},
		{"set but empty", []string{"HOME=/a", "CLAUDE_CONFIG_DIR="}, ""},
		{"no home", nil, filepath.Join(me.HomeDir, ".claude")},
		{"a similar name", []string{"HOME=/a", "MY_CLAUDE_CONFIG_DIR=/b", "CLAUDE_CONFIG_DIR_OLD=/c"}, "/a/.claude"},
	}
	for _, tt := range tests {
		if got := ConfigDir(tt.env); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestFolderName has names as the client made them of working directories.
func TestFolderName(t *testing.T) {
	long := "/tmp/x/w1" + strings.Repeat("/long-dir-name-"+strings.Repeat("x", 40), 5)
	for cwd, want := range map[string]string{
		"/tmp/one/ws":                    "-tmp-one-ws",
		"/tmp/scratch/w1/x y_z/한글.z😀":    "-tmp-scratch-w1-x-y-z----z--",
		"/home/someone/.config/A1-b_c.d": "-home-someone--config-A1-b-c-d",
		long:                             strings.ReplaceAll(long, "/", "-")[:200],
	} {
		if got := folderName(cwd); got != want {
			t.Errorf("%s: %q, want %q", cwd, got, want)
		}
	}
}

// place writes a transcript whose entries say that it was started in cwd.
func place(t *testing.T, config, folder, cwd string) string {
	t.Helper()
	dir := filepath.Join(config, "projects", folder)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, native+".jsonl")
	text := `{"type":"queue-operation","operation":"enqueue","content":"{\"cwd\":\"/forged\"}"}` + "\ngarbage\n"
	if cwd != "" {
		text += `{"type":"user","nested":{"cwd":"/forged"},"cwd":` + quote(cwd) + "}\n" + `{"type":"user","cwd":"/later"}` + "\n"
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFind(t *testing.T) {
	// The real paths: on some systems the temporary directory is behind a link.
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	korean, other := filepath.Join(base, "작업"), filepath.Join(base, "회사") // the same name when encoded
	link := filepath.Join(base, "link")
	for _, dir := range []string{korean, other} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(korean, link); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		set  func(config string) (want string) // "" is none
		cwd  string
	}{
		{"where it belongs", func(c string) string { return place(t, c, folderName(korean), korean) }, korean},
		{"through a link", func(c string) string { return place(t, c, folderName(korean), korean) }, link},
		{"a folder that is gone", func(c string) string { return place(t, c, folderName("/gone/folder"), "/gone/folder") }, "/gone/folder"},
		{"no entry has a cwd yet", func(c string) string { return place(t, c, folderName(korean), "") }, korean},
		{"no entry has a cwd yet, through a link", func(c string) string { return place(t, c, folderName(korean), "") }, link},
		{"another folder's by the same name", func(c string) string { place(t, c, folderName(korean), other); return "" }, korean},
		{"there and elsewhere", func(c string) string {
			place(t, c, folderName(korean), other)
			place(t, c, "-first", "")
			return place(t, c, "-second", korean)
		}, korean},
		{"a long name with a hash", func(c string) string { return place(t, c, folderName(korean)+"-f1dhwu", korean) }, korean},
		{"elsewhere, of nobody", func(c string) string { place(t, c, "-else", ""); return "" }, korean},
		{"elsewhere, started by the link's name", func(c string) string { return place(t, c, "-else", link) }, korean},
		{"none", func(c string) string {
			if err := os.MkdirAll(filepath.Join(c, "projects", folderName(korean)), 0o700); err != nil {
				t.Fatal(err)
			}
			return ""
		}, korean},
		{"no projects", func(string) string { return "" }, korean},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			config := filepath.Join(t.TempDir(), "[c]*")
			want := tt.set(config)
			got, err := Find(config, tt.cwd, native)
			if want == "" {
				if !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%q, %v; want fs.ErrNotExist", got, err)
				}
				return
			}
			if err != nil || got != want {
				t.Errorf("%q, %v; want %q", got, err, want)
			}
		})
	}
}

func TestFindARelativeConfigDir(t *testing.T) {
	cwd, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	want := place(t, cwd, folderName(cwd), cwd)
	if got, err := Find("", cwd, native); err != nil || got != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}

func TestFindRefusesNamesThatArePaths(t *testing.T) {
	for _, id := range []string{"", ".", "../x", "a/b", "a\x00b", "é", strings.Repeat("a", 129)} {
		if got, err := Find(t.TempDir(), "/", id); err == nil || !strings.Contains(err.Error(), "no session id") {
			t.Errorf("%q: %q, %v", id, got, err)
		}
	}
}

func TestFindWaitsForNoPipe(t *testing.T) {
	config, cwd := t.TempDir(), "/gone"
	dir := filepath.Join(config, "projects", folderName(cwd))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, native+".jsonl"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Find(config, cwd, native); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, want fs.ErrNotExist", err)
	}
}
