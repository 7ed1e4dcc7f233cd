package tool

import (
	"encoding/json"
	"strings"
)

// Definitions is all that an agent is told of the tools, in one text: when it
// differs between two Hearths, so does what stands at the beginning of each request.
func Definitions() string {
	var text strings.Builder
	for _, d := range definitions {
		text.WriteString(d.name + "\n" + d.description + "\n" + d.schema + "\n")
	}
	return text.String()
}

// A Description is what an agent is told of one tool.
type Description struct {
	Name   string // as the agent sees it
	Text   string
	Schema json.RawMessage // JSON Schema of the arguments, an object
	Reads  bool            // it changes nothing
}

// Descriptions are what agents are told of the tools, in the order in which they
// are told.
func Descriptions() []Description {
	names := Names()
	out := make([]Description, len(definitions))
	for i, d := range definitions {
		out[i] = Description{Name: names[i], Text: d.description, Schema: json.RawMessage(d.schema), Reads: d.reads}
	}
	return out
}
