package cli

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"hearth/backend/api"
	"hearth/backend/chat"
	"hearth/backend/plain"
)

// agent looks at one agent closely.
func (a *app) agent(ctx context.Context, c *client, channel api.Channel, handle string) error {
	b, err := c.binding(ctx, channel, handle)
	if err != nil {
		return err
	}
	var d api.AgentDetail
	raw, err := c.get(ctx, at("/api/bindings/%s/detail", b.ID), &d)
	if err != nil || a.json {
		return orPrint(a, raw, err)
	}
	a.showAgent(d)
	a.showSession(d)
	a.showQueue(d)
	if d.Forecast != nil {
		a.showForecasts([]api.CacheForecast{*d.Forecast})
	}
	a.showLeases(d.Leases)
	a.showTools(d.Tools)
	return nil
}

func (a *app) showAgent(d api.AgentDetail) {
	b, s := d.Binding, d.State
	a.say("@%s is %s since %s.", b.Handle, s.Phase, a.when(s.Since))
	if s.Error != "" {
		a.say("Its last process ended out of order: %s\nThe next message starts another one.", s.Error)
	}
	if !s.Reachable {
		a.say("Its client is missing: `hearth doctor` says how to get it.")
	}
	facts := [][2]string{
		{"model", cmp.Or(s.Model, b.Model, "the client's own choice")},
		{"client", strings.TrimSpace(b.Runtime + " " + s.ClientVersion)},
		{"before it acts", cmp.Or(b.PermissionMode, "as your own settings say")},
		{"Messages API", b.BaseURL},
		{"role", role(b)},
	}
	if p := d.Process; p != nil {
		memory := plain.Grouped(p.MemoryBytes>>20) + " MiB in " + plain.Count(p.Processes, "process", "processes")
		facts = append(facts, [2]string{"process", strconv.Itoa(p.PID) + ", since " + a.when(p.BeganAt)}, [2]string{"memory", cmp.Or(p.Fault, memory)})
		if !s.IdleDeadline.IsZero() {
			facts = append(facts, [2]string{"ends when idle", a.when(s.IdleDeadline)})
		}
	}
	for _, f := range facts {
		if f[1] != "" {
			a.say("  %-15s %s", f[0], plain.Inline(f[1]))
		}
	}
	if b.Role != string(chat.RoleCoordinator) {
		return
	}
	for _, w := range b.Workers {
		isolated := ""
		if w.Isolated {
			isolated = ", in a worktree of its own"
		}
		a.say("  worker %s (%s%s): %s", w.Name, w.Model, isolated, plain.Inline(w.Description))
	}
}

// role is what a binding's role lets it do.
func role(b api.Binding) string {
	text := roleOf(b)
	if b.Role != string(chat.RoleCoordinator) {
		return text
	}
	if b.Glance {
		text += ", may glance"
	}
	if len(b.Hands) > 0 {
		text += ", may use " + strings.Join(b.Hands, ", ")
	}
	return text
}

// showSession says what Start fresh would forget.
func (a *app) showSession(d api.AgentDetail) {
	s := d.Session
	if s == nil {
		a.say("\nIt has no session: its next turn is cold.")
		return
	}
	holds := plain.Count(s.Turns, "turn", "turns")
	if s.ContextTokens > 0 {
		holds += ", " + plain.Count(int(s.ContextTokens), "token", "tokens")
	}
	if s.Saved {
		a.say("\nIts saved session %s holds %s. `hearth bindings restore` loads it; `hearth bindings fresh` forgets it.", s.Native, holds)
		return
	}
	a.say("\nIts session %s holds %s. `hearth bindings fresh` forgets it.", s.Native, holds)
}

func (a *app) showQueue(d api.AgentDetail) {
	if len(d.Queue) == 0 {
		return
	}
	a.say("\nWaits for it:")
	for i, q := range d.Queue {
		a.say("  %d. %s: %s  (%s, run %s)", i+1, author(q.Agent, q.Handle), plain.Inline(q.Text), a.when(q.QueuedAt), q.RunID)
	}
	if more := d.State.Queued - len(d.Queue); more > 0 {
		a.say("  and %d more", more)
	}
}

func (a *app) showLeases(leases []api.PastLease) {
	if len(leases) == 0 {
		return
	}
	a.say("\nIts last turns:")
	rows := make([][]string, len(leases))
	for i, l := range leases {
		after := "-"
		if e := l.ProcessEnd; e != nil {
			after = a.endOf(e)
		}
		rows[i] = []string{l.RunID, dash(l.Temperature), a.when(l.BeganAt), took(l.EndedAt.Sub(l.BeganAt)), dash(l.Native), after}
	}
	a.table([]string{"RUN", "TEMPERATURE", "BEGAN AT", "TOOK", "SESSION", "ITS PROCESS THEN"}, rows)
}

func (a *app) showTools(t api.AgentTools) {
	a.say("\nIts tools:")
	switch t.Known {
	case "no":
		a.say("  The client names its own at its first turn.")
	case "before":
		a.say("  The client's own are those of its last process.")
	}
	rows := make([][]string, len(t.Items))
	for i, one := range t.Items {
		of := cmp.Or(one.Server, "the client")
		if one.Source == "hearth" {
			of = "Hearth"
		}
		about, _, _ := strings.Cut(strings.ReplaceAll(one.Description, "\n", ". "), ". ")
		if !one.Offered {
			about = "(not offered now)"
		}
		rows[i] = []string{named(one.Title), named(of), count(one.Calls), count(one.SubagentCalls), count(one.Failed), a.when(one.LastCalledAt), dash(about)}
	}
	a.table([]string{"TOOL", "OF", "CALLS", "BY SUBAGENTS", "FAILED", "LAST", "WHAT IT DOES"}, rows)
	for _, s := range t.Servers {
		if s.Status != "connected" {
			a.say("  The MCP server %s is %s. %s", s.Name, s.Status, plain.Inline(s.Error))
		}
		if s.LeftOut > 0 {
			a.say("  %s of the MCP server %s are not shown.", plain.Count(s.LeftOut, "tool", "tools"), s.Name)
		}
	}
	if t.ServersFault != "" {
		a.say("  %s", t.ServersFault)
	}
}

// count writes how often, a dash for never.
func count(n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}
