package claude

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// MaxLine is the longest line that is read, in bytes. The client writes a tool's whole result, images included, on one
// line; 256 MiB is far over anything seen and far under what would exhaust memory.
const MaxLine = 256 << 20

// keepBuffer is up to which size a line's buffer is used again for the next line.
const keepBuffer = 1 << 20

// A lineReader cuts a stream into lines. Bytes are bytes here: a character split between two reads is whole again when its
// line is.
type lineReader struct {
	r   *bufio.Reader
	max int
	buf []byte
	// dropped is told the size of each line that was longer than max.
	dropped func(size int64)
}

func newLineReader(r io.Reader, limit int, dropped func(int64)) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, 64<<10), max: limit, dropped: dropped}
}

// next returns the next line without its end, valid until the following call. Empty lines are skipped. The last line
// counts also without a newline: the process may have died in the middle of it. Then err is the reader's.
func (l *lineReader) next() ([]byte, error) {
	for {
		line, err := l.line()
		line = bytes.TrimSpace(line)
		if len(line) > 0 || err != nil {
			if len(line) > 0 && errors.Is(err, io.EOF) {
				err = nil // the next call reports it
			}
			return line, err
		}
	}
}

func (l *lineReader) line() ([]byte, error) {
	if cap(l.buf) > keepBuffer {
		l.buf = nil
	}
	l.buf = l.buf[:0]
	var size int64
	for {
		part, err := l.r.ReadSlice('\n')
		size += int64(len(part))
		if size <= int64(l.max) {
			l.buf = append(l.buf, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if size > int64(l.max) {
			l.dropped(size)
			l.buf = l.buf[:0]
		}
		return l.buf, err
	}
}

// salvage finds the JSON object in a line that does not begin with one. A program that writes to the terminal by itself
// leaves escape sequences in front of a line without ending it.
func salvage(line []byte) []byte {
	if line[0] == '{' {
		return line
	}
	if i := bytes.Index(line, []byte(`{"`)); i >= 0 {
		return line[i:]
	}
	return nil
}
