package api

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hearth/backend/chat"
	"hearth/backend/event"
	"hearth/backend/run"
)

func discard() *slog.Logger { return slog.New(slog.DiscardHandler) }

// sink is a response writer without a Flusher, as the window's is. It hands over
// what was written so far, and fails when told to.
type sink struct {
	mutex  sync.Mutex
	header http.Header
	text   bytes.Buffer
	fail   error
}

func (s *sink) Header() http.Header { return s.header }
func (s *sink) WriteHeader(int)     {}

func (s *sink) Write(b []byte) (int, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.fail != nil {
		return 0, s.fail
	}
	return s.text.Write(b)
}

func (s *sink) take() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	defer s.text.Reset()
	return s.text.String()
}

func (s *sink) breakOff() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.fail = errors.New("broken pipe")
}

// listen opens a stream and returns what it writes to, and what ends it.
func (h *house) listen(ctx context.Context, after, header string) (w *sink, done chan struct{}) {
	w, done = &sink{header: http.Header{}}, make(chan struct{})
	r := httptest.NewRequestWithContext(ctx, "GET", "/api/events?after="+after, nil)
	if header != "" {
		r.Header.Set("Last-Event-ID", header)
	}
	go func() {
		defer close(done)
		h.handler.ServeHTTP(w, r)
	}()
	return w, done
}

func rowEvent(n int) event.Event {
	return event.Event{Type: run.EventRowCreated, ChannelID: "c1", Data: chat.Row{ID: fmt.Sprint("r", n), Body: "a\nb\u2028<c>"}}
}

func deltaEvent(n int) event.Event {
	return event.Event{Type: run.EventRunDelta, Delta: true, Data: run.Delta{RunID: "run1", At: n - 1, Text: fmt.Sprint(n)}}
}

// names lists the ids (without the epoch) and types of what was written.
func (h *house) names(t *testing.T, text string) string {
	t.Helper()
	var out []string
	for block := range strings.SplitSeq(strings.TrimSuffix(text, "\n\n"), "\n\n") {
		if strings.HasPrefix(block, ":") {
			out = append(out, "beat")
			continue
		}
		lines := strings.Split(block, "\n")
		if len(lines) != 3 || !strings.HasPrefix(lines[0], "id: "+h.bus.Epoch()+"-") || !strings.HasPrefix(lines[1], "event: ") || !strings.HasPrefix(lines[2], "data: ") {
			t.Fatalf("not an event: %q", block)
		}
		if !json.Valid([]byte(lines[2][6:])) {
			t.Fatalf("no JSON: %q", lines[2])
		}
		out = append(out, strings.TrimPrefix(lines[0], "id: "+h.bus.Epoch()+"-")+" "+lines[1][7:])
	}
	return strings.Join(out, ", ")
}

func TestEventsFromThePresent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.bus.Publish(rowEvent(1))
		ctx, cancel := context.WithCancel(t.Context())
		w, done := h.listen(ctx, "", "")
		synctest.Wait()
		if got := h.names(t, w.take()); got != "1 ready" {
			t.Errorf("at first: %s", got)
		}
		if got := w.header.Get("Content-Type"); got != "text/event-stream; charset=utf-8" {
			t.Errorf("content type %q", got)
		}
		h.bus.Publish(rowEvent(2))
		h.bus.Publish(deltaEvent(1))
		synctest.Wait()
		text := w.take()
		if got := h.names(t, text); got != "2 row.created, 3 run.delta" {
			t.Errorf("then: %s", got)
		}
		if !strings.Contains(text, `"body":"a\nb\u2028<c>"`) || !strings.Contains(text, `{"run_id":"run1","at":0,"text":"1"}`) {
			t.Errorf("data: %s", text)
		}
		// Quiet, it says that it lives.
		time.Sleep(heartbeatEvery)
		synctest.Wait()
		if got := h.names(t, w.take()); got != "beat" {
			t.Errorf("quiet: %s", got)
		}
		cancel()
		<-done
		if got := w.take(); got != "" {
			t.Errorf("after the end: %q", got)
		}
	})
}

func TestEventsCatchUp(t *testing.T) {
	for _, test := range []struct {
		name          string
		after, header string // %s is the epoch
		want          string
	}{
		{"from the first", "%s-0", "", "0 ready, 1 row.created, 2 run.delta, 3 row.created"},
		{"from the middle", "%s-1", "", "1 ready, 2 run.delta, 3 row.created"},
		{"nothing missed", "%s-3", "", "3 ready"},
		{"the header counts", "%s-0", "%s-2", "2 ready, 3 row.created"},
		{"the future", "%s-4", "", "3 reset"},
		{"another start", "0123456789abcdef-1", "", "3 reset"},
		{"no id", "x", "", "3 reset"},
		{"odd id", "%s-01", "", "3 reset"},
		{"long id", strings.Repeat("a", 5000) + "-1", "", "3 reset"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHouse(t)
				h.bus.Publish(rowEvent(1))
				h.bus.Publish(deltaEvent(1))
				h.bus.Publish(rowEvent(2))
				ctx, cancel := context.WithCancel(t.Context())
				w, done := h.listen(ctx, strings.ReplaceAll(test.after, "%s", h.bus.Epoch()), strings.ReplaceAll(test.header, "%s", h.bus.Epoch()))
				synctest.Wait()
				if got := h.names(t, w.take()); got != test.want {
					t.Errorf("got %s, want %s", got, test.want)
				}
				cancel()
				<-done
			})
		})
	}
}

func TestEventsTooFarBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		for n := range event.DefaultKeep + 2 {
			h.bus.Publish(rowEvent(n))
		}
		ctx, cancel := context.WithCancel(t.Context())
		w, done := h.listen(ctx, h.bus.Epoch()+"-1", "")
		synctest.Wait()
		if got, want := h.names(t, w.take()), fmt.Sprintf("%d reset", event.DefaultKeep+2); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		// One that does not read for too long is told so, and goes on.
		w.mutex.Lock()
		go func() {
			for n := range event.DefaultKeep + 2 {
				h.bus.Publish(rowEvent(n))
			}
			w.mutex.Unlock()
		}()
		synctest.Wait()
		got := h.names(t, w.take())
		if !strings.Contains(got, fmt.Sprintf("%d reset", h.bus.Last())) {
			t.Errorf("got %.200s", got)
		}
		h.bus.Publish(rowEvent(0))
		synctest.Wait()
		if got, want := h.names(t, w.take()), fmt.Sprintf("%d row.created", h.bus.Last()); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		cancel()
		<-done
	})
}

// The window's requests are not cancelled when the page goes: the write that
// fails ends the stream, at the next event or heartbeat.
func TestEventsEndOnWriteError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		w, done := h.listen(t.Context(), "", "")
		synctest.Wait()
		w.breakOff()
		h.bus.Publish(rowEvent(1))
		<-done

		w, done = h.listen(t.Context(), "", "")
		synctest.Wait()
		w.breakOff()
		began := time.Now()
		<-done
		if waited := time.Since(began); waited != heartbeatEvery {
			t.Errorf("noticed after %s of virtual time", waited)
		}
	})
}

func TestEventsTellDataNobodyKnows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		ctx, cancel := context.WithCancel(t.Context())
		w, done := h.listen(ctx, "", "")
		synctest.Wait()
		w.take()
		h.bus.Publish(event.Event{Type: "weather.changed", Data: 7})
		synctest.Wait()
		if got := h.names(t, w.take()); got != "1 weather.changed" {
			t.Errorf("got %s", got)
		}
		cancel()
		<-done
	})
}

// Every type that is published is documented with the data it has.
func TestEventTypes(t *testing.T) {
	documented := map[string]string{}
	for _, e := range eventTypes {
		documented[e.name] = e.data.Name()
	}
	for name, data := range map[string]any{
		run.EventChannelCreated: chat.Channel{}, run.EventChannelUpdated: chat.Channel{}, run.EventChannelDeleted: chat.Channel{},
		run.EventBindingCreated: chat.Binding{}, run.EventBindingUpdated: chat.Binding{}, run.EventBindingDeleted: chat.Binding{},
		run.EventRowCreated: chat.Row{}, run.EventRowUpdated: chat.Row{}, run.EventRowDeleted: chat.Row{},
		run.EventRunUpdated: run.Run{}, run.EventRunDelta: run.Delta{}, run.EventRunStep: run.StepEvent{},
		run.EventPermissionAsked: run.Permission{}, run.EventPermissionAnswered: run.Permission{}, run.EventAgentState: AgentState{},
		run.EventRunSaving: run.SavingEvent{}, run.EventSpendWarned: run.Spending{}, run.EventWorkbenchChanged: run.WorkbenchChanged{},
	} {
		wire, known := toEventData(event.Event{Data: data})
		if got := fmt.Sprintf("%T", wire); !known || got != "api."+documented[name] {
			t.Errorf("%s: documented as %q, is %s", name, documented[name], got)
		}
		delete(documented, name)
	}
	if len(documented) != 2 { // ready and reset
		t.Errorf("documented and never published: %v", documented)
	}
}

// Over a real socket each event arrives when it happens, and the stream ends with
// the reader.
func TestEventsOverASocket(t *testing.T) {
	h := newHouse(t)
	server := httptest.NewServer(h.handler)
	defer server.Close() // waits for the stream to end
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r := must(http.NewRequestWithContext(ctx, "GET", server.URL+"/api/events", nil))
	response := must(server.Client().Do(r))
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	next := func() string {
		for lines.Scan() {
			if name, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
				return name
			}
		}
		return "ended: " + fmt.Sprint(lines.Err())
	}
	if got := next(); got != "ready" {
		t.Fatalf("first: %s", got)
	}
	for range 3 {
		h.bus.Publish(rowEvent(1))
		if got := next(); got != "row.created" {
			t.Fatalf("got %s", got)
		}
	}
	cancel()
	if _, err := io.ReadAll(response.Body); err == nil {
		t.Error("the stream went on")
	}
}
