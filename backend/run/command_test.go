package run

import (
	"slices"
	"testing"
	"time"

	"hearth/backend/chat"
	"hearth/backend/delivery"
	"hearth/backend/prompt"
)

var knownCommands = []chat.Command{{Name: "context"}, {Name: "clear", Aliases: []string{"new"}}}

func TestWhichRowsAreCommands(t *testing.T) {
	claude, codex := chat.Binding{ID: "b1", Handle: "claude"}, chat.Binding{ID: "b2", Handle: "codex"}
	owner := func(body string) chat.Row { return chat.Row{Kind: chat.KindUser, Body: body} }
	for _, c := range []struct {
		name   string
		row    chat.Row
		direct bool
		want   string
	}{
		{"the owner's", owner("@claude /context"), false, "/context"},
		{"in a thread", chat.Row{Kind: chat.KindUser, ThreadRootID: "r", Body: "@claude /context"}, false, "/context"},
		{"edited to one", chat.Row{Kind: chat.KindUser, Body: "@claude /context", EditedAt: time.Unix(1, 0)}, false, "/context"},
		{"on a direct line, without a mention", owner("/context"), true, "/context"},
		{"on a direct line, with one", owner("@claude /context now"), true, "/context now"},
		{"another person's", chat.Row{Kind: chat.KindUser, Handle: "aiko", Body: "@claude /context"}, false, ""},
		{"an agent's", chat.Row{Kind: chat.KindAgent, Handle: "codex", BindingID: "b2", Body: "@claude /context"}, false, ""},
		{"of an agent without a handle", chat.Row{Kind: chat.KindAgent, Body: "@claude /context"}, false, ""},
		{"for two agents", owner("@claude @codex /context"), false, ""},
		{"for two agents, one behind", owner("@claude /context and @codex too"), false, ""},
		{"for the other agent", owner("@codex /context"), false, ""},
		{"for nobody", owner("/context"), false, ""},
		{"unknown", owner("@claude /stream 3"), false, ""},
		{"a path", owner("@claude /usr/bin is broken"), false, ""},
	} {
		agents := []chat.Binding{claude, codex}
		if c.direct {
			agents = agents[:1]
		}
		_, text, ok := commandOf(Material{Channel: chat.Channel{Direct: c.direct}, Binding: claude, Agents: agents, Addressed: c.row}, knownCommands)
		if text != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q is the command %q, want %q", c.name, c.row.Body, text, c.want)
		}
	}
}

type someLease struct {
	Lease
	native string
}

func (l someLease) Native() string { return l.native }

func TestACommandIsAloneAndMovesNothingButItsOwnRow(t *testing.T) {
	at := time.Unix(100, 0)
	mark := delivery.Watermark{Native: "n", LastAt: at, IDs: []string{"r1"}}
	for name, c := range map[string]struct {
		thread string
		marks  map[string]delivery.Watermark
		want   delivery.Watermark
	}{
		"a session that was told of the place": {"", map[string]delivery.Watermark{"": mark}, delivery.Watermark{Native: "n", LastAt: at, IDs: []string{"r1", "row"}}},
		"in a thread it was told nothing of":   {"root", map[string]delivery.Watermark{"": mark}, delivery.Watermark{Native: "n", IDs: []string{"row"}}},
		"a session that knows nothing yet":     {"", map[string]delivery.Watermark{"": {Native: "before", LastAt: at, IDs: []string{"r1"}}}, delivery.Watermark{Native: "n", IDs: []string{"row"}}},
	} {
		m := Material{Binding: chat.Binding{Supervised: true, Resident: true}, Addressed: chat.Row{ID: "row"}, Watermarks: c.marks}
		out, err := composeCommand(Run{ThreadRootID: c.thread}, m, someLease{native: "n"}, chat.Command{Name: "context"}, "/context")
		if err != nil {
			t.Fatal(err)
		}
		if out.text != "/context" || !slices.Equal(out.sent.Blocks, []prompt.Block{{Kind: prompt.KindCommand, Text: "/context"}}) {
			t.Errorf("%s: %q, %+v", name, out.text, out.sent.Blocks)
		}
		if got := *out.sent.Staged; got.Native != c.want.Native || !got.LastAt.Equal(c.want.LastAt) || !slices.Equal(got.IDs, c.want.IDs) {
			t.Errorf("%s: staged %+v, want %+v", name, got, c.want)
		}
	}
	if got := mark.IDs; !slices.Equal(got, []string{"r1"}) {
		t.Errorf("the stored watermark was written to: %v", got)
	}
	out, err := composeCommand(Run{}, Material{Addressed: chat.Row{ID: "row"}}, someLease{native: "n"}, chat.Command{Name: "context"}, "/context")
	if err != nil || out.sent.Staged != nil {
		t.Errorf("an agent that keeps no session has a watermark: %+v, %v", out.sent.Staged, err)
	}
}

func TestTheAnswerToACommand(t *testing.T) {
	heard := newLive(Run{})
	heard.happen(Happening{Step: &Step{Kind: "text", Output: "Error: No messages to compact"}, Done: true}, time.Now())
	for _, c := range []struct {
		name    string
		live    *live
		outcome Outcome
		reply   string
		note    chat.Note
	}{
		{"a local answer", newLive(Run{}), Outcome{Local: true, Reply: "## Context\n\n| a | b |"}, "## Context\n\n| a | b |", chat.NoteCommand},
		{"a model's", newLive(Run{}), Outcome{Reply: "I looked.      Twice."}, "I looked.      Twice.", chat.NoteNone},
		{"a model's after a summary", newLive(Run{}), Outcome{Reply: "Done.", Compacted: &Compacted{Before: 9}}, "Done.", chat.NoteNone},
		{"columns of spaces", newLive(Run{}), Outcome{Local: true, Reply: "Cost:        $1\nTime:        2s\n"}, "```text\nCost:        $1\nTime:        2s\n```", chat.NoteCommand},
		{"colours", newLive(Run{}), Outcome{Local: true, Reply: "\x1b]0;title\a\x1b[1;31mred\x1b[0m 한국어"}, "red 한국어", chat.NoteCommand},
		{"a summary", newLive(Run{}), Outcome{Compacted: &Compacted{Before: 161234, After: 2618}}, "The conversation was compacted: 161,234 tokens before, about 2,618 after. The agent now knows a summary of it.", chat.NoteCommand},
		{"a summary of no size", newLive(Run{}), Outcome{Compacted: &Compacted{Before: 5}}, "The conversation was compacted: 5 tokens before. The agent now knows a summary of it.", chat.NoteCommand},
		{"said on the way only", heard, Outcome{Local: true}, "Error: No messages to compact", chat.NoteCommand},
		{"nothing at all", newLive(Run{}), Outcome{Local: true}, "Done. The client has nothing to say about it.", chat.NoteCommand},
		{"nothing but colours", newLive(Run{}), Outcome{Local: true, Reply: "\x1b[0m"}, "Done. The client has nothing to say about it.", chat.NoteCommand},
	} {
		reply, note := answered(c.live, c.outcome)
		if reply != c.reply || note != c.note {
			t.Errorf("%s: %q (%s), want %q (%s)", c.name, reply, note, c.reply, c.note)
		}
	}
}
