package standin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// Options are what a stand-in API can be told. Every zero value has a default.
type Options struct {
	// Script answers what no rule and no queued reply does; nil says that nothing
	// was scripted.
	Script Script
	// Counter counts the tokens of a text; nil is cl100k_base. The real API has
	// another count: what matters is that all counts here are of one kind.
	Counter func(string) int
	// Now tells the time the cache lives by; nil is time.Now.
	Now func() time.Time
	// MinCacheable is the shortest prefix a model's cache takes, in tokens; nil is
	// the documented table.
	MinCacheable func(model string) int
	// ContextWindow is the longest input in tokens; a longer one is refused with
	// "prompt is too long". 0 is 1,000,000.
	ContextWindow int
	// BookLimit is how many requests the book keeps, BookBytes how many bytes of
	// bodies; the oldest go. 0 is 2,000 and 256 MB.
	BookLimit, BookBytes int
	// TrailingSystemMiss makes what is written at a breakpoint on a message of role
	// system unreadable, as users of the real API report it
	// (anthropics/claude-code#96101). The documented rules know no such thing.
	TrailingSystemMiss bool
}

// API is a stand-in for the Messages API. It is an http.Handler; Listen serves
// it on loopback. Safe for concurrent use.
type API struct {
	options Options
	script  script
	cache   cache
	counter counter
	book    *book

	mu     sync.Mutex
	strays []string
	counts int
}

// maxBody is the largest request body that is read: 64 MB, twice what the real
// API takes.
const maxBody = 64 << 20

// maxStrays bounds the list of requests to other paths.
const maxStrays = 1000

// NewAPI makes a stand-in.
func NewAPI(o Options) *API {
	if o.Counter == nil {
		o.Counter = defaultCounter
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.MinCacheable == nil {
		o.MinCacheable = MinCacheable
	}
	if o.ContextWindow == 0 {
		o.ContextWindow = 1_000_000
	}
	if o.BookLimit == 0 {
		o.BookLimit = 2000
	}
	if o.BookBytes == 0 {
		o.BookBytes = 256 << 20
	}
	return &API{
		options: o,
		script:  script{fallback: o.Script},
		cache:   cache{entries: map[digest]entry{}},
		counter: counter{count: o.Counter, known: map[digest]known{}},
		book:    newBook(o.BookLimit, o.BookBytes),
	}
}

// Listen serves the stand-in on a free port of 127.0.0.1. stop ends it and every
// answer under way, and returns when they have ended.
func (a *API) Listen() (baseURL string, stop func(), err error) { return Serve(a) }

// Serve serves a handler on a free port of 127.0.0.1. stop ends it and every answer
// under way, and returns when they have ended.
func Serve(handler http.Handler) (baseURL string, stop func(), err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("listen for the client: %w", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var connections sync.WaitGroup
	server := &http.Server{
		Handler:           handler,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: 10 * time.Second,
		// StateNew comes from inside Serve, so none is added once Serve has returned.
		ConnState: func(_ net.Conn, state http.ConnState) {
			switch state {
			case http.StateNew:
				connections.Add(1)
			case http.StateClosed, http.StateHijacked:
				connections.Done()
			}
		},
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = server.Serve(listener) // it ends with stop, and only with it
	}()
	var once sync.Once
	return "http://" + listener.Addr().String(), func() {
		once.Do(func() {
			cancel()
			_ = server.Close()
			<-served
			connections.Wait()
		})
	}, nil
}

// Forget drops all that is in the cache, as the real API may at any time: it promises
// nobody to find what it has kept.
func (a *API) Forget() { a.cache.forget() }

// Strays lists the requests to paths the stand-in does not serve, as "METHOD
// path", oldest first, the first thousand.
func (a *API) Strays() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]string(nil), a.strays...)
}

// TokenCounts is how often tokens were asked to be counted.
func (a *API) TokenCounts() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.counts
}

// ServeHTTP answers POST /v1/messages, POST /v1/messages/count_tokens and
// HEAD and GET of /. Everything else is 404, in the API's shape.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method + " " + r.URL.Path {
	case "POST /v1/messages":
		a.messages(w, r)
	case "POST /v1/messages/count_tokens":
		a.countTokens(w, r)
	case "GET /", "HEAD /":
		w.WriteHeader(http.StatusOK)
	default:
		a.mu.Lock()
		if len(a.strays) < maxStrays {
			a.strays = append(a.strays, r.Method+" "+r.URL.Path)
		}
		a.mu.Unlock()
		writeFailure(w, &Failure{Status: http.StatusNotFound, Type: "not_found_error", Message: "Not found"})
	}
}

// read takes the request in. Without a key or with a body that cannot be read it
// has answered already, and ok is false.
func (a *API) read(w http.ResponseWriter, r *http.Request, counting bool) (Request, bool) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			writeFailure(w, &Failure{Status: http.StatusRequestEntityTooLarge, Type: "request_too_large", Message: "Request exceeds the maximum size"})
		}
		return Request{}, false // else the caller went away in mid-sentence
	}
	req, err := parseRequest(r.Header, body, a.options.Now(), counting)
	switch {
	case req.APIKey == "":
		writeFailure(w, &Failure{Status: http.StatusUnauthorized, Type: "authentication_error", Message: "x-api-key header is required"})
		return req, false
	case err != nil:
		writeFailure(w, &Failure{Status: http.StatusBadRequest, Type: "invalid_request_error", Message: err.Error()})
		return req, false
	}
	return req, true
}

func (a *API) countTokens(w http.ResponseWriter, r *http.Request) {
	req, ok := a.read(w, r, true)
	if !ok {
		return
	}
	a.mu.Lock()
	a.counts++
	a.mu.Unlock()
	tokens := 0
	if at := req.positions(&a.counter, false); len(at) > 0 {
		tokens = at[len(at)-1].tokens
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]int{"input_tokens": tokens}) // the caller may be gone
}

func (a *API) messages(w http.ResponseWriter, r *http.Request) {
	req, ok := a.read(w, r, false)
	if !ok {
		return
	}
	entry := a.book.add(req)
	positions := req.positions(&a.counter, a.options.TrailingSystemMiss)
	p := a.cache.look(positions, a.options.MinCacheable(req.Model), req.Time)
	var reply Reply
	if err := req.validate(); err != nil {
		reply = Fail(http.StatusBadRequest, err.Error())
	} else if total := p.usage.Total(); total > a.options.ContextWindow {
		reply = Fail(http.StatusBadRequest, fmt.Sprintf("prompt is too long: %d tokens > %d maximum", total, a.options.ContextWindow))
	} else {
		reply = a.script.reply(req)
	}
	a.book.note(entry, func(e *Entry) { e.Reply = reply })
	answer := &answer{
		w: w, control: http.NewResponseController(w), ctx: r.Context(),
		request: req, reply: reply, usage: a.usage(p, reply),
		begin: func(status int, usage Usage) {
			if status == http.StatusOK {
				a.cache.commit(p, a.options.Now())
			}
			a.book.note(entry, func(e *Entry) { e.Status, e.Usage = status, usage })
		},
	}
	err := answer.write()
	a.book.note(entry, func(e *Entry) { e.Done, e.Broken = true, err != nil })
	if err != nil {
		// The one way to close a connection in mid-answer. A plain return would make
		// what was written so far, even nothing, look like a whole answer.
		panic(http.ErrAbortHandler)
	}
}

func (a *API) usage(p plan, reply Reply) Usage {
	if reply.Usage != nil {
		return *reply.Usage
	}
	usage := p.usage
	for _, b := range reply.Blocks {
		usage.OutputTokens += a.options.Counter(b.Text)
		if len(b.Input) > 0 {
			usage.OutputTokens += a.options.Counter(string(b.Input))
		}
	}
	return usage
}
