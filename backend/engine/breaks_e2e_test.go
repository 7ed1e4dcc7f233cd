//go:build e2e

package engine

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"hearth/backend/chat"
	"hearth/backend/claude/claudetest"
	"hearth/backend/event"
	"hearth/backend/ledger"
	"hearth/backend/run"
	"hearth/backend/standin"
)

// aheadBy is a clock that a test can put forward.
type aheadBy struct{ atomic.Int64 }

func (a *aheadBy) now() time.Time          { return time.Now().Add(time.Duration(a.Load())) }
func (a *aheadBy) forward(d time.Duration) { a.Add(int64(d)) }

// buildTimed makes a house with a real client whose model's cache lives by the same
// clock as the house.
func buildTimed(t *testing.T, client string) (*house, *standin.API, *aheadBy) {
	t.Helper()
	clock := &aheadBy{}
	h, model := buildOn(t, standin.Options{
		TrailingSystemMiss: true, Script: func(standin.Request) standin.Reply { return standin.Say("an answer of some words") },
		Counter: roughly, Now: clock.now,
	}, func(o *Options) { o.Claude, o.Clock = client, clock.now })
	return h, model, clock
}

// settled is an agent with a conversation whose beginning, which a known miss may
// cost, is over.
func (h *house) settled(name string) (chat.Channel, chat.Binding) {
	h.t.Helper()
	c := h.channel(name)
	b := h.binding(c, "claude", chat.RuntimeClaude)
	for _, text := range []string{"one", "two", "three"} {
		r := h.ask(c, "@claude "+text)
		if r.State != run.Succeeded || r.Break != nil && r.Break.Cause != ledger.KnownMiss {
			h.t.Fatalf("%s is %s, %+v", text, r.State, r.Break)
		}
	}
	return c, b
}

// What happens to the cache and to nobody's settings has the cause that it has: its
// life was over, or it was lost, with a word of the API's or without.
func TestRealCacheThatIsLostHasItsCause(t *testing.T) {
	for version, client := range claudetest.Clients(t) {
		t.Run(version, func(t *testing.T) {
			h, model, clock := buildTimed(t, client)
			said, err := json.Marshal(map[string]any{"cache_miss_reason": map[string]any{"type": "messages_changed", "cache_missed_input_tokens": 4321}})
			if err != nil {
				t.Fatal(err)
			}
			for name, c := range map[string]struct {
				between func(life time.Duration)
				want    ledger.Cause // "" is none
				quiet   bool
				said    ledger.Miss
			}{
				"nothing":                       {func(time.Duration) {}, "", false, ledger.Miss{}},
				"a minute before the end":       {func(life time.Duration) { clock.forward(life - time.Minute) }, "", false, ledger.Miss{}},
				"after the end":                 {func(life time.Duration) { clock.forward(life + time.Minute) }, ledger.Expired, true, ledger.Miss{}},
				"lost, and nothing is said":     {func(time.Duration) { model.Forget() }, ledger.ClientOrAPI, false, ledger.Miss{}},
				"lost, and something is":        {func(time.Duration) { model.Forget(); word(model, said) }, ledger.ClientOrAPI, false, ledger.Miss{Reason: "messages_changed", Tokens: 4321}},
				"after the end, and it is said": {func(life time.Duration) { clock.forward(life + time.Minute); word(model, said) }, ledger.Expired, true, ledger.Miss{Reason: "messages_changed", Tokens: 4321}},
			} {
				ch, _ := h.settled(name)
				life := ledger.ShortLife
				if h.last(ch).Usage.CacheWrite1h > 0 {
					life = ledger.LongLife
				}
				c.between(life)
				r := h.ask(ch, "@claude four")
				told := h.awaitEvent(0, func(e event.Event) bool {
					of, ok := e.Data.(run.Run)
					return ok && e.Type == run.EventRunUpdated && of.ID == r.ID && of.State.Ended()
				})
				if got := told.Data.(run.Run).Break; !reflect.DeepEqual(got, r.Break) {
					t.Errorf("%s: the event tells of %+v, stored is %+v", name, got, r.Break)
				}
				switch {
				case c.want == "" && r.Break != nil:
					t.Errorf("%s: %+v", name, r.Break)
				case c.want == "":
				case r.Break == nil:
					t.Errorf("%s: no break; it used %+v", name, r.Usage.Usage)
				case r.Break.Cause != c.want || r.Break.Quiet != c.quiet || r.Break.Evidence.Said != c.said || r.Break.Evidence.Read != 0 || r.Break.Missed < 1000:
					t.Errorf("%s: %+v", name, r.Break)
				}
			}
		})
	}
}

// word makes the model answer the next request with its own word on the cache.
func word(model *standin.API, said json.RawMessage) {
	reply := standin.Say("an answer with a word on the cache")
	reply.Diagnostics = said
	model.Then(reply)
}

// last is the newest run of a channel.
func (h *house) last(c chat.Channel) run.Run {
	h.t.Helper()
	runs, _, err := h.store.Runs(h.ctx(), c.ID, "", 1)
	if err != nil || len(runs) != 1 {
		h.t.Fatal(runs, err)
	}
	return runs[0]
}

// A client that does not say which tools it has leaves it open why its cache was lost.
func TestRealClientThatSaysTooLittleLeavesTheCauseOpen(t *testing.T) {
	client := realClient(t)
	silent := filepath.Join(t.TempDir(), "claude")
	script := fmt.Sprintf("#!/bin/sh\n%q \"$@\" | sed -u 's/\"tools\":\\[[^]]*\\]/\"tools\":[]/'\n", client)
	if err := os.WriteFile(silent, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	h, model, clock := buildTimed(t, silent)
	c, _ := h.settled("backend")
	model.Forget()
	r := h.ask(c, "@claude four")
	if r.Break == nil || r.Break.Cause != ledger.Unknown || r.Break.Quiet || r.Break.Evidence.Complete || !r.Break.Evidence.SameProcess {
		t.Errorf("lost: %+v", r.Break)
	}
	// What is known is enough to tell that it was late.
	clock.forward(2 * time.Hour)
	if r := h.ask(c, "@claude five"); r.Break == nil || r.Break.Cause != ledger.Expired {
		t.Errorf("late: %+v", r.Break)
	}
}

// A turn over midnight is of the day on which it ended, with all that it cost, and
// whether its cache was read is a matter of time and not of the day.
func TestRealTurnOverMidnight(t *testing.T) {
	h, model, clock := buildTimed(t, realClient(t))
	c, _ := h.settled("backend")
	here := time.Now()
	clock.forward(time.Date(here.Year(), here.Month(), here.Day()+2, 0, 0, 0, 0, time.Local).Add(-3 * time.Minute).Sub(clock.now()))
	if late := h.ask(c, "@claude late"); late.Break == nil || late.Break.Cause != ledger.Expired {
		t.Errorf("just before midnight: %+v", late.Break)
	}
	evening := h.cacheOf(c).Totals.Days
	if today := evening[len(evening)-1]; today.Turns != 1 || today.CostUSD <= 0 {
		t.Fatalf("the day has %+v", today)
	}

	midnight := make(chan struct{})
	model.Then(standin.Say("a long answer over midnight").InDeltas(4).HeldAfter(2, midnight))
	_, runs := h.post(c, "@claude through the night")
	h.awaitDelta(runs[0].ID)
	clock.forward(3*time.Minute + 30*time.Second) // within the cache's life
	close(midnight)
	r := h.await(runs[0].ID, run.State.Ended)
	succeeded(t, r)
	if r.Break != nil {
		t.Errorf("over midnight: %+v", r.Break)
	}
	if r.StartedAt.Local().Day() == r.EndedAt.Local().Day() {
		t.Fatalf("it went from %s to %s", r.StartedAt, r.EndedAt)
	}
	got := h.cacheOf(c).Totals
	n := len(got.Days)
	if today, yesterday := got.Days[n-1], got.Days[n-2]; today.Turns != 1 || today.CostUSD <= 0 || !reflect.DeepEqual(yesterday, evening[len(evening)-1]) {
		t.Errorf("today %+v, yesterday %+v; in the evening it had %+v", today, yesterday, evening[len(evening)-1])
	}
	if got.Days[n-1].Day != string(ledger.DayOf(r.EndedAt, time.Local)) {
		t.Errorf("the day is %s, and it ended at %s", got.Days[n-1].Day, r.EndedAt)
	}
	if next := h.ask(c, "@claude in the morning"); next.Break != nil {
		t.Errorf("the turn after: %+v", next.Break)
	}
}
