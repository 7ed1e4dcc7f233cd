package standin

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// hostile is how the agent misbehaves.
type hostile struct {
	hang, garbage, dieMidLine, splitUTF8, noInit, silent bool
	flood, bigLine                                       int
}

func parseHostile(mode string) hostile {
	var h hostile
	for _, one := range strings.Split(mode, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(one), "=")
		n, _ := strconv.Atoi(value) // no number is the mode's own
		switch name {
		case "hang":
			h.hang = true
		case "garbage":
			h.garbage = true
		case "flood":
			h.flood = 100_000
			if n > 0 {
				h.flood = n
			}
		case "die-mid-line":
			h.dieMidLine = true
		case "bigline":
			h.bigLine = n
		case "split-utf8":
			h.splitUTF8 = true
		case "no-init":
			h.noInit = true
		case "silent-stdin":
			h.silent = true
		}
	}
	return h
}

// lineWriter writes one JSON object a line, whole lines only. The first write
// that goes wrong breaks it: whoever listened has gone.
type lineWriter struct {
	w       io.Writer
	hostile hostile
	broken  context.CancelCauseFunc

	mu  sync.Mutex
	n   int
	err error
}

func (w *lineWriter) line(o map[string]any) error {
	raw := encode(o)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return w.err
	}
	if w.hostile.garbage {
		if w.err = w.write(garbage[w.n%len(garbage)]); w.err != nil {
			w.broken(w.err)
			return w.err
		}
		w.n++
	}
	if w.err = w.write(append(raw, '\n')); w.err != nil {
		w.broken(w.err)
		return w.err
	}
	if w.hostile.hang && o["subtype"] == "status" && o["status"] == "requesting" {
		w.err = io.ErrClosedPipe // that was the last line
	}
	return nil
}

// half writes the first half of a line, and nothing ever after.
func (w *lineWriter) half(o map[string]any) {
	raw := encode(o)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		_ = w.write(raw[:len(raw)/2]) // the next thing that happens is death
		w.err = io.ErrClosedPipe
	}
}

func (w *lineWriter) write(raw []byte) error {
	for _, part := range w.parts(raw) {
		if _, err := w.w.Write(part); err != nil {
			return fmt.Errorf("write a line: %w", err)
		}
	}
	return nil
}

// parts cuts a line inside of each of its first characters that can be cut, if
// that is the mode.
func (w *lineWriter) parts(raw []byte) [][]byte {
	if !w.hostile.splitUTF8 {
		return [][]byte{raw}
	}
	var parts [][]byte
	for i := 0; i < len(raw) && len(parts) < 200; {
		_, size := utf8.DecodeRune(raw[i:])
		if size > 1 {
			parts = append(parts, raw[:i+1])
			raw, i = raw[i+1:], size-1
			continue
		}
		i += size
	}
	return append(parts, raw)
}

// garbage is what comes between the lines: each is a line, or several, that
// means nothing.
var garbage = [][]byte{
	[]byte("this is not JSON\n"),
	[]byte("\n"),
	[]byte(`{"type":"from_a_newer_version","subtype":"unheard_of","payload":{"a":[1,2,3]}}` + "\n"),
	[]byte("\x00\xff\xfe\x80 bytes\n"),
	[]byte(`{"type":"assistant","message":` + "\n"),
	[]byte("[1,2,3]\nnull\n\"a string\"\n"),
	[]byte(`{"no":"type"}` + "\n"),
	[]byte(`{"type":7,"message":"a type of another kind"}` + "\n"),
	[]byte(`{"type":"control_response","response":{"subtype":"success","request_id":"nobody asked","response":{}}}` + "\n"),
	[]byte("\x1b[31mcolour\x1b[0m\r\n"),
	[]byte(`{"type":"assistant","message":{"content":"a string, for once"}}` + "\n"),
	[]byte(`{"type":"keep_alive"}` + "\n"),
}
