package chat

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"hearth/backend/chat/prose"
)

// MaxRecipients is how many agents one message can address. Fixed.
const MaxRecipients = 3

// Mentions returns the handles, out of those given, that a message addresses,
// each once, in the order of their first mention.
//
// A mention is `@` or the full-width `＠` and a handle, anywhere in the text but
// in code (spans, fenced and indented blocks), e-mail addresses and URLs: a
// link's destination, what stands in <angle brackets> as an address, and what
// begins with `scheme://` or `www.`, up to the next white space or one of `<>"`.
//
// Handles are compared folded, the longest that fits wins. Where a script writes
// particles and the next word without a space (Korean, Chinese, Japanese, Thai
// and their like), a handle may be followed by them: `@분석가에게` addresses 분석가.
// Underscores around a mention that are no part of a word emphasise it:
// `_@claude_` addresses claude.
func Mentions(body string, handles []string) []string {
	f := newFinder(handles)
	if f.longest > 0 && strings.ContainsAny(body, "@＠") {
		for _, words := range prose.Of(body) {
			f.read(words)
		}
	}
	return f.found
}

// finder looks for the mentions of some handles.
type finder struct {
	handles map[string]string // by their folded form
	longest int               // of the folded forms, in characters
	seen    map[string]bool   // handles that are found
	found   []string

	steps int // characters looked at: what a test counts
}

func newFinder(handles []string) *finder {
	f := &finder{handles: make(map[string]string, len(handles)), seen: map[string]bool{}}
	for _, handle := range handles {
		folded := Fold(handle)
		if _, taken := f.handles[folded]; !taken && folded != "" {
			f.handles[folded] = handle
			f.longest = max(f.longest, utf8.RuneCountInString(folded))
		}
	}
	return f
}

// read finds the mentions in words that are neither code nor in a link's destination.
func (f *finder) read(words string) {
	before := ' '    // the character before the one looked at
	word := 0        // where the ASCII letters, digits and signs begin that end there
	beforeLow := ' ' // the character before the underscores that end there
	for i := 0; i < len(words); {
		f.steps++
		if end := urlEnd(words, word, i); end > i {
			f.steps += end - i
			before, beforeLow, word, i = ' ', ' ', end, end
			continue
		}
		r, size := utf8.DecodeRuneInString(words[i:])
		if r == '@' || r == '＠' {
			emphasis := before == '_' && !isWordRune(beforeLow)
			if emphasis {
				before = beforeLow
			}
			if handle := f.at(words[i+size:], before); handle != "" && !f.seen[handle] {
				f.seen[handle] = true
				f.found = append(f.found, handle)
			}
		}
		i += size
		if !isSchemeRune(r) {
			word = i
		}
		if r != '_' {
			beforeLow = r
		}
		before = r
	}
}

// at returns the handle that the text after an @ names, or "".
func (f *finder) at(after string, before rune) string {
	// An ASCII word character before the @ makes it an e-mail address, a slash a URL.
	if before < utf8.RuneSelf && (isWordRune(before) || strings.ContainsRune("._%+-/@", before)) {
		return ""
	}
	word := after
	if end := strings.IndexFunc(after, func(r rune) bool { return !HandleRune(r) }); end >= 0 {
		word = after[:end]
	}
	f.steps += len(word)
	if isDomain(before, after[len(word):]) {
		return ""
	}
	folded := Fold(word)
	best, count := "", 0
	for end, r := range folded {
		if handle, ok := f.handles[folded[:end]]; ok && endsWord(folded[end:], r) {
			best = handle
		}
		if count++; count > f.longest {
			return best
		}
		f.steps += end
	}
	if handle, ok := f.handles[folded]; ok {
		return handle
	}
	return best
}

// endsWord says whether a handle may end where rest begins, with the character next.
func endsWord(rest string, next rune) bool {
	return unspaced(next) || strings.Trim(rest, "_") == ""
}

// urlEnd returns the end of the URL that is known by what stands at i, or 0: a
// scheme that began at word and `://`, or `www.` at the beginning of a word.
func urlEnd(words string, word, i int) int {
	rest := words[i:]
	begins := 0
	switch {
	case strings.HasPrefix(rest, "://") && word < i && isASCIILetter(words[word]):
		begins = len("://")
	case word == i && len(rest) > len("www.") && strings.EqualFold(rest[:len("www.")], "www."):
		begins = len("www.")
	default:
		return 0
	}
	end := strings.IndexFunc(rest[begins:], func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`<>"`, r) })
	switch {
	case end < 0:
		return len(words)
	case end == 0:
		return 0 // nothing is addressed
	}
	return i + begins + end
}

func isASCIILetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// isSchemeRune says whether a character can be part of a URL's scheme.
func isSchemeRune(r rune) bool {
	return r < utf8.RuneSelf && (isWordRune(r) || strings.ContainsRune("+-.", r))
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) }

// unspaced says whether a character belongs to a script that writes particles or
// whole sentences without spaces. A mark belongs to the letter before it.
func unspaced(r rune) bool {
	return !unicode.IsMark(r) && unicode.In(r, unicode.Hangul, unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Bopomofo)
}

// isDomain says whether a word between an @ with a letter or digit before it and
// what follows looks like the domain of an address in another script
// (메일@회사.한국).
func isDomain(before rune, follows string) bool {
	if !unicode.IsLetter(before) && !unicode.IsDigit(before) {
		return false
	}
	dot, size := utf8.DecodeRuneInString(follows)
	if dot != '.' && dot != '。' {
		return false
	}
	next, _ := utf8.DecodeRuneInString(follows[size:])
	return unicode.IsLetter(next)
}
