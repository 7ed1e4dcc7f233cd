package transcript

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
)

// entry is what is read of an entry: some of the fields at its top level.
type entry struct {
	kind string // the field "type"
	uuid string
	cwd  string
	main bool   // not on a sidechain
	from string // of an attachment: the uuid of the message it was made of
}

// Bounds on what is kept of a line while it is read.
const (
	maxKey   = 64        // bytes of a name, longer than any that is looked for
	maxValue = 16 * 1024 // bytes of a value; the longest path Linux takes is 4,096
	maxDepth = 10_000    // as encoding/json has it
)

// readEntry reads one line, to its end whatever is in it. ok says that it was
// an entry: one complete JSON object. err is io.EOF when there is no line left.
//
// It checks the whole of a line against JSON's grammar and keeps only the few
// short values it looks for, which is why it is not encoding/json: that has to
// hold the line.
func readEntry(lines *bufio.Reader) (e entry, ok bool, err error) {
	if _, err := lines.Peek(1); err != nil {
		return entry{}, false, err
	}
	p := parser{lines: lines}
	e.main = true
	p.object(func(key string) {
		switch key {
		case "type":
			e.kind = p.text()
		case "uuid":
			e.uuid = p.text()
		case "cwd":
			e.cwd = p.text()
		case "attachment":
			e.from = ""
			if p.peek() != '{' {
				p.value(1)
				return
			}
			p.object(func(key string) {
				if key == "source_uuid" {
					e.from = p.text()
				} else {
					p.value(2)
				}
			})
		case "isSidechain":
			e.main = p.isFalse()
		default:
			p.value(1)
		}
	})
	p.space()
	if c := p.next(); c != '\n' && !p.ended {
		p.wrong = true
	}
	for !p.lineOver() {
		// The rest of a line that is none.
		if _, err := p.lines.ReadSlice('\n'); err == nil {
			break
		} else if !errors.Is(err, bufio.ErrBufferFull) {
			p.fail(err)
		}
	}
	if p.err != nil {
		return entry{}, false, p.err
	}
	return e, !p.wrong, nil
}

// parser reads one JSON value out of one line. Once something is wrong it reads
// on to nowhere: next gives 0, which no rule takes.
type parser struct {
	lines   *bufio.Reader
	wrong   bool
	ended   bool  // at the end of the file
	newline bool  // the line break has been read
	err     error // reading failed
	escaped [5]byte
}

func (p *parser) lineOver() bool { return p.newline || p.ended || p.err != nil }

func (p *parser) fail(err error) {
	if errors.Is(err, io.EOF) {
		p.ended = true
	} else {
		p.err = err
	}
}

// next takes one byte.
func (p *parser) next() byte {
	if p.wrong || p.lineOver() {
		return 0
	}
	c, err := p.lines.ReadByte()
	if err != nil {
		p.fail(err)
		return 0
	}
	p.newline = c == '\n'
	return c
}

// peek looks at the next byte without taking it.
func (p *parser) peek() byte {
	if p.wrong || p.lineOver() {
		return 0
	}
	c, err := p.lines.Peek(1)
	if err != nil {
		p.fail(err)
		return 0
	}
	return c[0]
}

func (p *parser) expect(want byte) {
	if p.next() != want {
		p.wrong = true
	}
}

// space takes white space, which within a line is no line break.
func (p *parser) space() {
	for c := p.peek(); c == ' ' || c == '\t' || c == '\r'; c = p.peek() {
		p.next()
	}
}

// object takes an object; value takes the value of each key.
func (p *parser) object(value func(key string)) {
	p.space()
	p.expect('{')
	p.space()
	if p.peek() == '}' {
		p.next()
		return
	}
	for !p.wrong {
		p.space()
		key := p.string(maxKey)
		p.space()
		p.expect(':')
		p.space()
		value(key)
		p.space()
		switch p.next() {
		case ',':
		case '}':
			return
		default:
			p.wrong = true
		}
	}
}

// value takes any value and keeps nothing of it. depth counts what it stands in.
func (p *parser) value(depth int) {
	switch c := p.peek(); {
	case depth >= maxDepth && (c == '{' || c == '['):
		p.wrong = true
	case c == '{':
		p.object(func(string) { p.value(depth + 1) })
	case c == '[':
		p.array(depth)
	case c == '"':
		p.string(0)
	case c == 't':
		p.word("true")
	case c == 'f':
		p.word("false")
	case c == 'n':
		p.word("null")
	default:
		p.number()
	}
}

func (p *parser) array(depth int) {
	p.expect('[')
	p.space()
	if p.peek() == ']' {
		p.next()
		return
	}
	for !p.wrong {
		p.space()
		p.value(depth + 1)
		p.space()
		switch p.next() {
		case ',':
		case ']':
			return
		default:
			p.wrong = true
		}
	}
}

func (p *parser) word(w string) {
	for i := range len(w) {
		p.expect(w[i])
	}
}

func (p *parser) number() {
	if p.peek() == '-' {
		p.next()
	}
	if p.peek() == '0' {
		p.next()
	} else {
		p.digits()
	}
	if p.peek() == '.' {
		p.next()
		p.digits()
	}
	if c := p.peek(); c == 'e' || c == 'E' {
		p.next()
		if c := p.peek(); c == '+' || c == '-' {
			p.next()
		}
		p.digits()
	}
}

// digits takes one digit at least.
func (p *parser) digits() {
	if c := p.next(); c < '0' || '9' < c {
		p.wrong = true
	}
	for c := p.peek(); '0' <= c && c <= '9'; c = p.peek() {
		p.next()
	}
}

// text takes a value and returns it if it is a string, "" otherwise.
func (p *parser) text() string {
	if p.peek() == '"' {
		return p.string(maxValue)
	}
	p.value(1)
	return ""
}

// isFalse takes a value and says whether it is false, or null: not there.
func (p *parser) isFalse() bool {
	c := p.peek()
	p.value(1)
	return c == 'f' || c == 'n'
}

// string takes a string and returns it if it is not longer than keep bytes as
// it is written, "" otherwise.
func (p *parser) string(keep int) string {
	p.expect('"')
	kept := scrap{room: keep}
	kept.add('"')
	for !p.wrong {
		kept.add(p.ordinary()...)
		c := p.next()
		kept.add(c)
		switch {
		case c == '"':
			return kept.text()
		case c == '\\':
			kept.add(p.escape()...)
		case c < 0x20: // none may stand in a string; 0 is the end of the line
			p.wrong = true
		}
	}
	return ""
}

// ordinary takes those of the bytes at hand that stand for themselves. What it
// returns is good until the next read.
func (p *parser) ordinary() []byte {
	if p.lineOver() {
		return nil
	}
	// What is buffered is there, so neither can fail.
	at, _ := p.lines.Peek(p.lines.Buffered())
	n := 0
	for n < len(at) && at[n] >= 0x20 && at[n] != '"' && at[n] != '\\' {
		n++
	}
	_, _ = p.lines.Discard(n)
	return at[:n]
}

// escape takes what follows a backslash.
func (p *parser) escape() []byte {
	c := p.next()
	taken := append(p.escaped[:0], c)
	switch c {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
	case 'u':
		for range 4 {
			h := p.next()
			taken = append(taken, h)
			if (h < '0' || '9' < h) && (h < 'a' || 'f' < h) && (h < 'A' || 'F' < h) {
				p.wrong = true
			}
		}
	default:
		p.wrong = true
	}
	return taken
}

// scrap keeps a string as it is written, or nothing when it is too long.
type scrap struct {
	raw  []byte
	room int
}

func (s *scrap) add(b ...byte) {
	if s.room -= len(b); s.room < 0 {
		s.raw, s.room = nil, -1
		return
	}
	s.raw = append(s.raw, b...)
}

func (s *scrap) text() string {
	var text string
	if s.room < 0 || json.Unmarshal(s.raw, &text) != nil { // what was taken is valid JSON
		return ""
	}
	return text
}
