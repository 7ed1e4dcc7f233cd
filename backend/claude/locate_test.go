package claude

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hearth/backend/pty"
)

// client writes a script that passes for a client, and may have the given mode.
func client(t *testing.T, mode os.FileMode, body string) string {
	t.Helper()
	path := program(t, filepath.Join(t.TempDir(), "claude"), body)
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestLocateWhatIsNamed(t *testing.T) {
	good := client(t, 0o700, "echo '9.8.7 (Claude Code)'")
	t.Chdir(filepath.Dir(good))
	for name, c := range map[string]struct {
		named, why string
	}{
		"a client":       {good, ""},
		"in PATH":        {"claude", ""},
		"a folder":       {filepath.Dir(good), "is a directory"},
		"nothing":        {"/nonexistent/claude", "no such file"},
		"no program":     {client(t, 0o600, ""), "permission denied"},
		"another one":    {client(t, 0o700, "echo Claude the dog"), "it is no Claude Code"},
		"that fails":     {client(t, 0o700, "echo broken >&2; exit 3"), "exit status 3: broken"},
		"a relative one": {"./claude", "it is a relative path; give the whole path"},
		"not in PATH":    {"nonexistent-claude", "not found in $PATH"},
		"too talkative":  {client(t, 0o700, "exec cat /dev/zero"), "too much output"},
	} {
		t.Run(name, func(t *testing.T) {
			path, version, err := Locate(t.Context(), []string{"HOME=/nonexistent", "PATH=" + filepath.Dir(good) + ":/usr/bin:/bin", PathVariable + "=" + c.named})
			if c.why == "" {
				if path != good || version != "9.8.7" || err != nil {
					t.Errorf("%q %q %v", path, version, err)
				}
				return
			}
			var named *NamedError
			if !errors.As(err, &named) || named.Name != c.named || errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), PathVariable+" names "+c.named+", ") ||
				!strings.Contains(err.Error(), c.why) || path != "" || version != "" {
				t.Errorf("%q %q %v, want %q", path, version, err, c.why)
			}
		})
	}
}

// One that hangs is given up with the context, with all it started.
func TestVersionOfAClientThatHangs(t *testing.T) {
	pid := filepath.Join(t.TempDir(), "pid")
	path := client(t, 0o700, "trap '' TERM HUP\nsleep 3600 &\necho $! > "+pid+".part; mv "+pid+".part "+pid+"\nwait")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() { // the script has started its child, then it is given up
		defer cancel()
		for ctx.Err() == nil {
			if _, err := os.Stat(pid); err == nil {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	_, err := Version(ctx, path, append(os.Environ(), pty.MarkVariable+"=locate-test/"))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	// Had its child lived on, it would be found by the mark.
	if left, err := pty.EndLeftovers(t.Context(), "locate-test"); len(left) > 0 || err != nil {
		t.Errorf("%d left, %v", len(left), err)
	}
}
