package delivery

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// The wire form of a case: what RunCase reads.
type caseIn struct {
	Rows      []json.RawMessage `json:"rows"`
	Addressed string            `json:"addressed"`
	Self      string            `json:"self"`
	Native    string            `json:"native"`
	Remembers bool              `json:"remembers"`
	Watermark json.RawMessage   `json:"watermark"`
	Limit     *int              `json:"limit"`
	MaxChars  *int              `json:"max_chars"`
}

type caseRow struct {
	ID           string          `json:"id"`
	ThreadRootID string          `json:"thread_root_id"`
	Kind         string          `json:"kind"`
	Handle       string          `json:"handle"`
	Body         string          `json:"body"`
	CreatedAt    json.RawMessage `json:"created_at"`
}

type caseWatermark struct {
	Native string          `json:"native"`
	LastAt json.RawMessage `json:"last_at"`
	IDs    []string        `json:"ids"`
}

// The wire form of a result: what RunCase writes.
type caseOut struct {
	Block     string         `json:"block"`
	Shown     []string       `json:"shown"`
	Omitted   *caseOmitted   `json:"omitted"`
	Watermark *caseWatermark `json:"watermark"`
}

type caseOmitted struct {
	Count  int            `json:"count"`
	Before string         `json:"before"`
	By     map[string]int `json:"by"`
}

// RunCase reads one case as JSON from r, renders it and writes the result as
// one line of JSON to w:
//
//	{"rows":[{"id","thread_root_id","kind":"user"|"agent","handle","body","created_at"}],
//	 "addressed","self","native","remembers","watermark":{"native","last_at","ids"}|null,"limit","max_chars"}
//
//	{"block","shown":[ids],"omitted":{"count","before","by":{handle:count}}|null,
//	 "watermark":{"native","last_at","ids"}|null}
//
// An empty handle is the owner. limit and max_chars are 12 and 600 when they
// are absent. A time is RFC 3339 text or an integer, milliseconds since
// 1970; last_at is printed as it was written in the row or watermark it comes
// from, and is null if nothing has been told up to any time. All rows given are
// considered, and the watermark is the one that holds when the turn has arrived.
//
// What cannot be read is an error that names the row (counted from 1) and the
// field, and then nothing is written.
func RunCase(r io.Reader, w io.Writer) error {
	in, times, err := readCase(r)
	if err != nil {
		return fmt.Errorf("read case: %w", err)
	}
	out, lastFrom := render(in)
	result := caseOut{Block: out.Block, Shown: append([]string{}, out.Shown...)}
	if o := out.Omitted; o != nil {
		result.Omitted = &caseOmitted{Count: o.Count, Before: o.Before, By: o.By}
	}
	if m := out.Watermark; m != nil {
		result.Watermark = &caseWatermark{Native: m.Native, LastAt: times[lastFrom], IDs: append([]string{}, m.IDs...)}
		if lastFrom == "" && !in.Valid() {
			result.Watermark.LastAt = nil
		}
	}
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(result); err != nil {
		return fmt.Errorf("write result: %w", err)
	}
	if _, err := w.Write(line.Bytes()); err != nil {
		return fmt.Errorf("write result: %w", err)
	}
	return nil
}

// readCase also returns each time as it was written: of a row by its id, of the
// watermark under the empty id.
func readCase(r io.Reader) (in Input, times map[string]json.RawMessage, err error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return in, nil, err
	}
	var c caseIn
	if isNull(bytes.TrimSpace(text)) {
		return in, nil, errors.New("no case in it")
	}
	if err := decode(text, &c); err != nil {
		return in, nil, err
	}
	in = Input{Addressed: c.Addressed, Native: c.Native, Remembers: c.Remembers}
	if in.Limit, err = positive(c.Limit, DefaultLimit); err != nil {
		return in, nil, fmt.Errorf("limit: %w", err)
	}
	if in.MaxChars, err = positive(c.MaxChars, DefaultMaxChars); err != nil {
		return in, nil, fmt.Errorf("max_chars: %w", err)
	}
	times = make(map[string]json.RawMessage, len(c.Rows)+1)
	if !isNull(c.Watermark) {
		if in.Watermark, times[""], err = readWatermark(c.Watermark); err != nil {
			return in, nil, fmt.Errorf("watermark: %w", err)
		}
	}
	for i, text := range c.Rows {
		row, at, err := readRow(text)
		if err == nil && times[row.ID] != nil {
			err = errors.New("id: another row has it too")
		}
		if err != nil {
			if row.ID != "" {
				return in, nil, fmt.Errorf("row %d (%q): %w", i+1, row.ID, err)
			}
			return in, nil, fmt.Errorf("row %d: %w", i+1, err)
		}
		times[row.ID] = at
		row.Own = row.Agent && row.Handle == c.Self
		in.Rows = append(in.Rows, row)
	}
	return in, times, nil
}

func readRow(text json.RawMessage) (row Row, at json.RawMessage, err error) {
	var c caseRow
	if isNull(text) {
		return row, nil, errors.New("null is no row")
	}
	if err := decode(text, &c); err != nil {
		return Row{ID: c.ID}, nil, err
	}
	row = Row{ID: c.ID, ThreadRootID: c.ThreadRootID, Agent: c.Kind == "agent", Handle: c.Handle, Body: c.Body}
	switch {
	case c.ID == "":
		return row, nil, errors.New("id: missing")
	case c.Kind == "":
		return row, nil, errors.New(`kind: missing, want "user" or "agent"`)
	case c.Kind != "user" && c.Kind != "agent":
		return row, nil, fmt.Errorf(`kind: %q is unknown, want "user" or "agent"`, c.Kind)
	case row.Agent && c.Handle == "":
		return row, nil, errors.New("handle: missing, only the owner has none")
	case isNull(c.CreatedAt):
		return row, nil, errors.New("created_at: missing")
	}
	if row.CreatedAt, err = parseTime(c.CreatedAt); err != nil {
		return row, nil, fmt.Errorf("created_at: %w", err)
	}
	return row, c.CreatedAt, nil
}

func readWatermark(text json.RawMessage) (m *Watermark, lastAt json.RawMessage, err error) {
	var c caseWatermark
	if err := decode(text, &c); err != nil {
		return nil, nil, err
	}
	m = &Watermark{Native: c.Native, IDs: c.IDs}
	if isNull(c.LastAt) {
		return m, nil, nil
	}
	if m.LastAt, err = parseTime(c.LastAt); err != nil {
		return nil, nil, fmt.Errorf("last_at: %w", err)
	}
	return m, c.LastAt, nil
}

// decode reads exactly one JSON value and knows every field of it.
func decode(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		var wrongType *json.UnmarshalTypeError
		switch {
		case errors.Is(err, io.ErrUnexpectedEOF):
			return errors.New("JSON ends too early")
		case errors.As(err, &wrongType) && wrongType.Field != "":
			return fmt.Errorf("%s: a JSON %s is not what belongs here", wrongType.Field, wrongType.Value)
		}
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more follows after the JSON value")
	}
	return nil
}

func isNull(text json.RawMessage) bool {
	return len(text) == 0 || string(text) == "null"
}

func positive(n *int, absent int) (int, error) {
	if n == nil {
		return absent, nil
	}
	if *n <= 0 {
		return 0, fmt.Errorf("%d is not above zero", *n)
	}
	return *n, nil
}

// parseTime reads RFC 3339 text, to the nanosecond, or an integer of
// milliseconds since 1970.
func parseTime(text json.RawMessage) (time.Time, error) {
	var milliseconds int64
	if text[0] != '"' {
		if err := json.Unmarshal(text, &milliseconds); err != nil {
			return time.Time{}, fmt.Errorf("%s is neither RFC 3339 text nor an integer of milliseconds", text)
		}
		return time.UnixMilli(milliseconds), nil
	}
	var written string
	if err := json.Unmarshal(text, &written); err != nil {
		return time.Time{}, err
	}
	var at time.Time
	// RFC 3339 allows t and z, Go only T and Z.
	if err := at.UnmarshalText([]byte(strings.ToUpper(written))); err != nil {
		return time.Time{}, fmt.Errorf("%q is not an RFC 3339 time", written)
	}
	_, fraction, _ := strings.Cut(written, ".")
	if digits := len(fraction) - len(strings.TrimLeft(fraction, "0123456789")); digits > 9 {
		return time.Time{}, fmt.Errorf("%q is finer than a nanosecond", written)
	}
	return at, nil
}
