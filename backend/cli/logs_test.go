package cli

import (
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"regexp"
	"strings"
	"testing"

	"hearth/backend/api"
	"hearth/backend/logs"
)

func TestLogs(t *testing.T) {
	h := newHouse(t)
	if err := os.MkdirAll(h.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if r := h.run("logs"); r.code != exitDone || !strings.Contains(r.stderr, "Nothing was written to "+logs.Path(h.dir)) {
		t.Errorf("at first: %+v", r)
	}
	log := logs.New(h.dir, slog.LevelDebug)
	log.Info("started", "version", "1.2.3")
	log.Warn("odd \x1b[31m", "text", "한 줄\ntwo")
	log.Error("it broke", "error", errors.New("disk full"))
	got := regexp.MustCompile(`(?m)^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`).ReplaceAllString(h.ok("logs"), "TIME")
	if want := "TIME  INFO   started version=1.2.3\nTIME  WARN   odd ␛[31m text=\"한 줄␊two\"\nTIME  ERROR  it broke error=\"disk full\"\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	for _, test := range []struct {
		args []string
		want int
	}{
		{[]string{"--level", "warn"}, 2}, {[]string{"--text", "DISK"}, 1}, {[]string{"-n", "1"}, 1}, {[]string{"--level", "ERROR", "--text", "한"}, 0},
	} {
		if got := strings.Count(h.ok(append([]string{"logs"}, test.args...)...), "\n"); got != test.want {
			t.Errorf("%q: %d lines, want %d", test.args, got, test.want)
		}
	}
	var lines []api.LogLine
	for line := range strings.Lines(h.ok("logs", "--json")) {
		var one api.LogLine
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatalf("%v: %q", err, line)
		}
		lines = append(lines, one)
	}
	if len(lines) != 3 || lines[1].Level != "warn" || lines[2].Attributes[0] != (api.LogAttribute{Key: "error", Value: "disk full"}) {
		t.Errorf("%+v", lines)
	}
	for _, args := range [][]string{{"--level", "loud"}, {"--level", "info+2"}, {"-n", "0"}, {"-n", "2001"}, {"more"}} {
		if r := h.run(append([]string{"logs"}, args...)...); r.code != exitUsage {
			t.Errorf("%q: %+v", args, r)
		}
	}
}

// What is written while it is followed comes once each, in order.
func TestLogsFollow(t *testing.T) {
	h := newHouse(t)
	b := h.start("logs", "--follow", "--level", "warn")
	b.stderr.until(t, regexp.MustCompile(`No line of`))
	if err := os.MkdirAll(h.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	log := logs.New(h.dir, slog.LevelDebug)
	log.Warn("one")
	b.stdout.until(t, regexp.MustCompile(`one\n`))
	log.Info("not this")
	log.Warn("two")
	log.Warn("three")
	b.stdout.until(t, regexp.MustCompile(`three\n`))
	b.interrupt()
	if r := b.end(); strings.Count(r.stdout, "\n") != 3 || r.code != exitInterrupted {
		t.Errorf("%+v", r)
	}
}
