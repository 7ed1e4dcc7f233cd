package api

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"hearth/backend/chat"
	"hearth/backend/ledger"
	"hearth/backend/run"
)

func (f *fake) Detail(_ context.Context, b chat.Binding) (AgentLook, error) {
	unlock, err := f.at("Detail")
	defer unlock()
	look := f.look
	for _, state := range f.states {
		if state.BindingID == b.ID {
			look.State = state
		}
	}
	return look, err
}

func (f *fake) ToolCalls(_ context.Context, _ string) ([]run.ToolCalls, error) {
	unlock, err := f.at("ToolCalls")
	defer unlock()
	return f.calls, err
}

func (f *fake) ProcessEnds(_ context.Context, _ string) ([]ledger.ProcessEnd, error) {
	unlock, err := f.at("ProcessEnds")
	defer unlock()
	return f.ends, err
}

func (f *fake) SessionFacts(_ context.Context, _ string) (run.SessionFacts, error) {
	unlock, err := f.at("SessionFacts")
	defer unlock()
	return f.facts, err
}

func (f *fake) QueuedRuns(_ context.Context, bindingID string, limit int) ([]run.QueuedRun, error) {
	unlock, err := f.at("QueuedRuns")
	defer unlock()
	var out []run.QueuedRun
	for _, r := range f.runs {
		if r.BindingID == bindingID && r.State == run.Queued && len(out) < limit {
			out = append(out, run.QueuedRun{RunID: r.ID, RowID: r.RowID, Body: f.body(r.RowID), QueuedAt: r.QueuedAt})
		}
	}
	return out, err
}

func (f *fake) body(rowID string) string {
	for _, row := range f.rows {
		if row.ID == rowID {
			return row.Body
		}
	}
	return ""
}

func (h *house) detail(t *testing.T, id string) AgentDetail {
	t.Helper()
	a := h.call("GET", "/api/bindings/"+id+"/detail", "")
	var d AgentDetail
	if err := json.Unmarshal([]byte(a.body), &d); err != nil || a.status != 200 {
		t.Fatalf("%d %s: %v", a.status, a.body, err)
	}
	return d
}

func (d AgentDetail) tool(t *testing.T, name string) AgentTool {
	t.Helper()
	for _, one := range d.Tools.Items {
		if one.Name == name {
			return one
		}
	}
	t.Fatalf("there is no tool %s in %+v", name, d.Tools.Items)
	return AgentTool{}
}

func TestDetailOfAnAgentThatWasJustBound(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	h.states, h.runs = nil, nil
	h.look.State = AgentState{BindingID: "b2", Phase: "cold"}
	d := h.detail(t, "b2")
	if d.Process != nil || d.Session != nil || d.Forecast != nil || len(d.Leases) != 0 || len(d.Queue) != 0 || d.State.Phase != "cold" {
		t.Errorf("%+v", d)
	}
	if d.Tools.Known != "no" || len(d.Tools.Items) != 5 || d.Tools.Items[1].Title != "channel_history" || !d.Tools.Items[1].ReadOnly {
		t.Errorf("tools %+v", d.Tools)
	}
	own := d.tool(t, "mcp__channel__channel_post")
	var schema struct {
		Properties map[string]any `json:"properties"`
	}
	if err := json.Unmarshal(own.Schema, &schema); err != nil || schema.Properties["body"] == nil || own.Description == "" || own.Source != "hearth" || !own.Offered {
		t.Errorf("%+v, %v", own, err)
	}
}

func TestDetailSaysWhatWouldBeForgotten(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	turn := func(native, temperature string, at time.Duration) ledger.Turn {
		return ledger.Turn{
			Run: fmt.Sprint("run", at), Binding: "b2", Channel: "c1", Native: native, Temperature: temperature, Window: 200_000,
			Began: epoch.Add(at), Ended: epoch.Add(at + time.Minute),
			Calls: []ledger.Call{{MessageID: fmt.Sprint("m", at), Model: "claude-opus-5", Main: true, Usage: ledger.Usage{Input: 10, CacheWrite5m: 30_000, Output: 90}}},
		}
	}
	h.turns = []ledger.Turn{turn("n0", "cold", 0), turn("n1", "cold", time.Hour)}
	h.facts = run.SessionFacts{Turns: 1, BeganAt: epoch.Add(time.Hour)}
	h.ends = []ledger.ProcessEnd{{Native: "n0", How: ledger.EndedIdle, At: epoch.Add(31 * time.Minute)}}
	d := h.detail(t, "b2")
	want := &NativeSession{Native: "n1", Turns: 1, BeganAt: epoch.Add(time.Hour).UTC().Truncate(time.Microsecond), ContextTokens: 30_100}
	if !reflect.DeepEqual(d.Session, want) {
		t.Errorf("session %+v, want %+v", d.Session, want)
	}
	if d.Forecast == nil || d.Forecast.LineTokens != 150_000 || d.Forecast.Warm == nil || d.Forecast.Fresh == nil {
		t.Errorf("forecast %+v", d.Forecast)
	}
	if len(d.Leases) != 2 || d.Leases[0].ProcessEnd != nil || d.Leases[1].ProcessEnd == nil || d.Leases[1].ProcessEnd.How != "idle" {
		t.Errorf("leases %+v", d.Leases)
	}

	// What its conversation held is not what a new session holds.
	h.states[0].Native = "n2"
	h.facts = run.SessionFacts{}
	if d := h.detail(t, "b2"); d.Session.Turns != 0 || d.Session.ContextTokens != 0 || d.Session.Saved {
		t.Errorf("a new session: %+v", d.Session)
	}
	h.states[0].Native, h.states[0].Restorable = "", "n1"
	if d := h.detail(t, "b2"); d.Session.Native != "n1" || !d.Session.Saved || d.Session.ContextTokens != 30_100 {
		t.Errorf("a saved session: %+v", d.Session)
	}
}

func TestDetailJoinsWhatIsKnownOfTools(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	h.look = AgentLook{
		Tools: []string{"Task", "Bash", "mcp__channel__channel_post", "mcp__my_server__greet"}, ToolsNow: true,
		Process: &AgentProcess{PID: 42, BeganAt: epoch, MemoryBytes: 300 << 20, Processes: 2},
		Servers: []ToolServer{
			{Name: "my server", Status: "connected", Scope: "user", Version: "2", Tools: []ServerTool{{Name: "greet", Description: "Says hello.", ReadOnly: true}, {Name: "hidden"}}},
			{Name: "broken", Status: "failed", Error: "ENOENT"},
			{Name: "channel", Status: "connected", Tools: []ServerTool{{Name: "channel_post"}}},
		},
	}
	h.calls = []run.ToolCalls{
		{Tool: "Bash", Calls: 7, Failed: 2, LastAt: epoch}, {Tool: "Bash", Subagent: true, Calls: 3, Failed: 1, LastAt: epoch.Add(time.Second)},
		{Tool: "Agent", Calls: 4}, {Tool: "mcp__channel__channel_post", Calls: 1}, {Tool: "mcp__gone__thing", Calls: 5}, {Tool: "발명", Calls: 1},
	}
	h.states[0].RunID = "run4"
	h.live["run4"] = ""
	h.steps["run4"] = []run.Step{{Kind: "tool", Name: "Bash", At: epoch.Add(time.Minute)}, {Kind: "text"}}
	d := h.detail(t, "b2")
	if d.Tools.Known != "now" || len(d.Tools.Servers) != 3 || d.Tools.Servers[1].Error != "ENOENT" || d.Process.MemoryBytes != 300<<20 {
		t.Errorf("%+v", d)
	}
	bash := d.tool(t, "Bash")
	if bash.Calls != 8 || bash.SubagentCalls != 3 || bash.Failed != 3 || !bash.LastCalledAt.Equal(epoch.Add(time.Minute).Truncate(time.Microsecond)) ||
		bash.Source != "client" || bash.Description != "" || bash.Schema != nil || !bash.Offered {
		t.Errorf("%+v", bash)
	}
	if task := d.tool(t, "Task"); task.Calls != 4 {
		t.Errorf("a tool that is called by its other name: %+v", task)
	}
	greet := d.tool(t, "mcp__my_server__greet")
	if greet.Server != "my server" || greet.Title != "greet" || greet.Description != "Says hello." || !greet.ReadOnly || !greet.Offered || greet.Schema != nil {
		t.Errorf("%+v", greet)
	}
	if hidden := d.tool(t, "mcp__my_server__hidden"); hidden.Offered {
		t.Errorf("the client offers %+v", hidden)
	}
	if gone := d.tool(t, "mcp__gone__thing"); gone.Offered || gone.Server != "gone" || gone.Calls != 5 {
		t.Errorf("%+v", gone)
	}
	if made := d.tool(t, "발명"); made.Offered || made.Source != "client" {
		t.Errorf("%+v", made)
	}
	var names []string
	for _, one := range d.Tools.Items {
		names = append(names, one.Title)
	}
	if got := strings.Join(names, " "); got != "channel_decline channel_history channel_post channel_roster project_activity Task Bash greet hidden thing 발명" {
		t.Errorf("in the order %s", got)
	}

	// Before its first turn a client has named nothing, but its servers' tools can be asked for.
	h.look.Tools, h.look.ToolsNow = nil, false
	if d := h.detail(t, "b2"); d.Tools.Known != "no" || !d.tool(t, "mcp__my_server__greet").Offered || d.tool(t, "Bash").Offered {
		t.Errorf("%+v", d.Tools)
	}
}

func TestNamesOfTools(t *testing.T) {
	for name, want := range map[string]AgentTool{
		"Bash":           {Source: "client", Title: "Bash"},
		"mcp__a__b":      {Source: "server", Server: "a", Title: "b"},
		"mcp__a_b__c__d": {Source: "server", Server: "a_b", Title: "c__d"},
		"mcp__":          {Source: "client", Title: "mcp__"},
		"mcp__a":         {Source: "client", Title: "mcp__a"},
		"mcp____b":       {Source: "client", Title: "mcp____b"},
		"mcp__a__":       {Source: "client", Title: "mcp__a__"},
		"not__mcp__a__b": {Source: "client", Title: "not__mcp__a__b"},
		"mcp__도구__말하다":   {Source: "server", Server: "도구", Title: "말하다"},
	} {
		want.Name = name
		if got := toolNamed(name); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

func TestQueuedMessagesAreCut(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	h.call("POST", "/api/channels/c1/messages", `{"body":"@claude `+strings.Repeat("길", 1000)+`"}`)
	d := h.detail(t, "b2")
	if len(d.Queue) != 1 || len([]rune(d.Queue[0].Text)) != shownText+2 || !strings.HasSuffix(d.Queue[0].Text, "길 …") {
		t.Errorf("%+v", d.Queue)
	}
}
