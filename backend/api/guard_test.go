package api

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestHostileBodies(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	const path = "/api/channels/c1/messages"
	long := `{"body":"` + strings.Repeat("x", maxBody) + `"}`
	for _, test := range []struct {
		name    string
		body    string
		headers []string
		want    int
		says    string
	}{
		{"fine", `{"body":"héllo"}`, []string{"Content-Type", "application/json"}, 201, ""},
		{"fine, charset", `{"body":"x"}`, []string{"Content-Type", "application/json; charset=UTF-8"}, 201, ""},
		{"the longest message", `{"body":"` + strings.Repeat(`\ud83d\ude00`, 100_000) + `"}`, []string{"Content-Type", "application/json"}, 201, ""},
		{"one character more", `{"body":"` + strings.Repeat("x", 100_001) + `"}`, []string{"Content-Type", "application/json"}, 413, "100001 characters"},
		{"too long", long, []string{"Content-Type", "application/json"}, 413, "2097152 bytes"},
		{"too long and no JSON", long, []string{"Content-Type", "text/plain"}, 413, "2097152 bytes"},
		{"no type", `{"body":"x"}`, []string{"X-Nothing", ""}, 415, "application/json"},
		{"a form", `body=x`, []string{"Content-Type", "application/x-www-form-urlencoded"}, 415, "application/json"},
		{"plain text", `{"body":"x"}`, []string{"Content-Type", "text/plain"}, 415, "application/json"},
		{"JSON of another kind", `{"body":"x"}`, []string{"Content-Type", "application/merge-patch+json"}, 415, "application/json"},
		{"another charset", `{"body":"x"}`, []string{"Content-Type", "application/json; charset=latin1"}, 415, "UTF-8"},
		{"type that can't be read", `{"body":"x"}`, []string{"Content-Type", "application/json; charset"}, 415, "application/json"},
		{"bad UTF-8", "{\"body\":\"a\xffb\"}", []string{"Content-Type", "application/json"}, 400, "at byte 10"},
		{"surrogate as bytes", "{\"body\":\"\xed\xa0\x80\"}", []string{"Content-Type", "application/json"}, 400, "at byte 9"},
		{"byte order mark", "\ufeff{\"body\":\"x\"}", []string{"Content-Type", "application/json"}, 400, "not right"},
		{"NUL", `{"body":"a\u0000b"}`, []string{"Content-Type", "application/json"}, 422, "NUL"},
		{"deep", strings.Repeat("[", 200_000), []string{"Content-Type", "application/json"}, 400, "not right"},
		{"many unknown keys", `{"body":"x",` + strings.Repeat(`"k":1,`, 10000) + `"z":1}`, []string{"Content-Type", "application/json"}, 422, "unexpected property"},
		{"a huge unknown key", `{"body":"x","` + strings.Repeat("k", 100_000) + `":1}`, []string{"Content-Type", "application/json"}, 422, "unexpected property"},
		{"a key that writes to the terminal", `{"body":"x","\u001b[2J":1}`, []string{"Content-Type", "application/json"}, 422, "␛[2J"},
		{"a number too big", `{"body":1e999}`, []string{"Content-Type", "application/json"}, 400, "not right"},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := h.call("POST", path, test.body, test.headers...)
			if a.status != test.want {
				t.Fatalf("got %d %.300s, want %d", a.status, a.body, test.want)
			}
			if test.want < 400 {
				return
			}
			if p := a.problem(t); !strings.Contains(p.Detail, test.says) {
				t.Errorf("says %q", p.Detail)
			}
			if len(a.body) > 4096 {
				t.Errorf("an answer of %d bytes", len(a.body))
			}
		})
	}
	if len(h.rows) != 1+3 {
		t.Errorf("%d rows were written", len(h.rows))
	}
}

func TestManyUnknownKeys(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	var body strings.Builder
	body.WriteString(`{"body":"x"`)
	for i := range 5000 {
		body.WriteString(`,"k` + strings.Repeat("y", i%50) + string(rune('a'+i%26)) + `":1`)
	}
	body.WriteString("}")
	a := h.call("POST", "/api/channels/c1/messages", body.String())
	if p := a.problem(t); len(p.Errors) == 0 || len(p.Errors) > 10 || len(a.body) > 8192 {
		t.Errorf("%d errors in %d bytes", len(p.Errors), len(a.body))
	}
}

// A body that stops half-way, and one that is not there though announced.
func TestBodyThatDoesNotArrive(t *testing.T) {
	h := newHouse(t)
	r := httptest.NewRequestWithContext(t.Context(), "POST", "/api/channels", io.MultiReader(strings.NewReader(`{"name":`), broken{}))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.handler.ServeHTTP(w, r)
	p := answer{w.Code, w.Result().Header, w.Body.String()}.problem(t)
	if p.Status != http.StatusBadRequest || !strings.Contains(p.Detail, "unexpected EOF") {
		t.Errorf("got %+v", p)
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// A panic after the answer has begun can't be answered any more, and one that
// means "drop the connection" is passed on.
func TestPanics(t *testing.T) {
	s := &server{Deps: Deps{Log: discard()}}
	w := httptest.NewRecorder()
	s.recovering(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "begun")
		panic("late")
	})).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "/", nil))
	if w.Body.String() != "begun" {
		t.Errorf("got %q", w.Body.String())
	}
	defer func() {
		if recover() == nil {
			t.Error("http.ErrAbortHandler was swallowed")
		}
	}()
	s.recovering(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		panic(http.ErrAbortHandler)
	})).ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), "GET", "/", nil))
}

func TestPage(t *testing.T) {
	h := newHouse(t)
	const page, script = "<!doctype html><title>Hearth</title>", "export {}"
	for _, test := range []struct {
		method, path string
		status       int
		body, cache  string
	}{
		{"GET", "/", 200, page, "no-cache"},
		{"GET", "/index.html", 200, page, "no-cache"},
		{"GET", "/channels/c1", 200, page, "no-cache"},
		{"GET", "/apiary", 200, page, "no-cache"},
		{"GET", "/assets", 200, page, "no-cache"}, // a folder is no file
		{"GET", "/../../etc/passwd", 200, page, "no-cache"},
		{"GET", "/a/%2e%2e/icon.svg", 200, "<svg/>", ""},
		{"GET", "/icon.svg", 200, "<svg/>", ""},
		{"HEAD", "/icon.svg", 200, "", ""},
		{"GET", "/assets/a1b2.js", 200, script, "public, max-age=31536000, immutable"},
		{"GET", "/assets/gone.js", 404, "", ""},
		{"GET", "/assets/deep", 404, "", ""},
		{"POST", "/", 405, "", ""},
		{"DELETE", "/icon.svg", 405, "", ""},
	} {
		a := h.call(test.method, test.path, "")
		if a.status != test.status || a.header.Get("Cache-Control") != test.cache {
			t.Errorf("%s %s: %d, cache %q", test.method, test.path, a.status, a.header.Get("Cache-Control"))
		}
		if test.status == 200 && a.body != test.body {
			t.Errorf("%s %s: %q", test.method, test.path, a.body)
		}
		if test.status >= 400 {
			a.problem(t)
		}
		if !strings.HasPrefix(a.header.Get("Content-Security-Policy"), "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'") {
			t.Errorf("%s %s: policy %q", test.method, test.path, a.header.Get("Content-Security-Policy"))
		}
	}
	bare := New(Deps{Store: h.fake, Runs: h.fake, Presence: h.fake, Bus: h.bus})
	if p := call(bare, "GET", "/", "").problem(t); p.Status != http.StatusNotFound {
		t.Errorf("without a page: %+v", p)
	}
}

func FuzzBody(f *testing.F) {
	for _, seed := range []string{`{"body":"x"}`, `{"body":"x","author":"aiko","thread_root_id":"r3"}`, `[`, "\xff", `{"body":{"body":1}}`, `{"BODY":"x"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		h := newHouse(t)
		h.furnish(t)
		r := httptest.NewRequestWithContext(t.Context(), "POST", "/api/channels/c1/messages", bytes.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.handler.ServeHTTP(w, r)
		if w.Code >= 500 {
			t.Errorf("%q: %d %s", body, w.Code, w.Body.String())
		}
		if w.Code >= 400 {
			answer{w.Code, w.Result().Header, w.Body.String()}.problem(t)
		}
	})
}
