package ledger

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
)

func TestSumOfATurn(t *testing.T) {
	main := Usage{Input: 5, CacheRead: 50, CacheWrite5m: 70, CacheWrite1h: 30, Output: 7, Thinking: 4}
	for name, c := range map[string]struct {
		turn Turn
		want Sum
	}{
		"nothing": {Turn{}, Sum{Turns: 1}},
		"a call that the client counted": {
			Turn{Calls: []Call{{MessageID: "a", Main: true, Usage: main}}, Usage: main, CostUSD: 0.25},
			Sum{Turns: 1, MainCalls: 1, Main: main, Money: Dollar / 4},
		},
		"one message, shown once a block": {
			Turn{Calls: []Call{{MessageID: "a", Main: true, Usage: Usage{Input: 5, Output: 1}}, {MessageID: "a", Main: true, Usage: main}}, Usage: main},
			Sum{Turns: 1, Unpriced: 1, MainCalls: 1, Main: main},
		},
		"calls without an id are each their own": {
			Turn{Calls: []Call{{Main: true, Usage: Usage{Input: 1}}, {Main: true, Usage: Usage{Input: 1}}}},
			Sum{Turns: 1, Unpriced: 1, MainCalls: 2, Main: Usage{Input: 2}},
		},
		"a subagent whose end is not shown": {
			Turn{Calls: []Call{{MessageID: "a", Main: true, Usage: main}, {MessageID: "s", Usage: Usage{Input: 3, Output: 1}}}, Usage: main.Add(Usage{Input: 3, Output: 90, Thinking: 8})},
			Sum{Turns: 1, Unpriced: 1, MainCalls: 1, SubagentCalls: 1, Main: main, Subagents: Usage{Input: 3, Output: 1}, Beside: Usage{Output: 89, Thinking: 8}},
		},
		"a summary of the client's own": {
			Turn{Usage: Usage{Input: 3, Output: 90}, Compactions: []Compaction{{}}},
			Sum{Turns: 1, Unpriced: 1, Beside: Usage{Input: 3, Output: 90}},
		},
		"a call that was cut off and that the client did not count": {
			Turn{Calls: []Call{{MessageID: "a", Main: true, Usage: main}}},
			Sum{Turns: 1, Unpriced: 1, MainCalls: 1, Main: main},
		},
		"a count that does not know the lives": {
			Turn{Calls: []Call{{MessageID: "a", Main: true, Usage: main}}, Usage: Usage{Input: 5, CacheRead: 50, CacheWrite5m: 110, Output: 7, Thinking: 4}},
			Sum{Turns: 1, Unpriced: 1, MainCalls: 1, Main: main, Beside: Usage{CacheWrite5m: 10}},
		},
	} {
		if got := c.turn.Sum(); got != c.want {
			t.Errorf("%s:\n got %+v\nwant %+v", name, got, c.want)
		}
	}
}

func TestByModel(t *testing.T) {
	turn := Turn{
		Calls: []Call{
			{MessageID: "a", Model: "big", Main: true, Usage: Usage{Input: 5, Output: 2}},
			{MessageID: "b", Model: "small", Usage: Usage{Input: 7, Output: 1}},
		},
		Usage:   Usage{Input: 12, Output: 12},
		Models:  []ModelUse{{"big[1m]", Usage{Input: 5, Output: 2}, 0.5}, {"small", Usage{Input: 7, Output: 10}, 0.25}},
		CostUSD: 0.8,
	}
	want := []ModelSum{
		{"big", Sum{Turns: 1, MainCalls: 1, Main: Usage{Input: 5, Output: 2}, Money: 550_000_000}},
		{"small", Sum{Turns: 1, SubagentCalls: 1, Subagents: Usage{Input: 7, Output: 1}, Beside: Usage{Output: 9}, Money: 250_000_000}},
	}
	if got := turn.ByModel(); !reflect.DeepEqual(got, want) {
		t.Errorf("\n got %+v\nwant %+v", got, want)
	}
	turn.Models = nil // the client did not say
	if got := turn.ByModel(); len(got) != 2 || got[0].Model != "big" || got[0].Sum.Money != 800_000_000 {
		t.Errorf("without the client's list: %+v", got)
	}
	turn.Calls = nil
	if got := turn.ByModel(); len(got) != 1 || got[0].Model != "" || got[0].Sum.Money != 800_000_000 || got[0].Sum.Total() != turn.Usage {
		t.Errorf("without calls: %+v", got)
	}
}

// anyUsage is random, the parts of it that must be consistent are.
func anyUsage(r *rand.Rand) Usage {
	some := func(most int64) int64 {
		if r.IntN(4) == 0 {
			return 0
		}
		return r.Int64N(most)
	}
	u := Usage{Input: some(500), CacheRead: some(200_000), CacheWrite5m: some(9000), CacheWrite1h: some(9000), Output: some(4000)}
	u.Thinking = r.Int64N(u.Output + 1)
	return u
}

var testModels = []string{"claude-opus-5-5", "claude-sonnet-5-5", "claude-haiku-4-5-20251001"}

// anyTurns are random turns of some bindings, in order of time.
func anyTurns(r *rand.Rand, n int) []Turn {
	at := time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)
	turns := make([]Turn, n)
	for i := range turns {
		at = at.Add(time.Duration(r.IntN(7000)) * time.Second / 2)
		t := Turn{
			Run: fmt.Sprint("run", i), Binding: fmt.Sprint("b", r.IntN(5)), Channel: fmt.Sprint("c", r.IntN(3)), Began: at,
			Native: fmt.Sprint("n", r.IntN(3)), Process: fmt.Sprint("p", r.IntN(3)), Version: []string{"", "2.1.197", "2.1.332"}[r.IntN(3)],
			Temperature: []string{"", Warm, Warm, Warm, Restored, Cold}[r.IntN(6)], Window: 200_000,
			Tools: Part{Hash: fmt.Sprint(r.IntN(3))}, Framing: Part{Hash: fmt.Sprint(r.IntN(3))},
		}
		byModel := map[string]Usage{}
		for c := range r.IntN(6) {
			call := Call{
				MessageID: fmt.Sprint("m", i, ".", r.IntN(c+1)), Model: testModels[r.IntN(3)], Main: r.IntN(3) > 0, Usage: anyUsage(r),
				Miss: Miss{Reason: []string{"", "", "messages_changed", "system_changed", "tools_changed", "model_changed", "unavailable"}[r.IntN(7)]},
			}
			if r.IntN(5) > 0 {
				call.Began, call.TTFT = at, time.Duration(r.IntN(900))*time.Millisecond
			}
			at = at.Add(time.Second)
			t.Calls = append(t.Calls, call)
			byModel[call.Model] = byModel[call.Model].Add(call.Usage)
		}
		for range r.IntN(8) / 7 {
			t.Compactions = append(t.Compactions, Compaction{Calls: r.IntN(len(t.Calls) + 1)})
		}
		for _, m := range testModels {
			if u, ok := byModel[m]; ok {
				u = u.Add(Usage{Output: r.Int64N(50)})
				rates, _ := Listed(m)
				money, _ := rates.Cost(u, 0)
				t.Models = append(t.Models, ModelUse{m, u, money.USD()})
				t.Usage, t.CostUSD = t.Usage.Add(u), t.CostUSD+money.USD()
			}
		}
		t.Ended = at
		turns[i] = t
	}
	return turns
}

func TestBookAddsUp(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	turns := anyTurns(r, 400)
	book := NewBook(zone)
	for i := range turns {
		if !book.Add(&turns[i]) {
			t.Fatalf("run %s is taken for one that is there", turns[i].Run)
		}
	}
	shuffled := NewBook(zone)
	for _, i := range r.Perm(len(turns)) {
		shuffled.Add(&turns[i])
		shuffled.Add(&turns[i]) // a second time changes nothing
	}
	if !reflect.DeepEqual(book, shuffled) {
		t.Error("the order of the turns changes the sums")
	}
	var total Usage
	var money Money
	for i := range turns {
		total, money = total.Add(turns[i].Sum().Total()), money+Dollars(turns[i].CostUSD)
	}
	if book.All.Total() != total || book.All.Money != money || book.All.Turns != len(turns) {
		t.Errorf("all %+v, want %+v, %v", book.All, total, money)
	}
	for name, parts := range map[string]Sum{
		"runs": added(book.ByRun), "bindings": added(book.ByBinding), "channels": added(book.ByChannel),
		"days": added(book.ByDay), "channels' days": added(book.ByChannelDay),
	} {
		if parts != book.All {
			t.Errorf("%s add up to %+v, all is %+v", name, parts, book.All)
		}
	}
	if models := added(book.ByModel); models.Money != book.All.Money || models.Main != book.All.Main || models.Subagents != book.All.Subagents {
		t.Errorf("models add up to %+v, all is %+v", models, book.All)
	}
}

func added[K comparable](sums Sums[K]) (all Sum) {
	for _, s := range sums {
		all = all.Add(*s)
	}
	return all
}

func TestDays(t *testing.T) {
	for name, ambiguous := range map[string][]Day{
		"Europe/Berlin":        {"2026-03-29", "2026-10-25"},               // 23 and 25 hours
		"America/Havana":       {"2025-11-02"},                             // midnight twice
		"America/Sao_Paulo":    {"2018-11-04", "2018-02-18", "2018-02-17"}, // no midnight; 23 o'clock twice
		"Asia/Beirut":          {"2024-03-31"},                             // no midnight
		"Pacific/Apia":         {"2011-12-29", "2011-12-30", "2011-12-31"}, // a day that was not
		"America/Scoresbysund": {"2024-03-31", "2023-10-29"},
		"UTC":                  {"2024-02-29", "1970-01-01", "2026-12-31"},
	} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, day := range ambiguous {
			from, to, err := day.Bounds(zone)
			if err != nil {
				t.Fatal(err)
			}
			if day == "2011-12-30" {
				if !from.Equal(to) {
					t.Errorf("%s %s: from %v to %v, and there was no such day", name, day, from, to)
				}
				continue
			}
			if DayOf(from, zone) != day || DayOf(from.Add(-1), zone) >= day || DayOf(to.Add(-1), zone) != day || DayOf(to, zone) <= day {
				t.Errorf("%s %s: from %v to %v", name, day, from, to)
			}
		}
	}
	for _, wrong := range []Day{"", "2026-13-01", "2026-02-30", "30.11.2026", "2026-11-30x"} {
		if _, _, err := wrong.Bounds(time.UTC); err == nil {
			t.Errorf("%q is taken for a day", wrong)
		}
	}
}

func FuzzDays(f *testing.F) {
	zones := []string{"Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "America/Havana", "Pacific/Chatham", "UTC"}
	for i := range zones {
		f.Add(int64(1_796_000_000)+int64(i)*86_399, i)
	}
	f.Fuzz(func(t *testing.T, unix int64, n int) {
		if unix < 946_684_800 || unix > 4_102_444_800 { // the years 2000 to 2100
			return
		}
		zone, err := time.LoadLocation(zones[max(0, n%len(zones))])
		if err != nil {
			t.Fatal(err)
		}
		at := time.Unix(unix, 0)
		from, to, err := DayOf(at, zone).Bounds(zone)
		if err != nil || at.Before(from) || !at.Before(to) || to.Sub(from) > 26*time.Hour {
			t.Errorf("%v is not between %v and %v (%v)", at.In(zone), from, to, err)
		}
	})
}

func TestMoney(t *testing.T) {
	for usd, want := range map[float64]Money{0: 0, 0.0019299999999999999: 1_930_000, 0.1 + 0.2: 300_000_000, -0.5: -Dollar / 2, 1e300: 0, 4.999999999e-10: 0, 5e-10: 1} {
		if got := Dollars(usd); got != want {
			t.Errorf("%v dollars are %d, want %d", usd, got, want)
		}
	}
	var zero float64
	if Dollars(zero/zero) != 0 || Dollars(1/zero) != 0 {
		t.Error("what is no amount is taken for one")
	}
	for m, want := range map[Money]string{0: "$0.00", 1_930_000: "$0.0019", 12_345 * Dollar / 1000: "$12.35", -Dollar / 2: "-$0.5000", Dollar: "$1.00"} {
		if got := m.String(); got != want {
			t.Errorf("%d is shown as %s, want %s", m, got, want)
		}
	}
}

func TestLimit(t *testing.T) {
	for _, c := range []struct {
		spent, limit Money
		want         LimitState
	}{
		{0, 0, LimitOK}, {5, 0, LimitOK}, {5, -1, LimitOK}, // no limit
		{0, 10 * Dollar, LimitOK},
		{8*Dollar - 1, 10 * Dollar, LimitOK}, {8 * Dollar, 10 * Dollar, LimitWarned},
		{10*Dollar - 1, 10 * Dollar, LimitWarned}, {10 * Dollar, 10 * Dollar, LimitAsks}, {11 * Dollar, 10 * Dollar, LimitAsks},
		{0, 1, LimitOK}, {1, 1, LimitAsks},
		{5, 7, LimitOK}, {6, 7, LimitWarned}, // 5.6 is 80 %
		{-Dollar, Dollar, LimitOK},
		{1<<62 - 1, 1<<63 - 1, LimitOK}, {1<<63 - 2, 1<<63 - 1, LimitWarned},
	} {
		if got := State(c.spent, c.limit); got != c.want {
			t.Errorf("%d of %d: %s, want %s", c.spent, c.limit, got, c.want)
		}
	}
}
