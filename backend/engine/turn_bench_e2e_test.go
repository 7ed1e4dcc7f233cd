//go:build e2e

package engine

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"hearth/backend/chat"
	"hearth/backend/claude"
	"hearth/backend/event"
	"hearth/backend/prompt"
	"hearth/backend/run"
	"hearth/backend/standin"
	"hearth/backend/token"
	"hearth/backend/tool"
)

// BenchmarkWarmTurn times a warm turn three ways, in turn and in the same run:
// through Hearth, from the post to the event that tells of the stored reply;
// through Hearth's driver
// alone, with the same flags and the same tools; and through a bare driver that
// writes a line and reads lines, and offers no tools. It reports the medians,
// what Hearth adds to its driver (store, queue, rendering) and to the bare one,
// what two syncs to this disk take by themselves (a turn has two: of the post,
// before it is acknowledged, and of the reply), and the tokens of a warm turn with nothing new, with the brief told once and
// with the brief in every turn.
func BenchmarkWarmTurn(b *testing.B) {
	b.ReportAllocs()
	h, _ := buildOn(b, standin.Options{
		Script: func(standin.Request) standin.Reply { return standin.Say("Fine.") }, Counter: roughly,
	}, func(o *Options) { o.Log = nil })
	c := h.channel("bench")
	binding := h.binding(c, "claude", chat.RuntimeClaude)
	direct := startDirect(b, h.options.Claude, h.options.Environ, h.workspace)
	direct.turn(b, "hello")
	warm := h.ask(c, "@claude hello")
	driver, err := claude.Start(b.Context(), claude.Options{
		Path: h.options.Claude, Dir: h.workspace, Env: environment(h.options.Environ, binding, nil), Mark: "bench/driver",
		Native: uuid.NewString(), Framing: h.agents.framing(c, binding), Allowed: allowed(),
		Servers: map[string]*mcp.Server{tool.ServerName: tool.New(tools{h.agents}, tool.Scope{ChannelID: c.ID, BindingID: binding.ID})},
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := driver.Close(context.Background()); err != nil {
			b.Error(err)
		}
	})

	disk, err := os.Create(filepath.Join(h.dir, "syncs"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = disk.Close() })

	var alone, driven, through, synced []time.Duration
	text := h.text(warm)
	for b.Loop() {
		began := time.Now()
		direct.turn(b, text)
		alone = append(alone, time.Since(began))

		began = time.Now()
		if r, err := driver.Turn(b.Context(), claude.Message{Text: text}, nil); err != nil || r.IsError {
			b.Fatalf("%+v, %v", r, err)
		}
		driven = append(driven, time.Since(began))

		began = time.Now()
		for range 2 {
			if _, err := disk.Write(make([]byte, 3*4096)); err != nil { // the pages a small transaction writes
				b.Fatal(err)
			}
			if err := disk.Sync(); err != nil {
				b.Fatal(err)
			}
		}
		synced = append(synced, time.Since(began))

		after := h.bus.Last()
		began = time.Now()
		_, runs := h.post(c, "@claude how is it going")
		e := h.awaitEvent(after, func(e event.Event) bool {
			r, ok := e.Data.(run.Run)
			return ok && r.ID == runs[0].ID && r.State.Ended()
		})
		through = append(through, time.Since(began))
		warm = e.Data.(run.Run)
		if warm.State != run.Succeeded || warm.Temperature != "warm" {
			b.Fatalf("a %s turn that %s: %+v", warm.Temperature, warm.State, warm.Failure)
		}
	}
	milliseconds := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	bare, ours, all := median(alone), median(driven), median(through)
	b.ReportMetric(milliseconds(bare), "ms/bare-turn")
	b.ReportMetric(milliseconds(ours), "ms/driver-turn")
	b.ReportMetric(milliseconds(all), "ms/hearth-turn")
	b.ReportMetric(milliseconds(all-ours), "ms-added-to-driver")
	b.ReportMetric(milliseconds(median(synced)), "ms/two-syncs")
	b.ReportMetric(float64(all)/float64(ours), "hearth/driver")
	b.ReportMetric(float64(all)/float64(bare), "hearth/bare")
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
		"--append-system-prompt", prompt.Framing(prompt.FramingInput{Handle: "claude"}), "--exclude-dynamic-system-prompt-sections",
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
