package store

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"hearth/backend/chat"
	"hearth/backend/run"
	"hearth/backend/search"
)

// look finds what was typed, in the house's channel unless others are named.
func (h *house) look(typed string, channelIDs ...string) []string {
	h.t.Helper()
	q := must(search.Parse(typed, day))(h.t)
	if len(channelIDs) == 0 {
		channelIDs = []string{h.channel.ID}
	}
	var bodies []string
	if q.Empty() {
		return nil
	}
	s := search.Request{Query: q, ChannelIDs: channelIDs, Limit: 3}
	for {
		found := must(h.Search(h.t.Context(), s))(h.t)
		for _, row := range found.Rows {
			bodies = append(bodies, row.Body)
		}
		if s.Cursor = found.Cursor; s.Cursor == 0 {
			return bodies
		}
	}
}

func TestSearchFindsWordsOfAnyLengthAndScript(t *testing.T) {
	h := newHouse(t)
	for _, body := range []string{
		"The Retry helper waits", "검색 결과가 없습니다", "消息搜索", "検索した", "यह संदेश है", "هذه رسالة قصيرة", "👩‍👩‍👧‍👦 done 🎉", "x", "한국어", "CAFÉ",
		"İstanbul ΟΔΌΣ straße", `say "hi" AND * OR (NEAR`, "a\x00b", "line one\nline two", "\u202Eevil\u2066 text",
	} {
		h.post("", "aiko", body)
	}
	for typed, want := range map[string][]string{
		"retry":                  {"The Retry helper waits"},
		"RETRY waits":            {"The Retry helper waits"},
		`"retry waits"`:          nil,
		`"retry helper"`:         {"The Retry helper waits"},
		"“retry helper”":         {"The Retry helper waits"},
		"ry":                     {"The Retry helper waits"},
		"검색":                     {"검색 결과가 없습니다"},
		"없습":                     {"검색 결과가 없습니다"},
		"다":                      {"검색 결과가 없습니다"},
		"국어":                     {"한국어"},
		"搜索":                     {"消息搜索"},
		"索":                      {"検索した", "消息搜索"},
		"した":                     {"検索した"},
		"संदेश":                  {"यह संदेश है"},
		"है":                     {"यह संदेश है"},
		"رسالة":                  {"هذه رسالة قصيرة"},
		"🎉":                      {"👩‍👩‍👧‍👦 done 🎉"},
		"👧":                      {"👩‍👩‍👧‍👦 done 🎉"},
		"cafe":                   {"CAFÉ"},
		"cafe\u0301":             {"CAFÉ"},
		"ｃａｆé":                   {"CAFÉ"},
		"οδος":                   {"İstanbul ΟΔΌΣ straße"},
		"STRASSE":                {"İstanbul ΟΔΌΣ straße"},
		`"`:                      nil,
		"*":                      {`say "hi" AND * OR (NEAR`},
		"(near":                  {`say "hi" AND * OR (NEAR`},
		`hi"`:                    {`say "hi" AND * OR (NEAR`},
		"AND OR":                 {`say "hi" AND * OR (NEAR`},
		`"one line"`:             {"line one\nline two"},
		"evil":                   {"\u202Eevil\u2066 text"},
		"ev\u200bil":             {"\u202Eevil\u2066 text"},
		"a\x00b":                 {"a\x00b"},
		"'; DROP TABLE rows; --": nil,
		"nothing":                nil,
		"한국 retry":               nil,
	} {
		if got := h.look(typed); !slices.Equal(got, want) {
			t.Errorf("%q: found %q, want %q", typed, got, want)
		}
	}
}

// Whatever is looked for is no error, and is found by everything that has it.
func TestSearchTakesAnything(t *testing.T) {
	h := newHouse(t)
	needles := []string{
		`"`, `""`, `"""`, "*", "^", "-", "+", ":", "{body}:x", "body:x", "NOT", "NEAR(a b, 5)", "a AND", "(", ")", "\\", "%", "_", "'", "''", "\x00", "\x00\x00\x00",
		"\u202e\u202e\u202e", "\xff\xfe", strings.Repeat(`"`, 999), strings.Repeat("한", 1000), strings.Repeat("a ", 500), strings.Repeat("\u0301", 1000), "rank", "rowid",
	}
	for _, needle := range needles {
		h.post("", "", "before "+needle+" after")
	}
	for _, needle := range needles {
		q := must(search.Parse(needle, day))(t)
		if len(q.Words) == 0 {
			continue
		}
		if got := h.look(needle); !slices.Contains(got, "before "+needle+" after") {
			t.Errorf("%.40q is not found: %d others are", needle, len(got))
		}
	}
}

func TestSearchFilters(t *testing.T) {
	h := newHouse(t)
	other := h.newChannel("other")
	root, _ := h.post("", "", "a word of mine")
	h.clock.Set(day.AddDate(0, 0, 1))
	h.post(root.ID, "Zoë", "a word in a thread")
	h.clock.Set(day.AddDate(0, 0, 2))
	h.post("", "ZOË", "a word later")
	if _, _, err := h.Post(t.Context(), chat.Row{ChannelID: other.ID, Kind: chat.KindAgent, Handle: "claude", BindingID: h.claude.ID, Body: "a word elsewhere"}, nil); err != nil {
		t.Fatal(err)
	}
	all := []string{"a word elsewhere", "a word later", "a word in a thread", "a word of mine"}
	for typed, want := range map[string][]string{
		"word":                              all,
		"word from:me":                      {"a word of mine"},
		"word from:@zoë":                    {"a word later", "a word in a thread"},
		"from:zoë from:claude":              all[:3],
		"word is:thread":                    {"a word in a thread"},
		"word on:2026-03-05":                {"a word in a thread"},
		"word before:2026-03-05":            {"a word of mine"},
		"word after:2026-03-05":             all[:2],
		"after:2026-03":                     nil,
		"on:2026":                           all,
		"after:2026-03-04 before:2026-3-06": {"a word in a thread"},
	} {
		if got := h.look(typed, h.channel.ID, other.ID); !slices.Equal(got, want) {
			t.Errorf("%q: found %q, want %q", typed, got, want)
		}
	}
	if got := h.look("word", other.ID); !slices.Equal(got, all[:1]) {
		t.Errorf("in one channel: %q", got)
	}
	if found, err := h.Search(t.Context(), search.Request{Query: search.Query{Words: []string{"word"}}, Limit: 1}); err != nil || len(found.Rows) != 0 {
		t.Errorf("in no channel: %v, %v", found, err)
	}
	_, err := h.Search(t.Context(), search.Request{})
	wantCode(t, err, chat.CodeInvalid)
}

// indexed are the terms of the index, each with the rows that have it.
func (h *house) indexed() map[string][]int64 {
	h.t.Helper()
	exec := func(statement string) {
		h.t.Helper()
		if _, err := h.writer.ExecContext(h.t.Context(), statement); err != nil {
			h.t.Fatal(err)
		}
	}
	exec("CREATE VIRTUAL TABLE temp.places USING fts5vocab('main', 'search', 'instance')")
	defer exec("DROP TABLE temp.places")
	rows, err := h.writer.QueryContext(h.t.Context(), "SELECT term, doc FROM temp.places ORDER BY term, doc")
	if err != nil {
		h.t.Fatal(err)
	}
	defer rows.Close()
	all := map[string][]int64{}
	for rows.Next() {
		var term string
		var row int64
		if err := rows.Scan(&term, &row); err != nil {
			h.t.Fatal(err)
		}
		all[term] = append(all[term], row)
	}
	if err := rows.Err(); err != nil {
		h.t.Fatal(err)
	}
	return all
}

// Posts, edits, deletions, and channels that go: the index is what one made anew is.
func TestIndexStaysRight(t *testing.T) {
	h := newHouse(t)
	random := rand.New(rand.NewPCG(3, 4))
	words := strings.Fields("retry helper 검색 결과 消息 संदेश رسالة 🎉 x cache")
	text := func() string {
		return fmt.Sprint(words[random.IntN(len(words))], " ", words[random.IntN(len(words))], random.IntN(50))
	}
	other := h.newChannel("other")
	var mine []chat.Row
	for range 120 {
		row, _ := h.post("", "", text())
		mine = append(mine, row)
		if _, _, err := h.Post(t.Context(), chat.Row{ChannelID: other.ID, Kind: chat.KindUser, Body: text()}, nil); err != nil {
			t.Fatal(err)
		}
	}
	for i, row := range mine {
		switch i % 3 {
		case 0:
			must(h.Edit(t.Context(), run.Editing{RowID: row.ID, Was: row.Body, Body: text()}))(t)
		case 1:
			if _, err := h.Delete(t.Context(), row.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
	must(h.DeleteChannel(t.Context(), other.ID))(t)
	h.post("", "", "the last "+text())
	// A vacuum may number rows anew: it must not, here.
	if _, err := h.writer.ExecContext(t.Context(), "VACUUM"); err != nil {
		t.Fatal(err)
	}
	got := h.indexed()
	for _, statement := range []string{"INSERT INTO search (search) VALUES ('delete-all')", "INSERT INTO search (rowid, body) SELECT rowid, search_text(CAST(body AS BLOB)) FROM rows"} {
		if _, err := h.writer.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	if want := h.indexed(); len(want) < 50 || !reflect.DeepEqual(got, want) {
		t.Errorf("the index has %d terms, one made anew %d, or other rows", len(got), len(want))
	}
}

func TestACopyIsSearchedAsTheOriginal(t *testing.T) {
	h := newHouse(t)
	var want []string
	for i := range 30 {
		row, _ := h.post("", "", "needle "+itoa(i))
		if i%2 == 0 {
			if _, err := h.Delete(t.Context(), row.ID); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want = append([]string{row.Body}, want...)
	}
	path := filepath.Join(t.TempDir(), "copy.db")
	if _, err := h.writer.ExecContext(t.Context(), "VACUUM INTO ?", path); err != nil {
		t.Fatal(err)
	}
	copied := *h
	copied.Store = openAt(t, path, h.clock.Now)
	if got := copied.look("needle"); !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

func TestMigrationFillsTheIndex(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hearth.db")
	older(t, path, 4,
		`INSERT INTO channels (id, name, name_fold, topic, workspace, direct, created_at, last_at, last_id) VALUES ('c1', 'full', 'full', '', '/w', 0, 1, 9, 'r2')`,
		`INSERT INTO rows (id, channel_id, thread_root_id, kind, handle, binding_id, run_id, note, body, created_at) VALUES
			('r1', 'c1', '', 'user', 'aiko', '', '', '', 'an old 검색', 8), ('r2', 'c1', '', 'agent', 'claude', '', '', '', 'y', 9)`)
	h := &house{Store: openAt(t, path, nil), t: t}
	for _, typed := range []string{"old", "검색"} {
		if got := h.look(typed, "c1"); !slices.Equal(got, []string{"an old 검색"}) {
			t.Errorf("%q: found %q", typed, got)
		}
	}
}

// The plans say that the index leads, and that a walk goes by the rows' own order.
func TestPlansOfASearch(t *testing.T) {
	h := newHouse(t)
	q := search.Request{
		Query:      search.Query{From: []string{"aiko"}, Since: day, Before: day.Add(time.Hour), InThread: true},
		ChannelIDs: []string{h.channel.ID},
	}
	for match, want := range map[string]string{
		`"abc"`: "SCAN search VIRTUAL TABLE INDEX ",
		"":      "SEARCH rows USING INTEGER PRIMARY KEY (rowid<?)",
	} {
		statement, args, err := searchStatement(q, match)
		if err != nil {
			t.Fatal(err)
		}
		steps := explained(t, h.reader, statement, args...)
		if !strings.HasPrefix(steps[0], want) || slices.ContainsFunc(steps, func(s string) bool { return strings.Contains(s, "TEMP B-TREE") }) {
			t.Errorf("%s: %q", match, steps)
		}
	}
}
