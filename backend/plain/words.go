package plain

import (
	"strings"
	"unicode/utf8"
)

// And joins words as a sentence lists them: "a", "a and b", "a, b and c".
func And(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// ShellWord is a text as one word of a command that a person copies into a POSIX
// shell: bare where a shell reads nothing into it, else in single quotes.
func ShellWord(text string) string {
	bare := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("/._-+=@%:,", r) || r >= utf8.RuneSelf && !OddSpace(r)
	}
	if text != "" && !strings.ContainsFunc(text, func(r rune) bool { return !bare(r) }) && text[0] != '-' {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// ShellQuoted is a text as one word for any shell, in quotes whatever it is: the form
// in which Claude Code hands a command to the shell.
func ShellQuoted(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'"'"'`) + "'"
}

// OddSpace says whether r is a space beside the one on every keyboard, or can't be
// told from its absence.
func OddSpace(r rune) bool {
	return r == '\u00a0' || r == '\u1680' || '\u2000' <= r && r <= '\u200b' || r == '\u202f' || r == '\u2060' || r == '\u3000' || r == '\ufeff'
}
