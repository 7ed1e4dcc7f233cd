package guard

import (
	"regexp"
	"strings"
	"sync"
)

// lookSed judges sed by its flags and its script.
func lookSed(args []word) string {
	f := flags{short: "nErsuz", valued: "e", long: "quiet silent expression= regexp-extended separate null-data unbuffered posix debug", operands: unlimited}
	operands, why := f.split(args)
	if why != "" {
		return why
	}
	scripts, given := []string(nil), false
	for i, a := range args {
		if a.text == "--" {
			break
		}
		switch {
		case strings.HasPrefix(a.text, "--expression="):
			scripts, given = append(scripts, strings.TrimPrefix(a.text, "--expression=")), true
		case a.text == "--expression":
			scripts, given = append(scripts, args[i+1].text), true
		case strings.HasPrefix(a.text, "-") && !strings.HasPrefix(a.text, "--"):
			if _, after, has := strings.Cut(a.text, "e"); has {
				given = true
				if after == "" {
					after = args[i+1].text
				}
				scripts = append(scripts, after)
			}
		}
	}
	if !given {
		if len(operands) == 0 || !operands[0].plain() {
			return "its script is not known before it runs"
		}
		scripts = []string{operands[0].text}
	}
	for _, script := range scripts {
		if !sedScript().MatchString(script) {
			return "its script may do more than print"
		}
	}
	return ""
}

// sedScript is the part of sed's language that is known to only print: addresses,
// then p, d, q, Q, =, l, n, N, h, H, g, G, x, or a substitution without the flags w
// and e, whose three delimiters are one of / | , # : and ;, @ or !.
// The patterns are made when they are first needed, as the tables are.
var sedScript = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^` + sedCommand + `(?:[;\n]` + sedCommand + `)*[;\s]*$`)
})

const (
	sedAddress = `(?:\d+(?:~\d+)?|\$|/(?:[^/\\\n]|\\[^\n])*/I?)`
	sedSwap    = `(?:s/(?:[^/\\\n]|\\[^\n])*/(?:[^/\\\n]|\\[^\n])*/|s\|(?:[^|\\\n]|\\[^\n])*\|(?:[^|\\\n]|\\[^\n])*\||s,(?:[^,\\\n]|\\[^\n])*,(?:[^,\\\n]|\\[^\n])*,|s#(?:[^#\\\n]|\\[^\n])*#(?:[^#\\\n]|\\[^\n])*#)[gpiI0-9]*`
	sedCommand = `\s*(?:` + sedAddress + `\s*(?:,\s*(?:\+\d+|~\d+|` + sedAddress + `)\s*)?)?!?\s*(?:[pdqQ=lnNhHgGxPD]|` + sedSwap + `)?\s*`
)

// lookAwk judges awk by its flags and its program: one that runs nothing, reads
// from no command and redirects nothing.
func lookAwk(args []word) string {
	operands, why := flags{valued: "Fv", long: "field-separator= assign= posix traditional re-interval version", operands: unlimited}.split(args)
	switch {
	case why != "":
		return why
	case len(operands) == 0 || !operands[0].plain():
		return "its program is not known before it runs"
	}
	// >= compares; a | that is doubled is or. What is left may send output somewhere.
	program := strings.NewReplacer(">=", "", "||", "").Replace(operands[0].text)
	switch {
	case strings.ContainsAny(program, "|>"):
		return "its program may redirect"
	case strings.Contains(program, "@"):
		return "its program may call what is not seen"
	case awkCalls().MatchString(program):
		return "its program may run something"
	}
	return ""
}

var awkCalls = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(?:system|getline)\b`) })
