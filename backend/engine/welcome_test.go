package engine

import (
	"context"
	"strings"
	"testing"

	"hearth/backend/chat"
	"hearth/backend/claude"
	"hearth/backend/event"
	"hearth/backend/run"
)

func TestWelcome(t *testing.T) {
	path, _ := client(t, signedIn)
	h := build(t, func(o *Options) { o.Claude = path })
	before := h.bus.Last()
	w, made, err := h.Welcome(h.ctx())
	if err != nil || !made {
		t.Fatalf("%t %v", made, err)
	}
	if w.Channel.Name != "general" || w.Channel.Workspace != h.workspace || w.Agent.Handle != "claude" || w.Agent.Runtime != chat.RuntimeClaude || w.Standin() ||
		!w.Agent.Remembers() || w.Agent.ChannelID != w.Channel.ID {
		t.Errorf("%+v", w)
	}
	if err := w.Channel.Check(); err != nil {
		t.Error(err)
	}
	if err := w.Agent.Check(); err != nil {
		t.Error(err)
	}
	for _, kind := range []string{run.EventChannelCreated, run.EventBindingCreated} {
		h.awaitEvent(before, func(e event.Event) bool { return e.Type == kind && e.ChannelID == w.Channel.ID })
	}
	rows, more, err := h.store.Rows(h.ctx(), chat.Place{ChannelID: w.Channel.ID}, "", 100)
	if err != nil || more || len(rows) != len(sampleRows) {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows {
		if row.Handle != guide || row.Kind != chat.KindUser || chat.CheckBody(row.Body) != nil || len(chat.Mentions(row.Body, []string{firstAgent, guide})) > 0 {
			t.Errorf("%+v", row)
		}
		if strings.Contains(row.Body, "not found") {
			t.Errorf("it has a client, and says %q", row.Body)
		}
	}
	if _, made, err := h.Welcome(h.ctx()); made || err != nil {
		t.Errorf("made again: %t %v", made, err)
	}
}

// Without Claude Code, the first agent is the stand-in, says so, and answers.
func TestWelcomeWithoutAClient(t *testing.T) {
	h := build(t, nil)
	h.agents.clients.find = func(context.Context) located { return located{err: claude.ErrNotFound} }
	w, made, err := h.Welcome(h.ctx())
	if err != nil || !made || !w.Standin() || w.Problem != "Claude Code was not found." || w.How == "" || w.Unsure {
		t.Fatalf("%+v %t %v", w, made, err)
	}
	rows, _, err := h.store.Rows(h.ctx(), chat.Place{ChannelID: w.Channel.ID}, "", 100)
	if err != nil || len(rows) != len(sampleRows)+1 || !strings.Contains(rows[len(rows)-1].Body, "no model is behind it") {
		t.Errorf("%+v %v", rows, err)
	}
	reply := h.reply(h.ask(w.Channel, "@claude hello"))
	if !strings.Contains(reply, "no model behind me") || !strings.Contains(reply, "5 earlier rows: 5 by hearth") {
		t.Errorf("%s", reply)
	}
}

// A variable that names something else is a mistake to be told of: nothing is
// "not found".
func TestWelcomeWithAVariableThatNamesNoClient(t *testing.T) {
	h := build(t, func(o *Options) { o.Environ = append(o.Environ, claude.PathVariable+"=/tmp") })
	w, made, err := h.Welcome(h.ctx())
	if err != nil || !made || !w.Standin() || !strings.HasPrefix(w.Problem, "HEARTH_CLAUDE names /tmp, which is no Claude Code that runs (") || !strings.HasPrefix(w.How, "Correct HEARTH_CLAUDE") {
		t.Fatalf("%+v %t %v", w, made, err)
	}
	rows, _, err := h.store.Rows(h.ctx(), chat.Place{ChannelID: w.Channel.ID}, "", 100)
	if err != nil || len(rows) != len(sampleRows)+1 {
		t.Fatalf("%+v %v", rows, err)
	}
	said := rows[len(rows)-1].Body
	if !strings.HasPrefix(said, w.Problem) || !strings.Contains(said, "`@claude` is a stand-in") || strings.Contains(said, "not found") || strings.Contains(said, "npm") {
		t.Errorf("%s", said)
	}
	if got := h.setup.Claude(h.ctx()); got.Found || got.Problem != w.Problem || got.How != w.How {
		t.Errorf("%+v", got)
	}
}

// A person who deleted everything wanted it gone.
func TestWelcomeComesOnce(t *testing.T) {
	h := build(t, func(o *Options) { o.Environ = append(o.Environ, claude.PathVariable+"=/nonexistent/claude") })
	w, _, err := h.Welcome(h.ctx())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.store.DeleteChannel(h.ctx(), w.Channel.ID); err != nil {
		t.Fatal(err)
	}
	if w, made, err := h.Welcome(h.ctx()); made || err != nil || w.Channel.ID != "" {
		t.Errorf("%+v %t %v", w, made, err)
	}
}
