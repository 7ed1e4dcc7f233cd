//go:build e2e

package engine

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"hearth/backend/chat"
	"hearth/backend/prompt"
	"hearth/backend/run"
	"hearth/backend/standin"
	"hearth/backend/token"
)

// BenchmarkWarmTurn times a warm turn through Hearth, from the post to the
// stored reply, beside the same turn through a driver that does nothing but
// write a line and read lines, in turn and in the same run. It reports the
// medians, what Hearth adds, and the tokens a warm turn sends beside its rows,
// with the brief told once and with the brief in every turn.
func BenchmarkWarmTurn(b *testing.B) {
	b.ReportAllocs()
	model := standin.NewAPI(standin.Options{
		Script:  func(standin.Request) standin.Reply { return standin.Say("Fine.") },
		Counter: func(s string) int { return len(s) / 4 }, // counting is not what is timed
	})
	url, stop, err := model.Listen()
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(stop)
	h := build(b, func(o *Options) {
		o.Claude = realClient(b)
		o.Log = nil
		o.Environ = append(o.Environ, "ANTHROPIC_BASE_URL="+url, "ANTHROPIC_API_KEY=sk-ant-not-a-real-key",
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1")
	})
	c := h.channel("bench")
	h.binding(c, "claude", chat.RuntimeClaude)
	direct := startDirect(b, h.options.Claude, h.options.Environ, h.workspace)
	direct.turn(b, "hello")
	warm := h.ask(c, "@claude hello")

	var alone, through []time.Duration
	text := h.text(warm)
	for b.Loop() {
		began := time.Now()
		direct.turn(b, text)
		alone = append(alone, time.Since(began))

		began = time.Now()
		warm = h.ask(c, "@claude how is it going")
		through = append(through, time.Since(began))
		if warm.State != run.Succeeded || warm.Temperature != "warm" {
			b.Fatalf("a %s turn that %s: %+v", warm.Temperature, warm.State, warm.Failure)
		}
	}
	d, t := median(alone), median(through)
	b.ReportMetric(float64(d.Microseconds())/1000, "ms/direct-turn")
	b.ReportMetric(float64(t.Microseconds())/1000, "ms/hearth-turn")
	b.ReportMetric(float64((t-d).Microseconds())/1000, "ms-added/turn")
	b.ReportMetric(float64(t)/float64(d), "hearth/direct")
	once := token.Count(h.text(warm))
	b.ReportMetric(float64(once), "tokens/warm-turn")
	b.ReportMetric(float64(once+token.Count(prompt.Brief())-token.Count(prompt.Reminder())), "tokens/warm-turn-with-brief")
}

func median(of []time.Duration) time.Duration {
	of = slices.Clone(of)
	slices.Sort(of)
	return of[len(of)/2]
}

// directDriver is the least that can drive the client.
type directDriver struct {
	in  io.Writer
	out *bufio.Reader
}

func startDirect(b *testing.B, path string, environ []string, dir string) *directDriver {
	b.Helper()
	cmd := exec.Command(path, "-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose",
		"--include-partial-messages", "--replay-user-messages", "--permission-prompt-tool", "stdio",
		"--append-system-prompt", framing(chat.Binding{Handle: "claude"}), "--exclude-dynamic-system-prompt-sections",
		"--allowedTools", "mcp__channel")
	cmd.Dir, cmd.Env = dir, environ
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = in.Close()
		_, _ = io.Copy(io.Discard, out)
		_ = cmd.Wait()
	})
	return &directDriver{in: in, out: bufio.NewReaderSize(out, 1<<20)}
}

func (d *directDriver) turn(b *testing.B, text string) {
	line, err := json.Marshal(map[string]any{
		"type": "user", "uuid": uuid.NewString(), "parent_tool_use_id": nil, "session_id": "",
		"message": map[string]any{"role": "user", "content": text},
	})
	if err != nil {
		b.Fatal(err)
	}
	if _, err := fmt.Fprintf(d.in, "%s\n", line); err != nil {
		b.Fatal(err)
	}
	for {
		line, err := d.out.ReadBytes('\n')
		if err != nil {
			b.Fatal(err)
		}
		if bytes.Contains(line, []byte(`"type":"result"`)) {
			if strings.Contains(string(line), `"is_error":true`) {
				b.Fatalf("%s", line)
			}
			return
		}
	}
}
