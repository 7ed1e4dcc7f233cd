//go:build !race

// SQLite, which is C made into Go, is some forty times slower under the race
// detector, and large data shows it nothing that small data does not.

package store

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"hearth/backend/chat"
	"hearth/backend/delivery"
	"hearth/backend/ledger"
	"hearth/backend/run"
	"hearth/backend/search"
)

// large is how many rows the large channel has.
const large = 100_000

// newLargeHouse has large top-level rows in its channel, a tenth of them by the
// agent, each the reply of a run, and a second channel as large as the first.
func newLargeHouse(t testing.TB) *house {
	t.Helper()
	h := newHouse(t)
	twin := h.newChannel("twin")
	h.clock.Set(day.Add(2 * large * time.Millisecond))
	exec := func(statement string, args ...any) {
		t.Helper()
		if _, err := h.writer.ExecContext(t.Context(), statement, args...); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []string{h.channel.ID, twin.ID} {
		exec(`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?1 - 1)
			INSERT INTO rows (id, channel_id, thread_root_id, kind, handle, binding_id, run_id, note, body, created_at)
			SELECT printf('%s-%08d', ?2, i), ?2, '', iif(i % 10 = 9, 'agent', 'user'),
				CASE i % 10 WHEN 9 THEN 'claude' WHEN 1 THEN 'aiko' WHEN 2 THEN 'ben' ELSE '' END,
				iif(i % 10 = 9, ?3, ''), iif(i % 10 = 9, printf('run-%s-%08d', ?2, i), ''), '',
				printf('message %d %.*c', i, 20 + i * 37 % 300, 'x'), ?4 + i * 1000
			FROM n`, large, c, h.claude.ID, day.UnixMicro()+1000)
	}
	exec(`INSERT INTO runs (id, channel_id, binding_id, row_id, thread_root_id, cause, retry_of, hops, state, native, proven, reply_id, queued_at, started_at, ended_at)
		SELECT run_id, channel_id, ?1, (SELECT asked.id FROM rows AS asked WHERE asked.channel_id = rows.channel_id AND asked.thread_root_id = '' AND asked.created_at < rows.created_at ORDER BY asked.created_at DESC LIMIT 1),
			'', 'mention', '', 0, 'succeeded', 's1', 1, id, created_at - 500, created_at - 400, created_at
		FROM rows WHERE channel_id = ?2 AND kind = 'agent'`, h.claude.ID, h.channel.ID)
	return h
}

func (h *house) largeID(i int) string {
	return h.channel.ID + "-" + string(append(slices.Repeat([]byte("0"), 8-len(itoa(i))), itoa(i)...))
}

func TestLargeChannel(t *testing.T) {
	h := newLargeHouse(t)
	ctx := t.Context()
	place := chat.Place{ChannelID: h.channel.ID}
	for _, end := range []int{1, 40, large / 2, large - 1} {
		rows, more, err := h.Rows(ctx, place, h.largeID(end), 100)
		want := min(end, 100)
		if err != nil || len(rows) != want || more != (end > 100) || rows[len(rows)-1].ID != h.largeID(end-1) || rows[0].ID != h.largeID(end-want) {
			t.Errorf("before %d: %d rows, more %v, %v", end, len(rows), more, err)
		}
	}
	r := h.queue("", "@claude")
	m := must(h.Material(ctx, r, true))(t)
	if len(m.Rows) != delivery.Newest || m.Rows[0].ID != h.largeID(large-delivery.Newest+1) || len(m.Exchanges) != maxExchanges {
		t.Errorf("%d rows from %s, %d exchanges", len(m.Rows), m.Rows[0].ID, len(m.Exchanges))
	}
	newest := m.Exchanges[len(m.Exchanges)-1]
	if want := []string{h.largeID(large - 2), h.largeID(large - 1)}; !reflect.DeepEqual(newest.RowIDs, want) {
		t.Errorf("the newest exchange is %v, want %v", newest.RowIDs, want)
	}
	counts := must(h.CountOlder(ctx, run.OlderQuery{Place: place, Before: m.Rows[0].CreatedAt, Excluding: []string{h.largeID(0), h.largeID(1)}}))(t)
	want := map[string]int{"": 7*large/10 - 1, "aiko": large/10 - 1, "ben": large / 10, "claude": large / 10}
	for i := large - delivery.Newest + 1; i < large; i++ { // those the rendering looks at
		want[map[int]string{9: "claude", 1: "aiko", 2: "ben"}[i%10]]--
	}
	if !reflect.DeepEqual(counts, want) {
		t.Errorf("counted %v, want %v", counts, want)
	}
	runs, more, err := h.Runs(ctx, h.channel.ID, r.ID, 50)
	if err != nil || len(runs) != 50 || !more || runs[0].ReplyID != h.largeID(large-1) {
		t.Errorf("%d runs, more %v, %v", len(runs), more, err)
	}
	if n := must(h.DeleteChannel(ctx, h.channel.ID))(t); n != large+1 {
		t.Errorf("%d rows went, want %d", n, large+1)
	}
	if n := h.count("rows"); n != large {
		t.Errorf("%d rows are left, want %d", n, large)
	}
}

func BenchmarkPost(b *testing.B) {
	h := newLargeHouse(b)
	for b.Loop() {
		h.queue("", "@claude what does the log say?")
	}
}

func BenchmarkMaterial(b *testing.B) {
	h := newLargeHouse(b)
	r := h.queue("", "@claude")
	for b.Loop() {
		must(h.Material(b.Context(), r, true))(b)
	}
}

func BenchmarkCountOlder(b *testing.B) {
	h := newLargeHouse(b)
	for _, c := range []struct {
		name  string
		after time.Time
	}{{"since the watermark", day.Add((large - 300) * time.Millisecond)}, {"from the first row on", time.Time{}}} {
		b.Run(c.name, func(b *testing.B) {
			q := run.OlderQuery{
				Place: chat.Place{ChannelID: h.channel.ID}, After: c.after,
				Before: day.Add((large - delivery.Newest) * time.Millisecond), NotBy: h.claude.ID,
			}
			for i := range delivery.MaxIDs {
				q.Excluding = append(q.Excluding, h.largeID(large-1-i))
			}
			for b.Loop() {
				must(h.CountOlder(b.Context(), q))(b)
			}
		})
	}
}

func BenchmarkBeginAndFinish(b *testing.B) {
	h := newLargeHouse(b)
	for b.Loop() {
		b.StopTimer()
		r := h.queue("", "@claude")
		b.StartTimer()
		h.begin(r, "s1", stagedAs("s1", r.QueuedAt, r.RowID))
		h.succeed(r, "It says that the build has failed.")
	}
}

// unread makes the large channels unread from the first row on.
func (h *house) unread() {
	h.t.Helper()
	if _, err := h.writer.ExecContext(h.t.Context(), "UPDATE channels SET read_at = 0"); err != nil {
		h.t.Fatal(err)
	}
}

func TestPagesOfALargeChannel(t *testing.T) {
	h := newLargeHouse(t)
	ctx := t.Context()
	place := chat.Place{ChannelID: h.channel.ID}
	for _, at := range []int{0, 1, 40, large / 2, large - 1} {
		for name, c := range map[string]struct {
			page     chat.Page
			from, to int
		}{
			"after":  {chat.Page{After: h.largeID(at), Limit: 100}, at + 1, at + 101},
			"around": {chat.Page{Around: h.largeID(at), Limit: 100}, at - 50, at + 50},
			"before": {chat.Page{Before: h.largeID(at), Limit: 100}, at - 100, at},
		} {
			from, to := max(c.from, 0), min(c.to, large)
			got, err := h.Page(ctx, place, c.page)
			if err != nil || len(got.Rows) != to-from || got.HasBefore != (from > 0) || got.HasAfter != (to < large) {
				t.Fatalf("%s %d: %d rows, before %t, after %t, %v", name, at, len(got.Rows), got.HasBefore, got.HasAfter, err)
			}
			if len(got.Rows) > 0 && (got.Rows[0].ID != h.largeID(from) || got.Rows[len(got.Rows)-1].ID != h.largeID(to-1)) {
				t.Errorf("%s %d: from %s to %s", name, at, got.Rows[0].ID, got.Rows[len(got.Rows)-1].ID)
			}
		}
	}
	h.unread()
	for _, c := range must(h.Channels(ctx, false))(t) {
		if c.Unread != chat.MaxUnread || c.NewestID != strings.Replace(h.largeID(large-1), h.channel.ID, c.ID, 1) {
			t.Errorf("%d unread, newest %s", c.Unread, c.NewestID)
		}
	}
}

func BenchmarkChannels(b *testing.B) {
	h := newLargeHouse(b)
	h.unread()
	for i := range 48 {
		h.newChannel("small" + itoa(i))
	}
	for b.Loop() {
		must(h.Channels(b.Context(), false))(b)
	}
}

func BenchmarkPage(b *testing.B) {
	h := newLargeHouse(b)
	middle := h.largeID(large / 2)
	for name, page := range map[string]chat.Page{
		"newest": {Limit: 50}, "before": {Before: middle, Limit: 50}, "after": {After: middle, Limit: 50}, "around": {Around: middle, Limit: 50},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				must(h.Page(b.Context(), chat.Place{ChannelID: h.channel.ID}, page))(b)
			}
		})
	}
}

func BenchmarkMarkRead(b *testing.B) {
	h := newLargeHouse(b)
	for i := 0; b.Loop(); i++ {
		if _, _, err := h.MarkRead(b.Context(), h.channel.ID, h.largeID(i%large)); err != nil {
			b.Fatal(err)
		}
	}
}

// ledgerRuns is how many runs the channel has whose ledger is timed.
const ledgerRuns = 20_000

// newLedgerHouse has ledgerRuns turns of three agents over thirty days, each of two
// requests of its own, and every third with one of a subagent.
func newLedgerHouse(t testing.TB) (h *house, agents []chat.Binding, days []ledger.Day) {
	t.Helper()
	h = newHouse(t)
	agents = []chat.Binding{h.claude, h.newBinding(h.channel.ID, "second"), h.newBinding(h.channel.ID, "third")}
	exec := func(statement string, args ...any) {
		t.Helper()
		if _, err := h.writer.ExecContext(t.Context(), statement, args...); err != nil {
			t.Fatal(err)
		}
	}
	begin := time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)
	for i := range 30 {
		days = append(days, ledger.DayOf(begin.AddDate(0, 0, i), time.UTC))
	}
	step := (30 * 24 * time.Hour / ledgerRuns).Microseconds()
	exec(`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?1 - 1)
		INSERT INTO runs (id, channel_id, binding_id, row_id, thread_root_id, cause, retry_of, hops, state, temperature, native, input, cache_read,
			cache_write_5m, output, cost_usd, context_size, context_window, queued_at, started_at, ended_at)
		SELECT printf('run%08d', i), ?2, CASE i % 3 WHEN 0 THEN ?3 WHEN 1 THEN ?4 ELSE ?5 END, '', '', 'unasked', '', 0, 'succeeded', 'warm', 's' || (i % 3),
			10, 100000 + i, 900, 400, 0.05, 101000 + i, 200000, ?6 + i * ?7, ?6 + i * ?7 + 1, ?6 + i * ?7 + 2 FROM n`,
		ledgerRuns, h.channel.ID, agents[0].ID, agents[1].ID, agents[2].ID, begin.UnixMicro(), step)
	exec(`INSERT INTO run_calls (run_id, n, message_id, model, main, input, cache_read, cache_write_5m, cache_write_1h, output, began_at, ended_at)
		SELECT id, v.n, id || v.n, 'claude-opus-5-5', v.n < 2, 3, cache_read / 2, 300, 0, 100, started_at, ended_at
		FROM runs JOIN (SELECT 0 AS n UNION SELECT 1 UNION SELECT 2) AS v ON v.n < 2 OR runs.rowid % 3 = 0`)
	exec(`INSERT INTO turns SELECT channel_id, ended_at, id, binding_id, 'p', '2.1.332', 't', 9, 'f', 9, '', 2, 6, cache_read, 600, 0, 200, 0,
		1, 3, 100, 300, 0, 100, 0, 1, 0, 0, 0, 100, 0, 50000000, '' FROM runs`)
	exec(`INSERT INTO run_models SELECT id, 0, 'claude-opus-5-5', 1, 9, cache_read, 900, 0, 400, 0, 0.05, 50000000 FROM runs`)
	exec(`INSERT INTO process_ends SELECT binding_id, ended_at + 1, native, 'idle', '' FROM runs ORDER BY ended_at DESC LIMIT ?1`, 3*keptEnds)
	return h, agents, days
}

func TestLargeLedger(t *testing.T) {
	h, agents, days := newLedgerHouse(t)
	totals := must(h.Totals(t.Context(), h.channel.ID, days, time.UTC))(t)
	if totals.All.Turns != ledgerRuns || totals.All.Money != ledgerRuns*50_000_000 || len(totals.Agents) != 3 || len(totals.Models) != 1 || totals.Models[0].Turns != ledgerRuns {
		t.Errorf("the totals: %+v", totals.All)
	}
	turns, more, err := h.Turns(t.Context(), run.TurnsQuery{BindingID: agents[0].ID, Limit: 200})
	if err != nil || !more || len(turns) != 200 || turns[199].Run != "run00019998" || len(turns[199].Calls) < 2 {
		t.Errorf("%d turns, more %t, %v", len(turns), more, err)
	}
	// In such a history every turn but each agent's first has read too little.
	runs, _, err := h.Runs(t.Context(), h.channel.ID, "", 200)
	if err != nil || len(runs) != 200 || slices.ContainsFunc(runs, func(r run.Run) bool { return r.Break == nil }) {
		t.Errorf("%d runs, %v", len(runs), err)
	}
}

// BenchmarkLedger times what the page about a channel's cache asks for.
func BenchmarkLedger(b *testing.B) {
	h, agents, days := newLedgerHouse(b)
	b.Run("totals of 30 days", func(b *testing.B) {
		for b.Loop() {
			must(h.Totals(b.Context(), h.channel.ID, days, time.UTC))(b)
		}
	})
	b.Run("200 turns of an agent", func(b *testing.B) {
		for b.Loop() {
			if _, _, err := h.Turns(b.Context(), run.TurnsQuery{BindingID: agents[1].ID, Limit: 200}); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, n := range []int{30, 200} {
		for at, before := range map[string]string{"newest": "", "in the middle": "run00010000", "oldest": fmt.Sprintf("run%08d", n)} {
			b.Run(fmt.Sprintf("%d runs with their breaks, %s", n, at), func(b *testing.B) {
				for b.Loop() {
					if _, _, err := h.Runs(b.Context(), h.channel.ID, before, n); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
	b.Run("the break of one run", func(b *testing.B) {
		for b.Loop() {
			must(h.Breaks(b.Context(), []string{"run00015000"}))(b)
		}
	})
	b.Run("a page of 50", func(b *testing.B) {
		for b.Loop() {
			if _, _, err := h.Turns(b.Context(), run.TurnsQuery{ChannelID: h.channel.ID, Before: "run00010000", Limit: 50}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("a channel with a limit", func(b *testing.B) {
		h.clock.Set(time.Date(2026, 3, 2, 12, 0, 0, 0, time.Local))
		c := must(h.Channel(b.Context(), h.channel.ID))(b)
		c.SpendLimit = 5
		must(h.UpdateChannel(b.Context(), c))(b)
		for b.Loop() {
			must(h.Channel(b.Context(), c.ID))(b)
		}
	})
}

// newLongHistory gives the agent 20,000 runs of twelve steps each, as they are after
// they ended.
func newLongHistory(t testing.TB) *house {
	t.Helper()
	const runs, steps = 20_000, 12
	h := newHouse(t)
	exec := func(statement string, args ...any) {
		t.Helper()
		if _, err := h.writer.ExecContext(t.Context(), statement, args...); err != nil {
			t.Fatal(err)
		}
	}
	exec(`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?1 - 1)
		INSERT INTO runs (id, channel_id, binding_id, row_id, thread_root_id, cause, retry_of, hops, state, temperature, native, proven, queued_at, started_at, ended_at)
		SELECT printf('run-%08d', i), ?2, ?3, '', '', 'mention', '', 0, 'succeeded', iif(i % 20 = 0, 'cold', 'warm'), printf('s%d', i / 20), 1, ?4 + i * 1000, ?4 + i * 1000 + 1, ?4 + i * 1000 + 500 FROM n`,
		runs, h.channel.ID, h.claude.ID, day.UnixMicro())
	exec(`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?1 * ?2 - 1)
		INSERT INTO run_steps (run_id, n, kind, step_id, parent, name, input, output, error, at, took)
		SELECT printf('run-%08d', i / ?2), i % ?2, 'tool', printf('toolu_%d', i), iif(i % ?2 > 8, 'toolu_x', ''), iif(i % 3 = 0, 'Bash', 'Read'),
			printf('%.*c', 100, 'x'), printf('%.*c', 200 + i * 37 % 1500, 'y'), i % 17 = 0, ?3 + i, 5 FROM n`, runs, steps, day.UnixMicro())
	exec(`INSERT INTO tool_calls SELECT ?1, name, parent <> '', count(*), sum(error), max(at) FROM run_steps GROUP BY name, parent <> ''`, h.claude.ID)
	return h
}

func BenchmarkToolCalls(b *testing.B) {
	h := newLongHistory(b)
	b.Run("counted", func(b *testing.B) {
		for b.Loop() {
			if calls := must(h.ToolCalls(b.Context(), h.claude.ID))(b); len(calls) != 4 {
				b.Fatalf("%+v", calls)
			}
		}
	})
	// What it would take without the counts.
	b.Run("from the steps", func(b *testing.B) {
		for b.Loop() {
			var groups int
			err := h.reader.QueryRowContext(b.Context(), `SELECT count(*) FROM (SELECT s.name, s.parent <> '', count(*), sum(s.error), max(s.at)
				FROM runs AS r JOIN run_steps AS s ON s.run_id = r.id WHERE r.binding_id = ? AND s.kind = 'tool' GROUP BY 1, 2)`, h.claude.ID).Scan(&groups)
			if err != nil || groups != 4 {
				b.Fatalf("%d groups, %v", groups, err)
			}
		}
	})
}

// TestLargeSearch looks in a hundred thousand rows of either channel, to the end.
func TestLargeSearch(t *testing.T) {
	h := newLargeHouse(t)
	h.post("", "", "the only 검색 of all")
	for typed, want := range map[string]int{"검색": 1, "all": 1, `"message 77777 "`: 1, "message 99998": 1, "zzz": 0, "한국": 0, "message 1234 from:ben": 1} {
		if got := h.look(typed); len(got) != want {
			t.Errorf("%q: %d rows, want %d", typed, len(got), want)
		}
	}
}

// BenchmarkSearch times the first page of what is typed.
func BenchmarkSearch(b *testing.B) {
	h := newLargeHouse(b)
	h.post("", "", "a rare 검색")
	// The rare one is the oldest of all by its number: everything else would be looked at first.
	channels := must(h.Channels(b.Context(), false))(b)
	var ids []string
	for _, c := range channels {
		ids = append(ids, c.ID)
	}
	for _, typed := range []string{"message", "message 4321", "rare", "검색", "검", "m", "me", "nothing", "from:aiko", "from:nobody", "from:ben message before:2026-03-04"} {
		q := must(search.Parse(typed, day))(b)
		b.Run(typed, func(b *testing.B) {
			for b.Loop() {
				must(h.Search(b.Context(), search.Request{Query: q, ChannelIDs: ids, Limit: 50}))(b)
			}
		})
	}
}

// BenchmarkPostAndIndex says what the upkeep of the index adds to a post: each post is
// made in a house with it and in one without, by turns.
func BenchmarkPostAndIndex(b *testing.B) {
	with, without := newLargeHouse(b), newLargeHouse(b)
	if _, err := without.writer.ExecContext(b.Context(), "DROP TRIGGER rows_found"); err != nil {
		b.Fatal(err)
	}
	var took [2][]time.Duration
	for b.Loop() {
		for i, h := range []*house{with, without} {
			began := time.Now()
			h.queue("", "@claude what does the log say about the retry helper, and why did it wait?")
			took[i] = append(took[i], time.Since(began))
		}
	}
	for i := range took {
		slices.Sort(took[i])
	}
	middle := len(took[0]) / 2
	b.ReportMetric(float64(took[0][middle])/float64(took[1][middle]), "with/without")
	b.ReportMetric(float64(took[0][middle].Microseconds()), "median-µs-with")
}

// BenchmarkSearchMigration fills the index of a hundred thousand rows.
func BenchmarkSearchMigration(b *testing.B) {
	h := newLargeHouse(b)
	must(h.DeleteChannel(b.Context(), must(h.ChannelByName(b.Context(), "twin"))(b).ID))(b)
	for b.Loop() {
		for _, statement := range []string{"INSERT INTO search (search) VALUES ('delete-all')", "INSERT INTO search (rowid, body) SELECT rowid, search_text(CAST(body AS BLOB)) FROM rows"} {
			if _, err := h.writer.ExecContext(b.Context(), statement); err != nil {
				b.Fatal(err)
			}
		}
	}
}
