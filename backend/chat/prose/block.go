package prose

import (
	"slices"
	"strings"
)

// readLine reads one line: which open containers it continues, which blocks
// begin in it, and what the rest of it is.
func (s *scanner) readLine() {
	matched := s.continued()
	whole := matched == len(s.containers)
	if whole && s.continuesLeaf() {
		return
	}
	opened := false // a block began in this line
	for {
		interrupts := !opened && whole && s.leaf == paragraph // it would end the paragraph that the line is in
		lazy := !opened && s.leaf == paragraph                // what begins nothing goes on with the paragraph, marked or not
		if s.indent() >= codeIndent {
			if lazy || s.blank() {
				break
			}
			s.open(matched, indented)
			return
		}
		switch {
		case s.heading(matched), s.openFence(matched), s.openHTML(matched, lazy), interrupts && s.underline(), s.thematicBreak(matched):
			return
		case s.openContainer(matched, interrupts), s.openFootnote(matched):
			matched, opened = len(s.containers), true
			continue
		}
		break
	}
	blank := s.blank()
	if !opened && whole && !blank && s.leaf == table && s.indent() < codeIndent {
		s.row(s.line[s.first:])
		return
	}
	if !opened && !whole && !blank && s.leaf == paragraph {
		s.addLine() // a lazy continuation
		return
	}
	switch {
	case blank:
		if s.leaf == paragraph || s.leaf == table || !whole {
			s.closeLeaf()
		}
		s.shrink(matched)
	case s.leaf == paragraph && whole:
		if !s.openTable() {
			s.addLine()
		}
	default:
		s.open(matched, paragraph)
		s.addLine()
	}
}

// continued reads the marks of the open containers that the line continues and
// says how many these are.
func (s *scanner) continued() int {
	for i, c := range s.containers {
		s.steps++
		switch {
		case s.blank():
			return s.continuedBlank(i)
		case c.quote && s.indent() < codeIndent && s.next() == '>':
			s.skipTo(s.first + 1)
			s.skipSpace()
		case !c.quote && s.indent() >= c.indent:
			s.skip(c.indent)
		default:
			return i
		}
	}
	return len(s.containers)
}

// continuedBlank does the same where the rest of the line is blank: it continues
// every list item up to the next quote, but for an innermost one that is empty.
// Those are not looked at one by one: there may be as many as blank lines.
func (s *scanner) continuedBlank(from int) int {
	at, _ := slices.BinarySearch(s.quotes, from)
	if at < len(s.quotes) {
		return s.quotes[at]
	}
	last := len(s.containers) - 1
	if !s.containers[last].filled {
		return last
	}
	return last + 1
}

// continuesLeaf takes a line that belongs to the block that takes lines, whatever
// is in it.
func (s *scanner) continuesLeaf() bool {
	switch s.leaf {
	case fenced:
		if s.closesFence() {
			s.closeLeaf()
		}
		return true
	case html:
		if s.ending == endBlank && s.blank() {
			s.closeLeaf()
			return true
		}
		s.addHTML()
		return true
	case indented:
		if s.blank() || s.indent() >= codeIndent {
			return true
		}
		s.closeLeaf()
	case none, paragraph, table:
	}
	return false
}

// addLine adds the rest of the line to the paragraph.
func (s *scanner) addLine() {
	s.look()
	if len(s.words) > 0 {
		s.words = append(s.words, '\n')
	}
	s.head = len(s.words)
	if s.indent() >= codeIndent {
		s.head = -1
	}
	s.words = append(s.words, s.line[s.first:]...)
	s.steps += len(s.line) - s.first
}

// heading reads a heading of the form `# words`.
func (s *scanner) heading(matched int) bool {
	if s.next() != '#' {
		return false
	}
	end := s.first
	for end < len(s.line) && s.line[end] == '#' && end-s.first < 7 {
		end++
	}
	if end-s.first > 6 || end < len(s.line) && !isSpace(s.line[end]) {
		return false
	}
	s.open(matched, none)
	words := strings.Trim(s.line[end:], " \t")
	if open := strings.TrimRight(words, "#"); open == "" || isSpace(open[len(open)-1]) {
		words = open // without the marks that close it
	}
	s.steps += len(s.line) - end
	s.inline([]byte(words))
	return true
}

// underline makes a heading of the paragraph, if the line is its underline.
func (s *scanner) underline() bool {
	c := s.next()
	if c != '=' && c != '-' {
		return false
	}
	rest := strings.TrimRight(s.line[s.first:], " \t")
	s.steps += len(rest)
	if strings.Trim(rest, string(c)) != "" {
		return false
	}
	// A definition takes its lines out of the paragraph; what is then empty can't be a heading.
	if from := s.definitions(); from < len(s.words) {
		s.closeLeaf()
		return true
	}
	s.words = s.words[:0]
	return false
}

// thematicBreak reads `---` and its like.
func (s *scanner) thematicBreak(matched int) bool {
	c := s.next()
	if c != '-' && c != '*' && c != '_' || s.first < s.unbroken {
		return false
	}
	count := 0
	for i := s.first; i < len(s.line); i++ {
		s.steps++
		switch {
		case s.line[i] == c:
			count++
		case !isSpace(s.line[i]):
			// Up to here stands nothing but c: what begins in between fails here as well.
			s.unbroken = i
			return false
		}
	}
	if count < 3 {
		return false
	}
	s.open(matched, none)
	return true
}

// openFence reads the first line of fenced code.
func (s *scanner) openFence(matched int) bool {
	c := s.next()
	if c != '`' && c != '~' {
		return false
	}
	end := s.first
	for end < len(s.line) && s.line[end] == c {
		end++
	}
	s.steps += len(s.line) - s.first
	if end-s.first < 3 || c == '`' && strings.IndexByte(s.line[end:], '`') >= 0 {
		return false
	}
	s.fence = fence{char: c, length: end - s.first}
	s.open(matched, fenced)
	return true
}

func (s *scanner) closesFence() bool {
	if s.indent() >= codeIndent || s.next() != s.fence.char {
		return false
	}
	rest := strings.TrimRight(s.line[s.first:], " \t")
	s.steps += len(rest)
	return len(rest) >= s.fence.length && strings.Trim(rest, string(s.fence.char)) == ""
}

// openContainer reads the mark of a quote or of a list item.
func (s *scanner) openContainer(matched int, interrupts bool) bool {
	if s.next() == '>' {
		s.open(matched, none)
		s.skipTo(s.first + 1)
		s.skipSpace()
		s.push(container{quote: true})
		return true
	}
	width := s.marker(interrupts)
	if width == 0 {
		return false
	}
	s.open(matched, none)
	offset := s.indent()
	s.skipTo(s.first + width)
	space := s.indent()
	if space > codeIndent || s.blank() {
		space = 1 // what is indented further is code in the item
		s.skipSpace()
	} else {
		s.skip(space)
	}
	s.push(container{indent: offset + width + space})
	return true
}

// marker returns the width of the list marker that is next, or 0. Only some can
// interrupt a paragraph: those of an item that is not empty, and of ordered
// lists that begin with 1.
func (s *scanner) marker(interrupts bool) int {
	rest := s.line[s.first:]
	width := 0
	switch c := s.next(); {
	case c == '-' || c == '+' || c == '*':
		width = 1
	case isDigit(c):
		for width < len(rest) && width < 10 && isDigit(rest[width]) {
			width++
		}
		if width > 9 || width == len(rest) || rest[width] != '.' && rest[width] != ')' || interrupts && rest[:width] != "1" {
			return 0
		}
		width++
	default:
		return 0
	}
	if width < len(rest) && !isSpace(rest[width]) {
		return 0
	}
	if interrupts {
		s.steps += len(rest)
		if strings.Trim(rest[width:], " \t") == "" {
			return 0
		}
	}
	return width
}
