package logs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

const (
	// MaxLines is how many lines one reading gives at most.
	MaxLines = 2000
	// usualLines is how many when nobody says.
	usualLines = 500
	// maxRead bounds what is read of one file, in bytes: files of ours are smaller.
	maxRead = 16 << 20
)

// Query is what to read: the newest lines, those after a cursor, or those before
// one.
type Query struct {
	After, Before string // cursors; at most one is given
	Level         slog.Level
	Text          string // only lines that hold it, in any case
	Limit         int    // lines, 1..MaxLines; 0 is the usual number
}

// Page is what was read.
type Page struct {
	Lines []Line // oldest first
	// Next is the cursor after the last line that was looked at: what to give as After.
	Next string
	// More says that there may be older lines that fit.
	More bool
	// Reset says that After or Before named a place that is gone: these are the newest
	// lines.
	Reset bool
}

// Folder is the data folder whose log is read.
type Folder string

// Read reads lines. A log that was never written has none.
func (f Folder) Read(ctx context.Context, q Query) (Page, error) {
	if q.Limit == 0 {
		q.Limit = usualLines
	}
	q.Limit = min(max(q.Limit, 1), MaxLines)
	files, err := f.open()
	if err != nil {
		return Page{}, fmt.Errorf("read the log: %w", err)
	}
	defer files.close()
	page, err := files.read(ctx, q)
	if err != nil {
		return Page{}, fmt.Errorf("read the log: %w", err)
	}
	return page, nil
}

// file is one of the log's files, open.
type file struct {
	*os.File
	id   uint64 // the system's number of it: it stays when the file is put aside
	size int64
}

// files are oldest first; the last one is written to.
type files []file

// open opens every file of the log. A file may be put aside meanwhile; it is then
// looked for again.
func (f Folder) open() (files, error) {
	for tries := 0; ; tries++ {
		opened, err := f.openOnce()
		if err == nil || !errors.Is(err, fs.ErrNotExist) || tries == 3 {
			return opened, err
		}
	}
}

func (f Folder) openOnce() (_ files, err error) {
	names, err := filepath.Glob(filepath.Join(escaped(string(f)), strings.TrimSuffix(Name, ".log")+"-*.log"))
	if err != nil {
		return nil, err
	}
	slices.Sort(names) // they are called after the time they were put aside
	var out files
	defer func() {
		if err != nil {
			out.close()
		}
	}()
	for _, name := range append(names, Path(string(f))) {
		// Never waits: a pipe that somebody put there would.
		opened, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
		if errors.Is(err, fs.ErrNotExist) && name == Path(string(f)) {
			continue // nothing was written yet, or since it was put aside
		}
		if err != nil {
			return nil, err
		}
		info, err := opened.Stat()
		if err != nil {
			return nil, errors.Join(err, opened.Close())
		}
		system, ok := info.Sys().(*syscall.Stat_t)
		if !info.Mode().IsRegular() || !ok {
			return nil, errors.Join(fmt.Errorf("%s is not a file: move it away", name), opened.Close())
		}
		one := file{File: opened, id: system.Ino, size: info.Size()}
		if n := len(out); n > 0 && out[n-1].id == one.id { // it was put aside between the two
			one.close()
			continue
		}
		out = append(out, one)
	}
	return out, nil
}

// escaped takes the meaning from what a pattern would read as one.
func escaped(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

func (f file) close() { _ = f.Close() } // it was only read

func (all files) close() {
	for _, f := range all {
		f.close()
	}
}

// place is where between two lines: in which file, at which byte.
type place struct {
	file int
	at   int64
}

func (all files) cursor(p place) string {
	if len(all) == 0 {
		return ""
	}
	return strconv.FormatUint(all[p.file].id, 36) + "-" + strconv.FormatInt(p.at, 36)
}

// find finds the place that a cursor names; ok is false when it is gone.
func (all files) find(cursor string) (_ place, ok bool) {
	id, at, _ := strings.Cut(cursor, "-")
	wanted, err := strconv.ParseUint(id, 36, 64)
	if err != nil {
		return place{}, false
	}
	offset, err := strconv.ParseInt(at, 36, 64)
	if err != nil || offset < 0 {
		return place{}, false
	}
	for i, f := range all {
		if f.id != wanted || offset > f.size {
			continue
		}
		var before [1]byte
		if offset > 0 {
			if _, err := f.ReadAt(before[:], offset-1); err != nil || before[0] != '\n' {
				continue // another file has its number by now
			}
		}
		return place{i, offset}, true
	}
	return place{}, false
}

func (all files) read(ctx context.Context, q Query) (page Page, err error) {
	if len(all) == 0 {
		page.Reset = q.After != "" || q.Before != ""
		return page, nil
	}
	if q.After != "" {
		if from, ok := all.find(q.After); ok {
			return all.forward(ctx, from, q)
		}
		page.Reset = true
	}
	last := len(all) - 1
	end := place{last, all[last].size}
	if q.Before != "" {
		if before, ok := all.find(q.Before); ok {
			end = before
		} else {
			page.Reset = true
		}
	}
	found, err := all.backward(ctx, end, q)
	found.Reset = page.Reset
	return found, err
}

// span reads whole lines of a file from one byte to another. It gives what it read,
// and the byte where that begins: of a file that is larger than any of ours, only
// the end.
func (f file) span(from, to int64) ([]byte, int64, error) {
	cut := to-from > maxRead
	if cut {
		from = to - maxRead
	}
	text := make([]byte, to-from)
	n, err := f.ReadAt(text, from)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, 0, err
	}
	text = text[:n]
	if cut {
		at := bytes.IndexByte(text, '\n') + 1
		text, from = text[at:], from+int64(at)
	}
	// A line that is being written has no end yet.
	return text[:bytes.LastIndexByte(text, '\n')+1], from, nil
}

// forward reads what comes after a place, up to the limit.
func (all files) forward(ctx context.Context, from place, q Query) (Page, error) {
	fits := q.filter()
	page, at := Page{}, from
	for ; ; at = (place{at.file + 1, 0}) {
		text, begin, err := all[at.file].span(at.at, all[at.file].size)
		if err != nil {
			return Page{}, err
		}
		at.at = begin
		for len(text) > 0 {
			if err := ctx.Err(); err != nil {
				return Page{}, err
			}
			if len(page.Lines) == q.Limit {
				page.Next = all.cursor(at)
				return page, nil
			}
			raw := text[:bytes.IndexByte(text, '\n')]
			if line, ok := fits(raw); ok {
				line.ID = all.cursor(at)
				page.Lines = append(page.Lines, line)
			}
			text, at.at = text[len(raw)+1:], at.at+int64(len(raw)+1)
		}
		if at.file == len(all)-1 {
			page.Next = all.cursor(at)
			return page, nil
		}
	}
}

// backward reads what comes before a place, from there back, up to the limit.
func (all files) backward(ctx context.Context, end place, q Query) (Page, error) {
	fits := q.filter()
	page := Page{}
	for at := end; at.file >= 0; {
		text, begin, err := all[at.file].span(0, at.at)
		if err != nil {
			return Page{}, err
		}
		if page.Next == "" {
			page.Next = all.cursor(place{at.file, begin + int64(len(text))})
		}
		for len(text) > 0 {
			if err := ctx.Err(); err != nil {
				return Page{}, err
			}
			start := bytes.LastIndexByte(text[:len(text)-1], '\n') + 1
			if line, ok := fits(text[start : len(text)-1]); ok {
				if len(page.Lines) == q.Limit {
					page.More = true
					slices.Reverse(page.Lines)
					return page, nil
				}
				line.ID = all.cursor(place{at.file, begin + int64(start)})
				page.Lines = append(page.Lines, line)
			}
			text = text[:start]
		}
		at.file--
		if at.file >= 0 {
			at.at = all[at.file].size
		}
	}
	slices.Reverse(page.Lines)
	return page, nil
}

// filter makes what a line has to pass.
func (q Query) filter() func(raw []byte) (Line, bool) {
	text := strings.ToLower(q.Text)
	return func(raw []byte) (Line, bool) {
		line := parse(strings.TrimSuffix(string(raw), "\r"))
		if line.Level < q.Level || text != "" && !strings.Contains(strings.ToLower(line.String()), text) {
			return Line{}, false
		}
		return line, true
	}
}
