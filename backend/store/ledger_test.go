package store

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"hearth/backend/chat"
	"hearth/backend/ledger"
	"hearth/backend/run"
)

// A database that is older than the ledger has its sums, and nothing about how its
// turns were made.
func TestMigrationToTheLedger(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hearth.db")
	older(t, path, 3,
		`INSERT INTO channels (id, name, name_fold, topic, workspace, direct, created_at, last_at, last_id) VALUES ('c', 'c', 'c', '', '/w', 0, 1, 90, '')`,
		`INSERT INTO bindings (id, channel_id, handle, handle_fold, runtime, model, permission_mode, supervised, resident, base_url, token,
			brief_every_turn, created_at) VALUES ('b', 'c', 'claude', 'claude', 'cli:claude:agent', '', '', 1, 1, '', '', 0, 1)`,
		`INSERT INTO runs (id, channel_id, binding_id, row_id, thread_root_id, cause, retry_of, hops, state, temperature, native,
			input, cache_read, cache_write_5m, cache_write_1h, output, cost_usd, queued_at, started_at, ended_at) VALUES
			('r1', 'c', 'b', '', '', 'unasked', '', 0, 'succeeded', 'warm', 's', 10, 200, 30, 4, 55, 0.5, 10, 11, 12),
			('r2', 'c', 'b', '', '', 'unasked', '', 0, 'failed', 'warm', 's', 0, 0, 0, 0, 0, 0, 20, 21, 22),
			('r3', 'c', 'b', '', '', 'mention', '', 0, 'stopped', '', '', 0, 0, 0, 0, 0, 0, 30, 0, 32),
			('r4', 'c', 'b', '', '', 'unasked', '', 0, 'succeeded', 'warm', 's', 1, 0, 0, 0, 1, 0.25, 40, 41, 42)`,
		`INSERT INTO run_calls (run_id, n, message_id, model, main, input, cache_read, cache_write_5m, cache_write_1h, output) VALUES
			('r1', 0, 'm0', 'opus', 1, 3, 100, 20, 4, 20), ('r1', 1, 'm1', 'haiku', 0, 4, 0, 10, 0, 5), ('r1', 2, 'm2', 'opus', 1, 2, 100, 0, 0, 10),
			('r4', 0, 'm3', 'opus', 1, 1, 0, 0, 0, 1)`,
		`INSERT INTO run_steps (run_id, n, kind, step_id, parent, name, input, output, error, at, took) VALUES ('r4', 0, 'status', '', '', 'compacted', '', '', 0, 41, 0)`)
	s := openAt(t, path, nil)
	turns, more, err := s.Turns(t.Context(), run.TurnsQuery{ChannelID: "c", Limit: 10})
	if err != nil || more || len(turns) != 3 {
		t.Fatalf("%d turns, %v", len(turns), err)
	}
	for i, want := range []ledger.Sum{
		{
			Turns: 1, MainCalls: 2, SubagentCalls: 1, Money: ledger.Dollar / 2,
			Main:      ledger.Usage{Input: 5, CacheRead: 200, CacheWrite5m: 20, CacheWrite1h: 4, Output: 30},
			Subagents: ledger.Usage{Input: 4, CacheWrite5m: 10, Output: 5},
			Beside:    ledger.Usage{Input: 1, Output: 20},
		},
		{Turns: 1},
		{Turns: 1, MainCalls: 1, Money: ledger.Dollar / 4, Main: ledger.Usage{Input: 1, Output: 1}},
	} {
		if got := turns[i].Sum(); got != want {
			t.Errorf("turn %d: %+v, want %+v", i, got, want)
		}
	}
	day := ledger.DayOf(timeOf(12), time.UTC)
	totals := must(s.Totals(t.Context(), "c", []ledger.Day{day}, time.UTC))(t)
	if totals.All != turns[0].Sum().Add(turns[1].Sum()).Add(turns[2].Sum()) {
		t.Errorf("all: %+v", totals.All)
	}
	want := []run.ModelSum{
		{Model: "haiku", Turns: 1, Unpriced: 1, Usage: ledger.Usage{Input: 4, CacheWrite5m: 10, Output: 5}},
		{Model: "opus", Turns: 2, Money: ledger.Dollar * 3 / 4, Usage: ledger.Usage{Input: 6, CacheRead: 200, CacheWrite5m: 20, CacheWrite1h: 4, Output: 31}},
	}
	if !reflect.DeepEqual(totals.Models, want) {
		t.Errorf("models %+v, want %+v", totals.Models, want)
	}
	if first, compacted := must(s.Run(t.Context(), "r1"))(t), must(s.Run(t.Context(), "r4"))(t); first.Usage.Context != 112 || compacted.Usage.Context != 0 {
		t.Errorf("the contexts are %d and %d", first.Usage.Context, compacted.Usage.Context)
	}
	if b, broken := (&ledger.Watch{}).Next(&turns[0]); broken {
		t.Errorf("a break: %+v", b)
	}
}

// gambler makes turns up.
type gambler struct {
	*rand.Rand
	n int
}

func (g *gambler) usage() ledger.Usage {
	u := ledger.Usage{Input: g.Int64N(50), CacheRead: g.Int64N(100_000), CacheWrite5m: g.Int64N(900), CacheWrite1h: g.Int64N(900), Output: g.Int64N(3000)}
	u.Thinking = g.Int64N(u.Output + 1)
	return u
}

// turn is what one turn used: calls of the main thread and of subagents, some told
// twice, and what the client counts beside them.
func (g *gambler) turn(at time.Time) (run.Usage, run.Facts) {
	models := []string{"claude-opus-5-5", "claude-haiku-4-5", "claude-opus-5-5[1m]"}
	var u run.Usage
	var sum ledger.Usage
	counted := map[string]ledger.Usage{}
	for range g.IntN(5) {
		g.n++
		c, model := g.usage(), models[g.IntN(2)]
		u.Calls = append(u.Calls, ledger.Call{
			MessageID: fmt.Sprintf("m%d", g.n), Model: model, Main: g.IntN(3) > 0, Usage: c,
			TTFT: time.Duration(g.IntN(5000)) * time.Millisecond, Began: at, Ended: at.Add(time.Second),
			Miss: ledger.Miss{Reason: []string{"", "tools_changed"}[g.IntN(2)], Tokens: g.Int64N(9)},
		})
		if sum = sum.Add(c); g.IntN(6) > 0 { // else it was cut off, and the client does not count it
			counted[model] = counted[model].Add(c)
		}
	}
	var f run.Facts
	for _, model := range models {
		if g.IntN(2) == 0 {
			more := g.usage()
			sum, counted[model] = sum.Add(more), counted[model].Add(more)
		}
	}
	for _, model := range slices.Sorted(maps.Keys(counted)) {
		m := ledger.ModelUse{Model: model, Usage: counted[model], CostUSD: float64(g.IntN(1_000_000)) / 1e6}
		f.Models = append(f.Models, m)
		u.CostUSD += m.CostUSD
	}
	if g.IntN(4) == 0 {
		u.CostUSD += 0.25 // what the client names no model for
	}
	u.Input, u.CacheRead, u.CacheWrite5m, u.CacheWrite1h, u.Output, u.Thinking = sum.Input, sum.CacheRead, sum.CacheWrite5m, sum.CacheWrite1h, sum.Output, sum.Thinking
	u.Context, u.Window, u.TTFT = g.Int64N(200_000), 200_000, time.Duration(g.IntN(9000))*time.Millisecond
	f.Process, f.Version = fmt.Sprintf("p%d", g.n), "2.1.332"
	f.Tools, f.Framing = ledger.Part{Hash: "t", Size: g.Int64N(9)}, ledger.Part{Hash: "f", Size: g.Int64N(9)}
	if g.IntN(3) > 0 {
		f.Settings = map[string]string{ledger.SettingRole: fmt.Sprint(g.IntN(2)), ledger.SettingWorkers: fmt.Sprint("w", g.IntN(2)), ledger.SettingModel: "0a1b"}
	}
	for range g.IntN(3) {
		f.Compactions = append(f.Compactions, ledger.Compaction{Calls: g.IntN(5)})
	}
	return u, f
}

// plainly is a turn without what it does not keep: the client's name for a model.
func plainly(t ledger.Turn) ledger.Turn {
	t.Models = slices.Clone(t.Models)
	for i := range t.Models {
		t.Models[i].Model = ledger.ModelName(t.Models[i].Model)
	}
	return t
}

// What is put down is what is read, and the store's sums are those of the ledger's
// own book: by day, agent and model, over a night in which the clocks are moved.
func TestTheLedgerKeepsWhatItIsTold(t *testing.T) {
	zone := must(time.LoadLocation("Europe/Berlin"))(t)
	for seed := range uint64(3) {
		h := newHouse(t)
		second := h.newBinding(h.channel.ID, "second")
		g := &gambler{Rand: rand.New(rand.NewPCG(seed, 5))}
		book := ledger.NewBook(zone)
		var all []ledger.Turn
		now := time.Date(2026, 10, 24, 9, 0, 0, 0, zone)
		for i := range 30 {
			now = now.Add(time.Duration(g.IntN(240)) * time.Minute)
			h.clock.Set(now)
			b := []chat.Binding{h.claude, second}[i%2]
			u, f := g.turn(now.UTC().Truncate(time.Microsecond))
			var ended run.Run
			if i%5 == 4 {
				var err error
				ended, _, err = h.Unasked(t.Context(), run.Run{BindingID: b.ID, Native: "s1", Temperature: "warm"}, run.Finishing{State: run.Succeeded, Usage: u, Facts: f})
				if err != nil {
					t.Fatal(err)
				}
			} else {
				_, runs := h.post("", "", "@x", b)
				h.begin(runs[0], "s1", run.Sent{})
				h.finish(run.Finishing{RunID: runs[0].ID, State: run.Failed, Failure: &run.Failure{Code: run.FailTurn}, Usage: u, Facts: f})
				ended = must(h.Run(t.Context(), runs[0].ID))(t)
			}
			turn := run.TurnOf(ended, f)
			all = append(all, plainly(turn))
			if !book.Add(&turn) {
				t.Fatal("a run twice")
			}
		}
		got, more, err := h.Turns(t.Context(), run.TurnsQuery{ChannelID: h.channel.ID, Limit: 30})
		if err != nil || more {
			t.Fatal(more, err)
		}
		if len(got) != len(all) {
			t.Fatalf("%d turns, want %d", len(got), len(all))
		}
		for i := range got {
			if !reflect.DeepEqual(got[i], all[i]) {
				t.Fatalf("seed %d: got\n%+v, want\n%+v", seed, got[i], all[i])
			}
		}
		days := []ledger.Day{"2026-10-23", "2026-10-24", "2026-10-25", "2026-10-26", "2026-10-27", "2026-10-28", "2026-10-29"}
		totals := must(h.Totals(t.Context(), h.channel.ID, days, zone))(t)
		if totals.All != book.All || len(totals.Days) != len(days) || len(totals.Agents) != 2 {
			t.Errorf("seed %d: all %+v, want %+v", seed, totals.All, book.All)
		}
		for _, d := range totals.Days {
			if d.Sum != book.ByDay.Get(d.Day) {
				t.Errorf("seed %d, %s: %+v, want %+v", seed, d.Day, d.Sum, book.ByDay.Get(d.Day))
			}
		}
		for _, a := range totals.Agents {
			if a.Sum != book.ByBinding.Get(a.BindingID) {
				t.Errorf("seed %d, agent: %+v, want %+v", seed, a.Sum, book.ByBinding.Get(a.BindingID))
			}
		}
		for _, m := range totals.Models {
			want := book.ByModel.Get(m.Model)
			if m.Usage != want.Total() || m.Money != want.Money || m.Unpriced != want.Unpriced || m.Turns != want.Turns && m.Model != "" {
				t.Errorf("seed %d, %q: %+v, want %+v %v %d", seed, m.Model, m, want.Total(), want.Money, want.Turns)
			}
			delete(book.ByModel, m.Model)
		}
		for model, sum := range book.ByModel { // a turn without any model is not put down as one of no model
			if sum.Total() != (ledger.Usage{}) || sum.Money != 0 {
				t.Errorf("seed %d: %q is missing: %+v", seed, model, sum)
			}
		}
	}
}

func TestTurnsComeInPages(t *testing.T) {
	h := newHouse(t)
	second := h.newBinding(h.channel.ID, "second")
	var ids []string
	for i := range 9 {
		_, runs := h.post("", "", "@x", []chat.Binding{h.claude, second}[i%2])
		h.begin(runs[0], "s1", run.Sent{})
		h.succeed(runs[0], "done")
		ids = append(ids, runs[0].ID)
	}
	waiting := h.queue("", "@claude")
	if _, err := h.Cancel(t.Context(), waiting.ID, nil); err != nil {
		t.Fatal(err)
	}
	for _, binding := range []string{"", h.claude.ID, second.ID} {
		var seen []string
		for before := ""; ; {
			turns, more, err := h.Turns(t.Context(), run.TurnsQuery{ChannelID: h.channel.ID, BindingID: binding, Before: before, Limit: 2})
			if err != nil {
				t.Fatal(err)
			}
			for i := len(turns) - 1; i >= 0; i-- {
				seen = append([]string{turns[i].Run}, seen...)
			}
			if !more {
				break
			}
			before = turns[0].Run
		}
		var want []string
		for i, id := range ids {
			if binding == "" || (binding == h.claude.ID) == (i%2 == 0) {
				want = append(want, id)
			}
		}
		if !slices.Equal(seen, want) {
			t.Errorf("of %q: %v, want %v", binding, seen, want)
		}
	}
	other := h.newChannel("other")
	for _, q := range []run.TurnsQuery{
		{ChannelID: h.channel.ID, Before: "none", Limit: 1}, {ChannelID: h.channel.ID, Before: waiting.ID, Limit: 1}, {ChannelID: other.ID, Before: ids[0], Limit: 1},
	} {
		_, _, err := h.Turns(t.Context(), q)
		wantCode(t, err, chat.CodeNotFound)
	}
	if _, err := h.DeleteBinding(t.Context(), second.ID); err != nil {
		t.Fatal(err)
	}
	handles := must(h.Handles(t.Context(), h.channel.ID))(t)
	if want := []run.Handle{{BindingID: h.claude.ID, Handle: "claude"}, {BindingID: second.ID, Handle: "second", Removed: true}}; !reflect.DeepEqual(handles, want) {
		t.Errorf("handles %+v", handles)
	}
	if _, err := h.DeleteChannel(t.Context(), h.channel.ID); err != nil {
		t.Fatal(err)
	}
	if n := h.count("turns") + h.count("run_models"); n != 0 {
		t.Errorf("%d lines of the ledger are left of a channel that is gone", n)
	}
}

// A channel says what it has cost on the day of its reader, if it has a limit.
func TestAChannelKnowsWhatItHasSpentToday(t *testing.T) {
	h := newHouse(t)
	noon := time.Date(2026, 5, 6, 12, 0, 0, 0, time.Local)
	spend := func(at time.Time, cost float64) {
		h.clock.Set(at)
		r := h.queue("", "@claude")
		h.begin(r, "s1", run.Sent{})
		h.finish(run.Finishing{RunID: r.ID, State: run.Succeeded, Usage: run.Usage{CostUSD: cost}})
	}
	spend(noon.Add(-24*time.Hour), 5)
	spend(noon, 0.1)
	spend(noon.Add(time.Hour), 0.2)
	c := must(h.Channel(t.Context(), h.channel.ID))(t)
	if c.SpendLimit != 0 || c.Spent != 0 {
		t.Errorf("without a limit: %+v", c)
	}
	c.SpendLimit = 2.5
	c = must(h.UpdateChannel(t.Context(), c))(t)
	for name, read := range map[string]func() chat.Channel{
		"updated": func() chat.Channel { return c },
		"alone":   func() chat.Channel { return must(h.Channel(t.Context(), c.ID))(t) },
		"by name": func() chat.Channel { return must(h.ChannelByName(t.Context(), c.Name))(t) },
		"listed":  func() chat.Channel { return must(h.Channels(t.Context(), false))(t)[0] },
	} {
		if got := read(); got.SpendLimit != 2.5 || got.Spent != 0.3 {
			t.Errorf("%s: limit %v, spent %v", name, got.SpendLimit, got.Spent)
		}
	}
	h.clock.Set(noon.Add(24 * time.Hour))
	if got := must(h.Channel(t.Context(), c.ID))(t); got.Spent != 0 {
		t.Errorf("on another day: %v", got.Spent)
	}
	made := must(h.CreateChannel(t.Context(), chat.Channel{Name: "dear", Workspace: "/w", SpendLimit: 7}))(t)
	if made.SpendLimit != 7 {
		t.Errorf("made: %+v", made)
	}
}

// "Always" about the spending limit is no rule of an agent's, and counts from when
// the question was asked.
func TestSpendingIsAllowedForADayAndByNoRule(t *testing.T) {
	h := newHouse(t)
	ask := func(tool string) run.Permission {
		return must(h.Ask(t.Context(), run.Permission{BindingID: h.claude.ID, Tool: tool, Rules: []string{run.SpendToday}}))(t)
	}
	first, bash, second := ask(run.ToolSpend), ask("Bash"), ask(run.ToolSpend)
	open := must(h.OpenQuestions(t.Context(), h.channel.ID, run.ToolSpend))(t)
	if len(open) != 2 || open[0].ID != first.ID || open[1].ID != second.ID {
		t.Errorf("open: %+v", open)
	}
	answer := func(p run.Permission, state run.PermissionState) {
		if _, err := h.Answer(t.Context(), p.ID, state, run.SpendToday, ""); err != nil {
			t.Fatal(err)
		}
	}
	allowed := func(since time.Time) bool {
		return must(h.AlwaysAllowed(t.Context(), h.channel.ID, run.ToolSpend, since))(t)
	}
	answer(first, run.PermissionAllowed)
	answer(bash, run.PermissionAlways)
	if allowed(time.Time{}) {
		t.Error("allowed once is allowed for the day")
	}
	answer(second, run.PermissionAlways)
	if !allowed(second.AskedAt) || allowed(second.AskedAt.Add(time.Microsecond)) {
		t.Error("it is not allowed since it was asked")
	}
	if rules := must(h.Rules(t.Context(), h.claude.ID))(t); len(rules) != 1 {
		t.Errorf("rules: %+v", rules)
	}
}

func TestFramingOfASession(t *testing.T) {
	h := newHouse(t)
	if got := must(h.FramingOf(t.Context(), "s1"))(t); got != (ledger.Part{}) {
		t.Errorf("of a session nobody knows: %+v", got)
	}
	for i, hash := range []string{"a", "b", ""} {
		h.clock.Set(day.Add(time.Duration(i) * time.Minute))
		r := h.queue("", "@claude")
		h.begin(r, "s1", run.Sent{})
		h.finish(run.Finishing{RunID: r.ID, State: run.Succeeded, Facts: run.Facts{Framing: ledger.Part{Hash: hash, Size: 7}}})
	}
	if got := must(h.FramingOf(t.Context(), "s1"))(t); got != (ledger.Part{Hash: "b", Size: 7}) {
		t.Errorf("the newest that is known: %+v", got)
	}
	if got := must(h.FramingOf(t.Context(), ""))(t); got != (ledger.Part{}) {
		t.Errorf("of no session: %+v", got)
	}
}
