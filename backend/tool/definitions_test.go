package tool

import (
	"strings"
	"testing"
)

func TestDefinitionsHaveAllThatIsTold(t *testing.T) {
	text := Definitions()
	for _, d := range definitions {
		for _, want := range []string{d.name, d.description, d.schema} {
			if strings.Count(text, want) == 0 {
				t.Errorf("%s: %q is missing", d.name, want)
			}
		}
	}
}
