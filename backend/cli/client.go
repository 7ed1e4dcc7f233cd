package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"hearth/backend/api"
)

// client speaks the API of one Hearth, over loopback or in this process.
type client struct {
	http  *http.Client
	base  string // scheme and host
	token string // "" in process
	// engine is the one in this process; nil when a Hearth runs.
	engine Engine
}

// offline says that no Hearth runs: what is stored waits for the next start.
func (c *client) offline() bool { return c.engine != nil }

func (c *client) close(ctx context.Context) error {
	c.http.CloseIdleConnections()
	if c.engine == nil {
		return nil
	}
	// Closed also after an interruption: the lock has to be given back in order.
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeWithin)
	defer cancel()
	if err := c.engine.Close(bounded); err != nil {
		return fmt.Errorf("close the data folder: %w", err)
	}
	return nil
}

func (c *client) request(ctx context.Context, method, path string, in any) (*http.Request, error) {
	var body io.Reader
	if in != nil {
		text, err := json.Marshal(in)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(ctx, method, c.base+path, body)
	if err != nil {
		return nil, err
	}
	if in != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	return r, nil
}

// do asks the API and reads the answer into out, unless that is nil. It returns
// the answer as it came. A problem comes back as a *api.Problem.
func (c *client) do(ctx context.Context, method, path string, in, out any) (raw []byte, err error) {
	r, err := c.request(ctx, method, path, in)
	if err != nil {
		return nil, err
	}
	response, err := c.http.Do(r)
	if err != nil {
		return nil, unreachable(err)
	}
	defer response.Body.Close()
	raw, err = io.ReadAll(response.Body)
	if err != nil {
		return nil, unreachable(err)
	}
	if response.StatusCode >= 400 {
		return nil, problem(response, raw)
	}
	if out != nil {
		if err := json.Unmarshal(raw, out); err != nil {
			return nil, fmt.Errorf("Hearth answered something this command does not understand (%w); is it of another version? Restart it with `hearth serve`", err) //nolint:staticcheck // Hearth is a name
		}
	}
	return raw, nil
}

func (c *client) get(ctx context.Context, path string, out any) ([]byte, error) {
	return c.do(ctx, http.MethodGet, path, nil, out)
}

func (c *client) post(ctx context.Context, path string, in, out any) ([]byte, error) {
	return c.do(ctx, http.MethodPost, path, in, out)
}

// partBytes is how much of a file is asked for at once: in process an answer is held
// in memory.
const partBytes = 8 << 20

// copyTo writes a file that the API answers with, part by part.
func (c *client) copyTo(ctx context.Context, out io.Writer, path string) error {
	var from int64
	for state := ""; ; {
		r, err := c.request(ctx, http.MethodGet, path, nil)
		if err != nil {
			return err
		}
		r.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", from, from+partBytes-1))
		if state != "" {
			r.Header.Set("If-Match", state)
		}
		response, err := c.http.Do(r)
		if err != nil {
			return unreachable(err)
		}
		n, whole, err := takePart(response, out)
		if closed := response.Body.Close(); err != nil || closed != nil {
			return errors.Join(err, closed)
		}
		if from += n; from >= whole {
			return nil
		}
		if n == 0 {
			return errChanged // it was cut while the part was on its way
		}
		state = response.Header.Get("ETag")
	}
}

var errChanged = errors.New("the file was changed while it was read: what was printed is not all of one state; read it again")

// takePart copies a part of a file, and says how much it was, and of how much.
func takePart(response *http.Response, out io.Writer) (n, whole int64, err error) {
	switch response.StatusCode {
	case http.StatusOK:
		whole = 0
	case http.StatusPartialContent:
		if _, err := fmt.Sscanf(response.Header.Get("Content-Range"), "bytes %d-%d/%d", new(int64), new(int64), &whole); err != nil {
			return 0, 0, fmt.Errorf("read a part of the file: %w", err)
		}
	case http.StatusPreconditionFailed, http.StatusRequestedRangeNotSatisfiable:
		return 0, 0, errChanged
	default:
		raw, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
		if err != nil {
			return 0, 0, unreachable(err)
		}
		return 0, 0, problem(response, raw)
	}
	if n, err = io.Copy(out, response.Body); err != nil {
		return n, whole, fmt.Errorf("print the file: %w", err)
	}
	return n, whole, nil
}

func problem(response *http.Response, raw []byte) error {
	var p api.Problem
	if err := json.Unmarshal(raw, &p); err != nil || p.Detail == "" {
		return fmt.Errorf("Hearth answered %s and did not say why", response.Status) //nolint:staticcheck // Hearth is a name
	}
	return &p
}

// unreachable explains why a Hearth that was there did not answer.
func unreachable(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	var asked *url.Error
	if errors.As(err, &asked) {
		err = asked.Err // without the URL, which says nothing to a person
	}
	return fmt.Errorf("Hearth stopped answering (%w); `hearth doctor` says whether it still runs", err) //nolint:staticcheck // Hearth is a name
}

// status is the HTTP status of a problem, 0 of any other error.
func status(err error) int {
	var p *api.Problem
	if errors.As(err, &p) {
		return p.Status
	}
	return 0
}

// at builds a path of the API out of fixed parts and what a person typed.
func at(format string, typed ...string) string {
	escaped := make([]any, len(typed))
	for i, part := range typed {
		escaped[i] = url.PathEscape(part)
	}
	return fmt.Sprintf(format, escaped...)
}

// inProcess calls a handler as if it were far away.
type inProcess struct{ handler http.Handler }

func (t inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	asked := r.Clone(r.Context())
	asked.Host, asked.RequestURI, asked.RemoteAddr = r.URL.Host, r.URL.RequestURI(), "127.0.0.1:0"
	if asked.Body == nil {
		asked.Body = http.NoBody
	}
	answer := &answer{header: http.Header{}, status: http.StatusOK}
	t.handler.ServeHTTP(answer, asked)
	if err := asked.Body.Close(); err != nil {
		return nil, err
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return &http.Response{
		Status: fmt.Sprintf("%d %s", answer.status, http.StatusText(answer.status)), StatusCode: answer.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: answer.header, Request: r,
		Body: io.NopCloser(&answer.body), ContentLength: int64(answer.body.Len()),
	}, nil
}

// answer takes in what a handler writes.
type answer struct {
	header http.Header
	status int
	begun  bool
	body   bytes.Buffer
}

func (a *answer) Header() http.Header { return a.header }

func (a *answer) WriteHeader(status int) {
	if !a.begun {
		a.status, a.begun = status, true
	}
}

func (a *answer) Write(b []byte) (int, error) {
	a.begun = true
	return a.body.Write(b)
}
