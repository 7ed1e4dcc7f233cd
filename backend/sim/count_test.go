package sim

import (
	"slices"
	"strings"
	"testing"

	"hearth/backend/token"
)

var texts = []string{
	"", "\n", "a", "a\n", "a\nb", "a\n\nb", "a.\n\n  | b", "a \n b", "a\n  \n  b", "a\r\nb\r\n\r\nc", "x)\n)\n", "don't\n's", " \n \n ", "\n\n\n",
	"- [user] aiko: ok.\n  | \n  | more\n- [agent] @claude: \u2028\u0085\n x", "1\n22\n333\n4444", "한국어\n日本語。\n हिन्दी\n", "a\n\u3000b", "a\n\t\r b", "…\n…",
}

// Tokens counted line by line are the tokens of the whole text, one for one.
func FuzzLines(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	for _, row := range Generate(1).Rows {
		f.Add(row.Body)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1000 {
			return // package token cuts runs longer than that itself
		}
		c := newCounter()
		whole := token.Tokens(text)
		if got := c.tokens(text); !slices.Equal(got, whole) {
			t.Errorf("%q: %v in lines %q, %v whole", text, got, slices.Collect(lines(text)), whole)
		}
		if n := c.count(text); n != len(whole) {
			t.Errorf("%q: %d tokens, %d whole", text, n, len(whole))
		}
		if joined := strings.Join(slices.Collect(lines(text)), ""); joined != text {
			t.Errorf("%q became %q", text, joined)
		}
	})
}

// No line is tokenised twice.
func TestOnce(t *testing.T) {
	c := newCounter()
	text := "- [user] aiko: again\n- [user] ravi: and again\n"
	first := c.count(text)
	if c.made != len(text) {
		t.Errorf("%d of %d bytes were tokenised", c.made, len(text))
	}
	if n := c.count(text + text); n != 2*first || c.made != len(text) {
		t.Errorf("%d tokens, then %d; %d bytes tokenised", first, n, c.made)
	}
}

func TestLinesEndEarly(t *testing.T) {
	for line := range lines("a\nb\nc") {
		if line != "a\n" {
			t.Fatalf("%q", line)
		}
		break
	}
}

// A request that shares nothing, a part of the head, all of it, and messages.
func TestCommon(t *testing.T) {
	said := &conversation{}
	for _, tokens := range []int{10, 0, 5} {
		said.say(tokens)
	}
	a := request{head: []int{1, 2, 3}, of: said, messages: 1}
	for _, c := range []struct {
		head     []int
		messages int
		want     int64
	}{
		{[]int{9, 2, 3}, 3, 0}, {[]int{1, 2, 9}, 3, 2}, {[]int{1, 2}, 3, 2}, {[]int{1, 2, 3, 4}, 3, 3},
		{[]int{1, 2, 3}, 0, 3}, {[]int{1, 2, 3}, 1, 13}, {[]int{1, 2, 3}, 3, 13},
	} {
		b := request{head: c.head, of: said, messages: c.messages}
		if got := common(a, b); got != c.want || common(b, a) != got {
			t.Errorf("%v and %d messages: %d and %d, want %d", c.head, c.messages, got, common(b, a), c.want)
		}
	}
	if got := (request{head: []int{1, 2, 3}, of: said, messages: 3}).tokens(); got != 18 {
		t.Errorf("%d tokens", got)
	}
}
