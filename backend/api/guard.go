package api

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"runtime/debug"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	// maxBody is how large a request's body may be, in bytes: the longest message
	// (100,000 characters of 4 bytes, each escaped in JSON as 12) and room.
	maxBody = 2 << 20
	// bodyWithin is how long a body may take to arrive; on loopback it is there
	// at once.
	bodyWithin = 10 * time.Second
)

// securityHeaders are on every answer. Styles may stand inside the page, which
// UI libraries need; scripts never.
var securityHeaders = map[string]string{
	"Content-Security-Policy": "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
		"connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'",
	"X-Content-Type-Options":       "nosniff",
	"Referrer-Policy":              "no-referrer",
	"X-Frame-Options":              "DENY",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
}

func secure(h http.Header, path string) {
	for name, value := range securityHeaders {
		h.Set(name, value)
	}
	if isAPI(path) {
		h.Set("Cache-Control", "no-store")
	}
}

// guarding sends requests to the API or to the page, after it has looked at
// their bodies.
func (s *server) guarding(operations *http.ServeMux, ui http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		secure(w.Header(), r.URL.Path)
		if !isAPI(r.URL.Path) {
			ui.ServeHTTP(w, r)
			return
		}
		handler, pattern := operations.Handler(r)
		if pattern != uploadPattern { // whose body is no JSON, and streams
			if p := readBody(w, r); p != nil {
				// The rest of the body would be taken for the next request.
				w.Header().Set("Connection", "close")
				writeProblem(w, p)
				return
			}
		}
		if pattern == "" {
			writeProblem(w, unrouted(w, handler, r))
			return
		}
		operations.ServeHTTP(w, r)
	})
}

// readBody takes the whole body in and checks it; what follows reads it from
// memory.
func readBody(w http.ResponseWriter, r *http.Request) *Problem {
	if r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(bodyWithin)) // in process there is nothing to wait for, and no deadline
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	_ = control.SetReadDeadline(time.Time{})
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return newProblem(http.StatusRequestEntityTooLarge, fmt.Sprintf("The request has more than %d bytes, which is the most. Put long text into a file of the workspace and name it.", maxBody))
	case err != nil:
		return newProblem(http.StatusBadRequest, "The request's body did not arrive whole ("+sentence(err.Error())+") Send it again.")
	case len(body) == 0:
		r.Body, r.ContentLength = http.NoBody, 0
		return nil
	}
	media, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	charset, named := params["charset"]
	if err != nil || media != "application/json" || (named && !strings.EqualFold(charset, "utf-8")) {
		return newProblem(http.StatusUnsupportedMediaType, "The body must be JSON in UTF-8: send it with Content-Type: application/json.")
	}
	if !utf8.Valid(body) {
		return newProblem(http.StatusBadRequest, fmt.Sprintf("The body is not valid UTF-8 at byte %d. Send text as UTF-8.", invalidAt(body)))
	}
	r.Header.Set("Content-Type", "application/json")
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return nil
}

func invalidAt(body []byte) int {
	for i := 0; i < len(body); {
		r, size := utf8.DecodeRune(body[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(body)
}

// unrouted says why no operation takes a request: the mux knows, and would say
// it in plain text.
func unrouted(w http.ResponseWriter, handler http.Handler, r *http.Request) *Problem {
	said := &probe{header: http.Header{}}
	handler.ServeHTTP(said, r)
	if said.status == http.StatusMethodNotAllowed {
		allow := said.header.Get("Allow")
		w.Header().Set("Allow", allow)
		return newProblem(http.StatusMethodNotAllowed, fmt.Sprintf("This path does not take %s. Use one of: %s.", bounded(r.Method), allow))
	}
	return newProblem(http.StatusNotFound, "There is no such path in the API. Look at "+documentPath+" for those there are.")
}

// probe takes an answer in and keeps its status and headers.
type probe struct {
	header http.Header
	status int
}

func (p *probe) Header() http.Header         { return p.header }
func (p *probe) Write(b []byte) (int, error) { return len(b), nil }
func (p *probe) WriteHeader(status int)      { p.status = status }

// recovering answers a request whose handler panicked, so that neither the
// window nor the command line goes down with it.
func (s *server) recovering(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := &answering{ResponseWriter: w}
		defer func() {
			fault := recover()
			if fault == nil {
				return
			}
			if err, ok := fault.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(fault) // how a handler says: drop the connection
			}
			s.Log.Error("request panicked", "method", r.Method, "path", r.URL.Path, "fault", fault, "stack", string(debug.Stack()))
			if !answer.begun {
				writeProblem(w, newProblem(http.StatusInternalServerError, "Something went wrong inside Hearth. Try again; the log says more."))
			}
		}()
		next.ServeHTTP(answer, r)
	})
}

// answering knows whether an answer has begun.
type answering struct {
	http.ResponseWriter
	begun bool
}

func (a *answering) WriteHeader(status int) {
	a.begun = true
	a.ResponseWriter.WriteHeader(status)
}

func (a *answering) Write(b []byte) (int, error) {
	a.begun = true
	return a.ResponseWriter.Write(b)
}

// Unwrap gives http.ResponseController what is below.
func (a *answering) Unwrap() http.ResponseWriter { return a.ResponseWriter }
