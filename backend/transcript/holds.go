package transcript

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
)

// maxLine is the longest entry that is read, in bytes; a longer line is taken
// for garbage.
const maxLine = 256 << 20

// chunk is how much is read at a time, in bytes.
const chunk = 256 << 10

// Holds says whether a transcript has the message with that uuid: an entry of
// type "user" on the main thread, or an attachment made of it, which is how the
// client keeps a message that it merged into a turn under way. The file is read
// once, in chunks; the client may append to it meanwhile.
//
// While the client lives, false may be too early: it writes an entry a moment
// after it takes the message (seen once with 2.1.197, 32 ms after the result of
// the turn; with the interrupted and failed turns tried it was always there).
func Holds(ctx context.Context, path, messageUUID string) (bool, error) {
	if messageUUID == "" || strings.ContainsFunc(messageUUID, notOfAnID) {
		return false, fmt.Errorf("search transcript: %q is no message uuid", messageUUID)
	}
	file, err := open(path)
	if err != nil {
		return false, err
	}
	defer func() { _ = file.Close() }() // it was only read
	found, err := holds(ctx, file, messageUUID, maxLine)
	if err != nil {
		return false, fmt.Errorf("search transcript %s: %w", path, err)
	}
	return found, nil
}

// open opens a transcript, which is a file and nothing else: a pipe in its
// place would be waited for.
func open(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("open transcript: %w", err)
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no regular file", path)
	}
	if err != nil {
		_ = file.Close() // never used
		return nil, fmt.Errorf("open transcript: %w", err)
	}
	return file, nil
}

// holds looks for the uuid as the client writes one, which is quick, and reads
// only the lines that have it as entries, which is exact. longest is the length
// of the longest entry, in bytes.
func holds(ctx context.Context, file io.ReaderAt, messageUUID string, longest int64) (bool, error) {
	// Without the quote in front: a search is fast when its first byte is rare.
	needle := []byte(messageUUID + `"`)
	buffer := make([]byte, chunk)
	lines := bufio.NewReaderSize(nil, chunk)
	var (
		at   int64      // where buffer stands in the file
		kept int        // bytes at the front of buffer from the round before: a needle may begin in them
		line int64      // where the line begins that buffer begins in
		read int64 = -1 // the line read last, so that none is read twice
	)
	for {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		n, err := file.ReadAt(buffer[kept:], at+int64(kept))
		ended := errors.Is(err, io.EOF)
		if err != nil && !ended {
			return false, err
		}
		data := buffer[:kept+n]
		for from := 0; ; {
			hit := bytes.Index(data[from:], needle)
			if hit < 0 {
				break
			}
			hit += from
			from = hit + len(needle)
			begin := line
			if newline := bytes.LastIndexByte(data[:hit], '\n'); newline >= 0 {
				begin = at + int64(newline) + 1
			}
			if begin == read {
				continue
			}
			read = begin
			lines.Reset(io.NewSectionReader(file, begin, longest))
			e, ok, err := readEntry(lines)
			if err != nil && !errors.Is(err, io.EOF) {
				return false, err
			}
			if ok && e.holds(messageUUID) {
				return true, nil
			}
		}
		if ended {
			return false, nil
		}
		kept = min(len(data), len(needle)-1)
		if newline := bytes.LastIndexByte(data[:len(data)-kept], '\n'); newline >= 0 {
			line = at + int64(newline) + 1
		}
		at += int64(len(data) - kept)
		copy(buffer, data[len(data)-kept:])
	}
}

// holds says whether an entry is the message with that uuid.
func (e entry) holds(messageUUID string) bool {
	switch e.kind {
	case "user":
		return e.main && e.uuid == messageUUID
	case "attachment":
		return e.main && e.from == messageUUID
	default:
		return false
	}
}
