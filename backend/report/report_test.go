package report

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"hearth/backend/golden"
	"hearth/backend/logs"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("gopkg.in/natefinch/lumberjack%2ev2.(*Logger).millRun"))
}

var at = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

var private = Private{
	Home: "/home/aiko", DataDir: "/home/aiko/.local/share/hearth",
	Workspaces: []string{"/home/aiko/src/Black Swan", "/home/aiko/src/Black Swan/inner", "/srv/acme", "/"},
	Secrets:    []string{"s3cret", "pass word/!", "", "x"},
	Texts:      []string{"short", "the merger is on friday\nand nobody knows of it yet", "한국어로 쓴 비밀 이야기입니다"},
}

// What is private in what Hearth itself says is taken out, and the rest stays.
func TestClean(t *testing.T) {
	c := newCleaner(private)
	for _, test := range []struct{ said, want string }{
		{"open store: no space left on device", "open store: no space left on device"},
		{"it took 2/3 of 4 s and/or less", "it took 2/3 of 4 s and/or less"},
		{"key sk-ant-api03-AbC_d-123 is wrong", "key [secret] is wrong"},
		{"xs3cretx", "x[secret]x"},
		{"pass word/! pass%20word%2F%21 pass+word%2F%21", "[secret] [secret] [secret]"},
		{"Authorization: Bearer abc.def", "Authorization: [secret]"},
		{"sent Bearer abc", "sent Bearer [secret]"},
		{"Set-Cookie: hearth_session=abc; Path=/", "Set-Cookie: [secret]"},
		{"hearth_session=abc", "hearth_session= [secret]"},
		{"HEARTH_GATEWAY_TOKEN=abc next", "HEARTH_GATEWAY_TOKEN=[secret] next"},
		{`{"api_key": "abc def"}`, `{"api_key": [secret]}`},
		{"GET http://127.0.0.1:4747/?token=abc&x=1", "GET http://127.0.0.1:4747/?token=[secret]&x=1"},
		{"dial https://aiko:pw@host.test/v1: refused", "dial https://[secret]@host.test/v1: refused"},
		{"signed in as aiko.b@example.com and 아이코@예시.한국", "signed in as [e-mail address] and [e-mail address]"},
		{"ghp_abcdefghij0123456789 AKIAIOSFODNN7EXAMPLE eyJhbGciOi.eyJzdWIi.sig", "[secret] [secret] [secret]"},
		{"a " + strings.Repeat("Ab1_", 11) + " b", "a [secret] b"},
		{"run 01JGJ5V8QZ0000000000000000 of 11111111-2222-3333-4444-555555555555", "run 01JGJ5V8QZ0000000000000000 of 11111111-2222-3333-4444-555555555555"},
		{"open /home/aiko/src/Black Swan/plan b.md: no such file", "open [workspace 1]/[path]: no such file"},
		{"in /home/aiko/src/Black Swan/inner, /srv/acme", "in [workspace 2], [workspace 3]"},
		{"open /home/aiko/.local/share/hearth/hearth.db: locked", "open [data folder]/hearth.db: locked"},
		{"stat /home/aiko/clients/acme x/y: gone", "stat ~/[path]: gone"},
		{"open /home/aiko/.claude.json: broken", "open ~/.claude.json: broken"},
		{"/home/aikoto/x", "[path]"},
		{"exec /usr/bin/git: exit status 128", "exec /usr/bin/git: exit status 128"},
		{"mkdir /var/secret project/x: denied", "mkdir [path]: denied"},
		{"said: the merger is on friday, loudly", "said: [text], loudly"},
		{"한국어로 쓴 비밀 이야기입니다!", "[text]!"},
	} {
		if got := c.text(test.said); got != test.want {
			t.Errorf("%q\n got %q\nwant %q", test.said, got, test.want)
		}
	}
}

// lines writes a log and reads it back as a report does.
func lines(t *testing.T, write func(*slog.Logger), raw ...string) []logs.Line {
	t.Helper()
	dir := t.TempDir()
	write(logs.New(dir, slog.LevelDebug))
	f, err := os.OpenFile(logs.Path(dir), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range raw {
		fmt.Fprintln(f, line)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	page, err := logs.Folder(dir).Read(t.Context(), logs.Query{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range page.Lines {
		if !page.Lines[i].At.IsZero() {
			page.Lines[i].At = at
		}
	}
	return page.Lines
}

const stack = "goroutine 1 [running]:\na word of somebody's\nruntime/debug.Stack()\n\t/usr/lib/go/src/runtime/debug/stack.go:26 +0x5e\n" +
	"hearth/backend/claude.(*Session).hook(0xc000, {0x1, 0x2}, ...)\n\thearth/backend/claude/question.go:192 +0x1\nmain.main.func1()\n\t/srv/acme/x.go:1\ncreated by main.main in goroutine 1\n"

func TestMake(t *testing.T) {
	f := Facts{
		At: at, Versions: Versions{Hearth: "1.2.3", Go: "go1.26", Platform: "linux/amd64", Schema: 4},
		Findings: []Finding{{Name: "database", OK: true, Required: true, Detail: "/home/aiko/.local/share/hearth/hearth.db (3 channels)"}},
		Counts:   map[string]int64{"messages": 12, "runs failed": 1},
		Channels: []Channel{{GitIgnore: "all"}},
		Agents:   []Agent{{Channel: 1, Runtime: "cli:claude:agent", Model: "opus", OwnAPI: true}, {Channel: 1, Model: "my <model> 모델"}},
		Missing:  []string{`The database: open "x": no`},
		Lines: lines(t, func(log *slog.Logger) {
			log.Info("started", "version", "1.2.3", "pid", 42, "window", true, "address", "127.0.0.1:4747")
			log.Warn("skipped a line that is no message", "bytes", 9, "begins", "a word of somebody's")
			log.Error("store the end of a run", "run", "01JGJ5V8QZ0000000000000000", "error", fmt.Errorf("write %q: disk full\nstderr: more", "a message of somebody's"))
			log.Warn("watch a workbench", "path", "/srv/acme/.flower", "error", "inotify: no space")
			log.Error("a hook panicked", "panic", `bad “thing”`, "stack", stack, "event", "PreToolUse", "odd key\n", "x")
		}, "panic: a word of somebody's"),
	}
	b, err := Make(f, private)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, file := range b.Files {
		fmt.Fprintf(&out, "--- %s: %s\n%s", file.Name, file.About, file.Text)
	}
	golden.Equal(t, "bundle.txt", out.String())

	var zipped bytes.Buffer
	if err := b.Write(&zipped); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(zipped.Bytes()), int64(zipped.Len()))
	if err != nil || len(z.File) != len(b.Files) || b.Name != "hearth-report-20260102-030405.zip" {
		t.Fatalf("%v, %d files in %s", err, len(z.File), b.Name)
	}
	for i, entry := range z.File {
		r, err := entry.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil || string(text) != b.Files[i].Text {
			t.Errorf("%s: %v %q", entry.Name, err, text)
		}
	}
}

// Whatever a log line holds: a secret that is known never gets through whole, and a
// report is text.
func FuzzLine(f *testing.F) {
	f.Add("error", `open "/srv/acme/s3cret": no`)
	f.Add("path", "/home/aiko/src/Black Swan")
	f.Add("stack", "s3cre\x00t")
	f.Fuzz(func(t *testing.T, key, value string) {
		c := newCleaner(private)
		for _, where := range []string{value, value + "s3cret", "s3cret " + value, value + " /srv/acme/x"} {
			got := c.line(logs.Line{At: at, Message: where, Attributes: []logs.Attribute{{Key: key, Value: where}}})
			for _, secret := range []string{"s3cret", "/srv/acme"} {
				if strings.Contains(got, secret) && !strings.Contains(key, secret) {
					t.Errorf("%q=%q tells %s: %q", key, where, secret, got)
				}
			}
		}
	})
}
