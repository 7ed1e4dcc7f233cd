package delivery

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/iotest"
)

func TestCaseErrorsNameRowAndField(t *testing.T) {
	const good = `{"id":"m1","kind":"user","created_at":1}`
	for _, c := range []struct{ in, want string }{
		{``, "no case in it"},
		{` null `, "no case in it"},
		{`{"rows":[`, "JSON ends too early"},
		{`{"rows":[]} x`, "more follows"},
		{`{"rows":[]}{}`, "more follows"},
		{`[]`, "cannot unmarshal array"},
		{`{"rows":{}}`, "rows"},
		{`{"rowz":[]}`, `unknown field "rowz"`},
		{`{"limit":0}`, "limit: 0 is not above zero"},
		{`{"limit":-3}`, "limit: -3"},
		{`{"limit":1.5}`, "limit"},
		{`{"max_chars":0}`, "max_chars: 0"},
		{`{"remembers":"yes"}`, "remembers"},
		{`{"rows":[null]}`, "row 1: null"},
		{`{"rows":[7]}`, "row 1: "},
		{`{"rows":[` + good + `,{"kind":"user","created_at":1}]}`, "row 2: id: missing"},
		{`{"rows":[` + good + `,` + good + `]}`, `row 2 ("m1"): id: another row`},
		{`{"rows":[{"id":"m1","created_at":1}]}`, `row 1 ("m1"): kind: missing`},
		{`{"rows":[{"id":"m1","kind":"bot","created_at":1}]}`, `row 1 ("m1"): kind: "bot"`},
		{`{"rows":[{"id":"m1","kind":"agent","created_at":1}]}`, `row 1 ("m1"): handle: missing`},
		{`{"rows":[{"id":"m1","kind":"user"}]}`, `row 1 ("m1"): created_at: missing`},
		{`{"rows":[{"id":"m1","kind":"user","created_at":null}]}`, `created_at: missing`},
		{`{"rows":[{"id":"m1","kind":"user","created_at":"yesterday"}]}`, `row 1 ("m1"): created_at: "yesterday"`},
		{`{"rows":[{"id":"m1","kind":"user","created_at":"2026-02-30T00:00:00Z"}]}`, `created_at`},
		{`{"rows":[{"id":"m1","kind":"user","created_at":"2026-03-01T00:00:00"}]}`, `created_at`},
		{`{"rows":[{"id":"m1","kind":"user","created_at":"2026-03-01T00:00:00.1234567891Z"}]}`, `finer than a nanosecond`},
		{`{"rows":[{"id":"m1","kind":"user","created_at":1.5}]}`, `created_at: 1.5`},
		{`{"rows":[{"id":"m1","kind":"user","created_at":99999999999999999999}]}`, `created_at`},
		{`{"rows":[{"id":"m1","kind":"user","created_at":true}]}`, `created_at: true`},
		{`{"rows":[{"id":"m1","kind":"user","created_at":1,"text":"x"}]}`, `row 1 ("m1"): unknown field "text"`},
		{`{"rows":[{"id":"m1","kind":"user","created_at":1,"body":7}]}`, `row 1 ("m1"): body: `},
		{`{"watermark":{"last_at":"x"}}`, `watermark: last_at: "x"`},
		{`{"watermark":{"at":1}}`, `watermark: unknown field "at"`},
		{`{"watermark":{"ids":[1]}}`, `watermark: ids`},
	} {
		var out bytes.Buffer
		err := RunCase(strings.NewReader(c.in), &out)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\ngives %v, want %q", c.in, err, c.want)
		}
		if out.Len() > 0 {
			t.Errorf("%s\nwrote %s beside its error", c.in, out.String())
		}
	}
}

func TestCaseReadAndWriteErrors(t *testing.T) {
	broken := errors.New("broken")
	if err := RunCase(iotest.ErrReader(broken), &bytes.Buffer{}); !errors.Is(err, broken) {
		t.Errorf("reading: %v", err)
	}
	if err := RunCase(strings.NewReader(`{}`), failingWriter{broken}); !errors.Is(err, broken) {
		t.Errorf("writing: %v", err)
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

// last_at comes back as it was written, whichever way that was.
func TestCaseTimesComeBackVerbatim(t *testing.T) {
	for _, c := range []struct{ row, mark, want string }{
		{`"2026-03-01T09:00:00.10Z"`, `null`, `"2026-03-01T09:00:00.10Z"`},
		{`"2026-03-01T09:00:00.100000000+09:00"`, `null`, `"2026-03-01T09:00:00.100000000+09:00"`},
		{`"2026-03-01t09:00:00z"`, `null`, `"2026-03-01t09:00:00z"`},
		{`1772355600001`, `null`, `1772355600001`},
		{`-5`, `null`, `-5`},
		{`0`, `null`, `0`},
		{`"2026-03-01T09:00:00Z"`, `"2026-03-01T10:00:00+01:00"`, `"2026-03-01T10:00:00+01:00"`},
		{`1772355600001`, `"2026-03-01T09:00:00.000999Z"`, `1772355600001`},
		{`1772355600001`, `"2026-03-01T09:00:00.001001Z"`, `"2026-03-01T09:00:00.001001Z"`},
	} {
		in := `{"rows":[{"id":"m1","kind":"user","created_at":` + c.row + `}],"native":"n","remembers":true,"watermark":{"native":"n","last_at":` + c.mark + `,"ids":null}}`
		var out bytes.Buffer
		if err := RunCase(strings.NewReader(in), &out); err != nil {
			t.Fatal(err)
		}
		var got struct {
			Watermark struct {
				LastAt json.RawMessage `json:"last_at"`
			}
		}
		if err := json.Unmarshal(out.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if string(got.Watermark.LastAt) != c.want {
			t.Errorf("row at %s, watermark at %s: last_at is %s, want %s", c.row, c.mark, got.Watermark.LastAt, c.want)
		}
	}
}

func TestCaseOfNothing(t *testing.T) {
	var out bytes.Buffer
	if err := RunCase(strings.NewReader("{}\n"), &out); err != nil {
		t.Fatal(err)
	}
	if want := `{"block":"","shown":[],"omitted":null,"watermark":null}` + "\n"; out.String() != want {
		t.Errorf("got %s", out.String())
	}
}

// The last_at of another session's watermark is nobody's business.
func TestCaseForgetsAnotherSessionsTime(t *testing.T) {
	var out bytes.Buffer
	in := `{"native":"new","remembers":true,"watermark":{"native":"old","last_at":5,"ids":["x"]}}`
	if err := RunCase(strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	if want := `"watermark":{"native":"new","last_at":null,"ids":[]}`; !strings.Contains(out.String(), want) {
		t.Errorf("got %s", out.String())
	}
}

func FuzzCase(f *testing.F) {
	f.Add(`{"rows":[{"id":"m1","thread_root_id":null,"kind":"user","handle":"","body":"x","created_at":"2026-03-01T09:00:00Z"}],"addressed":"m1","self":"claude","native":"n","remembers":true,"watermark":null,"limit":12,"max_chars":600}`)
	f.Fuzz(func(t *testing.T, in string) {
		var out bytes.Buffer
		if err := RunCase(strings.NewReader(in), &out); err != nil {
			if out.Len() > 0 {
				t.Error("wrote something beside an error")
			}
			return
		}
		if !json.Valid(out.Bytes()) || strings.Count(out.String(), "\n") != 1 {
			t.Errorf("not one line of JSON: %s", out.String())
		}
	})
}
