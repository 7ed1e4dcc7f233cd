package rehearsal

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"hearth/backend/golden"
	"hearth/backend/sim"
	"hearth/backend/standin"
)

// made is a report whose figures are made up.
func made() Report {
	facts := sim.Facts{Name: "backend", Agent: "claude", Rows: 12, Mentions: 3, People: 2, Agents: 1}
	costs := func(first, fresh int, unstable bool) Costs {
		c := Costs{Sizes: standin.Sizes{Tools: 8000, System: 1500, Messages: first - 9500}}
		for n := range 3 {
			t := Turn{Input: first + n*fresh, Own: fresh, Uncached: fresh, Read: first + (n-1)*fresh}
			if n == 0 || unstable {
				t.Uncached, t.Read = t.Input, 0
			}
			if n > 0 && unstable {
				t.Broke = "system prompt, block 1"
			}
			t.Written = t.Uncached
			c.Turns = append(c.Turns, t)
			c.InputTokens += int64(t.Input)
			c.CacheableTokens += int64(t.Read)
		}
		c.CacheableRatio = rounded(float64(c.CacheableTokens)/float64(c.InputTokens), 4)
		c.UncachedPerWarmTurn = float64(c.Turns[1].Uncached+c.Turns[2].Uncached) / 2
		c.ContextTokens, c.RowsSent, c.RowsNeverShown = 400, 9, 2
		return c
	}
	r := Report{
		Channel: facts, Seed: 7, Client: "9.9.9", Clients: []string{"9.9.9", "1.0.0"},
		Strategies: Strategies{costs(13000, 1100, false), costs(13000, 850, false), costs(13030, 850, true), costs(12600, 365, false)},
		Miss:       Miss{Read: 9500, Documented: 12600}, Outside: []string{"example.com"}, Unknown: []string{"Whether <it> holds."},
	}
	r.Strategies.Window.AlreadySeenTokens = 100
	r.Strategies.Hearth.RowsNamed = 2
	r.Simulated.Window.UncachedPerWarmTurn = 1100
	r.Simulated.Watermark.UncachedPerWarmTurn = 850
	r.Simulated.Unstable.UncachedPerWarmTurn = 15000
	r.Simulated.Hearth.UncachedPerWarmTurn = 360
	size := standin.Sizes{Tools: 8000, System: 1500, Messages: 3000}
	moved := []Difference{
		{"message 1 (user), block 1", false, "in /one", "in /two"},
		{"system prompt, block 3", true, "in /one <b>", "in /two <b>"},
	}
	r.ColdStarts = []ColdStart{
		{Case: "again", Title: "nothing: the same again", From: "9.9.9", Client: "9.9.9", Sizes: size, Read: 9500, Whole: true},
		{Case: "again", Title: "nothing: the same again", From: "9.9.9", Client: "9.9.9", Dynamic: true, Sizes: size, Read: 12500, Whole: true},
		{Case: "directory", Title: "another directory", From: "9.9.9", Client: "9.9.9", Sizes: size, Read: 9500, Whole: true, Differs: moved[:1]},
		{Case: "directory", Title: "another directory", From: "9.9.9", Client: "9.9.9", Dynamic: true, Sizes: size, Read: 8040, Differs: moved},
		{Case: "commit", Title: "a commit was made", From: "9.9.9", Client: "9.9.9", Dynamic: true, Sizes: size, Read: 8040, Differs: moved},
		{Case: "six_minutes", Title: "six minutes later", From: "9.9.9", Client: "9.9.9", Expected: "it is kept for five", Sizes: size},
		{Case: "version", Title: "version 1.0.0", From: "9.9.9", Client: "1.0.0", Expected: "it is another", Sizes: size, Differs: moved},
		{Case: "again", Title: "nothing: the same again", From: "1.0.0", Client: "1.0.0", Sizes: size, Differs: moved},
	}
	return r
}

var at = time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)

func TestText(t *testing.T) {
	golden.Equal(t, "report.txt", made().Text())
}

// The page needs nothing beside itself, and what was sent cannot write into it.
func TestPage(t *testing.T) {
	var page bytes.Buffer
	if err := made().HTML(&page, at); err != nil {
		t.Fatal(err)
	}
	text := page.String()
	golden.Equal(t, "report.html", text)
	for _, none := range []string{"<script", "<link", "<img", "@import", "url(", "<b>", "<it>", "ZgotmplZ"} {
		if strings.Contains(text, none) {
			t.Errorf("it has %s", none)
		}
	}
	if found := regexp.MustCompile(`(?:href|src)=|https?://`).FindString(text); found != "" {
		t.Errorf("it has %s", found)
	}
	// Every picture has a name, and a table beside it.
	if pictures, names, tables := strings.Count(text, "<svg "), strings.Count(text, `role="img" aria-label=`), strings.Count(text, "<details"); pictures != 4 || names != pictures || tables != pictures {
		t.Errorf("%d pictures with %d names and %d tables", pictures, names, tables)
	}
}

// A rehearsal of one turn has no warm turn: there is no ratio, and no division by 0.
func TestPageOfOneTurn(t *testing.T) {
	r := made()
	for _, c := range []*Costs{&r.Strategies.Window, &r.Strategies.Watermark, &r.Strategies.Unstable, &r.Strategies.Hearth} {
		c.Turns, c.UncachedPerWarmTurn = c.Turns[:1], 0
	}
	r.Miss, r.ColdStarts, r.Outside = Miss{}, nil, nil
	var page bytes.Buffer
	if err := r.HTML(&page, at); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{page.String(), r.Text()} {
		if found := regexp.MustCompile(`NaN|Inf`).FindString(text); found != "" {
			t.Errorf("it says %s", found)
		}
	}
}

func TestGoalAndRatios(t *testing.T) {
	r := made()
	if whole, of := r.Goal(); whole != 2 || of != 3 {
		t.Errorf("%d of %d", whole, of)
	}
	if window, hearth := r.Ratios(); rounded(window, 2) != 1.29 || rounded(hearth, 2) != 0.43 {
		t.Errorf("%g and %g", window, hearth)
	}
	moves := r.moves()
	if len(moves) != 2 || len(moves[0].Titles) != 2 || moves[0].Part != "system prompt, block 3" || moves[1].Client != "1.0.0" {
		t.Errorf("%+v", moves)
	}
}

// The keys that scripts may count on.
func TestJSON(t *testing.T) {
	raw, err := json.Marshal(made())
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Strategies map[string]map[string]any `json:"strategies"`
		Simulated  map[string]map[string]any `json:"simulated"`
		ColdStarts []map[string]any          `json:"cold_starts"`
	}
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"window", "watermark", "unstable", "hearth"} {
		for _, key := range []string{"input_tokens", "cacheable_tokens", "cacheable_ratio", "uncached_per_warm_turn", "context_tokens", "already_seen_tokens", "rows_sent", "rows_never_shown", "rows_named"} {
			for _, of := range []map[string]map[string]any{got.Strategies, got.Simulated} {
				if _, ok := of[s][key].(float64); !ok {
					t.Errorf("%s has no %s", s, key)
				}
			}
		}
		if turns, ok := got.Strategies[s]["turns"].([]any); !ok || len(turns) != 3 {
			t.Errorf("%s has no turns", s)
		}
	}
	for _, key := range []string{"case", "title", "from", "client", "dynamic_sections", "request", "read_tokens", "whole", "differs"} {
		if _, ok := got.ColdStarts[0][key]; !ok {
			t.Errorf("a cold start has no %s", key)
		}
	}
}

func TestCeiling(t *testing.T) {
	for n, want := range map[int]int{1: 1, 9: 10, 11: 15, 44_961: 50_000, 50_000: 50_000, 100_001: 150_000} {
		if got := ceiling(n); got != want {
			t.Errorf("%d: %d, want %d", n, got, want)
		}
	}
}
