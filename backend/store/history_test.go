package store

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"hearth/backend/chat"
	"hearth/backend/ledger"
	"hearth/backend/run"
)

// A history is the newest of all that was written in a channel, in its threads too,
// whatever the pages it is read in.
func TestHistory(t *testing.T) {
	h := newHouse(t)
	root, _ := h.post("", "", "root")
	all := []chat.Row{root}
	for i := range historyPage + 20 {
		row, _ := h.post(map[bool]string{true: root.ID}[i%3 == 1], "", strings.Repeat("글", 10))
		all = append(all, row)
	}
	h.by(h.newChannel("other"), "", chat.KindUser, "")
	const plenty = 1 << 30
	for _, c := range []struct{ most, bytes, want int }{
		{plenty, plenty, len(all)},
		{len(all), plenty, len(all)},
		{len(all) - 1, plenty, len(all) - 1},
		{historyPage, plenty, historyPage},
		{1, plenty, 1},
		{plenty, 30 * 7, 7},   // each has 30 bytes
		{plenty, 30*7 + 1, 8}, // the one at hand is whole
		{plenty, len("x"), 1}, // even where it is larger
		{3, 30 * 7, 3},        // whichever comes first
		{plenty, plenty, 521}, // more than a page
		{historyPage + 1, plenty, historyPage + 1},
	} {
		got, more, err := h.History(t.Context(), h.channel.ID, c.most, c.bytes)
		if err != nil || !slices.Equal(got, all[len(all)-c.want:]) || more != (c.want < len(all)) {
			t.Errorf("%+v: %d rows, more %v, %v", c, len(got), more, err)
		}
	}
	if got, more, err := h.History(t.Context(), "nowhere", plenty, plenty); len(got) > 0 || more || err != nil {
		t.Errorf("of no channel: %d rows, %v, %v", len(got), more, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := h.History(ctx, h.channel.ID, plenty, plenty); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
}

// An agent's replies answer what its runs say; another's, and what came to nothing,
// are not among them.
func TestAnswers(t *testing.T) {
	h := newHouse(t)
	second := h.newBinding(h.channel.ID, "second")
	one := h.queue("", "one")
	h.begin(one, "s1", run.Sent{})
	reply := h.succeed(one, "said")
	silent := h.queue("", "two")
	h.begin(silent, "s1", run.Sent{})
	h.finish(run.Finishing{RunID: silent.ID, State: run.Failed, Failure: &run.Failure{Code: run.FailTurn}})
	_, runs := h.post("", "", "@second", second)
	h.begin(runs[0], "s2", run.Sent{})
	h.succeed(runs[0], "too")
	if got := must(h.Answers(t.Context(), h.claude.ID))(t); !reflect.DeepEqual(got, map[string]string{reply.ID: one.RowID}) {
		t.Errorf("%v", got)
	}
}

// What was kept out is added up over the days asked for, by kind; what could not be
// kept out is counted apart.
func TestSavingsAreAddedUp(t *testing.T) {
	h := newHouse(t)
	day := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	end := func(at time.Time, savings ...run.Saving) {
		t.Helper()
		h.clock.Set(at)
		r := h.queue("", "one")
		h.begin(r, "s1", run.Sent{})
		h.finish(run.Finishing{RunID: r.ID, State: run.Succeeded, Savings: savings})
	}
	end(day, run.Saving{Kind: run.SavingSpill, Chars: 1000, Lines: 10, Tokens: 250}, run.Saving{Kind: run.SavingDenial, Detail: "Delegate it."})
	end(day.Add(time.Hour),
		run.Saving{Kind: run.SavingSpill, Chars: 500, Lines: 5, Tokens: 125},
		run.Saving{Kind: run.SavingSpill, Chars: 9000, Lines: 90, Tokens: 900, Fault: "The disk is full"},
		run.Saving{Kind: run.SavingIndex, Tokens: 321})
	end(day.Add(24*time.Hour), run.Saving{Kind: run.SavingSpill, Chars: 7, Lines: 1, Tokens: 2})
	want := []run.SavedSum{
		{Kind: run.SavingDenial, Times: 1},
		{Kind: run.SavingIndex, Times: 1, Tokens: 321},
		{Kind: run.SavingSpill, Times: 2, Faults: 1, Chars: 1500, Lines: 15, Tokens: 375},
	}
	if got := must(h.Totals(t.Context(), h.channel.ID, []ledger.Day{"2026-03-03", "2026-03-04"}, time.UTC))(t).Saved; !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := must(h.Totals(t.Context(), h.channel.ID, []ledger.Day{"2026-03-06"}, time.UTC))(t).Saved; len(got) != 0 {
		t.Errorf("on a day without any: %+v", got)
	}
}
