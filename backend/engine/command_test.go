package engine

import (
	"strings"
	"testing"

	"hearth/backend/chat"
	"hearth/backend/event"
	"hearth/backend/run"
)

// command asks for a command and checks that it went to the client alone.
func (h *house) command(c chat.Channel, body, text string) run.Run {
	h.t.Helper()
	r := h.ask(c, body)
	sent, err := h.store.RunSent(h.ctx(), r.ID)
	if err != nil {
		h.t.Fatal(err)
	}
	if r.State != run.Succeeded || len(sent.Blocks) != 1 || sent.Blocks[0].Kind != "command" || sent.Blocks[0].Text != text || len(sent.Considered) != 0 {
		h.t.Fatalf("%q is %s and sent %+v: %+v", body, r.State, sent.Blocks, r.Failure)
	}
	return r
}

func (h *house) note(r run.Run) chat.Note {
	h.t.Helper()
	row, err := h.store.Row(h.ctx(), r.ReplyID)
	if err != nil {
		h.t.Fatal(err)
	}
	return row.Note
}

// kinds are the kinds of what a turn was sent.
func (h *house) kinds(r run.Run) string {
	h.t.Helper()
	sent, err := h.store.RunSent(h.ctx(), r.ID)
	if err != nil {
		h.t.Fatal(err)
	}
	var out []string
	for _, b := range sent.Blocks {
		out = append(out, string(b.Kind))
	}
	return strings.Join(out, " ")
}

func TestACommandGoesToTheClientAloneAndTheNextTurnIsToldWhatIsNew(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	h.binding(c, "agent", chat.RuntimeStandin)
	h.post(c, "row one", "aiko")
	first := h.ask(c, "@agent hello")
	h.post(c, "row two", "aiko")

	asked := h.command(c, "@agent /context", "/context")
	if asked.Temperature != "warm" || asked.Native != first.Native || h.note(asked) != chat.NoteCommand || !strings.Contains(h.reply(asked), "## Context Usage") {
		t.Errorf("%s in %s: %s %q", asked.Temperature, asked.Native, h.note(asked), h.reply(asked))
	}
	if asked.Usage.CostUSD != 0 || len(asked.Usage.Calls) != 0 {
		t.Errorf("a local command used %+v", asked.Usage)
	}
	h.post(c, "row three", "aiko")
	next := h.ask(c, "@agent and now?")
	if next.Temperature != "warm" || next.Native != first.Native || h.kinds(next) != "payload reminder rows" {
		t.Errorf("the next turn is %s: %s", next.Temperature, h.kinds(next))
	}
	text := h.text(next)
	for _, want := range []string{"New messages in this channel", "- [user] aiko: row two", "- [user] aiko: row three"} {
		if !strings.Contains(text, want) {
			t.Errorf("the next turn lacks %q:\n%s", want, text)
		}
	}
	for _, old := range []string{"row one", "/context", "Context Usage"} {
		if strings.Contains(text, old) {
			t.Errorf("the next turn repeats %q:\n%s", old, text)
		}
	}
	if n := h.ask(c, "@agent thanks"); strings.Contains(h.text(n), "oldest first") {
		t.Errorf("there is a block although nothing is new:\n%s", h.text(n))
	}
}

func TestAColdProcessIsToldEverythingInItsFirstTurnThatIsNoCommand(t *testing.T) {
	h := build(t, func(o *Options) { o.Capacity = 1 })
	c := h.channel("backend")
	h.binding(c, "agent", chat.RuntimeStandin)
	h.binding(c, "other", chat.RuntimeStandin)
	h.post(c, "row one", "aiko")
	before := h.ask(c, "@agent question one")
	h.ask(c, "@other make room")

	for _, body := range []string{"@agent /usage", "@agent /context"} {
		asked := h.command(c, body, body[len("@agent "):])
		if asked.Temperature != "cold" || asked.Native == before.Native {
			t.Errorf("%s is %s in %s", body, asked.Temperature, asked.Native)
		}
	}
	next := h.ask(c, "@agent question two")
	if next.Temperature != "cold" || h.kinds(next) != "framing replay payload reminder rows" {
		t.Errorf("the first real turn is %s: %s", next.Temperature, h.kinds(next))
	}
	text := h.text(next)
	for _, want := range []string{"User: @agent question one", "Recent messages in this channel", "- [user] aiko: row one", "- [user] @other make room"} {
		if !strings.Contains(text, want) {
			t.Errorf("it lacks %q:\n%s", want, text)
		}
	}
	for _, command := range []string{"/usage", "/context", "Context Usage", "Total tokens"} {
		if strings.Contains(text, command) {
			t.Errorf("it repeats %q, which the session holds:\n%s", command, text)
		}
	}
	last := h.ask(c, "@agent question three")
	if last.Temperature != "warm" || strings.Contains(h.text(last), "- [") {
		t.Errorf("the turn after it is %s:\n%s", last.Temperature, h.text(last))
	}
}

func TestAnEarlierAnswerInAThreadIsToldAfterACommandThere(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	b := h.binding(c, "agent", chat.RuntimeStandin)
	root, runs := h.post(c, "@agent begin")
	h.await(runs[0].ID, run.State.Ended)
	_, runs = h.postIn(c, root.ID, "@agent in the thread")
	earlier := h.await(runs[0].ID, run.State.Ended)
	if _, err := h.runs.Fresh(h.ctx(), b.ID); err != nil {
		t.Fatal(err)
	}
	h.ask(c, "@agent in the channel")
	_, runs = h.postIn(c, root.ID, "@agent /context")
	if r := h.await(runs[0].ID, run.State.Ended); r.Temperature != "warm" || h.kinds(r) != "command" {
		t.Fatalf("%s: %s", r.Temperature, h.kinds(r))
	}
	_, runs = h.postIn(c, root.ID, "@agent go on")
	text := h.text(h.await(runs[0].ID, run.State.Ended))
	said, _, _ := strings.Cut(h.reply(earlier), "\n")
	if !strings.Contains(text, said) || !strings.Contains(text, "in the thread") {
		t.Errorf("what the session before had answered is not told:\n%s", text)
	}
	if strings.Contains(text, "/context") {
		t.Errorf("the command is told:\n%s", text)
	}
}

func TestClearStartsFreshAndNeverReachesTheClient(t *testing.T) {
	for _, body := range []string{"@agent /clear", "@agent /new name", "@agent /reset"} {
		h := build(t, nil)
		c := h.channel("backend")
		b := h.binding(c, "agent", chat.RuntimeStandin, func(b *chat.Binding) { b.Token = "a secret" })
		before := h.ask(c, "@agent hello")
		at := h.bus.Last()
		r := h.ask(c, body)
		if r.State != run.Succeeded || h.kinds(r) != "" || h.note(r) != chat.NoteCommand || !strings.Contains(h.reply(r), "Started fresh") {
			t.Errorf("%s is %s and sent %q: %q", body, r.State, h.kinds(r), h.reply(r))
		}
		told := h.awaitEvent(at, func(e event.Event) bool { return e.Type == run.EventBindingUpdated })
		if now, ok := told.Data.(chat.Binding); !ok || now.FreshAt.IsZero() || now.Token == "a secret" {
			t.Errorf("told of %+v", told.Data)
		}
		now, err := h.store.Binding(h.ctx(), b.ID)
		if err != nil || now.FreshAt.IsZero() {
			t.Errorf("it is not fresh: %+v, %v", now, err)
		}
		next := h.ask(c, "@agent do you remember?")
		if next.Temperature != "cold" || next.Native == before.Native || h.kinds(next) != "framing payload reminder rows" {
			t.Errorf("after %s the turn is %s: %s", body, next.Temperature, h.kinds(next))
		}
	}
}

func TestCompactSaysWhatItDidAndIsNoModelsWord(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	h.binding(c, "agent", chat.RuntimeStandin)
	if r := h.command(c, "@agent /compact", "/compact"); h.reply(r) != "Error: No messages to compact" || h.note(r) != chat.NoteCommand {
		t.Errorf("with nothing to compact: %q", h.reply(r))
	}
	h.ask(c, "@agent hello")
	r := h.command(c, "@agent /compact keep the names", "/compact keep the names")
	if !strings.HasPrefix(h.reply(r), "The conversation was compacted: ") || h.note(r) != chat.NoteCommand {
		t.Errorf("%q", h.reply(r))
	}
	if next := h.ask(c, "@agent and now?"); next.Temperature != "warm" || next.Native != r.Native {
		t.Errorf("after it the turn is %s", next.Temperature)
	}
}

func TestWhatIsNoCommandIsAMessage(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	h.binding(c, "agent", chat.RuntimeStandin)
	h.binding(c, "second", chat.RuntimeStandin)
	for _, body := range []string{"@agent /usr/bin is broken", "@agent //context", "@agent /frobnicate", "@agent say /context"} {
		if r := h.ask(c, body); !strings.Contains(h.kinds(r), "payload") {
			t.Errorf("%q sent %s", body, h.kinds(r))
		}
	}
	_, runs := h.post(c, "@agent /context", "aiko")
	if r := h.await(runs[0].ID, run.State.Ended); !strings.Contains(h.kinds(r), "payload") {
		t.Errorf("another person's command sent %s", h.kinds(r))
	}
	_, runs = h.post(c, "@agent @second /context")
	for _, caused := range runs {
		if r := h.await(caused.ID, run.State.Ended); !strings.Contains(h.kinds(r), "payload") {
			t.Errorf("a command to two sent %s", h.kinds(r))
		}
	}
}

func TestAQueuedMessageThatIsEditedIntoACommandIsOne(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	b := h.binding(c, "agent", chat.RuntimeStandin)
	_, slow := h.post(c, "@agent /slow 600")
	h.await(slow[0].ID, isState(run.Running))
	row, runs := h.post(c, "@agent hello")
	if _, err := h.runs.Edit(h.ctx(), row.ID, "@agent /context"); err != nil {
		t.Fatal(err)
	}
	if _, err := h.runs.StopBinding(h.ctx(), b.ID); err != nil {
		t.Fatal(err)
	}
	if r := h.await(runs[0].ID, run.State.Ended); h.kinds(r) != "command" {
		t.Errorf("it sent %s", h.kinds(r))
	}
}

func TestCommandsAreRememberedOverAStart(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	b := h.binding(c, "agent", chat.RuntimeStandin)
	look, err := h.agents.Commands(h.ctx(), b)
	if err != nil || look.Now || !look.At.IsZero() || len(look.Commands) != 0 {
		t.Errorf("before the first start: %+v, %v", look, err)
	}
	h.ask(c, "@agent hello")
	now, err := h.agents.Commands(h.ctx(), b)
	if err != nil || !now.Now || len(now.Commands) == 0 || now.Commands[0].Name != "clear" || now.At.IsZero() {
		t.Errorf("of the living process: %+v, %v", now, err)
	}
	h.close()
	h.open()
	before, err := h.agents.Commands(h.ctx(), b)
	if err != nil || before.Now || len(before.Commands) != len(now.Commands) || before.Commands[0].Aliases[0] != "reset" || before.At.IsZero() {
		t.Errorf("after a restart: %+v, %v", before, err)
	}
	b.Runtime = chat.RuntimeClaude
	if other, err := h.agents.Commands(h.ctx(), b); err != nil || len(other.Commands) != 0 || !other.At.IsZero() {
		t.Errorf("with another runtime: %+v, %v", other, err)
	}
}
