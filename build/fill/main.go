// Command fill puts many rows into a channel of a data folder, to see how the page
// does with a long history:
//
//	hearth serve                            # once, so that there is a channel; then end it
//	go run ./build/fill -rows 100000 DATA-FOLDER
//
// It writes straight into the database, in one transaction, because the API syncs
// each row to disk; so it takes the folder's lock. Every tenth row is an agent's
// reply, with the run that it came of. All stand before what is there already;
// -unread leaves that many of them unread.
package main

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"hearth/backend/chat"
	"hearth/backend/store" // the lock, the functions; and it brings the driver
)

// bodies are what people write, in several scripts and with everything that
// Markdown has.
var bodies = []string{
	"The cache key needs the commit in it, or two branches share an entry.",
	"재시도 도우미가 두 번째 시도에서 시간을 다시 재지 않는 것 같아요. 로그를 붙여 둘게요.",
	"कैश की कुंजी में शाखा का नाम भी होना चाहिए, नहीं तो दो शाखाएँ एक ही प्रविष्टि बाँटती हैं।",
	"يجب أن يتضمن مفتاح الذاكرة المؤقتة اسم الفرع، وإلا تشارك فرعان إدخالاً واحدًا.",
	"👍🏽 works on my machine 👨‍👩‍👧‍👦 🎉",
	"Two things:\n\n- the helper retries **without** a pause\n- `Retry-After` is read as seconds, always\n\nI would begin with the second.",
	"```go\nfor attempt := range 3 {\n\tif err := do(ctx); err == nil {\n\t\treturn nil\n\t}\n}\n```",
	"| step | before | after |\n|---|---:|---:|\n| read | 41 ms | 12 ms |\n| write | 9 ms | 9 ms |",
	"See https://example.com/a/rather/long/path?with=a&query=string and the note in `docs/decisions/0002-layers.md`.",
	"ok",
}

const reply = "The retry helper counts from the first attempt, so a slow first answer eats the whole budget.\n\n" +
	"1. Read `retry.go`: the deadline is made once, outside the loop.\n2. The test passes because its clock never moves.\n\n" +
	"```diff\n-\tdeadline := time.Now().Add(budget)\n \tfor attempt := range attempts {\n+\t\tdeadline := time.Now().Add(budget)\n```\n\n" +
	"I would move the deadline in, and let the test's clock move."

var people = []string{"", "aiko", "", "min", "", "زينب"}

// settings are what the command line asks for.
type settings struct {
	channel      string
	rows, unread int
	apart        time.Duration // between two rows
}

func main() {
	var s settings
	flag.StringVar(&s.channel, "channel", "general", "the channel's name")
	flag.IntVar(&s.rows, "rows", 100_000, "how many rows")
	flag.IntVar(&s.unread, "unread", 0, "how many of them stay unread")
	flag.DurationVar(&s.apart, "apart", 40*time.Second, "time between two rows")
	flag.Parse()
	if flag.NArg() != 1 || s.rows < 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := fill(context.Background(), flag.Arg(0), s); err != nil {
		fmt.Fprintln(os.Stderr, "fill:", err)
		os.Exit(1)
	}
}

func fill(ctx context.Context, dir string, s settings) (err error) {
	path := filepath.Join(dir, "hearth.db")
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("start Hearth once on this folder, and end it: %w", err)
	}
	hold, err := store.Lock(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, hold.Release()) }()
	if err := store.AddFunctions(); err != nil { // the index of what is written calls them
		return err
	}
	db, err := sql.Open("sqlite", "file:"+path+"?_time_format=sqlite")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // does nothing once it is committed
	runs, err := write(ctx, tx, s)
	if err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	fmt.Printf("%d rows and %d runs are in #%s now.\n", s.rows, runs, s.channel)
	return nil
}

// write puts in the rows and says how many runs came with them.
func write(ctx context.Context, tx *sql.Tx, s settings) (runs int, err error) {
	var channel, agent, handle string
	if err := tx.QueryRowContext(ctx, "SELECT id FROM channels WHERE name_fold = ? AND archived_at = 0", chat.Fold(s.channel)).Scan(&channel); err != nil {
		return 0, fmt.Errorf("find #%s: %w", s.channel, err)
	}
	err = tx.QueryRowContext(ctx, "SELECT id, handle FROM bindings WHERE channel_id = ? AND deleted_at = 0 ORDER BY created_at LIMIT 1", channel).Scan(&agent, &handle)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, err
	}
	// Hearth's own times only go up, so these end before what is there.
	end := time.Now().Add(-time.Minute).UnixMicro()
	var first sql.NullInt64
	if err := tx.QueryRowContext(ctx, "SELECT min(created_at) FROM rows WHERE channel_id = ?", channel).Scan(&first); err != nil {
		return 0, err
	}
	if first.Valid {
		end = min(end, first.Int64)
	}
	row, err := tx.PrepareContext(ctx, `INSERT INTO rows (id, channel_id, thread_root_id, kind, handle, binding_id, run_id, note, body, created_at)
		VALUES (?, ?, '', ?, ?, ?, ?, '', ?, ?)`)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, row.Close()) }()
	run, err := tx.PrepareContext(ctx, `INSERT INTO runs (id, channel_id, binding_id, row_id, thread_root_id, cause, retry_of, hops, state, temperature, reply_id,
		proven, input, cache_read, cache_write_5m, output, cost_usd, queued_at, started_at, ended_at)
		VALUES (?, ?, ?, ?, '', 'mention', '', 0, 'succeeded', 'warm', ?, 1, ?, ?, ?, ?, ?, ?, ?, ?)`)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, run.Close()) }()

	dice := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same rows each time
	asked := ""
	for i := range s.rows {
		at := end - int64(s.rows-i)*s.apart.Microseconds()
		id := chat.NewID(time.UnixMicro(at))
		if agent != "" && asked != "" && i%10 == 9 {
			runID := chat.NewID(time.UnixMicro(at - 1000))
			_, err = row.ExecContext(ctx, id, channel, "agent", handle, agent, runID, fmt.Sprintf("%s\n\nThis is row %d.", reply, i), at)
			if err == nil {
				_, err = run.ExecContext(ctx, runID, channel, agent, asked, id, dice.IntN(900), dice.IntN(80_000), dice.IntN(2000), dice.IntN(1500), dice.Float64()/10, at-900, at-800, at)
			}
			runs++
		} else {
			who := people[i%len(people)]
			_, err = row.ExecContext(ctx, id, channel, "user", who, "", "", fmt.Sprintf("%s\n\nThis is row %d.", bodies[dice.IntN(len(bodies))], i), at)
			if who == "" {
				asked = id
			}
		}
		if err == nil && i == max(0, s.rows-1-s.unread) && s.unread > 0 {
			_, err = tx.ExecContext(ctx, "UPDATE channels SET read_id = ?, read_at = ? WHERE id = ?", id, at, channel)
		}
		if err != nil {
			return runs, err
		}
	}
	return runs, nil
}
