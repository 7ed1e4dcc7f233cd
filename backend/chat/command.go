package chat

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Command is something an agent's client does by itself when a message is nothing
// but its name, with a slash before it, and what follows. Its texts are the
// client's, cleaned: each is one line and shows what it holds.
type Command struct {
	Name        string   // without the slash, without white space
	Aliases     []string // other names of it
	Hint        string   // what may follow the name, such as [model]
	Description string
	Builtin     bool // the client says that it is its own, and no file's of the person's
}

// CommandClear is the command with which the client leaves its native session for
// another one. Hearth never sends it: it starts the agent fresh instead.
const CommandClear = "clear"

// Named says whether the command goes by a name, to the letter.
func (c Command) Named(name string) bool {
	return name != "" && (c.Name == name || slices.Contains(c.Aliases, name))
}

// CommandIn finds the command that a message is, out of those given: after mentions
// of the handles and white space, a slash, a name and then white space or the end.
// text is the message from the slash on, as it was written. A mention of anyone
// else, a path (/usr/bin), a second slash and a name that is nobody's make it a
// message like any other.
func CommandIn(body string, handles []string, commands []Command) (c Command, text string, ok bool) {
	text = strings.TrimSpace(afterMentions(body, handles))
	rest, slash := strings.CutPrefix(text, "/")
	if !slash {
		return Command{}, "", false
	}
	name := rest
	if end := strings.IndexFunc(rest, unicode.IsSpace); end >= 0 {
		name = rest[:end]
	}
	at := slices.IndexFunc(commands, func(c Command) bool { return c.Named(name) })
	if at < 0 {
		return Command{}, "", false
	}
	return commands[at], text, true
}

// afterMentions is what stands behind the mentions of some handles that a text
// begins with, and the white space between them. A word that is written onto a
// handle (@분석가에게) is part of its mention; a slash is not (@claude/context is the
// name of a package).
func afterMentions(body string, handles []string) string {
	f := newFinder(handles)
	for {
		body = strings.TrimLeftFunc(body, unicode.IsSpace)
		r, size := utf8.DecodeRuneInString(body)
		if r != '@' && r != '＠' || f.at(body[size:], ' ') == "" {
			return body
		}
		rest := strings.TrimLeftFunc(body[size:], HandleRune)
		if next, _ := utf8.DecodeRuneInString(rest); rest != "" && !unicode.IsSpace(next) {
			return body
		}
		body = rest
	}
}
