package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"hearth/backend/api"
	"hearth/backend/claude"
)

// client writes a program that passes for Claude Code; it notes each call, and
// answers `auth status` with what account does.
func client(t *testing.T, account string) (path, calls string) {
	t.Helper()
	dir := t.TempDir()
	path, calls = filepath.Join(dir, "claude"), filepath.Join(dir, "calls")
	script := "#!/bin/sh\necho \"$*\" >> " + calls + "\ncase \"$1\" in\n--version) echo '9.8.7 (Claude Code)';;\nauth) " + account + ";;\nesac\n"
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path, calls
}

// started is the environment of a person who has started the client before.
func started(t *testing.T, more ...string) []string {
	t.Helper()
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, ".claude.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	return append([]string{"SHLVL=1", "HOME=" + home, "PATH=" + os.Getenv("PATH")}, more...)
}

const (
	signedOut = `echo '{"loggedIn": false, "authMethod": "none"}'; exit 1`
	signedIn  = `echo '{"loggedIn": true, "authMethod": "claude.ai", "email": "x@example.org"}'`
)

func TestAccountOf(t *testing.T) {
	fresh := []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}
	for name, c := range map[string]struct {
		account string
		environ []string
		want    api.SignedIn
		asked   bool
	}{
		"signed in":             {signedIn, started(t), api.SignedInYes, true},
		"signed out":            {signedOut, started(t), api.SignedInNo, true},
		"by a key":              {signedOut, append(fresh, "ANTHROPIC_API_KEY=k"), api.SignedInYes, false},
		"by a token":            {signedOut, append(fresh, "CLAUDE_CODE_OAUTH_TOKEN=k"), api.SignedInYes, false},
		"by an empty key":       {signedOut, started(t, "ANTHROPIC_API_KEY=k", "ANTHROPIC_API_KEY="), api.SignedInNo, true},
		"never started":         {signedIn, fresh, api.SignedInNo, false},
		"started elsewhere":     {signedIn, started(t, "CLAUDE_CONFIG_DIR="+t.TempDir()), api.SignedInNo, false},
		"an old client":         {"echo 'error: unknown command' >&2; exit 1", started(t), api.SignedInUnknown, true},
		"says nothing":          {"exit 0", started(t), api.SignedInUnknown, true},
		"says something else":   {`echo '{"status": "fine"}'`, started(t), api.SignedInUnknown, true},
		"says it is neither":    {`echo '{"loggedIn": null}'`, started(t), api.SignedInUnknown, true},
		"says it in a new form": {`echo '{"loggedIn": "yes"}'`, started(t), api.SignedInUnknown, true},
	} {
		t.Run(name, func(t *testing.T) {
			path, calls := client(t, c.account)
			got := AccountOf(t.Context(), path, c.environ)
			if got.State != c.want || (got.Why == "") != (c.want == api.SignedInYes) {
				t.Errorf("%+v, want %s", got, c.want)
			}
			said, err := os.ReadFile(calls)
			if asked := strings.Contains(string(said), "auth status --json"); asked != c.asked {
				t.Errorf("asked: %t (%q, %v)", asked, said, err)
			}
		})
	}
}

// A client that does not answer is nobody's wait for ever.
func TestAccountOfAClientThatHangs(t *testing.T) {
	path, _ := client(t, "exec sleep 3600")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if got := AccountOf(ctx, path, started(t)); got.State != api.SignedInUnknown {
		t.Errorf("%+v", got)
	}
}

func TestClaudeState(t *testing.T) {
	in, _ := client(t, signedIn)
	out, _ := client(t, signedOut)
	silent, _ := client(t, "exit 0")
	other := filepath.Join(t.TempDir(), "claude")
	if err := os.WriteFile(other, []byte("#!/bin/sh\necho 'Claude the dog 1.0'\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		named string
		want  api.ClaudeState // Problem and How: how they begin
	}{
		"signed in":       {in, api.ClaudeState{Found: true, Path: in, Version: "9.8.7", SignedIn: "yes", SignedBy: "claude.ai"}},
		"signed out":      {out, api.ClaudeState{Found: true, Path: out, Version: "9.8.7", SignedIn: "no", Command: out + " auth login", Problem: "Claude Code is not signed in.", How: "Run `claude` once in a terminal"}},
		"does not say":    {silent, api.ClaudeState{Found: true, Path: silent, Version: "9.8.7", SignedIn: "unknown", Problem: "Claude Code does not say", How: "If a message fails, run `claude`"}},
		"named wrongly":   {"/nonexistent/claude", api.ClaudeState{SignedIn: "unknown", Problem: "HEARTH_CLAUDE names /nonexistent/claude, which is no Claude Code that runs (", How: "Correct HEARTH_CLAUDE"}},
		"a folder":        {t.TempDir(), api.ClaudeState{SignedIn: "unknown", Problem: "HEARTH_CLAUDE names /", How: "Correct HEARTH_CLAUDE"}},
		"a relative path": {"./claude", api.ClaudeState{SignedIn: "unknown", Problem: "HEARTH_CLAUDE names ./claude, which is no Claude Code that runs (it is a relative path; give the whole path).", How: "Correct HEARTH_CLAUDE"}},
		"another program": {other, api.ClaudeState{SignedIn: "unknown", Problem: "HEARTH_CLAUDE names " + other, How: "Correct HEARTH_CLAUDE"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(claude.PathVariable, c.named)
			environ := started(t, claude.PathVariable+"="+c.named)
			got := newAsking(t, Options{Environ: environ}).claudeState(t.Context())
			if !strings.HasPrefix(got.Problem, c.want.Problem) || !strings.HasPrefix(got.How, c.want.How) || (got.Problem == "") != (c.want.Problem == "") || (got.How == "") != (c.want.How == "") {
				t.Errorf("says %q and %q", got.Problem, got.How)
			}
			if got.Problem, got.How = c.want.Problem, c.want.How; got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
	if got := missing(fmt.Errorf("locate Claude Code: %w", claude.ErrNotFound)); got.Problem != "Claude Code was not found." || !strings.Contains(got.How, "`npm install -g @anthropic-ai/claude-code`") || got.Command != install {
		t.Errorf("%+v", got)
	}
	if got := missing(fmt.Errorf("/usr/bin/claude --version: exit status 1\n%w", claude.ErrNotFound)); !strings.HasPrefix(got.Problem, "Claude Code does not run (/usr/bin/claude --version: exit status 1␊") {
		t.Errorf("%+v", got)
	}
}

func TestTyped(t *testing.T) {
	environ := []string{"PATH=/usr/bin:/opt/my tools"}
	for path, want := range map[string]string{
		"/usr/bin/claude": "claude", "/opt/my tools/claude": "claude", "/elsewhere/claude": "/elsewhere/claude", "/홈/claude": "/홈/claude",
		"/a b/it's $(x)/claude": `'/a b/it'\''s $(x)/claude'`,
	} {
		if got := typed(path, environ); got != want {
			t.Errorf("%s is typed %s, want %s", path, got, want)
		}
	}
}

// newAsking is agents that start none, but ask.
func newAsking(t *testing.T, o Options) *agents {
	t.Helper()
	o.Log = slog.New(slog.DiscardHandler)
	a := newAgents(o, nil, nil, "")
	a.clients.told = nil
	t.Cleanup(a.closeLooks)
	return a
}

func newTestSetup(t *testing.T, account string, now func() time.Time) (s *setup, calls string) {
	t.Helper()
	path, calls := client(t, account)
	s = newSetup(newAsking(t, Options{Claude: path, Environ: started(t)}), now)
	t.Cleanup(s.close)
	return s, calls
}

// One look serves everybody for some seconds.
func TestSetupIsKept(t *testing.T) {
	var mutex sync.Mutex
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s, calls := newTestSetup(t, signedOut, func() time.Time {
		mutex.Lock()
		defer mutex.Unlock()
		return at
	})
	asked := func() int {
		said, err := os.ReadFile(calls)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(said), "auth status")
	}
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if got := s.Claude(context.Background()); got.SignedIn != api.SignedInNo {
				t.Errorf("%+v", got)
			}
		})
	}
	wg.Wait()
	if n := asked(); n != 1 {
		t.Errorf("20 callers at once: %d looks", n)
	}
	mutex.Lock()
	at = at.Add(setupFor)
	mutex.Unlock()
	s.Claude(context.Background())
	s.Claude(context.Background())
	if n := asked(); n != 2 {
		t.Errorf("later: %d looks", n)
	}
}

// A caller that goes away ends no look, and gets what is known. The end of the
// engine ends it.
func TestSetupWhileALookTakesLong(t *testing.T) {
	s, _ := newTestSetup(t, "exec sleep 3600", time.Now)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if got := s.Claude(gone); got.Found || got.SignedIn != api.SignedInUnknown || got.Problem != "Hearth is still looking for Claude Code." || got.How == "" {
		t.Errorf("%+v", got)
	}
	s.close()
	if got := s.Claude(t.Context()); got.SignedIn != api.SignedInUnknown {
		t.Errorf("%+v", got)
	}
}

func TestSetupOverHTTP(t *testing.T) {
	path, _ := client(t, signedIn)
	h := build(t, func(o *Options) {
		o.Claude = path
		o.Environ = append(o.Environ, "ANTHROPIC_API_KEY=k")
	})
	if _, made, err := h.Welcome(h.ctx()); err != nil || !made {
		t.Fatalf("%t %v", made, err)
	}
	w := httptest.NewRecorder()
	h.Handler().ServeHTTP(w, httptest.NewRequestWithContext(h.ctx(), http.MethodGet, "/api/setup", nil))
	var got struct {
		Claude api.ClaudeSetup `json:"claude"`
		Folder string          `json:"default_workspace"`
		First  string          `json:"first_channel_id"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	first, err := h.store.FirstChannel(h.ctx())
	if err != nil || got.First != first || first == "" || got.Folder != h.workspace || !got.Claude.Found || got.Claude.SignedIn != "yes" || got.Claude.Path != path {
		t.Errorf("%s %v", w.Body, err)
	}
}
