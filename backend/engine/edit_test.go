package engine

import (
	"strings"
	"testing"

	"hearth/backend/chat"
	"hearth/backend/event"
	"hearth/backend/run"
)

func TestAnEditedMessageIsToldAsItIsNow(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	h.binding(c, "one", chat.RuntimeStandin)
	h.binding(c, "two", chat.RuntimeStandin)
	_, busy := h.post(c, "@one /slow 600")
	h.await(busy[0].ID, isState(run.Running))
	row, runs := h.post(c, "@one the first wording")
	after := h.bus.Last()

	done, err := h.runs.Edit(h.ctx(), row.ID, "@one the second wording  \n")
	edited, waiting := done.Row, done.Runs
	if err != nil || done.Told || edited.Body != "@one the second wording" || edited.EditedAt.IsZero() || len(waiting) != 1 || waiting[0].ID != runs[0].ID {
		t.Fatalf("edited %+v, runs %+v, %v", edited, waiting, err)
	}
	e := h.awaitEvent(after, func(e event.Event) bool { return e.Type == run.EventRowUpdated })
	if e.ChannelID != c.ID || e.Data != edited {
		t.Errorf("published %+v", e)
	}

	// Another agent instead: the run goes from the one queue into the other.
	done, err = h.runs.Edit(h.ctx(), row.ID, "@two the third wording")
	waiting = done.Runs
	if err != nil || len(waiting) != 1 || waiting[0].ID == runs[0].ID {
		t.Fatalf("runs %+v, %v", waiting, err)
	}
	if r := h.await(runs[0].ID, run.State.Ended); r.State != run.Stopped || r.Failure == nil || !strings.Contains(r.Failure.Message, "edited") {
		t.Errorf("the run of the first agent: %+v", r)
	}
	ended := h.await(waiting[0].ID, run.State.Ended)
	if text := h.text(ended); ended.State != run.Succeeded || !strings.Contains(text, "third wording") || strings.Contains(text, "second wording") {
		t.Errorf("the second agent (%s) was told:\n%s", ended.State, text)
	}
}

func TestAnEditKeepsToTheRulesOfPosting(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	for _, handle := range []string{"one", "two", "three", "four"} {
		h.binding(c, handle, chat.RuntimeStandin)
	}
	row, _ := h.post(c, "nobody in particular")
	for body, want := range map[string]chat.Code{
		" \n":                                  chat.CodeInvalid,
		"a\x00b":                               chat.CodeInvalid,
		"@one @two @three @four":               chat.CodeInvalid,
		strings.Repeat("x", chat.MaxBody+1):    chat.CodeTooLarge,
		"`@one` and " + strings.Repeat("x", 9): "",
	} {
		done, err := h.runs.Edit(h.ctx(), row.ID, body)
		got := done.Row
		if chat.CodeOf(err) != want || len(done.Runs) > 0 {
			t.Errorf("%.20q: %v, runs %+v", body, err, done.Runs)
		}
		if err == nil && got.Body != body {
			t.Errorf("%.20q became %q", body, got.Body)
		}
	}
	if _, err := h.runs.Edit(h.ctx(), "none", "x"); chat.CodeOf(err) != chat.CodeNotFound {
		t.Errorf("a row that is not there: %v", err)
	}
}

func TestADeletedMessageIsNeverTold(t *testing.T) {
	h := build(t, func(o *Options) { o.Capacity = 1 })
	c := h.channel("backend")
	h.binding(c, "one", chat.RuntimeStandin)
	h.binding(c, "two", chat.RuntimeStandin)
	_, busy := h.post(c, "@one /slow 600")
	h.await(busy[0].ID, isState(run.Running))
	row, runs := h.post(c, "@two a secret")
	h.await(runs[0].ID, isState(run.Waiting)) // for a place for its process
	after := h.bus.Last()
	if _, err := h.runs.Delete(h.ctx(), row.ID); err != nil {
		t.Fatal(err)
	}
	var seen []string
	h.awaitEvent(after, func(e event.Event) bool {
		switch data := e.Data.(type) {
		case run.Run:
			if data.ID == runs[0].ID {
				seen = append(seen, e.Type+" "+string(data.State))
			}
		case chat.Row:
			seen = append(seen, e.Type)
		case chat.Channel:
			seen = append(seen, e.Type)
			if data.NewestID == row.ID {
				t.Error("the row that is gone is the channel's newest")
			}
		}
		return e.Type == run.EventChannelUpdated
	})
	if got := strings.Join(seen, ", "); got != "run.updated stopped, row.deleted, channel.updated" {
		t.Errorf("published %s", got)
	}
	if _, err := h.store.Run(h.ctx(), runs[0].ID); chat.CodeOf(err) != chat.CodeNotFound {
		t.Errorf("its run: %v", err)
	}
	if _, err := h.runs.StopRun(h.ctx(), busy[0].ID); err != nil {
		t.Fatal(err)
	}
	// The attempt at it has gone too: its agent is free, and has heard nothing.
	if r := h.ask(c, "@two hello"); r.State != run.Succeeded || strings.Contains(h.text(r), "secret") {
		t.Errorf("%s was told:\n%s", r.State, h.text(r))
	}
}
