package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"hearth/backend/chat"
	"hearth/backend/event"
	"hearth/backend/ledger"
	"hearth/backend/run"
)

// Days are those of the machine's zone; what tests compare is the same on all machines.
func init() { time.Local = time.UTC }

func (f *fake) LimitChanged(_ context.Context, channelID string) error {
	unlock, err := f.at("LimitChanged")
	defer unlock()
	f.did = append(f.did, "limit changed of "+channelID)
	return err
}

func (f *fake) Turns(_ context.Context, q run.TurnsQuery) ([]ledger.Turn, bool, error) {
	unlock, err := f.at("Turns")
	defer unlock()
	var found []ledger.Turn
	known := q.Before == ""
	for _, t := range f.turns {
		if t.Run == q.Before {
			known = true
			break
		}
		if q.BindingID == "" || t.Binding == q.BindingID {
			found = append(found, t)
		}
	}
	if !known {
		return nil, false, missing("turn", q.Before)
	}
	more := len(found) > q.Limit
	return found[max(0, len(found)-q.Limit):], more, err
}

func (f *fake) Breaks(_ context.Context, runIDs []string) (map[string]ledger.Break, error) {
	unlock, err := f.at("Breaks")
	defer unlock()
	out := map[string]ledger.Break{}
	for _, b := range ledger.Breaks(f.turns) { // they are one binding's
		if slices.Contains(runIDs, b.Run) {
			out[b.Run] = b
		}
	}
	return out, err
}

func (f *fake) TurnBefore(_ context.Context, runID string) (string, error) {
	unlock, err := f.at("TurnBefore")
	defer unlock()
	return f.before[runID], err
}

func (f *fake) Totals(_ context.Context, channelID string, days []ledger.Day, zone *time.Location) (run.Totals, error) {
	unlock, err := f.at("Totals")
	defer unlock()
	book := ledger.NewBook(zone)
	for i := range f.turns {
		if t := &f.turns[i]; t.Channel == channelID && slices.Contains(days, ledger.DayOf(t.Ended, zone)) {
			book.Add(t)
		}
	}
	totals := run.Totals{All: book.All}
	for _, day := range days {
		totals.Days = append(totals.Days, run.DaySum{Day: day, Sum: book.ByDay.Get(day)})
	}
	for id, sum := range book.ByBinding {
		totals.Agents = append(totals.Agents, run.AgentSum{BindingID: id, Sum: *sum})
	}
	for model, sum := range book.ByModel {
		totals.Models = append(totals.Models, run.ModelSum{Model: model, Turns: sum.Turns, Usage: sum.Total(), Money: sum.Money, Unpriced: sum.Unpriced})
	}
	for _, r := range f.runs {
		for _, v := range f.savings[r.ID] {
			if v.Kind == run.SavingSpill && v.Fault == "" {
				totals.Saved = append(totals.Saved, run.SavedSum{Kind: v.Kind, Times: 1, Faults: 1, Chars: int64(v.Chars), Lines: int64(v.Lines), Tokens: int64(v.Tokens)})
			}
		}
	}
	return totals, err
}

func (f *fake) Handles(_ context.Context, channelID string) ([]run.Handle, error) {
	unlock, err := f.at("Handles")
	defer unlock()
	var out []run.Handle
	for _, b := range f.bindings {
		if b.ChannelID == channelID {
			out = append(out, run.Handle{BindingID: b.ID, Handle: b.Handle})
		}
	}
	slices.SortFunc(out, func(a, b run.Handle) int { return strings.Compare(a.BindingID, b.BindingID) })
	return append(out, run.Handle{BindingID: "gone", Handle: "former", Removed: true}), err
}

// A turn of one call that sends left tokens more than the one before read.
func turnOf(n int, binding string, ended time.Time, read, written int64, change ...func(*ledger.Turn)) ledger.Turn {
	u := ledger.Usage{Input: 3, CacheRead: read, CacheWrite5m: written, Output: 50, Thinking: 20}
	t := ledger.Turn{
		Run: fmt.Sprintf("t%d", n), Binding: binding, Channel: "c1", Native: "s1", Process: "p1", Temperature: ledger.Warm,
		Version: "2.1.197", Tools: ledger.Part{Hash: "tools", Size: 900}, Framing: ledger.Part{Hash: "framing", Size: 400},
		Usage: u, Models: []ledger.ModelUse{{Model: "claude-opus-5-5", Usage: u, CostUSD: 0.25}}, CostUSD: 0.25, Window: 200_000,
		Calls: []ledger.Call{{
			MessageID: fmt.Sprintf("m%d", n), Model: "claude-opus-5-5", Main: true, Usage: u, TTFT: 1200 * time.Millisecond,
			Began: ended.Add(-2 * time.Second), Ended: ended,
		}},
		Began: ended.Add(-4 * time.Second), Ended: ended,
	}
	for _, f := range change {
		f(&t)
	}
	return t
}

// expired are two turns, the second of which came too late for the cache, in another
// process.
func expired() []ledger.Turn {
	return []ledger.Turn{
		turnOf(0, "b2", epoch.Add(-time.Hour), 0, 10_000, func(t *ledger.Turn) {
			t.Temperature = ledger.Cold
			t.ProcessEnd = &ledger.ProcessEnd{Native: "s1", How: ledger.EndedCrashed, Reason: "exit status 9", At: epoch.Add(-30 * time.Minute)}
		}),
		turnOf(1, "b2", epoch.Add(-time.Minute), 0, 10_500, func(t *ledger.Turn) { t.Process, t.Temperature = "p2", ledger.Restored }),
	}
}

type cacheBody struct {
	Spending  Spending        `json:"spending"`
	Turns     []CacheTurn     `json:"turns"`
	More      bool            `json:"more"`
	Totals    CacheTotals     `json:"totals"`
	Forecasts []CacheForecast `json:"forecasts"`
}

func (h *house) cache(t *testing.T, query string) cacheBody {
	t.Helper()
	got := h.call("GET", "/api/channels/c1/cache"+query, "")
	if got.status != http.StatusOK {
		t.Fatalf("%d: %s", got.status, got.body)
	}
	var body cacheBody
	if err := json.Unmarshal([]byte(got.body), &body); err != nil {
		t.Fatal(err)
	}
	return body
}

func TestCacheNamesBreaksAcrossPages(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	at := epoch.Add(-24 * time.Hour)
	add := func(minutes float64, read, written int64, change ...func(*ledger.Turn)) {
		h.turns = append(h.turns, turnOf(len(h.turns), "b2", at.Add(time.Duration(minutes*float64(time.Minute))), read, written, change...))
	}
	add(0, 0, 10_000, func(t *ledger.Turn) { t.Temperature = ledger.Cold })
	add(1, 10_000, 500)
	add(8, 0, 11_000)                                                   // after the cache's life
	add(9, 2000, 9500, func(t *ledger.Turn) { t.Tools.Hash = "other" }) // its tools changed
	add(10, 2000, 9900, func(t *ledger.Turn) {
		t.Tools.Hash, t.Framing = "other", ledger.Part{Hash: "new", Size: 410}
		t.Process = "p2"
	}) // its framing did
	add(11, 11_900, 300, func(t *ledger.Turn) {
		t.Tools.Hash, t.Framing, t.Process = "other", ledger.Part{Hash: "new", Size: 410}, "p2"
	})

	want := map[string]string{"t2": "expired", "t3": "tools_changed", "t4": "framing_changed"}
	for _, limit := range []int{1, 2, 5, 50} {
		before, seen := "", 0
		for {
			got := h.cache(t, fmt.Sprintf("?limit=%d%s", limit, before))
			for _, turn := range got.Turns {
				seen++
				cause := ""
				if turn.Break != nil {
					cause = turn.Break.Cause
					if turn.Break.Sentence == "" || turn.Break.MissedTokens <= 0 || turn.Break.Quiet != (cause == "expired") {
						t.Errorf("the break of %s: %+v", turn.RunID, turn.Break)
					}
				}
				if cause != want[turn.RunID] {
					t.Errorf("pages of %d: %s is %q, want %q", limit, turn.RunID, cause, want[turn.RunID])
				}
			}
			if !got.More {
				break
			}
			before = "&before=" + got.Turns[len(got.Turns)-1].RunID
		}
		if seen != len(h.turns) {
			t.Errorf("pages of %d show %d turns, want %d", limit, seen, len(h.turns))
		}
	}

	got := h.cache(t, "?days=7")
	framing := got.Turns[1]
	if e := framing.Break.Evidence; e.Was != "framing" || e.Is != "new" || e.WasBytes != 400 || e.IsBytes != 410 || e.LeftTokens != 11_500 || e.ReadTokens != 2000 || *e.IdleMS != 58_800 {
		t.Errorf("the evidence: %+v, idle %d", e, *e.IdleMS)
	}
	newest := got.Turns[0]
	if newest.Handle != "claude" || newest.ContextTokens != 3+11_900+300+50 || newest.TTFTMS != 1200 || *newest.ReadRatio != 0.9752 || newest.Main.ThinkingTokens != 20 {
		t.Errorf("the newest turn: %+v", newest)
	}
	if all := got.Totals.All; all.Turns != 6 || all.CostUSD != 1.5 || len(got.Totals.Days) != 7 || got.Totals.Days[5].Turns != 6 || got.Totals.Days[6].Turns != 0 {
		t.Errorf("the totals: %+v, %d days", all, len(got.Totals.Days))
	}
	if len(got.Totals.Models) != 1 || got.Totals.Models[0].Model != "claude-opus-5-5" || len(got.Totals.Agents) != 1 || got.Totals.Agents[0].Handle != "claude" {
		t.Errorf("by model %+v, by agent %+v", got.Totals.Models, got.Totals.Agents)
	}
	if got.Spending.State != "ok" || got.Spending.LimitUSD != 0 || got.Spending.SpentUSD != 0 {
		t.Errorf("the spending: %+v", got.Spending)
	}
	if len(got.Forecasts) != 1 {
		t.Fatalf("%d forecasts", len(got.Forecasts))
	}
	f := got.Forecasts[0]
	if f.Trend == nil || f.LineTokens != 150_000 || f.TurnsLeft == nil || f.Warm == nil || f.Fresh == nil || f.Restored == nil || f.Rates == nil || f.Rates.Source != "table" || f.Rates.AsOf != string(ledger.PricesAsOf) {
		t.Errorf("the forecast: %+v", f)
	}
	if f.Warm.CostUSD == nil || *f.Warm.CostUSD <= 0 {
		t.Errorf("the next turn costs %v", f.Warm.CostUSD)
	}
}

// What the client gives no cost of is told as not known, by turn and in every sum.
func TestCacheTellsCostsThatAreNotKnown(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	h.turns = []ledger.Turn{
		turnOf(0, "b2", epoch.Add(-3*time.Minute), 0, 10_000),
		turnOf(1, "b2", epoch.Add(-2*time.Minute), 10_000, 10, func(t *ledger.Turn) { t.CostUSD, t.Models = 0, nil }),
		turnOf(2, "b2", epoch.Add(-time.Minute), 0, 0, func(t *ledger.Turn) { t.CostUSD, t.Models, t.Calls, t.Usage = 0, nil, nil, ledger.Usage{} }),
	}
	got := h.cache(t, "")
	for i, want := range []int{0, 1, 0} {
		if turn := got.Turns[i]; turn.UnpricedTurns != want {
			t.Errorf("%s: %d, want %d", turn.RunID, turn.UnpricedTurns, want)
		}
	}
	days, agent := got.Totals.Days, got.Totals.Agents[0]
	for what, sum := range map[string]CacheSum{"all": got.Totals.All, "today": days[len(days)-1].CacheSum, "agent": agent.CacheSum} {
		if sum.UnpricedTurns != 1 || sum.CostUSD != 0.25 || sum.Turns != 3 {
			t.Errorf("%s: %+v", what, sum)
		}
	}
	for _, m := range got.Totals.Models {
		if m.Model != "" && (m.UnpricedTurns != 1 || m.CostUSD != 0.25) {
			t.Errorf("model: %+v", m)
		}
	}
}

func TestCacheOfNothing(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	got := h.call("GET", "/api/channels/c1/cache?days=1", "")
	for _, want := range []string{`"turns":[]`, `"forecasts":[]`, `"models":[]`, `"agents":[]`, `"more":false`} {
		if !strings.Contains(got.body, want) {
			t.Errorf("%s lacks %s", got.body, want)
		}
	}
}

func TestTheLastDaysFollowOneAnother(t *testing.T) {
	for _, name := range []string{"UTC", "Europe/Berlin", "America/New_York", "America/Havana", "Asia/Beirut", "Australia/Lord_Howe", "Asia/Kolkata", "Pacific/Apia"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, now := range []time.Time{
			time.Date(2026, 3, 29, 0, 30, 0, 0, zone), time.Date(2026, 10, 25, 2, 30, 0, 0, zone), time.Date(2026, 11, 1, 23, 59, 59, 0, zone),
			time.Date(2024, 3, 1, 23, 59, 0, 0, zone), time.Date(2012, 1, 1, 0, 0, 0, 0, zone), time.Date(2026, 4, 5, 1, 45, 0, 0, zone),
		} {
			days := daysTo(now, 40)
			if len(days) != 40 || days[39] != ledger.DayOf(now, zone) {
				t.Fatalf("to %s: %v", now, days)
			}
			for i, day := range days[:39] {
				_, to, err := day.Bounds(zone)
				from, _, also := days[i+1].Bounds(zone)
				if err != nil || also != nil || !to.Equal(from) {
					t.Errorf("%s: %s does not end where %s begins", name, day, days[i+1])
				}
			}
		}
	}
}

// A run says of its break what the cache says of it, in a list, alone, and in the
// event that tells its end; what is to be told of a run that has none is nothing.
// What ended the process before stands beside the cause; where nobody knows it, that
// is said, and where none ended, nothing.
func TestBreaksTellWhatEndedTheProcessBefore(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	crashed := &ledger.ProcessEnd{Native: "s1", How: ledger.EndedCrashed, Reason: "exit status 9", At: epoch.Add(-90 * time.Second)}
	for name, c := range map[string]struct {
		end    *ledger.ProcessEnd
		change func(*ledger.Turn)
		want   string
		said   string
	}{
		"the same process": {nil, func(*ledger.Turn) {}, "null", ""},
		"another":          {crashed, func(t *ledger.Turn) { t.Process, t.Native, t.Temperature = "p2", "s2", ledger.Cold }, `{"how":"crashed","reason":"exit status 9","at":"` + utc(crashed.At).Format(time.RFC3339Nano) + `"}`, "Its process had crashed."},
		"nobody knows":     {nil, func(t *ledger.Turn) { t.Process, t.Native, t.Temperature = "p2", "s2", ledger.Cold }, `{"how":"unknown","reason":""}`, "Why its process ended is not known."},
	} {
		h.turns = []ledger.Turn{
			turnOf(0, "b2", epoch.Add(-2*time.Minute), 0, 10_000, func(t *ledger.Turn) { t.ProcessEnd = c.end }), turnOf(1, "b2", epoch.Add(-time.Minute), 2000, 9000, c.change),
		}
		b := h.cache(t, "").Turns[0].Break
		if b == nil {
			t.Fatalf("%s: no break", name)
		}
		got, err := json.Marshal(b.Evidence.ProcessEnd)
		if err != nil || string(got) != c.want || !strings.HasSuffix(b.Sentence, c.said) {
			t.Errorf("%s: %s %q, want %s, %v", name, got, b.Sentence, c.want, err)
		}
	}
}

func TestRunsTellOfTheirBreaks(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	h.turns = []ledger.Turn{
		turnOf(0, "b2", epoch.Add(-2*time.Minute), 0, 10_000, func(t *ledger.Turn) { t.Run, t.Settings = "q0", map[string]string{ledger.SettingRole: "a"} }),
		turnOf(1, "b2", epoch.Add(-time.Minute), 2000, 9000, func(t *ledger.Turn) {
			t.Run, t.Tools.Hash, t.Settings = "q1", "other", map[string]string{ledger.SettingRole: "b"}
		}),
	}
	found := ledger.Breaks(h.turns)
	broken := run.Run{ID: "q1", ChannelID: "c1", BindingID: "b2", State: run.Succeeded, Break: &found[0], StartedAt: epoch, EndedAt: epoch}
	whole := run.Run{ID: "q0", ChannelID: "c1", BindingID: "b2", State: run.Succeeded, StartedAt: epoch, EndedAt: epoch}
	h.runs = []run.Run{whole, broken}
	want := h.cache(t, "").Turns[0].Break
	if want == nil || want.Cause != "tools_changed" || want.Quiet || !slices.Equal(want.Evidence.Edited, []string{"role"}) ||
		!strings.HasPrefix(want.Sentence, "The agent's settings were changed: its role.") {
		t.Fatalf("the break: %+v", want)
	}
	var list struct {
		Runs []Run `json:"runs"`
	}
	var alone struct {
		Run Run `json:"run"`
	}
	for into, path := range map[any]string{&list: "/api/channels/c1/runs", &alone: "/api/runs/q1"} {
		if err := json.Unmarshal([]byte(h.call("GET", path, "").body), into); err != nil {
			t.Fatal(err)
		}
	}
	if len(list.Runs) != 2 || list.Runs[1].Break != nil || !reflect.DeepEqual(list.Runs[0].Break, want) || !reflect.DeepEqual(alone.Run.Break, want) {
		t.Errorf("listed %+v, alone %+v", list.Runs, alone.Run.Break)
	}
	if got := h.call("GET", "/api/runs/q0", "").body; strings.Contains(got, `"break"`) {
		t.Errorf("without a break: %s", got)
	}
	for _, told := range []run.Run{broken, whole} {
		data, _ := toEventData(event.Event{Type: run.EventRunUpdated, Data: told})
		got, ok := data.(Run)
		if !ok || (got.Break != nil) != (told.Break != nil) || told.Break != nil && !reflect.DeepEqual(got.Break, want) {
			t.Errorf("the event: %+v", got)
		}
	}
}

func TestTheSpendingLimitIsSetAndToldOf(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	got := h.call("PATCH", "/api/channels/c1", `{"spend_limit_usd": 2.5}`)
	if got.status != http.StatusOK || !strings.Contains(got.body, `"spend_limit_usd":2.5`) || !strings.Contains(got.body, `"spend_state":"ok"`) {
		t.Fatalf("%d: %s", got.status, got.body)
	}
	if !slices.Contains(h.did, "limit changed of c1") {
		t.Errorf("those who wait were not told: %v", h.did)
	}
	h.did = nil
	if got := h.call("PATCH", "/api/channels/c1", `{"topic": "other"}`); !strings.Contains(got.body, `"spend_limit_usd":2.5`) || slices.Contains(h.did, "limit changed of c1") {
		t.Errorf("another topic changed the limit: %s, %v", got.body, h.did)
	}
	if got := h.call("PATCH", "/api/channels/c1", `{"spend_limit_usd": 0}`); !strings.Contains(got.body, `"spend_state":""`) {
		t.Errorf("without a limit: %s", got.body)
	}
	if got := h.call("POST", "/api/channels", `{"name": "dear", "spend_limit_usd": 7}`); !strings.Contains(got.body, `"spend_limit_usd":7`) {
		t.Errorf("made: %s", got.body)
	}
	c := chat.Channel{ID: "c1", SpendLimit: 2, Spent: 1.6}
	if view := toChannel(c); view.SpendState != "warned" || view.SpentTodayUSD != 1.6 {
		t.Errorf("the view: %+v", view)
	}
}
