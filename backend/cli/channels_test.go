package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// An archived channel comes back also when another one took its name.
func TestUnarchiveATakenName(t *testing.T) {
	h := newHouse(t)
	old := anID.FindString(h.ok("channels", "create", "plans"))
	h.ok("channels", "archive", "plans")
	h.ok("channels", "create", "plans")
	r := h.run("channels", "unarchive", "plans")
	if want := fmt.Sprintf("rename it first: `hearth channels edit %s --name NEW`, then `hearth channels unarchive %s`", old, old); r.code != exitFailed || !strings.Contains(r.stderr, want) {
		t.Fatalf("%+v, want %q", r, want)
	}
	h.ok("channels", "edit", old, "--name", "old plans")
	if out := h.ok("channels", "unarchive", old); out != "Brought back #old plans.\n" {
		t.Errorf("says %q", out)
	}
	if out := h.ok("channels"); !strings.Contains(out, "#plans ") || !strings.Contains(out, "#old plans ") {
		t.Errorf("channels: %s", out)
	}
}

// Before a channel is deleted, what goes with it is counted.
func TestDeleteSaysWhatWouldGo(t *testing.T) {
	h := newHouse(t)
	h.serve()
	root := anID.FindString(h.ok("post", "general", "@claude hello"))
	h.ok("post", "general", "in a thread", "--thread", root)
	h.runs(func(list string) bool { return strings.Contains(list, "succeeded") })
	if r := h.run("channels", "delete", "general"); r.code != exitUsage || !strings.Contains(r.stderr, "with 3 messages, 1 agent and 1 run, for good") {
		t.Errorf("%+v", r)
	}
}

// What is counted is counted page by page, and not to the end of a channel that
// has very much.
func TestTally(t *testing.T) {
	for _, test := range []struct {
		pages int
		want  string
	}{{1, "200 runs"}, {5, "1,000 runs"}, {1000, "more than 1,000 runs"}} {
		asked := 0
		c := &client{base: "http://127.0.0.1", http: &http.Client{Transport: inProcess{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			want := ""
			if asked > 0 {
				want = fmt.Sprint(asked, "-199") // the oldest of the page before
			}
			if got := r.URL.Query().Get("before"); got != want {
				t.Errorf("asked for what is before %q, want %q", got, want)
			}
			asked++
			var runs []string
			for i := range 200 {
				runs = append(runs, fmt.Sprintf(`{"id":"%d-%d"}`, asked, i))
			}
			fmt.Fprintf(w, `{"runs":[%s],"more":%t}`, strings.Join(runs, ","), asked < test.pages)
		})}}}
		n, err := c.tally(t.Context(), "/api/channels/c/runs")
		if got := countMany(n, "run", "runs"); err != nil || got != test.want {
			t.Errorf("%d pages: %s %v, want %s", test.pages, got, err, test.want)
		}
		if asked > 6 {
			t.Errorf("%d pages were asked for", asked)
		}
	}
}

// Long names are cut where they would push the columns apart, and nowhere else.
func TestLongNames(t *testing.T) {
	h := newHouse(t)
	name, handle, person := strings.Repeat("long", 20), strings.Repeat("가", 40), strings.Repeat("p", 40)
	h.ok("channels", "create", name)
	h.ok("bindings", "add", name, handle, "--model", strings.Repeat("m", 40), "--runtime", "standin")
	h.ok("post", name, "@"+handle+" hello", "--as", person)
	for _, test := range []struct {
		args []string
		has  []string
	}{
		{[]string{"channels"}, []string{"#" + strings.Repeat("long", 7) + "…  0"}},
		{[]string{"bindings", name}, []string{"@" + strings.Repeat("가", 14) + "…  cli:", strings.Repeat("m", 29) + "…  "}},
		{[]string{"roster", name}, []string{strings.Repeat("p", 29) + "…  ", "@" + strings.Repeat("가", 14) + "…  cli:", strings.Repeat("m", 29) + "…  "}},
		{[]string{"runs", name}, []string{"@" + strings.Repeat("가", 14) + "…  mention"}},
	} {
		out := h.ok(test.args...)
		for _, wanted := range test.has {
			if !strings.Contains(out, wanted) {
				t.Errorf("%q: no %q in\n%s", test.args, wanted, out)
			}
		}
		if out := h.ok(append(test.args, "--json")...); !strings.Contains(out, name) && !strings.Contains(out, handle) && !strings.Contains(out, anID.FindString(out)) {
			t.Errorf("%q --json is cut: %s", test.args, out)
		}
	}
	var all channelList
	if err := json.Unmarshal([]byte(h.ok("channels", "--json")), &all); err != nil || all.Channels[0].Name != name {
		t.Errorf("in JSON: %+v %v", all, err)
	}
	// An error names some, not all.
	for i := range 14 {
		h.ok("channels", "create", fmt.Sprint("n", i))
	}
	if r := h.run("history", "nowhere"); !strings.Contains(r.stderr, "#n8 and 5 more") || strings.Contains(r.stderr, "#n9") {
		t.Errorf("%+v", r)
	}
}

// Where Claude Code is not found, an agent nobody chose a runtime for is the
// stand-in, and that is said.
func TestStandinWhereClaudeIsNotFound(t *testing.T) {
	h := newHouse(t)
	h.ok("channels", "create", "it's")
	h.located = errors.New("not here")
	for _, test := range []struct {
		args    []string
		runtime string
		says    string
	}{
		{[]string{"channels", "create", "line", "--direct", "pair"}, "cli:standin:agent", "hearth bindings edit line pair --runtime claude"},
		{[]string{"bindings", "add", "it's", "one"}, "cli:standin:agent", `hearth bindings edit 'it'\''s' one --runtime claude`},
		{[]string{"bindings", "add", "it's", "two", "--json"}, "cli:standin:agent", "@two is a stand-in"},
		{[]string{"bindings", "add", "it's", "three", "--runtime", "claude"}, "cli:claude:agent", ""},
		{[]string{"channels", "create", "other", "--direct", "four", "--runtime", "claude"}, "cli:claude:agent", ""},
	} {
		r := h.run(test.args...)
		if r.code != exitDone || test.says == "" && r.stderr != "" || !strings.Contains(r.stderr, test.says) {
			t.Errorf("%q: %+v, want %q", test.args, r, test.says)
		}
		channel := test.args[2]
		if out := h.ok("bindings", channel); !strings.Contains(out, test.runtime) {
			t.Errorf("%q: %s", test.args, out)
		}
	}
	h.located = nil
	if r := h.run("bindings", "add", "it's", "five"); r.stderr != "" || !strings.Contains(r.stdout, "@five (cli:claude:agent)") {
		t.Errorf("where it is found: %+v", r)
	}
}
