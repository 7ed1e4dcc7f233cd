package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"hearth/backend/logs"
	"hearth/backend/store"
)

func (h *house) writeServer(text string) {
	h.t.Helper()
	if err := os.MkdirAll(h.dir, 0o700); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(h.dir, serverName), []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

// What a Hearth that died left behind does not matter: the lock is free.
func TestServerFileThatIsStale(t *testing.T) {
	dead := httptest.NewServer(http.NotFoundHandler())
	dead.Close()
	address := strings.TrimPrefix(dead.URL, "http://")
	for name, text := range map[string]string{
		"dead":    fmt.Sprintf(`{"addr":%q,"token":"t","pid":1}`, address),
		"garbage": `{"addr":`,
		"empty":   ``,
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			h.writeServer(text)
			h.ok("channels", "create", "x")
			h.serve()
			if out := h.ok("channels"); !strings.Contains(out, "#x") {
				t.Errorf("says %s", out)
			}
		})
	}
}

// The port of a Hearth that died may be another program's: it is not given the
// token.
func TestServerFileOfAnotherProgram(t *testing.T) {
	for name, answer := range map[string]string{"JSON": `{"service":"other"}`, "text": "hello", "long": strings.Repeat(" ", 1<<20)} {
		t.Run(name, func(t *testing.T) {
			var told atomic.Bool
			other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Authorization") != "" {
					told.Store(true)
				}
				_, _ = io.WriteString(w, answer)
			}))
			defer other.Close()
			h := newHouse(t)
			h.writeServer(fmt.Sprintf(`{"addr":%q,"token":"t","pid":1}`, strings.TrimPrefix(other.URL, "http://")))
			h.ok("channels", "create", "x")
			if told.Load() {
				t.Error("the token was given away")
			}
		})
	}
}

func TestServerFileThatLeadsAway(t *testing.T) {
	h := newHouse(t)
	for _, address := range []string{"192.0.2.1:80", "localhost:80", "evil.example:80", "", "127.0.0.1"} {
		h.writeServer(fmt.Sprintf(`{"addr":%q,"token":"t","pid":1}`, address))
		if r := h.run("channels"); r.code != exitFailed || !strings.Contains(r.stderr, "not on this machine") {
			t.Errorf("%q: %+v", address, r)
		}
	}
}

// A folder that is held by a Hearth that does not answer.
func TestHeldFolder(t *testing.T) {
	h := newHouse(t)
	hold, err := store.Lock(h.dir)
	if err != nil {
		t.Fatal(err)
	}
	impatient := func(args ...string) result {
		var stdout, stderr strings.Builder
		a := h.app(&stdout, &stderr)
		a.patience = 1
		return result{a.run(t.Context(), args), stdout.String(), stderr.String()}
	}
	for _, command := range []string{"channels", "serve"} {
		if r := impatient(command); r.code != exitFailed || !strings.Contains(r.stderr, "in use, and what uses it can't be reached") {
			t.Errorf("%s: %+v", command, r)
		}
	}
	h.writeServer(`{"addr":"127.0.0.1:1","token":"t","pid":4242}`)
	for _, command := range []string{"channels", "serve"} {
		if r := impatient(command); r.code != exitFailed || !strings.Contains(r.stderr, "does not answer on 127.0.0.1:1: end it with `kill 4242`") {
			t.Errorf("%s: %+v", command, r)
		}
	}
	// Given back in time, it is as if nothing had been.
	waiting := h.start("channels", "create", "x")
	if err := hold.Release(); err != nil {
		t.Fatal(err)
	}
	if r := waiting.end(); r.code != exitDone {
		t.Errorf("after waiting: %+v", r)
	}
	// Given up while it waits.
	hold, err = store.Lock(h.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = hold.Release() }()
	waiting = h.start("channels")
	waiting.interrupt()
	if r := waiting.end(); r.code != exitInterrupted {
		t.Errorf("given up: %+v", r)
	}
}

// Many commands at once wait for one another.
func TestManyCommandsAtOnce(t *testing.T) {
	h := newHouse(t)
	h.ok("channels", "create", "x")
	var all []*background
	for i := range 8 {
		all = append(all, h.start("post", "x", fmt.Sprint("message ", i)))
	}
	for _, one := range all {
		if r := one.end(); r.code != exitDone {
			t.Errorf("%+v", r)
		}
	}
	if out := h.ok("history", "x"); strings.Count(out, "message ") != 8 {
		t.Errorf("history: %s", out)
	}
}

// What the API answers in words that are not its own.
func TestStrangeAnswers(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"no JSON":    func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") },
		"no problem": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) },
		"cut off":    func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"a problem": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(401)
			_, _ = io.WriteString(w, `{"detail":"No\u001b."}`)
		},
		"half an answer": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, "{")
		},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/api/health" {
					_, _ = io.WriteString(w, `{"service":"hearth"}`)
					return
				}
				answer(w, r)
			}))
			defer server.Close()
			h := newHouse(t)
			h.writeServer(fmt.Sprintf(`{"addr":%q,"token":"t","pid":1}`, strings.TrimPrefix(server.URL, "http://")))
			if r := h.run("channels"); r.code != exitFailed || !strings.HasPrefix(r.stderr, "hearth: ") || strings.Contains(r.stderr, "\x1b") {
				t.Errorf("%+v", r)
			}
		})
	}
}

// A stream that breaks off is taken up where it was; one that can't be is an
// error, and a reset reads the run itself.
func TestWaitOverABrokenStream(t *testing.T) {
	const runID = "01KDYAK348K7NSSSG0NKJZEN79"
	var streams atomic.Int32
	var resumed atomic.Value
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		say := func(text string) { _, _ = io.WriteString(w, text) }
		switch {
		case r.URL.Path == "/api/health":
			say(`{"service":"hearth"}`)
		case r.URL.Path == "/api/channels":
			say(`{"channels":[{"id":"c","name":"general"}]}`)
		case strings.HasSuffix(r.URL.Path, "/bindings"):
			say(`{"bindings":[{"id":"b","handle":"claude"}]}`)
		case r.Method == http.MethodPost:
			say(`{"row":{"id":"r"},"runs":[{"id":"` + runID + `","binding_id":"b","state":"queued"}]}`)
		case r.URL.Path == "/api/permissions":
			say(`{"permissions":[{"id":"p","run_id":"` + runID + `","tool":"Bash"}]}`)
		case r.URL.Path == "/api/runs/"+runID:
			say(`{"run":{"id":"` + runID + `","binding_id":"b","state":"running"}}`)
		case r.URL.Path == "/api/messages/reply":
			say(`{"id":"reply","body":"at last"}`)
		case r.URL.Path == "/api/events":
			switch streams.Add(1) {
			case 1:
				say("id: e-1\r\nevent: ready\r\ndata: {}\r\n\r\n: beat\n\nid: e-2\nevent: run.updated\ndata: {\"id\":\"" + runID + "\",\"binding_id\":\"b\",\"state\":\"waiting\"}\n\nid: e-3\nev")
			case 2:
				resumed.Store(r.URL.Query().Get("after"))
				say("id: e-9\nevent: reset\ndata: {}\n\n")
			case 3:
				say("id: e-10\nevent: run.updated\ndata: {\"id\":\"other\",\"state\":\"failed\"}\n\n" +
					"id: e-11\nevent: unheard.of\ndata: {}\n\nid: e-12\nevent: run.updated\ndata: {\"id\":\"" + runID + "\",\"binding_id\":\"b\",\"state\":\"succeeded\",\"reply_id\":\"reply\"}\n\n")
			default:
				t.Error("a stream too many")
			}
		default:
			t.Errorf("asked for %s %s", r.Method, r.URL.Path)
		}
	}))
	defer server.Close()
	h := newHouse(t)
	h.writeServer(fmt.Sprintf(`{"addr":%q,"token":"t","pid":1}`, strings.TrimPrefix(server.URL, "http://")))
	r := h.run("post", "general", "@claude x", "--wait")
	if r.code != exitDone || r.stdout != "at last\n" || !strings.Contains(r.stderr, "@claude waits for a place for its process.\n") || !strings.Contains(r.stderr, "hearth allow p") {
		t.Errorf("%+v", r)
	}
	if resumed.Load() != "e-2" {
		t.Errorf("taken up after %v", resumed.Load())
	}
}

func TestInProcess(t *testing.T) {
	transport := inProcess{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		w.WriteHeader(http.StatusTeapot)
		w.WriteHeader(http.StatusOK) // too late
		fmt.Fprintf(w, "%s %s %s %s %v", r.Method, r.Host, r.RequestURI, body, err)
	})}
	c := &client{http: &http.Client{Transport: transport}, base: "http://127.0.0.1"}
	r, err := c.request(t.Context(), "POST", "/a?b=c", map[string]string{"d": "e"})
	if err != nil {
		t.Fatal(err)
	}
	response, err := c.http.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if body, err := io.ReadAll(response.Body); err != nil || string(body) != `POST 127.0.0.1 /a?b=c {"d":"e"} <nil>` || response.Status != "418 I'm a teapot" {
		t.Errorf("%s: %s %v", response.Status, body, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.get(ctx, "/", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
}

func TestIsLoopback(t *testing.T) {
	for address, want := range map[string]bool{
		"127.0.0.1:0": true, "127.1.2.3:1": true, "[::1]:0": true,
		"0.0.0.0:1": false, "[::]:1": false, ":1": false, "localhost:1": false, "10.0.0.1:1": false, "127.0.0.1": false, "": false,
	} {
		if got := isLoopback(address); got != want {
			t.Errorf("%q: %t", address, got)
		}
	}
}

func TestDataDir(t *testing.T) {
	h := newHouse(t)
	t.Setenv("XDG_DATA_HOME", "/xdg")
	t.Setenv("HOME", "/home/x")
	for value, want := range map[string]string{"": "hearth", "rel": filepath.Join(h.work, "rel"), "/abs": "/abs"} {
		h.env["HEARTH_DATA_DIR"] = value
		if got, err := h.app(nil, nil).dataDir(); err != nil || !strings.HasSuffix(strings.ToLower(got), strings.ToLower(want)) {
			t.Errorf("%q: %s %v", value, got, err)
		}
	}
}

// A pipe in the place of a file is named, and not waited for.
func TestPipesInTheDataFolder(t *testing.T) {
	h := newHouse(t)
	h.ok("channels")
	path := logs.Path(h.dir)
	if err := errors.Join(os.RemoveAll(path), syscall.Mkfifo(path, 0o600)); err != nil {
		t.Fatal(err)
	}
	h.ok("channels")
	path = filepath.Join(h.dir, serverName)
	if err := errors.Join(os.RemoveAll(path), syscall.Mkfifo(path, 0o600)); err != nil {
		t.Fatal(err)
	}
	if r := h.run("channels"); r.code == 0 || !strings.Contains(r.stderr, "is not a file") {
		t.Errorf("%+v", r)
	}
}
