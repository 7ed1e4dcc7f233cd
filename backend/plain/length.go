package plain

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Repair returns s with each byte that is not part of valid UTF-8 replaced by
// U+FFFD, one for one. That is also what Go's JSON encoder does, so a text that
// went through JSON and one that did not count alike.
func Repair(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

// Length counts the Unicode scalars of s.
func Length(s string) int {
	return utf8.RuneCountInString(s)
}

// Cut keeps at most n scalars of the beginning of s and says how many it cut
// off. It ends between two grapheme clusters; only when the first cluster alone
// is longer than n does it end inside one, because the alternative would be to
// show nothing. What it keeps is valid UTF-8. With n of zero or less nothing is
// kept.
func Cut(s string, n int) (kept string, cut int) {
	s = Repair(s)
	total := Length(s)
	if total <= n {
		return s, 0
	}
	if n <= 0 {
		return "", total
	}
	count, end := 0, 0
	for end < len(s) {
		size, scalars := 1, 1
		// Most text is ASCII, where finding that out costs a hundred times less.
		if !printable(s[end]) || end+1 < len(s) && !printable(s[end+1]) {
			size, scalars = cluster(s[end:])
		}
		if count+scalars > n {
			break
		}
		count, end = count+scalars, end+size
	}
	if end == 0 {
		for range n {
			_, size := utf8.DecodeRuneInString(s[end:])
			end += size
		}
		count = n
	}
	return s[:end], total - count
}

// Short is Cut with " …" in the place of what was cut.
func Short(s string, n int) string {
	kept, cut := Cut(s, n)
	if cut > 0 {
		kept += " …"
	}
	return kept
}

func printable(b byte) bool { return ' ' <= b && b <= '~' }

// cluster measures the first grapheme cluster of s, in bytes and scalars.
//
// Problem: uniseg follows Unicode 15.0, where the Hindi conjunct क्ष is two
// clusters; since 15.1 (rule GB9c) it is one, as its readers always knew.
// Solution: join what a linker joins. Our boundaries are a subset of uniseg's,
// so a cut is right by either version.
func cluster(s string) (size, scalars int) {
	state := -1
	for rest := s; ; {
		var first string
		first, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		size += len(first)
		scalars += utf8.RuneCountInString(first)
		if rest == "" || !linksOn(first) {
			return size, scalars
		}
		if next, _ := utf8.DecodeRuneInString(rest); !unicode.Is(consonants, next) {
			return size, scalars
		}
	}
}

// linksOn says whether a cluster ends in a consonant with a linker on it, with
// nothing but marks around the linker, so that a following consonant joins it.
func linksOn(cluster string) bool {
	linked := false
	for cluster != "" {
		r, size := utf8.DecodeLastRuneInString(cluster)
		cluster = cluster[:len(cluster)-size]
		switch {
		case strings.ContainsRune(linkers, r):
			linked = true
		case unicode.Is(unicode.Mn, r) || r == '\u200d':
		default:
			return linked && unicode.Is(consonants, r)
		}
	}
	return false
}

// linkers are the characters with Indic_Conjunct_Break=Linker in Unicode 15.1:
// the viramas of Devanagari, Bengali, Gujarati, Oriya, Telugu and Malayalam.
const linkers = "\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d"

// consonants are those with Indic_Conjunct_Break=Consonant in Unicode 15.1
// (DerivedCoreProperties.txt), of the same six scripts.
var consonants = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x0915, Hi: 0x0939, Stride: 1}, {Lo: 0x0958, Hi: 0x095f, Stride: 1}, {Lo: 0x0978, Hi: 0x097f, Stride: 1},
	{Lo: 0x0995, Hi: 0x09a8, Stride: 1}, {Lo: 0x09aa, Hi: 0x09b0, Stride: 1}, {Lo: 0x09b2, Hi: 0x09b2, Stride: 1},
	{Lo: 0x09b6, Hi: 0x09b9, Stride: 1}, {Lo: 0x09dc, Hi: 0x09dd, Stride: 1}, {Lo: 0x09df, Hi: 0x09df, Stride: 1},
	{Lo: 0x09f0, Hi: 0x09f1, Stride: 1},
	{Lo: 0x0a95, Hi: 0x0aa8, Stride: 1}, {Lo: 0x0aaa, Hi: 0x0ab0, Stride: 1}, {Lo: 0x0ab2, Hi: 0x0ab3, Stride: 1},
	{Lo: 0x0ab5, Hi: 0x0ab9, Stride: 1}, {Lo: 0x0af9, Hi: 0x0af9, Stride: 1},
	{Lo: 0x0b15, Hi: 0x0b28, Stride: 1}, {Lo: 0x0b2a, Hi: 0x0b30, Stride: 1}, {Lo: 0x0b32, Hi: 0x0b33, Stride: 1},
	{Lo: 0x0b35, Hi: 0x0b39, Stride: 1}, {Lo: 0x0b5c, Hi: 0x0b5d, Stride: 1}, {Lo: 0x0b5f, Hi: 0x0b5f, Stride: 1},
	{Lo: 0x0b71, Hi: 0x0b71, Stride: 1},
	{Lo: 0x0c15, Hi: 0x0c28, Stride: 1}, {Lo: 0x0c2a, Hi: 0x0c39, Stride: 1}, {Lo: 0x0c58, Hi: 0x0c5a, Stride: 1},
	{Lo: 0x0d15, Hi: 0x0d3a, Stride: 1},
}}
