package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"hearth/backend/api"
	"hearth/backend/sim"
	"hearth/backend/token"
)

const aFile = `{"id":"1","kind":"user","handle":"aiko","body":"the build is red","created_at":"2026-03-01T10:00:00Z"}
{"id":"2","kind":"user","handle":"","body":"@claude why?","created_at":"2026-03-01T10:00:01Z"}
{"id":"3","kind":"agent","handle":"claude","body":"A test compares with the wall clock.","created_at":"2026-03-01T10:00:09Z"}
{"id":"4","kind":"user","handle":"민지","body":"그럴 줄 알았어요","created_at":"2026-03-01T10:00:20Z"}
{"id":"5","kind":"user","handle":"","body":"@claude fix it","created_at":"2026-03-01T10:00:30Z"}
`

// What people see: the generated channel, a file, standard input, and what makes
// no sense. It needs no Hearth and makes no data folder.
func TestSim(t *testing.T) {
	h := newHouse(t)
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("red.jsonl", aFile)
	write("two.jsonl", aFile+`{"id":"6","kind":"agent","handle":"codex","body":"hi","created_at":"2026-03-01T10:01:00Z"}`)
	write("wrong.jsonl", aFile+"\n{\"id\":\"6\",\"kind\":\"us\x1ber\"}")
	write("quiet.jsonl", strings.ReplaceAll(aFile, "@claude", "claude"))
	h.stdin = aFile
	h.do("sim", "--limit", "6")
	h.do("sim", "--seed", "2", "--evict-at", "15", "--json")
	h.do("sim", "--channel", "red.jsonl")
	h.do("sim", "--channel", "-", "--limit", "1")
	h.do("sim", "--channel", "two.jsonl")
	h.do("sim", "--channel", "wrong.jsonl")
	h.do("sim", "--channel", "quiet.jsonl")
	h.do("sim", "--channel", "./none.jsonl")
	h.do("sim", "--channel", "red.jsonl", "--evict-at", "3")
	h.do("sim", "--channel", "red.jsonl", "--seed", "3")
	h.do("sim", "--agent", "claude")
	h.do("sim", "--channel", " ")
	h.do("sim", "--limit", "31")
	h.do("sim", "--evict-at", "1")
	h.do("sim", "--seed", "-1")
	h.do("sim", "general")
	h.golden("sim.txt")
	if _, err := os.Stat(h.dir); err == nil {
		t.Error("a data folder was made")
	}
	var two sim.Report
	if err := json.Unmarshal([]byte(h.ok("sim", "--channel", "two.jsonl", "--agent", "@Claude", "--json")), &two); err != nil || two.Channel.Mentions != 2 || two.Channel.Agents != 2 {
		t.Errorf("%+v, %v", two, err)
	}
}

// The keys that scripts may count on.
func TestSimJSON(t *testing.T) {
	h := newHouse(t)
	var got struct {
		Channel      map[string]any            `json:"channel"`
		Seed         *uint64                   `json:"seed"`
		PrefixTokens int                       `json:"prefix_tokens"`
		BriefTokens  int                       `json:"brief_tokens"`
		Strategies   map[string]map[string]any `json:"strategies"`
	}
	if err := json.Unmarshal([]byte(h.ok("sim", "--json")), &got); err != nil {
		t.Fatal(err)
	}
	if got.PrefixTokens != 2120 || got.BriefTokens == 0 || got.Seed == nil || *got.Seed != 1 || got.Channel["rows"] != 200.0 || got.Channel["mentions"] != 30.0 {
		t.Errorf("%+v", got)
	}
	for _, strategy := range []string{"window", "watermark", "unstable", "hearth"} {
		for _, key := range []string{
			"input_tokens", "cacheable_tokens", "cacheable_ratio", "uncached_per_warm_turn", "context_tokens",
			"already_seen_tokens", "rows_sent", "rows_never_shown", "rows_named",
		} {
			if _, ok := got.Strategies[strategy][key].(float64); !ok {
				t.Errorf("%s has no %s", strategy, key)
			}
		}
	}
	if len(got.Strategies) != 4 {
		t.Errorf("%d strategies", len(got.Strategies))
	}
}

// A channel of this Hearth: all pages of it, its threads, and its replies as its
// runs say. It is the same with a Hearth running and with none.
func TestSimOfAChannel(t *testing.T) {
	h := newHouse(t)
	_, server := h.serve()
	for range 205 {
		h.ok("post", "general", "--as", "aiko", "chatter")
	}
	asked := strings.TrimSpace(anID.FindString(h.ok("post", "general", "@claude one?", "--wait")))
	h.ok("post", "general", "in a thread: @claude two?", "--thread", asked, "--wait")
	h.ok("post", "general", "--as", "aiko", "more")
	h.ok("post", "general", "@claude three?", "--wait")
	h.ok("channels", "create", "line", "--direct", "claude")
	h.ok("post", "line", "no mention is needed", "--wait")

	report := func(args ...string) (r sim.Report) {
		t.Helper()
		if err := json.Unmarshal([]byte(h.ok(append([]string{"sim", "--json"}, args...)...)), &r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	running := report("--channel", "#general")
	want := sim.Facts{Name: "general", Agent: "claude", Rows: 212, Mentions: 3, People: 2, Agents: 1, Gaps: sim.Gaps{Min: 2, Median: 2.5, Max: 3}}
	if running.Channel != want {
		t.Errorf("%+v", running.Channel)
	}
	if s := running.Strategies; s.Hearth.RowsNeverShown != 193 || s.Hearth.RowsNamed != 193 || running.Seed != nil {
		t.Errorf("%+v", running)
	}
	if told := told(t, h); told != running.Strategies.Hearth.ContextTokens {
		t.Errorf("the real turns told %d tokens of the channel, the simulated ones %d", told, running.Strategies.Hearth.ContextTokens)
	}
	if line := report("--channel", "line").Channel; line.Mentions != 1 {
		t.Errorf("%+v", line)
	}
	server.interrupt()
	server.end()
	if stopped := report("--channel", "general", "--agent", "claude"); stopped != running {
		t.Errorf("%+v with a Hearth running, %+v with none", running, stopped)
	}
	if r := h.run("sim", "--channel", "nowhere"); r.code != exitFailed || !strings.Contains(r.stderr, "there is no file nowhere, and there is no channel #nowhere") {
		t.Errorf("%+v", r)
	}
	if r := h.run("sim", "--channel", "general", "--agent", "codex"); r.code != exitFailed || !strings.Contains(r.stderr, "no @codex") {
		t.Errorf("%+v", r)
	}
}

// told counts what the turns of #general really told of it, as the simulation
// counts: their context blocks without the headers.
func told(t *testing.T, h *house) (tokens int64) {
	t.Helper()
	var list struct {
		Runs []struct{ ID string }
	}
	if err := json.Unmarshal([]byte(h.ok("runs", "general", "--json")), &list); err != nil || len(list.Runs) != 3 {
		t.Fatalf("%d runs, %v", len(list.Runs), err)
	}
	for _, r := range list.Runs {
		var detail struct{ Sent api.Sent }
		if err := json.Unmarshal([]byte(h.ok("run", r.ID, "--json")), &detail); err != nil {
			t.Fatal(err)
		}
		for _, block := range detail.Sent.Blocks {
			if block.Kind == "rows" {
				_, rows, _ := strings.Cut(strings.TrimSpace(block.Text), "\n")
				tokens += int64(token.Count(rows + "\n"))
			}
		}
	}
	return tokens
}

// A row as the API gives it is a line of a channel's file, with every field it has.
func TestSimReadsTheAPIsRows(t *testing.T) {
	row := api.Row{ID: "1", Kind: "user", Body: "@claude?", CreatedAt: epoch, EditedAt: epoch, DeletedAt: epoch, ThreadSize: 1}
	line, err := json.Marshal(row)
	if err != nil {
		t.Fatal(err)
	}
	for field := range reflect.TypeFor[api.Row]().Fields() {
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); !strings.Contains(string(line), `"`+name+`"`) {
			t.Errorf("%s is not in the line: fill it in", name)
		}
	}
	if c, err := sim.Read(bytes.NewReader(line), "file", "claude"); err != nil || len(c.Rows) != 1 {
		t.Errorf("%v, %v", c, err)
	}
}

// Every row of the table is explained where one looks for it.
func TestSimExplainsItsTable(t *testing.T) {
	report, err := sim.Run(t.Context(), sim.Generate(1), sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(report.Text(), "\n\n")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := strings.Split(table, "\n")[1:]
	if len(rows) != 9 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, row := range rows {
		if name, _, _ := strings.Cut(row, "  "); !strings.Contains(aboutSim, "\n  "+name+"  ") {
			t.Errorf("%q is not explained", name)
		}
	}
}
