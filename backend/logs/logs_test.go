package logs

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
	"gopkg.in/natefinch/lumberjack.v2"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		// The file is kept by a goroutine that nothing can end; the program ends it.
		goleak.IgnoreTopFunction("gopkg.in/natefinch/lumberjack%2ev2.(*Logger).millRun"))
}

func read(t *testing.T, dir string, q Query) Page {
	t.Helper()
	page, err := Folder(dir).Read(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// said is the lines' texts, one a line.
func said(p Page) string {
	var out []string
	for _, l := range p.Lines {
		out = append(out, l.Level.String()+" "+l.String())
	}
	return strings.Join(out, "\n")
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	if page := read(t, dir, Query{}); len(page.Lines) != 0 || page.More || page.Reset || page.Next != "" {
		t.Errorf("nothing was written: %+v", page)
	}
	log := New(dir, slog.LevelDebug)
	log.Debug("small", "n", 1)
	log.Info("한국어 हिन्दी", "path", "/a b/c", "empty", "")
	log.Warn("odd", "text", "one\ntwo\x1b[31m\u202ered\xff", "a key", "=\"quoted\"")
	log.Error("large", "error", fmt.Errorf("open %q: no", "x"))
	page := read(t, dir, Query{Level: slog.LevelDebug})
	want := strings.Join([]string{
		`DEBUG small n=1`,
		`INFO 한국어 हिन्दी path="/a b/c" empty=""`,
		page.Lines[2].Level.String() + " " + page.Lines[2].String(),
		`ERROR large error="open \"x\": no"`,
	}, "\n")
	if got := said(page); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if odd := page.Lines[2].String(); strings.ContainsAny(odd, "\n\x1b\u202e") || !strings.Contains(odd, "red") {
		t.Errorf("not safe to show: %q", odd)
	}
	if page.Lines[0].At.IsZero() || time.Since(page.Lines[0].At) < 0 {
		t.Errorf("at %v", page.Lines[0].At)
	}
	for _, test := range []struct {
		q    Query
		want string
	}{
		{Query{Level: slog.LevelWarn}, "WARN ERROR"},
		{Query{Level: slog.LevelDebug, Text: "हिन्दी"}, "INFO"},
		{Query{Level: slog.LevelDebug, Text: "N=1"}, "DEBUG"},
		{Query{Level: slog.LevelDebug, Text: "nowhere"}, ""},
		{Query{Level: slog.LevelDebug, Limit: 1}, "ERROR"},
	} {
		var levels []string
		for _, l := range read(t, dir, test.q).Lines {
			levels = append(levels, l.Level.String())
		}
		if got := strings.Join(levels, " "); got != test.want {
			t.Errorf("%+v: got %q, want %q", test.q, got, test.want)
		}
	}
}

// What is no record of ours is shown all the same.
func TestForeignLines(t *testing.T) {
	dir := t.TempDir()
	lines := []string{
		"panic: out of luck", "", `time=2026-01-02T03:04:05Z level=LOUD msg=x`, `time=now level=INFO msg=x`, `level=INFO msg=x`, `a="b`, "\x00\xff=\x1b",
		strings.Repeat("a", maxValue+10),
	}
	text := strings.Join(lines, "\r\n") + "\r\ntime=2026-01-02T03:04:05Z level=INFO msg=unfinished"
	if err := os.WriteFile(Path(dir), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	page := read(t, dir, Query{})
	if len(page.Lines) != len(lines) {
		t.Fatalf("%d lines: %q", len(page.Lines), said(page))
	}
	for i, l := range page.Lines {
		if !l.At.IsZero() || l.Level != slog.LevelInfo || len(l.Attributes) > 0 {
			t.Errorf("%q: %+v", lines[i], l)
		}
	}
	if page.Lines[0].Message != lines[0] || !strings.HasSuffix(page.Lines[7].Message, "… (10 characters more in the file)") {
		t.Errorf("%q", said(page))
	}
	// A line that was being written comes when it is whole.
	f, err := os.OpenFile(Path(dir), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(f, " n=2")
	f.Close()
	if got := said(read(t, dir, Query{After: page.Next})); got != "INFO unfinished n=2" {
		t.Errorf("then %q", got)
	}
}

// Nothing is lost or told twice while files are put aside, and pages lead back to
// the first line that is left.
func TestFollowAcrossFiles(t *testing.T) {
	dir := t.TempDir()
	file := &lumberjack.Logger{Filename: Path(dir), MaxSize: 1, MaxBackups: maxOlder}
	t.Cleanup(func() { file.Close() })
	log := newLogger(file, slog.LevelInfo)
	cursor, next := "", 0
	follow := func() {
		t.Helper()
		for {
			page := read(t, dir, Query{After: cursor, Limit: 70})
			if page.Reset {
				t.Fatalf("at %d: the place is gone", next)
			}
			for _, l := range page.Lines {
				if l.Message != fmt.Sprint(next) {
					t.Fatalf("got line %s, want %d", l.Message, next)
				}
				next++
			}
			if cursor = page.Next; len(page.Lines) < 70 {
				return
			}
		}
	}
	padding := strings.Repeat("x", 4000)
	for n := range 600 { // 2.4 MB: three files
		log.Info(fmt.Sprint(n), "padding", padding)
		if n == 0 || n%100 == 99 {
			follow()
		}
	}
	if next != 600 {
		t.Errorf("followed to %d", next)
	}
	var back []string
	for q := (Query{Limit: 90}); ; {
		page := read(t, dir, q)
		for i := len(page.Lines) - 1; i >= 0; i-- {
			back = append(back, page.Lines[i].Message)
		}
		if !page.More {
			break
		}
		q.Before = page.Lines[0].ID
	}
	for i, message := range back {
		if message != fmt.Sprint(599-i) {
			t.Fatalf("back %d is line %s", i, message)
		}
	}
	if len(back) != 600 {
		t.Errorf("paged back over %d lines", len(back))
	}

	// A cursor whose file is gone, of another file, or no cursor at all.
	old, err := filepath.Glob(filepath.Join(dir, "hearth-*.log"))
	if err != nil || len(old) != 2 {
		t.Fatalf("%v, %v", old, err)
	}
	first := read(t, dir, Query{Limit: MaxLines}).Lines[0].ID
	for _, name := range old {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	for _, cursor := range []string{first, cursor + "0", "nonsense", "-", "zz-1", strings.Repeat("z", 100)} {
		for _, q := range []Query{{After: cursor, Limit: 1}, {Before: cursor, Limit: 1}} {
			if page := read(t, dir, q); !page.Reset || len(page.Lines) != 1 || page.Lines[0].Message != "599" {
				t.Errorf("%+v: %v %q", q, page.Reset, page.Lines[0].Message)
			}
		}
	}
}

// A folder's name may hold what a pattern would read as one, and the log may be
// something that can't be read.
func TestOddPlaces(t *testing.T) {
	dir := filepath.Join(t.TempDir(), `od[d]*?\`)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, message := range map[string]string{Name: "new", "hearth-2026-01-02T03-04-05.000.log": "old"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("time=2026-01-02T03:04:05Z level=INFO msg="+message+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := said(read(t, dir, Query{})); got != "INFO old\nINFO new" {
		t.Errorf("got %q", got)
	}
	pipe := t.TempDir()
	if err := syscall.Mkfifo(Path(pipe), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Folder(pipe).Read(t.Context(), Query{}); err == nil || !strings.Contains(err.Error(), "is not a file") {
		t.Errorf("a pipe: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`time=2026-01-02T03:04:05Z level=WARN msg="a b" k="\x1b" "odd key"=v`)
	f.Add("=\"\xff")
	f.Fuzz(func(t *testing.T, raw string) {
		line := parse(raw)
		if s := line.String(); strings.ContainsAny(s, "\n\r\x1b\u202e") {
			t.Errorf("%q shows %q", raw, s)
		}
	})
}
