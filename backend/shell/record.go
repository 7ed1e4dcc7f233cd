package shell

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"hearth/backend/plain"
)

// Record is one line of the records' file: an output that was spilled, or why one
// that should have been was not.
type Record struct {
	At      time.Time `json:"at"`
	Session string    `json:"session,omitempty"` // the native session, as the client says
	Command string    `json:"command"`           // as the model wrote it, at most 1,000 characters of it
	Status  int       `json:"status"`            // exit status; 128 + the signal's number for one that ended by it
	Path    string    `json:"path,omitempty"`    // where the whole is, absolute
	Name    string    `json:"name,omitempty"`    // what the pointer calls it
	Bytes   int64     `json:"bytes"`
	Chars   int       `json:"chars,omitempty"` // as plain.Length counts them
	Lines   int       `json:"lines,omitempty"`
	Kept    int       `json:"kept,omitempty"` // characters that stay in the context, with the pointer
	// Error says why the output was left as it is; then there is no path.
	Error string `json:"error,omitempty"`
}

// maxCommand bounds a record, so that a line is written whole by one call.
const maxCommand = 1000

// maxRecords is the most that ReadRecords takes at once: 16 MiB. Fixed.
const maxRecords = 16 << 20

// append adds the record to a file. A link is not followed.
func (r Record) append(path string) error {
	r.Command, _ = plain.Cut(r.Command, maxCommand)
	line, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("record a spill: %w", err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return fmt.Errorf("record a spill: %w", err)
	}
	_, err = file.Write(append(line, '\n'))
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("record a spill: %w", err)
	}
	return nil
}

// ReadRecords returns the records of a file from an offset on, and the offset to go
// on from: that behind the last whole line. A file that is not there has none, one
// that is shorter than from is read from its beginning, and lines that are no record
// are passed by.
func ReadRecords(path string, from int64) (records []Record, next int64, err error) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, from, fmt.Errorf("read what was spilled: %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, from, fmt.Errorf("read what was spilled: %w", err)
	}
	if info.Size() < from {
		from = 0
	}
	text, err := io.ReadAll(io.NewSectionReader(file, from, maxRecords))
	if err != nil {
		return nil, from, fmt.Errorf("read what was spilled: %w", err)
	}
	whole := bytes.LastIndexByte(text, '\n') + 1
	for line := range bytes.Lines(text[:whole]) {
		var r Record
		if json.Unmarshal(line, &r) == nil {
			records = append(records, r)
		}
	}
	return records, from + int64(whole), nil
}
