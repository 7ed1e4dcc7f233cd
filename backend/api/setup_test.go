package api

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// Claude and FirstChannel make the fake a Setup.
func (f *fake) Claude(context.Context) ClaudeState {
	return ClaudeState{Found: true, Path: "/bin/claude", Version: "2.1.332", SignedIn: SignedInNo, Command: "claude auth login", Problem: "It is not signed in.", How: "Run `claude`."}
}

func (f *fake) FirstChannel(context.Context) (string, error) {
	unlock, err := f.at("FirstChannel")
	defer unlock()
	return "c1", err
}

func TestSetup(t *testing.T) {
	h := newHouse(t)
	a := h.call("GET", "/api/setup", "")
	want := `{"claude":{"found":true,"path":"/bin/claude","version":"2.1.332","signed_in":"no","signed_in_by":"","command":"claude auth login","problem":"It is not signed in.","how":"Run ` + "`claude`" + `."},"default_workspace":"` + h.workspace + `","first_channel_id":"c1"}`
	if a.status != 200 || strings.TrimSpace(a.body) != want {
		t.Errorf("%d %s, want %s", a.status, a.body, want)
	}
	h.fail["FirstChannel"] = errors.New("disk full")
	if a := h.call("GET", "/api/setup", ""); a.status != 500 {
		t.Errorf("%d %s", a.status, a.body)
	}
}
