package prose

import "bytes"

// inline takes code spans, addresses and the destinations of links out of a
// block's text, and emits what is left.
func (s *scanner) inline(text []byte) {
	in := inline{scanner: s, text: text, out: make([]byte, 0, len(text))}
	in.scan()
	s.emit(in.out)
}

// inline reads the text of one block.
type inline struct {
	*scanner
	text     []byte
	out      []byte
	brackets []bool // that are open: whether each is an image's
	inactive int    // how many of them, from the outermost, can't begin a link any more: a link holds no link

	ticks map[int][]int  // where runs of backticks begin, by length; nil: not looked for yet
	found map[string]int // where the next of a mark is, as far as it was looked for
}

// nesting is how deep parentheses may nest in a link's destination.
const nesting = 32

func (in *inline) scan() {
	for i := 0; i < len(in.text); {
		in.steps++
		i = in.step(i)
	}
}

// step reads what begins at i and returns the place after it.
func (in *inline) step(i int) int {
	c := in.text[i]
	switch c {
	case '\\':
		if i+1 < len(in.text) && (isPunctuation(in.text[i+1]) || in.text[i+1] == '\n') {
			in.out = append(in.out, in.text[i+1])
			return i + 2
		}
	case '`':
		return in.codeSpan(i)
	case '<':
		if end := in.address(i); end > 0 {
			in.out = append(in.out, ' ')
			return end
		}
		if end := in.html(i); end > 0 {
			in.out = append(in.out, in.text[i:end]...)
			in.steps += end - i
			return end
		}
	case '!':
		if i+1 < len(in.text) && in.text[i+1] == '[' {
			in.brackets = append(in.brackets, true)
			in.out = append(in.out, '!', '[')
			return i + 2
		}
	case '[':
		in.brackets = append(in.brackets, false)
	case ']':
		in.out = append(in.out, ']')
		return in.closeBracket(i + 1)
	}
	in.out = append(in.out, c)
	return i + 1
}

// codeSpan reads a run of backticks, and the code span that it begins if a run
// of the same length follows.
func (in *inline) codeSpan(i int) int {
	if in.ticks == nil {
		in.ticks = map[int][]int{}
		for at := 0; at < len(in.text); {
			end := in.run(at)
			if end > at {
				in.ticks[end-at] = append(in.ticks[end-at], at)
			}
			in.steps += end - at + 1
			at = end + 1
		}
	}
	begins := in.run(i)
	length := begins - i
	in.steps += length
	same := in.ticks[length]
	for len(same) > 0 && same[0] < begins {
		same = same[1:]
		in.steps++
	}
	in.ticks[length] = same // what is behind us is not looked at again
	if len(same) == 0 {
		in.out = append(in.out, in.text[i:begins]...)
		return begins
	}
	// What stands before and after a code span is not one word.
	in.out = append(in.out, ' ')
	return same[0] + length
}

// run returns the place after the backticks at i.
func (in *inline) run(i int) int {
	for i < len(in.text) && in.text[i] == '`' {
		i++
	}
	return i
}

// address returns the place after the autolink at i (<https://…>, <me@…>), or 0.
func (in *inline) address(i int) int {
	end := i + 1
	for end < len(in.text) && in.text[end] > ' ' && in.text[end] != '<' && in.text[end] != '>' {
		end++
	}
	in.steps += end - i
	if end == len(in.text) || in.text[end] != '>' {
		return 0
	}
	inside := in.text[i+1 : end]
	if isURI(inside) || isMail(inside) {
		return end + 1
	}
	return 0
}

func isURI(text []byte) bool {
	scheme := bytes.IndexByte(text, ':')
	if scheme < 2 || scheme > 32 || !isLetter(text[0]) {
		return false
	}
	for _, c := range text[:scheme] {
		if !isLetter(c) && !isDigit(c) && bytes.IndexByte([]byte("+.-"), c) < 0 {
			return false
		}
	}
	return true
}

func isMail(text []byte) bool {
	local, domain, ok := bytes.Cut(text, []byte("@"))
	if !ok || len(local) == 0 {
		return false
	}
	for _, c := range local {
		if !isLetter(c) && !isDigit(c) && bytes.IndexByte([]byte(".!#$%&'*+/=?^_`{|}~-"), c) < 0 {
			return false
		}
	}
	for label := range bytes.SplitSeq(domain, []byte(".")) {
		if len(label) == 0 || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for _, c := range label {
			if !isLetter(c) && !isDigit(c) && c != '-' {
				return false
			}
		}
	}
	return true
}

// html returns the place after the HTML at i, or 0.
func (in *inline) html(i int) int {
	rest := in.text[i:]
	switch {
	case bytes.HasPrefix(rest, []byte("<!-->")):
		return i + len("<!-->")
	case bytes.HasPrefix(rest, []byte("<!--->")):
		return i + len("<!--->")
	case bytes.HasPrefix(rest, []byte("<!--")):
		return in.after("-->", i+len("<!--"))
	case bytes.HasPrefix(rest, []byte("<?")):
		return in.after("?>", i+len("<?"))
	case bytes.HasPrefix(rest, []byte("<![CDATA[")):
		return in.after("]]>", i+len("<![CDATA["))
	case len(rest) > 2 && rest[1] == '!' && isLetter(rest[2]):
		return in.after(">", i+len("<!a"))
	}
	if end := in.tag(rest[:min(len(rest), longestTag)]); end > 0 {
		return i + end
	}
	return 0
}

// after returns the place after the next of a mark from i on, or 0. It is looked
// for once, however often it is asked for.
func (in *inline) after(mark string, i int) int {
	at, known := in.found[mark]
	if !known || at >= 0 && at < i {
		at = bytes.Index(in.text[i:], []byte(mark))
		in.steps += len(in.text) - i
		if at >= 0 {
			in.steps += at - (len(in.text) - i)
			at += i
		}
		if in.found == nil {
			in.found = map[string]int{}
		}
		in.found[mark] = at
	}
	if at < 0 {
		return 0
	}
	return at + len(mark)
}

// closeBracket reads what follows a closing bracket: if the bracket ends a
// link's text, the destination, which it leaves out.
func (in *inline) closeBracket(i int) int {
	last := len(in.brackets) - 1
	if last < 0 {
		return i
	}
	image, active := in.brackets[last], last >= in.inactive
	in.brackets = in.brackets[:last]
	in.inactive = min(in.inactive, last)
	if !image && !active || i == len(in.text) || in.text[i] != '(' {
		return i
	}
	end := in.destinationAndTitle(i + 1)
	if end == 0 {
		return i
	}
	if !image {
		in.inactive = last
	}
	in.out = append(in.out, ' ')
	return end
}

// destinationAndTitle returns the place after the closing parenthesis of a
// link, or 0 if it is none.
func (in *inline) destinationAndTitle(i int) int {
	i = in.white(in.text, i)
	end := in.destination(i)
	if end < 0 {
		return 0
	}
	i = in.white(in.text, end)
	if i > end {
		after := in.title(i)
		if after < 0 {
			return 0
		}
		i = in.white(in.text, after)
	}
	if i == len(in.text) || in.text[i] != ')' {
		return 0
	}
	return i + 1
}

// destination returns the place after the destination at i, which may be empty,
// or less than 0.
func (in *inline) destination(i int) int {
	if i < len(in.text) && in.text[i] == '<' {
		for i++; i < len(in.text); i++ {
			in.steps++
			switch in.text[i] {
			case '>':
				return i + 1
			case '<', '\n':
				return -1
			case '\\':
				if i+1 < len(in.text) && isPunctuation(in.text[i+1]) {
					i++
				}
			}
		}
		return -1
	}
	depth := 0
	for ; i < len(in.text); i++ {
		in.steps++
		switch c := in.text[i]; {
		case c <= ' ' || c == 0x7f:
			return in.balanced(i, depth)
		case c == '(':
			if depth++; depth > nesting {
				return -1
			}
		case c == ')':
			if depth == 0 {
				return i
			}
			depth--
		case c == '\\' && i+1 < len(in.text) && isPunctuation(in.text[i+1]):
			i++
		}
	}
	return in.balanced(i, depth)
}

func (in *inline) balanced(i, depth int) int {
	if depth > 0 {
		return -1
	}
	return i
}

// title returns the place after the title at i, i if there is none, and less
// than 0 if it does not end.
func (in *inline) title(i int) int {
	if i == len(in.text) {
		return i
	}
	opens := in.text[i]
	closes := opens
	switch opens {
	case '"', '\'':
	case '(':
		closes = ')'
	default:
		return i
	}
	for i++; i < len(in.text); i++ {
		in.steps++
		switch c := in.text[i]; {
		case c == closes:
			return i + 1
		case c == opens:
			return -1
		case c == '\\' && i+1 < len(in.text) && isPunctuation(in.text[i+1]):
			i++
		}
	}
	return -1
}
