package store

import (
	"database/sql"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hearth/backend/guard"
)

// big are the tables that grow with use. None is ever read from end to end.
var big = []string{"rows", "runs", "run_sent", "run_steps", "run_calls", "permissions", "sessions", "watermarks", "members", "bindings", "turns", "run_models", "run_savings", "process_ends", "tool_calls", "run_changes", "change_texts"}

// scans are the queries that may walk along an index, because it holds few lines
// (it is a partial one) or because a LIMIT ends the walk.
var scans = map[string]string{
	"QueuedKeys":            "runs_queue",
	"HalfEnded":             "runs_running",
	"OpenSessions":          "sessions_open",
	"OpenPermissions":       "permissions_open",
	"NewestOpenPermissions": "permissions_open",
	"PermissionsOfAll":      "permissions_asked",
	"MovingChanges":         "run_changes_going",
}

// TestQueryPlans asks SQLite how it would answer each of our queries.
func TestQueryPlans(t *testing.T) {
	h := newHouse(t)
	queries := queriesOf(t)
	if len(queries) < 60 {
		t.Fatalf("found only %d queries", len(queries))
	}
	for name, query := range queries {
		for _, step := range planOf(t, h.reader, query) {
			table, ok := strings.CutPrefix(step, "SCAN ")
			if !ok {
				continue
			}
			table, how, _ := strings.Cut(table, " ")
			if index, allowed := scans[name]; allowed && strings.Contains(how, "INDEX "+index) {
				delete(scans, name)
				continue
			}
			if slices.Contains(big, table) || scans[name] != "" {
				t.Errorf("%s reads %s from end to end: %s", name, table, step)
			}
		}
	}
	for name, index := range scans {
		t.Errorf("%s does not walk along %s: take it out of the table", name, index)
	}
}

// TestPlansOfATurn says which index answers the queries of a turn and of a page.
func TestPlansOfATurn(t *testing.T) {
	h := newHouse(t)
	queries := queriesOf(t)
	for name, want := range map[string][]string{
		"RowsBefore":   {"SEARCH rows USING INDEX rows_place (channel_id=? AND thread_root_id=? AND created_at<?)"},
		"CountBetween": {"SEARCH rows USING COVERING INDEX rows_place (channel_id=? AND thread_root_id=? AND created_at>? AND created_at<?)", "USE TEMP B-TREE FOR GROUP BY"},
		"NextRun":      {"SEARCH runs USING INDEX runs_queue (binding_id=?)"},
		"HeldRows":     {"SEARCH runs USING INDEX runs_binding (binding_id=? AND ended_at=?)", "SEARCH rows USING INDEX sqlite_autoindex_rows_1 (id=?)"},
		"QueueLengths": {"SEARCH b USING INDEX bindings_channel (channel_id=?)", "SEARCH q USING INDEX runs_binding (binding_id=? AND ended_at=?)", "USE TEMP B-TREE FOR GROUP BY"},
		"Watermarks":   {"SEARCH watermarks USING PRIMARY KEY (binding_id=?)"},
		"LatestThread": {"SEARCH runs USING INDEX runs_native (native=?)"},
		"UnendedRuns":  {"SEARCH runs USING INDEX runs_binding (binding_id=? AND ended_at=?)", "USE TEMP B-TREE FOR ORDER BY"},
		"RowsListed":   {"SEARCH rows USING INDEX sqlite_autoindex_rows_1 (id=?)", "LIST SUBQUERY 1", "SCAN json_each VIRTUAL TABLE INDEX 1:"},
		"RunsBefore":   {"SEARCH runs USING INDEX runs_channel (channel_id=? AND queued_at<?)"},
		"EndsBetween":  {"SEARCH process_ends USING PRIMARY KEY (binding_id=? AND ended_at>? AND ended_at<?)", "LIST SUBQUERY 1", "SCAN json_each VIRTUAL TABLE INDEX 1:", "USE TEMP B-TREE FOR LAST TERM OF ORDER BY"},
		"MainCalls":    {"SEARCH run_calls USING PRIMARY KEY (run_id=?)", "LIST SUBQUERY 1", "SCAN json_each VIRTUAL TABLE INDEX 1:"},
		"RowsFrom":     {"SEARCH rows USING INDEX rows_place (channel_id=? AND thread_root_id=? AND created_at>?)"},
		"AnyBefore":    {"SCAN CONSTANT ROW", "SCALAR SUBQUERY 1", "SEARCH rows USING COVERING INDEX rows_place (channel_id=? AND thread_root_id=? AND created_at<?)"},
		"AnyFrom":      {"SCAN CONSTANT ROW", "SCALAR SUBQUERY 1", "SEARCH rows USING COVERING INDEX rows_place (channel_id=? AND thread_root_id=? AND created_at>?)"},
		"NewestBefore": {"SEARCH rows USING INDEX rows_channel (channel_id=? AND created_at<?)"},
		"RunsOfRow":    {"SEARCH runs USING INDEX runs_row (row_id=?)", "USE TEMP B-TREE FOR ORDER BY"},
		"ShownTo":      {"SEARCH watermarks USING INDEX watermarks_channel (channel_id=?)"},
		"TurnsCompared": {
			"CO-ROUTINE asked",
			"SEARCH t USING INDEX turns_run (run_id=?)",
			"LIST SUBQUERY 1",
			"SCAN json_each VIRTUAL TABLE INDEX 1:",
			"USE TEMP B-TREE FOR GROUP BY",
			"SCAN asked", // one for each agent
			"SEARCH turns USING INDEX turns_compared (binding_id=? AND ended_at>? AND ended_at<?)",
			"CORRELATED SCALAR SUBQUERY 4",
			"CO-ROUTINE before",
			"SEARCH t USING INDEX turns_compared (binding_id=? AND ended_at<?)",
			"SEARCH before",
			"SEARCH runs USING INDEX sqlite_autoindex_runs_1 (id=?)",
			"USE TEMP B-TREE FOR ORDER BY",
		},
		"BeingShownTo": {
			"SEARCH runs USING INDEX runs_running (channel_id=?)",
			"SEARCH staged USING PRIMARY KEY (run_id=?) LEFT-JOIN",
		},
		"Channels": {
			"SCAN channels", // there are few
			"SEARCH newest USING INDEX sqlite_autoindex_rows_1 (id=?) LEFT-JOIN",
			"CORRELATED SCALAR SUBQUERY 3",
			"SEARCH last USING INDEX rows_channel (channel_id=?)",
			"CORRELATED SCALAR SUBQUERY 2",
			"CO-ROUTINE (subquery-1)",
			"SEARCH rows USING COVERING INDEX rows_others (channel_id=? AND created_at>?)",
			"SCAN (subquery-1)",
			"USE TEMP B-TREE FOR ORDER BY",
		},
		"ChannelRead": {
			"SEARCH channels USING INDEX sqlite_autoindex_channels_1 (id=?)",
			"SEARCH newest USING INDEX sqlite_autoindex_rows_1 (id=?) LEFT-JOIN",
			"CORRELATED SCALAR SUBQUERY 3",
			"SEARCH last USING INDEX rows_channel (channel_id=?)",
			"CORRELATED SCALAR SUBQUERY 2",
			"CO-ROUTINE (subquery-1)",
			"SEARCH rows USING COVERING INDEX rows_others (channel_id=? AND created_at>?)",
			"SCAN (subquery-1)",
		},
		"Exchanges": {
			"SEARCH runs USING INDEX runs_binding (binding_id=? AND ended_at>?)",
			"SEARCH asked USING INDEX sqlite_autoindex_rows_1 (id=?) LEFT-JOIN",
			"SEARCH answered USING INDEX sqlite_autoindex_rows_1 (id=?) LEFT-JOIN",
		},
	} {
		if got := planOf(t, h.reader, queries[name]); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// queriesOf reads the queries that are given to sqlc, by name.
func queriesOf(t *testing.T) map[string]string {
	t.Helper()
	argument := regexp.MustCompile(`sqlc\.arg\((\w+)\)`)
	embedded := regexp.MustCompile(`sqlc\.embed\((\w+)\)`)
	queries := map[string]string{}
	for _, file := range must(filepath.Glob("queries/*.sql"))(t) {
		for _, part := range strings.Split(string(must(os.ReadFile(file))(t)), "-- name: ")[1:] {
			head, query, _ := strings.Cut(part, "\n")
			name, _, _ := strings.Cut(head, " ")
			query = embedded.ReplaceAllString(query, "$1.*")
			queries[name] = argument.ReplaceAllString(query, ":$1")
		}
	}
	return queries
}

func planOf(t *testing.T, pool *sql.DB, query string) []string {
	t.Helper()
	var args []any
	seen := map[string]bool{}
	for _, m := range regexp.MustCompile(`:(\w+)`).FindAllStringSubmatch(query, -1) {
		if !seen[m[1]] {
			seen[m[1]] = true
			args = append(args, sql.Named(m[1], ""))
		}
	}
	return explained(t, pool, query, args...)
}

// explained are the steps in which SQLite would answer a query.
func explained(t *testing.T, pool *sql.DB, query string, args ...any) []string {
	t.Helper()
	rows, err := pool.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query, args...)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	var steps []string
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, step)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return steps
}

// The tools that write files are named once, in package guard; a query has them
// written out.
func TestTheQueryOfWritingStepsHasTheToolsThatWrite(t *testing.T) {
	names := "'" + strings.Join(guard.Writers, "', '") + "'"
	if query := queriesOf(t)["WritingSteps"]; !strings.Contains(query, "name IN ("+names+") OR name = 'Bash'") {
		t.Errorf("guard.Writers are %s; the query is\n%s", names, query)
	}
}
