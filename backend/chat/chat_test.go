package chat

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

func TestIDsSortInTheOrderTheyWereMade(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	last := NewID(at)
	for range 10_000 {
		id := NewID(at)
		if id <= last || len(id) != 26 {
			t.Fatalf("%q does not come after %q", id, last)
		}
		last = id
	}
	if NewID(at.Add(time.Millisecond)) <= last {
		t.Error("a later millisecond sorts earlier")
	}
}

func TestCodeOfFindsTheCodeInAChain(t *testing.T) {
	inner := Errorf(CodeNotFound, "There is no channel %q.", "x")
	if got := CodeOf(errors.Join(io.EOF, inner)); got != CodeNotFound {
		t.Errorf("CodeOf = %q", got)
	}
	if CodeOf(io.EOF) != CodeInternal || CodeOf(nil) != "" {
		t.Error("an uncoded error is internal, no error has no code")
	}
	wrapped := Wrap(CodeUnavailable, io.EOF, "The store is closed")
	if !errors.Is(wrapped, io.EOF) || wrapped.Error() != "The store is closed: EOF" {
		t.Errorf("Wrap = %v", wrapped)
	}
}

func TestBindingCheck(t *testing.T) {
	good := Binding{Handle: "claude", Runtime: RuntimeClaude, Supervised: true, Resident: true}
	if err := good.Check(); err != nil {
		t.Fatal(err)
	}
	bad := map[string]func(*Binding){
		"runtime":         func(b *Binding) { b.Runtime = "cli:other" },
		"permission mode": func(b *Binding) { b.PermissionMode = "yolo" },
		"model flag":      func(b *Binding) { b.Model = "--dangerous" },
		"model control":   func(b *Binding) { b.Model = "a\nb" },
		"long base URL":   func(b *Binding) { b.BaseURL = "http://h/" + strings.Repeat("x", 5000) },
		"base URL":        func(b *Binding) { b.BaseURL = "file:///etc/passwd" },
		"token control":   func(b *Binding) { b.Token = "a\r\nX-Evil: 1" },
		"handle":          func(b *Binding) { b.Handle = "a b" },
	}
	for name, spoil := range bad {
		b := good
		spoil(&b)
		if CodeOf(b.Check()) != CodeInvalid {
			t.Errorf("%s: %+v passed", name, b)
		}
	}
	if !good.Remembers() {
		t.Error("a supervised resident binding remembers")
	}
	good.Resident = false
	if good.Remembers() {
		t.Error("a binding that starts afresh each time remembers nothing")
	}
}

func TestChannelCheck(t *testing.T) {
	good := Channel{Name: "backend", Workspace: "/tmp"}
	if err := good.Check(); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*Channel){
		"relative workspace": func(c *Channel) { c.Workspace = "src" },
		"empty workspace":    func(c *Channel) { c.Workspace = "" },
		"NUL":                func(c *Channel) { c.Workspace = "/a\x00b" },
		"topic line break":   func(c *Channel) { c.Topic = "a\nb" },
	} {
		c := good
		spoil(&c)
		if CodeOf(c.Check()) != CodeInvalid {
			t.Errorf("%s passed", name)
		}
	}
}
