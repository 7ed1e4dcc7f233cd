package sim

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"hearth/backend/chat"
	"hearth/backend/delivery"
)

// maxLine is how long a line of a channel's file may be, in bytes. A message of
// 100,000 characters, which is the most that Hearth takes, has less than a tenth.
const maxLine = 8 << 20

// line is the wire form of a row.
type line struct {
	ID           string  `json:"id"`
	ThreadRootID string  `json:"thread_root_id"`
	Kind         string  `json:"kind"`
	Handle       string  `json:"handle"`
	Body         *string `json:"body"`
	CreatedAt    string  `json:"created_at"`
	Answers      string  `json:"answers"`
	DeletedAt    string  `json:"deleted_at"` // not empty: there is nothing to tell of it

	// What a row of the HTTP API has besides. It is not looked at.
	ChannelID  json.RawMessage `json:"channel_id"`
	BindingID  json.RawMessage `json:"binding_id"`
	RunID      json.RawMessage `json:"run_id"`
	Note       json.RawMessage `json:"note"`
	EditedAt   json.RawMessage `json:"edited_at"`
	ThreadSize json.RawMessage `json:"thread_size"`
}

// ErrWhichAgent is returned for a channel that does not say by itself which agent
// is to be played.
var ErrWhichAgent = errors.New("it does not say which agent to play")

// Read reads a channel from JSON lines, a row a line, in the order in which they
// were posted:
//
//	{"id","thread_root_id","kind":"user"|"agent","handle","body","created_at","answers"}
//
// An empty handle is the owner. thread_root_id may be left out at the top level;
// answers, of a row of an agent's, is the id of the row it replies to, and may be
// left out of all rows: then replies are taken in the order of the mentions. A
// time is RFC 3339; one that is no later than the row's before it, though no
// earlier, is made a microsecond later, as Hearth does. A row with a deleted_at is
// told to nobody. Blank lines are passed over,
// and the other fields of a row of the HTTP API are allowed.
//
// agent is the handle of the agent to play; empty is the only one that wrote, and
// when there is not exactly one the error is ErrWhichAgent. An error about a row
// names the line, counted from 1.
func Read(r io.Reader, name, agent string) (Channel, error) {
	in := reader{known: make(map[string]*Row)}
	at := 0
	for text, err := range inputLines(r) {
		at++
		if err == nil && len(bytes.TrimSpace(text)) > 0 {
			err = in.take(text)
		}
		if err != nil {
			return Channel{}, fmt.Errorf("line %d: %w", at, err)
		}
	}
	c := Channel{Name: name, Agent: chat.CleanHandle(agent), Rows: in.rows}
	if len(c.Rows) == 0 {
		return Channel{}, errors.New("there is no message in it")
	}
	if c.Agent == "" {
		var err error
		if c.Agent, err = onlyAgent(c.Rows); err != nil {
			return Channel{}, err
		}
	}
	return c, nil
}

// inputLines yields lines, the last one with an error when reading ended in one.
func inputLines(r io.Reader) func(yield func([]byte, error) bool) {
	return func(yield func([]byte, error) bool) {
		scanner := bufio.NewScanner(r)
		scanner.Buffer(nil, maxLine)
		for first := true; scanner.Scan(); first = false {
			text := scanner.Bytes()
			if first {
				text = bytes.TrimPrefix(text, []byte("\ufeff"))
			}
			if !yield(text, nil) {
				return
			}
		}
		switch err := scanner.Err(); {
		case errors.Is(err, bufio.ErrTooLong):
			yield(nil, fmt.Errorf("longer than %d bytes; a line is one message", maxLine))
		case err != nil:
			yield(nil, err)
		}
	}
}

func readRow(text []byte) (Row, error) {
	var l line
	if text = bytes.TrimSpace(text); text[0] != '{' {
		return Row{}, errors.New("a row is a JSON object, on one line")
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&l); err != nil {
		return Row{}, explain(err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return Row{}, errors.New("more follows after the row's JSON object")
	}
	switch {
	case l.ID == "":
		return Row{}, errors.New("id: missing")
	case l.Kind != "user" && l.Kind != "agent":
		return Row{}, fmt.Errorf(`kind: %q, want "user" or "agent"`, l.Kind)
	case l.Kind == "agent" && chat.CleanHandle(l.Handle) == "":
		return Row{}, errors.New("handle: missing, only the owner has none")
	case l.Body == nil:
		return Row{}, errors.New("body: missing")
	case l.CreatedAt == "":
		return Row{}, errors.New("created_at: missing")
	case l.Answers != "" && l.Kind != "agent":
		return Row{}, errors.New("answers: only an agent's row has it")
	}
	created, err := time.Parse(time.RFC3339, l.CreatedAt)
	if err != nil {
		return Row{}, fmt.Errorf("created_at: %q is not an RFC 3339 time", l.CreatedAt)
	}
	return Row{Answers: l.Answers, Row: delivery.Row{
		ID: l.ID, ThreadRootID: l.ThreadRootID, Agent: l.Kind == "agent", Handle: chat.CleanHandle(l.Handle), Body: *l.Body, CreatedAt: created,
		Deleted: l.DeletedAt != "",
	}}, nil
}

// explain says what is wrong with a line in words for whoever wrote it.
func explain(err error) error {
	var wrongType *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("JSON ends too early; a row stands on one line")
	case errors.As(err, &wrongType) && wrongType.Field != "":
		return fmt.Errorf("%s: a JSON %s is not what belongs here", wrongType.Field, wrongType.Value)
	case errors.As(err, &syntax):
		return fmt.Errorf("no JSON at byte %d: %s", syntax.Offset, syntax.Error())
	}
	return errors.New(strings.TrimPrefix(err.Error(), "json: "))
}

// reader has the rows read so far.
type reader struct {
	rows    []Row
	known   map[string]*Row
	written time.Time // the last row's time, as it was written
}

// take reads a row and holds it to those before it.
func (r *reader) take(text []byte) error {
	row, err := readRow(text)
	if err != nil {
		return err
	}
	if r.known[row.ID] != nil {
		return fmt.Errorf("id: an earlier row has %q too", row.ID)
	}
	if root := row.ThreadRootID; root != "" {
		switch {
		case r.known[root] == nil:
			return fmt.Errorf("thread_root_id: %q is no earlier row", root)
		case r.known[root].ThreadRootID != "":
			return fmt.Errorf("thread_root_id: %q is in a thread itself; name that thread's root", root)
		}
	}
	if asked := row.Answers; asked != "" {
		switch {
		case r.known[asked] == nil:
			return fmt.Errorf("answers: %q is no earlier row", asked)
		case strings.TrimSpace(r.known[asked].Body) == "":
			return fmt.Errorf("answers: %q says nothing that could be answered", asked)
		}
	}
	if row.CreatedAt.Before(r.written) {
		return errors.New("created_at: before the row above it; rows stand in the order in which they were posted")
	}
	r.written = row.CreatedAt
	if n := len(r.rows); n > 0 && !row.CreatedAt.After(r.rows[n-1].CreatedAt) {
		row.CreatedAt = r.rows[n-1].CreatedAt.Add(time.Microsecond)
	}
	r.rows = append(r.rows, row)
	r.known[row.ID] = &row
	return nil
}

func onlyAgent(rows []Row) (string, error) {
	agents := map[string]bool{}
	var handles []string
	for _, row := range rows {
		if row.Agent && !agents[chat.Fold(row.Handle)] {
			agents[chat.Fold(row.Handle)] = true
			handles = append(handles, row.Handle)
		}
	}
	switch len(handles) {
	case 0:
		return "", fmt.Errorf("%w: no agent wrote in it", ErrWhichAgent)
	case 1:
		return handles[0], nil
	}
	return "", fmt.Errorf("%w: @%s wrote in it", ErrWhichAgent, strings.Join(handles, ", @"))
}
