package rehearsal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"hearth/backend/standin"
)

// gate is the one server that the clients of a rehearsal can reach. Every request
// for the Messages API goes to the stand-in of the moment, with the line of the
// moment in front of its system prompt.
type gate struct {
	url  string
	stop func()

	mu      sync.Mutex
	model   http.Handler
	line    string
	outside map[string]bool
}

// maxOutside bounds what is kept of what was not let through.
const maxOutside = 100

// openGate serves on a free port of 127.0.0.1 until stop is called, which returns
// when nothing is served any more.
func openGate() (*gate, error) {
	g := &gate{outside: map[string]bool{}}
	var err error
	g.url, g.stop, err = standin.Serve(g)
	return g, err
}

// lead sends what comes to a stand-in from now on.
func (g *gate) lead(model http.Handler) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.model, g.line = model, ""
}

// say puts a line in front of the system prompt of what comes; empty: nothing.
func (g *gate) say(line string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.line = line
}

// refused lists what was not let through.
func (g *gate) refused() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	out := []string{}
	for what := range g.outside {
		out = append(out, what)
	}
	slices.Sort(out)
	return out
}

// ServeHTTP lets through what is for the Messages API and refuses the rest: the
// gate is the client's proxy for everything but this machine.
func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	model, line := g.model, g.line
	outside := r.Method == http.MethodConnect || r.URL.Host != "" || model == nil
	if outside && len(g.outside) < maxOutside {
		host, _, _ := strings.Cut(r.Host, ":")
		g.outside[host] = true
	}
	g.mu.Unlock()
	if outside {
		http.Error(w, "a rehearsal reaches nothing outside of this machine", http.StatusForbidden)
		return
	}
	if line != "" && r.Method == http.MethodPost {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the caller went away
		}
		if changed, ok := withLine(body, line); ok {
			body = changed
			w.Header().Set("X-Hearth-Rehearsal", "unstable: a changing line was put in front of the system prompt")
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	}
	model.ServeHTTP(w, r)
}

// withLine puts a block with a line in front of a request's system prompt. All
// other bytes stay as they are.
func withLine(body []byte, line string) ([]byte, bool) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	if open, err := decoder.Token(); err != nil || open != json.Delim('{') {
		return nil, false
	}
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return nil, false
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, false
		}
		if key != "system" || !bytes.HasPrefix(value, []byte("[")) {
			continue
		}
		block, err := json.Marshal(map[string]string{"type": "text", "text": line})
		if err != nil {
			return nil, false
		}
		if rest := bytes.TrimSpace(value[1:]); !bytes.HasPrefix(rest, []byte("]")) {
			block = append(block, ',')
		}
		at := int(decoder.InputOffset()) - len(value) + 1
		return slices.Concat(body[:at], block, body[at:]), true
	}
	return nil, false
}

// clock is the stand-in's: a second passes with each look at it.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Unix(1_800_000_000, 0)} }

func (c *clock) look() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(time.Second)
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// model is a stand-in with its clock.
type model struct {
	*standin.API
	*clock
}

// newModel is a stand-in with an empty cache. miss has it lose what is written on a
// trailing message of role system, as users report it of the real API.
func newModel(miss bool) model {
	c := newClock()
	return model{standin.NewAPI(standin.Options{
		Now: c.look, TrailingSystemMiss: miss,
		Script: func(standin.Request) standin.Reply { return standin.Say("Understood.") },
	}), c}
}

// last returns the newest request of a session's main thread.
func (m model) last(native string) (standin.Entry, error) {
	entries := m.Book(standin.Of(standin.Main), standin.FromSession(native))
	if len(entries) == 0 {
		return standin.Entry{}, fmt.Errorf("the client sent no request for session %s", native)
	}
	return entries[len(entries)-1], nil
}
