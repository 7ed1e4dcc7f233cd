//go:build e2e

package standin

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"
)

// pinned is the version of the real client that has to be there.
const pinned = "2.1.332"

// clients returns the paths of the real clients to test against, by version:
// the one HEARTH_TEST_CLAUDE names, else every one in the cache.
func clients(t *testing.T) map[string]string {
	t.Helper()
	if path := os.Getenv("HEARTH_TEST_CLAUDE"); path != "" {
		out, err := exec.Command(path, "--version").Output()
		if err != nil {
			t.Fatalf("ask %s for its version: %v", path, err)
		}
		version, _, _ := strings.Cut(string(out), " ")
		return map[string]string{version: path}
	}
	cache := os.Getenv("XDG_CACHE_HOME")
	if cache == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			t.Fatal(err)
		}
		cache = filepath.Join(home, ".cache")
	}
	root := filepath.Join(cache, "hearth", "claude")
	paths, err := filepath.Glob(filepath.Join(root, "*", "node_modules", "@anthropic-ai", "claude-code-*", "claude"))
	if err != nil {
		t.Fatal(err)
	}
	sort.Strings(paths)
	found := map[string]string{}
	for _, path := range paths {
		rest, _ := filepath.Rel(root, path)
		version, _, _ := strings.Cut(rest, string(filepath.Separator))
		found[version] = path
	}
	if found[pinned] == "" {
		t.Fatalf("Claude Code %s is not in %s: run `make claude`, or name one in HEARTH_TEST_CLAUDE", pinned, root)
	}
	return found
}

// onEvery runs a test against every client, each with an API of its own.
func onEvery(t *testing.T, o Options, test func(t *testing.T, s *served, path string)) {
	for version, path := range clients(t) {
		t.Run(version, func(t *testing.T) { test(t, serve(t, o), path) })
	}
}

// client is a real client under test, held by a host.
type client struct{ *host }

func startClient(t *testing.T, s *served, path string, env []string, args ...string) *client {
	t.Helper()
	return startClientIn(t, s, path, newPlace(t), env, args...)
}

func startClientIn(t *testing.T, s *served, path string, p place, env []string, args ...string) *client {
	t.Helper()
	return &client{startHost(t, clientCommand(s, path, p, env, append([]string{
		"-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose",
		"--replay-user-messages", "--include-partial-messages", "--exclude-dynamic-system-prompt-sections",
	}, args...)...))}
}

// clientCommand is the real client with a scratch home, kept on loopback.
func clientCommand(s *served, path string, p place, env []string, args ...string) *exec.Cmd {
	cmd := exec.Command(path, args...)
	cmd.Dir = p.workspace
	cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + p.home, "ANTHROPIC_BASE_URL=" + s.url, "ANTHROPIC_API_KEY=sk-ant-not-a-real-key",
		"DISABLE_AUTO_COMPACT=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1",
	}, env...)
	return cmd
}

// turn asks and waits for the result.
func (c *client) turn(text string) object {
	c.t.Helper()
	result, _ := c.host.turn(text)
	return result
}

func (c *client) says(result object, want string) {
	c.t.Helper()
	if result["is_error"] == true || result["result"] != want {
		c.t.Fatalf("result %q (is_error %v), want %q", result["result"], result["is_error"], want)
	}
}

// mains returns the requests of the main thread.
func (s *served) mains() []Entry { return s.api.Book(Of(Main)) }

func figures(e Entry) string {
	u := e.Usage
	return fmt.Sprintf("#%d %s %s status %d: input %d read %d written %d/%d output %d", e.Seq, e.Kind, e.Model, e.Status,
		u.InputTokens, u.CacheReadInputTokens, u.CacheCreation.Ephemeral5m, u.CacheCreation.Ephemeral1h, u.OutputTokens)
}

func (s *served) log() {
	s.t.Helper()
	for _, e := range s.api.Book() {
		s.t.Log(figures(e))
	}
	s.t.Log("strays:", s.api.Strays(), "token counts:", s.api.TokenCounts())
}
