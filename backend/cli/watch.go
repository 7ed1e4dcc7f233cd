package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// happening is one event of the stream.
type happening struct {
	id   string // "EPOCH-SEQ"
	kind string
	data json.RawMessage
}

// events is a stream of them.
type events struct {
	body  io.ReadCloser
	lines *bufio.Reader
}

// events opens the stream: after the event with an id, or with "" at the present.
func (c *client) events(ctx context.Context, after string) (*events, error) {
	path := "/api/events"
	if after != "" {
		path += "?after=" + url.QueryEscape(after)
	}
	r, err := c.request(ctx, http.MethodGet, path, nil)
	if err != nil {
		return nil, err
	}
	response, err := c.http.Do(r)
	if err != nil {
		return nil, unreachable(err)
	}
	if response.StatusCode != http.StatusOK {
		defer response.Body.Close()
		raw, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
		if err != nil {
			return nil, unreachable(err)
		}
		return nil, problem(response, raw)
	}
	return &events{body: response.Body, lines: bufio.NewReader(response.Body)}, nil
}

// next waits for the next event; comments that only keep the stream alive are
// passed over.
func (e *events) next() (happening, error) {
	var h happening
	for {
		line, err := e.lines.ReadString('\n')
		if err != nil {
			return happening{}, err
		}
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch name {
		case "":
			if line == "" && h.kind != "" {
				return h, nil
			}
		case "id":
			h.id = value
		case "event":
			h.kind = value
		case "data":
			h.data = append(h.data, value...)
		}
	}
}

func (e *events) close() { _ = e.body.Close() } // it was only read
