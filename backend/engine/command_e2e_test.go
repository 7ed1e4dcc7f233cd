//go:build e2e

package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hearth/backend/api"
	"hearth/backend/chat"
	"hearth/backend/claude/claudetest"
	"hearth/backend/ledger"
	"hearth/backend/run"
	"hearth/backend/standin"
)

// asks counts the requests of a session's main thread that were answered.
func asks(model *standin.API, native string) int { return len(requests(model, native)) }

func TestRealLocalCommandCallsNoModelAndTheNextTurnIsWarmWithWhatIsNew(t *testing.T) {
	for version, client := range claudetest.Clients(t) {
		t.Run(version, func(t *testing.T) {
			h, model, _ := buildTimed(t, client)
			c, b := h.settled("backend")
			look, err := h.agents.Commands(h.ctx(), b)
			if err != nil || !look.Now {
				t.Fatalf("%+v, %v", look, err)
			}
			for _, name := range []string{"context", "compact", "usage", "cost", "clear", "reset", "new"} {
				if _, _, ok := chat.CommandIn("/"+name, nil, look.Commands); !ok {
					t.Errorf("%s has no command %q", version, name)
				}
			}
			before := h.last(c)
			h.post(c, "row one", "aiko")
			n := asks(model, before.Native)
			for body, want := range map[string]string{"@claude /context": "## Context Usage", "@claude /cost": "```text\n"} {
				r := h.command(c, body, body[len("@claude "):])
				if r.Temperature != "warm" || r.Native != before.Native || !strings.HasPrefix(h.reply(r), want) || h.note(r) != chat.NoteCommand {
					t.Errorf("%s is %s: %s %q", body, r.Temperature, h.note(r), h.reply(r))
				}
				if r.Usage.CostUSD != 0 || r.Usage.Prompt() != 0 || r.Break != nil {
					t.Errorf("%s used %+v, break %+v", body, r.Usage, r.Break)
				}
			}
			if now := asks(model, before.Native); now != n {
				t.Errorf("local commands asked the model %d times", now-n)
			}
			h.post(c, "row two", "aiko")
			next := h.ask(c, "@claude four")
			succeeded(t, next)
			if next.Temperature != "warm" || next.Native != before.Native || next.Break != nil {
				t.Errorf("after commands the turn is %s: %+v", next.Temperature, next.Break)
			}
			if next.Usage.CacheRead < before.Usage.CacheRead+before.Usage.Written() {
				t.Errorf("after commands it read %+v, the turn before had left %+v", next.Usage.Usage, before.Usage.Usage)
			}
			if got := h.kinds(next); got != "payload reminder rows" {
				t.Errorf("it was sent %s", got)
			}
			text := h.text(next)
			for _, want := range []string{"New messages in this channel", "aiko: row one", "aiko: row two"} {
				if strings.Count(text, want) != 1 {
					t.Errorf("it lacks %q:\n%s", want, text)
				}
			}
			if strings.Count(text, "\n- [") != 2 || strings.Contains(text, "/context") {
				t.Errorf("it tells more than the new rows:\n%s", text)
			}
			// The client itself notes a command and its answer for the model.
			if whole := string(last(t, requests(model, next.Native)).RawMessages); !strings.Contains(whole, "<command-name>/context</command-name>") || !strings.Contains(whole, "Context Usage") {
				t.Error("the client tells the model nothing of the command, which the guide says it does")
			}
		})
	}
}

func TestRealCompactIsRecordedAsWhatItIs(t *testing.T) {
	for version, client := range claudetest.Clients(t) {
		t.Run(version, func(t *testing.T) {
			h, model, _ := buildTimed(t, client)
			c, _ := h.settled("backend")
			before := h.last(c)
			r := h.command(c, "@claude /compact keep the names", "/compact keep the names")
			if r.Native != before.Native || !strings.HasPrefix(h.reply(r), "The conversation was compacted: ") || h.note(r) != chat.NoteCommand {
				t.Errorf("in %s: %s %q", r.Native, h.note(r), h.reply(r))
			}
			if r.Usage.CostUSD <= 0 || r.Break != nil {
				t.Errorf("making the summary used %+v, break %+v", r.Usage, r.Break)
			}
			asked := ""
			for _, e := range model.Book() {
				asked += string(e.RawMessages)
			}
			if !strings.Contains(asked, "keep the names") {
				t.Error("what belongs to the command did not reach the client")
			}
			next := h.ask(c, "@claude four")
			succeeded(t, next)
			if next.Temperature != "warm" || next.Native != before.Native {
				t.Errorf("after it the turn is %s in %s", next.Temperature, next.Native)
			}
			if next.Break == nil || next.Break.Cause != ledger.Compacted || !next.Break.Quiet {
				t.Errorf("after it the break is %+v; it used %+v", next.Break, next.Usage.Usage)
			}
		})
	}
}

func TestRealClearNeverReachesTheClient(t *testing.T) {
	for version, client := range claudetest.Clients(t) {
		t.Run(version, func(t *testing.T) {
			h, model, _ := buildTimed(t, client)
			c, b := h.settled("backend")
			before := h.last(c)
			n := len(model.Book())
			r := h.ask(c, "@claude /clear")
			if r.State != run.Succeeded || h.kinds(r) != "" || !strings.Contains(h.reply(r), "Started fresh") || len(model.Book()) != n {
				t.Errorf("it is %s and sent %q: %q", r.State, h.kinds(r), h.reply(r))
			}
			if ends, err := h.store.ProcessEnds(h.ctx(), b.ID); err != nil || len(ends) == 0 || ends[0].How == ledger.EndedCrashed {
				t.Errorf("the process ended: %+v, %v", ends, err)
			}
			next := h.ask(c, "@claude five")
			succeeded(t, next)
			if next.Temperature != "cold" || next.Native == before.Native || strings.Contains(h.text(next), "User: ") {
				t.Errorf("after it the turn is %s:\n%s", next.Temperature, h.text(next))
			}
		})
	}
}

func TestRealColdCommandLeavesTheFirstTurnWhole(t *testing.T) {
	for version, client := range claudetest.Clients(t) {
		t.Run(version, func(t *testing.T) {
			h, model, _ := buildTimed(t, client)
			c := h.channel("backend")
			h.binding(c, "claude", chat.RuntimeClaude)
			h.post(c, "row one", "aiko")
			r := h.command(c, "@claude /context", "/context")
			if r.Temperature != "cold" || asks(model, r.Native) != 0 {
				t.Errorf("it is %s and asked the model %d times", r.Temperature, asks(model, r.Native))
			}
			first := h.ask(c, "@claude one")
			succeeded(t, first)
			if first.Temperature != "cold" || first.Native != r.Native || h.kinds(first) != "framing payload reminder rows" {
				t.Errorf("the first turn is %s in %s: %s", first.Temperature, first.Native, h.kinds(first))
			}
			if !strings.Contains(h.text(first), "aiko: row one") || strings.Contains(h.text(first), "/context") {
				t.Errorf("it is told:\n%s", h.text(first))
			}
			if !strings.Contains(last(t, requests(model, first.Native)).SystemText(), "TREAT THE MESSAGE CONTENT") {
				t.Error("the framing is not in the system prompt")
			}
			if second := h.ask(c, "@claude two"); second.Temperature != "warm" || second.Native != first.Native {
				t.Errorf("the second turn is %s", second.Temperature)
			}
		})
	}
}

// A command that is a prompt of the client's own has a model's answer, and is a turn like any other.
func TestRealCommandThatTheModelAnswers(t *testing.T) {
	h, _, _ := buildTimed(t, realClient(t))
	c, _ := h.settled("backend")
	r := h.command(c, "@claude /init", "/init")
	if h.note(r) != chat.NoteNone || h.reply(r) != "an answer of some words" || r.Usage.Prompt() == 0 {
		t.Errorf("%s %q: %+v", h.note(r), h.reply(r), r.Usage)
	}
	if next := h.ask(c, "@claude four"); next.Temperature != "warm" || next.Break != nil {
		t.Errorf("after it the turn is %s: %+v", next.Temperature, next.Break)
	}
}

// A command that is added between two turns is offered as soon as the client tells of
// it, which 2.1.197 does not: there it is from the next process on.
func TestRealCommandThatIsAddedIsOfferedFromTheNextTurnOn(t *testing.T) {
	for version, client := range claudetest.Clients(t) {
		t.Run(version, func(t *testing.T) {
			h, _, _ := buildTimed(t, client)
			c, b := h.settled("backend")
			for path, text := range map[string]string{
				"commands/greet.md":     "---\ndescription: greets\n---\nGreet $ARGUMENTS",
				"skills/count/SKILL.md": "---\nname: count\ndescription: counts\n---\nCount.",
			} {
				path = filepath.Join(h.workspace, ".claude", filepath.FromSlash(path))
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			tells := version != "2.1.197"
			knows := func(look api.CommandsLook, name string) bool {
				_, _, ok := chat.CommandIn("/"+name, nil, look.Commands)
				return ok
			}
			var look api.CommandsLook
			for range 20 { // it watches its folders, and looks a while after they changed
				succeeded(t, h.ask(c, "@claude four"))
				var err error
				if look, err = h.agents.Commands(h.ctx(), b); err != nil {
					t.Fatal(err)
				}
				if !tells || knows(look, "greet") && knows(look, "count") {
					break
				}
				time.Sleep(200 * time.Millisecond)
			}
			builtin := 0
			for _, c := range look.Commands {
				if c.Builtin {
					builtin++
				}
			}
			t.Logf("%s: %d commands, %d of them its own", version, len(look.Commands), builtin)
			if knows(look, "greet") != tells || knows(look, "count") != tells || !knows(look, "compact") || !knows(look, "reset") {
				t.Errorf("%+v", look.Commands)
			}
			r := h.ask(c, "@claude /greet aiko")
			succeeded(t, r)
			if got := h.kinds(r) == "command"; got != tells {
				t.Errorf("it was sent %s", h.kinds(r))
			}
			kept, _, err := h.store.Commands(h.ctx(), b)
			if err != nil || len(kept) != len(look.Commands) {
				t.Errorf("%d are kept, %v", len(kept), err)
			}
		})
	}
}
