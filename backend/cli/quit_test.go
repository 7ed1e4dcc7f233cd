package cli

import (
	"errors"
	"os"
	"strings"
	"testing"

	"hearth/backend/store"
)

func TestQuit(t *testing.T) {
	h := newHouse(t)
	if r := h.run("quit"); r.code != exitDone || !strings.Contains(r.stdout, "No Hearth runs") {
		t.Errorf("none runs: %+v", r)
	}
	if _, err := os.Stat(h.dir); !os.IsNotExist(err) {
		t.Errorf("a data folder was made: %v", err)
	}
	_, server := h.serve()
	told := []int{}
	h.terminate = func(pid int) error {
		told = append(told, pid)
		server.interrupt()
		return nil
	}
	// An agent is at work: it is not stopped by accident.
	h.ok("post", "general", "@claude HANG")
	h.runs(func(list string) bool { return strings.Contains(list, "running") })
	if r := h.run("quit"); r.code != exitFailed || !strings.Contains(r.stderr, "1 agent is at work") || len(told) > 0 {
		t.Fatalf("at work: %+v, told %v", r, told)
	}
	if out := h.ok("quit", "--stop"); len(told) != 1 || told[0] != os.Getpid() || !strings.Contains(out, "has ended") {
		t.Errorf("%v %s", told, out)
	}
	// When it says so, it is so.
	hold, err := store.Lock(h.dir)
	if err != nil {
		t.Fatal(err)
	}
	// What has the folder and does not answer is named, and left alone.
	if r := h.run("quit"); r.code != exitFailed || !strings.Contains(r.stderr, "is in use") || len(told) != 1 {
		t.Errorf("held: %+v", r)
	}
	if err := hold.Release(); err != nil {
		t.Fatal(err)
	}
	server.end()
	_, server = h.serve()
	h.terminate = func(int) error { return errors.New("not permitted") }
	if r := h.run("quit"); r.code != exitFailed || !strings.Contains(r.stderr, "not permitted") {
		t.Errorf("refused: %+v", r)
	}
	if out := h.ok("quit", "--help"); !strings.Contains(out, "--stop") {
		t.Error(out)
	}
}
