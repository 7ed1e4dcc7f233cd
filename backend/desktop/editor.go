package desktop

import (
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"hearth/backend/chat"
	"hearth/backend/plain"
	"hearth/backend/pty"
)

// maxCommand is how many characters the command of an editor may have.
const maxCommand = 1000

// CheckEditor says what is wrong with a command to open files with: it must be a program
// and arguments, without anything that a shell would work out, and show a window of its
// own. "" is none, and right. The error is chat.CodeInvalid.
func CheckEditor(command string) error {
	if command == "" {
		return nil
	}
	words, ok := words(command)
	switch {
	case plain.Length(command) > maxCommand:
		return chat.Errorf(chat.CodeInvalid, "The editor's command has more than %s characters. Put it into a script, and give the script's path.", plain.Grouped(maxCommand))
	case !ok:
		return chat.Errorf(chat.CodeInvalid, "%s is no program with arguments, such as code --new-window. Variables, pipes and the like are not understood: put them into a script, and give the script's path.", shown(command))
	case strings.Contains(words[0], "/") && !filepath.IsAbs(words[0]):
		return chat.Errorf(chat.CodeInvalid, "%s is neither a program's name nor an absolute path.", shown(words[0]))
	case inTerminal(words):
		return chat.Errorf(chat.CodeInvalid, "%s needs a terminal, and Hearth has none to give it. Name an editor with a window of its own, or a terminal that starts it, such as x-terminal-emulator -e vim.", shown(command))
	}
	return nil
}

// editor is the command of the person's editor: the chosen one, or what the environment
// says, as far as that can be used without a terminal. Empty: the desktop decides.
func editor(chosen string, env []string) ([]string, error) {
	if chosen != "" {
		if err := CheckEditor(chosen); err != nil {
			return nil, err
		}
		command, _ := words(chosen)
		return command, nil
	}
	for _, name := range []string{"VISUAL", "EDITOR"} {
		command, ok := words(pty.Variable(env, name))
		if !ok || inTerminal(command) {
			continue
		}
		if _, err := pty.LookPath(command[0], env); err == nil {
			return command, nil
		}
	}
	return nil, nil
}

// words are those of a command without anything for a shell to work out.
func words(command string) ([]string, bool) {
	if strings.ContainsFunc(command, plain.Hidden) || plain.Length(command) > maxCommand {
		return nil, false
	}
	file, err := syntax.NewParser().Parse(strings.NewReader(command), "")
	if err != nil || len(file.Stmts) != 1 {
		return nil, false
	}
	s := file.Stmts[0]
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 || len(call.Assigns) > 0 || len(s.Redirs) > 0 || s.Background || s.Negated || s.Coprocess {
		return nil, false
	}
	all := make([]string, len(call.Args))
	for i, arg := range call.Args {
		if all[i], ok = literal(arg.Parts); !ok {
			return nil, false
		}
	}
	return all, all[0] != ""
}

// literal is a word that stands for itself.
func literal(parts []syntax.WordPart) (string, bool) {
	var out strings.Builder
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			escaped := false
			for _, r := range p.Value {
				if r == '\\' && !escaped {
					escaped = true
					continue
				}
				if !escaped && strings.ContainsRune("*?[~", r) {
					return "", false
				}
				escaped = false
				out.WriteRune(r)
			}
		case *syntax.SglQuoted:
			if p.Dollar {
				return "", false
			}
			out.WriteString(p.Value)
		case *syntax.DblQuoted:
			inner, ok := literal(p.Parts)
			if !ok {
				return "", false
			}
			out.WriteString(inner)
		default:
			return "", false
		}
	}
	return out.String(), true
}

// forTerminals are editors that need a terminal, by what they are called.
var forTerminals = []string{
	"vi", "vim", "nvim", "view", "vimdiff", "ex", "elvis", "nano", "pico", "rnano", "micro", "hx", "helix", "kak", "joe", "jed", "ne", "mcedit", "mc", "ed", "red",
	"sed", "less", "more", "most", "cat", "bat", "tilde", "dte", "amp", "vis", "zile", "mg", "editor", "sensible-editor", "jmacs", "jpico", "jstar", "rvim", "rview",
}

// inTerminal says whether an editor needs a terminal. Some can be told to open a window,
// and some not to.
func inTerminal(command []string) bool {
	name, flags := filepath.Base(command[0]), command[1:]
	has := func(any ...string) bool {
		return slices.ContainsFunc(flags, func(f string) bool { return slices.Contains(any, f) })
	}
	switch name {
	case "vi", "vim", "view", "vimdiff":
		return !has("-g")
	case "emacs":
		return has("-nw", "--no-window-system", "-t")
	case "emacsclient":
		return has("-t", "-tty", "--tty", "-nw")
	}
	return slices.Contains(forTerminals, name)
}
