package plain

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Continued begins every line of a body but the first.
const Continued = "  | "

// tabWidth is how many spaces a tab becomes. A picture (␉) would be as safe
// and would make pasted code unreadable.
const tabWidth = 4

// Body makes a text of any number of lines visible: line breaks of every kind
// (\n, \r, \r\n, \v, \f, U+0085, U+2028, U+2029) become one \n followed by
// Continued, a tab becomes four spaces, and what cannot be seen is shown (see
// the package comment). A last line break is kept: it leaves a last line that
// holds nothing but Continued.
func Body(s string) string {
	return visible(s, func(out *strings.Builder, r rune) bool {
		if !breaksLine(r) {
			return false
		}
		out.WriteByte('\n')
		out.WriteString(Continued)
		return true
	})
}

// Inline makes a text visible on one line: a line break is shown as its picture
// (␊) or its number (⟦U+2028⟧) instead of breaking the line.
func Inline(s string) string {
	return visible(s, func(*strings.Builder, rune) bool { return false })
}

// Name makes what files and the like are called visible on one line: like Inline, and
// with all that has no width shown, which would make two names look like one. Joiners
// and variation selectors stay where the character before them takes one, as in Persian
// and Hindi words and in emoji.
func Name(s string) string {
	before := rune(-1)
	return visible(s, func(out *strings.Builder, r rune) bool {
		last := before
		before = r
		if !widthless(r) || takes(last, r) {
			return false
		}
		before = last
		fmt.Fprintf(out, "⟦U+%04X⟧", r)
		return true
	})
}

// widthless says whether r shows nothing of its own, without being Hidden: fonts draw
// nothing, or a blank, for it.
func widthless(r rune) bool {
	switch {
	case r == 0xad, r == 0x34f, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5, 0x180b <= r && r <= 0x180f: // soft hyphen, joiners of marks, fillers
		return true
	case 0x200b <= r && r <= 0x200d, 0x2060 <= r && r <= 0x2065, r == 0xfeff: // zero-width space, joiners, invisible operators
		return true
	case r == 0x2800, r == 0x3164, r == 0xffa0: // blanks that are no spaces
		return true
	}
	return variation(r)
}

func variation(r rune) bool { return 0xfe00 <= r && r <= 0xfe0f || 0xe0100 <= r && r <= 0xe01ef }

// takes says whether a character is written with a joiner or a variation selector
// behind it.
func takes(before, r rune) bool {
	switch {
	case before < 0:
		return false
	case variation(r):
		return before > 0x7f && !widthless(before) || '0' <= before && before <= '9' || before == '#' || before == '*'
	case 0x180b <= r && r <= 0x180f:
		return unicode.Is(unicode.Mongolian, before)
	case r == 0x200c, r == 0x200d:
		return variation(before) || unicode.In(before, unicode.M, unicode.So, unicode.Sk) || joined(before)
	}
	return false
}

// joined says whether a letter is of a script whose letters join.
func joined(r rune) bool {
	return unicode.IsLetter(r) && !unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana, unicode.Hebrew, unicode.Thai, unicode.Common)
}

// Handle makes a name visible so that it cannot end the place it stands in:
// like Inline, with every space, line break, bracket and colon replaced by an
// underscore. The empty handle stays empty.
func Handle(s string) string {
	return visible(s, func(out *strings.Builder, r rune) bool {
		if !unicode.IsSpace(r) && !breaksLine(r) && !strings.ContainsRune(delimiters, r) {
			return false
		}
		out.WriteByte('_')
		return true
	})
}

// delimiters are brackets and colons, with the ones that look the same.
const delimiters = ":[](){}<>" + "：﹕︓ː˸։׃∶ꓽ" + "［］（）｛｝＜＞" + "⟦⟧⟨⟩【】「」『』"

// EscapeJSON returns JSON text in which every character that Body would show
// by a stand-in (and DEL, U+2028, U+2029) is written as \uXXXX, so that the text is one
// line that can be read as it stands and still parses to the same value. Its
// argument must be JSON as encoding/json writes it without indenting: outside
// of strings such text is ASCII without control characters, so what is
// replaced is always inside a string.
func EscapeJSON(text string) string {
	var out strings.Builder
	out.Grow(len(text))
	for i := 0; i < len(text); {
		if n := flag(text[i:]); n > 0 {
			out.WriteString(text[i : i+n])
			i += n
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case !Hidden(r) && !breaksLine(r):
			out.WriteString(text[i : i+size])
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&out, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
		i += size
	}
	return out.String()
}

// Hidden says whether r shows nothing, or something else than it is: the
// control characters C0, DEL and C1, the characters that steer the reading
// direction or annotate the text invisibly, and the tag characters.
func Hidden(r rune) bool {
	switch {
	case r < 0x20, 0x7f <= r && r <= 0x9f:
		return true
	case r == 0x061c, r == 0x200e, r == 0x200f, 0x202a <= r && r <= 0x202e, 0x2066 <= r && r <= 0x2069:
		return true
	case 0x206a <= r && r <= 0x206f: // deprecated: digit shapes and symmetric swapping
		return true
	case 0xfff9 <= r && r <= 0xfffb: // interlinear annotation, which hides its text
		return true
	}
	return 0xe0000 <= r && r <= 0xe007f
}

// visible copies s, valid and visible. replace sees each scalar first and may
// write something of its own for it; \r\n reaches it as one \n.
func visible(s string, replace func(*strings.Builder, rune) bool) string {
	var out strings.Builder
	out.Grow(len(s) + len(s)/8)
	for i := 0; i < len(s); {
		if n := flag(s[i:]); n > 0 {
			out.WriteString(s[i : i+n])
			i += n
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == '\r' && strings.HasPrefix(s[i+size:], "\n") {
			r, size = '\n', size+1
		}
		i += size
		switch {
		case replace(&out, r):
		case r == '\t':
			out.WriteString(strings.Repeat(" ", tabWidth))
		case r < 0x20:
			out.WriteRune(0x2400 + r)
		case r == 0x7f:
			out.WriteRune(0x2421)
		case Hidden(r), breaksLine(r):
			fmt.Fprintf(&out, "⟦U+%04X⟧", r)
		default:
			out.WriteRune(r) // an invalid byte has become U+FFFD
		}
	}
	return out.String()
}

// breaksLine says whether readers of text may see a line break in r. They are
// the mandatory breaks of Unicode's line breaking rules.
func breaksLine(r rune) bool {
	return '\n' <= r && r <= '\r' || r == 0x85 || r == 0x2028 || r == 0x2029
}

// flag returns the length in bytes of a well-formed flag sequence at the start
// of s (a black flag, the code of a region in tag characters, the end tag, as
// for Scotland), or 0. A region's code is 3 to 6 letters and digits, so a flag
// cannot carry a message.
func flag(s string) int {
	const black, first, last, end = "\U0001F3F4", 3, 6, 0xe007f
	if !strings.HasPrefix(s, black) {
		return 0
	}
	size := len(black)
	for tags := 0; tags <= last; tags++ {
		r, n := utf8.DecodeRuneInString(s[size:])
		size += n
		switch {
		case r == end && tags >= first:
			return size
		case 0xe0030 <= r && r <= 0xe0039, 0xe0061 <= r && r <= 0xe007a:
		default:
			return 0
		}
	}
	return 0
}
