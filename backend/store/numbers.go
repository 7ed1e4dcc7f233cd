package store

import (
	"context"
	"fmt"
)

// counted are the tables that Numbers counts, by what their lines are called.
var counted = []struct{ what, table string }{
	{"channels", "channels"}, {"agents", "bindings"}, {"members", "members"}, {"messages", "rows"}, {"runs", "runs"}, {"steps", "run_steps"},
	{"sessions", "sessions"}, {"permissions", "permissions"}, {"rules", "rules"}, {"watermarks", "watermarks"}, {"turns", "turns"}, {"savings", "run_savings"},
	{"earlier texts of messages", "row_versions"}, {"corrections", "corrections"}, {"lists of commands", "client_commands"},
	{"changes of files", "run_changes"}, {"texts of files", "change_texts"},
}

// Numbers says how much there is of what, how many runs there are in each state
// ("runs failed"), and the version of the schema. It walks through the indexes of
// large tables, which is why it is no query among the others: it is for a report,
// and nothing waits for it.
func (s *Store) Numbers(ctx context.Context) (counts map[string]int64, schema int64, err error) {
	const op = "count what there is"
	counts = map[string]int64{}
	for _, c := range counted {
		var n int64
		if err := s.reader.QueryRowContext(ctx, "SELECT COUNT(*) FROM "+c.table).Scan(&n); err != nil {
			return nil, 0, s.failed(op, err)
		}
		counts[c.what] = n
	}
	states, err := s.reader.QueryContext(ctx, "SELECT state, COUNT(*) FROM runs GROUP BY state")
	if err != nil {
		return nil, 0, s.failed(op, err)
	}
	defer states.Close()
	for states.Next() {
		var state string
		var n int64
		if err := states.Scan(&state, &n); err != nil {
			return nil, 0, s.failed(op, err)
		}
		counts["runs "+state] = n
	}
	if err := states.Err(); err != nil {
		return nil, 0, s.failed(op, err)
	}
	for name, pragma := range map[string]string{"bytes in pages": "page_count", "bytes free": "freelist_count"} {
		var pages, size int64
		if err := s.reader.QueryRowContext(ctx, fmt.Sprintf("SELECT p.%s, s.page_size FROM pragma_%s AS p, pragma_page_size AS s", pragma, pragma)).Scan(&pages, &size); err != nil {
			return nil, 0, s.failed(op, err)
		}
		counts[name] = pages * size
	}
	if err := s.reader.QueryRowContext(ctx, "SELECT MAX(version_id) FROM goose_db_version").Scan(&schema); err != nil {
		return nil, 0, s.failed(op, err)
	}
	return counts, schema, nil
}
