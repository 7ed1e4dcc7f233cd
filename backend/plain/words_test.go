package plain

import (
	"os/exec"
	"testing"
)

func TestAnd(t *testing.T) {
	for want, words := range map[string][]string{"": nil, "a": {"a"}, "a and b": {"a", "b"}, "a, b and c": {"a", "b", "c"}} {
		if got := And(words); got != want {
			t.Errorf("%q: %q", words, got)
		}
	}
}

func TestShellWord(t *testing.T) {
	for text, want := range map[string]string{
		"": "''", "/usr/bin/claude": "/usr/bin/claude", "한국어": "한국어", "a b": "'a b'", "it's": `'it'\''s'`, "-rf": "'-rf'", "$HOME": "'$HOME'",
		"a\u3000b": "'a\u3000b'", "~": "'~'", "a;b": "'a;b'", "x=1,y:2@z%+": "x=1,y:2@z%+",
	} {
		got := ShellWord(text)
		if got != want {
			t.Errorf("%q: %s, not %s", text, got, want)
		}
		if out, err := exec.Command("sh", "-c", "printf %s "+got).Output(); err != nil || string(out) != text { //nolint:gosec // a word of this test
			t.Errorf("a shell reads %s as %q (%v)", got, out, err)
		}
	}
}
