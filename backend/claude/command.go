package claude

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode"

	"hearth/backend/plain"
)

// Bounds of what is kept of the client's commands: of a list that a plugin or a server can add to.
const (
	maxCommands     = 500
	maxAliases      = 10
	maxCommandName  = 80  // characters
	maxCommandHint  = 120 // likewise
	maxCommandWords = 300 // of a description
)

// Command is a slash command of the client: a message that is "/", its name and what belongs to it is done by the client, or
// made into a prompt by it.
type Command struct {
	Name        string // without the slash
	Aliases     []string
	Hint        string // what may follow the name
	Description string
	Builtin     bool // the client's own; older clients do not say
}

// Commands are the slash commands that the client named last, and when: at its start, and again when some were added or
// taken away (2.1.332 tells, 2.1.197 does not). They are in its order and each name once. Their texts are on one line,
// bounded, and show what they hold. Those that can't be written (a name with white space in it, or with what can't be
// seen) and those that are not for people (__name) are left out.
func (s *Session) Commands() ([]Command, time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.commands), s.commandsAt
}

// commandsAre takes a list of commands up. One that does not say whether a command is the client's own leaves that as it
// was, and none at all is no list: a client always has some. The lock is held.
func (s *Session) commandsAre(said json.RawMessage) {
	now := commandsOf(said)
	if len(now) == 0 {
		return
	}
	own := map[string]bool{}
	for _, c := range s.commands {
		own[c.Name] = c.Builtin
	}
	for i, c := range now {
		now[i].Builtin = c.Builtin || own[c.Name]
	}
	s.commands, s.commandsAt = now, s.opts.Clock()
}

// commandsOf reads the commands out of the answer to `initialize`, or out of `commands_changed`.
func commandsOf(introduced json.RawMessage) []Command {
	var said struct {
		Commands []struct {
			Name        string   `json:"name"`
			Description string   `json:"description"`
			Hint        string   `json:"argumentHint"`
			Aliases     []string `json:"aliases"`
			Builtin     bool     `json:"builtin"`
		} `json:"commands"`
	}
	if len(introduced) == 0 || decode(introduced, &said) != nil {
		return nil
	}
	var out []Command
	taken := map[string]bool{}
	free := func(name string) bool {
		ok := isCommandName(name) && !taken[name]
		taken[name] = taken[name] || ok
		return ok
	}
	for _, c := range said.Commands {
		if len(out) == maxCommands {
			break
		}
		if !free(c.Name) {
			continue
		}
		command := Command{
			Name: c.Name, Builtin: c.Builtin, Hint: inOneLine(c.Hint, maxCommandHint), Description: inOneLine(c.Description, maxCommandWords),
		}
		for _, alias := range c.Aliases {
			if len(command.Aliases) < maxAliases && free(alias) {
				command.Aliases = append(command.Aliases, alias)
			}
		}
		out = append(out, command)
	}
	return out
}

// isCommandName says whether a person can write a name and knows from seeing it what it is.
func isCommandName(name string) bool {
	return name != "" && !strings.HasPrefix(name, "__") && !strings.ContainsRune(name, '/') &&
		plain.Length(name) <= maxCommandName && plain.Name(name) == name && !strings.ContainsFunc(name, unicode.IsSpace)
}

// inOneLine makes a text of the client's fit for a line of a list.
func inOneLine(text string, most int) string {
	kept, cut := plain.Cut(text, 4*most) // what is thrown away need not be cleaned first
	kept = plain.Inline(strings.Join(strings.Fields(kept), " "))
	if cut > 0 {
		kept += " …"
	}
	return plain.Short(kept, most)
}
