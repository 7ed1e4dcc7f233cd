package standin

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"
	"unicode/utf8"
)

// errCut says that the connection has to be cut.
var errCut = errors.New("the connection is to be cut")

// answer writes one reply to one request.
type answer struct {
	w       http.ResponseWriter
	control *http.ResponseController
	ctx     context.Context
	request Request
	reply   Reply
	usage   Usage
	begin   func(status int, usage Usage)
	pieces  int // written so far
}

func (a *answer) write() error {
	if a.reply.HoldAfter == 0 {
		if err := a.hold(); err != nil {
			return err
		}
	}
	if a.reply.Error != nil {
		a.begin(a.reply.Error.Status, Usage{})
		writeFailure(a.w, a.reply.Error)
		return nil
	}
	if a.request.Stream {
		return a.stream()
	}
	return a.whole()
}

// hold waits as the reply says.
func (a *answer) hold() error {
	if a.reply.Hold == nil && !a.reply.Forever {
		return nil
	}
	select {
	case <-a.reply.Hold: // nil never comes
		return nil
	case <-a.ctx.Done():
		return a.ctx.Err()
	}
}

// whole answers with one JSON message.
func (a *answer) whole() error {
	if b := a.reply.Break; b != nil && b.Error != nil {
		a.begin(b.Error.Status, Usage{})
		writeFailure(a.w, b.Error)
		return nil
	}
	if a.reply.HoldAfter > 0 {
		if err := a.hold(); err != nil {
			return err
		}
	}
	message := a.message(a.usage)
	content := []any{}
	for _, b := range a.reply.Blocks {
		content = append(content, b.whole())
	}
	message["content"] = content
	message["stop_reason"] = a.reply.stopReason()
	body, err := json.Marshal(message)
	if err != nil {
		return fmt.Errorf("encode message: %w", err)
	}
	a.begin(http.StatusOK, a.usage)
	a.w.Header().Set("Content-Type", "application/json")
	a.w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	if a.reply.Break != nil {
		_, _ = a.w.Write(body[:len(body)/2])
		_ = a.control.Flush()
		return errCut
	}
	if _, err = a.w.Write(body); err != nil {
		return fmt.Errorf("write message: %w", err)
	}
	return nil
}

// stream answers with server-sent events.
func (a *answer) stream() error {
	a.begin(http.StatusOK, a.usage)
	h := a.w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-cache")
	h.Set("Request-Id", newID("req_"))
	opening := a.usage
	opening.OutputTokens = min(1, opening.OutputTokens)
	if err := a.event("message_start", map[string]any{"message": a.message(opening)}); err != nil {
		return err
	}
	if err := a.event("ping", map[string]any{}); err != nil {
		return err
	}
	for i, b := range a.reply.Blocks {
		if err := a.block(i, b); err != nil {
			return a.failed(err)
		}
	}
	if err := a.interrupted(); err != nil { // a break or a hold after the last piece
		return a.failed(err)
	}
	if err := a.event("message_delta", map[string]any{
		"delta": map[string]any{"stop_reason": a.reply.stopReason(), "stop_sequence": nil},
		"usage": a.usage,
	}); err != nil {
		return err
	}
	return a.event("message_stop", map[string]any{})
}

// failed writes the error event of a break; every other error it passes on.
func (a *answer) failed(err error) error {
	var failed failedStream
	if !errors.As(err, &failed) {
		return err
	}
	return a.event("error", map[string]any{"error": map[string]string{"type": failed.Type, "message": failed.Message}})
}

func (a *answer) block(index int, b Block) error {
	if err := a.event("content_block_start", map[string]any{"index": index, "content_block": b.opening()}); err != nil {
		return err
	}
	for _, piece := range cut(b.streamed(), a.reply.Deltas) {
		if err := a.interrupted(); err != nil {
			return err
		}
		if err := a.event("content_block_delta", map[string]any{"index": index, "delta": b.delta(piece)}); err != nil {
			return err
		}
		a.pieces++
	}
	if b.Type == "thinking" {
		delta := map[string]string{"type": "signature_delta", "signature": signature}
		if err := a.event("content_block_delta", map[string]any{"index": index, "delta": delta}); err != nil {
			return err
		}
	}
	return a.event("content_block_stop", map[string]any{"index": index})
}

// interrupted does what the reply wants done before the next piece: break off,
// hold, pause.
func (a *answer) interrupted() error {
	if b := a.reply.Break; b != nil && a.pieces == b.After {
		if b.Error != nil {
			return failedStream{b.Error}
		}
		return errCut
	}
	if a.reply.HoldAfter > 0 && a.pieces == a.reply.HoldAfter {
		if err := a.hold(); err != nil {
			return err
		}
	}
	if a.reply.Pause <= 0 || a.pieces == 0 {
		return nil
	}
	timer := time.NewTimer(a.reply.Pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-a.ctx.Done():
		return a.ctx.Err()
	}
}

func (a *answer) event(kind string, data map[string]any) error {
	data["type"] = kind
	body, err := json.Marshal(data)
	if err != nil {
		return fmt.Errorf("encode %s: %w", kind, err)
	}
	if _, err = fmt.Fprintf(a.w, "event: %s\ndata: %s\n\n", kind, body); err != nil {
		return fmt.Errorf("write %s: %w", kind, err)
	}
	if err = a.control.Flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return fmt.Errorf("flush %s: %w", kind, err)
	}
	return nil
}

func (a *answer) message(usage Usage) map[string]any {
	m := map[string]any{
		"id": newID("msg_"), "type": "message", "role": "assistant", "model": a.request.Model,
		"content": []any{}, "stop_reason": nil, "stop_sequence": nil, "usage": usage,
	}
	if a.reply.Diagnostics != nil {
		m["diagnostics"] = a.reply.Diagnostics
	}
	return m
}

// signature stands where the API signs thinking.
const signature = "c3RhbmQtaW4="

// whole is the block as a JSON message has it.
func (b Block) whole() map[string]any {
	switch b.Type {
	case "tool_use":
		return map[string]any{"type": b.Type, "id": b.id(), "name": b.Tool, "input": b.input()}
	case "thinking":
		return map[string]any{"type": b.Type, "thinking": b.Text, "signature": signature}
	}
	return map[string]any{"type": b.Type, "text": b.Text}
}

// opening is the block as content_block_start has it: empty.
func (b Block) opening() map[string]any {
	switch b.Type {
	case "tool_use":
		return map[string]any{"type": b.Type, "id": b.id(), "name": b.Tool, "input": map[string]any{}}
	case "thinking":
		return map[string]any{"type": b.Type, "thinking": "", "signature": ""}
	}
	return map[string]any{"type": b.Type, "text": ""}
}

func (b Block) delta(piece string) map[string]string {
	switch b.Type {
	case "tool_use":
		return map[string]string{"type": "input_json_delta", "partial_json": piece}
	case "thinking":
		return map[string]string{"type": "thinking_delta", "thinking": piece}
	}
	return map[string]string{"type": "text_delta", "text": piece}
}

func (b Block) streamed() string {
	if b.Type == "tool_use" {
		return string(b.input())
	}
	return b.Text
}

func (b Block) input() json.RawMessage {
	if len(b.Input) == 0 {
		return json.RawMessage("{}")
	}
	return b.Input
}

func (b Block) id() string {
	if b.ID != "" {
		return b.ID
	}
	return newID("toolu_")
}

// cut cuts a text into n pieces of about the same size, never inside a
// character; n of 0 means one for every 40 bytes, up to 8. Pieces are never empty.
func cut(text string, n int) []string {
	if n <= 0 {
		n = min(8, len(text)/40+1)
	}
	var pieces []string
	for ; n > 0 && text != ""; n-- {
		end := len(text) / n
		for end < len(text) && !utf8.RuneStart(text[end]) {
			end++
		}
		if end == 0 {
			_, end = utf8.DecodeRuneInString(text)
		}
		pieces = append(pieces, text[:end])
		text = text[end:]
	}
	return pieces
}

// failedStream says that a stream ends with an error event.
type failedStream struct{ *Failure }

func (f failedStream) Error() string { return f.Type + ": " + f.Message }

// writeFailure answers with an error in the API's shape.
func writeFailure(w http.ResponseWriter, f *Failure) {
	id := newID("req_")
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Request-Id", id)
	if f.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(f.RetryAfter))
	}
	w.WriteHeader(f.Status)
	_ = json.NewEncoder(w).Encode(map[string]any{ // the caller may be gone
		"type": "error", "error": map[string]string{"type": f.Type, "message": f.Message}, "request_id": id,
	})
}

// newID makes an id that no other answer has, in this process or another.
func newID(prefix string) string {
	var b [12]byte
	_, _ = rand.Read(b[:]) // never fails
	return prefix + hex.EncodeToString(b[:])
}
