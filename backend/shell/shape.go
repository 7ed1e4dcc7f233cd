package shell

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// command returns what the model asked to run, if line is what the client makes of
// it for its Bash tool:
//
//	… && eval 'COMMAND' < /dev/null && pwd -P >| /tmp/claude-1a2b-cwd
//
// Before it stands whatever the client's version, settings and hooks put there: the
// snapshot of the person's shell to source, options, lines of an environment file.
// After the command is the last of it, so the end is what a line is known by: an
// eval of one word that holds no expansion, with its input from /dev/null or as it
// is, then `pwd -P` with the one redirection `>|` to a file that the client names
// claude-*-cwd, or cwd-* in its sandbox. Of the versions, only quoting differs.
func command(line string) (string, bool) {
	if !strings.Contains(line, "pwd -P") {
		return "", false // most of what is no Bash command needs no parsing
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil || len(file.Stmts) == 0 {
		return "", false
	}
	before, last, ok := and(file.Stmts[len(file.Stmts)-1])
	if !ok || !tracksDirectory(last) {
		return "", false
	}
	if _, evals, ok := and(before); ok {
		return evaluated(evals)
	}
	return evaluated(before)
}

// and takes the last part off a chain of &&.
func and(stmt *syntax.Stmt) (before, last *syntax.Stmt, ok bool) {
	chain, ok := stmt.Cmd.(*syntax.BinaryCmd)
	if !ok || chain.Op != syntax.AndStmt || !bare(stmt) || len(stmt.Redirs) > 0 {
		return nil, nil, false
	}
	return chain.X, chain.Y, true
}

// bare says that a statement is neither negated nor in the background.
func bare(stmt *syntax.Stmt) bool {
	return !stmt.Negated && !stmt.Background && !stmt.Coprocess
}

// tracksDirectory knows `pwd -P >| FILE`.
func tracksDirectory(stmt *syntax.Stmt) bool {
	call, ok := simple(stmt, 2)
	if !ok || len(stmt.Redirs) != 1 || call.Args[0].Lit() != "pwd" || call.Args[1].Lit() != "-P" {
		return false
	}
	to := stmt.Redirs[0]
	file, ok := literal(to.Word)
	if !ok || to.Op != syntax.RdrClob || to.N != nil {
		return false
	}
	name := path.Base(file)
	return strings.HasPrefix(name, "claude-") && strings.HasSuffix(name, "-cwd") || strings.HasPrefix(name, "cwd-")
}

// evaluated knows `eval WORD` and `eval WORD < /dev/null`.
func evaluated(stmt *syntax.Stmt) (string, bool) {
	call, ok := simple(stmt, 2)
	if !ok || call.Args[0].Lit() != "eval" || len(stmt.Redirs) > 1 {
		return "", false
	}
	for _, from := range stmt.Redirs {
		if from.Op != syntax.RdrIn || from.N != nil || from.Word.Lit() != "/dev/null" {
			return "", false
		}
	}
	return literal(call.Args[1])
}

// simple is a command of n words and nothing else.
func simple(stmt *syntax.Stmt, n int) (*syntax.CallExpr, bool) {
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	return call, ok && bare(stmt) && len(call.Assigns) == 0 && len(call.Args) == n
}

// literal is what a word without expansions stands for.
func literal(word *syntax.Word) (string, bool) {
	var b strings.Builder
	for _, part := range word.Parts {
		switch part := part.(type) {
		case *syntax.Lit:
			unescape(&b, part.Value, "")
		case *syntax.SglQuoted:
			if part.Dollar {
				return "", false
			}
			b.WriteString(part.Value)
		case *syntax.DblQuoted:
			for _, inner := range part.Parts {
				text, ok := inner.(*syntax.Lit)
				if !ok || part.Dollar {
					return "", false
				}
				unescape(&b, text.Value, "\"\\$`")
			}
		default:
			return "", false
		}
	}
	return b.String(), true
}

// unescape writes a text without the backslashes that quote: before one of only, or
// before anything when only is empty. A quoted end of line is none.
func unescape(b *strings.Builder, text, only string) {
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && (only == "" || text[i+1] == '\n' || strings.IndexByte(only, text[i+1]) >= 0) {
			if i++; text[i] == '\n' {
				continue
			}
		}
		b.WriteByte(text[i])
	}
}
