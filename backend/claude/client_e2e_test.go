//go:build e2e

package claude

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"hearth/backend/claude/claudetest"
)

var update = flag.Bool("update", false, "store what the real client said, as testdata/VERSION/*.jsonl")

// A house is a scratch home with a workspace, and a model.
type house struct {
	*api
	home, dir string
	env       []string
}

func newHouse(t *testing.T, model func(request) reaction) *house {
	t.Helper()
	root := t.TempDir()
	h := &house{api: newAPI(t, model), home: filepath.Join(root, "home"), dir: filepath.Join(root, "workspace")}
	for _, d := range []string{h.home, h.dir} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	h.env = Environment([]string{"PATH=" + os.Getenv("PATH")}, map[string]string{
		"HOME": h.home, "ANTHROPIC_BASE_URL": h.URL, "ANTHROPIC_API_KEY": "sk-fake", "DISABLE_AUTO_COMPACT": "1",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1", "IS_SANDBOX": "1",
	})
	return h
}

// options are those of a new session in the house.
func (h *house) options(t *testing.T) Options {
	return Options{
		Path: claudetest.Client(t), Dir: h.dir, Env: h.env, Native: uuid.NewString(),
		Mark: fmt.Sprintf("claude-e2e-%d/%s", os.Getpid(), strings.ReplaceAll(t.Name(), "/", "-")),
	}
}

// A real session is one with the real client; with -update what the client says is recorded.
type real struct {
	*Session
	t    *testing.T
	tape *tape
}

func (h *house) open(t *testing.T, o Options, recording string) *real {
	t.Helper()
	r := &real{t: t}
	if *update && recording != "" {
		r.tape = &tape{}
		o.tap = r.tape
	}
	s, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	r.Session = s
	t.Cleanup(func() {
		if err := s.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
		if r.tape != nil {
			h.store(t, r, recording)
		}
	})
	return r
}

// turn takes one, which must have a result.
func (r *real) turn(text string) (Result, []Event) {
	r.t.Helper()
	result, events, err := r.try(r.t.Context(), text, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	return result, events
}

func (r *real) try(ctx context.Context, text string, each func(Event)) (Result, []Event, error) {
	m := Message{UUID: uuid.NewString(), Text: text}
	if r.tape != nil {
		r.tape.sent(m.UUID)
	}
	var events []Event
	result, err := r.Turn(ctx, m, func(e Event) {
		events = append(events, e)
		if each != nil {
			each(e)
		}
	})
	return result, events, err
}

// A tape is a recording: the client's lines, and between them when our messages were sent.
type tape struct {
	mu   sync.Mutex
	part []byte // of a line
	b    bytes.Buffer
}

func (p *tape) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.part = append(p.part, b...)
	if end := bytes.LastIndexByte(p.part, '\n') + 1; end > 0 {
		p.b.Write(p.part[:end])
		p.part = append([]byte(nil), p.part[end:]...)
	}
	return len(b), nil
}

func (p *tape) sent(uuid string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintf(&p.b, "{\"type\":%q,\"uuid\":%q}\n", sentMarker, uuid)
}

// store writes the tape without what belongs to this machine, and without the long lists that nothing here reads.
func (h *house) store(t *testing.T, r *real, name string) {
	text := strings.NewReplacer(
		h.dir, "/home/ann/project", h.home, "/home/ann", h.URL, "http://127.0.0.1:1",
		strings.ReplaceAll(strings.ReplaceAll(h.dir, "/", "-"), ".", "-"), "-home-ann-project",
		filepath.Dir(h.dir), "/home/ann/elsewhere", r.Native(), native,
	).Replace(r.tape.b.String())
	text = regexp.MustCompile(`/cc-socks/\d+`).ReplaceAllString(text, "/cc-socks/1")       // a pid
	text = regexp.MustCompile(`/tmp/claude-\d+/`).ReplaceAllString(text, "/tmp/claude-0/") // a user's id
	var out bytes.Buffer
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		var o object
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatalf("%v: %.200s", err, line)
		}
		for _, list := range []string{"slash_commands", "agents", "skills", "plugins", "tools", "memory_paths"} {
			delete(o, list)
		}
		if response, ok := o["response"].(object); ok && o["type"] == "control_response" {
			delete(response, "response")
		}
		b, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(b, '\n'))
	}
	dir := filepath.Join("testdata", r.Info().Version)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".jsonl"), out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
