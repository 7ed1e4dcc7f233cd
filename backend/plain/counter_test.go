package plain

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// Wherever a text is cut in two, it counts the same.
func FuzzCounter(f *testing.F) {
	f.Add("한\n글\xe2\x82\xff👨‍👩‍👧", uint64(1))
	f.Add("\xf0\x9f\x98", uint64(2))
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 1))
		var c Counter
		for rest := text; rest != ""; {
			n := 1 + r.IntN(min(len(rest), 5))
			if written, err := c.Write([]byte(rest[:n])); written != n || err != nil {
				t.Fatal(written, err)
			}
			rest = rest[n:]
		}
		c.End()
		if c.Chars != Length(text) || c.Bytes != int64(len(text)) {
			t.Errorf("%q: %d characters, want %d", text, c.Chars, Length(text))
		}
		lines := strings.Count(text, "\n")
		if text != "" && !strings.HasSuffix(text, "\n") {
			lines++
		}
		if c.Lines != lines {
			t.Errorf("%q: %d lines, want %d", text, c.Lines, lines)
		}
	})
}
