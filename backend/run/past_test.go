package run

import (
	"strings"
	"testing"
	"time"

	"hearth/backend/ledger"
)

func TestPastLeases(t *testing.T) {
	at := func(minute float64) time.Time {
		return time.Unix(0, 0).Add(time.Duration(minute * float64(time.Minute)))
	}
	turn := func(native, temperature string, began float64) ledger.Turn {
		return ledger.Turn{Native: native, Temperature: temperature, Began: at(began), Ended: at(began + 1)}
	}
	end := func(native string, how ledger.Ending, minute float64) ledger.ProcessEnd {
		return ledger.ProcessEnd{Native: native, How: how, At: at(minute)}
	}
	for name, c := range map[string]struct {
		turns  []ledger.Turn
		ends   []ledger.ProcessEnd
		living string
		want   string // newest first: how the process of each turn ended after it, - for not
	}{
		"none":                          {want: ""},
		"one that lives":                {turns: []ledger.Turn{turn("a", "cold", 0)}, living: "a", want: "-"},
		"warm turns, then idle":         {turns: []ledger.Turn{turn("a", "cold", 0), turn("a", "warm", 10)}, ends: []ledger.ProcessEnd{end("a", ledger.EndedIdle, 41)}, want: "idle -"},
		"restored":                      {turns: []ledger.Turn{turn("a", "cold", 0), turn("a", "restored", 60)}, ends: []ledger.ProcessEnd{end("a", ledger.EndedIdle, 31)}, living: "a", want: "- idle"},
		"restored twice":                {turns: []ledger.Turn{turn("a", "cold", 0), turn("a", "restored", 60)}, ends: []ledger.ProcessEnd{end("a", ledger.EndedEvicted, 70), end("a", ledger.EndedIdle, 31)}, want: "evicted idle"},
		"crashed within its turn":       {turns: []ledger.Turn{turn("a", "cold", 0), turn("b", "cold", 5)}, ends: []ledger.ProcessEnd{end("a", ledger.EndedCrashed, 0.5)}, living: "b", want: "- crashed"},
		"warmed and ended without turn": {turns: []ledger.Turn{turn("a", "cold", 0)}, ends: []ledger.ProcessEnd{end("a", ledger.EndedIdle, 90), end("b", ledger.EndedIdle, 61), end("a", ledger.EndedEvicted, 31)}, want: "evicted"},
		"nobody wrote it down":          {turns: []ledger.Turn{turn("a", "cold", 0), turn("b", "cold", 60)}, want: "unknown unknown"},
		"another session lives":         {turns: []ledger.Turn{turn("a", "cold", 0)}, living: "b", want: "unknown"},
		"each turn anew":                {turns: []ledger.Turn{turn("a", "cold", 0), turn("b", "cold", 2)}, ends: []ledger.ProcessEnd{end("b", ledger.EndedOther, 3), end("a", ledger.EndedOther, 1)}, want: "ended ended"},
	} {
		var got []string
		leases := PastLeases(c.turns, c.ends, c.living)
		for i, l := range leases {
			if want := c.turns[len(c.turns)-1-i]; l.Turn.Began != want.Began {
				t.Errorf("%s: not newest first", name)
			}
			if l.End == nil {
				got = append(got, "-")
			} else {
				got = append(got, string(l.End.How))
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
}
