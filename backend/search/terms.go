package search

import (
	"strings"
	"unicode/utf8"
)

// Indexed is the text that an index of three characters in a row is given, so that
// each one and each two characters of it begin three.
func Indexed(text string) string { return Fold(text) + "  " }

// Term is how many characters a term of the index has.
const Term = 3

// maxTerms is how many terms of one word the index is asked for: a text that has these
// is looked at for all of it.
const maxTerms = 16

// Terms are terms that a text has if it has a word, which is folded; none when the
// word is shorter than a term.
func Terms(word string) (terms []string) {
	starts := make([]int, 0, len(word))
	for i := range word {
		starts = append(starts, i)
	}
	starts = append(starts, len(word))
	last := len(starts) - 1 - Term
	for i := 0; i <= last && len(terms) < maxTerms; i += Term {
		terms = append(terms, word[starts[i]:starts[i+Term]])
	}
	if last >= 0 && last%Term != 0 && len(terms) < maxTerms {
		terms = append(terms, word[starts[last]:])
	}
	return terms
}

// Short says whether a word is shorter than a term: terms that begin with it are
// those that it stands in.
func Short(word string) bool { return utf8.RuneCountInString(word) < Term }

// Quoted is a term as SQLite's full-text search reads it, whatever is in it.
func Quoted(term string) string { return `"` + strings.ReplaceAll(term, `"`, `""`) + `"` }
