package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hearth/backend/plain"
)

// How much of a text a snippet shows, in characters.
const (
	snippetChars  = 220 // in all
	snippetBefore = 60  // before the first word that was found
)

// Found says whether a text has all the words, which are folded.
func Found(text string, words []string) bool {
	if len(words) == 0 {
		return true
	}
	folded := Fold(text)
	for _, word := range words {
		if !strings.Contains(folded, word) {
			return false
		}
	}
	return true
}

// Range is a place in a snippet, in characters: from Begin up to End.
type Range struct{ Begin, End int }

// Snippet is the part of a text around the first place of the longest word, on one
// line and visible, and where in it the words are: single Latin letters only when
// there is nothing else to show. "…" stands where it was cut. Without words it is the
// text's beginning.
func Snippet(text string, words []string) (snippet string, ranges []Range) {
	text = plain.Repair(text)
	words = telling(words)
	found := placesOf(text, words)
	begin := 0
	if len(found) > 0 {
		first := placesOf(text, slices.SortedFunc(slices.Values(words), longer)[:1])
		if len(first) == 0 {
			first = found
		}
		begin = beginBefore(text, int(first[0].begin))
	}
	var out builder
	if begin > 0 {
		out.raw("…")
	}
	kept, cut := plain.Cut(text[begin:], snippetChars)
	end := begin + len(kept)
	at := begin
	for _, p := range found {
		if int(p.end) <= begin {
			continue
		}
		if int(p.begin) >= end {
			break
		}
		out.add(text[at:max(at, int(p.begin))])
		from := out.chars
		at = min(int(p.end), end)
		out.add(text[max(begin, int(p.begin)):at])
		if out.chars > from {
			ranges = append(ranges, Range{from, out.chars})
		}
	}
	out.add(text[at:end])
	if cut > 0 {
		out.raw("…")
	}
	return out.text.String(), ranges
}

func longer(a, b string) int { return len(b) - len(a) }

// telling are the words that are worth showing: a single Latin letter stands in
// nearly every word.
func telling(words []string) []string {
	said := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return len(w) == 1 })
	if len(said) == 0 {
		return words
	}
	return said
}

// placesOf are where words stand in a text, in order; places that touch are one.
func placesOf(text string, words []string) []place {
	if len(words) == 0 {
		return nil
	}
	f := folder{placed: true}
	f.fold(text)
	folded := f.out.String()
	var all []place
	for _, word := range words {
		for at := 0; word != ""; {
			i := strings.Index(folded[at:], word)
			if i < 0 {
				break
			}
			at += i
			all = append(all, place{f.places[at].begin, f.places[at+len(word)-1].end})
			at += len(word)
		}
	}
	slices.SortFunc(all, func(a, b place) int { return int(a.begin - b.begin) })
	merged := all[:0]
	for _, p := range all {
		if n := len(merged); n > 0 && p.begin <= merged[n-1].end {
			merged[n-1].end = max(merged[n-1].end, p.end)
		} else {
			merged = append(merged, p)
		}
	}
	return merged
}

// beginBefore is where a snippet begins whose first word is found at a place: after
// a space where there is one, and never inside a character.
func beginBefore(text string, at int) int {
	begin, space := at, -1
	for range snippetBefore {
		if begin == 0 {
			return 0
		}
		r, size := utf8.DecodeLastRuneInString(text[:begin])
		if unicode.IsSpace(r) {
			space = begin
		}
		begin -= size
	}
	if space >= 0 {
		return space
	}
	for begin > 0 {
		r, _ := utf8.DecodeRuneInString(text[begin:])
		before, size := utf8.DecodeLastRuneInString(text[:begin])
		if !joins(r) && !joins(before) {
			break
		}
		begin -= size
	}
	return begin
}

// joins says whether r belongs to a character beside it.
func joins(r rune) bool { return unicode.In(r, unicode.M, unicode.Cf) || 0x1f3fb <= r && r <= 0x1f3ff }

// builder puts a snippet together and counts its characters.
type builder struct {
	text  strings.Builder
	chars int
	space bool // it ends with a space
}

func (b *builder) raw(text string) {
	b.text.WriteString(text)
	b.chars += plain.Length(text)
}

// add adds a part of a text: white space of any length becomes one space.
func (b *builder) add(text string) {
	for text != "" {
		n := strings.IndexFunc(text, unicode.IsSpace)
		if n == 0 {
			if !b.space {
				b.raw(" ")
			}
			b.space = true
			text = strings.TrimLeftFunc(text, unicode.IsSpace)
			continue
		}
		if n < 0 {
			n = len(text)
		}
		b.raw(plain.Inline(text[:n]))
		b.space = false
		text = text[n:]
	}
}
