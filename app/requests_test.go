package app

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// ask sends a request as the web view would, and returns what the web view gets.
func ask(t *testing.T, handler http.Handler, method, path string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w
}

const navigation = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

func TestPagesGetTheScripts(t *testing.T) {
	tests := []struct{ name, page, want string }{
		{"a head", "<!doctype html><html><head><script src=a.js></script></head>", "<!doctype html><html><head>" + scripts + "<script src=a.js></script></head>"},
		{"a head with attributes", `<HTML><HEAD lang="en"><title>x</title>`, `<HTML><HEAD lang="en">` + scripts + `<title>x</title>`},
		{"no head", "<!DOCTYPE html>\n<p>x", "<!DOCTYPE html>" + scripts + "\n<p>x"},
		{"a header is no head", "<header>x</header>", scripts + "<header>x</header>"},
		{"nothing", "", scripts},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q := newRequests(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				w.Header().Set("Content-Length", strconv.Itoa(len(tt.page)))
				w.Header().Set("Content-Security-Policy", "script-src 'self'")
				if tt.page != "" {
					io.WriteString(w, tt.page)
				} else {
					w.WriteHeader(http.StatusOK)
				}
			}), slog.New(slog.DiscardHandler), "", "/")
			w := ask(t, q.under(t.Context()), "GET", "/c/backend", "Accept", navigation)
			if w.Code != http.StatusNonAuthoritativeInfo || w.Body.String() != tt.want {
				t.Errorf("%d %q, want %q", w.Code, w.Body, tt.want)
			}
			if got := w.Header().Get("Content-Length"); got != strconv.Itoa(len(tt.want)) {
				t.Errorf("length %s, want %d", got, len(tt.want))
			}
			if w.Header().Get("Content-Security-Policy") == "" {
				t.Error("the policy is gone")
			}
		})
	}
}

// Everything that is no page for the window to show arrives as it was sent.
func TestOtherAnswersStayAsTheyAre(t *testing.T) {
	const body = "<head></head>"
	tests := []struct {
		name, method, accept, mediaType string
		code                            int
	}{
		{"fetched by the page", "GET", "*/*", "text/html", 200},
		{"a failure", "GET", navigation, "text/html", 404},
		{"text", "GET", navigation, "text/plain", 200},
		{"sent", "POST", navigation, "text/html", 200},
		{"of no named type", "GET", "*/*", "", 200},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q := newRequests(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Accept-Encoding") != "" {
					t.Error("the handler may compress")
				}
				if tt.mediaType != "" {
					w.Header().Set("Content-Type", tt.mediaType)
				}
				if tt.code != 200 {
					w.WriteHeader(tt.code)
				}
				io.WriteString(w, body)
			}), slog.New(slog.DiscardHandler), "", "/")
			w := ask(t, q.under(t.Context()), tt.method, "/x", "Accept", tt.accept, "Accept-Encoding", "gzip")
			if w.Code != tt.code || w.Body.String() != body {
				t.Errorf("%d %q, want %d %q", w.Code, w.Body, tt.code, body)
			}
			if w.Header().Get("Content-Type") == "" {
				t.Error("no type: the web view would show it as it likes")
			}
		})
	}
}

func TestEmptyAnswer(t *testing.T) {
	q := newRequests(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), slog.New(slog.DiscardHandler), "", "/")
	if w := ask(t, q.under(t.Context()), "GET", "/x"); w.Code != 200 || w.Body.Len() != 0 {
		t.Errorf("%d %q, want an empty 200 as from any server", w.Code, w.Body)
	}
}

func TestScript(t *testing.T) {
	q := newRequests(http.NotFoundHandler(), slog.New(slog.DiscardHandler), "v1", `/c/"</script>`)
	handler := q.under(t.Context())
	menu := strconv.FormatBool(runtime.GOOS == "linux")
	for i, want := range []string{
		`{"ownMenu":` + menu + `,"startAt":"/c/\"\u003c/script\u003e","version":"v1"}`,
		`{"ownMenu":` + menu + `,"startAt":"","version":"v1"}`,
	} {
		w := ask(t, handler, "GET", scriptPath)
		if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/javascript") {
			t.Fatalf("%d %v", w.Code, w.Header())
		}
		if first, rest, _ := strings.Cut(w.Body.String(), "\n"); first != "const hearthWindow = "+want+";" || rest != script {
			t.Errorf("page %d is told %s, want %s", i, first, want)
		}
	}
}

func TestPanics(t *testing.T) {
	var log strings.Builder
	tests := []struct {
		name   string
		fault  any
		before func(http.ResponseWriter)
		code   int
		body   string
		logged bool
	}{
		{"before it began", errors.New("boom"), func(http.ResponseWriter) {}, 500, "Something went wrong", true},
		{"in the middle", errors.New("boom"), func(w http.ResponseWriter) { io.WriteString(w, "half") }, 200, "half", true},
		{"in the middle of a page", errors.New("boom"), func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "half")
		}, 500, "Something went wrong", true},
		{"on purpose", http.ErrAbortHandler, func(w http.ResponseWriter) { io.WriteString(w, "half") }, 200, "half", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			log.Reset()
			q := newRequests(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				tt.before(w)
				panic(tt.fault)
			}), slog.New(slog.NewTextHandler(&log, nil)), "", "/")
			w := ask(t, q.under(t.Context()), "GET", "/x", "Accept", navigation)
			if w.Code != tt.code || !strings.HasPrefix(w.Body.String(), tt.body) {
				t.Errorf("%d %q, want %d %q", w.Code, w.Body, tt.code, tt.body)
			}
			if logged := strings.Contains(log.String(), "boom"); logged != tt.logged {
				t.Errorf("logged %v, want %v: %s", logged, tt.logged, &log)
			}
			if !q.wait(time.Minute) {
				t.Error("it still counts as running")
			}
		})
	}
}

// When another page comes, what the page before it was reading ends, and what it was sending goes on.
func TestReadingEndsWithThePage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan string, 2)
		q := newRequests(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/" {
				return
			}
			select {
			case <-r.Context().Done():
			case <-time.After(time.Hour):
			}
			ended <- r.Method
		}), slog.New(slog.DiscardHandler), "", "/")
		handler := q.under(t.Context())
		go ask(t, handler, "GET", "/api/events", "Accept", "text/event-stream")
		go ask(t, handler, "POST", "/api/x")
		synctest.Wait()
		ask(t, handler, "GET", "/", "Accept", navigation)
		start := time.Now()
		if got := <-ended; got != "GET" || time.Since(start) != 0 {
			t.Errorf("%s ended after %v, want GET at once", got, time.Since(start))
		}
		if got := <-ended; got != "POST" || time.Since(start) != time.Hour {
			t.Errorf("%s ended after %v, want POST in its own time", got, time.Since(start))
		}
	})
}

// With the window every request ends, and none begins.
func TestRequestsEndWithTheWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newRequests(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
			if r.URL.Path == "/slow" {
				time.Sleep(time.Minute)
			}
		}), slog.New(slog.DiscardHandler), "", "/")
		ctx, cancel := context.WithCancel(t.Context())
		handler := q.under(ctx)
		go ask(t, handler, "GET", "/events")
		go ask(t, handler, "POST", "/slow")
		synctest.Wait()
		if q.wait(time.Second) {
			t.Error("said to have ended while the window is open")
		}
		if w := ask(t, handler, "GET", "/late"); w.Code != http.StatusServiceUnavailable {
			t.Errorf("a late request got %d", w.Code)
		}
		cancel()
		if q.wait(time.Second) {
			t.Error("did not wait for the slow one")
		}
		if !q.wait(2 * time.Minute) {
			t.Error("waited in vain")
		}
	})
}
