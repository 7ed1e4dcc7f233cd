package guard

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// maxCommand bounds what is parsed, in bytes. Nobody glances with more.
const maxCommand = 16 << 10

// maxDepth bounds how deep commands are nested in one another.
const maxDepth = 50

// Explanation says whether a shell command only looks, and why not.
type Explanation struct {
	Ephemeral bool
	// Reason is a sentence for people: what the part that decided does, or that
	// every part only looks.
	Reason string
	// Part is the part of the command that decided; "" when all of it did.
	Part string
}

// IsEphemeral says whether a shell command only looks.
func IsEphemeral(command string) bool { return Explain(command).Ephemeral }

// Explain judges a command of bash by its syntax tree. Every simple command in it,
// with its flags, must be one that only looks. Joining them by pipes, &&, || and ;,
// grouping, negating and timing them is fine, as are 2>&1 and redirections into
// /dev/null. All else is no: substitutions, other redirections, assignments,
// functions, loops, background commands, and what is not in the tables.
func Explain(command string) Explanation {
	no := func(err *refusal) Explanation { return Explanation{Reason: err.why, Part: err.part} }
	switch {
	case strings.TrimSpace(command) == "":
		return no(&refusal{why: "there is no command"})
	case len(command) > maxCommand:
		return no(&refusal{why: fmt.Sprintf("it is longer than %d bytes", maxCommand)})
	case !utf8.ValidString(command) || strings.ContainsAny(command, "\x00\r"):
		return no(&refusal{why: "it holds bytes that are not text"})
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(command), "")
	if err != nil {
		return no(&refusal{why: "it can't be parsed"})
	}
	j := judge{command: command}
	if len(file.Stmts) == 0 {
		return no(&refusal{why: "there is no command"})
	}
	if err := j.statements(file.Stmts); err != nil {
		return no(err)
	}
	return Explanation{Ephemeral: true, Reason: "every part of it only looks"}
}

// refusal is why a command does not only look.
type refusal struct{ why, part string }

// judge walks one command's tree.
type judge struct {
	command string
	depth   int
}

func (j *judge) no(node syntax.Node, format string, args ...any) *refusal {
	return &refusal{why: fmt.Sprintf(format, args...), part: j.text(node)}
}

// text is the part of the command that a node stands for.
func (j *judge) text(node syntax.Node) string {
	from, to := node.Pos().Offset(), node.End().Offset()
	if from > to || to > uint(len(j.command)) {
		var out bytes.Buffer
		if syntax.NewPrinter().Print(&out, node) != nil {
			return ""
		}
		return out.String()
	}
	return j.command[from:to]
}

func (j *judge) statements(all []*syntax.Stmt) *refusal {
	for _, s := range all {
		if err := j.statement(s); err != nil {
			return err
		}
	}
	return nil
}

func (j *judge) statement(s *syntax.Stmt) *refusal {
	j.depth++
	defer func() { j.depth-- }()
	switch {
	case j.depth > maxDepth:
		return j.no(s, "it is nested too deep")
	case s.Background || s.Coprocess || s.Disown:
		return j.no(s, "it runs in the background")
	case s.Cmd == nil:
		return j.no(s, "it is a redirection alone")
	}
	for _, r := range s.Redirs {
		if err := j.redirection(r); err != nil {
			return err
		}
	}
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		return j.call(c)
	case *syntax.BinaryCmd:
		if err := j.statement(c.X); err != nil {
			return err
		}
		return j.statement(c.Y)
	case *syntax.Subshell:
		return j.statements(c.Stmts)
	case *syntax.Block:
		return j.statements(c.Stmts)
	case *syntax.TimeClause:
		if c.Stmt == nil {
			return nil
		}
		return j.statement(c.Stmt)
	default:
		return j.no(s, "it is more than a simple command")
	}
}

// redirection lets 2>&1 and output into /dev/null pass.
func (j *judge) redirection(r *syntax.Redirect) *refusal {
	to, err := j.word(r.Word)
	if err != nil {
		return err
	}
	switch r.Op {
	case syntax.DplOut:
		if r.N != nil && r.N.Value == "2" && to.text == "1" && to.plain() {
			return nil
		}
	case syntax.RdrOut, syntax.AppOut, syntax.RdrAll, syntax.AppAll, syntax.RdrClob:
		named := r.N != nil && strings.Trim(r.N.Value, "0123456789") != "" // {fd}> assigns a variable
		if to.text == "/dev/null" && to.plain() && !named {
			return nil
		}
	}
	return j.no(r, "it redirects")
}

// call judges a simple command by the tables.
func (j *judge) call(c *syntax.CallExpr) *refusal {
	if len(c.Assigns) > 0 {
		return j.no(c, "it assigns a variable")
	}
	words := make([]word, len(c.Args))
	for i, arg := range c.Args {
		var err *refusal
		if words[i], err = j.word(arg); err != nil {
			return err
		}
	}
	if !words[0].plain() {
		return j.no(c.Args[0], "what it runs is not known before it runs")
	}
	name := words[0].text
	for _, folder := range []string{"/bin/", "/usr/bin/"} {
		if program, ok := strings.CutPrefix(name, folder); ok && !strings.Contains(program, "/") {
			name = program
			break
		}
	}
	look, known := looks()[name]
	if !known {
		return j.no(c, "%q is none of the commands that only look", name)
	}
	if why := look(words[1:]); why != "" {
		return j.no(c, "%s: %s", name, why)
	}
	return nil
}
