package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"hearth/backend/api"
)

// With no Hearth running, commands do all that needs no agent.
func TestWithoutServer(t *testing.T) {
	h := newHouse(t)
	if err := os.WriteFile("token.txt", []byte(" s3cret \n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("sub", 0o755); err != nil {
		t.Fatal(err)
	}
	h.env["GATEWAY_TOKEN"] = "s3cret2"
	h.do("channels")
	h.do("channels", "create", "general", "--topic", "all of it")
	h.do("channels", "create", "#데이터", "--workspace", ".")
	h.do("channels", "create", "pair", "--direct", "@pair", "--runtime", "standin")
	h.do("channels", "list")
	h.do("channels", "edit", "general", "--name", "main", "--topic", "")
	h.do("channels", "edit", "데이터", "--workspace", "sub")
	h.do("bindings", "add", "main", "claude", "--runtime", "standin")
	h.do("bindings", "add", "main", "분석가", "--model", "opus", "--permission-mode", "plan", "--no-resident", "--brief-every-turn")
	h.do("bindings", "add", "main", "local", "--base-url", "http://127.0.0.1:11434", "--token-file", "token.txt")
	h.do("bindings", "add", "데이터", "gate", "--base-url", "http://127.0.0.1:11434", "--token-env", "GATEWAY_TOKEN", "--supervised=false")
	h.do("channels", "create", "kept", "--git-ignore", "output")
	h.do("channels", "edit", "kept", "--git-ignore", "nothing")
	h.stdin = `[{"name":"explorer","description":"Finds things.","prompt":"Find it.","tools":["Read"]}]`
	h.do("bindings", "add", "kept", "lead", "--runtime", "standin", "--role", "coordinator", "--no-glance", "--hands", "Grep,Glob", "--spill-over", "0", "--workers", "-")
	h.do("bindings", "list", "kept")
	h.do("bindings", "list", "kept", "--json")
	h.do("bindings", "edit", "kept", "lead", "--role", "plain", "--glance", "--hands", "", "--spill-over", "2000")
	h.do("bindings", "list", "kept")
	h.do("channels", "delete", "kept", "--yes")
	h.do("bindings", "edit", "main", "local", "--handle", "ollama", "--no-token", "--no-supervised", "--resident=true")
	h.do("bindings", "list", "main")
	h.do("bindings", "데이터")
	h.do("bindings", "remove", "main", "@ollama")
	h.do("post", "main", "@claude", "what", "is", "this?")
	h.stdin = "@claude and\nthis\n"
	h.do("post", "#MAIN", "-", "--as", "aiko")
	h.do("post", "main", "no one in particular")
	root := regexp.MustCompile(anID.String()).FindString(h.ok("post", "main", "a question"))
	h.do("post", "main", "an answer", "--thread", root)
	h.do("history", "main")
	h.do("history", "main", "--limit", "1")
	h.do("history", "main", "--thread", root)
	h.do("history", "main", "--before", root, "--limit", "1", "--json")
	h.do("search", "AN", "SW", "--limit", "1")
	h.do("search", "--thread", "--channel", "mai", "--from", "me", "--after", "2020", "--before", "2100-01", "--archived")
	h.do("search", "from:nobody", "--json")
	h.do("search", "nothing like it", "--on", "2020-01-01")
	h.do("roster", "main")
	h.do("runs", "main")
	runID := regexp.MustCompile(anID.String()).FindString(h.ok("runs", "main"))
	h.do("run", runID)
	h.do("run", runID, "--sent")
	h.do("stop", runID)
	h.do("run", runID)
	h.do("retry", runID)
	h.do("bindings", "fresh", "main", "claude")
	h.do("bindings", "fresh", "main", "claude", "--undo")
	h.do("bindings", "fresh", "main", "claude", "--undo")
	h.do("permissions")
	h.do("bindings", "warm", "main", "claude")
	h.do("bindings", "stop", "main", "claude")
	h.do("bindings", "restore", "main", "claude")
	h.do("post", "main", "@claude x", "--wait")
	h.do("allow", "nothing")
	h.do("open")
	h.do("channels", "archive", "main")
	h.do("channels", "archive", "main")
	h.do("channels")
	h.do("channels", "--archived", "--json")
	h.do("post", "main", "x")
	h.do("channels", "unarchive", "main")
	h.do("channels", "unarchive", "main")
	h.do("channels", "delete", "main")
	h.do("channels", "delete", "main", "--yes")
	h.do("channels", "delete", "데이터", "--yes", "--json")
	h.golden("without_server.txt")

	if _, err := os.Stat(filepath.Join(h.dir, serverName)); err == nil {
		t.Error("a command without a server left a server file")
	}
	if strings.Contains(h.log.String(), "s3cret") {
		t.Error("a token was printed")
	}
}

// What makes no sense, and what can't be done.
func TestWrong(t *testing.T) {
	h := newHouse(t)
	h.do("history", "general")
	h.ok("channels", "create", "general")
	h.serve()
	h.ok("channels", "create", "other")
	h.do("nonsense")
	h.do("chanels")
	h.do("channels", "nonsense")
	h.do("channels", "--nonsense")
	h.do("channels", "create")
	h.do("channels", "create", "two", "words")
	h.do("channels", "create", "general")
	h.do("channels", "create", "x", "--workspace", "/no/such/folder")
	h.do("channels", "create", "x", "--model", "opus")
	h.do("channels", "edit", "general")
	h.do("channels", "edit", "nowhere", "--topic", "x")
	h.do("channels", "archive", "")
	h.do("bindings")
	h.do("bindings", "fresh", "general")
	h.do("bindings", "add", "general", "claude", "--runtime", "telnet")
	h.do("bindings", "add", "general", "two words")
	h.do("bindings", "add", "general", "x", "--token-env", "NOT_SET", "--base-url", "http://x")
	h.do("bindings", "add", "general", "x", "--token-file", "/no/such/file")
	h.do("bindings", "add", "general", "x", "--token-file", "/dev/null")
	h.do("bindings", "add", "general", "x", "--resident", "--no-resident")
	h.do("bindings", "add", "general", "x", "--glance", "--no-glance")
	h.do("bindings", "add", "general", "x", "--role", "boss")
	h.do("bindings", "add", "general", "x", "--hands", "Bash")
	h.do("bindings", "add", "general", "x", "--spill-over", "5")
	h.do("bindings", "add", "general", "x", "--spill-over", "many")
	h.do("bindings", "add", "general", "x", "--workers", "-", "--token-file", "-")
	h.do("bindings", "add", "general", "x", "--workers", "/no/such/file")
	h.do("bindings", "add", "general", "x", "--workers", "/") // and no pipe is waited for
	for _, workers := range []string{"", "no JSON", "[\n{\n]", "{}", "null", "7", `{"workers":7}`, `["x"]`, `[{"name":"x"}]`, strings.Repeat(" ", maxWorkers+1)} {
		h.stdin = workers
		h.do("bindings", "add", "general", "x", "--workers", "-")
	}
	h.do("channels", "create", "x", "--git-ignore", "some")
	h.do("channels", "edit", "general", "--git-ignore", "")
	h.ok("bindings", "add", "general", "one")
	h.ok("bindings", "add", "general", "two")
	h.do("bindings", "edit", "general", "one")
	h.do("bindings", "edit", "general", "three", "--model", "x")
	h.do("bindings", "edit", "general", "@", "--model", "x")
	h.do("bindings", "fresh", "general")
	h.do("post", "general")
	h.do("post", "nowhere", "x")
	h.do("post", "general", "")
	h.do("post", "general", "x", "--timeout", "3s")
	h.do("post", "general", "x", "--wait", "--timeout", "-3s")
	h.do("post", "general", "x", "--thread", "nothing")
	h.do("post", "general", "x", "--as", "one")
	h.stdin = "\xff\xfe"
	h.do("post", "general", "-")
	h.stdin = strings.Repeat("x", 1<<20+1)
	h.do("post", "general", "-")
	h.do("history", "general", "--limit", "0")
	h.do("search")
	h.do("search", "x", "--limit", "0")
	h.do("search", "in:nowhere", "--on", "the 3rd\x1b[2J")
	h.do("search", "x", "--next", "y")
	h.do("search", strings.Repeat("x", 1001))
	h.do("history", "general", "--before", "nothing")
	h.do("runs", "general", "--limit", "201")
	h.do("run", "nothing")
	h.do("run", "no/thing?x=1")
	h.do("stop", "nothing")
	h.do("retry", "nothing")
	h.do("permissions", "--channel", "nowhere")
	h.do("allow", "nothing")
	h.do("allow", "nothing", "--rule", "x")
	h.do("deny")
	h.stdin = `{"rows":[{"id":"1"}]}`
	h.do("delivery", "render")
	h.do("delivery", "nonsense")
	h.do("serve", "--addr", "0.0.0.0:80")
	h.do("serve", "--addr", "localhost:80")
	h.do("history", "general\x1b[2J\nhearth: all is well")
	h.golden("wrong.txt")
}

func TestDelivery(t *testing.T) {
	h := newHouse(t)
	h.stdin = `{"rows":[{"id":"1","kind":"user","handle":"aiko","body":"hi","created_at":"2026-01-02T03:04:05Z"}],"addressed":"","self":"claude","native":"n","remembers":true,"watermark":null,"limit":12,"max_chars":600}`
	var got struct {
		Shown []string `json:"shown"`
		Block string   `json:"block"`
	}
	if err := json.Unmarshal([]byte(h.ok("delivery", "render")), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Shown) != 1 || !strings.HasSuffix(got.Block, "- [user] aiko: hi") {
		t.Errorf("got %+v", got)
	}
	if _, err := os.Stat(h.dir); err == nil {
		t.Error("rendering a case made a data folder")
	}
	if out := h.ok("delivery"); !strings.Contains(out, "render") {
		t.Errorf("says %q", out)
	}
}

// Start fresh promises no more than it does.
func TestFreshSaysWhatItDoes(t *testing.T) {
	h := newHouse(t)
	out := h.ok("bindings", "fresh", "--help")
	for _, wanted := range []string{"A run that is going is stopped; queued ones stay.", "no replay", "only the newest messages"} {
		if !strings.Contains(out, wanted) {
			t.Errorf("does not say %q: %s", wanted, out)
		}
	}
}

func TestVersion(t *testing.T) {
	h := newHouse(t)
	for _, command := range []string{"version", "--version"} {
		if out := h.ok(command); !strings.HasPrefix(out, "hearth unknown (go1.") {
			t.Errorf("%s says %q", command, out)
		}
	}
	var got map[string]string
	if err := json.Unmarshal([]byte(h.ok("version", "--json")), &got); err != nil || got["version"] != "unknown" || got["platform"] == "" {
		t.Errorf("got %v %v", got, err)
	}
}

// The same commands with a Hearth that runs.
func TestWithServer(t *testing.T) {
	h := newHouse(t)
	h.serve()
	h.do("channels")
	h.do("bindings", "edit", "general", "--runtime", "standin")
	h.do("post", "general", "@claude hello", "--wait")
	h.do("post", "general", "@claude hello", "--wait", "--json")
	h.do("post", "general", "@claude REFUSE", "--wait")
	h.do("post", "general", "@claude BROKEN", "--wait")
	h.do("post", "general", "@claude STREAM", "--wait")
	h.do("post", "general", "nobody", "--wait")
	h.ok("bindings", "add", "general", "second", "--runtime", "standin")
	h.do("bindings", "warm", "general", "second")
	h.do("bindings", "stop", "general", "second")
	h.do("bindings", "fresh", "general", "second")
	h.do("bindings", "fresh", "general", "second", "--undo")
	h.do("bindings", "fresh", "general", "second")
	h.do("bindings", "restore", "general", "second")
	h.do("history", "general", "--limit", "6")
	h.do("runs", "general", "--limit", "3")
	failed := regexp.MustCompile(`(\S{26}).*failed`).FindStringSubmatch(h.ok("runs", "general"))[1]
	h.do("run", failed)
	streamed := regexp.MustCompile(anID.String()).FindString(h.ok("runs", "general"))
	h.do("run", streamed)
	if out := h.ok("run", streamed, "--sent"); !strings.Contains(out, "=== payload: ") || !strings.Contains(out, `"text":"@claude STREAM"}`) || !strings.Contains(out, "\n  - [user] @claude BROKEN\n") {
		t.Errorf("what was sent: %s", out)
	}
	h.do("roster", "general")
	id := anID.FindString(h.ok("channels"))
	h.do("bindings", "remove", id, "second")
	h.do("bindings", "remove", "general", "claude")
	h.do("runs", id, "--limit", "1")
	h.golden("with_server.txt")
}

// Two agents that are asked at once answer one after the other, each under its
// name.
func TestWaitForTwo(t *testing.T) {
	h := newHouse(t)
	h.serve()
	h.ok("bindings", "add", "general", "second", "--runtime", "standin")
	r := h.run("post", "general", "@claude @second ping", "--wait")
	if r.code != exitDone || strings.Count(r.stdout, "pong") != 2 || !strings.Contains(r.stdout, "@claude:\n") || !strings.Contains(r.stdout, "@second:\n") {
		t.Errorf("%d %q %q", r.code, r.stdout, r.stderr)
	}
}

// On a terminal the answer comes as it is written, and once.
func TestWaitOnATerminal(t *testing.T) {
	h := newHouse(t)
	h.serve()
	h.term = true
	if got, want := h.ok("post", "general", "@claude STREAM", "--wait"), "Let me look.\nIt is 안녕␛[2J\nall.\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := h.ok("post", "general", "@claude hello", "--wait"), "pong <&> ␛[31mred\nsecond line\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWaitsForAnAnswer(t *testing.T) {
	h := newHouse(t)
	h.serve()
	for _, test := range []struct {
		answer []string // without the id
		says   string
	}{
		{[]string{"allow"}, "allowed: true\n"},
		{[]string{"deny", "--reason", "not \x07 now"}, "allowed: false not ␇ now\n"},
		{[]string{"deny"}, "allowed: false A person said no.\n"},
		{[]string{"allow", "--always"}, "allowed: true Bash(rm:*)\n"},
		{[]string{"allow", "--always", "--rule", "Bash"}, "allowed: true Bash\n"},
	} {
		asking := h.start("post", "general", "@claude ASK", "--wait")
		id := asking.stderr.until(t, regexp.MustCompile("`hearth allow ("+anID.String()+")`"))[1]
		if !strings.Contains(asking.stderr.String(), "rm -rf ␛[31mx␊second") {
			t.Errorf("asked: %q", asking.stderr)
		}
		if open := h.ok("permissions"); !strings.Contains(open, "always could mean: Bash(rm:*)") || !strings.Contains(open, "@claude in #general") {
			t.Errorf("permissions: %s", open)
		}
		h.ok(append(test.answer, id)...)
		if r := asking.end(); r.code != exitDone || r.stdout != test.says {
			t.Errorf("%v: %+v, want %q", test.answer, r, test.says)
		}
		if r := h.run(append(test.answer, id)...); r.code != exitFailed {
			t.Errorf("answered twice: %+v", r)
		}
	}
	var all struct {
		Permissions []api.Permission `json:"permissions"`
	}
	if err := json.Unmarshal([]byte(h.ok("permissions", "--all", "--channel", "general", "--json")), &all); err != nil || len(all.Permissions) != 5 {
		t.Errorf("%d permissions, %v", len(all.Permissions), err)
	}
	if out := h.ok("permissions", "--all"); !strings.Contains(out, "always Bash") || !strings.Contains(out, "denied  not ␇ now") {
		t.Errorf("says %s", out)
	}
	if r := h.run("allow", all.Permissions[0].ID, "--always", "--rule", "Write"); r.code != exitFailed || !strings.Contains(r.stderr, "none of those") {
		t.Errorf("a rule that was not offered: %+v", r)
	}
}

func TestWaitIsGivenUp(t *testing.T) {
	h := newHouse(t)
	h.serve()
	r := h.run("post", "general", "@claude HANG", "--wait", "--timeout", "300ms")
	if r.code != exitFailed || !strings.Contains(r.stderr, "No answer within 300ms. The work goes on: `hearth run ") {
		t.Errorf("after the timeout: %+v", r)
	}
	id := anID.FindString(r.stderr)

	// Another one waits behind it; Ctrl-C ends the waiting, not the work.
	waiting := h.start("post", "general", "@claude hello", "--wait")
	h.runs(func(list string) bool { return strings.Contains(list, "queued") })
	waiting.interrupt()
	if r := waiting.end(); r.code != exitInterrupted || !strings.Contains(r.stderr, "The work goes on") {
		t.Errorf("interrupted: %+v", r)
	}

	// A run that is stopped fails the command that waits for it.
	waiting = h.start("post", "general", "@claude HANG again", "--wait")
	list := h.runs(func(list string) bool { return strings.Count(list, "queued") == 2 })
	h.ok("stop", anID.FindString(list))
	if r := waiting.end(); r.code != exitFailed || !strings.Contains(r.stderr, "was stopped. Ask again with `hearth retry") {
		t.Errorf("stopped: %+v", r)
	}
	if out := h.ok("stop", id); !strings.Contains(out, "stopped") {
		t.Errorf("stop says %q", out)
	}
	h.ok("retry", id)
	h.ok("bindings", "stop", "general")
}

// The program itself, with the real engine behind it.
func TestMainOpensTheRealThing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	t.Setenv("HEARTH_DATA_DIR", dir)
	call := func(want int, args ...string) string {
		t.Helper()
		var stdout, stderr strings.Builder
		if code := Main(args, strings.NewReader(""), &stdout, &stderr, Window{}); code != want {
			t.Errorf("hearth %q: %d %s", args, code, stderr.String())
		}
		return stdout.String()
	}
	call(exitDone, "channels", "create", "general")
	call(exitDone, "bindings", "add", "general", "echo", "--runtime", "standin")
	if out := call(exitDone, "post", "general", "@echo hello"); !strings.Contains(out, "@echo is asked") {
		t.Errorf("post says %q", out)
	}
	if out := call(exitDone, "roster", "general"); !strings.Contains(out, "@echo  cli:standin:agent  -      1       cold\n") {
		t.Errorf("roster says %q", out)
	}
	call(exitUsage, "nonsense")
	call(exitDone, standinCommand, "--print", "--input-format", "stream-json") // its input ends at once
}
