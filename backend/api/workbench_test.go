package api

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"hearth/backend/chat"
	"hearth/backend/plain"
	"hearth/backend/workbench"
)

// bench puts a workbench with one of everything into the workspace.
func (h *house) bench(t *testing.T) *workbench.Bench {
	t.Helper()
	b := must(workbench.Open(h.workspace))
	if err := b.Prepare(chat.IgnoreAll); err != nil {
		t.Fatal(err)
	}
	for i, file := range [][2]string{
		{"scripts/check.sh", "#!/bin/sh\n# desc: run the tests\ngo test ./...\n"},
		{"notes/auth.md", "# Sessions are cookies\n"},
		{"artifacts/build.log", "ok\n"},
		{"spill/0123456789abcdef.txt", "a long test run\n"},
	} {
		h.put(t, b, file[0], file[1], i)
	}
	h.uses = map[string]ScriptUse{"scripts/check.sh": {Written: 3, Run: 12}}
	return b
}

// put writes a file of a workbench, changed so many minutes after the epoch.
func (h *house) put(t *testing.T, b *workbench.Bench, path, content string, minute int) {
	t.Helper()
	path = filepath.Join(b.Path(), path)
	when := epoch.Add(time.Duration(minute) * time.Minute)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o600), os.Chtimes(path, when, when)); err != nil {
		t.Fatal(err)
	}
}

func (h *house) workbenches(t *testing.T, query string) []Workbench {
	t.Helper()
	a := h.call("GET", "/api/channels/c1/workbench"+query, "")
	var got struct {
		Workbenches []Workbench `json:"workbenches"`
	}
	if err := json.Unmarshal([]byte(a.body), &got); err != nil || a.status != 200 {
		t.Fatalf("%d %v %s", a.status, err, a.body)
	}
	return got.Workbenches
}

func (h *house) piece(t *testing.T, query url.Values) WorkbenchPiece {
	t.Helper()
	a := h.call("GET", "/api/channels/c1/workbench/file?"+query.Encode(), "")
	var got WorkbenchPiece
	if err := json.Unmarshal([]byte(a.body), &got); err != nil || a.status != 200 {
		t.Fatalf("%v: %d %v %s", query, a.status, err, a.body)
	}
	return got
}

func (h *house) bytes(query url.Values, headers ...string) answer {
	return h.call("GET", "/api/channels/c1/workbench/bytes?"+query.Encode(), "", headers...)
}

func at(path string) url.Values { return url.Values{"path": {path}} }

func TestWorkbenchThatIsNotThere(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	got := h.workbenches(t, "")
	if len(got) != 1 || got[0].Exists || got[0].Fault != "" || len(got[0].Entries) != 0 || len(got[0].Kinds) != 4 || got[0].GitIgnore != "all" || !slices.Equal(got[0].BindingIDs, []string{"b2"}) {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat(got[0].Path); err == nil {
		t.Error("it was made")
	}
	if a := h.call("GET", "/api/channels/c1/workbench/file?path=scripts/x", ""); a.status != 404 || !strings.Contains(a.problem(t).Detail, "There is no workbench") {
		t.Errorf("%d %s", a.status, a.body)
	}
	h.alter(func(c *chat.Channel) { c.Workspace = "/gone"; c.Ignore = chat.IgnoreNothing })
	if got := h.workbenches(t, ""); !strings.Contains(got[0].Fault, "is not there any more") || !strings.HasSuffix(got[0].Fault, ".") || got[0].GitIgnore != "nothing" {
		t.Errorf("%+v", got)
	}
	if a := h.call("GET", "/api/channels/c1/workbench/find?q=x", ""); a.status != 409 {
		t.Errorf("%d %s", a.status, a.body)
	}
}

// Names and descriptions hold anything, and what they are is said.
func TestWorkbenchOfHostileEntries(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	b := h.bench(t)
	evil := map[string]string{
		"scripts/a\n- \u202eb":               "scripts/a␊- ⟦U+202E⟧b",
		"scripts/\xff\xfe":                   "scripts/\ufffd\ufffd",
		"scripts/<b>&":                       "scripts/<b>&",
		"scripts/" + strings.Repeat("가", 80): "scripts/" + strings.Repeat("가", 80),
	}
	for path := range evil {
		h.put(t, b, path, "# desc: \x1b[31m"+strings.Repeat("d", 400), 9)
	}
	in := func(name string) string { return filepath.Join(b.Path(), name) }
	if err := errors.Join(
		os.Symlink("/etc/passwd", in("notes/out")), os.Symlink("none", in("notes/dead")), os.Symlink("auth.md", in("notes/link")),
		os.Link(in("artifacts/build.log"), in("artifacts/hard")), syscall.Mkfifo(in("artifacts/fifo"), 0o600),
	); err != nil {
		t.Fatal(err)
	}
	whats, seen := map[string]string{}, 0
	for _, e := range h.workbenches(t, "")[0].Entries {
		whats[e.Path] = e.What
		path := e.Path
		if e.PathBytes != "" {
			path = string(must(base64.RawURLEncoding.DecodeString(e.PathBytes)))
		}
		want, mine := evil[path]
		if !mine {
			continue
		}
		seen++
		if e.Shown != want || e.Path != plain.Repair(path) || (e.PathBytes != "") == utf8.ValidString(path) {
			t.Errorf("%q: %+v", path, e)
		}
		if !strings.HasPrefix(e.Description, "␛[31mddd") || !strings.HasSuffix(e.Description, "d …") || plain.Length(e.Description) != maxDescription+2 {
			t.Errorf("%q: described as %q", path, e.Description)
		}
		query := at(e.Path)
		if e.PathBytes != "" {
			query = url.Values{"path_bytes": {e.PathBytes}}
		}
		if p := h.piece(t, query); p.Path != e.Path || p.PathBytes != e.PathBytes || p.Shown != e.Shown || !strings.HasPrefix(p.Text, "# desc: \x1b[31md") {
			t.Errorf("%q: read as %+v", path, p)
		}
		if a := h.bytes(query); a.status != 200 || !strings.HasPrefix(a.body, "# desc: ") || strings.ContainsAny(a.header.Get("Content-Disposition"), "\n\r") {
			t.Errorf("%q: %d %v", path, a.status, a.header)
		}
	}
	if seen != len(evil) {
		t.Errorf("%d of %d are listed", seen, len(evil))
	}
	for path, want := range map[string]string{
		"notes/out": "outside", "notes/dead": "dead", "notes/link": "link", "notes/auth.md": "file", "artifacts/hard": "hard_link", "artifacts/fifo": "special",
		"artifacts/build.log": "hard_link",
	} {
		if whats[path] != want {
			t.Errorf("%s is %q, want %q", path, whats[path], want)
		}
	}
	for path, want := range map[string]int{"notes/out": 403, "notes/dead": 404, "artifacts/build.log": 403, "artifacts/fifo": 422, "artifacts": 422, "/etc/passwd": 403} {
		for _, way := range []string{"file", "bytes"} {
			if a := h.call("GET", "/api/channels/c1/workbench/"+way+"?"+at(path).Encode(), ""); a.status != want || a.problem(t).Detail == "" {
				t.Errorf("%s of %s: %d %s", way, path, a.status, a.body)
			}
		}
	}
	if a := h.bytes(url.Values{"path": {"scripts/check.sh"}, "download": {"1"}}); a.status != 422 || !strings.Contains(a.body, "no parameter") {
		t.Errorf("another parameter: %d %s", a.status, a.body)
	}
}

// There can be thousands of spilled texts: they come in pages, the newest first, and
// the figures are of all.
func TestWorkbenchPages(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	b := h.bench(t)
	for i := range 450 {
		h.put(t, b, fmt.Sprintf("spill/%04d.txt", i), "12345", 10+i)
	}
	pages := func(query string, want int, more bool) (paths []string) {
		t.Helper()
		got := h.workbenches(t, query)[0]
		for _, e := range got.Entries {
			if e.Kind == "spill" {
				paths = append(paths, e.Path)
			}
		}
		spill := got.Kinds[3]
		if len(paths) != want || spill.More != more || spill.Entries != 451 || spill.Bytes != 450*5+16 || got.Kinds[0].Entries != 1 {
			t.Errorf("%s: %d entries, %+v", query, len(paths), got.Kinds)
		}
		return paths
	}
	all := pages("?kind=spill&limit=1000", 451, false)
	if all[0] != "spill/0449.txt" || all[449] != "spill/0000.txt" {
		t.Errorf("not the newest first: %s … %s", all[0], all[449])
	}
	paged := append(append(pages("", 200, true), pages("?offset=200", 200, true)...), pages("?kind=spill&offset=400", 51, false)...)
	if !slices.Equal(paged, all) {
		t.Error("the pages are not the whole")
	}
	pages("?kind=scripts", 0, false)
	pages("?offset=10000", 0, false)
	if got := h.workbenches(t, "?kind=notes")[0]; len(got.Entries) != 1 || got.Entries[0].Kind != "notes" {
		t.Errorf("only notes: %+v", got.Entries)
	}
}

func TestWorkbenchOutside(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	h.bench(t)
	h.outside = t.TempDir()
	b := must(workbench.OpenOutside(h.outside))
	h.put(t, b, "scripts/check.sh", "outside\n", 1)
	got := h.workbenches(t, "")
	if len(got) != 2 || got[0].Outside || !got[1].Outside || got[1].Name != b.Path() || got[1].Path != b.Path() {
		t.Fatalf("%+v", got)
	}
	if got := h.workbenches(t, "?bench="+url.QueryEscape(b.Path())); len(got) != 1 || !got[0].Outside {
		t.Errorf("%+v", got)
	}
	query := at("scripts/check.sh")
	if p := h.piece(t, query); p.Bench != got[0].Path {
		t.Errorf("%+v", p)
	}
	query.Set("bench", b.Path())
	if p := h.piece(t, query); p.Bench != b.Path() || p.Text != "outside\n" {
		t.Errorf("%+v", p)
	}
	if a := h.bytes(query); a.body != "outside\n" {
		t.Errorf("%+v", a)
	}
	query.Set("bench", "/etc")
	if a := h.bytes(query); a.status != 404 {
		t.Errorf("%+v", a)
	}
}

// Whatever the pieces, put together they are the whole, and none ends inside a
// character.
func TestWorkbenchPieces(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	b := h.bench(t)
	text := "plain\n한국어와 😀 तीन é\r\n" + strings.Repeat("가", 50) + "\xff\xc3(\xe2\x82 end\xf0\x9f"
	h.put(t, b, "artifacts/x", text, 1)
	for limit := 4; limit < 12; limit++ {
		whole, pieces := "", 0
		for offset := int64(0); ; pieces++ {
			q := at("artifacts/x")
			q.Set("limit", fmt.Sprint(limit))
			q.Set("offset", fmt.Sprint(offset))
			p := h.piece(t, q)
			if p.Offset != offset || p.Next <= offset || p.Next-p.Offset > int64(limit) || p.Size != int64(len(text)) || p.Binary || !p.Counted || p.Characters != plain.Length(text) || p.Lines != 3 {
				t.Fatalf("limit %d, offset %d: %+v", limit, offset, p)
			}
			whole += p.Text
			if offset = p.Next; offset == p.Size {
				break
			}
		}
		if whole != plain.Repair(text) {
			t.Errorf("limit %d: %q", limit, whole)
		}
	}
	// An offset inside a character begins before it.
	for offset := range len(text) + 1 {
		q := at("artifacts/x")
		q.Set("offset", fmt.Sprint(offset))
		p := h.piece(t, q)
		if want := plain.Repair(text[p.Offset:]); p.Text != want || int64(offset)-p.Offset > 3 || int64(offset) < p.Offset || p.Next != p.Size {
			t.Errorf("offset %d: %d %q", offset, p.Offset, p.Text)
		}
		if !strings.HasSuffix(plain.Repair(text), p.Text) {
			t.Errorf("offset %d: %q is no end of the text", offset, p.Text)
		}
	}
	for path, check := range map[string]func(WorkbenchPiece) bool{
		"artifacts/empty": func(p WorkbenchPiece) bool {
			return p.Size == 0 && p.Text == "" && p.Next == 0 && !p.Binary && p.Counted
		},
		"artifacts/binary": func(p WorkbenchPiece) bool { return p.Binary && p.Image == "" && p.Text == "a\x00b" },
		"artifacts/image":  func(p WorkbenchPiece) bool { return p.Binary && p.Image == "image/png" },
		"artifacts/large": func(p WorkbenchPiece) bool {
			return !p.Counted && p.Characters == 0 && p.Next == 65536 && len(p.Text) == 65536 && p.Size == maxCounted+1
		},
	} {
		h.put(t, b, path, map[string]string{"artifacts/binary": "a\x00b", "artifacts/image": picture, "artifacts/large": strings.Repeat("x", maxCounted+1)}[path], 1)
		if p := h.piece(t, at(path)); !check(p) {
			p.Text = fmt.Sprint(len(p.Text))
			t.Errorf("%s: %+v", path, p)
		}
	}
}

// An image is shown where nothing in it can run, and all else is bytes to be saved.
func TestWorkbenchBytes(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	b := h.bench(t)
	page := "<!doctype html><script>alert(1)</script>"
	for path, want := range map[string]struct{ content, media, shown string }{
		"artifacts/plot.png":  {picture, "image/png", "inline"},
		"artifacts/plot.txt":  {scripted, "image/svg+xml", "inline"},
		"artifacts/page.png":  {page, octets, "attachment"},
		"artifacts/page.html": {page, octets, "attachment"},
		"scripts/x.js":        {"alert(1)", octets, "attachment"},
		"spill/x.txt":         {"%PDF-1.7", octets, "attachment"},
		"notes/empty.md":      {"", octets, "attachment"},
	} {
		h.put(t, b, path, want.content, 1)
		a := h.bytes(at(path))
		if a.status != 200 || a.body != want.content || a.header.Get("Content-Type") != want.media || !strings.HasPrefix(a.header.Get("Content-Disposition"), want.shown+"; filename=") ||
			a.header.Get("X-Content-Type-Options") != "nosniff" || a.header.Get("Content-Security-Policy") != imagePolicy || a.header.Get("Cache-Control") != "private, no-cache" {
			t.Errorf("%s: %d %v %q", path, a.status, a.header, a.body)
		}
		if again := h.bytes(at(path), "If-None-Match", a.header.Get("ETag")); again.status != 304 {
			t.Errorf("%s: asked again: %d", path, again.status)
		}
	}
	a := h.bytes(at("artifacts/page.html"), "Range", "bytes=10-13")
	if a.status != 206 || a.body != page[10:14] || a.header.Get("Content-Range") != fmt.Sprintf("bytes 10-13/%d", len(page)) {
		t.Errorf("a part: %d %v %q", a.status, a.header, a.body)
	}
	h.put(t, b, "artifacts/page.html", page, 2)
	if a := h.bytes(at("artifacts/page.html"), "Range", "bytes=10-13", "If-Match", a.header.Get("ETag")); a.status != 412 {
		t.Errorf("a part of another file: %d", a.status)
	}
}

func TestWorkbenchFind(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	b := h.bench(t)
	h.outside = t.TempDir()
	outside := must(workbench.OpenOutside(h.outside))
	h.put(t, outside, "notes/\xff", "a TEST \u202eoutside\n", 1)
	find := func(query string) (found []WorkbenchMatch, more bool) {
		t.Helper()
		var got struct {
			Matches []WorkbenchMatch `json:"matches"`
			More    bool             `json:"more"`
		}
		a := h.call("GET", "/api/channels/c1/workbench/find?"+query, "")
		if err := json.Unmarshal([]byte(a.body), &got); err != nil || a.status != 200 || got.Matches == nil {
			t.Fatalf("%s: %d %v %s", query, a.status, err, a.body)
		}
		return got.Matches, got.More
	}
	got, more := find("q=test")
	want := []WorkbenchMatch{
		{Bench: b.Path(), Kind: "scripts", Path: "scripts/check.sh", Shown: "scripts/check.sh", Line: 2, Text: "# desc: run the tests"},
		{Bench: b.Path(), Kind: "scripts", Path: "scripts/check.sh", Shown: "scripts/check.sh", Line: 3, Text: "go test ./..."},
		{Bench: b.Path(), Kind: "spill", Path: "spill/0123456789abcdef.txt", Shown: "spill/0123456789abcdef.txt", Line: 1, Text: "a long test run"},
		{Bench: outside.Path(), Kind: "notes", Path: "notes/\ufffd", PathBytes: "bm90ZXMv_w", Shown: "notes/\ufffd", Line: 1, Text: "a TEST ⟦U+202E⟧outside"},
	}
	if !slices.Equal(got, want) || more {
		t.Errorf("%+v %t", got, more)
	}
	if got, more := find("q=test&limit=1"); len(got) != 1+1 || !more { // the fake's limit is of each
		t.Errorf("%+v %t", got, more)
	}
	if got, more := find("q=nothing"); len(got) != 0 || more {
		t.Errorf("%+v %t", got, more)
	}
	// What was found in time is the answer.
	h.fail["FindEntries"] = context.DeadlineExceeded
	if got, more := find("q=test"); len(got) != 0 || !more {
		t.Errorf("%+v %t", got, more)
	}
}

func FuzzPieces(f *testing.F) {
	for _, text := range []string{"", "abc", "가나다", "\xff\xc3(\xe2\x82", "😀\xf0\x9f", "\x80\x80\x80\x80\x80"} {
		f.Add([]byte(text), 2, 4)
	}
	f.Fuzz(func(t *testing.T, text []byte, offset, limit int) {
		if offset < 0 || offset > len(text) || limit < utf8.UTFMax || limit > 1<<20 {
			return
		}
		before := min(offset, utf8.UTFMax-1)
		piece := text[offset-before : min(len(text), offset+limit+utf8.UTFMax)]
		begin, end := betweenCharacters(piece, before, limit)
		if begin > before || before-begin > 3 || end-begin > limit || end < before || (end <= before && offset < len(text)) {
			t.Fatalf("%q at %d, %d: %d to %d of %d", text, offset, limit, begin, end, before)
		}
		from, to := offset-before+begin, offset-before+end
		if got, want := plain.Repair(string(text[:from]))+plain.Repair(string(text[from:to]))+plain.Repair(string(text[to:])), plain.Repair(string(text)); got != want {
			t.Fatalf("%q at %d, %d: cut in %q", text, offset, limit, text[from:to])
		}
	})
}

func TestWorkbenchTrash(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	b := h.bench(t)
	h.put(t, b, "artifacts/\xff", "bytes", 9)
	deletes := func(body string) (got struct {
		Deleted []WorkbenchDeleted
		Refused []WorkbenchRefused
	}) {
		t.Helper()
		a := h.call("POST", "/api/channels/c1/workbench/delete", body)
		if err := json.Unmarshal([]byte(a.body), &got); err != nil || a.status != 200 {
			t.Fatalf("%d %v %s", a.status, err, a.body)
		}
		return got
	}
	got := deletes(`{"files":[{"path_bytes":"YXJ0aWZhY3RzL_8"},{"path":"INDEX.md"},{"path":"../x"}]}`)
	if len(got.Deleted) != 1 || got.Deleted[0].PathBytes != "YXJ0aWZhY3RzL_8" || got.Deleted[0].Path != "artifacts/\ufffd" || !got.Deleted[0].KeptUntil.Equal(got.Deleted[0].DeletedAt.AddDate(0, 0, 7)) {
		t.Errorf("%+v", got.Deleted)
	}
	if len(got.Refused) != 2 || !strings.Contains(got.Refused[0].Fault, "made by Hearth") || !strings.Contains(got.Refused[1].Fault, "outside of the workbench") {
		t.Errorf("%+v", got.Refused)
	}
	id := got.Deleted[0].ID
	restore := func(body string) answer { return h.call("POST", "/api/channels/c1/workbench/restore", body) }
	h.put(t, b, "artifacts/\xff", "newer", 9)
	if a := restore(fmt.Sprintf(`{"deleted":%q,"path_bytes":"YXJ0aWZhY3RzL_8"}`, id)); a.status != 409 || !strings.Contains(a.problem(t).Detail, "under another name") {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := restore(fmt.Sprintf(`{"deleted":%q,"path_bytes":"YXJ0aWZhY3RzL_8","as":"artifacts/x"}`, id)); a.status != 200 || !strings.Contains(a.body, `"artifacts/x"`) {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := restore(fmt.Sprintf(`{"deleted":%q,"path":"artifacts/x"}`, id)); a.status != 404 {
		t.Errorf("%d %s", a.status, a.body)
	}
	for _, body := range []string{`{"files":[]}`, `{"files":[{}]}`, `{"files":[{"path":"x","path_bytes":"eA"}]}`, `{"files":[{"path_bytes":"!"}]}`} {
		if a := h.call("POST", "/api/channels/c1/workbench/delete", body); a.status != 422 {
			t.Errorf("%s: %d %s", body, a.status, a.body)
		}
	}
}

func TestWorkbenchSettings(t *testing.T) {
	h := newHouse(t)
	for body, says := range map[string]string{
		`{"editor":"vim"}`: "needs a terminal", `{"editor":"code | sh"}`: "no program with arguments", `{"trash_days":0}`: "", `{"trash_days":366}`: "", `{"other":1}`: "",
	} {
		if a := h.call("PATCH", "/api/workbench/settings", body); a.status != 422 || !strings.Contains(a.body, says) {
			t.Errorf("%s: %d %s", body, a.status, a.body)
		}
	}
	if h.chosen != (workbench.Settings{TrashDays: 7}) {
		t.Errorf("%+v", h.chosen)
	}
}

// Only a file of a workbench is opened, and what the desktop says is told.
func TestOpenWorkbenchFile(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	b := h.bench(t)
	if err := os.Symlink("/etc/passwd", filepath.Join(b.Path(), "scripts/out")); err != nil {
		t.Fatal(err)
	}
	open := func(path, in string) answer {
		return h.call("POST", "/api/channels/c1/workbench/open", fmt.Sprintf(`{"path":%q,"in":%q}`, path, in))
	}
	for path, status := range map[string]int{"scripts/out": 403, "../x": 403, "/etc/passwd": 403, "scripts/none": 404, "scripts": 422} {
		if a := open(path, "editor"); a.status != status {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
	if a := open("scripts/check.sh", "shell"); a.status != 422 {
		t.Errorf("%d %s", a.status, a.body)
	}
	if len(h.did) != 0 {
		t.Errorf("%q", h.did)
	}
	for in, want := range map[string]string{"folder": "true", "editor": "false"} {
		h.did = nil
		if a := open("INDEX.md", in); a.status != 404 {
			t.Errorf("%d %s", a.status, a.body)
		}
		if a := open("scripts/check.sh", in); a.status != 204 || !slices.Equal(h.did, []string{"show scripts/check.sh " + want}) {
			t.Errorf("%d %s %q", a.status, a.body, h.did)
		}
	}
	h.fail["ShowEntry"] = chat.Errorf(chat.CodeUnavailable, "There is no display.")
	if a := open("scripts/check.sh", "editor"); a.status != 503 || a.problem(t).Detail != "There is no display." {
		t.Errorf("%d %s", a.status, a.body)
	}
}
