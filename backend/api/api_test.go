package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hearth/backend/chat"
	"hearth/backend/event"
	"hearth/backend/golden"
	"hearth/backend/run"
)

type request struct{ method, path, body string }

var deletion = regexp.MustCompile(`[0-9]{8}T[0-9]{6}Z-[0-9A-Z]{26}`)

// right is one good request of every operation, in an order in which each works.
var right = []request{
	{"GET", "/api/health", ""},
	{"GET", "/api/setup", ""},
	{"GET", "/api/logs", ""},
	{"GET", "/api/logs?after=gone&level=warn&text=disk&limit=2", ""},
	{"GET", "/api/channels", ""},
	{"GET", "/api/channels?archived=true", ""},
	{"GET", "/api/channels?name=%23General", ""},
	{"GET", "/api/channels?name=none", ""},
	{"POST", "/api/channels", `{"name":" #데이터 ","topic":" numbers "}`},
	{"GET", "/api/channels/c1", ""},
	{"GET", "/api/channels/c1/cache?days=2&limit=2", ""},
	{"GET", "/api/channels/c1/strategies?binding=b2", ""},
	{"GET", "/api/channels/c1/strategies?binding=b2&rows=100000&limit=1&evict_at=2", ""},
	{"GET", "/api/channels/c1/workbench", ""},
	{"GET", "/api/channels/c1/workbench/file?path=scripts/check.sh", ""},
	{"GET", "/api/channels/c1/workbench/find?q=TEST", ""},
	{"GET", "/api/channels/c1/workbench/origin?path=spill/0123456789abcdef.txt", ""},
	{"POST", "/api/channels/c1/workbench/open", `{"path":"scripts/check.sh","in":"editor"}`},
	{"POST", "/api/channels/c1/workbench/delete", `{"files":[{"path":"notes/auth.md"},{"path":"notes/none.md"},{"path_bytes":"_w"}]}`},
	{"GET", "/api/channels/c1/workbench/deleted", ""},
	{"POST", "/api/channels/c1/workbench/restore", `{"deleted":"DELETION","path":"notes/auth.md","as":"notes/auth-2.md"}`},
	{"GET", "/api/workbench/settings", ""},
	{"PATCH", "/api/workbench/settings", `{"editor":" code -n ","trash_days":30}`},
	{"PATCH", "/api/channels/c1", `{"topic":"some of it"}`},
	{"PATCH", "/api/channels/c1", `{"git_ignore":"output"}`},
	{"PATCH", "/api/channels/c1", `{"topic":"some of it","name":null}`},
	{"GET", "/api/channels/c1/messages", ""},
	{"POST", "/api/channels/c1/messages", `{"body":"in a thread","thread_root_id":"r3","author":"aiko"}`},
	{"POST", "/api/channels/c1/messages", `{"body":"@claude again"}`},
	{"GET", "/api/channels/c1/messages?limit=1", ""},
	{"GET", "/api/channels/c1/messages?limit=1&before=r7", ""},
	{"GET", "/api/channels/c1/messages?limit=1&after=r6", ""},
	{"GET", "/api/channels/c1/messages?limit=2&around=r7", ""},
	{"GET", "/api/channels/c1/messages?limit=1&since=2026-01-02T03:04:10Z", ""},
	{"GET", "/api/channels/c1/messages?thread_root_id=r3", ""},
	{"GET", "/api/search?q=THREAD", ""},
	{"GET", "/api/search?q=claude&limit=1", ""},
	{"GET", "/api/search?q=claude&limit=1&next=1", ""},
	{"GET", "/api/search?q=in:gen+from:aiko&thread=true&archived=true", ""},
	{"GET", "/api/search?channel=c1&from=me&after=2025&before=2027&on=2026", ""},
	{"GET", "/api/search?q=in:nowhere+before:then+is:odd+x", ""},
	{"GET", "/api/search?q=%22%22", ""},
	{"GET", "/api/messages/r3", ""},
	{"GET", "/api/messages/r3/versions", ""},
	{"PUT", "/api/channels/c1/read", `{"row_id":"r3"}`},
	{"PUT", "/api/channels/c1/read", `{"row_id":"r3"}`},
	{"PATCH", "/api/messages/r7", `{"body":"@claude once more"}`},
	{"GET", "/api/channels/c1/roster", ""},
	{"GET", "/api/channels/c1/bindings", ""},
	{"POST", "/api/channels/c1/bindings", `{"handle":"@분석가","runtime":"cli:standin:agent","resident":false,"token":"secret","base_url":"http://localhost:1"}`},
	{"GET", "/api/bindings/b2", ""},
	{"PATCH", "/api/bindings/b2", `{"model":"","token":"","supervised":false}`},
	{"PATCH", "/api/bindings/b2", `{}`},
	{"PATCH", "/api/bindings/b2", `{"role":"plain","glance":false,"hands":[],"spill_over":0}`},
	{"PATCH", "/api/bindings/b2", `{"workers":[{"name":"explorer","description":"Finds things.","prompt":"Find it.","tools":["Read","Grep"]}]}`},
	{"GET", "/api/bindings/b2/detail", ""},
	{"GET", "/api/bindings/b2/commands", ""},
	{"GET", "/api/bindings/b2/rules", ""},
	{"DELETE", "/api/bindings/b2/rules/rule2", ""},
	{"GET", "/api/bindings/b2/rules", ""},
	{"POST", "/api/bindings/b2/warm", ""},
	{"POST", "/api/bindings/b2/stop", ""},
	{"POST", "/api/bindings/b2/restore", ""},
	{"POST", "/api/bindings/b2/fresh", ""},
	{"POST", "/api/bindings/b2/fresh/undo", ""},
	{"GET", "/api/channels/c1/runs", ""},
	{"GET", "/api/channels/c1/runs?limit=1", ""},
	{"GET", "/api/channels/c1/runs?before=run8", ""},
	{"GET", "/api/channels/c1/runs?binding=b2&limit=1", ""},
	{"GET", "/api/channels/c1/runs?binding=none", ""},
	{"GET", "/api/runs/run4", ""},
	{"GET", "/api/runs/run8", ""},
	{"POST", "/api/runs/run4/stop", ""},
	{"POST", "/api/runs/run4/retry", ""},
	{"GET", "/api/runs/run4/changes", ""},
	{"POST", "/api/runs/run4/changes/undo", `{"dry_run":true}`},
	{"POST", "/api/runs/run4/changes/0/open", ""},
	{"GET", "/api/permissions", ""},
	{"GET", "/api/permissions?open=true&channel=c1&limit=1", ""},
	{"GET", "/api/permissions/p0", ""},
	{"POST", "/api/permissions/p1", `{"decision":"allow"}`},
	{"POST", "/api/permissions/p1", `{"decision":"always","rule":"Bash(rm:*)"}`},
	{"POST", "/api/permissions/p1", `{"decision":"deny","message":"not here"}`},
	{"POST", "/api/direct", `{"handle":"pair","model":"haiku"}`},
	{"DELETE", "/api/bindings/b2", ""},
	{"POST", "/api/channels/c5/archive", ""},
	{"POST", "/api/channels/c5/archive", ""},
	{"POST", "/api/channels/c5/unarchive", ""},
	{"POST", "/api/channels/c5/unarchive", ""},
	{"DELETE", "/api/messages/r7", ""},
	{"DELETE", "/api/channels/c1", ""},
}

func TestRight(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	h.bench(t)
	h.turns = expired()
	h.origins = map[string]Origin{"spill/0123456789abcdef.txt": {RunID: "run8", ChannelID: "c1", BindingID: "b2", Handle: "claude", StepID: "toolu_1", Tool: "Bash", Command: "go test ./..."}}
	deleted := "" // the id of the deletion, which is another each time
	var out bytes.Buffer
	for _, r := range right {
		a := h.call(r.method, r.path, strings.ReplaceAll(r.body, "DELETION", deleted))
		if a.status >= 300 {
			t.Errorf("%s %s: %d %s", r.method, r.path, a.status, a.body)
		}
		if id := deletion.FindString(a.body); id != "" {
			deleted, a.body = id, strings.ReplaceAll(a.body, id, "DELETION")
		}
		if a.header.Get("Cache-Control") != "no-store" || a.header.Get("Content-Security-Policy") == "" {
			t.Errorf("%s %s: headers %v", r.method, r.path, a.header)
		}
		h.show(&out, r.method, r.path, r.body, a)
	}
	fmt.Fprintf(&out, "Done to agents:\n%s\n\nPublished:\n", strings.Join(h.did, "\n"))
	sub, _ := h.bus.Subscribe(0)
	for h.bus.Last() > 0 {
		e := must(sub.Next(t.Context()))
		data, known := toEventData(e)
		if !known {
			t.Errorf("%s has data the wire knows nothing of: %T", e.Type, e.Data)
		}
		text := must(json.Marshal(data))
		fmt.Fprintf(&out, "%s in %s: %s\n", e.Type, e.ChannelID, strings.ReplaceAll(string(text), h.workspace, "/workspace"))
		if e.Seq == h.bus.Last() {
			break
		}
	}
	golden.Equal(t, "right.txt", out.String())
	answers, _, _ := strings.Cut(out.String(), "Done to agents")
	for _, r := range right {
		if r.body != "" {
			answers = strings.ReplaceAll(answers, " "+r.body+"\n", "\n") // what was sent is shown too
		}
	}
	for _, secret := range []string{"never to be seen", `"token":"secret"`, `"token": "secret"`} {
		if strings.Contains(answers, secret) {
			t.Errorf("a token came out: %q", secret)
		}
	}
}

// Every operation of the document is in the list above.
func TestRightIsEverything(t *testing.T) {
	h := newHouse(t)
	var document struct {
		Paths map[string]map[string]struct {
			OperationID string `json:"operationId"`
		} `json:"paths"`
	}
	if err := json.Unmarshal([]byte(h.call("GET", documentPath, "").body), &document); err != nil {
		t.Fatal(err)
	}
	if len(document.Paths) < 20 {
		t.Fatalf("only %d paths", len(document.Paths))
	}
	for path, operations := range document.Paths {
		switch path {
		case "/api/events", // it never ends
			"/api/pages/{id}", "/api/pages/{id}/notices", // they go with one that does not end
			"/api/channels/{id}/files", "/api/channels/{id}/file", "/api/channels/{id}/workbench/bytes", // they carry bytes
			"/api/reports", "/api/reports/{id}": // and so does what this makes
			continue // and have tests of their own
		}
		shape := regexp.MustCompile("^" + regexp.MustCompile(`\{[^}]*\}`).ReplaceAllString(path, "[^/]+") + "$")
		for method, o := range operations {
			if !slices.ContainsFunc(right, func(r request) bool {
				p, _, _ := strings.Cut(r.path, "?")
				return r.method == strings.ToUpper(method) && shape.MatchString(p)
			}) {
				t.Errorf("%s (%s %s) has no request in the list", o.OperationID, method, path)
			}
		}
	}
}

func TestWrong(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	h.bench(t)
	for _, r := range []request{ // c5 is archived, c6 is direct
		{"POST", "/api/channels", `{"name":"old"}`},
		{"POST", "/api/channels/c5/archive", ""},
		{"POST", "/api/direct", `{"handle":"pair"}`},
		{"POST", "/api/channels/c1/messages", `{"body":"answer","thread_root_id":"r3"}`},
	} {
		if a := h.call(r.method, r.path, r.body); a.status >= 300 {
			t.Fatalf("%s %s: %s", r.method, r.path, a.body)
		}
	}
	h.did = nil
	var out bytes.Buffer
	for _, r := range []request{
		{"GET", "/api/nothing", ""},
		{"GET", "/api", ""},
		{"PUT", "/api/channels", "{}"},
		{"GET", "/api/channels?archived=perhaps", ""},
		{"GET", "/api/channels?title=general", ""},
		{"GET", "/api/channels/none", ""},
		{"PATCH", "/api/channels/none", "{}"},
		{"DELETE", "/api/channels/none", ""},
		{"POST", "/api/channels/none/archive", ""},
		{"POST", "/api/channels/none/unarchive", ""},
		{"GET", "/api/channels/none/messages", ""},
		{"POST", "/api/channels/none/messages", `{"body":"x"}`},
		{"GET", "/api/channels/none/roster", ""},
		{"GET", "/api/channels/none/bindings", ""},
		{"POST", "/api/channels/none/bindings", `{"handle":"x"}`},
		{"GET", "/api/channels/none/runs", ""},
		{"POST", "/api/channels", ""},
		{"POST", "/api/channels", "{"},
		{"POST", "/api/channels", `{"name":"x"} {"name":"y"}`},
		{"POST", "/api/channels", `[]`},
		{"POST", "/api/channels", `null`},
		{"POST", "/api/channels", `{}`},
		{"POST", "/api/channels", `{"name":7}`},
		{"POST", "/api/channels", `{"name":null}`},
		{"POST", "/api/channels", `{"name":"x","color":"red"}`},
		{"POST", "/api/channels", `{"name":"GENERAL"}`},
		{"POST", "/api/channels", `{"name":" # "}`},
		{"POST", "/api/channels", `{"name":"a\nb"}`},
		{"POST", "/api/channels", `{"name":"` + strings.Repeat("n", 81) + `"}`},
		{"POST", "/api/channels", `{"name":"x","topic":"` + strings.Repeat("t", 501) + `"}`},
		{"POST", "/api/channels", `{"name":"x","workspace":"relative"}`},
		{"POST", "/api/channels", `{"name":"x","workspace":"/no/such/folder"}`},
		{"POST", "/api/channels", `{"name":"x","workspace":"/dev/null"}`},
		{"POST", "/api/channels", `{"name":"x","workspace":"/a\u0000b"}`},
		{"PATCH", "/api/channels/c1", `{"name":""}`},
		{"PATCH", "/api/channels/c1", `{"name":"PAIR"}`},
		{"PATCH", "/api/channels/c1", `{"workspace":"/no/such/folder"}`},
		{"GET", "/api/logs?level=loud", ""},
		{"GET", "/api/logs?limit=2001", ""},
		{"GET", "/api/logs?after=1-0&before=1-0", ""},
		{"GET", "/api/logs?text=" + strings.Repeat("t", 201), ""},
		{"GET", "/api/reports/none", ""},
		{"GET", "/api/channels/c1/messages?limit=0", ""},
		{"GET", "/api/channels/c1/messages?limit=201", ""},
		{"GET", "/api/channels/c1/messages?limit=many", ""},
		{"GET", "/api/channels/c1/messages?before=none", ""},
		{"GET", "/api/channels/c6/messages?before=r3", ""},
		{"GET", "/api/channels/c6/messages?around=r3", ""},
		{"GET", "/api/channels/c1/messages?after=none", ""},
		{"GET", "/api/channels/c1/messages?before=r3&after=r3", ""},
		{"GET", "/api/channels/c1/messages?around=r3&before=none", ""},
		{"GET", "/api/channels/c1/messages?since=2026-01-02T03:04:10Z&before=none", ""},
		{"GET", "/api/channels/c1/messages?since=yesterday", ""},
		{"GET", "/api/search?q=x&next=3rd", ""},
		{"GET", "/api/search?q=x&next=-1", ""},
		{"GET", "/api/search?q=x&limit=0", ""},
		{"GET", "/api/search?q=" + strings.Repeat("x", 1001), ""},
		{"PUT", "/api/channels/none/read", `{"row_id":"r3"}`},
		{"PUT", "/api/channels/c6/read", `{"row_id":"r3"}`},
		{"PUT", "/api/channels/c1/read", `{}`},
		{"PATCH", "/api/messages/none", `{"body":"x"}`},
		{"PATCH", "/api/messages/r3", `{"body":" "}`},
		{"PATCH", "/api/messages/r3", `{"body":"x","author":"aiko"}`},
		{"DELETE", "/api/messages/none", ""},
		{"GET", "/api/channels/c1/messages?thread_root_id=none", ""},
		{"GET", "/api/channels/c6/messages?thread_root_id=r3", ""},
		{"GET", "/api/channels/c1/messages?thread_root_id=r8", ""},
		{"GET", "/api/messages/none", ""},
		{"GET", "/api/messages/none/versions", ""},
		{"POST", "/api/channels/c1/messages", `{"body":" "}`},
		{"POST", "/api/channels/c1/messages", `{"body":"x","thread_root_id":"none"}`},
		{"POST", "/api/channels/c1/messages", `{"body":"x","thread_root_id":"r8"}`},
		{"POST", "/api/channels/c5/messages", `{"body":"x"}`},
		{"POST", "/api/channels/c1/bindings", `{"handle":"Claude"}`},
		{"POST", "/api/channels/c1/bindings", `{"handle":"AIKO"}`},
		{"POST", "/api/channels/c1/bindings", `{"handle":"two words"}`},
		{"POST", "/api/channels/c1/bindings", `{"handle":"x","runtime":"telnet"}`},
		{"POST", "/api/channels/c1/bindings", `{"handle":"x","permission_mode":"yolo"}`},
		{"POST", "/api/channels/c1/bindings", `{"handle":"x","model":"--dangerously"}`},
		{"POST", "/api/channels/c1/bindings", `{"handle":"x","base_url":"file:///etc/passwd"}`},
		{"POST", "/api/channels/c1/bindings", `{"handle":"x","token":"a\nb"}`},
		{"POST", "/api/channels/c5/bindings", `{"handle":"x"}`},
		{"POST", "/api/channels/c6/bindings", `{"handle":"second"}`},
		{"POST", "/api/channels/c1/bindings", `{"handle":"x","role":"boss"}`},
		{"POST", "/api/channels/c1/bindings", `{"handle":"x","hands":["Bash"]}`},
		{"POST", "/api/channels/c1/bindings", `{"handle":"x","hands":["Grep","Grep"]}`},
		{"POST", "/api/channels/c1/bindings", `{"handle":"x","spill_over":999}`},
		{"POST", "/api/channels/c1/bindings", `{"handle":"x","spill_over":-1}`},
		{"POST", "/api/channels/c1/bindings", `{"handle":"x","workers":[{"name":"Not So","description":"d","prompt":"p","tools":["Read"]}]}`},
		{"POST", "/api/channels/c1/bindings", `{"handle":"x","workers":[{"name":"w","description":"d","prompt":"p","tools":[]}]}`},
		{"POST", "/api/channels/c1/bindings", `{"handle":"x","workers":[{"name":"w","description":"d","prompt":"p","tools":["Agent"]}]}`},
		{"POST", "/api/channels/c1/bindings", `{"handle":"x","workers":[{"name":"w","description":"d","prompt":"p","tools":["Read"],"color":"red"}]}`},
		{"POST", "/api/channels/c1/bindings", `{"handle":"x","workers":[{"name":"w","description":"d","prompt":"p","tools":["Read"]},{"name":"w","description":"e","prompt":"p","tools":["Read"]}]}`},
		{"PATCH", "/api/bindings/b2", `{"workers":[{"name":"w","description":"a\nb","prompt":"p","tools":["Read"]}]}`},
		{"PATCH", "/api/bindings/b2", `{"role":""}`},
		{"PATCH", "/api/bindings/b2", `{"spill_over":1000001}`},
		{"POST", "/api/channels", `{"name":"x","git_ignore":"some"}`},
		{"PATCH", "/api/channels/c1", `{"git_ignore":""}`},
		{"GET", "/api/channels/none/cache", ""},
		{"GET", "/api/channels/c1/cache?before=none", ""},
		{"GET", "/api/channels/c1/cache?binding=none", ""},
		{"GET", "/api/channels/c1/cache?days=367", ""},
		{"GET", "/api/channels/c1/cache?limit=0", ""},
		{"GET", "/api/channels/none/strategies?binding=b2", ""},
		{"GET", "/api/channels/c1/strategies", ""},
		{"GET", "/api/channels/c1/strategies?binding=none", ""},
		{"GET", "/api/channels/c6/strategies?binding=b2", ""},
		{"GET", "/api/channels/c1/strategies?binding=b2&rows=100001", ""},
		{"GET", "/api/channels/c1/strategies?binding=b2&limit=31", ""},
		{"GET", "/api/channels/c1/strategies?binding=b2&evict_at=1", ""},
		{"GET", "/api/channels/c1/strategies?binding=b2&evict_at=-2", ""},
		{"PATCH", "/api/channels/c1", `{"spend_limit_usd": -1}`},
		{"PATCH", "/api/channels/c1", `{"spend_limit_usd": 1e9}`},
		{"PATCH", "/api/channels/c1", `{"spend_limit_usd": 1e400}`},
		{"PATCH", "/api/channels/c1", `{"spend_limit_usd": 1e-400}`},
		{"PATCH", "/api/channels/c1", `{"spend_limit_usd": 0.009}`},
		{"PATCH", "/api/channels/c1", `{"topic": "x",}`},
		{"PATCH", "/api/channels/c1", "{\n  \"topic\": \"한\", oops\n}"},
		{"PATCH", "/api/channels/c1", `{"topic": "x"`},
		{"PATCH", "/api/channels/c1", `{"topic": "x"} {}`},
		{"PATCH", "/api/channels/c1", "{\"topic\": \"a\tb\"}"},
		{"PATCH", "/api/channels/c1", `topic=x`},
		{"GET", "/api/channels/none/workbench", ""},
		{"GET", "/api/channels/c1/workbench?bench=/etc", ""},
		{"GET", "/api/channels/c1/workbench?kind=spells", ""},
		{"GET", "/api/channels/c1/workbench?limit=1001", ""},
		{"GET", "/api/channels/c1/workbench?offset=-1", ""},
		{"GET", "/api/channels/none/workbench/file?path=scripts/x", ""},
		{"GET", "/api/channels/c1/workbench/file", ""},
		{"GET", "/api/channels/c1/workbench/file?path=scripts/none", ""},
		{"GET", "/api/channels/c1/workbench/file?path=../secret", ""},
		{"GET", "/api/channels/c1/workbench/file?path=scripts/check.sh&offset=1000", ""},
		{"GET", "/api/channels/c1/workbench/file?path=scripts/check.sh&limit=3", ""},
		{"GET", "/api/channels/c1/workbench/file?path=a&path_bytes=YQ", ""},
		{"GET", "/api/channels/c1/workbench/file?path_bytes=%2F%2F%2F", ""},
		{"GET", "/api/channels/none/workbench/find?q=x", ""},
		{"GET", "/api/channels/c1/workbench/find", ""},
		{"GET", "/api/channels/c1/workbench/find?q=%20", ""},
		{"GET", "/api/channels/c1/workbench/find?q=x&limit=0", ""},
		{"GET", "/api/channels/c1/workbench/find?q=" + strings.Repeat("x", 1001), ""},
		{"GET", "/api/bindings/none", ""},
		{"PATCH", "/api/bindings/none", "{}"},
		{"PATCH", "/api/bindings/b2", `{"handle":"aiko"}`},
		{"PATCH", "/api/bindings/b2", `{"channel_id":"c6"}`},
		{"DELETE", "/api/bindings/none", ""},
		{"GET", "/api/bindings/none/detail", ""},
		{"GET", "/api/bindings/none/rules", ""},
		{"DELETE", "/api/bindings/b2/rules/none", ""},
		{"POST", "/api/bindings/none/fresh", ""},
		{"POST", "/api/bindings/none/fresh/undo", ""},
		{"POST", "/api/bindings/b2/explode", ""},
		{"POST", "/api/direct", `{"handle":"pair"}`},
		{"POST", "/api/direct", `{"handle":"two words"}`},
		{"GET", "/api/channels/c1/runs?before=none", ""},
		{"GET", "/api/runs/none", ""},
		{"POST", "/api/runs/none/stop", ""},
		{"POST", "/api/runs/none/retry", ""},
		{"GET", "/api/permissions?channel=none", ""},
		{"GET", "/api/permissions/none", ""},
		{"POST", "/api/permissions/none", `{"decision":"allow"}`},
		{"POST", "/api/permissions/p1", `{"decision":"perhaps"}`},
		{"POST", "/api/permissions/p1", `{"rule":"Bash(rm:*)"}`},
		{"POST", "/api/health", "{}"},
	} {
		a := h.call(r.method, r.path, r.body)
		a.problem(t)
		if len(r.body) > 100 {
			r.body = r.body[:60] + "…"
		}
		h.show(&out, r.method, r.path, r.body, a)
	}
	golden.Equal(t, "wrong.txt", out.String())
	if before := 4; h.bus.Last() != uint64(before) { // what the first requests did
		t.Errorf("a request that failed published something: %d events", h.bus.Last())
	}
	for _, did := range h.did {
		if strings.HasPrefix(did, "Arrange") {
			t.Errorf("a request that failed ended agents: %s", did)
		}
	}
}

// Every method that the API asks can fail, and then says so without changing or
// publishing anything after it.
func TestFaults(t *testing.T) {
	for _, test := range []struct {
		method  string
		request request
	}{
		{"Channels", request{"GET", "/api/channels", ""}},
		{"ChannelByName", request{"GET", "/api/channels?name=general", ""}},
		{"ChannelByName", request{"PATCH", "/api/channels/c1", `{"name":"x"}`}},
		{"Channel", request{"GET", "/api/channels/c1", ""}},
		{"CreateChannel", request{"POST", "/api/channels", `{"name":"x"}`}},
		{"UpdateChannel", request{"PATCH", "/api/channels/c1", `{"name":"x"}`}},
		{"ArchiveChannel", request{"POST", "/api/channels/c1/archive", ""}},
		{"Arrange", request{"POST", "/api/channels/c1/archive", ""}},
		{"Arrange", request{"DELETE", "/api/channels/c1", ""}},
		{"DeleteChannel", request{"DELETE", "/api/channels/c1", ""}},
		{"Page", request{"GET", "/api/channels/c1/messages", ""}},
		{"Row", request{"GET", "/api/channels/c1/messages?around=r3", ""}},
		{"MarkRead", request{"PUT", "/api/channels/c1/read", `{"row_id":"r3"}`}},
		{"Edit", request{"PATCH", "/api/messages/r3", `{"body":"x"}`}},
		{"ThreadSizes", request{"PATCH", "/api/messages/r3", `{"body":"x"}`}},
		{"Delete", request{"DELETE", "/api/messages/r3", ""}},
		{"ThreadSizes", request{"DELETE", "/api/messages/r3", ""}},
		{"Versions", request{"GET", "/api/messages/r3/versions", ""}},
		{"Row", request{"GET", "/api/channels/c1/messages?before=r3", ""}},
		{"Row", request{"GET", "/api/channels/c1/messages?thread_root_id=r3", ""}},
		{"ThreadSizes", request{"GET", "/api/channels/c1/messages", ""}},
		{"Row", request{"GET", "/api/messages/r3", ""}},
		{"ThreadSizes", request{"GET", "/api/messages/r3", ""}},
		{"Post", request{"POST", "/api/channels/c1/messages", `{"body":"x"}`}},
		{"Members", request{"GET", "/api/channels/c1/roster", ""}},
		{"Bindings", request{"GET", "/api/channels/c1/roster", ""}},
		{"Presence", request{"GET", "/api/channels/c1/roster", ""}},
		{"Presence", request{"POST", "/api/bindings/b2/warm", ""}},
		{"Bindings", request{"GET", "/api/channels/c1/bindings", ""}},
		{"Bindings", request{"POST", "/api/channels/c1/bindings", `{"handle":"x"}`}},
		{"Members", request{"POST", "/api/channels/c1/bindings", `{"handle":"x"}`}},
		{"CreateBinding", request{"POST", "/api/channels/c1/bindings", `{"handle":"x"}`}},
		{"Binding", request{"GET", "/api/bindings/b2", ""}},
		{"Binding", request{"PATCH", "/api/bindings/b2", `{"model":"x"}`}},
		{"Bindings", request{"PATCH", "/api/bindings/b2", `{"model":"x"}`}},
		{"Arrange", request{"PATCH", "/api/bindings/b2", `{"model":"x"}`}},
		{"UpdateBinding", request{"PATCH", "/api/bindings/b2", `{"model":"x"}`}},
		{"Arrange", request{"DELETE", "/api/bindings/b2", ""}},
		{"DeleteBinding", request{"DELETE", "/api/bindings/b2", ""}},
		{"Rules", request{"GET", "/api/bindings/b2/rules", ""}},
		{"Binding", request{"GET", "/api/bindings/b2/detail", ""}},
		{"Detail", request{"GET", "/api/bindings/b2/detail", ""}},
		{"Commands", request{"GET", "/api/bindings/b2/commands", ""}},
		{"QueuedRuns", request{"GET", "/api/bindings/b2/detail", ""}},
		{"Turns", request{"GET", "/api/bindings/b2/detail", ""}},
		{"ProcessEnds", request{"GET", "/api/bindings/b2/detail", ""}},
		{"Handles", request{"GET", "/api/bindings/b2/detail", ""}},
		{"SessionFacts", request{"GET", "/api/bindings/b2/detail", ""}},
		{"ToolCalls", request{"GET", "/api/bindings/b2/detail", ""}},
		{"RemoveRule", request{"DELETE", "/api/bindings/b2/rules/rule1", ""}},
		{"Fresh", request{"POST", "/api/bindings/b2/fresh", ""}},
		{"UndoFresh", request{"POST", "/api/bindings/b2/fresh/undo", ""}},
		{"StopBinding", request{"POST", "/api/bindings/b2/stop", ""}},
		{"Warm", request{"POST", "/api/bindings/b2/warm", ""}},
		{"Restore", request{"POST", "/api/bindings/b2/restore", ""}},
		{"Runs", request{"GET", "/api/channels/c1/runs", ""}},
		{"Runs", request{"GET", "/api/channels/c1/runs?binding=b2", ""}},
		{"Run", request{"GET", "/api/channels/c1/runs?before=run4", ""}},
		{"Run", request{"GET", "/api/runs/run4", ""}},
		{"RunSent", request{"GET", "/api/runs/run4", ""}},
		{"RunSteps", request{"GET", "/api/runs/run4", ""}},
		{"RunSavings", request{"GET", "/api/runs/run4", ""}},
		{"Channel", request{"GET", "/api/channels/c1/cache", ""}},
		{"Handles", request{"GET", "/api/channels/c1/cache", ""}},
		{"Turns", request{"GET", "/api/channels/c1/cache", ""}},
		{"Totals", request{"GET", "/api/channels/c1/cache", ""}},
		{"Channel", request{"GET", "/api/channels/c1/workbench", ""}},
		{"Workbenches", request{"GET", "/api/channels/c1/workbench", ""}},
		{"OpenEntry", request{"GET", "/api/channels/c1/workbench/file?path=scripts/check.sh", ""}},
		{"OpenEntry", request{"GET", "/api/channels/c1/workbench/bytes?path=scripts/check.sh", ""}},
		{"FindEntries", request{"GET", "/api/channels/c1/workbench/find?q=x", ""}},
		{"StopRun", request{"POST", "/api/runs/run4/stop", ""}},
		{"Retry", request{"POST", "/api/runs/run4/retry", ""}},
		{"Changes", request{"GET", "/api/runs/run4/changes", ""}},
		{"Channel", request{"GET", "/api/runs/run4/changes", ""}},
		{"TakeBack", request{"POST", "/api/runs/run4/changes/undo", "{}"}},
		{"Changes", request{"POST", "/api/runs/run4/changes/0/open", ""}},
		{"Permissions", request{"GET", "/api/permissions", ""}},
		{"Channel", request{"GET", "/api/permissions?channel=c1", ""}},
		{"Permission", request{"GET", "/api/permissions/p1", ""}},
		{"AnswerPermission", request{"POST", "/api/permissions/p1", `{"decision":"allow"}`}},
		{"Read", request{"GET", "/api/logs", ""}},
		{"Report", request{"POST", "/api/reports", ""}},
	} {
		t.Run(test.method+" "+test.request.method+" "+test.request.path, func(t *testing.T) {
			h := newHouse(t)
			h.furnish(t)
			h.fail[test.method] = errors.New("disk full")
			a := h.call(test.request.method, test.request.path, test.request.body)
			if p := a.problem(t); p.Status != http.StatusInternalServerError || !strings.Contains(p.Detail, "disk full") {
				t.Errorf("got %+v", p)
			}
			if h.bus.Last() != 0 {
				t.Error("something was published")
			}
		})
		t.Run("panic in "+test.method+" "+test.request.method+" "+test.request.path, func(t *testing.T) {
			h := newHouse(t)
			h.furnish(t)
			h.hang[test.method] = true
			if p := h.call(test.request.method, test.request.path, test.request.body).problem(t); p.Status != http.StatusInternalServerError {
				t.Errorf("got %+v", p)
			}
			// Whatever the handler held is free again.
			delete(h.hang, test.method)
			if a := h.call("PATCH", "/api/channels/c1", `{"topic":"free"}`); a.status != http.StatusOK {
				t.Errorf("afterwards: %d %s", a.status, a.body)
			}
		})
	}
}

func TestCodes(t *testing.T) {
	for code, status := range map[chat.Code]int{
		chat.CodeInvalid: 422, chat.CodeNotFound: 404, chat.CodeConflict: 409, chat.CodeUnauthorized: 401,
		chat.CodeForbidden: 403, chat.CodeTooLarge: 413, chat.CodeUnavailable: 503, chat.CodeInternal: 500,
	} {
		h := newHouse(t)
		h.furnish(t)
		h.fail["Warm"] = fmt.Errorf("lease: %w", chat.Wrap(code, errors.New("the cause."), "What happened"))
		p := h.call("POST", "/api/bindings/b2/warm", "").problem(t)
		if p.Status != status || p.Code != string(code) {
			t.Errorf("%s: got %+v", code, p)
		}
		if !strings.Contains(p.Detail, "What happened: the cause.") {
			t.Errorf("%s: says %q", code, p.Detail)
		}
	}
	h := newHouse(t)
	h.furnish(t)
	h.fail["Warm"] = fmt.Errorf("lease: %w", context.Canceled)
	if p := h.call("POST", "/api/bindings/b2/warm", "").problem(t); p.Status != http.StatusServiceUnavailable {
		t.Errorf("given up: %+v", p)
	}
	h.fail["Warm"] = chat.Errorf("brand new", "A code nobody knows.")
	if p := h.call("POST", "/api/bindings/b2/warm", "").problem(t); p.Status != http.StatusInternalServerError || p.Code != "internal" {
		t.Errorf("unknown code: %+v", p)
	}
}

// A direct line is made whole or not at all.
func TestDirectLineIsUndone(t *testing.T) {
	h := newHouse(t)
	h.fail["CreateBinding"] = chat.Errorf(chat.CodeConflict, "Taken meanwhile.")
	if p := h.call("POST", "/api/direct", `{"handle":"pair"}`).problem(t); p.Status != http.StatusConflict {
		t.Errorf("got %+v", p)
	}
	if len(h.channels) != 0 {
		t.Errorf("a channel stayed: %v", h.channels)
	}
	h.fail["DeleteChannel"] = errors.New("disk full")
	if p := h.call("POST", "/api/direct", `{"handle":"pair"}`).problem(t); !strings.Contains(p.Detail, "Taken meanwhile") {
		t.Errorf("got %+v", p)
	}
}

// What is changed before agents are ended must be able to be changed.
func TestEndsBeforeChange(t *testing.T) {
	for _, test := range []struct {
		request request
		want    []string
	}{
		{request{"PATCH", "/api/channels/c1", `{"name":"x","topic":"y"}`}, nil},
		{request{"PATCH", "/api/channels/c1", `{"workspace":"/"}`}, []string{"Arrange b2"}},
		{request{"POST", "/api/channels/c1/archive", ""}, []string{"Arrange b2"}},
		{request{"DELETE", "/api/channels/c1", ""}, []string{"Arrange b2"}},
		{request{"PATCH", "/api/bindings/b2", `{"handle":"claude"}`}, nil},
		{request{"PATCH", "/api/bindings/b2", `{"handle":"clause"}`}, []string{"Arrange b2"}},
		{request{"DELETE", "/api/bindings/b2", ""}, []string{"Arrange b2"}},
	} {
		h := newHouse(t)
		h.furnish(t)
		if a := h.call(test.request.method, test.request.path, test.request.body); a.status >= 300 {
			t.Fatalf("%v: %s", test.request, a.body)
		}
		if !slices.Equal(h.did, test.want) {
			t.Errorf("%v: did %v, want %v", test.request, h.did, test.want)
		}
	}
}

func TestRunThatIsGoing(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	h.runs[0].State = "running"
	h.live["run4"] = "half a sen"
	var got struct {
		LiveText string `json:"live_text"`
		Steps    []Step `json:"steps"`
	}
	if err := json.Unmarshal([]byte(h.call("GET", "/api/runs/run4", "").body), &got); err != nil {
		t.Fatal(err)
	}
	if got.LiveText != "half a sen" || len(got.Steps) != 1 {
		t.Errorf("got %+v", got)
	}
}

// One agent's runs are found behind many of another's, page by page.
func TestRunsOfOneAgent(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	for i := range 1000 {
		r := run.Run{ID: fmt.Sprint("other", i), ChannelID: "c1", BindingID: "other"}
		if i%400 == 399 {
			r.ID, r.BindingID = fmt.Sprint("mine", i), "b2"
		}
		h.runs = append(h.runs, r)
	}
	list := func(query string) string {
		t.Helper()
		var got struct {
			Runs []Run `json:"runs"`
			More bool  `json:"more"`
		}
		if err := json.Unmarshal([]byte(h.call("GET", "/api/channels/c1/runs?binding=b2"+query, "").body), &got); err != nil {
			t.Fatal(err)
		}
		out := ""
		for _, r := range got.Runs {
			out += r.ID + " "
		}
		return out + fmt.Sprint(got.More)
	}
	for query, want := range map[string]string{
		"":                "mine799 mine399 run4 false",
		"&limit=1":        "mine799 true",
		"&limit=2":        "mine799 mine399 true",
		"&limit=3":        "mine799 mine399 run4 false",
		"&before=mine799": "mine399 run4 false",
		"&before=run4":    "false",
	} {
		if got := list(query); got != want {
			t.Errorf("%q: %s, want %s", query, got, want)
		}
	}
}

func TestOpenAPIDocument(t *testing.T) {
	h := newHouse(t)
	a := h.call("GET", documentPath, "")
	if a.status != 200 || a.header.Get("Content-Type") != "application/openapi+json" {
		t.Fatalf("got %d %v", a.status, a.header)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, []byte(a.body), "", "  "); err != nil {
		t.Fatal(err)
	}
	golden.Equal(t, "openapi.json", indented.String()+"\n")
	for _, unwanted := range []string{"$schema", `"null"`, "ErrorModel"} {
		if strings.Contains(a.body, unwanted) {
			t.Errorf("%s is in the document", unwanted)
		}
	}
	// Two of them are one: nothing in it depends on the order of a map.
	if again := newHouse(t).call("GET", documentPath, ""); again.body != a.body {
		t.Error("the document differs from one start to the next")
	}
}

func TestUnknownEventData(t *testing.T) {
	if _, known := toEventData(event.Event{Data: 7}); known {
		t.Error("a number is no event data")
	}
}
