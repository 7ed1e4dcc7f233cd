package tool

import "strings"

// Definitions is all that an agent is told of the tools, in one text: when it
// differs between two Hearths, so does what stands at the beginning of each request.
func Definitions() string {
	var text strings.Builder
	for _, d := range definitions {
		text.WriteString(d.name + "\n" + d.description + "\n" + d.schema + "\n")
	}
	return text.String()
}
