package cli

import (
	"errors"
	"strings"
	"testing"

	"hearth/backend/claude"
)

// A variable that names something else is a mistake to be told of: nothing is
// "not found", and nothing has to be installed.
func TestAVariableThatNamesNoClient(t *testing.T) {
	h := newHouse(t)
	h.ok("channels", "create", "general")
	h.located = &claude.NamedError{Name: "/tmp", Err: errors.New("is a directory")}
	r := h.run("bindings", "add", "general", "one")
	if r.code != exitDone || !strings.Contains(r.stderr, "HEARTH_CLAUDE names /tmp, which is no Claude Code that runs (is a directory). So @one is a stand-in") ||
		!strings.Contains(r.stderr, "Correct HEARTH_CLAUDE") || strings.Contains(r.stderr, "not found") || strings.Contains(r.stderr, "npm") {
		t.Errorf("%+v", r)
	}
	if got, _ := h.doctor(); got["claude"].OK || !strings.Contains(got["claude"].Detail, "HEARTH_CLAUDE names /tmp") {
		t.Errorf("%+v", got["claude"])
	}
}
