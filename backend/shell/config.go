package shell

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"hearth/backend/plain"
)

// Hearth's own variables in the environment of an agent's process, for the helper.
const (
	overVariable    = "HEARTH_SHELL_OVER"
	folderVariable  = "HEARTH_SHELL_FOLDER"
	nameVariable    = "HEARTH_SHELL_NAME"
	recordsVariable = "HEARTH_SHELL_RECORDS"
	thenVariable    = "HEARTH_SHELL_THEN"
)

// PrefixVariable is the client's variable that names the helper.
const PrefixVariable = "CLAUDE_CODE_SHELL_PREFIX"

// Config says what the helper does for one agent's process.
type Config struct {
	// Over is how long the output of a command that failed may be, in characters,
	// before it is spilled: what the binding says. 0 turns it off.
	Over int
	// Folder is where output is spilled to, absolute: spill/ in a workbench. The
	// workbench must be there; spill/ is made. Neither may be a link.
	Folder string
	// Name is what pointers call the folder; empty: Folder.
	Name string
	// Records is the file that a line is appended to for each spill, absolute; it is
	// made if need be. Empty: none.
	Records string
	// Then is the person's own value of CLAUDE_CODE_SHELL_PREFIX, which goes on
	// working behind ours. Empty: none.
	Then string
}

// Environment is what an agent's process is started with, so that the helper at a
// path stands before its commands.
func (c Config) Environment(helper string) map[string]string {
	env := map[string]string{
		PrefixVariable: helper,
		overVariable:   strconv.Itoa(c.Over),
		folderVariable: c.Folder,
	}
	for name, value := range map[string]string{nameVariable: c.Name, recordsVariable: c.Records, thenVariable: c.Then} {
		if value != "" {
			env[name] = value
		}
	}
	return env
}

// fromEnvironment is the Config of Environment, as the helper finds it. What makes
// no sense turns spilling off: a command runs whatever its environment says.
func fromEnvironment() Config {
	over, err := strconv.Atoi(os.Getenv(overVariable))
	c := Config{
		Over: over, Folder: os.Getenv(folderVariable), Name: os.Getenv(nameVariable),
		Records: os.Getenv(recordsVariable), Then: os.Getenv(thenVariable),
	}
	if err != nil || over < 0 || !filepath.IsAbs(c.Folder) {
		c.Over = 0
	}
	if c.Name == "" {
		c.Name = c.Folder
	}
	return c
}

// childEnvironment is what a command gets: base without what Environment added.
func (c Config) childEnvironment(base []string) []string {
	own := []string{overVariable, folderVariable, nameVariable, recordsVariable, thenVariable, PrefixVariable}
	env := slices.DeleteFunc(slices.Clone(base), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return slices.Contains(own, name)
	})
	if c.Then != "" {
		env = append(env, PrefixVariable+"="+c.Then)
	}
	return env
}

// behind puts the person's own prefix before a command line, as the client would:
// what follows the last " -" are arguments of the prefix.
func (c Config) behind(line string) string {
	if c.Then == "" {
		return line
	}
	if at := strings.LastIndex(c.Then, " -"); at > 0 {
		return plain.ShellQuoted(c.Then[:at]) + c.Then[at:] + " " + plain.ShellQuoted(line)
	}
	return plain.ShellQuoted(c.Then) + " " + plain.ShellQuoted(line)
}
