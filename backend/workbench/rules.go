package workbench

import "fmt"

// Rules are the words about the workbench that stand in an agent's framing. They
// depend on the name alone (see Bench.Name), and so never change while an agent
// lives; what is in it stands in the index, which is told in turns.
func Rules(name string) string {
	return fmt.Sprintf(rules, shownName(name))
}

const rules = `Workbench: %s holds what outlives a turn; its index comes with a turn when it has news.
- scripts/: look here first. Whatever is run twice goes here, with "# desc: what it does" ("// desc:" where that is a comment) as its first line, after a shebang if there is one.
- artifacts/: output of more than 2,000 characters goes into a file here; reply with its path and what follows from it.
- notes/: one decision a file, with its reason; the first line says what was decided.
- spill/: long tool output that was taken out of the conversation. Read it in parts or search it, never whole.
INDEX.md is generated: never edit it.`
