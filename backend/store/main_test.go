package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"hearth/backend/chat"
	"hearth/backend/golden"
	"hearth/backend/run"
)

// childTask, when it is set, makes this test binary do one of the children's
// tasks instead of testing: it is how a test gets a process to kill or to trace.
const childTask = "HEARTH_STORE_CHILD"

var children = map[string]func(args []string) error{}

func TestMain(m *testing.M) {
	if task := os.Getenv(childTask); task != "" {
		if err := children[task](os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// testClock stands still until it is told to go on, so that a test sees what the
// store makes of equal times. It may be set back.
type testClock struct {
	mutex sync.Mutex
	now   time.Time
}

func (c *testClock) Now() time.Time {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.now
}

func (c *testClock) Set(t time.Time) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.now = t
}

var day = time.Date(2026, 3, 4, 5, 6, 7, 89_000, time.UTC)

// house is a store with one channel and one agent in it.
type house struct {
	*Store
	t       testing.TB
	clock   *testClock
	channel chat.Channel
	claude  chat.Binding
}

func openAt(t testing.TB, path string, clock func() time.Time) *Store {
	t.Helper()
	s, err := Open(context.Background(), Options{Path: path, Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// empty is what storetest.Empty has for others.
var empty golden.Once

func newHouse(t testing.TB) *house {
	t.Helper()
	clock, path := &testClock{now: day}, filepath.Join(t.TempDir(), "hearth.db")
	err := empty.Copy(path, func(path string) error {
		s, err := Open(context.Background(), Options{Path: path})
		if err != nil {
			return err
		}
		return s.Close()
	})
	if err != nil {
		t.Fatal(err)
	}
	h := &house{Store: openAt(t, path, clock.Now), t: t, clock: clock}
	h.channel = h.newChannel("backend")
	h.claude = h.newBinding(h.channel.ID, "claude")
	return h
}

func (h *house) newChannel(name string) chat.Channel {
	h.t.Helper()
	return must(h.CreateChannel(h.t.Context(), chat.Channel{Name: name, Topic: "topic of " + name, Workspace: "/w/" + name}))(h.t)
}

func (h *house) newBinding(channelID, handle string) chat.Binding {
	h.t.Helper()
	return must(h.CreateBinding(h.t.Context(), chat.Binding{
		ChannelID: channelID, Handle: handle, Runtime: chat.RuntimeClaude, Supervised: true, Resident: true,
	}))(h.t)
}

// post writes a row by a person, top level or in a thread, for the given agents.
func (h *house) post(thread, author, body string, to ...chat.Binding) (chat.Row, []run.Run) {
	h.t.Helper()
	runs := make([]run.Run, len(to))
	for i, b := range to {
		runs[i] = run.Run{BindingID: b.ID, Cause: run.CauseMention}
	}
	row, queued, err := h.Post(h.t.Context(), chat.Row{
		ChannelID: h.channel.ID, ThreadRootID: thread, Kind: chat.KindUser, Handle: author, Body: body,
	}, runs)
	if err != nil {
		h.t.Fatal(err)
	}
	return row, queued
}

// queue posts a row for the agent and returns its run.
func (h *house) queue(thread, body string) run.Run {
	h.t.Helper()
	_, runs := h.post(thread, "", body, h.claude)
	return runs[0]
}

// begin begins a run in a native session.
func (h *house) begin(r run.Run, native string, sent run.Sent) {
	h.t.Helper()
	err := h.Begin(h.t.Context(), run.Beginning{
		RunID: r.ID, Native: native, Temperature: "warm", MessageUUID: "uuid-" + r.ID, Sent: sent,
	})
	if err != nil {
		h.t.Fatal(err)
	}
}

// succeed ends a run with a reply.
func (h *house) succeed(r run.Run, reply string) *chat.Row {
	h.t.Helper()
	return h.finish(run.Finishing{RunID: r.ID, State: run.Succeeded, Reply: reply, Commit: true})
}

// finish ends a run.
func (h *house) finish(f run.Finishing) *chat.Row {
	h.t.Helper()
	ended, reply, err := h.Finish(h.t.Context(), f)
	if err != nil {
		h.t.Fatal(err)
	}
	// What comes back is what a reader would be told.
	if stored := must(h.Run(h.t.Context(), f.RunID))(h.t); !reflect.DeepEqual(ended, stored) {
		h.t.Fatalf("Finish returned\n%+v, stored is\n%+v", ended, stored)
	}
	return reply
}

// must passes a value on and ends the test on an error:
// must(f(x))(t).
func must[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// wantCode checks an error's code and that it is a sentence for people.
func wantCode(t testing.TB, err error, code chat.Code) {
	t.Helper()
	if got := chat.CodeOf(err); got != code {
		t.Errorf("got code %q (%v), want %q", got, err, code)
	}
	var coded *chat.Error
	if code != "" && code != chat.CodeInternal && errors.As(err, &coded) && coded.Message == "" {
		t.Errorf("the error has no sentence: %v", err)
	}
}

func itoa(n int) string { return strconv.Itoa(n) }
