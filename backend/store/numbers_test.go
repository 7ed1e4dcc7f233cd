package store

import (
	"slices"
	"strings"
	"testing"
)

// Every table is counted, or is here: it has as much in it as one that is.
func TestEveryTableIsCountedOrBelongsToOneThatIs(t *testing.T) {
	h := newHouse(t)
	parts := []string{
		"meta", "run_sent", "run_calls", "run_models", "staged", "staged_index", "index_marks", "processes", "process_ends", "script_uses", "tool_calls",
	}
	tables := must(h.reader.QueryContext(t.Context(), "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'goose_%'"))(t)
	defer tables.Close()
	found := 0
	for tables.Next() {
		var name string
		if err := tables.Scan(&name); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(name, "search") { // the index of the search, and what it is made of
			continue
		}
		found++
		is := slices.ContainsFunc(counted, func(c struct{ what, table string }) bool { return c.table == name })
		if is == slices.Contains(parts, name) {
			t.Errorf("%s is counted: %t", name, is)
		}
	}
	if err := tables.Err(); err != nil || found < len(counted) {
		t.Errorf("%d tables, %v", found, err)
	}
	counts, _, err := h.Numbers(t.Context())
	if err != nil || counts["agents"] == 0 {
		t.Errorf("%v, %v", counts, err)
	}
}
