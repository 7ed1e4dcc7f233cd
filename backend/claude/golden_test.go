package claude

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var golden = flag.Bool("golden", false, "write testdata/VERSION/*.golden anew from the recordings")

// sentMarker is the type of the lines that a recording has between the client's: here a message of ours was sent.
const sentMarker = "~sent"

// TestRecordings plays what real clients said through a session and compares what it makes of it.
func TestRecordings(t *testing.T) {
	recordings, err := filepath.Glob("testdata/*/*.jsonl")
	if err != nil || len(recordings) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	for _, path := range recordings {
		t.Run(path, func(t *testing.T) {
			recording, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got := play(t, recording)
			file := strings.TrimSuffix(path, ".jsonl") + ".golden"
			if *golden {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("it became\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// play tells what a session makes of a recording.
func play(t *testing.T, recording []byte) []byte {
	var out bytes.Buffer
	o := options("")
	if err := o.complete(); err != nil {
		t.Fatal(err)
	}
	o.Servers = map[string]*mcp.Server{"channel": nil} // of which nobody answers here
	s := newSession(o)
	s.initialized = true
	for line := range bytes.SplitSeq(bytes.TrimSpace(recording), []byte("\n")) {
		var w wireLine
		if err := json.Unmarshal(line, &w); err != nil {
			t.Fatal(err)
		}
		if w.Type == sentMarker {
			fmt.Fprintf(&out, "sent\n")
			s.turn = &turn{uuid: w.UUID, sent: true, events: newEventQueue(), result: make(chan Result, 1), claimed: make(chan struct{}), repeat: make(chan struct{}, 1)}
			continue
		}
		before := s.tasks.count()
		s.line(line)
		s.callback.Wait() // so that answers come in the same order each time
		if n := s.tasks.count(); n != before {
			fmt.Fprintf(&out, "  background tasks: %d\n", n)
		}
		for _, u := range s.unasked {
			fmt.Fprintf(&out, "own turn, origin %q, trigger %d\n", u.Origin, len(u.Trigger))
			for _, e := range u.Events {
				tell(&out, e)
			}
			tellResult(&out, u.Result)
		}
		s.unasked = nil
		if turn := s.turn; turn != nil && len(turn.result) > 0 {
			turn.events.close()
			turn.events.pump(func(e Event) { tell(&out, e) })
			tellResult(&out, <-turn.result)
			s.turn = nil
		}
	}
	s.mu.Lock()
	s.expect(false)
	s.mu.Unlock()
	for _, l := range s.out.lines {
		fmt.Fprintf(&out, "answered %s", l.bytes)
	}
	return out.Bytes()
}

func tell(out *bytes.Buffer, e Event) {
	switch x := e.(type) {
	case ToolResult:
		x.Duration = 0
		x.Structured = nil
		e = x
	case CallUsage: // when it was depends on this machine, TTFT on the recording's
		x.Began, x.Ended = time.Time{}, time.Time{}
		e = x
	case Unknown:
		x.Raw = nil
		e = x
	}
	b, err := json.Marshal(e)
	if err != nil {
		panic(err)
	}
	fmt.Fprintf(out, "  %s %s\n", strings.TrimPrefix(fmt.Sprintf("%T", e), "claude."), b)
}

func tellResult(out *bytes.Buffer, r Result) {
	fmt.Fprintf(out, "  result %q error=%v api=%v interrupted=%v %s/%s turns=%d usage=%+v cost=%.6f window=%d context=%d compacted=%v version=%s errors=%q\n",
		r.Text, r.IsError, r.API, r.Interrupted, r.Subtype, r.TerminalReason, r.NumTurns, r.Usage, r.CostUSD, r.ContextWindow, r.ContextSize(), r.Compacted, r.Client.Version, r.Errors)
	for _, c := range r.Calls {
		fmt.Fprintf(out, "    call %s main=%v ttft=%v miss=%v %+v\n", c.Model, c.Main, c.TTFT, c.Miss, c.Usage)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Models)) {
		fmt.Fprintf(out, "    model %s %+v\n", name, r.Models[name])
	}
}
