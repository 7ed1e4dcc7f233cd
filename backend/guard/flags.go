package guard

import (
	"fmt"
	"strings"
)

// look judges the arguments of one command: "" when it only looks with them,
// else why not.
type look func(args []word) string

// harmless is a command that only looks whatever its arguments are.
func harmless([]word) string { return "" }

// flags is what a command may be told to only look. A flag that is not named is
// not known to be harmless.
type flags struct {
	// short are the letters of flags without a value; they may stand together.
	short string
	// valued are the letters of flags with a value, in the same word or the next.
	valued string
	// long are the names of flags, separated by blanks. One that ends in = takes a
	// value, in the same word or the next; one that ends in ? may have one in the
	// same word. Abbreviations are not accepted.
	long string
	// number: -20 is a flag.
	number bool
	// operands is how many there may be at most; 0 is none, negative any number.
	operands int
	// refuse says what an operand must not be, "" when it is fine; nil: all are.
	refuse func(operand string) string
}

// any number of operands.
const unlimited = -1

// look judges arguments by the flags.
func (f flags) look(args []word) string {
	_, why := f.split(args)
	return why
}

// split returns the operands among the arguments, or why they can't be told.
func (f flags) split(args []word) (operands []word, why string) {
	long := map[string]byte{} // what follows the name: 0, = or ?
	for name := range strings.FieldsSeq(f.long) {
		switch end := name[len(name)-1]; end {
		case '=', '?':
			long[name[:len(name)-1]] = end
		default:
			long[name] = 0
		}
	}
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a.operand() || a.text == "-" && a.plain():
			operands = append(operands, a)
		case !a.plain():
			return nil, fmt.Sprintf("%q can become a flag", a.text)
		case a.text == "--":
			for _, rest := range args[i+1:] {
				if !rest.plain() && rest.value {
					return nil, fmt.Sprintf("%q is not known before it runs", rest.text)
				}
				operands = append(operands, rest)
			}
			i = len(args)
		case strings.HasPrefix(a.text, "--"):
			name, _, has := strings.Cut(a.text[2:], "=")
			takes, known := long[name]
			switch {
			case !known || has && takes == 0:
				return nil, fmt.Sprintf("%s is not known to only look", a.text)
			case takes == '=' && !has:
				if i++; i == len(args) {
					return nil, fmt.Sprintf("%s lacks its value", a.text)
				}
				if why := value(a, args[i]); why != "" {
					return nil, why
				}
			}
		default:
			more, why := f.letters(a.text[1:])
			if why != "" {
				return nil, why
			}
			if more {
				if i++; i == len(args) {
					return nil, fmt.Sprintf("%s lacks its value", a.text)
				}
				if why := value(a, args[i]); why != "" {
					return nil, why
				}
			}
		}
	}
	if f.operands >= 0 && len(operands) > f.operands {
		return nil, fmt.Sprintf("it may do more with %q", operands[f.operands].text)
	}
	for _, o := range operands {
		if f.refuse != nil {
			if why := f.refuse(o.text); why != "" {
				return nil, why
			}
		}
	}
	return operands, ""
}

// value judges the word that should be the value of the flag before it. Programs
// differ in whether they take one that looks like a flag.
func value(flag, v word) string {
	if !v.plain() {
		return fmt.Sprintf("the value of %s is not known before it runs", flag.text)
	}
	if strings.HasPrefix(v.text, "-") {
		return fmt.Sprintf("the value of %s looks like a flag", flag.text)
	}
	return ""
}

// letters judges a word of short flags; more says that the value of the last one
// is the next word.
func (f flags) letters(letters string) (more bool, why string) {
	if f.number && strings.Trim(letters, "0123456789") == "" {
		return false, ""
	}
	for i, letter := range letters {
		switch {
		case strings.ContainsRune(f.short, letter):
		case strings.ContainsRune(f.valued, letter):
			return i+len(string(letter)) == len(letters), ""
		default:
			return false, fmt.Sprintf("-%c is not known to only look", letter)
		}
	}
	return false, ""
}

// first judges by the first argument, as programs with commands of their own do.
type first map[string]look

func (f first) look(args []word) string {
	if len(args) == 0 {
		return "it may do more than look"
	}
	if next, ok := f[args[0].text]; ok && args[0].plain() {
		if why := next(args[1:]); why != "" {
			return args[0].text + ": " + why
		}
		return ""
	}
	return fmt.Sprintf("%q is not known to only look", args[0].text)
}

// version is a program that only looks when asked for its version.
func version(names ...string) look {
	return func(args []word) string {
		if len(args) == 1 && args[0].plain() {
			for _, name := range names {
				if args[0].text == name {
					return ""
				}
			}
		}
		return "it only looks when asked for its version"
	}
}
