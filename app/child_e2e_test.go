//go:build linux && desktop && e2e_window

package app

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	wails_runtime "github.com/wailsapp/wails/v2/pkg/runtime"
	"go.uber.org/goleak"

	"hearth/backend/engine"
	"hearth/backend/pty"
	"hearth/frontend"
)

// A window needs the first thread of a process, and there is one a process: each test has its own, this same binary.
const childVariable = "HEARTH_WINDOW_TEST"

// childOptions is what a test tells its process.
type childOptions struct {
	Mode    string // "window" opens one, "raise" is a second start, "look" asks Available and tries Run
	DataDir string
	Parent  string // where to report to
	Engine  bool   // the real handler and the real page instead of the test's
	Busy    int
	Mention bool
}

func TestMain(m *testing.M) {
	text := os.Getenv(childVariable)
	if text == "" {
		goleak.VerifyTestMain(m)
		return
	}
	var o childOptions
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		panic(err)
	}
	os.Exit((&child{childOptions: o, steps: make(chan struct{}), emits: make(chan emitted, 16)}).main())
}

type child struct {
	childOptions
	busy  atomic.Int64
	end   context.CancelFunc
	steps chan struct{}
	emits chan emitted
}

type emitted struct{ name, data string }

func (c *child) main() int {
	switch c.Mode {
	case "raise":
		c.report("raised", Raise(c.DataDir, false))
		return 0
	case "mention":
		c.report("raised", Raise(c.DataDir, true))
		return 0
	case "look":
		c.report("available", Available())
		err := Run(context.Background(), Options{Handler: http.NotFoundHandler(), DataDir: c.DataDir})
		c.report("ran", errors.Is(err, ErrNoDisplay))
		return 0
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ctx, c.end = context.WithCancel(ctx)
	defer c.end()
	c.busy.Store(int64(c.Busy))
	handler, closeEngine := c.page(), func() error { return nil }
	if c.Engine {
		e, err := engine.New(ctx, engine.Options{DataDir: c.DataDir, UI: frontend.Assets(), Version: "test"})
		if err != nil {
			return c.fail(err)
		}
		closeEngine = func() error { return e.Close(context.WithoutCancel(ctx)) }
		handler = tellingPaint(e.Handler(), c.page())
	}
	if !Available() {
		return c.fail(errors.New("no display"))
	}
	control, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return c.fail(err)
	}
	server := &http.Server{Handler: c.control()}
	served := make(chan error, 1)
	go func() { served <- server.Serve(control) }()
	c.report("control", "http://"+control.Addr().String())
	err = Run(ctx, Options{
		Handler: handler, DataDir: c.DataDir, Title: "Hearth test", Version: "test", Mention: c.Mention,
		Log:    slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Busy:   func() int { return int(c.busy.Load()) },
		OnQuit: func(background bool) { c.report("quit", background) },
	})
	if err = errors.Join(err, closeEngine()); err != nil {
		return c.fail(err)
	}
	server.Close()
	<-served
	http.DefaultClient.CloseIdleConnections()
	if err := goleak.Find(ofWails...); err != nil {
		return c.fail(err)
	}
	return 0
}

// ofWails are goroutines that Wails starts and nothing can end; the program ends with them.
var ofWails = []goleak.Option{
	goleak.IgnoreTopFunction("github.com/wailsapp/wails/v2/internal/frontend/desktop/linux.(*Frontend).startRequestProcessor"),
	goleak.IgnoreTopFunction("github.com/wailsapp/wails/v2/internal/frontend/desktop/linux.(*Frontend).startMessageProcessor"),
	goleak.IgnoreTopFunction("github.com/wailsapp/wails/v2/internal/frontend/desktop/linux.(*Frontend).startBindingsMessageProcessor"),
	goleak.IgnoreTopFunction("github.com/wailsapp/wails/v2/internal/frontend/desktop/linux.(*Frontend).startSecondInstanceProcessor"),
	goleak.IgnoreTopFunction("github.com/wailsapp/wails/v2/internal/signal.Start.func1"),
	goleak.IgnoreTopFunction("os/signal.signal_recv"), goleak.IgnoreTopFunction("os/signal.loop"),
	goleak.IgnoreAnyFunction("os/signal.NotifyContext.func1"),
}

func (c *child) fail(err error) int {
	c.report("failed", err.Error())
	return 1
}

func (c *child) report(kind string, data any) {
	text, err := json.Marshal(map[string]any{"kind": kind, "data": data})
	if err == nil {
		var answer *http.Response
		if answer, err = http.Post(c.Parent, "application/json", bytes.NewReader(text)); err == nil {
			answer.Body.Close()
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "report to the test:", err)
	}
}

var (
	//go:embed testdata/page.html
	pageHTML string
	//go:embed testdata/page.css
	pageCSS string
	//go:embed testdata/page.js
	pageJS string
	//go:embed testdata/paint.js
	paintJS string
)

// policy is the one the real page is served under.
const policy = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
	"connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'"

// page is the handler of the test's page.
func (c *child) page() http.Handler {
	mux := http.NewServeMux()
	text := func(mediaType, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Security-Policy", policy)
			w.Header().Set("Content-Type", mediaType+"; charset=utf-8")
			io.WriteString(w, body)
		}
	}
	mux.HandleFunc("GET /{path...}", func(w http.ResponseWriter, r *http.Request) {
		c.report("asked", map[string]string{"path": r.URL.Path, "host": r.Host, "origin": r.Header.Get("Origin")})
		text("text/html", strings.Replace(pageHTML, "</head>", `<script src="/paint.js"></script></head>`, 1))(w, r)
	})
	mux.HandleFunc("GET /page.css", text("text/css", pageCSS))
	mux.HandleFunc("GET /page.js", text("text/javascript", pageJS))
	mux.HandleFunc("GET /paint.js", text("text/javascript", paintJS))
	mux.HandleFunc("POST /api/say", func(w http.ResponseWriter, r *http.Request) {
		var said struct {
			Kind string `json:"kind"`
			Data any    `json:"data"`
		}
		if err := json.NewDecoder(r.Body).Decode(&said); err != nil {
			c.report("failed", err.Error())
		}
		c.report(said.Kind, said.Data)
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("POST /api/body", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		c.report("body", []any{r.Method, r.Header.Get("Content-Type"), r.Header.Get("X-Own"), strconv.Quote(string(body)), fmt.Sprint(err)})
	})
	mux.HandleFunc("GET /api/zip", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "PK\x00\xff") })
	mux.HandleFunc("GET /api/panic", func(http.ResponseWriter, *http.Request) { panic("of the test") })
	mux.HandleFunc("GET /api/events", c.events)
	mux.HandleFunc("GET /api/stream", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		for _, part := range []string{"one", "two", "three 셋"} {
			select {
			case <-c.steps:
			case <-r.Context().Done():
				return
			}
			io.WriteString(w, part)
		}
		<-c.steps
	})
	mux.HandleFunc("GET /api/hold", c.hold)
	return mux
}

func (c *child) events(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	io.WriteString(w, "event: ready\ndata: {}\n\n")
	for {
		select {
		case e := <-c.emits:
			fmt.Fprintf(w, "event: %s\ndata: %s\n\n", e.name, e.data)
		case <-r.Context().Done():
			c.report("events ended", nil)
			return
		}
	}
}

// hold starts children while its response is open, and then ends it: they live on.
func (c *child) hold(w http.ResponseWriter, _ *http.Request) {
	io.WriteString(w, "begun ")
	w.(http.Flusher).Flush()
	// This one first: starting an agent marks what is open at that moment.
	other := exec.Command("sleep", "600")
	if err := other.Start(); err != nil {
		c.report("failed", err.Error())
		return
	}
	agent, err := pty.Start(pty.Command{Path: "sleep", Args: []string{"600"}, Env: os.Environ(), Mark: "window/test"})
	if err != nil {
		c.report("failed", err.Error())
		return
	}
	read := make(chan struct{})
	go func() { // a terminal has to be read
		io.Copy(io.Discard, agent.Stdout())
		close(read)
	}()
	io.WriteString(w, "ended")
	c.report("children", []int{agent.Record().PID, other.Process.Pid})
	go func() {
		<-c.steps
		other.Process.Kill()
		other.Wait()
		agent.End(context.Background())
		<-read
		c.report("children ended", nil)
	}()
}

// control is how the test reaches into its process.
func (c *child) control() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /busy", func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.FormValue("n"))
		c.busy.Store(int64(n))
	})
	mux.HandleFunc("POST /emit", func(w http.ResponseWriter, r *http.Request) {
		c.emits <- emitted{r.FormValue("name"), r.FormValue("data")}
	})
	mux.HandleFunc("POST /step", func(w http.ResponseWriter, r *http.Request) { c.steps <- struct{}{} })
	mux.HandleFunc("POST /end", func(w http.ResponseWriter, r *http.Request) { c.end() })
	mux.HandleFunc("POST /maximise", func(w http.ResponseWriter, r *http.Request) {
		wails_runtime.WindowToggleMaximise(current.Load().context())
	})
	return mux
}

// tellingPaint serves a handler's pages with a script in them that tells when they were painted.
func tellingPaint(next, test http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/paint.js" || r.URL.Path == "/api/say":
			test.ServeHTTP(w, r)
		case strings.Contains(r.Header.Get("Accept"), "text/html"):
			page := &pageWriter{ResponseWriter: w}
			next.ServeHTTP(page, r)
			w.Header().Del("Content-Length")
			io.WriteString(w, strings.Replace(page.body.String(), "</head>", `<script src="/paint.js"></script></head>`, 1))
		default:
			next.ServeHTTP(w, r)
		}
	})
}

type pageWriter struct {
	http.ResponseWriter
	body bytes.Buffer
}

func (p *pageWriter) WriteHeader(int)             {}
func (p *pageWriter) Write(b []byte) (int, error) { return p.body.Write(b) }
