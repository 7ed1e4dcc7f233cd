package cli

import (
	"regexp"
	"strings"
	"testing"

	"hearth/backend/api"
)

// `hearth run` takes a channel for its newest run.
func TestRunOfAChannel(t *testing.T) {
	h := newHouse(t)
	h.serve()
	h.ok("channels", "create", "empty")
	if r := h.run("run", "empty"); r.code != exitFailed || !strings.Contains(r.stderr, "there is no run in #empty yet") {
		t.Errorf("no run: %+v", r)
	}
	h.ok("post", "general", "@claude first", "--wait")
	h.ok("post", "general", "@claude second, and that is a message of more than forty characters", "--wait")
	newest := anID.FindString(h.ok("runs", "general", "--limit", "1"))
	want := h.ok("run", newest)
	for _, typed := range []string{"general", "#general", anID.FindString(h.ok("channels"))} {
		if out := h.ok("run", typed); out != want {
			t.Errorf("%s: %s", typed, out)
		}
	}
	if !regexp.MustCompile(`addressed +you +@claude second, and that is a message of…\n`).MatchString(want) {
		t.Errorf("the rows: %s", want)
	}
	const nobody = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
	if r := h.run("run", nobody); r.code != exitFailed || !strings.Contains(r.stderr, "There is no run") {
		t.Errorf("an id that is none: %+v", r)
	}
}

func TestRunsOfOneAgent(t *testing.T) {
	h := newHouse(t)
	h.serve()
	h.ok("bindings", "add", "general", "second", "--runtime", "standin")
	h.ok("post", "general", "@claude one", "--wait")
	h.ok("post", "general", "@second two", "--wait")
	if out := h.ok("runs", "general", "--agent", "@Second"); strings.Count(out, "@second") != 1 || strings.Contains(out, "@claude") {
		t.Errorf("says %s", out)
	}
	if r := h.run("runs", "general", "--agent", "third"); r.code != exitFailed || !strings.Contains(r.stderr, "there is no @third in #general; there are @claude, @second") {
		t.Errorf("nobody's: %+v", r)
	}
}

// A call that was denied says who denied it, before the rows that were sent.
func TestRunTellsOfDenials(t *testing.T) {
	h := newHouse(t)
	h.serve()
	for _, test := range []struct {
		answer func(id, runID string)
		says   string
	}{
		{func(id, _ string) { h.ok("deny", id, "--reason", "use the test data") }, "; denied by you: use the test data\n"},
		{func(id, _ string) { h.ok("deny", id) }, "; denied by you\n"},
		{func(_, runID string) { h.ok("stop", runID) }, "; denied: Nobody answered before the turn ended.\n"},
		{func(id, _ string) { h.ok("allow", id) }, `second"}` + "\n"},
	} {
		asking := h.start("post", "general", "@claude ASK", "--wait")
		id := asking.stderr.until(t, regexp.MustCompile("`hearth allow ("+anID.String()+")`"))[1]
		if out := h.ok("roster", "general"); !strings.Contains(out, "asks you (see hearth permissions)") {
			t.Errorf("the roster while it asks: %s", out)
		}
		test.answer(id, anID.FindString(h.ok("runs", "general", "--limit", "1")))
		asking.end()
		out := h.ok("run", "general")
		before, after, ok := strings.Cut(out, test.says)
		if !ok || !strings.Contains(before, "What happened:") || !strings.Contains(after, "Rows that were looked at:") {
			t.Errorf("want %q in %s", test.says, out)
		}
		if strings.Contains(out, "stopped") != strings.Contains(out, "again        hearth retry "+anID.FindString(out)+"\n") {
			t.Errorf("how to retry: %s", out)
		}
	}
	if out := h.ok("roster", "general"); strings.Contains(out, "asks you") {
		t.Errorf("the roster afterwards: %s", out)
	}
}

// What was kept out of the context stands with its step, and with what it comes to.
func TestRunTellsOfSavings(t *testing.T) {
	h := newHouse(t)
	h.serve()
	h.ok("post", "general", "@claude SPILL", "--wait")
	out := h.ok("run", "general")
	for _, want := range []string{
		"Bash: {}\n     spilled: output of 812,345 characters in 12,001 lines, about 203,000 tokens; the whole is in /w/.flower/spill/x.txt\n",
		"Write, with an error: {}\n     denied Write to the coordinator: Delegate it: ␛[2J use a worker.\n",
		"Bash: {}\n     a glance: no worker was needed, about 4,300 tokens\n",
		"\nKept out of the context:\n" +
			"  the workbench's index: only what was new in it was told, about 321 tokens\n" +
			"  spilled: output of make test of 1 character in 1 line; the whole is in /w/.flower/spill/y.txt\n" +
			"  output that should have been spilled is in the context: The disk is full\n" +
			"  the worker was given a git worktree of its own\n" +
			"  together about 207,621 tokens\n" +
			"  `hearth workbench show PATH` prints one of the files.\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("want %q in\n%s", want, out)
		}
	}
	if !strings.Contains(h.ok("run", "general", "--json"), `"tokens": 203000`) {
		t.Error("JSON has no savings")
	}
	h.ok("post", "general", "@claude nothing", "--wait")
	if out := h.ok("run", "general"); strings.Contains(out, "Kept out") {
		t.Errorf("nothing was kept out: %s", out)
	}
}

// A run whose cache broke in a new process tells how the one before had ended, and what
// can be done about it.
func TestRunTellsWhatEndedTheProcessBefore(t *testing.T) {
	for how, want := range map[string]string{
		"crashed": "               The process before: crashed: exit status 9 (2026-01-02 03:04:05)\n               Restore, before it is asked again,",
		"unknown": "               The process before: unknown\n\n",
		"expired": "               The process before: expired\n\n",
		"":        "",
	} {
		h := newHouse(t)
		var out, said strings.Builder
		a := h.app(&out, &said)
		r := api.Run{ID: "r1", Break: &api.CacheBreak{Cause: "new_process", Sentence: "Another process."}}
		switch how {
		case "crashed":
			r.Break.Evidence.ProcessEnd = &api.ProcessEnd{How: how, Reason: "exit status 9", At: epoch}
		case "expired": // the end of the process cost nothing
			r.Break.Cause, r.Break.Evidence.ProcessEnd = how, &api.ProcessEnd{How: "idle"}
			want = strings.Replace(want, "expired", "idle", 1)
		case "unknown":
			r.Break.Evidence.ProcessEnd = &api.ProcessEnd{How: how}
		}
		if err := a.showRun(t.Context(), nil, runDetail{Run: r}, "@claude"); err != nil {
			t.Fatal(err)
		}
		if text := out.String() + "\n"; !strings.Contains(text, want) || (how == "") == strings.Contains(text, "The process before") {
			t.Errorf("%s: %s", how, text)
		}
	}
}
