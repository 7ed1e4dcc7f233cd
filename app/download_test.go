package app

import (
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
)

// What the page saves comes from the API, whole, and from nowhere else.
func TestDownload(t *testing.T) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api/file":
			w.WriteHeader(http.StatusOK)
			io.WriteString(w, "PK\x00")
			io.WriteString(w, r.URL.RawQuery+r.Host)
		case "/api/large":
			piece := make([]byte, 1<<20)
			for range longestFile>>20 + 1 {
				w.Write(piece)
			}
		case "/api/panic":
			panic("fault")
		default:
			http.NotFound(w, r)
		}
	})
	q := newRequests(handler, slog.New(slog.DiscardHandler), "", "")
	for path, want := range map[string]string{
		"/api/file?x=1": "PK\x00x=1wails", "/api/none": "answered 404", "/api/panic": "answered 500", "/api/large": "larger than 64 MB",
		"/file": "no path of the API", "//evil.test/api/file": "no path of the API", "/api/\x00": "invalid",
	} {
		got, err := q.download(t.Context(), path)
		if err != nil {
			got = []byte(err.Error())
		}
		if !strings.Contains(string(got), want) || (err == nil) != strings.HasPrefix(want, "PK") {
			t.Errorf("%s: %.80q, %v", path, got, err)
		}
	}
	q.wait(0)
	if _, err := q.download(t.Context(), "/api/file"); err == nil {
		t.Error("the window is closed, and it was fetched")
	}
}
