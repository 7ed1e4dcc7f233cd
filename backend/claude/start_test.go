package claude

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

func init() {
	parts["dies at once"] = func(*fake) {
		fmt.Fprint(os.Stderr, "error: unknown option '--replay-user-messages'")
		os.Exit(1)
	}
	parts["no session"] = func(f *fake) {
		f.emit(f.result("", object{"is_error": true, "num_turns": 0, "errors": []string{"No conversation found with session ID: x"}}))
		fmt.Fprint(os.Stderr, "No conversation found with session ID: x")
		os.Exit(1)
	}
	parts["taken"] = func(*fake) {
		fmt.Fprint(os.Stderr, "Error: Session ID x is already in use.")
		os.Exit(1)
	}
	parts["refuses"] = func(f *fake) {
		o := f.next()
		f.emit(object{"type": "control_response", "response": object{"subtype": "error", "request_id": o["request_id"], "error": "too old"}})
		f.loop()
	}
	parts["silent"] = func(f *fake) { f.await(func(object) bool { return false }) }
}

func TestAStartThatFailsSaysWhy(t *testing.T) {
	for part, c := range map[string]struct {
		code Code
		text []string
	}{
		"dies at once": {CodeStart, []string{"exit status 1", "unknown option"}},
		"no session":   {CodeNoSession, []string{"exit status 1", "No conversation found"}},
		"taken":        {CodeSessionInUse, []string{"already in use"}},
		"refuses":      {CodeStart, []string{"too old"}},
		"silent":       {CodeStart, []string{"no answer within 300ms"}},
	} {
		o := options(part)
		if part == "silent" {
			o.StartBound = 300 * time.Millisecond
		}
		s, err := Start(t.Context(), o)
		if err == nil {
			t.Errorf("%s: started", part)
			shut(t, s)
			continue
		}
		if CodeOf(err) != c.code {
			t.Errorf("%s: code %q", part, CodeOf(err))
		}
		for _, want := range c.text {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q does not say %q", part, err, want)
			}
		}
		if e, ok := errors.AsType[*Error](err); !ok || e.Sent {
			t.Errorf("%s: %#v", part, err)
		}
	}
}

func TestStartRefusesWhatCannotWork(t *testing.T) {
	for name, change := range map[string]func(*Options){
		"no UUID":         func(o *Options) { o.Native = "x" },
		"no path":         func(o *Options) { o.Path = "" },
		"no such program": func(o *Options) { o.Path = "/nonexistent/claude" },
		"no mark":         func(o *Options) { o.Mark = "" },
	} {
		o := options("echo")
		change(&o)
		if _, err := Start(t.Context(), o); CodeOf(err) != CodeStart {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheContextOfTheStartIsNotTheSessions(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s, err := Start(ctx, options("echo"))
	if err != nil {
		t.Fatal(err)
	}
	defer shut(t, s)
	cancel()
	if r, _ := ask(t, s, "hello"); r.Text != "you said hello" {
		t.Errorf("%+v", r)
	}
}

func TestAStartWhoseContextEnds(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := Start(ctx, options("silent")); CodeOf(err) != CodeStart || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

func TestCloseIsOrderly(t *testing.T) {
	s := open(t, options("echo"))
	ask(t, s, "x")
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if s.Err() != nil || s.proc.Exit() != nil {
		t.Errorf("session %v, process %v", s.Err(), s.proc.Exit())
	}
	if _, err := s.Turn(t.Context(), Message{Text: "y"}, nil); CodeOf(err) != CodeClosed {
		t.Errorf("a turn after Close: %v", err)
	}
}
