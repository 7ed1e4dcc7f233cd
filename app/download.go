package app

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
)

// longestFile bounds what the page can save at once, in bytes.
const longestFile = 64 << 20

// download is what the handler answers to a GET of an API path, whole.
func (q *requests) download(ctx context.Context, path string) ([]byte, error) {
	if !strings.HasPrefix(path, "/api/") {
		return nil, fmt.Errorf("fetch a file: %q is no path of the API", path)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://wails"+path, http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("fetch a file: %w", err)
	}
	r.RequestURI, r.RemoteAddr = path, "127.0.0.1:0"
	end, ok := q.begin(r.Method, cancel)
	if !ok {
		return nil, fmt.Errorf("fetch a file: the window is closed")
	}
	defer end()
	got := &fetched{header: http.Header{}, status: http.StatusOK}
	func() {
		defer q.recover(&answer{inner: got}, r)
		q.next.ServeHTTP(got, r)
	}()
	switch {
	case got.status != http.StatusOK:
		return nil, fmt.Errorf("fetch a file: Hearth answered %d. Try again; the log says more", got.status)
	case got.body.Len() > longestFile:
		return nil, fmt.Errorf("fetch a file: it is larger than %d MB", longestFile>>20)
	}
	return got.body.Bytes(), nil
}

// fetched takes in a response.
type fetched struct {
	header http.Header
	status int
	begun  bool
	body   bytes.Buffer
}

func (f *fetched) Header() http.Header { return f.header }

func (f *fetched) WriteHeader(status int) {
	if !f.begun {
		f.status, f.begun = status, true
	}
}

func (f *fetched) Write(b []byte) (int, error) {
	f.begun = true
	if room := longestFile + 1 - f.body.Len(); len(b) > room { // enough to see that it is too large
		f.body.Write(b[:room])
		return len(b), nil
	}
	return f.body.Write(b)
}
