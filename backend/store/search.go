package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"math"
	"strings"

	"hearth/backend/chat"
	"hearth/backend/search"
)

const (
	// maxLooked and maxLookedBytes bound the rows that one page looks into for words.
	maxLooked      = 20_000
	maxLookedBytes = 8 << 20
	// maxPrefixed is how many terms of the index may begin with a word of one or two
	// characters. One that begins more stands nearly everywhere: rows are looked at
	// for it, the newest first.
	maxPrefixed = 500
)

// Search finds rows by their words and filters.
//
// The index knows three characters in a row; what has all of those of a word is
// looked at for the word itself. Shorter words, as most of Korean, Chinese and
// Japanese are, are found by the terms that begin with them.
func (s *Store) Search(ctx context.Context, q search.Request) (found search.Results, err error) {
	if q.Limit < 1 {
		return found, chat.Errorf(chat.CodeInvalid, "The limit must be 1 or more; got %d.", q.Limit)
	}
	tx, err := s.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return found, s.failed("search", err)
	}
	defer tx.Rollback() //nolint:errcheck // nothing was written
	match, none, err := matching(ctx, tx, q.Words)
	if err != nil || none {
		return found, s.failed("search", err)
	}
	statement, args, err := searchStatement(q, match)
	if err != nil {
		return found, s.failed("search", err)
	}
	rows, err := tx.QueryContext(ctx, statement, args...)
	if err != nil {
		return found, s.failed("search", err)
	}
	defer rows.Close()
	looked, bytes := 0, 0
	for last := int64(0); rows.Next(); {
		if len(found.Rows) == q.Limit || looked == maxLooked || bytes > maxLookedBytes {
			found.Cursor = last
			break
		}
		var at, created, edited int64
		var row chat.Row
		err := rows.Scan(&at, &row.ID, &row.ChannelID, &row.ThreadRootID, &row.Kind, &row.Handle, &row.BindingID, &row.RunID, &row.Note, &row.Body, &created, &edited)
		if err != nil {
			return search.Results{}, s.failed("search", err)
		}
		if search.Found(row.Body, q.Words) {
			row.CreatedAt, row.EditedAt = timeOf(created), timeOf(edited)
			found.Rows = append(found.Rows, row)
		}
		last, looked, bytes = at, looked+1, bytes+len(row.Body)
	}
	if err := rows.Err(); err != nil {
		return search.Results{}, s.failed("search", err)
	}
	return found, nil
}

// matching is what the index is asked for words, "" when that would say nothing;
// none says that no row has them.
func matching(ctx context.Context, tx *sql.Tx, words []string) (match string, none bool, err error) {
	var all []string
	for _, word := range words {
		if !search.Short(word) {
			for _, term := range search.Terms(word) {
				all = append(all, search.Quoted(term))
			}
			continue
		}
		terms, err := prefixed(ctx, tx, word)
		switch {
		case err != nil:
			return "", false, err
		case len(terms) == 0:
			return "", true, nil
		case len(terms) <= maxPrefixed:
			all = append(all, "("+strings.Join(terms, " OR ")+")")
		}
	}
	return strings.Join(all, " AND "), false, nil
}

// prefixed are the terms of the index that begin with a word, quoted, and at most one
// more than maxPrefixed.
func prefixed(ctx context.Context, tx *sql.Tx, word string) (terms []string, err error) {
	rows, err := tx.QueryContext(ctx, "SELECT term FROM search_terms WHERE term >= ? AND term < ? LIMIT ?", word, word+"\U0010ffff", maxPrefixed+1)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var term string
		if err := rows.Scan(&term); err != nil {
			return nil, err
		}
		terms = append(terms, search.Quoted(term))
	}
	return terms, rows.Err()
}

// searchStatement is written here and not in queries: sqlc knows neither the column
// that a full-text table is asked by nor a row's own number.
func searchStatement(q search.Request, match string) (statement string, args []any, err error) {
	var out strings.Builder
	and := func(condition string, values ...any) {
		out.WriteString(" AND " + condition)
		args = append(args, values...)
	}
	cursor := q.Cursor
	if cursor == 0 {
		cursor = math.MaxInt64
	}
	// CROSS JOIN has SQLite begin with the index, and so in its order.
	from := "FROM rows NOT INDEXED"
	if match != "" {
		from = "FROM search CROSS JOIN rows ON rows.rowid = search.rowid"
		and("search MATCH ?", match)
		and("search.rowid < ?", cursor)
	} else {
		and("rows.rowid < ?", cursor)
	}
	// Of a deleted row the place is left, and nothing to find.
	and("rows.deleted_at = 0")
	if !q.Since.IsZero() {
		and("rows.created_at >= ?", micros(q.Since))
	}
	if !q.Before.IsZero() {
		and("rows.created_at < ?", micros(q.Before))
	}
	if q.InThread {
		and("rows.thread_root_id <> ''")
	}
	channels, err := json.Marshal(q.ChannelIDs)
	if err != nil {
		return "", nil, err
	}
	and("rows.channel_id IN (SELECT value FROM json_each(?))", string(channels))
	if len(q.From) > 0 {
		handles, err := json.Marshal(q.From)
		if err != nil {
			return "", nil, err
		}
		and("name_fold(rows.handle) IN (SELECT value FROM json_each(?))", string(handles))
	}
	order := " ORDER BY rows.rowid DESC"
	if match != "" {
		order = " ORDER BY search.rowid DESC"
	}
	columns := "rows.rowid, id, channel_id, thread_root_id, kind, handle, binding_id, run_id, note, rows.body, created_at, edited_at "
	return "SELECT " + columns + from + " WHERE " + strings.TrimPrefix(out.String(), " AND ") + order, args, nil
}
