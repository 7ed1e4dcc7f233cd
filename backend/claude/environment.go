package claude

import (
	"maps"
	"slices"
	"strings"
)

// ownPrefix begins Hearth's own variables, which are no business of an agent's. Package pty adds the mark.
const ownPrefix = "HEARTH_"

// anotherSession are variables by which a Claude Code tells its children that they run inside of it. Hearth may have been
// started from such a terminal; its agents do not belong to that session.
var anotherSession = []string{
	"AI_AGENT", "CLAUDECODE", "CLAUDE_EFFORT", "CLAUDE_PID", "CLAUDE_CODE_CHILD_NOTES_DIR", "CLAUDE_CODE_CHILD_SESSION",
	"CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_EXECPATH", "CLAUDE_CODE_MESSAGING_SOCKET", "CLAUDE_CODE_MESSAGING_TOKEN",
	"CLAUDE_CODE_SESSION_ATTENDED", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_SSE_PORT",
}

// Environment is what an agent is started with: base, "name=value", usually the person's login shell's environment, less
// Hearth's own variables and those of another Claude Code around us; then more, sorted, which replaces what base has.
func Environment(base []string, more map[string]string) []string {
	out := make([]string, 0, len(base)+len(more))
	for _, entry := range base {
		name, _, _ := strings.Cut(entry, "=")
		_, replaced := more[name]
		if replaced || strings.HasPrefix(name, ownPrefix) || slices.Contains(anotherSession, name) {
			continue
		}
		out = append(out, entry)
	}
	for _, name := range slices.Sorted(maps.Keys(more)) {
		out = append(out, name+"="+more[name])
	}
	return out
}
