package chat

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"golang.org/x/text/unicode/norm"
)

// MaxRecipients is how many agents one message can address. Fixed.
const MaxRecipients = 3

// Mentions returns the handles, out of those given, that a message addresses,
// each once, in the order of their first mention.
//
// A mention is `@` or the full-width `＠` and a handle, anywhere in the text but
// in code (spans, fenced and indented blocks), e-mail addresses and URLs.
// Handles are compared folded, the longest that fits wins. Where a script writes
// particles and the next word without a space (Korean, Chinese, Japanese, Thai
// and their like), a handle may be followed by them: `@분석가에게` addresses 분석가.
func Mentions(body string, handles []string) []string {
	if !strings.ContainsAny(body, "@＠") || len(handles) == 0 {
		return nil
	}
	var found []string
	seen := map[string]bool{}
	for _, prose := range prose(body) {
		for _, handle := range mentionsIn(prose, handles) {
			if !seen[handle] {
				seen[handle] = true
				found = append(found, handle)
			}
		}
	}
	return found
}

// prose returns the stretches of a Markdown text that are not code.
func prose(body string) []string {
	source := []byte(body)
	root := goldmark.DefaultParser().Parse(text.NewReader(source))
	var out []string
	var current strings.Builder
	flush := func() {
		if current.Len() > 0 {
			out = append(out, current.String())
			current.Reset()
		}
	}
	// The walker never returns an error: the visitor has none to give.
	_ = ast.Walk(root, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := node.(type) {
		case *ast.CodeSpan:
			if entering {
				// What stands before and after a code span is not one word.
				current.WriteByte(' ')
			}
			return ast.WalkSkipChildren, nil
		case *ast.CodeBlock, *ast.FencedCodeBlock, *ast.AutoLink:
			return ast.WalkSkipChildren, nil
		case *ast.HTMLBlock:
			if entering {
				for i := range n.Lines().Len() {
					line := n.Lines().At(i)
					current.Write(line.Value(source))
				}
				if n.HasClosure() {
					current.Write(n.ClosureLine.Value(source))
				}
			}
		case *ast.RawHTML:
			if entering {
				for i := range n.Segments.Len() {
					segment := n.Segments.At(i)
					current.Write(segment.Value(source))
				}
			}
		case *ast.Text:
			if entering {
				current.Write(n.Segment.Value(source))
				if n.SoftLineBreak() || n.HardLineBreak() {
					current.WriteByte('\n')
				}
			}
		case *ast.String:
			if entering {
				current.Write(n.Value)
			}
		}
		if !entering && node.Type() == ast.TypeBlock {
			flush()
		}
		return ast.WalkContinue, nil
	})
	flush()
	return out
}

func mentionsIn(prose string, handles []string) []string {
	var found []string
	before := ' ' // the character before the one looked at
	for i := 0; i < len(prose); {
		r, size := utf8.DecodeRuneInString(prose[i:])
		if r == '@' || r == '＠' {
			if handle := handleAt(prose[i+size:], before, handles); handle != "" {
				found = append(found, handle)
			}
		}
		before = r
		i += size
	}
	return found
}

// handleAt returns the handle that the text after an @ names, or "".
func handleAt(after string, before rune, handles []string) string {
	// An ASCII word character before the @ makes it an e-mail address, a slash a URL.
	if before < utf8.RuneSelf && (unicode.IsLetter(before) || unicode.IsDigit(before) || strings.ContainsRune("._%+-/@", before)) {
		return ""
	}
	word := after
	if end := strings.IndexFunc(after, func(r rune) bool { return !HandleRune(r) }); end >= 0 {
		word = after[:end]
	}
	word = norm.NFC.String(word)
	best := ""
	for _, handle := range handles {
		if len(Fold(handle)) <= len(Fold(best)) {
			continue
		}
		if rest, ok := cutFold(word, handle); ok && endsWord(rest) && !isDomain(before, rest, after, word) {
			best = handle
		}
	}
	return best
}

// cutFold cuts a handle off the front of a word, compared folded.
func cutFold(word, handle string) (rest string, ok bool) {
	for _, want := range Fold(handle) {
		got, size := utf8.DecodeRuneInString(word)
		if size == 0 || unicode.ToLower(got) != want {
			return "", false
		}
		word = word[size:]
	}
	return word, true
}

// endsWord says whether a handle may end where rest begins.
func endsWord(rest string) bool {
	if rest == "" {
		return true
	}
	next, _ := utf8.DecodeRuneInString(rest)
	if unicode.IsMark(next) {
		return false // a mark belongs to the letter before it
	}
	return unspaced(next)
}

// unspaced says whether a character belongs to a script that writes particles or
// whole sentences without spaces.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Hangul, unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Bopomofo)
}

// isDomain says whether what follows looks like the domain of an address in
// another script (메일@회사.한국).
func isDomain(before rune, rest, after, word string) bool {
	if !unicode.IsLetter(before) && !unicode.IsDigit(before) {
		return false
	}
	if rest != "" || len(word) >= len(after) {
		return false
	}
	tail := after[len(word):]
	dot, size := utf8.DecodeRuneInString(tail)
	if dot != '.' && dot != '。' {
		return false
	}
	next, _ := utf8.DecodeRuneInString(tail[size:])
	return unicode.IsLetter(next)
}
