package shell

import (
	"strings"
	"testing"
	"unicode/utf8"

	"hearth/backend/guard"
	"hearth/backend/plain"
)

// A measure of pieces is that of the whole, and its pointer is the guard's.
func FuzzMeasure(f *testing.F) {
	for _, s := range []string{
		"", "x", "\n", "a\nb", strings.Repeat("line\n", 1000), strings.Repeat("一", 3000), strings.Repeat("👨‍👩‍👧", 500),
		strings.Repeat("\xff\xc3", 900), strings.Repeat("x", 999) + "\n" + strings.Repeat("y", 1000), strings.Repeat("\x80", 3000), "a" + strings.Repeat("\u0301", 5000),
	} {
		f.Add(s, 7)
		f.Add(s, 4096)
	}
	f.Fuzz(func(t *testing.T, text string, piece int) {
		if piece < 1 {
			piece = 1
		}
		m := newMeasure()
		for rest := text; rest != ""; {
			n := min(piece, len(rest))
			if got, err := m.Write([]byte(rest[:n])); got != n || err != nil {
				t.Fatal(got, err)
			}
			rest = rest[n:]
		}
		m.End()
		if m.Bytes != int64(len(text)) || m.Chars != plain.Length(text) || m.name() != guard.SpillName(text) {
			t.Errorf("%d bytes, %d characters, %s of %d, %d, %s", m.Bytes, m.Chars, m.name(), len(text), plain.Length(text), guard.SpillName(text))
		}
		if got, want := m.pointer("f"), guard.FailedPointer(text, "f"); utf8.ValidString(text) && got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if n := plain.Length(m.pointer("f")); n > guard.SpillHead+guard.SpillTail+200 {
			t.Errorf("the pointer has %d characters", n)
		}
	})
}
