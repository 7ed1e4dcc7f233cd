package workbench

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// leaders begin a comment, in the languages that scripts are written in.
var leaders = []string{"#", "//", "--", ";", "%", "/*", "<!--", "*"}

// enders end one that is not ended by its line.
var enders = []string{"*/", "-->"}

// describeScript finds "# desc: …" in the comment that a script begins with: in
// its first line, or after a shebang and what else of a comment comes before it.
func describeScript(head []byte, whole bool) string {
	for line, last := range lines(head) {
		line = strings.TrimSpace(line)
		text, comment := uncomment(line)
		if line != "" && !comment {
			return ""
		}
		if label, desc, found := strings.Cut(text, ":"); found && strings.EqualFold(strings.TrimSpace(label), "desc") {
			for _, ender := range enders {
				desc = strings.TrimSuffix(strings.TrimSpace(desc), ender)
			}
			return ended(desc, last && !whole)
		}
	}
	return ""
}

// uncomment takes the sign of a comment off a line.
func uncomment(line string) (text string, comment bool) {
	for _, leader := range leaders {
		if rest, ok := strings.CutPrefix(line, leader); ok {
			return strings.TrimSpace(strings.TrimLeft(rest, leader)), true
		}
	}
	return line, false
}

// describeNote is the first heading of a Markdown text, else its first line. What
// stands between two lines "---" at the start is about the text.
func describeNote(head []byte, whole bool) string {
	first, front, fenced := "", false, false
	n := 0
	for line, last := range lines(head) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		n++
		switch {
		case line == "---" && (n == 1 || front):
			front = !front
			continue
		case front:
			continue
		case strings.HasPrefix(line, "```"), strings.HasPrefix(line, "~~~"):
			fenced = !fenced
			continue
		}
		if title, ok := heading(line); ok && !fenced {
			return ended(title, last && !whole)
		}
		if first == "" {
			first = ended(line, last && !whole)
		}
	}
	return first
}

// heading is the text of a heading, "# …" to "###### …".
func heading(line string) (string, bool) {
	rest := strings.TrimLeft(line, "#")
	if depth := len(line) - len(rest); depth == 0 || depth > 6 || rest == "" || rest[0] != ' ' && rest[0] != '\t' {
		return "", false
	}
	title := strings.TrimSpace(rest)
	// "# Title #" is another way to write it; "# C#" is not.
	if cut := strings.TrimRight(title, "#"); cut != title && strings.HasSuffix(cut, " ") {
		title = strings.TrimSpace(cut)
	}
	return title, title != ""
}

// ended marks a line that goes on beyond what was read.
func ended(line string, goesOn bool) string {
	if goesOn {
		// The last character may have been cut in two.
		for range utf8.UTFMax - 1 {
			if r, size := utf8.DecodeLastRuneInString(line); r == utf8.RuneError && size == 1 {
				line = line[:len(line)-1]
			}
		}
		line = strings.TrimSpace(line) + "…"
	}
	return strings.TrimSpace(line)
}

// lines are those of a text file, of either kind, each with whether it is the
// last. A file with a zero byte is no text and has none.
func lines(head []byte) func(yield func(string, bool) bool) {
	return func(yield func(string, bool) bool) {
		if bytes.IndexByte(head, 0) >= 0 {
			return
		}
		rest := strings.TrimPrefix(string(head), "\ufeff")
		for {
			at := strings.IndexAny(rest, "\r\n")
			if at < 0 {
				yield(rest, true)
				return
			}
			if !yield(rest[:at], false) {
				return
			}
			if strings.HasPrefix(rest[at:], "\r\n") {
				at++
			}
			rest = rest[at+1:]
		}
	}
}
