package guard

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// word is one argument as the command will get it, as far as that is known.
type word struct {
	text string
	// fixed is how much of the text, from its start, is certain: behind it stands
	// a pattern or a list in braces, which the shell replaces. -1: all of it.
	fixed int
	// value says that a variable is part of it.
	value bool
}

// plain says that the word is certain.
func (w word) plain() bool { return w.fixed < 0 && !w.value }

// operand says that whatever the word becomes, it is no flag: a file can be named
// -delete, and a pattern finds it.
func (w word) operand() bool {
	return !w.value && (w.fixed < 0 || w.fixed > 0) && !strings.HasPrefix(w.text, "-")
}

// word reads a word of the tree. What runs something, or is not known to us, is
// refused here already.
func (j *judge) word(from *syntax.Word) (word, *refusal) {
	w := word{fixed: -1}
	if from == nil {
		return w, nil
	}
	var text strings.Builder
	for _, part := range from.Parts {
		if err := j.part(&w, &text, part, false); err != nil {
			return w, err
		}
	}
	w.text = text.String()
	if w.text == "[" {
		w.fixed = -1 // the command; a pattern needs its end
	}
	return w, nil
}

func (j *judge) part(w *word, text *strings.Builder, part syntax.WordPart, quoted bool) *refusal {
	switch p := part.(type) {
	case *syntax.Lit:
		literal(w, text, p.Value, quoted)
	case *syntax.SglQuoted:
		if p.Dollar {
			return j.no(p, "it spells characters by their numbers")
		}
		text.WriteString(p.Value)
	case *syntax.DblQuoted:
		if p.Dollar {
			return j.no(p, "it is translated")
		}
		for _, inner := range p.Parts {
			if err := j.part(w, text, inner, true); err != nil {
				return err
			}
		}
	case *syntax.ParamExp:
		// $NAME and ${NAME} only: the longer forms can assign and compute.
		if p.Param == nil || p.Excl || p.Length || p.Index != nil || p.Slice != nil || p.Repl != nil || p.Names != 0 || p.Exp != nil {
			return j.no(p, "it expands more than a variable's value")
		}
		w.value = true
	default:
		return j.no(part, "it substitutes")
	}
	return nil
}

// literal adds text as the shell reads it, without its escapes.
func literal(w *word, text *strings.Builder, raw string, quoted bool) {
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		switch {
		case c == '\\' && i+1 < len(raw):
			next := raw[i+1]
			if quoted && !strings.ContainsRune("$`\"\\\n", rune(next)) {
				text.WriteByte(c)
				continue
			}
			i++
			if next != '\n' {
				text.WriteByte(next)
			}
		case !quoted && strings.IndexByte("*?[{", c) >= 0 && w.fixed < 0:
			w.fixed = text.Len()
			text.WriteByte(c)
		default:
			text.WriteByte(c)
		}
	}
}
