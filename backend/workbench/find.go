package workbench

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"hearth/backend/chat"
	"hearth/backend/plain"
)

const (
	// MaxFound is the most matches that Find returns. Fixed.
	MaxFound = 1000
	// maxQuery is how many characters a query may have.
	maxQuery = 1000
	// maxSearched is how many bytes of files are read for one search.
	maxSearched = 512 << 20
	// perFile is how many matches of one file are returned: a long log would hide
	// all others.
	perFile = 20
	// foundChars is how many characters of a line are shown, foundBefore of them
	// before the end of what was found.
	foundChars  = 200
	foundBefore = 120
	// pieceBytes is how much of a long line is looked at in one piece.
	pieceBytes = 64 << 10
	// sniffed is how much of a file is looked at to tell text from the rest.
	sniffed = 8 << 10
	// leastPart is how many characters make a text in a file that is none: what is
	// shorter is mostly chance.
	leastPart = 4
)

// A Match is a place where something was found.
type Match struct {
	Kind Kind
	Path string // as in Entry
	// Line counts from 1; 0 is the path itself.
	Line int
	// Text is the line, visible and cut around what was found, the first place in
	// it. "…" stands where it was cut.
	Text string
}

// Found is what a search brought.
type Found struct {
	Matches []Match
	// More says that there may be others: the limit was reached, in all or in one
	// file, or the time or the bytes that one search may take were over.
	More bool
}

// Find looks for a query in the names of all entries, and then in what they hold,
// spilled texts too, scripts first and the newest of each kind first. Upper and
// lower case are one, in every script, and so are the ways of writing a character
// (composed or not, full width). Of files that are no text, which a zero byte tells, the
// texts in them are looked through; what Scan does not read is passed by. At most limit lines are returned, MaxFound when
// limit is zero or less. When ctx ends, what was found so far is returned, with its
// error. Other errors: Scan's, and a query that is empty or longer than 1,000
// characters (chat.CodeInvalid).
func (b *Bench) Find(ctx context.Context, query string, limit int) (Found, error) {
	if limit <= 0 || limit > MaxFound {
		limit = MaxFound
	}
	query = strings.TrimSpace(query)
	if n := plain.Length(query); n == 0 || n > maxQuery {
		return Found{}, chat.Errorf(chat.CodeInvalid, "Give something to look for, of at most %d characters.", maxQuery)
	}
	inv, err := b.Scan(ctx)
	if err != nil {
		return Found{}, err
	}
	f := finder{folder: folder{caser: cases.Fold()}, limit: limit, left: maxSearched}
	f.query = f.fold(query)
	_, f.ascii = lower(nil, []byte(f.query))
	f.found.More = inv.Cut
	for _, e := range inv.Entries {
		if f.contains([]byte(e.Path)) && !f.add(Match{Kind: e.Kind, Path: e.Path, Text: f.around(e.Path)}) {
			return f.found, nil
		}
	}
	root, err := b.folder()
	if errors.Is(err, errNone) {
		return f.found, nil
	}
	if err != nil {
		return f.found, err
	}
	defer root.Close() //nolint:errcheck // a folder, looked into
	for _, kind := range kinds {
		for _, e := range newestOf(inv, kind) {
			if more, err := f.file(ctx, root, e); !more || err != nil {
				return f.found, err
			}
		}
	}
	return f.found, nil
}

// newestOf are the entries of a kind that can be read, the newest first.
func newestOf(inv Inventory, kind Kind) []Entry {
	var of []Entry
	for _, e := range inv.Entries {
		if e.Kind == kind && (e.What == File || e.What == Link) {
			of = append(of, e)
		}
	}
	sort.SliceStable(of, func(i, j int) bool { return of[i].Modified.After(of[j].Modified) })
	return of
}

// A folder (of letters, not of files) makes texts alike that differ only in how
// they are written.
type folder struct{ caser cases.Caser }

func (f folder) fold(text string) string {
	composed := norm.NFKC.String(text)
	folded := f.caser.String(composed)
	if folded == composed { // as most text of most scripts: it is composed already
		return folded
	}
	return norm.NFKC.String(folded)
}

type finder struct {
	folder
	query   string // folded
	ascii   bool   // the query is
	limit   int
	left    int64 // bytes that may still be read
	scratch []byte
	found   Found
}

// add takes a match in, and says whether there is room for another.
func (f *finder) add(m Match) bool {
	if len(f.found.Matches) == f.limit {
		f.found.More = true
		return false
	}
	f.found.Matches = append(f.found.Matches, m)
	return true
}

// file looks into one file. more says whether to go on with the next.
func (f *finder) file(ctx context.Context, root *os.Root, e Entry) (more bool, err error) {
	if err := ctx.Err(); err != nil {
		f.found.More = true
		return false, err
	}
	file, err := openRegular(root, e.Path)
	if err != nil {
		return true, nil // gone, or not to be read
	}
	defer file.Close()
	source := bufio.NewReaderSize(file, pieceBytes)
	head, _ := source.Peek(sniffed)
	binary := bytes.IndexByte(head, 0) >= 0
	var (
		before []byte // the end of the piece before, where a match may have begun
		hits   int
		done   bool // the line has matched
	)
	for line := 1; ; {
		piece, err := source.ReadSlice('\n')
		if f.left -= int64(len(piece)); f.left < 0 {
			f.found.More = true
			return false, nil
		}
		text := piece
		if len(before) > 0 {
			before = append(before, piece...)
			text = before
		}
		if binary {
			text = f.part(text)
		}
		if !done && len(text) > 0 && f.contains(text) {
			if hits++; hits > perFile {
				f.found.More = true
				return true, nil
			}
			if !f.add(Match{Kind: e.Kind, Path: e.Path, Line: line, Text: f.around(string(text))}) {
				return false, nil
			}
			done = true
		}
		switch {
		case err == nil:
			line++
			before, done = before[:0], false
			if line%1024 == 0 && ctx.Err() != nil {
				f.found.More = true
				return false, ctx.Err()
			}
		case errors.Is(err, bufio.ErrBufferFull):
			before = append(before[:0], piece[len(piece)-min(len(piece), overlap(f.query)):]...)
			if ctx.Err() != nil {
				f.found.More = true
				return false, ctx.Err()
			}
		case errors.Is(err, io.EOF):
			return true, nil
		default:
			return true, nil // it can't be read further
		}
	}
}

// part is the first text with the query among those that stand between other bytes.
func (f *finder) part(line []byte) []byte {
	for len(line) > 0 {
		end, chars := 0, 0
		for end < len(line) {
			r, size := utf8.DecodeRune(line[end:])
			if r == utf8.RuneError && size == 1 || unicode.IsControl(r) && r != '\t' && r != '\n' && r != '\r' {
				break
			}
			end, chars = end+size, chars+1
		}
		if chars >= leastPart && f.contains(line[:end]) {
			return line[:end]
		}
		line = line[min(end+1, len(line)):]
	}
	return nil
}

// overlap is how many bytes a match of a query may be long: unfolded, a character
// has at most the length of a few, and marks taken apart.
func overlap(query string) int { return min(8*len(query)+64, pieceBytes/2) }

// contains says whether a text contains the query.
func (f *finder) contains(text []byte) bool {
	if f.ascii {
		var all bool
		if f.scratch, all = lower(f.scratch[:0], text); all {
			return bytes.Contains(f.scratch, []byte(f.query))
		}
	}
	return strings.Contains(f.fold(string(text)), f.query)
}

// lower appends a text's ASCII letters in lower case, and says whether that was
// all there is.
func lower(to, text []byte) (lowered []byte, all bool) {
	for _, c := range text {
		switch {
		case c >= utf8.RuneSelf:
			return to, false
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		}
		to = append(to, c)
	}
	return to, true
}

// around is the part of a text in which the query stands, visible.
func (f *finder) around(text string) string {
	text = strings.TrimSpace(plain.Repair(text))
	if plain.Length(text) <= foundChars {
		return plain.Inline(text)
	}
	// Folding changes lengths, so the place is found by halves: the shortest
	// beginning that contains the query ends where it does.
	runes := []rune(text)
	end := sort.Search(len(runes), func(n int) bool { return f.contains([]byte(string(runes[:n]))) })
	out := ""
	if start := end - foundBefore; start > 0 {
		skipped, _ := plain.Cut(text, start)
		text, out = text[len(skipped):], "…"
	}
	kept, cut := plain.Cut(text, foundChars)
	out += plain.Inline(kept)
	if cut > 0 {
		out += "…"
	}
	return out
}
