package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"hearth/backend/event"
)

const (
	// heartbeatEvery is how often a quiet stream says that it lives: a reader
	// that went away is noticed by the write that fails. The window's requests are
	// not cancelled otherwise.
	heartbeatEvery = 15 * time.Second
	// writeWithin is how long a reader may let us wait; one that does not read
	// costs a goroutine and a socket.
	writeWithin = 30 * time.Second
)

type eventsInput struct {
	LastEventID string `header:"Last-Event-ID" doc:"The id of the last event seen; a browser sends it by itself."`
	After       string `query:"after" doc:"The same, for the first request; the header goes before it."`
}

const eventsDescription = `Everything that happens, as server-sent events. Each has an id (EPOCH-SEQ), an event (its type) and data (JSON).

The first event is ready, or reset when the events after the given id can't be had any more. seq counts up by one; a jump
means that run.delta events were dropped, and nothing else. Open the stream before fetching what it changes. A comment
comes every 15 seconds when there is nothing to say.

Types and their data:

`

func (s *server) registerEvents(operations huma.API) {
	text := eventsDescription
	oneOf := make([]*huma.Schema, 0, len(eventTypes))
	for _, t := range eventTypes {
		data := operations.OpenAPI().Components.Schemas.Schema(t.data, true, "")
		text += "- " + t.name + " (" + strings.TrimPrefix(data.Ref, "#/components/schemas/") + "): " + t.doc + "\n"
		oneOf = append(oneOf, &huma.Schema{
			Title: t.name,
			Type:  huma.TypeObject,
			Properties: map[string]*huma.Schema{
				"id":    {Type: huma.TypeString},
				"event": {Type: huma.TypeString, Enum: []any{t.name}},
				"data":  data,
			},
			Required: []string{"id", "event", "data"},
		})
	}
	register(s, operations, huma.Operation{
		OperationID: "watch-events", Method: http.MethodGet, Path: "/api/events", Summary: "Watch what happens", Tags: []string{"events"},
		Description: text,
		Responses: map[string]*huma.Response{"200": {
			Description: "A stream of events, until the reader goes.",
			Content:     map[string]*huma.MediaType{"text/event-stream": {Schema: &huma.Schema{OneOf: oneOf}}},
		}},
	}, s.events)
}

func (s *server) events(_ context.Context, in *eventsInput) (*huma.StreamResponse, error) {
	after := in.LastEventID
	if after == "" {
		after = in.After
	}
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		_, w := humago.Unwrap(ctx)
		header := w.Header()
		header.Set("Content-Type", "text/event-stream; charset=utf-8")
		stream := &stream{w: w, control: http.NewResponseController(w), epoch: s.Bus.Epoch()}
		defer stream.close()
		id, leave := s.pages.enter()
		defer leave()
		stream.id = id
		if err := s.watch(ctx.Context(), stream, after); err != nil {
			s.Log.Debug("event stream ended", "error", err)
		}
	}}, nil
}

// watch writes events until the reader goes or the context ends; its error says
// which.
func (s *server) watch(ctx context.Context, out *stream, after string) error {
	sub, at, missed := s.subscribe(after)
	first := eventReady
	if missed {
		first = eventReset
	}
	defer func() { sub.Close() }()
	for {
		if err := out.event(at, first, streamed{Epoch: out.epoch, Seq: at, Stream: out.id}); err != nil {
			return err
		}
		err := s.follow(ctx, out, sub)
		if !errors.Is(err, event.ErrTooSlow) {
			return err
		}
		sub.Close()
		sub, at, _ = s.subscribe("")
		first = eventReset
	}
}

// subscribe begins after the event with this id, or at the present: for a reader
// that has seen nothing yet, and with missed for one that has missed something.
func (s *server) subscribe(after string) (sub *event.Subscription, at uint64, missed bool) {
	if after != "" {
		if epoch, seq, err := event.ParseID(after); err == nil && epoch == s.Bus.Epoch() {
			if sub, gone := s.Bus.Subscribe(seq); !gone {
				return sub, seq, false
			}
		}
		missed = true
	}
	for {
		at = s.Bus.Last()
		sub, gone := s.Bus.Subscribe(at)
		if !gone {
			return sub, at, missed
		}
		sub.Close() // more ends came than are kept, between the two calls
	}
}

func (s *server) follow(ctx context.Context, out *stream, sub *event.Subscription) error {
	for {
		quiet, cancel := context.WithTimeout(ctx, heartbeatEvery)
		e, err := sub.Next(quiet)
		cancel()
		switch {
		case err == nil:
			data, known := toEventData(e)
			if !known {
				// Still told, so that seq does not jump and the reader refetch.
				s.Log.Warn("event with data the wire knows nothing of", "type", e.Type)
				data = struct{}{}
			}
			err = out.event(e.Seq, e.Type, data)
		case ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
			err = out.write([]byte(": still here\n\n"))
		}
		if err != nil {
			return err
		}
	}
}

// stream writes server-sent events.
type stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
	epoch   string
	id      string // what pages know it by
	buffer  bytes.Buffer
}

func (s *stream) event(seq uint64, name string, data any) error {
	s.buffer.Reset()
	s.buffer.WriteString("id: " + event.FormatID(s.epoch, seq) + "\nevent: " + name + "\ndata: ")
	encoder := json.NewEncoder(&s.buffer) // one line: line breaks are escaped in JSON
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(data); err != nil {
		return err
	}
	s.buffer.WriteByte('\n')
	return s.write(s.buffer.Bytes())
}

// write sends at once what it is given. A writer that can't flush (the window's)
// passes on what it gets by itself, and one without deadlines has no socket to
// wait for.
func (s *stream) write(text []byte) error {
	if err := s.control.SetWriteDeadline(time.Now().Add(writeWithin)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	if _, err := s.w.Write(text); err != nil {
		return err
	}
	if err := s.control.Flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	return nil
}

// close gives the connection back as it was, in case it is used again.
func (s *stream) close() { _ = s.control.SetWriteDeadline(time.Time{}) }
