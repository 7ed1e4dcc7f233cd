package changes

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"

	"hearth/backend/plain"
)

// maxLineChars is how much of a line is shown.
const maxLineChars = 2000

// LineKind says what became of a line.
type LineKind string

// The kinds of a line.
const (
	LineSame    LineKind = "same"
	LineAdded   LineKind = "added"
	LineRemoved LineKind = "removed"
)

// Line is a line of a difference, without the line feed at its end.
type Line struct {
	Kind LineKind
	Text string // at most 2,000 characters of it
	Cut  int    // how many more it has
	// Unended says that the file ends with this line and that no line feed stands
	// behind it.
	Unended bool
}

// Hunk is a stretch of a difference: changed lines and three around them.
type Hunk struct {
	Old, New int // the numbers of its first line in either text, from 1
	Lines    []Line
}

// Diff is how two texts differ, line by line.
type Diff struct {
	Added, Removed int // lines, all of them
	Hunks          []Hunk
	Left           int // lines of hunks that were left out
}

// isText says whether content is shown as text: UTF-8 without NUL bytes.
func isText(content []byte) bool { return utf8.Valid(content) && bytes.IndexByte(content, 0) < 0 }

// Compare compares two texts line by line, and gives at most so many lines of the
// difference; with 0 it only counts. Lines end with a line feed; a carriage return
// before it is part of the line, so that another kind of line end is a change. Lines
// that stand once in either text anchor it: it takes no longer than sorting them.
func Compare(before, after []byte, most int) Diff {
	var d Diff
	var hunk *Hunk
	left := most
	unified := strings.TrimSuffix(string(diff.Diff("", before, "", after)), "\n")
	for n, text := range strings.Split(unified, "\n") {
		if n < header || text == "" {
			continue
		}
		line := Line{Kind: LineSame}
		switch text[0] {
		case '@':
			d.Hunks = append(d.Hunks, Hunk{})
			hunk = &d.Hunks[len(d.Hunks)-1]
			hunk.Old, hunk.New = firstLines(text)
			continue
		case '\\': // of the line before it
			if last := len(hunk.Lines) - 1; last >= 0 && left > 0 {
				hunk.Lines[last].Unended = true
			}
			continue
		case '+':
			line.Kind = LineAdded
			d.Added++
		case '-':
			line.Kind = LineRemoved
			d.Removed++
		}
		if left == 0 {
			d.Left++
			continue
		}
		left--
		line.Text, line.Cut = plain.Cut(text[1:], maxLineChars)
		hunk.Lines = append(hunk.Lines, line)
	}
	d.Hunks = slices.DeleteFunc(d.Hunks, func(h Hunk) bool { return len(h.Lines) == 0 })
	if most == 0 {
		d.Left = 0
	}
	return d
}

// header is how many lines a unified difference begins with that are no part of it.
const header = 3

// firstLines reads where a hunk begins: "@@ -12,7 +12,9 @@".
func firstLines(head string) (from, to int) {
	fields := strings.Fields(head)
	for i, into := range []*int{&from, &to} {
		number, _, _ := strings.Cut(fields[i+1][1:], ",")
		*into, _ = strconv.Atoi(number) // it was just written as one
	}
	return from, to
}

// Between is Compare of two versions whose content is kept; of what is no text it is
// empty.
func Between(before, after Version, most int) Diff {
	if formOf(before, after) != FormText {
		return Diff{}
	}
	return Compare(before.Text, after.Text, most)
}
