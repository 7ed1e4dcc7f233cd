// Package prose says which parts of a Markdown text are words that someone
// wrote, and which are code or addresses.
//
// It reads CommonMark's block structure (quotes, lists, fenced and indented
// code, headings, HTML blocks, link reference definitions), tables and footnotes
// as GFM has them, and, of what may stand inside a line, code spans, autolinks,
// HTML tags, and the destinations of links. Emphasis, strikethrough, task lists
// and the rest change nothing about what is code: they are left in the text as
// they were typed.
//
// It promises that the work grows with the length of the text and never with its
// square, whatever the text. It runs on every message before that is stored, so
// a text made to be slow to read would hold up everyone. Where CommonMark itself
// has no bound, one is set: parentheses nest 32 deep in a link's destination (as
// in cmark and micromark), and a tag is at most 1,000 bytes long.
//
// What stays as it is typed: reference links (`[a][b]`) and the references to
// footnotes (`[^a]`), whose labels are words like any other.
//
// What a page shows by micromark with GFM differs from this in a few ways. They
// hardly turn up in what people write, and what is wrong then is one mention too
// few or too many, in a message that everybody sees:
//
//   - A footnote that nothing refers to is read here, and shown nowhere there.
//   - A backtick in the label of a footnote reference, or in an address that
//     stands bare in the text and right behind it, begins or ends a code span
//     here, and is a part of the label or the address there.
//   - A tag alone in a line without its quote's or item's marks goes on with the
//     paragraph here, as in CommonMark's own parsers, and begins an HTML block there.
//   - Behind another mark in the line that ends a paragraph, and in the line after
//     indented code, an ordered list may begin with any number and an item may be
//     empty here, as in CommonMark; there neither may.
//   - A mail address in angle brackets may have a ! in it here, as in CommonMark.
package prose

// Of returns the words of a text, a string for each paragraph, heading, table cell
// and HTML block that has any, in order. In the place of what was taken out, and at the end of
// a link, stands a space; a backslash that escapes something is dropped.
func Of(text string) []string {
	s := scanner{text: text}
	s.scan()
	return s.out
}

// scanner reads one text, line by line.
type scanner struct {
	text string
	out  []string

	containers []container // that are open, outermost first
	quotes     []int       // which of them are quotes
	leaf       leaf        // the block inside of the innermost that takes lines
	words      []byte      // of that block, if it has words
	head       int         // where in words a line begins that can be the head of a table, or less than 0
	columns    int         // of the table
	fence      fence
	ending     ending // of an HTML block

	line     string // the one that is read
	at       int    // how far
	column   int    // of at; a tab goes to the next multiple of 4, and may be read in part
	first    int    // where the next character is that is no space or tab
	firstCol int
	unbroken int // a thematic break that begins before this place of the line was looked for in vain

	steps int // how much was looked at: what the test of the promise counts
}

// container is a quote, a list item or a footnote.
type container struct {
	quote  bool
	indent int  // of an item or a footnote: how many columns its lines are indented
	filled bool // there is a block in it
}

type leaf int

const (
	none leaf = iota
	paragraph
	fenced
	indented
	html
	table
)

type fence struct {
	char   byte
	length int
}

// tabStop is how many columns a tab may span.
const tabStop = 4

// codeIndent is from how many columns on a line is indented code.
const codeIndent = 4

func (s *scanner) scan() {
	for rest := s.text; rest != ""; {
		end := 0
		for end < len(rest) && rest[end] != '\n' && rest[end] != '\r' {
			end++
		}
		s.steps += end + 1
		s.begin(rest[:end])
		s.readLine()
		if end < len(rest) && rest[end] == '\r' && end+1 < len(rest) && rest[end+1] == '\n' {
			end++
		}
		rest = rest[min(end+1, len(rest)):]
	}
	s.closeLeaf()
}

// begin puts the cursor before a line.
func (s *scanner) begin(line string) {
	s.line, s.at, s.column, s.first, s.firstCol, s.unbroken = line, 0, 0, -1, 0, -1
}

// look finds the next character that is no space or tab.
func (s *scanner) look() {
	if s.first >= s.at {
		return
	}
	s.first, s.firstCol = s.at, s.column
	for s.first < len(s.line) {
		switch s.line[s.first] {
		case ' ':
			s.firstCol++
		case '\t':
			s.firstCol += tabStop - s.firstCol%tabStop
		default:
			return
		}
		s.first++
		s.steps++
	}
}

func (s *scanner) blank() bool {
	s.look()
	return s.first == len(s.line)
}

// indent is how many columns of white space are before the next character.
func (s *scanner) indent() int {
	s.look()
	return s.firstCol - s.column
}

// next is the next character that is no space or tab, or 0 at the end.
func (s *scanner) next() byte {
	if s.blank() {
		return 0
	}
	return s.line[s.first]
}

// skip moves the cursor on by columns.
func (s *scanner) skip(columns int) {
	for columns > 0 && s.at < len(s.line) {
		s.steps++
		width := 1
		if s.line[s.at] == '\t' {
			width = tabStop - s.column%tabStop
		}
		if width > columns { // a part of a tab
			s.column += columns
			return
		}
		s.column += width
		columns -= width
		s.at++
	}
}

// skipTo moves the cursor to a place at or after the next character.
func (s *scanner) skipTo(at int) {
	s.look()
	s.column = s.firstCol + at - s.first
	s.at = at
}

// skipSpace moves the cursor over one column of white space, if there is any.
func (s *scanner) skipSpace() {
	if s.at < len(s.line) && isSpace(s.line[s.at]) {
		s.skip(1)
	}
}

// push opens a container inside of the innermost.
func (s *scanner) push(c container) {
	if c.quote {
		s.quotes = append(s.quotes, len(s.containers))
	}
	s.containers = append(s.containers, c)
}

// fill notes that there is a block in the innermost container.
func (s *scanner) fill() {
	if n := len(s.containers); n > 0 {
		s.containers[n-1].filled = true
	}
}

// open ends the block that takes lines, and the containers that the line did
// not continue, and begins another block.
func (s *scanner) open(matched int, l leaf) {
	s.closeLeaf()
	s.shrink(matched)
	s.leaf = l
	s.fill()
}

// shrink closes all but the outermost containers.
func (s *scanner) shrink(matched int) {
	for len(s.quotes) > 0 && s.quotes[len(s.quotes)-1] >= matched {
		s.quotes = s.quotes[:len(s.quotes)-1]
		s.steps++
	}
	s.containers = s.containers[:matched]
}

// closeLeaf ends the block that takes lines, and reads its words.
func (s *scanner) closeLeaf() {
	switch s.leaf {
	case paragraph:
		s.inline(s.words[s.definitions():])
	case html:
		s.emit(s.words)
	case none, fenced, indented, table:
	}
	s.leaf, s.words = none, s.words[:0]
}

// emit adds words to what is found.
func (s *scanner) emit(words []byte) {
	s.steps += len(words)
	if len(words) > 0 {
		s.out = append(s.out, string(words))
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' }

func isWhite(c byte) bool { return isSpace(c) || c == '\n' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isPunctuation says whether a backslash can escape c.
func isPunctuation(c byte) bool {
	return '!' <= c && c <= '/' || ':' <= c && c <= '@' || '[' <= c && c <= '`' || '{' <= c && c <= '~'
}
