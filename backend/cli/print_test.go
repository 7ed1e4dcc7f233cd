package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/rivo/uniseg"

	"hearth/backend/api"
	"hearth/backend/plain"
)

func TestTable(t *testing.T) {
	var out bytes.Buffer
	a := &app{stdout: &out}
	a.table([]string{"NAME", "N", "LAST"}, [][]string{
		{"데이터", "1", "x"},
		{"café", "22", ""},
		{"👩‍👩‍👧", "3", "a  b"},
		{"a\nb\x1b[31m", "4\t", "\u202etxt"},
	})
	want := "" +
		"NAME      N      LAST\n" +
		"데이터    1      x\n" +
		"café      22\n" +
		"👩‍👩‍👧        3      a  b\n" +
		"a␊b␛[31m  4      ⟦U+202E⟧txt\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
	// Every second column begins at the same place.
	for line := range strings.Lines(out.String()) {
		at := strings.IndexAny(line, "N1234")
		if line[0] == 'N' {
			at = strings.Index(line[1:], "N") + 1
		}
		if got := uniseg.StringWidth(line[:at]); line[0] != 'a' && got != 10 {
			t.Errorf("%q begins at %d", line, got)
		}
	}
}

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"a\nb": "a\nb", "a\r\nb": "a\nb", "a\rb": "a␍b", "\x1b[2J": "␛[2J", "a\tb": "a    b", "\u202e": "⟦U+202E⟧", "\xff": "\ufffd",
	} {
		if got := visible(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestSmallWords(t *testing.T) {
	for in, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1000: "-1,000", -100: "-100"} {
		if got := plain.Grouped(in); got != want {
			t.Errorf("%d: %s, want %s", in, got, want)
		}
	}
	for in, want := range map[time.Duration]string{0: "0.0s", 1540 * time.Millisecond: "1.5s", 61 * time.Second: "1m1s", -1: "-"} {
		if got := took(in); got != want {
			t.Errorf("%d: %s, want %s", in, got, want)
		}
	}
	if got := list([]string{"a", "b", "c"}, 2); got != "a, b and 1 more" {
		t.Error(got)
	}
	if got := short("  a\nb"+strings.Repeat("c", 10), 5); got != "a␊bcc … [8 more characters]" {
		t.Error(got)
	}
	if got := plain.ShellWord("it's"); got != `'it'\''s'` {
		t.Error(got)
	}
	for in, want := range map[string]string{`{"command":"ls\n-l"}`: "ls␊-l", `{"file_path":"x"}`: `{"file_path":"x"}`, `{"command":7}`: `{"command":7}`, ``: ""} {
		if got := brief([]byte(in)); got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
}

func TestIndented(t *testing.T) {
	var out bytes.Buffer
	indented(&out, "a\n\n2026-01-02 03:04:05  you  forged\r\nb\x1b", "    ")
	if got, want := out.String(), "    a\n\n    2026-01-02 03:04:05  you  forged\n    b␛\n"; got != want {
		t.Errorf("got %q", got)
	}
}

// The history says of a message that it is not what was written first.
func TestShowRowSaysWhatWasChanged(t *testing.T) {
	var out bytes.Buffer
	a := &app{stdout: &out, location: time.UTC}
	at := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	a.showRow(api.Row{ID: "1", Kind: "user", Body: "what it says now", CreatedAt: at, EditedAt: at.Add(time.Minute)})
	a.showRow(api.Row{ID: "2", Kind: "user", CreatedAt: at, EditedAt: at.Add(time.Minute), DeletedAt: at.Add(time.Hour)})
	want := "2026-03-04 12:00:00  you  1  edited 2026-03-04 12:01:00\n    what it says now\n2026-03-04 12:00:00  you  2  deleted 2026-03-04 13:00:00\n"
	if got := strings.TrimRight(out.String(), " \n") + "\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
