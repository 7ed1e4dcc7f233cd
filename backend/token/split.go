package token

import (
	"unicode"
	"unicode/utf8"
)

// longestRun is how many bytes of one kind (letters, white space, other
// characters but digits) may stand together before they are counted in parts.
const longestRun = 1024

// split cuts a text so that counting its parts takes time in proportion to its
// length.
//
// Problem: the tokenizer merges the bytes of a run of letters (or of white
// space, or of punctuation) pair by pair, each time looking through the whole
// run: 40,000 letters without a space take half a second, 400,000 a minute,
// and anyone may paste them.
// Why cut: runs in writing are short. Even Japanese or Thai without spaces
// seldom has 1,024 bytes (340 characters) between two punctuation marks; what
// is longer is generated, and there a token more or less is nothing.
// Solution: a run is cut after every 1,024 bytes, never inside a character.
// Digits are left alone, the tokenizer takes them by threes anyway.
//
// What it costs: only the merges across a cut are lost. In random runs of many
// scripts (the tests have them) a cut changed the count by 3 tokens at most.
// A text without such a run is counted exactly.
func split(s string) []string {
	if len(s) <= longestRun {
		return []string{s}
	}
	var parts []string
	start, run, last := 0, 0, digit
	for i, r := range s {
		kind := kindOf(r)
		if kind != last {
			run, last = i, kind
		}
		if kind != digit && i+utf8.RuneLen(r)-run > longestRun {
			parts = append(parts, s[start:i])
			start, run = i, i
		}
	}
	return append(parts, s[start:])
}

type kind int

// The kinds are those that the tokenizer's pattern tells apart.
const (
	digit kind = iota
	letter
	space
	other
)

func kindOf(r rune) kind {
	switch {
	case unicode.IsLetter(r):
		return letter
	case unicode.IsSpace(r):
		return space
	case unicode.IsNumber(r):
		return digit
	}
	return other
}
