package api

import (
	"archive/zip"
	"encoding/json"
	"io"
	"log/slog"
	"strings"
	"testing"

	"hearth/backend/logs"
)

// What was shown is what is fetched, and the last one only is kept.
func TestReports(t *testing.T) {
	h := newHouse(t)
	if p := h.call("GET", "/api/reports/x", "").problem(t); p.Code != "not_found" {
		t.Errorf("before any was made: %+v", p)
	}
	make := func() (out Report) {
		t.Helper()
		a := h.call("POST", "/api/reports", "")
		if err := json.Unmarshal([]byte(a.body), &out); err != nil || a.status != 201 {
			t.Fatalf("%d %v %s", a.status, err, a.body)
		}
		return out
	}
	first, second := make(), make()
	if p := h.call("GET", "/api/reports/"+first.ID, "").problem(t); p.Code != "not_found" {
		t.Errorf("the first: %+v", p)
	}
	if p := h.call("GET", "/api/reports/"+second.ID+"?x=1", "").problem(t); p.Status != 422 {
		t.Errorf("with a parameter: %+v", p)
	}
	a := h.call("GET", "/api/reports/"+second.ID, "")
	if a.status != 200 || len(a.body) != second.Size || a.header.Get("Content-Type") != "application/zip" || !strings.Contains(a.header.Get("Content-Disposition"), second.Name) {
		t.Errorf("%d, %d bytes of %d, %v", a.status, len(a.body), second.Size, a.header)
	}
	z := must(zip.NewReader(strings.NewReader(a.body), int64(len(a.body))))
	if len(z.File) != len(second.Files) {
		t.Fatalf("%d files", len(z.File))
	}
	for i, f := range second.Files {
		text := must(io.ReadAll(must(z.File[i].Open())))
		if z.File[i].Name != f.Name || string(text) != f.Text || f.Size != len(text) {
			t.Errorf("%s: %q, shown as %+v", z.File[i].Name, text, f)
		}
	}
}

// What a caller asks of the log arrives.
func TestLogsAreAsked(t *testing.T) {
	h := newHouse(t)
	h.call("GET", "/api/logs?before=1-0&level=error&text=%ED%95%9C&limit=7", "")
	if want := (logs.Query{Before: "1-0", Level: slog.LevelError, Text: "한", Limit: 7}); h.asked != want {
		t.Errorf("asked %+v, want %+v", h.asked, want)
	}
	h.call("GET", "/api/logs", "")
	if want := (logs.Query{Level: slog.LevelDebug, Limit: 500}); h.asked != want {
		t.Errorf("asked %+v, want %+v", h.asked, want)
	}
}
