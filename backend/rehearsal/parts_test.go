package rehearsal

import (
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"hearth/backend/standin"
)

// request is one as the stand-in understands it.
func request(t *testing.T, body string) standin.Request {
	t.Helper()
	m := newModel(false)
	r := httptest.NewRequest(http.MethodPost, "/v1/messages", strings.NewReader(body))
	r.Header.Set("X-Api-Key", "k")
	answer := httptest.NewRecorder()
	m.ServeHTTP(answer, r)
	if answer.Code != http.StatusOK {
		text, _ := io.ReadAll(answer.Body)
		t.Fatalf("%d %s", answer.Code, text)
	}
	return m.Book()[0].Request
}

func mustParts(t *testing.T, body string) []part {
	t.Helper()
	parts, err := partsOf(request(t, body))
	if err != nil {
		t.Fatal(err)
	}
	return parts
}

const (
	before = `{"model":"m","max_tokens":1,"tools":[{"name":"Bash","description":"runs <x>"},{"name":"Read"}],
		"system":[{"type":"text","text":"you"},{"type":"text","text":"in /one","cache_control":{"type":"ephemeral"}}],
		"messages":[{"role":"user","content":[{"type":"text","text":"hello"}]},{"role":"system","content":[{"type":"text","text":"day 1","cache_control":{"type":"ephemeral"}}]}]}`
	goesOn = `{"model":"m","max_tokens":1,"tools":[{"description":"runs <x>","name":"Bash"},{"name":"Read"}],
		"system":[{"type":"text","text":"you","cache_control":{"type":"ephemeral"}},{"type":"text","text":"in /one"}],
		"messages":[{"role":"user","content":"hello"},{"role":"system","content":"day 1"},{"role":"assistant","content":"yes"},{"role":"user","content":"go"}]}`
	another = `{"model":"m","max_tokens":1,"tools":[{"name":"Bash","description":"runs <y>"},{"name":"Write"}],
		"system":[{"type":"text","text":"you"},{"type":"text","text":"in /two"}],
		"messages":[{"role":"user","content":"hello"},{"role":"system","content":"day 2"}]}`
)

func TestPartsAreTheContentWithoutTheMarks(t *testing.T) {
	want := []part{
		{"tool Bash", 0, `{"description":"runs <x>","name":"Bash"}`},
		{"tool Read", 0, `{"name":"Read"}`},
		{"system prompt, block 1", 0, "you"},
		{"system prompt, block 2", 0, "in /one"},
		{"message 1 (user), block 1", 1, "user\nhello"},
		{"message 2 (system), block 1", 2, "system\nday 1"},
	}
	if got := mustParts(t, before); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

func TestExtends(t *testing.T) {
	first := mustParts(t, before)
	for body, want := range map[string]string{goesOn: "", another: "tool Bash"} {
		if got := extends(first, mustParts(t, body)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := extends(first, first[:3]); got != "system prompt, block 2" {
		t.Errorf("a shorter one: %q", got)
	}
}

func TestDifferences(t *testing.T) {
	first := mustParts(t, before)
	if got := differences(first, first); got != nil {
		t.Errorf("from itself: %+v", got)
	}
	want := []Difference{
		{"tool Bash", true, `{"description":"runs <x>","name":"Bash"}`, `{"description":"runs <y>","name":"Bash"}`},
		{"tool Write", true, "", `{"name":"Write"}`},
		{"system prompt, block 2", true, "in /one", "in /two"},
		{"message 2 (system), block 1", false, "system␊day 1", "system␊day 2"},
		{"tool Read", true, `{"name":"Read"}`, ""},
	}
	if got := differences(first, mustParts(t, another)); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	var many []part
	for i := range 2 * maxDifferences {
		many = append(many, part{name: strings.Repeat("x", i)})
	}
	if got := differences(nil, many); len(got) != maxDifferences {
		t.Errorf("%d differences", len(got))
	}
}

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("한국어 ", 100)
	for at := range len(long) {
		if got := excerpt(long, at); !utf8.ValidString(got) || len(got) > 120 {
			t.Fatalf("at %d: %q", at, got)
		}
	}
	if got := excerpt("a\nb\x1b[31m", 0); got != "a␊b␛[31m" {
		t.Errorf("%q", got)
	}
	if got := excerpt("", 0); got != "" {
		t.Errorf("%q", got)
	}
}

// What arrived is a block of the newest message of role user, to the byte.
func TestArrived(t *testing.T) {
	r := request(t, before)
	for text, want := range map[string]bool{"hello": true, "hell": false, "day 1": false, "hello ": false} {
		if arrived(r, text) != want {
			t.Errorf("%q arrived: %v", text, !want)
		}
	}
	if arrived(request(t, goesOn), "hello") {
		t.Error("an older message counts as the newest")
	}
}

func TestDayTitle(t *testing.T) {
	for at, want := range map[string]string{
		"2026-06-15T12:00:00Z": "another day",
		"2026-06-30T11:59:00Z": "another day, in another month",
		"2026-07-01T11:59:00Z": "another day, in another month",
		"2026-07-01T12:00:00Z": "another day",
		"2026-12-31T12:00:00Z": "another day, in another year",
	} {
		now, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		if got := dayTitle(now); got != want {
			t.Errorf("%s: %q, want %q", at, got, want)
		}
		behind, err := time.LoadLocation(west)
		if err != nil {
			t.Fatal(err)
		}
		ahead, err := time.LoadLocation(east)
		if err != nil {
			t.Fatal(err)
		}
		if now.In(behind).YearDay() == now.In(ahead).YearDay() {
			t.Errorf("%s: both zones have the same day", at)
		}
	}
}
