//go:build e2e

package claude

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// until makes a command that runs until a file is there.
func until(file string) string { return "until test -e " + file + "; do sleep 0.05; done; echo over" }

func create(t *testing.T, file string) {
	t.Helper()
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Error(err)
	}
}

func TestRealBackgroundTaskMakesAnOwnTurn(t *testing.T) {
	var gate string
	h := newHouse(t, func(q request) reaction {
		switch {
		case q.result:
			return reaction{text: "started"}
		case strings.Contains(q.newest, "task-notification"):
			return reaction{text: "it is over"}
		case strings.Contains(q.newest, "BUILD"):
			return reaction{tool: "Bash", input: object{"command": until(gate), "run_in_background": true}}
		}
		return reaction{text: "hello"}
	})
	gate = filepath.Join(filepath.Dir(h.dir), "gate")
	o := h.options(t)
	o.PermissionMode = "bypassPermissions"
	turns := unasked(&o)
	s := h.open(t, o, "background")
	if r, _ := s.turn("BUILD"); r.Text != "started" {
		t.Errorf("%+v", r)
	}
	if s.BackgroundTasks() != 1 {
		t.Errorf("%d background tasks", s.BackgroundTasks())
	}
	create(t, gate)
	own := <-turns
	if own.Result.Text != "it is over" || own.Result.IsError || own.Origin != "task-notification" || len(own.Trigger) != 1 ||
		own.Trigger[0].Status != "completed" || own.Result.Usage != usageOfACall || own.Result.CostUSD <= 0 {
		t.Errorf("the own turn: %+v", own)
	}
	if s.BackgroundTasks() != 0 {
		t.Errorf("%d background tasks", s.BackgroundTasks())
	}
	if r, _ := s.turn("and now"); r.Text != "hello" {
		t.Errorf("%+v", r)
	}
}

func TestRealTurnDuringAnOwnTurn(t *testing.T) {
	for _, kind := range []string{"queued", "merged"} {
		var gate, second string
		hold := make(chan struct{})
		h := newHouse(t, func(q request) reaction {
			switch {
			case strings.Contains(string(q.raw), "HELLO"):
				return reaction{text: "yours"}
			case strings.Contains(q.newest, "task-notification") && kind == "merged":
				return reaction{tool: "Bash", input: object{"command": until(second)}}
			case strings.Contains(q.newest, "task-notification"):
				return reaction{text: "mine", hold: hold}
			case q.result:
				return reaction{text: "started"}
			}
			return reaction{tool: "Bash", input: object{"command": until(gate), "run_in_background": true}}
		})
		gate, second = filepath.Join(filepath.Dir(h.dir), "gate1"), filepath.Join(filepath.Dir(h.dir), "gate2")
		o := h.options(t)
		o.PermissionMode = "bypassPermissions"
		turns := unasked(&o)
		s := h.open(t, o, "during-"+kind)
		s.turn("BUILD")
		create(t, gate)
		s.until(func() bool { return s.cycle.begun() })
		s.impatient = true // our waiting is what keeps messages out of the client's own turns; here one has to get in
		result := make(chan Result)
		go func() {
			r, _ := s.turn("HELLO")
			result <- r
		}()
		go func() {
			s.until(func() bool { return s.Session.turn != nil && s.Session.turn.sent })
			// The client has the line when it answers a request that came after it.
			if _, err := s.Request(t.Context(), "mcp_status", nil); err != nil {
				t.Error(err)
			}
			close(hold)
			create(t, second)
		}()
		r := <-result
		if kind == "queued" {
			if own := <-turns; r.Text != "yours" || own.Result.Text != "mine" {
				t.Errorf("ours %+v, own %+v", r, own)
			}
			continue
		}
		if r.Text != "yours" || len(turns) != 0 {
			t.Errorf("merged: %+v, and %d own turns", r, len(turns))
		}
	}
}

func TestRealSubagent(t *testing.T) {
	h := newHouse(t, func(q request) reaction {
		switch {
		case q.result:
			return reaction{text: "done"}
		case strings.Contains(q.newest, "DELEGATE"):
			return reaction{tool: "Agent", input: object{"description": "look", "prompt": "SUBTASK", "subagent_type": "general-purpose"}}
		case strings.Contains(q.newest, "SUBTASK"):
			return reaction{tool: "Bash", input: object{"command": "touch /nonexistent/x"}}
		}
		return reaction{text: "?"}
	})
	o := h.options(t)
	asked := make(chan Question, 1)
	o.Permission = func(_ context.Context, q Question) Answer {
		asked <- q
		return Answer{Message: "no"}
	}
	turns := unasked(&o)
	s := h.open(t, o, "subagent")
	r, events := s.turn("DELEGATE")
	if q := <-asked; q.AgentID == "" {
		t.Errorf("a subagent asked %+v", q)
	}
	// The client may run the agent in the background; then the report comes with a turn of its own.
	s.until(func() bool { return !s.cycle.begun() && s.expecting == nil && s.tasks.count() == 0 })
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
	close(turns)
	total, calls := r.Usage, r.Calls
	for own := range turns {
		events, total, calls = append(events, own.Events...), total.Add(own.Result.Usage), append(calls, own.Result.Calls...)
	}
	// Before 2.1.332 the life of what a call wrote to the cache is known only of calls that are shown, and a subagent's
	// last one is not.
	want := times(int64(len(h.asked())), usageOfACall)
	if got := total.CacheWrite5m + total.CacheWrite1h; total.Input != want.Input || total.CacheRead != want.CacheRead || total.Output != want.Output ||
		got != want.CacheWrite5m+want.CacheWrite1h || total.CacheWrite1h < 3*usageOfACall.CacheWrite1h {
		t.Errorf("usage %+v of %d requests", total, len(h.asked()))
	}
	var main, sub int
	for _, c := range calls {
		if c.Main {
			main++
		} else {
			sub++
		}
	}
	if main < 2 || sub < 1 {
		t.Errorf("calls of the main thread %d, of the subagent %d", main, sub)
	}
	var inside bool
	for _, u := range each[ToolUse](events) {
		inside = inside || u.Name == "Bash" && u.Parent != ""
	}
	if !inside {
		t.Errorf("what the subagent did was not shown: %s", kinds(events))
	}
}
