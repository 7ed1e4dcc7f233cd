package prose

// longestLabel is how many bytes the label of a definition may have; CommonMark
// bounds it at 999 characters.
const longestLabel = 999

// definitions returns the length of the link reference definitions that the
// paragraph begins with (`[label]: /destination "title"`, a line each): no words.
func (s *scanner) definitions() int {
	in := inline{scanner: s, text: s.words}
	at := 0
	for at < len(in.text) && in.text[at] == '[' {
		end := in.definition(at)
		if end == 0 {
			break
		}
		at = end
	}
	return at
}

// definition returns the place after the definition at i, or 0.
func (in *inline) definition(i int) int {
	i = in.label(i)
	if i == 0 || i == len(in.text) || in.text[i] != ':' {
		return 0
	}
	i = in.white(in.text, i+1)
	if i == len(in.text) {
		return 0
	}
	end := in.destination(i)
	if end <= i || end < len(in.text) && !isWhite(in.text[end]) {
		return 0
	}
	plain := in.lineEnd(end) // where it ends without a title
	begins := in.white(in.text, end)
	after := in.title(begins)
	if after <= begins || begins == end {
		return plain
	}
	if titled := in.lineEnd(after); titled > 0 {
		return titled
	}
	return plain
}

// label returns the place after the label at i, or 0.
func (in *inline) label(i int) int {
	empty := true
	begin := i
	for i++; i < len(in.text) && i-begin <= longestLabel; i++ {
		in.steps++
		switch c := in.text[i]; {
		case c == ']':
			if empty {
				return 0
			}
			return i + 1
		case c == '[':
			return 0
		case c == '\\' && i+1 < len(in.text) && isPunctuation(in.text[i+1]):
			i++
			empty = false
		case !isWhite(c):
			empty = false
		}
	}
	return 0
}

// lineEnd returns the place after the line end at i, or 0 if something else
// follows.
func (in *inline) lineEnd(i int) int {
	for i < len(in.text) && isSpace(in.text[i]) {
		i++
		in.steps++
	}
	switch {
	case i == len(in.text):
		return i
	case in.text[i] == '\n':
		return i + 1
	}
	return 0
}
