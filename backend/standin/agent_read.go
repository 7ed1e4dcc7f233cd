package standin

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/google/uuid"
)

// maxInputLine is the longest line the agent reads: 256 MB.
const maxInputLine = 256 << 20

// encode writes JSON as the client does: one line, and only the escapes JSON
// needs, so that every script passes as it is.
func encode(o any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(o); err != nil {
		panic("standin: a line that is no JSON: " + err.Error()) // built here, of plain values
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

type inputLine struct {
	Type      string          `json:"type"`
	UUID      string          `json:"uuid"`
	RequestID string          `json:"request_id"`
	Message   json.RawMessage `json:"message"`
	Request   json.RawMessage `json:"request"`
	Response  struct {
		Subtype   string          `json:"subtype"`
		RequestID string          `json:"request_id"`
		Response  json.RawMessage `json:"response"`
		Error     string          `json:"error"`
	} `json:"response"`
}

// read takes the input in, line by line, until it ends.
func (a *agent) read(ctx context.Context, stdin io.Reader) {
	in := bufio.NewReaderSize(stdin, 1<<16)
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		if errors.Is(err, bufio.ErrBufferFull) {
			if len(line) > maxInputLine {
				a.end(errInputLine)
				return
			}
			continue
		}
		if len(bytes.TrimSpace(line)) > 0 {
			a.take(ctx, line)
		}
		line = nil
		if err != nil {
			a.mu.Lock()
			a.ended = true
			// Nobody will answer any more.
			for _, waiting := range a.pending {
				close(waiting)
			}
			clear(a.pending)
			a.mu.Unlock()
			a.signal()
			return
		}
	}
}

func (a *agent) take(ctx context.Context, raw []byte) {
	var line inputLine
	if err := json.Unmarshal(raw, &line); err != nil {
		a.end(errors.New("a line of input is no JSON: " + err.Error()))
		return
	}
	switch line.Type {
	case "control_request":
		a.control(ctx, line.RequestID, line.Request)
	case "control_response":
		a.answer(line)
	case "user":
		message := asked{uuid: line.UUID, text: messageText(line.Message)}
		if message.uuid == "" {
			message.uuid = uuid.NewString()
		}
		a.mu.Lock()
		a.queue = append(a.queue, message)
		a.mu.Unlock()
		a.signal()
	}
}

// messageText returns the text of a message, its text blocks one a line.
func messageText(raw json.RawMessage) string {
	var m struct {
		Content json.RawMessage `json:"content"`
	}
	if json.Unmarshal(raw, &m) != nil {
		return ""
	}
	content, err := parseContent(m.Content, "content")
	if err != nil {
		return ""
	}
	return joinText(content)
}
