package prose

import (
	"bytes"
	"strings"
)

// ending is what ends an HTML block.
type ending int

const (
	endBlank   ending = iota // a blank line
	endTag                   // the end tag of an element whose content is taken as it is
	endComment               // -->
	endPI                    // ?>
	endLetter                // >
	endCDATA                 // ]]>
)

var endings = map[ending]string{endComment: "-->", endPI: "?>", endLetter: ">", endCDATA: "]]>"}

// rawElements are those whose content is taken as it is, up to their end tag.
var rawElements = []string{"script", "pre", "style", "textarea"}

// blockElements begin an HTML block wherever their tags stand (CommonMark 0.31, section 4.6, kind 6).
var blockElements = func() map[string]bool {
	names := map[string]bool{}
	for name := range strings.FieldsSeq(`address article aside base basefont blockquote body caption center col colgroup dd
		details dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header
		hr html iframe legend li link main menu menuitem nav noframes ol optgroup option p param search section summary
		table tbody td tfoot th thead title tr track ul`) {
		names[name] = true
	}
	return names
}()

// longestElement is the longest name that means something here.
const longestElement = len("blockquote")

// openHTML reads the first line of an HTML block.
func (s *scanner) openHTML(matched int, lazy bool) bool {
	if s.next() != '<' {
		return false
	}
	rest := s.line[s.first:]
	ends, ok := beginsHTML(rest)
	if !ok && !lazy { // interrupts no paragraph
		ok = s.isTagAlone(rest)
	}
	if !ok {
		return false
	}
	s.open(matched, html)
	s.ending = ends
	s.addHTML()
	return true
}

// beginsHTML says whether a line begins an HTML block even in a paragraph, and
// what ends it.
func beginsHTML(line string) (ending, bool) {
	switch {
	case strings.HasPrefix(line, "<!--"):
		return endComment, true
	case strings.HasPrefix(line, "<?"):
		return endPI, true
	case strings.HasPrefix(line, "<![CDATA["):
		return endCDATA, true
	case len(line) > 2 && line[1] == '!' && isLetter(line[2]):
		return endLetter, true
	}
	name := line[1:]
	closes := strings.HasPrefix(name, "/")
	if closes {
		name = name[1:]
	}
	end := 0
	for end < len(name) && end <= longestElement && (isLetter(name[end]) || isDigit(name[end])) {
		end++
	}
	after := name[end:]
	name = strings.ToLower(name[:end])
	ended := after == "" || isSpace(after[0]) || after[0] == '>'
	if !closes && ended {
		for _, raw := range rawElements {
			if name == raw {
				return endTag, true
			}
		}
	}
	return endBlank, blockElements[name] && (ended || strings.HasPrefix(after, "/>"))
}

// isTagAlone says whether a line is one tag.
func (s *scanner) isTagAlone(line string) bool {
	end := s.tag([]byte(line[:min(len(line), longestTag)]))
	s.steps += len(line)
	return end > 0 && strings.Trim(line[end:], " \t") == ""
}

// addHTML adds the rest of the line to the HTML block, which may end with it.
func (s *scanner) addHTML() {
	rest := s.line[s.at:]
	s.words = append(append(s.words, rest...), '\n')
	s.steps += len(rest)
	ends := false
	switch s.ending {
	case endBlank:
	case endTag:
		lower := strings.ToLower(rest)
		for _, raw := range rawElements {
			s.steps += len(lower)
			ends = ends || strings.Contains(lower, "</"+raw+">")
		}
	default:
		ends = strings.Contains(rest, endings[s.ending])
	}
	if ends {
		s.closeLeaf()
	}
}

// longestTag is how many bytes a tag may have. CommonMark has no bound, and a
// text can be made in which every tag that is begun goes on to the end.
const longestTag = 1000

// tag returns the length of the open or closing tag that text begins with, or 0.
func (s *scanner) tag(text []byte) int {
	i := 1
	closes := i < len(text) && text[i] == '/'
	if closes {
		i++
	}
	if i == len(text) || !isLetter(text[i]) {
		return 0
	}
	for i < len(text) && (isLetter(text[i]) || isDigit(text[i]) || text[i] == '-') {
		i++
		s.steps++
	}
	for !closes {
		end := s.attribute(text, i)
		if end < 0 {
			return 0
		}
		if end == i {
			break
		}
		i = end
	}
	i = s.white(text, i)
	if !closes && i < len(text) && text[i] == '/' {
		i++
	}
	if i == len(text) || text[i] != '>' {
		return 0
	}
	return i + 1
}

// attribute returns the place after the attribute at i, i if there is none, and
// less than 0 if it is a broken one.
func (s *scanner) attribute(text []byte, i int) int {
	name := s.white(text, i)
	if name == i || name == len(text) || !isLetter(text[name]) && text[name] != '_' && text[name] != ':' {
		return i
	}
	end := name
	for end < len(text) && (isLetter(text[end]) || isDigit(text[end]) || bytes.IndexByte([]byte("_.:-"), text[end]) >= 0) {
		end++
		s.steps++
	}
	is := s.white(text, end)
	if is == len(text) || text[is] != '=' {
		return end
	}
	value := s.white(text, is+1)
	if value == len(text) {
		return -1
	}
	if quote := text[value]; quote == '"' || quote == '\'' {
		closing := bytes.IndexByte(text[value+1:], quote)
		if closing < 0 {
			s.steps += len(text) - value
			return -1
		}
		s.steps += closing
		return value + 1 + closing + 1
	}
	after := value
	for after < len(text) && !isWhite(text[after]) && bytes.IndexByte([]byte("\"'=<>`"), text[after]) < 0 {
		after++
		s.steps++
	}
	if after == value {
		return -1
	}
	return after
}

// white returns the place after the white space at i.
func (s *scanner) white(text []byte, i int) int {
	for i < len(text) && isWhite(text[i]) {
		i++
		s.steps++
	}
	return i
}
