package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Fold is the form in which texts are compared: whatever is one to a person who
// looks for it is the same. Upper and lower case are one in every script, and so are
// the ways of writing a character (composed or not, full width), a letter with a
// Latin accent and without it; white space of any kind and length is one space, and
// so are control characters; what shows nothing (joiners, variation selectors, marks
// of the reading direction) is left out.
func Fold(text string) string {
	if folded, ok := foldASCII(text); ok {
		return folded
	}
	f := folder{}
	f.fold(text)
	return f.out.String()
}

// foldASCII is Fold for what most text is made of.
func foldASCII(text string) (folded string, ok bool) {
	same := true
	for i := range len(text) {
		c := text[i]
		if c >= utf8.RuneSelf || c < ' ' || c == 0x7f || c == ' ' && i > 0 && text[i-1] == ' ' {
			return "", false
		}
		same = same && (c < 'A' || 'Z' < c)
	}
	if same {
		return text, true
	}
	return strings.ToLower(text), true
}

// folder folds one text.
type folder struct {
	out   strings.Builder
	caser *cases.Caser
	space bool // the last character written is a space
	// placed notes where in the text each byte of the fold comes from.
	placed bool
	places []place
}

// place is the part of a text that a byte of its fold comes from, in bytes.
type place struct{ begin, end int32 }

func (f *folder) fold(text string) {
	f.out.Grow(len(text))
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf && (i+1 == len(text) || text[i+1] < utf8.RuneSelf) {
			f.ascii(c, i)
			i++
			continue
		}
		// A character with the marks on it is folded as a whole.
		end := i + max(1, norm.NFKC.NextBoundaryInString(text[i:], true))
		for _, r := range f.segment(text[i:end]) {
			f.write(r, i, end)
		}
		i = end
	}
}

func (f *folder) ascii(c byte, at int) {
	switch {
	case c <= ' ' || c == 0x7f:
		if f.space {
			return
		}
		c = ' '
	case 'A' <= c && c <= 'Z':
		c += 'a' - 'A'
	}
	f.space = c == ' '
	f.out.WriteByte(c)
	if f.placed {
		f.places = append(f.places, place{int32(at), int32(at + 1)}) //nolint:gosec // a body has far less than 2 GB
	}
}

// segment folds one character with its marks.
func (f *folder) segment(text string) string {
	if r, size := utf8.DecodeRuneInString(text); size == len(text) && isPlain(r) {
		return text
	}
	if f.caser == nil {
		f.caser = new(cases.Fold())
	}
	bare := strings.Map(func(r rune) rune {
		if isAccent(r) {
			return -1
		}
		return r
	}, norm.NFKD.String(text))
	// Lower case at last: of some scripts (Cherokee) the caser turns it into upper.
	return norm.NFC.String(strings.ToLower(f.caser.String(bare)))
}

// isPlain says whether a character is its own fold: the Han characters and the
// syllables of Hangul, of which texts are full.
func isPlain(r rune) bool { return 0x4e00 <= r && r <= 0x9fff || 0xac00 <= r && r <= 0xd7a3 }

// isAccent says whether r is a mark on a Latin, Greek or Cyrillic letter.
func isAccent(r rune) bool { return 0x300 <= r && r <= 0x36f }

func (f *folder) write(r rune, begin, end int) {
	switch {
	case unicode.IsSpace(r), unicode.IsControl(r):
		if f.space {
			return
		}
		r = ' '
	case unicode.Is(unicode.Cf, r), 0xfe00 <= r && r <= 0xfe0f:
		return
	}
	f.space = r == ' '
	n, _ := f.out.WriteRune(r) // a strings.Builder never fails
	for range n {
		if f.placed {
			f.places = append(f.places, place{int32(begin), int32(end)}) //nolint:gosec // a body has far less than 2 GB
		}
	}
}
