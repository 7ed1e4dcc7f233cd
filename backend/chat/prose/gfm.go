package prose

import (
	"strings"
	"unicode/utf8"
)

// openTable reads the delimiter row of a table: the last line of the paragraph is
// then its head, and the lines before that are a paragraph of their own.
func (s *scanner) openTable() bool {
	if s.head < 0 || s.indent() >= codeIndent {
		return false
	}
	s.steps += len(s.line) - s.first
	columns := delimiters(s.line[s.first:])
	if columns == 0 {
		return false
	}
	head := string(s.words[s.head:])
	s.steps += len(head)
	if strings.Trim(head, " \t") == "|" || len(cells(head)) != columns {
		return false
	}
	s.words = s.words[:max(s.head-1, 0)]
	s.closeLeaf()
	if head[0] == '<' && s.isTagAlone(head) {
		// A tag alone interrupts no paragraph. The table that it would be the head
		// of does, and then the tag goes first.
		s.leaf, s.ending = html, endBlank
		s.words = append(append(s.words, head...), '\n')
		s.addHTML()
		return true
	}
	s.leaf, s.columns = table, columns
	s.row(head)
	return true
}

// row reads a row of a table: each cell is a text of its own. What is more than
// the head has is shown nowhere, and so is no words.
func (s *scanner) row(line string) {
	s.steps += len(line)
	for i, cell := range cells(line) {
		if i == s.columns {
			return
		}
		s.inline([]byte(cell))
	}
}

// cells parts a row at its pipes, but for those behind a backslash. The ones that
// it begins and ends with part nothing.
func cells(line string) []string {
	line = strings.Trim(line, " \t")
	line = strings.TrimPrefix(line, "|")
	var out []string
	begin := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			if i+1 < len(line) && (line[i+1] == '\\' || line[i+1] == '|') {
				i++
			}
		case '|':
			out = append(out, strings.Trim(line[begin:i], " \t"))
			begin = i + 1
		}
	}
	if last := strings.Trim(line[begin:], " \t"); last != "" {
		out = append(out, last)
	}
	return out
}

// delimiters returns how many columns a delimiter row (`|:-|-|`) has, or 0 if the
// line is none: without a pipe or a colon it is an underline or a break.
func delimiters(line string) int {
	line = strings.Trim(line, " \t")
	if !strings.ContainsAny(line, "|:") || strings.Trim(line, "|:- \t") != "" {
		return 0
	}
	line = strings.TrimPrefix(line, "|")
	line = strings.TrimSuffix(line, "|")
	columns := 0
	for cell := range strings.SplitSeq(line, "|") {
		cell = strings.TrimSuffix(strings.TrimPrefix(strings.Trim(cell, " \t"), ":"), ":")
		if cell == "" || strings.Trim(cell, "-") != "" {
			return 0
		}
		columns++
	}
	return columns
}

// openFootnote reads the mark of a footnote, `[^label]:`. All white space behind it
// goes with it, so that what follows is never indented code.
func (s *scanner) openFootnote(matched int) bool {
	end := s.footnote()
	if end == 0 {
		return false
	}
	s.open(matched, none)
	s.skipTo(s.first + end)
	s.look()
	s.skipTo(s.first)
	s.push(container{indent: codeIndent, filled: true}) // it may begin with any number of blank lines
	return true
}

// footnote returns the length of the mark of a footnote that is next, or 0.
func (s *scanner) footnote() int {
	if s.next() != '[' {
		return 0
	}
	rest := s.line[s.first:]
	if !strings.HasPrefix(rest, "[^") {
		return 0
	}
	size := 0 // in UTF-16, as it is bounded where it is shown
	for i := len("[^"); i < len(rest) && size <= longestLabel; {
		s.steps++
		switch c := rest[i]; {
		case c == ']':
			if size == 0 || !strings.HasPrefix(rest[i:], "]:") {
				return 0
			}
			return i + len("]:")
		case c == '[', isSpace(c):
			return 0
		case c == '\\' && i+1 < len(rest) && strings.IndexByte("[\\]", rest[i+1]) >= 0:
			size += 2
			i += 2
		default:
			r, width := utf8.DecodeRuneInString(rest[i:])
			if size++; r > 0xffff {
				size++
			}
			i += width
		}
	}
	return 0
}
