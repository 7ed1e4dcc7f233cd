package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"hearth/backend/chat"
	"hearth/backend/delivery"
	"hearth/backend/event"
	"hearth/backend/ledger"
	"hearth/backend/prompt"
	"hearth/backend/run"
)

// house is an API on a fake, with something in it.
type house struct {
	*fake
	bus       *event.Bus
	handler   http.Handler
	workspace string
}

var ui = fstest.MapFS{
	"index.html":     {Data: []byte("<!doctype html><title>Hearth</title>")},
	"icon.svg":       {Data: []byte("<svg/>")},
	"assets/a1b2.js": {Data: []byte("export {}")},
	"assets/deep":    {Mode: fs.ModeDir},
}

func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{fake: newFake(), bus: event.NewBus(event.Options{}), workspace: t.TempDir()}
	h.handler = New(Deps{
		Store: h.fake, Runs: h.fake, Presence: h.fake, Setup: h.fake, Workbenches: h.fake, Comparisons: h.fake, Logs: h.fake, Reports: h.fake, Bus: h.bus, Version: "1.2.3", DefaultWorkspace: h.workspace,
		UI: ui, Clock: func() time.Time { return epoch },
	})
	return h
}

// furnish puts one of everything into the house.
func (h *house) furnish(t *testing.T) {
	t.Helper()
	ctx := t.Context()
	c := must(h.CreateChannel(ctx, chat.Channel{Name: "general", Topic: "all of it", Workspace: h.workspace})) // c1
	b := must(h.CreateBinding(ctx, chat.Binding{                                                               // b2
		ChannelID: c.ID, Handle: "claude", Runtime: chat.RuntimeClaude, Model: "opus", PermissionMode: "plan", Supervised: true,
		Resident: true, BaseURL: "http://127.0.0.1:11434", Token: "never to be seen", FreshAt: epoch,
		Role: chat.RoleCoordinator, Glance: true, Hands: []string{"Grep"}, SpillOver: 5000,
		Workers: []chat.Worker{{Name: "tester", Description: "Runs tests.", Prompt: "Run\nthem.", Tools: []string{"Bash", "Read"}, Model: chat.ModelInherit, Isolated: true}},
	}))
	h.changes = []run.ChangeView{aChange(0, "/w/a.txt", "one\ntwo", "one\nTWO\n")}
	row, runs, err := h.Post(ctx, run.Posting{ChannelID: c.ID, Body: "@claude what is <b>this</b>?"}) // r3, run4
	if err != nil {
		t.Fatal(err)
	}
	h.members = []chat.Member{{ChannelID: c.ID, Handle: "aiko", JoinedAt: epoch}, {ChannelID: c.ID, JoinedAt: epoch}}
	r := &h.runs[0]
	tokens := ledger.Usage{Input: 1, CacheRead: 2, CacheWrite5m: 3, CacheWrite1h: 4, Output: 5}
	*r = run.Run{
		ID: runs[0].ID, ChannelID: c.ID, BindingID: b.ID, RowID: row.ID, Cause: run.CauseMention, State: run.Failed,
		Temperature: "cold", Native: "n1", MessageUUID: "u1", ReplyID: "", QueuedAt: epoch, StartedAt: epoch.Add(time.Second),
		EndedAt: epoch.Add(2 * time.Second), Failure: &run.Failure{Code: run.FailAPI, Message: "529 overloaded", Held: true},
		Usage: run.Usage{
			Usage: tokens, CostUSD: 0.25, Calls: []ledger.Call{{MessageID: "m1", Model: "opus", Main: true, Usage: tokens}},
		},
	}
	h.sent[r.ID] = run.Sent{
		Blocks:     []prompt.Block{{Kind: prompt.KindPayload, Text: "héllo\nworld"}, {Kind: prompt.KindRows, Text: "- [user] hi"}},
		Considered: []delivery.Considered{{ID: "r0", Verdict: delivery.Cut}, {ID: row.ID, Verdict: delivery.Addressed}},
		Omitted:    &delivery.Omitted{Count: 3, Before: "r0", By: map[string]int{"": 1, "aiko": 2}},
		Staged:     &delivery.Watermark{Native: "n1", LastAt: epoch, IDs: []string{"r0", row.ID}},
	}
	h.steps[r.ID] = []run.Step{{N: 0, Kind: "tool", ID: "t1", Name: "Bash", Input: `{"command":"ls"}`, Output: "a\nb", At: epoch, Took: 1500 * time.Millisecond}}
	h.savings[r.ID] = []run.Saving{
		{Kind: run.SavingSpill, StepID: "t1", AgentID: "a1", Tool: "Bash", Detail: "make test", Path: h.workspace + "/.flower/spill/0123456789abcdef.txt", Chars: 812345, Lines: 12001, Tokens: 203000, At: epoch},
		{Kind: run.SavingDenial, StepID: "t2", Tool: "Write", Detail: "Delegate it.", At: epoch},
		{Kind: run.SavingIndex, Tokens: 321, At: epoch},
		{Kind: run.SavingSpill, StepID: "t3", Tool: "Read", Fault: "The disk is full", At: epoch},
	}
	h.permissions["p1"] = run.Permission{
		ID: "p1", RunID: r.ID, ChannelID: c.ID, BindingID: b.ID, Tool: "Bash", Input: json.RawMessage(`{"command":"rm -rf /"}`),
		Reason: "not allowed yet", Workspace: h.workspace, Rules: []string{"Bash(rm:*)"}, State: run.PermissionOpen, AskedAt: epoch,
	}
	h.permissions["p0"] = run.Permission{
		ID: "p0", ChannelID: c.ID, BindingID: b.ID, Tool: "Read", Input: json.RawMessage(`not json`), State: run.PermissionDenied,
		Message: "no", AskedAt: epoch.Add(-time.Minute), AnsweredAt: epoch,
	}
	h.rules[b.ID] = []run.Rule{{ID: "rule1", At: epoch, Text: "Bash(ls:*)"}, {ID: "rule2", At: epoch, Tool: "Read", Input: json.RawMessage(`{"file_path":"/x"}`)}}
	h.states = []AgentState{{
		BindingID: b.ID, Phase: "warm", Native: "n1", PID: 42, Since: epoch, IdleDeadline: epoch.Add(30 * time.Minute), Queued: 1, Asking: 2,
		Model: "claude-opus", ClientVersion: "2.1.332", Reachable: true, Restorable: "n0", Restoring: "n0", Tools: []string{"Bash"},
	}}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   string
}

func (h *house) call(method, path, body string, headers ...string) answer {
	return call(h.handler, method, path, body, headers...)
}

// call makes a request. Headers are given as pairs; without any, a body is JSON.
func call(handler http.Handler, method, path, body string, headers ...string) answer {
	r := httptest.NewRequestWithContext(context.Background(), method, path, strings.NewReader(body))
	r.RemoteAddr, r.Host = "127.0.0.1:50000", "127.0.0.1:4321"
	if len(headers) == 0 && body != "" {
		headers = []string{"Content-Type", "application/json"}
	}
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
			continue
		}
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return answer{w.Code, w.Result().Header, w.Body.String()}
}

// problem reads an answer as a problem and checks its shape.
func (a answer) problem(t *testing.T) Problem {
	t.Helper()
	var p Problem
	if err := json.Unmarshal([]byte(a.body), &p); err != nil {
		t.Fatalf("status %d, not a problem: %v: %q", a.status, err, a.body)
	}
	if got := a.header.Get("Content-Type"); got != problemType {
		t.Errorf("content type %q", got)
	}
	if p.Status != a.status || p.Title != http.StatusText(a.status) || p.Code == "" || !strings.HasSuffix(p.Detail, ".") {
		t.Errorf("status %d, odd problem %+v", a.status, p)
	}
	return p
}

// show writes an answer for a golden file.
func (h *house) show(w *bytes.Buffer, method, path, body string, a answer) {
	fmt.Fprintf(w, "%s %s %s\n%d", method, path, body, a.status)
	if a.body != "" {
		var indented bytes.Buffer
		if err := json.Indent(&indented, []byte(a.body), "", "  "); err != nil {
			indented.WriteString(a.body)
		}
		fmt.Fprintf(w, " %s\n%s", a.header.Get("Content-Type"), indented.String())
	}
	text := strings.ReplaceAll(w.String(), h.workspace, "/workspace")
	w.Reset()
	w.WriteString(strings.TrimRight(text, "\n") + "\n\n")
}
