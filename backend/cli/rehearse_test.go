package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hearth/backend/claude"
)

// What makes no sense is said before anything is started, and where there is no
// client, what to do.
func TestRehearseSaysWhatIsMissing(t *testing.T) {
	h := newHouse(t)
	no := filepath.Join(h.work, "none")
	text := filepath.Join(h.work, "text")
	if err := os.WriteFile(text, []byte("#!/bin/sh\necho 'a thing 1.0'\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args    []string
		located error
		code    int
		says    []string
	}{
		{nil, fmt.Errorf("locate Claude Code: %w", claude.ErrNotFound), exitFailed, []string{"npm install -g @anthropic-ai/claude-code", "--claude PATH", "hearth sim"}},
		{nil, &claude.NamedError{Name: "/x", Err: os.ErrNotExist}, exitFailed, []string{"HEARTH_CLAUDE names /x", "--claude PATH"}},
		{[]string{"--claude", no}, nil, exitUsage, []string{"--claude " + no + ": no such file or directory."}},
		{[]string{"--claude", text}, nil, exitFailed, []string{"--claude " + text, "it is no Claude Code"}},
		{[]string{"--turns", "0"}, nil, exitUsage, []string{"--turns is the number of mentions"}},
		{[]string{"--report", filepath.Join(no, "page.html")}, nil, exitUsage, []string{"there is no folder " + no}},
		{[]string{"general"}, nil, exitUsage, []string{"takes no \"general\""}},
	} {
		h.located = c.located
		r := h.run(append([]string{"rehearse"}, c.args...)...)
		if r.code != c.code || r.stdout != "" {
			t.Errorf("%q: %+v", c.args, r)
		}
		for _, want := range c.says {
			if !strings.Contains(r.stderr, want) {
				t.Errorf("%q says %q, not %q", c.args, r.stderr, want)
			}
		}
	}
}

// Where standard error is no terminal, it gets a line a tenth, and no escapes.
func TestRehearsalsProgress(t *testing.T) {
	var stderr bytes.Buffer
	progress, finish := newApp(nil, nil, &stderr).progress()
	for n := range 95 {
		progress(n, 95, fmt.Sprintf("step %d", n+1))
	}
	finish()
	lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
	if len(lines) != 10 || lines[0] != "0 of 95 steps done. Next: step 1." || lines[9] != "86 of 95 steps done. Next: step 87." || strings.Contains(stderr.String(), "\x1b") {
		t.Errorf("%q", lines)
	}
}
