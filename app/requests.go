package app

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	// scriptPath is where the page's end of the bridge is. Wails keeps its own scripts under /wails/ too.
	scriptPath = "/wails/hearth.js"
	// scripts go into the head of every page, before its own: Wails' two, which carry calls to Go, and ours.
	//
	// Problem: Wails puts its scripts only into pages whose path ends with a slash.
	// Why it matters: a page that is loaded again at /c/backend would have no bridge.
	// Solution: we put them into every page, and answer 203, "as changed on the way", which Wails leaves alone. That every
	// response is then written by us is also what lets us keep its pipe from child processes.
	scripts = `<script src="/wails/ipc.js"></script><script src="/wails/runtime.js"></script><script src="` + scriptPath + `"></script>`
)

// script is the page's end of the bridge.
//
//go:embed window.js
var script string

var (
	head    = regexp.MustCompile(`(?i)<head(?:\s[^>]*)?>`)
	doctype = regexp.MustCompile(`(?i)^\s*<!doctype[^>]*>`)
)

// requests stands between the web view and the handler, and knows the requests that run.
type requests struct {
	next    http.Handler
	log     *slog.Logger
	version string

	running sync.WaitGroup

	mutex   sync.Mutex
	ended   bool
	reads   map[int]context.CancelFunc // what the page is reading: GETs that run, by number
	number  int
	startAt string // where the first page begins, until there was one
}

func newRequests(next http.Handler, log *slog.Logger, version, startAt string) *requests {
	return &requests{next: next, log: log, version: version, reads: map[int]context.CancelFunc{}, startAt: startAt}
}

// under returns the handler whose requests end with ctx at the latest. Problem: the web view ends no request's context,
// not even when the page that made it is gone. What a page was reading is ended when the next page comes.
func (q *requests) under(ctx context.Context) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		a := &answer{inner: w, page: isNavigation(r)}
		if a.page {
			q.leavePage()
		}
		end, ok := q.begin(r.Method, cancel)
		if !ok {
			http.Error(a, "The window is closed.", http.StatusServiceUnavailable)
			return
		}
		defer end()
		// The web view reads what it gets as it is: it would show a compressed answer's bytes.
		r.Header.Del("Accept-Encoding")
		defer q.recover(a, r)
		if r.URL.Path == scriptPath {
			q.serveScript(a)
			return
		}
		q.next.ServeHTTP(a, r.WithContext(ctx))
		a.finish()
	})
}

// isNavigation says whether a request is for a page to show.
func isNavigation(r *http.Request) bool {
	return r.Method == http.MethodGet && strings.Contains(r.Header.Get("Accept"), "text/html")
}

func (q *requests) begin(method string, cancel context.CancelFunc) (end func(), ok bool) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	if q.ended {
		return nil, false
	}
	q.running.Add(1)
	q.number++
	number := q.number
	if method == http.MethodGet {
		q.reads[number] = cancel
	}
	return func() {
		q.mutex.Lock()
		delete(q.reads, number)
		q.mutex.Unlock()
		q.running.Done()
	}, true
}

// leavePage ends what the page before was reading. What it sent goes on: a message is not taken back by a reload.
func (q *requests) leavePage() {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	for _, cancel := range q.reads {
		cancel()
	}
}

// wait takes no more requests and waits for those that run. It reports whether all have ended in time.
func (q *requests) wait(within time.Duration) bool {
	q.mutex.Lock()
	q.ended = true
	q.mutex.Unlock()
	ended := make(chan struct{})
	go func() { // ends when they do, at the latest with the process
		q.running.Wait()
		close(ended)
	}()
	timer := time.NewTimer(within)
	defer timer.Stop()
	select {
	case <-ended:
		return true
	case <-timer.C:
		return false
	}
}

// recover ends a request whose handler panicked. Wails would let the whole program go down with it.
func (q *requests) recover(a *answer, r *http.Request) {
	fault := recover()
	if fault == nil || fault == http.ErrAbortHandler { //nolint:errorlint // the handler's own value, never wrapped
		return // the latter is how a handler says: break off here
	}
	q.log.Error("request panicked", "method", r.Method, "path", r.URL.Path, "fault", fault, "stack", string(debug.Stack()))
	if a.begun {
		return
	}
	a.collected, a.page = nil, false
	http.Error(a, "Something went wrong inside Hearth. Try again; the log says more.", http.StatusInternalServerError)
}

// serveScript serves the bridge, and with it, once, the address where the page was when the window was last closed.
func (q *requests) serveScript(w http.ResponseWriter) {
	q.mutex.Lock()
	startAt := q.startAt
	q.startAt = ""
	q.mutex.Unlock()
	told, err := json.Marshal(map[string]any{"startAt": startAt, "version": q.version, "ownMenu": runtime.GOOS == "linux"})
	if err != nil {
		http.Error(w, "The window's script could not be written.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	fmt.Fprintf(w, "const hearthWindow = %s;\n%s", told, script)
}

// answer is a response on its way to the web view.
type answer struct {
	inner     http.ResponseWriter
	begun     bool
	page      bool // asked for a page to show: it may have to get the scripts
	collected *bytes.Buffer
}

func (a *answer) Header() http.Header { return a.inner.Header() }

// Flush does nothing: the web view gets what is written when it is written.
func (a *answer) Flush() {}

func (a *answer) WriteHeader(code int) {
	if a.begun || a.collected != nil || code < http.StatusOK { // there is no way to pass a 1xx on
		return
	}
	if a.page && code == http.StatusOK && strings.HasPrefix(strings.ToLower(a.Header().Get("Content-Type")), "text/html") {
		a.collected = &bytes.Buffer{}
		return
	}
	a.begin(code)
}

// begin begins the response, which makes a pipe whose other end goes to the web view.
//
// Problem: Wails leaves the pipe open to child processes.
// Why it matters: the web view would wait for the end of the response until the last of them had exited. That is hours for
// an agent, and a browser that was opened for a link is one of them too.
// Solution: mark the pipe before anything can be forked.
func (a *answer) begin(code int) {
	a.begun = true
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	a.inner.WriteHeader(code)
	sealDescriptors()
}

func (a *answer) Write(b []byte) (int, error) {
	if !a.begun && a.collected == nil {
		if a.Header().Get("Content-Type") == "" {
			a.Header().Set("Content-Type", http.DetectContentType(b))
		}
		a.WriteHeader(http.StatusOK)
	}
	if a.collected != nil {
		return a.collected.Write(b)
	}
	return a.inner.Write(b)
}

// finish sends what was collected. A response that nobody began is an empty one.
func (a *answer) finish() {
	if a.collected == nil {
		if !a.begun {
			a.begin(http.StatusOK)
		}
		return
	}
	page := withScripts(a.collected.Bytes())
	a.collected = nil
	a.Header().Set("Content-Length", strconv.Itoa(len(page)))
	a.Header().Del("Etag") // of the page as it was
	a.begin(http.StatusNonAuthoritativeInfo)
	_, _ = a.inner.Write(page) // the reader may have gone
}

// withScripts puts the scripts before everything else in the head, or where a head would begin.
func withScripts(page []byte) []byte {
	at := 0
	if m := head.FindIndex(page); m != nil {
		at = m[1]
	} else if m := doctype.FindIndex(page); m != nil {
		at = m[1]
	}
	out := make([]byte, 0, len(page)+len(scripts))
	out = append(out, page[:at]...)
	out = append(out, scripts...)
	return append(out, page[at:]...)
}
