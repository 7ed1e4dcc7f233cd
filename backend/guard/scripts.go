package guard

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// maxRunning bounds what Scripts parses, in bytes: a command may write whole files.
const maxRunning = 64 << 10

// Scripts says which files of a folder, such as the workbench's scripts/, a command
// of bash runs: as programs, by an interpreter (bash, python3, node, …), by source,
// behind what only starts something else (env, timeout, xargs, …), in lists, pipes,
// loops and substitutions. cwd is where relative paths begin; cd moves it. The paths
// are absolute, each once, in the order they stand in. It looks at no file: what it
// names may not be there, and what a variable or a pattern decides, or a file that is
// run decides in turn, it does not know. Reading, changing or checking a file is no
// run. What can't be parsed runs nothing.
func Scripts(command, cwd, folder string) []string { return finding(command, cwd, folder).found }

// Written says which files of a folder a command of bash writes by redirecting output
// to them ("cat > .flower/scripts/x.sh <<EOF"), as Scripts says which it runs: by their
// names alone, as far as nothing but the command decides them. What a program that it
// runs writes (tee, cp, sed -i) it does not know, nor what a function does that may
// never be called.
func Written(command, cwd, folder string) []string { return finding(command, cwd, folder).written }

// Touched is Scripts and Written of one command, which is parsed once for both.
func Touched(command, cwd, folder string) (run, written []string) {
	f := finding(command, cwd, folder)
	return f.found, f.written
}

func finding(command, cwd, folder string) *finder {
	if !filepath.IsAbs(folder) {
		folder = filepath.Join(cwd, folder)
	}
	f := &finder{folder: folder}
	if len(command) <= maxRunning && utf8.ValidString(command) {
		f.parse(command, &place{dir: cwd, known: filepath.IsAbs(cwd)})
	}
	return f
}

// finder collects what a command runs, and what it writes.
type finder struct {
	folder   string
	found    []string
	written  []string
	depth    int
	declared int // functions around, which may never be called
}

// place is the directory that a shell is in.
type place struct {
	dir   string
	known bool
}

// apart is the place of a shell of its own, which leaves the outer one where it is.
func (p place) apart() *place { return &p }

// path is a file that a word names.
func (p *place) path(name string) (string, bool) {
	switch {
	case filepath.IsAbs(name):
		return filepath.Clean(name), true
	case p.known && name != "" && name[0] != '~':
		return filepath.Join(p.dir, name), true
	}
	return "", false
}

func (p *place) move(words []word) {
	for len(words) > 0 && words[0].plain() && strings.HasPrefix(words[0].text, "-") && words[0].text != "-" {
		words = words[1:]
	}
	if len(words) != 1 || !words[0].plain() {
		p.known = false
		return
	}
	p.dir, p.known = p.path(words[0].text)
}

func (f *finder) add(p *place, name string) { f.found = f.with(f.found, p, name) }

// with adds a file that a word names to others, if it is in the folder.
func (f *finder) with(known []string, p *place, name string) []string {
	path, ok := p.path(name)
	if ok && path != filepath.Clean(f.folder) && inside(path, "/", f.folder) && !slices.Contains(known, path) {
		known = append(known, path)
	}
	return known
}

// writing are the redirections that write to a file.
var writing = []syntax.RedirOperator{syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.RdrAllClob, syntax.AppAll, syntax.AppAllClob}

func (f *finder) parse(command string, p *place) {
	f.depth++
	defer func() { f.depth-- }()
	if f.depth > maxDepth {
		return
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(command), "")
	if err == nil {
		f.statements(file.Stmts, p)
	}
}

func (f *finder) statements(all []*syntax.Stmt, p *place) {
	for _, s := range all {
		f.statement(s, p)
	}
}

func (f *finder) statement(s *syntax.Stmt, p *place) {
	f.depth++
	defer func() { f.depth-- }()
	if s == nil || f.depth > maxDepth {
		return
	}
	if s.Background || s.Coprocess {
		p = p.apart()
	}
	input := ""
	for _, r := range s.Redirs {
		f.substitutions(r, p)
		to := read(r.Word)
		switch {
		case !to.plain():
		case r.Op == syntax.RdrIn && r.N == nil:
			input = to.text
		case slices.Contains(writing, r.Op) && f.declared == 0:
			f.written = f.with(f.written, p, to.text)
		}
	}
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		f.substitutions(c, p)
		words := make([]word, len(c.Args))
		for i, arg := range c.Args {
			words[i] = read(arg)
		}
		f.run(words, input, p)
	case *syntax.BinaryCmd:
		if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
			f.statement(c.X, p.apart())
			f.statement(c.Y, p.apart())
			return
		}
		f.statement(c.X, p)
		f.statement(c.Y, p)
	case *syntax.Subshell:
		f.statements(c.Stmts, p.apart())
	case *syntax.Block:
		f.statements(c.Stmts, p)
	case *syntax.TimeClause:
		f.statement(c.Stmt, p)
	case *syntax.CoprocClause:
		f.statement(c.Stmt, p.apart())
	case *syntax.FuncDecl:
		f.declared++
		f.statement(c.Body, p.apart())
		f.declared--
	case *syntax.IfClause:
		for ; c != nil; c = c.Else {
			f.statements(c.Cond, p)
			f.statements(c.Then, p)
		}
	case *syntax.WhileClause:
		f.statements(c.Cond, p)
		f.statements(c.Do, p)
	case *syntax.ForClause:
		f.substitutions(c.Loop, p)
		f.statements(c.Do, p)
	case *syntax.CaseClause:
		f.substitutions(c.Word, p)
		for _, item := range c.Items {
			f.statements(item.Stmts, p)
		}
	case nil:
	default:
		f.substitutions(c, p)
	}
}

// substitutions looks into the commands whose output, or whose file, stands in the
// place of a word.
func (f *finder) substitutions(in syntax.Node, p *place) {
	syntax.Walk(in, func(node syntax.Node) bool {
		switch n := node.(type) {
		case *syntax.CmdSubst:
			f.statements(n.Stmts, p.apart())
			return false
		case *syntax.ProcSubst:
			f.statements(n.Stmts, p.apart())
			return false
		}
		return true
	})
}

// read is a word as far as it is known; one that a substitution is part of is not.
func read(from *syntax.Word) word {
	j := judge{}
	w, err := j.word(from)
	if err != nil || from == nil {
		return word{fixed: 0, value: true}
	}
	return w
}

// run looks at a simple command. input is the file that its input comes from.
func (f *finder) run(words []word, input string, p *place) {
	f.depth++
	defer func() { f.depth-- }()
	if len(words) == 0 || !words[0].plain() || f.depth > maxDepth {
		return
	}
	name, rest := words[0].text, words[1:]
	if strings.Contains(name, "/") {
		f.add(p, name)
		if !strings.HasPrefix(name, "/") {
			return
		}
		name = filepath.Base(name) // /usr/bin/env, /bin/bash
	}
	switch name {
	case "cd", "pushd":
		p.move(rest)
		return
	case "popd":
		p.known = false
		return
	case "eval":
		if text, ok := joined(rest); ok {
			f.parse(text, p)
		}
		return
	case "find":
		for i, w := range rest {
			if w.plain() && slices.Contains([]string{"-exec", "-execdir", "-ok", "-okdir"}, w.text) {
				f.run(rest[i+1:], "", p.apart())
			}
		}
		return
	}
	if l, ok := launcherOf(name); ok {
		f.launch(l, rest, input, p)
	}
}

func joined(words []word) (string, bool) {
	texts := make([]string, len(words))
	for i, w := range words {
		if !w.plain() {
			return "", false
		}
		texts[i] = w.text
	}
	return strings.Join(texts, " "), true
}

// launch finds what a launcher starts, behind its own flags.
func (f *finder) launch(l launcher, words []word, input string, p *place) {
	skip := l.skip
	for len(words) > 0 {
		w := words[0]
		if !w.plain() {
			return
		}
		flag := strings.HasPrefix(w.text, "-") && w.text != "-" || l.shell && strings.HasPrefix(w.text, "+")
		switch {
		case w.text == "--":
			words = words[1:]
			if len(words) > skip {
				f.start(l, words[skip:], p)
			}
			return
		case flag:
			took, ended, code := l.flag(w.text)
			if code && len(words) > 1 && words[1].plain() {
				f.parse(words[1].text, p.apart())
			}
			if ended || code {
				return
			}
			words = words[min(took, len(words)):]
		case l.assigns && strings.Contains(w.text, "="):
			words = words[1:]
		case skip > 0:
			skip--
			words = words[1:]
		case w.text == "-" && !l.program:
			words = nil
		default:
			f.start(l, words, p)
			return
		}
	}
	if input != "" && !l.program && !l.sourced {
		f.add(p, input)
	}
}

// start is what stands behind a launcher's flags: a command, or a script.
func (f *finder) start(l launcher, words []word, p *place) {
	switch {
	case l.program:
		if l.sub != "" {
			if words[0].text != l.sub {
				return
			}
			// What follows is a command, or a script that its name tells.
			if words = words[1:]; len(words) > 0 && words[0].plain() {
				f.add(p, words[0].text)
			}
		}
		f.run(words, "", p.apart())
	case words[0].plain():
		f.add(p, words[0].text)
	}
}
