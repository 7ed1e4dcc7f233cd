package sim

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

const good = `{"id":"1","kind":"user","handle":"","body":"@claude why?","created_at":"2026-03-01T10:00:00Z"}
{"id":"2","kind":"agent","handle":"claude","body":"because","created_at":"2026-03-01T19:00:05+09:00"}
`

// lineOf is a row with one field replaced, or with "" left out.
func lineOf(id, field, value string) string {
	fields := []string{`"id":"` + id + `"`, `"kind":"user"`, `"handle":"aiko"`, `"body":"hi"`, `"created_at":"2026-03-01T10:00:00Z"`}
	var kept []string
	replaced := false
	for _, f := range fields {
		if strings.HasPrefix(f, `"`+field+`"`) {
			replaced = true
			if f = `"` + field + `":` + value; value == "" {
				continue
			}
		}
		kept = append(kept, f)
	}
	if !replaced && field != "" {
		kept = append(kept, `"`+field+`":`+value)
	}
	return "{" + strings.Join(kept, ",") + "}"
}

func TestRead(t *testing.T) {
	text := "\ufeff" + lineOf("1", "body", `"@claude why?"`) + "\r\n\n  \n" +
		lineOf("2", "created_at", `"2026-03-01T19:00:00.000000+09:00"`) + "\n" +
		lineOf("3", "thread_root_id", `"1","deleted_at":"2026-03-01T10:00:00Z"`) + "\n" +
		`{"id":"4","channel_id":"c","thread_root_id":"","kind":"agent","handle":"@claude","binding_id":"b","run_id":"r","note":"interim","body":"a\nb","created_at":"2026-03-01T10:00:09Z","edited_at":"2026-03-01T10:00:10Z","thread_size":3,"answers":"1"}`
	c, err := Read(strings.NewReader(text), "file", "")
	if err != nil {
		t.Fatal(err)
	}
	if c.Name != "file" || c.Agent != "claude" || len(c.Rows) != 4 {
		t.Fatalf("%+v", c)
	}
	start := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	for i, after := range []time.Duration{0, time.Microsecond, 2 * time.Microsecond, 9 * time.Second} {
		if got := c.Rows[i].CreatedAt.Sub(start); got != after {
			t.Errorf("row %d is %s after the first, want %s", i, got, after)
		}
	}
	if row := c.Rows[2]; row.ThreadRootID != "1" || !row.Deleted || c.Rows[1].Deleted || row.Agent || row.Handle != "aiko" {
		t.Errorf("%+v", row)
	}
	if row := c.Rows[3]; row.Answers != "1" || !row.Agent || row.Handle != "claude" || row.Body != "a\nb" {
		t.Errorf("%+v", row)
	}
	if c, err := Read(strings.NewReader(good), "file", ""); err != nil || c.Rows[1].CreatedAt.Sub(start) != 5*time.Second {
		t.Errorf("%v, %v", c, err)
	}
	if c, err := Read(strings.NewReader(text), "file", "@Codex"); err != nil || c.Agent != "Codex" {
		t.Errorf("%v, %v", c.Agent, err)
	}
}

// What is wrong is said with its line.
func TestReadWrong(t *testing.T) {
	first := lineOf("1", "", "") + "\n"
	cases := []struct{ text, want string }{
		{first + "hello", "line 2: a row is a JSON object, on one line"},
		{first + "[]", "line 2: a row is a JSON object, on one line"},
		{first + "null", "line 2: a row is a JSON object, on one line"},
		{first + "\n\n{", "line 4: JSON ends too early; a row stands on one line"},
		{first + `{"id":"2",}`, "line 2: no JSON at byte 11: invalid character '}' looking for beginning of object key string"},
		{first + lineOf("2", "", "") + " {}", "line 2: more follows after the row's JSON object"},
		{first + lineOf("2", "id", "7"), "line 2: id: a JSON number is not what belongs here"},
		{first + lineOf("2", "id", ""), "line 2: id: missing"},
		{first + lineOf("1", "", ""), `line 2: id: an earlier row has "1" too`},
		{first + lineOf("2", "kind", ""), `line 2: kind: "", want "user" or "agent"`},
		{first + lineOf("2", "kind", `"bot"`), `line 2: kind: "bot", want "user" or "agent"`},
		{first + `{"id":"2","kind":"agent","body":"x","created_at":"2026-03-01T10:00:00Z"}`, "line 2: handle: missing, only the owner has none"},
		{first + lineOf("2", "body", ""), "line 2: body: missing"},
		{first + lineOf("2", "body", "null"), "line 2: body: missing"},
		{first + lineOf("2", "created_at", ""), "line 2: created_at: missing"},
		{first + lineOf("2", "created_at", `"yesterday"`), `line 2: created_at: "yesterday" is not an RFC 3339 time`},
		{first + lineOf("2", "created_at", "12"), "line 2: created_at: a JSON number is not what belongs here"},
		{first + lineOf("2", "created_at", `"2026-03-01T09:59:59Z"`), "line 2: created_at: before the row above it; rows stand in the order in which they were posted"},
		{first + lineOf("2", "thread_root_id", `"3"`), `line 2: thread_root_id: "3" is no earlier row`},
		{first + lineOf("2", "thread_root_id", `"1"`) + "\n" + lineOf("3", "thread_root_id", `"2"`), `line 3: thread_root_id: "2" is in a thread itself; name that thread's root`},
		{first + lineOf("2", "answers", `"1"`), "line 2: answers: only an agent's row has it"},
		{first + `{"id":"2","kind":"agent","handle":"a","body":"x","created_at":"2026-03-01T10:00:00Z","answers":"9"}`, `line 2: answers: "9" is no earlier row`},
		{lineOf("1", "body", `" "`) + "\n" + `{"id":"2","kind":"agent","handle":"a","body":"x","created_at":"2026-03-01T10:00:00Z","answers":"1"}`, `line 2: answers: "1" says nothing that could be answered`},
		{first + lineOf("2", "colour", `"red"`), `line 2: unknown field "colour"`},
		{first + strings.Repeat("x", maxLine+1), fmt.Sprintf("line 2: longer than %d bytes; a line is one message", maxLine)},
		{"", "there is no message in it"},
		{"\n \n", "there is no message in it"},
		{first, "it does not say which agent to play: no agent wrote in it"},
		{`{"id":"1","kind":"agent","handle":"a","body":"x","created_at":"2026-03-01T10:00:00Z"}
{"id":"2","kind":"agent","handle":"A","body":"x","created_at":"2026-03-01T10:00:00Z"}
{"id":"3","kind":"agent","handle":"b","body":"x","created_at":"2026-03-01T10:00:00Z"}`, "it does not say which agent to play: @a, @b wrote in it"},
	}
	for _, c := range cases {
		_, err := Read(strings.NewReader(c.text), "file", "")
		if err == nil || err.Error() != c.want {
			t.Errorf("%.200q:\n got %v\nwant %s", c.text, err, c.want)
		}
	}
	if _, err := Read(io.MultiReader(strings.NewReader(first), iotest.ErrReader(errors.New("the disk is gone"))), "file", ""); err == nil || err.Error() != "line 2: the disk is gone" {
		t.Errorf("%v", err)
	}
	if _, err := Read(strings.NewReader(first), "file", ""); !errors.Is(err, ErrWhichAgent) {
		t.Errorf("%v", err)
	}
}

// Whatever is read can be played, or is refused.
func FuzzRead(f *testing.F) {
	f.Add(good)
	f.Add(lineOf("1", "body", `"@claude why?"`) + "\n" + lineOf("2", "thread_root_id", `"1"`))
	f.Add(lineOf("1", "body", `"\ud800 @claude \u0000"`) + "\n" + lineOf("2", "created_at", `"9999-12-31T23:59:59.999999999Z"`))
	f.Add(lineOf("1", "created_at", `"0000-01-01T00:00:00Z"`) + "\n" + lineOf("\u202e", "body", `"@claude"`))
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 10_000 {
			return
		}
		c, err := Read(strings.NewReader(text), "file", "claude")
		if err != nil {
			return
		}
		for i, row := range c.Rows {
			if row.ID == "" || i > 0 && !row.CreatedAt.After(c.Rows[i-1].CreatedAt) {
				t.Errorf("row %d: %+v", i, row)
			}
		}
		r, err := Run(t.Context(), c, Options{})
		if errors.Is(err, ErrNoTurns) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if h := r.Strategies.Hearth; h.RowsNamed != h.RowsNeverShown || h.CacheableTokens > h.InputTokens || r.Text() == "" {
			t.Errorf("%+v", h)
		}
	})
}
