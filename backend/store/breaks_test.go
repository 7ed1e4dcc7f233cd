package store

import (
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"hearth/backend/chat"
	"hearth/backend/ledger"
	"hearth/backend/run"
)

// What a run is told of its cache break, when it ends, alone and in pages of any
// size, is what the ledger says of all turns of its agent.
func TestRunsKnowTheirBreaks(t *testing.T) {
	for seed := range uint64(2) {
		h := newHouse(t)
		second := h.newBinding(h.channel.ID, "second")
		g := &gambler{Rand: rand.New(rand.NewPCG(seed, 7))}
		turns := map[string][]ledger.Turn{}
		var ids []string
		now := day
		for i := range 40 {
			now = now.Add(time.Duration(g.IntN(400)) * time.Second)
			h.clock.Set(now)
			b := []chat.Binding{h.claude, second}[g.IntN(2)]
			u, f := g.turn(now.Add(-time.Minute).Truncate(time.Microsecond))
			if g.IntN(3) > 0 {
				f.Process = "the same"
			}
			var ended run.Run
			if i%6 == 5 {
				var err error
				ended, _, err = h.Unasked(t.Context(), run.Run{BindingID: b.ID, Native: "s1", Temperature: "warm"}, run.Finishing{State: run.Succeeded, Usage: u, Facts: f})
				if err != nil {
					t.Fatal(err)
				}
				if stored := must(h.Run(t.Context(), ended.ID))(t); !reflect.DeepEqual(ended, stored) {
					t.Errorf("Unasked returned %+v, stored is %+v", ended, stored)
				}
			} else {
				_, runs := h.post("", "", "@x", b)
				h.begin(runs[0], "s1", run.Sent{})
				h.finish(run.Finishing{RunID: runs[0].ID, State: run.Failed, Failure: &run.Failure{Code: run.FailTurn}, Usage: u, Facts: f})
				ended = must(h.Run(t.Context(), runs[0].ID))(t)
			}
			ids = append(ids, ended.ID)
			turns[b.ID] = append(turns[b.ID], run.TurnOf(ended, f))
		}
		waiting := h.queue("", "@claude") // has no break yet
		want := map[string]ledger.Break{}
		for _, of := range turns {
			for _, b := range ledger.Breaks(of) {
				want[b.Run] = b
			}
		}
		if len(want) < 8 || len(want) == len(ids) {
			t.Fatalf("of %d turns %d are breaks", len(ids), len(want))
		}
		check := func(how string, r run.Run) {
			t.Helper()
			b, broken := want[r.ID]
			if broken != (r.Break != nil) || broken && !reflect.DeepEqual(*r.Break, b) {
				t.Errorf("seed %d, %s: %s has %+v, want %+v", seed, how, r.ID, r.Break, b)
			}
		}
		for _, id := range append(slices.Clone(ids), waiting.ID) {
			check("alone", must(h.Run(t.Context(), id))(t))
		}
		for _, limit := range []int{1, 2, 7, 100} {
			seen, before := 0, ""
			for more := true; more; {
				var runs []run.Run
				var err error
				if runs, more, err = h.Runs(t.Context(), h.channel.ID, before, limit); err != nil {
					t.Fatal(err)
				}
				for _, r := range runs {
					check("in pages of "+itoa(limit), r)
				}
				seen, before = seen+len(runs), runs[len(runs)-1].ID
			}
			if seen != len(ids)+1 {
				t.Errorf("pages of %d have %d runs", limit, seen)
			}
		}
		if got := must(h.Breaks(t.Context(), append(ids, "nobody")))(t); !reflect.DeepEqual(got, want) {
			t.Errorf("seed %d: of all %+v, want %+v", seed, slices.Collect(maps.Keys(got)), slices.Collect(maps.Keys(want)))
		}
		if got := must(h.Breaks(t.Context(), nil))(t); len(got) != 0 {
			t.Errorf("of none: %+v", got)
		}
	}
}

// called is a turn with one call, which sends all that is given.
func called(id string, read, written int64, at time.Time) run.Usage {
	u := ledger.Usage{Input: 3, CacheRead: read, CacheWrite5m: written}
	return run.Usage{Usage: u, Calls: []ledger.Call{{MessageID: id, Model: "opus", Main: true, Usage: u, Began: at}}}
}

// Turns in which the agent asked the model nothing, as when the API does not answer,
// are not what a turn is compared with, however many there are.
func TestATurnIsComparedWithTheLastThatCounts(t *testing.T) {
	h := newHouse(t)
	facts := run.Facts{Process: "p", Version: "2.1.197", Tools: ledger.Part{Hash: "t"}, Framing: ledger.Part{Hash: "f"}}
	turn := func(u run.Usage, f run.Facts) run.Run {
		r := h.queue("", "@claude")
		h.begin(r, "s1", run.Sent{})
		h.finish(run.Finishing{RunID: r.ID, State: run.Failed, Failure: &run.Failure{Code: run.FailAPI}, Usage: u, Facts: f})
		return must(h.Run(t.Context(), r.ID))(t)
	}
	h.clock.Set(day)
	first := turn(called("m1", 0, 50_000, day), facts)
	for range 3 * comparedWith {
		turn(run.Usage{}, facts)
	}
	lost := turn(called("m2", 20_000, 31_000, day.Add(time.Minute)), facts)
	if b := lost.Break; b == nil || b.Before != first.ID || b.Cause != ledger.ClientOrAPI || b.Missed != 30_000 {
		t.Errorf("after turns without a call: %+v", b)
	}
	before := func(id string) string { return must(h.TurnBefore(t.Context(), id))(t) }
	if before(lost.ID) != first.ID || before(first.ID) != "" || before("none") != "" {
		t.Errorf("before %q, %q, %q", before(lost.ID), before(first.ID), before("none"))
	}
	going := h.queue("", "@claude")
	if got := before(going.ID); got != "" {
		t.Errorf("before one that has not begun: %q", got)
	}
	h.begin(going, "s1", run.Sent{})
	if got := before(going.ID); got != lost.ID {
		t.Errorf("before one that goes on: %q", got)
	}
	h.finish(run.Finishing{RunID: going.ID, State: run.Stopped})
	summary := facts
	summary.Compactions = []ledger.Compaction{{Calls: 0}}
	turn(run.Usage{}, summary)
	turn(run.Usage{}, facts)
	if b := turn(called("m3", 20_000, 100, day.Add(2*time.Minute)), facts).Break; b == nil || b.Before != lost.ID || b.Cause != ledger.Compacted {
		t.Errorf("after a turn that only made a summary: %+v", b)
	}
}

// A break knows how the process ended that had the turn before, whoever asks and in
// whatever company, and of no other process.
func TestABreakKnowsHowTheProcessBeforeEnded(t *testing.T) {
	h := newHouse(t)
	h.clock.Set(day)
	turn := func(native, process, temperature string, u run.Usage) run.Run {
		r := h.queue("", "@claude")
		if err := h.Begin(t.Context(), run.Beginning{RunID: r.ID, Native: native, Temperature: temperature, MessageUUID: r.ID}); err != nil {
			t.Fatal(err)
		}
		h.finish(run.Finishing{RunID: r.ID, State: run.Failed, Failure: &run.Failure{Code: run.FailAPI}, Usage: u, Facts: run.Facts{
			Process: process, Version: "2.1.197", Tools: ledger.Part{Hash: "t"}, Framing: ledger.Part{Hash: "f"},
		}})
		return must(h.Run(t.Context(), r.ID))(t)
	}
	end := func(native string, how ledger.Ending, reason string) {
		t.Helper()
		if err := h.EndSession(t.Context(), native, how, reason); err != nil {
			t.Fatal(err)
		}
	}
	call := func(id string, minute int) run.Usage {
		return called(id, 0, 50_000, day.Add(time.Duration(minute)*time.Minute))
	}
	h.start("s1")
	want := map[string]string{turn("s1", "p1", "cold", call("m1", 0)).ID: "-"}
	end("s1", ledger.EndedCrashed, "exit status 9")
	// One that was warmed and had no turn, and one that asked the model nothing.
	h.start("s2")
	end("s2", ledger.EndedIdle, "")
	h.start("s3")
	want[turn("s3", "p3", "cold", run.Usage{}).ID] = "-"
	end("s3", ledger.EndedEvicted, "")
	h.start("s4")
	want[turn("s4", "p4", "cold", call("m4", 1)).ID] = "new_process crashed exit status 9"
	end("s4", ledger.EndedIdle, "")
	h.start("s4")
	want[turn("s4", "p5", "restored", call("m5", 2)).ID] = "new_process restored idle "
	want[turn("s4", "p5", "warm", call("m6", 3)).ID] = "client_or_api"
	must(h.EndOpenSessions(t.Context(), "Hearth ended"))(t)
	h.start("s5")
	want[turn("s5", "p6", "cold", call("m7", 4)).ID] = "new_process lost Hearth ended"
	want[turn("s6", "p7", "cold", call("m8", 5)).ID] = "new_process unknown "
	told := func(r run.Run) string {
		b := r.Break
		if b == nil {
			return "-"
		}
		text := string(b.Cause)
		if b.Evidence.Restored {
			text += " restored"
		}
		if e := b.Evidence.Ended; e != nil {
			text += " " + string(e.How) + " " + e.Reason
			if (e.How == ledger.EndedUnknown) != e.At.IsZero() {
				t.Errorf("%s ended at %s", text, e.At)
			}
		}
		return text
	}
	for _, limit := range []int{1, 3, 100} {
		seen, before := 0, ""
		for more := true; more; {
			runs, another, err := h.Runs(t.Context(), h.channel.ID, before, limit)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range runs {
				alone := must(h.Run(t.Context(), r.ID))(t)
				if got := told(r); got != want[r.ID] || told(alone) != got {
					t.Errorf("in pages of %d: %q, alone %q, want %q", limit, got, told(alone), want[r.ID])
				}
			}
			seen, before, more = seen+len(runs), runs[len(runs)-1].ID, another
		}
		if seen != len(want) {
			t.Errorf("%d runs", seen)
		}
	}
}

// A session has the model that answered last in it, by the client's own name, and
// keeps it when nobody answers.
func TestASessionKnowsItsModel(t *testing.T) {
	h := newHouse(t)
	model := func() string { return must(h.ModelOf(t.Context(), "s1"))(t) }
	turn := func(u run.Usage, name string) {
		r := h.queue("", "@claude")
		h.begin(r, "s1", run.Sent{})
		h.finish(run.Finishing{RunID: r.ID, State: run.Succeeded, Commit: true, Usage: u, Facts: run.Facts{Model: name}})
	}
	if got := model(); got != "" {
		t.Errorf("of a session nobody knows: %q", got)
	}
	h.start("s1")
	turn(run.Usage{}, "claude-misspelt")
	if got := model(); got != "" {
		t.Errorf("of one that nobody answered in: %q", got)
	}
	turn(called("m1", 0, 9, day), "claude-opus-4-8[1m]")
	turn(called("m2", 9, 9, day), "")
	turn(run.Usage{}, "claude-misspelt")
	if got := model(); got != "claude-opus-4-8[1m]" {
		t.Errorf("it is %q", got)
	}
	h.end("s1", "idle")
	if got := model(); got != "claude-opus-4-8[1m]" {
		t.Errorf("when it has ended it is %q", got)
	}
	h.start("s1") // restored
	if got := model(); got != "claude-opus-4-8[1m]" {
		t.Errorf("restored it is %q", got)
	}
}

// A turn is of the day of a person's calendar on which it ended, to the microsecond,
// also where clocks are moved in that night.
func TestTurnsAreOfTheDayTheyEndedOn(t *testing.T) {
	h := newHouse(t)
	for name, nights := range map[string][]string{
		"Europe/Berlin":       {"2026-03-29", "2026-03-30", "2026-10-25", "2026-10-26", "2026-12-01"},
		"America/New_York":    {"2026-03-08", "2026-03-09", "2026-11-01", "2026-11-02"},
		"America/Havana":      {"2026-03-08", "2026-11-01"}, // no midnight; midnight twice
		"Asia/Beirut":         {"2026-03-29", "2026-10-25"}, // no midnight; 23 o'clock twice
		"Australia/Lord_Howe": {"2026-04-05", "2026-10-04"}, // half an hour
		"Asia/Kolkata":        {"2026-11-30"},
		"UTC":                 {"2027-01-01"},
	} {
		zone := must(time.LoadLocation(name))(t)
		for _, night := range nights {
			midnight, _, err := ledger.Day(night).Bounds(zone)
			if err != nil {
				t.Fatal(err)
			}
			h.clock.Set(midnight.Add(-2 * time.Hour)) // a channel's clock never goes back
			h.channel = h.newChannel(strings.ReplaceAll(name, "/", "-") + "-" + night)
			h.claude = h.newBinding(h.channel.ID, "claude")
			noon := must(time.Parse(time.DateOnly, night))(t).Add(12 * time.Hour)
			days := []ledger.Day{ledger.DayOf(noon.AddDate(0, 0, -1), time.UTC), ledger.Day(night), ledger.DayOf(noon.AddDate(0, 0, 1), time.UTC)}
			turn := func(began, ended time.Time) run.Run {
				h.clock.Set(began)
				r := h.queue("", "@claude")
				h.begin(r, "s1", run.Sent{})
				h.clock.Set(ended)
				h.finish(run.Finishing{RunID: r.ID, State: run.Succeeded, Usage: run.Usage{CostUSD: 1}})
				return must(h.Run(t.Context(), r.ID))(t)
			}
			last := turn(midnight.Add(-time.Hour), midnight.Add(-time.Microsecond))
			first := turn(midnight.Add(-2*time.Second), midnight) // its channel's clock goes on: not before the last
			over := turn(midnight.Add(-time.Second), midnight.Add(3*time.Hour))
			for _, r := range []run.Run{first, over} {
				if got := ledger.DayOf(r.EndedAt, zone); string(got) != night {
					t.Fatalf("%s: a turn ended on %s", name, got)
				}
			}
			if got := ledger.DayOf(last.EndedAt, zone); got != days[0] {
				t.Fatalf("%s: the last turn of the day before ended on %s", name, got)
			}
			totals := must(h.Totals(t.Context(), h.channel.ID, days, zone))(t)
			for i, want := range []int{1, 2, 0} {
				if got := totals.Days[i]; got.Sum.Turns != want || got.Sum.Money != ledger.Money(want)*ledger.Dollar {
					t.Errorf("%s, the night to %s: %s has %+v, want %d turns", name, night, got.Day, got.Sum, want)
				}
			}
		}
	}
}
