// Package token counts text the way a language model's tokenizer would.
//
// Every count is in tokens of cl100k_base, which is published, embedded here,
// and needs no network. Anthropic's tokenizer is not published, so a count is
// an estimate of what a turn costs there and is called one wherever it is
// shown; figures of money and usage come from the client's own reports. What
// the counts are good for is comparing: the same text counts the same on every
// machine.
//
// A count is exact, that is what the reference tokenizer gives, for every text
// without an unbroken run of more than 1,024 bytes (see split for longer
// ones). Names of special tokens inside a text (<|endoftext|>) count as the
// ordinary characters they are, and a byte that is not valid UTF-8 counts as U+FFFD.
//
// The vocabulary (100,256 entries, some 30 MB in memory) is loaded once, when
// the first count is asked for. All functions are pure and safe for concurrent use.
package token

// Count returns the number of tokens in s.
func Count(s string) int {
	n := 0
	for _, part := range split(s) {
		n += len(encoder().EncodeOrdinary(part))
	}
	return n
}

// Tokens returns the tokens of s, each a rank in the vocabulary.
func Tokens(s string) []int {
	var tokens []int
	for _, part := range split(s) {
		tokens = append(tokens, encoder().EncodeOrdinary(part)...)
	}
	return tokens
}

// CommonPrefix returns how many tokens a and b have in common from their
// beginning: what a cache that knows a could serve of b.
func CommonPrefix(a, b []int) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
