//go:build e2e

package standin

import (
	"fmt"
	"os"
	"os/exec"
	"testing"

	"hearth/backend/claude/claudetest"
)

// clients returns the paths of the real clients to test against, by version.
func clients(t *testing.T) map[string]string {
	t.Helper()
	return claudetest.Clients(t)
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
