package app

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// The pipe of a response, which Wails leaves open to children, is kept from them before the handler has written a byte.
func TestResponsesAreKeptFromChildren(t *testing.T) {
	for _, accept := range []string{"*/*", navigation} {
		var fds [2]int
		q := newRequests(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "x")
			w.(http.Flusher).Flush()
		}), slog.New(slog.DiscardHandler), "", "/")
		w := piping{ResponseWriter: httptest.NewRecorder(), open: func() {
			if err := syscall.Pipe2(fds[:], 0); err != nil {
				t.Fatal(err)
			}
			if inherited(t, fds[0]) != true {
				t.Error("the pipe is not inherited to begin with: this test shows nothing")
			}
		}}
		r := httptest.NewRequestWithContext(t.Context(), "GET", "/", nil)
		r.Header.Set("Accept", accept)
		q.under(t.Context()).ServeHTTP(w, r)
		for _, fd := range fds {
			if inherited(t, fd) {
				t.Errorf("Accept %s: a child would inherit the response", accept)
			}
			syscall.Close(fd)
		}
	}
}

func inherited(t *testing.T, fd int) bool {
	t.Helper()
	flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
	if err != nil {
		t.Fatal(err)
	}
	return flags&unix.FD_CLOEXEC == 0
}

// piping is a writer that makes a pipe when the response begins, as Wails' does.
type piping struct {
	http.ResponseWriter
	open func()
}

func (p piping) WriteHeader(code int) {
	p.open()
	p.ResponseWriter.WriteHeader(code)
}
