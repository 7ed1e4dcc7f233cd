package store

import (
	"bytes"
	"database/sql"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"hearth/backend/chat"
	"hearth/backend/golden"
	"hearth/backend/run"
)

func TestOpenMakesFolderAndFileForTheOwnerAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "data")
	path := filepath.Join(dir, "hearth.db")
	s := openAt(t, path, nil)
	must(s.CreateChannel(t.Context(), chat.Channel{Name: "a", Workspace: "/a"}))(t) // so that the log is there
	for name, want := range map[string]os.FileMode{
		dir: 0o700 | os.ModeDir, path: 0o600, path + "-wal": 0o600, path + "-shm": 0o600,
	} {
		info := must(os.Stat(name))(t)
		if info.Mode() != want {
			t.Errorf("%s has mode %v, want %v", name, info.Mode(), want)
		}
	}
}

func TestOpenTightensAFileOthersCanRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hearth.db")
	if err := openAt(t, path, nil).Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	openAt(t, path, nil)
	if got := must(os.Stat(path))(t).Mode(); got != 0o600 {
		t.Errorf("mode %v, want 0600", got)
	}
}

func TestOpenTakesAnyPath(t *testing.T) {
	for _, name := range []string{"a b", "what?mode=memory", "50%20 off#1", "한글 폴더", "it's \"here\";--", "file:x"} {
		path := filepath.Join(t.TempDir(), name, "hearth.db")
		s := openAt(t, path, nil)
		made := must(s.CreateChannel(t.Context(), chat.Channel{Name: name, Workspace: "/a"}))(t)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(path); err != nil {
			t.Errorf("%q: the database is not where it was asked for: %v", name, err)
		}
		again := openAt(t, path, nil)
		if got, err := again.Channel(t.Context(), made.ID); err != nil || got != made {
			t.Errorf("%q: got %v, %v after opening again, want %v", name, got, err, made)
		}
	}
}

func TestOpenSetsUpItsConnections(t *testing.T) {
	s := newHouse(t).Store
	for _, c := range []struct {
		pool   *sql.DB
		pragma string
		want   string
	}{
		{s.writer, "journal_mode", "wal"},
		{s.writer, "foreign_keys", "1"},
		{s.writer, "busy_timeout", "10000"},
		{s.writer, "fullfsync", "1"},
		{s.writer, "application_id", itoa(applicationID)},
		{s.reader, "query_only", "1"},
		{s.reader, "busy_timeout", "10000"},
	} {
		var got string
		if err := c.pool.QueryRowContext(t.Context(), "PRAGMA "+c.pragma).Scan(&got); err != nil || got != c.want {
			t.Errorf("%s is %q (%v), want %q", c.pragma, got, err, c.want)
		}
	}
	if n := s.writer.Stats().MaxOpenConnections; n != 1 {
		t.Errorf("%d writers, want 1", n)
	}
	if _, err := s.reader.ExecContext(t.Context(), "DELETE FROM channels"); err == nil {
		t.Error("a reader can write")
	}
}

// A durability that stuck from the change before would make a relaxed post.
func TestEachChangeSaysItsDurability(t *testing.T) {
	h := newHouse(t)
	level := func() (level int) {
		t.Helper()
		if err := h.writer.QueryRowContext(t.Context(), "PRAGMA synchronous").Scan(&level); err != nil {
			t.Fatal(err)
		}
		return level
	}
	const normal, full = 1, 2
	r := h.queue("", "one")
	if level() != full {
		t.Errorf("a post ran with synchronous=%d", level())
	}
	h.begin(r, "s1", run.Sent{})
	if level() != normal {
		t.Errorf("a beginning ran with synchronous=%d", level())
	}
	h.succeed(r, "done")
	if level() != full {
		t.Errorf("an end ran with synchronous=%d", level())
	}
}

func TestOpenRefuses(t *testing.T) {
	garbage := bytes.Repeat([]byte("this is no database. "), 400)
	for _, c := range []struct {
		name string
		make func(t *testing.T, path string)
		want chat.Code
		says string
	}{
		{"garbage", func(t *testing.T, path string) { write(t, path, garbage) }, chat.CodeInternal, "is no database"},
		{"garbage behind a good head", func(t *testing.T, path string) {
			closed(t, path)
			write(t, path, append(must(os.ReadFile(path))(t)[:100], garbage...))
		}, chat.CodeInternal, "damaged"},
		{"a database cut short", func(t *testing.T, path string) {
			closed(t, path)
			write(t, path, must(os.ReadFile(path))(t)[:8192])
		}, chat.CodeInternal, "damaged"},
		{"another program's database", func(t *testing.T, path string) {
			execute(t, path, "CREATE TABLE bookmarks (url TEXT); INSERT INTO bookmarks VALUES ('x')")
		}, chat.CodeConflict, "another program"},
		{"another program's empty database", func(t *testing.T, path string) {
			execute(t, path, "PRAGMA application_id = 7")
		}, chat.CodeConflict, "another program"},
		{"a newer schema", func(t *testing.T, path string) {
			closed(t, path)
			execute(t, path, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (9000, 1)")
		}, chat.CodeConflict, "newer Hearth (its schema is version 9000"},
		{"a version without its tables", func(t *testing.T, path string) {
			pretend(t, path, 2, "")
		}, chat.CodeConflict, "calls itself a database of Hearth, but has no table bindings. "},
		{"a version with one of its tables", func(t *testing.T, path string) {
			pretend(t, path, 2, "CREATE TABLE bindings AS SELECT 1 AS id")
		}, chat.CodeConflict, "but has no column base_url in its table bindings. "},
		{"an old version without its tables", func(t *testing.T, path string) {
			pretend(t, path, 1, "CREATE TABLE bookmarks (url TEXT)")
		}, chat.CodeConflict, "but has no table bindings. "},
		{"a version below all", func(t *testing.T, path string) {
			pretend(t, path, -7, "CREATE TABLE bookmarks (url TEXT)")
		}, chat.CodeConflict, "calls itself a database of Hearth, but has no schema version"},
		{"a version that is no number", func(t *testing.T, path string) {
			pretend(t, path, 0, "CREATE TABLE bookmarks (url TEXT); UPDATE goose_db_version SET version_id = 'two'")
		}, chat.CodeConflict, "calls itself a database of Hearth, but has no schema version"},
		{"no version, and tables", func(t *testing.T, path string) {
			execute(t, path, "PRAGMA application_id = "+itoa(applicationID)+"; CREATE TABLE bookmarks (url TEXT)")
		}, chat.CodeConflict, "calls itself a database of Hearth, but has no schema version"},
		{"versions in a table of another shape", func(t *testing.T, path string) {
			execute(t, path, "PRAGMA application_id = "+itoa(applicationID)+"; CREATE TABLE goose_db_version (url TEXT)")
		}, chat.CodeConflict, "calls itself a database of Hearth, but has no schema version"},
		{"a column that is gone", func(t *testing.T, path string) {
			closed(t, path)
			execute(t, path, "ALTER TABLE rows DROP COLUMN edited_at")
		}, chat.CodeConflict, "but has no column edited_at in its table rows. "},
		{"a column that is gone, and no mark", func(t *testing.T, path string) {
			closed(t, path)
			execute(t, path, "ALTER TABLE rows DROP COLUMN edited_at; DELETE FROM meta")
		}, chat.CodeConflict, "but has no column edited_at in its table rows. "},
		{"a step that can't be taken", func(t *testing.T, path string) {
			closed(t, path)
			execute(t, path, "DELETE FROM goose_db_version WHERE version_id > 1; DROP TABLE channels")
		}, chat.CodeConflict, "but has no table channels. "},
		{"a folder", func(t *testing.T, path string) {
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
		}, chat.CodeConflict, "is a folder, not a file"},
		{"a named pipe", func(t *testing.T, path string) { pipe(t, path) }, chat.CodeConflict, "is a named pipe, not a file"},
		{"a socket", func(t *testing.T, path string) {
			must(net.Listen("unix", path))(t)
		}, chat.CodeConflict, "is a socket, not a file"},
		{"a link to a device", func(t *testing.T, path string) { link(t, "/dev/null", path) }, chat.CodeConflict, "is a device, not a file"},
		{"a link to nothing", func(t *testing.T, path string) { link(t, "/nowhere/hearth.db", path) }, chat.CodeConflict, "is a link to /nowhere/hearth.db, which is not there"},
		{"a link in a circle", func(t *testing.T, path string) { link(t, path, path) }, chat.CodeInternal, "too many"},
		{"a pipe for a log", func(t *testing.T, path string) {
			closed(t, path)
			pipe(t, path+"-wal")
		}, chat.CodeConflict, "-wal is a named pipe, not a file"},
		{"a pipe for a journal", func(t *testing.T, path string) {
			closed(t, path)
			pipe(t, path+"-journal")
		}, chat.CodeConflict, "-journal is a named pipe, not a file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "hearth.db")
			c.make(t, path)
			before := contents(t, dir)
			s, err := Open(t.Context(), Options{Path: path})
			if err == nil {
				t.Error(s.Close())
				t.Fatal("it was opened")
			}
			wantCode(t, err, c.want)
			for _, part := range []string{c.says, path} {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q does not say %q", err, part)
				}
			}
			if after := contents(t, dir); !mapsEqual(before, after) {
				t.Errorf("the folder was changed: %v, then %v", keysOf(before), keysOf(after))
			}
			if checked := Check(t.Context(), path); checked == nil || err.Error() != "open store: "+checked.Error() && err.Error() != checked.Error() {
				t.Errorf("a check says %v, and not %v", checked, err)
			}
		})
	}
}

// pretend makes a database that says that it has a version of Hearth's schema.
func pretend(t *testing.T, path string, version int, tables string) {
	t.Helper()
	execute(t, path, "PRAGMA application_id = "+itoa(applicationID)+
		"; CREATE TABLE goose_db_version (id INTEGER PRIMARY KEY AUTOINCREMENT, version_id INTEGER NOT NULL, is_applied INTEGER NOT NULL, tstamp TIMESTAMP DEFAULT (datetime('now')))"+
		"; INSERT INTO goose_db_version (version_id, is_applied) VALUES ("+itoa(version)+", 1); "+tables)
}

// A first start that broke off is gone on with.
func TestOpenAfterAFirstStartThatBrokeOff(t *testing.T) {
	for name, make := range map[string]func(t *testing.T, path string){
		"an empty file": func(t *testing.T, path string) { write(t, path, nil) },
		"our mark":      func(t *testing.T, path string) { execute(t, path, "PRAGMA application_id = "+itoa(applicationID)) },
		"no step taken": func(t *testing.T, path string) { pretend(t, path, 0, "") },
	} {
		path := filepath.Join(t.TempDir(), "hearth.db")
		make(t, path)
		if err := Check(t.Context(), path); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		must(openAt(t, path, nil).Channels(t.Context(), false))(t)
	}
}

// A crash leaves the newest changes in the log. What looks at a file must read
// them, and must not be why they go.
func TestOpenAfterACrashReadsTheLog(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	s := openAt(t, filepath.Join(from, "hearth.db"), nil)
	made := must(s.CreateChannel(t.Context(), chat.Channel{Name: "kept", Workspace: "/a"}))(t)
	for name, content := range contents(t, from) { // as a crash would leave it
		if name != "hearth.db-shm" {
			write(t, filepath.Join(to, name), []byte(content))
		}
	}
	if len(contents(t, to)["hearth.db-wal"]) == 0 {
		t.Fatal("there is no log: the test shows nothing")
	}
	path := filepath.Join(to, "hearth.db")
	if _, err := inspect(t.Context(), path, looking{alone: true}); err != nil {
		t.Fatal(err)
	}
	got, err := openAt(t, path, nil).Channel(t.Context(), made.ID)
	if err != nil || got != made {
		t.Errorf("got %v, %v, want %v", got, err, made)
	}
}

// Damage in the middle shows when it is read.
func TestDamageMetLaterNamesTheFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "hearth.db")
	s := openAt(t, path, nil)
	c := must(s.CreateChannel(t.Context(), chat.Channel{Name: "a", Workspace: "/a"}))(t)
	for range 50 {
		_, _, err := s.Post(t.Context(), chat.Row{ChannelID: c.ID, Kind: chat.KindUser, Body: strings.Repeat("x", 3000)}, nil)
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	scramble(t, path)
	s = openAt(t, path, nil)
	_, _, err := s.Rows(t.Context(), chat.Place{ChannelID: c.ID}, "", 100)
	if err == nil || !strings.Contains(err.Error(), "damaged") || !strings.Contains(err.Error(), path) {
		t.Errorf("got %v", err)
	}
}

func TestOpenRefusesAPersonsOwnDataInATest(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_DATA_HOME", filepath.Join(dir, "xdg"))
	usual := must(DefaultDir())(t)
	if !strings.HasPrefix(usual, dir) {
		t.Fatalf("the usual place is %s, outside of HOME", usual)
	}
	if _, err := Open(t.Context(), Options{Path: filepath.Join(usual, "hearth.db")}); err == nil || !strings.Contains(err.Error(), "own data") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(usual); err == nil {
		t.Error("the folder was made")
	}
	if _, err := Open(t.Context(), Options{}); err == nil {
		t.Error("no path was taken for a path")
	}
}

func TestClosedStoreAnswersWithErrors(t *testing.T) {
	h := newHouse(t)
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Channel(t.Context(), h.channel.ID); err == nil {
		t.Error("a closed store can be read")
	}
	if _, _, err := h.Post(t.Context(), chat.Row{ChannelID: h.channel.ID, Kind: chat.KindUser, Body: "x"}, nil); err == nil {
		t.Error("a closed store can be written")
	}
}

func TestSchemaGolden(t *testing.T) {
	h := newHouse(t)
	rows, err := h.reader.QueryContext(t.Context(), "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'goose%' AND name NOT LIKE 'sqlite%' ORDER BY tbl_name, type DESC, name")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var got bytes.Buffer
	for rows.Next() {
		var statement string
		if err := rows.Scan(&statement); err != nil {
			t.Fatal(err)
		}
		got.WriteString(statement + ";\n")
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	// A change of the schema is a new file in migrations; then run the test with -update.
	golden.Equal(t, "schema.golden.sql", got.String())
}

// sqlc counts bytes where it should count characters.
func TestStatementsAreASCII(t *testing.T) {
	files := append(must(filepath.Glob("migrations/*.sql"))(t), must(filepath.Glob("queries/*.sql"))(t)...)
	if len(files) < 5 {
		t.Fatalf("found only %v", files)
	}
	for _, name := range files {
		if i := bytes.IndexFunc(must(os.ReadFile(name))(t), func(r rune) bool { return r > 126 }); i >= 0 {
			t.Errorf("%s has a character that is not ASCII at byte %d", name, i)
		}
	}
}

// closed leaves an ordinary database behind, with something in it.
func closed(t *testing.T, path string) {
	t.Helper()
	s := openAt(t, path, nil)
	must(s.CreateChannel(t.Context(), chat.Channel{Name: "a", Workspace: "/a"}))(t)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func execute(t *testing.T, path, statements string) {
	t.Helper()
	pool := must(sql.Open("sqlite", path))(t)
	if _, err := pool.ExecContext(t.Context(), statements); err != nil {
		t.Fatal(err)
	}
	if err := pool.Close(); err != nil {
		t.Fatal(err)
	}
}

func pipe(t *testing.T, path string) {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, to, path string) {
	t.Helper()
	if err := os.Symlink(to, path); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, entry := range must(os.ReadDir(dir))(t) {
		if entry.Type().IsRegular() {
			files[entry.Name()] = string(must(os.ReadFile(filepath.Join(dir, entry.Name())))(t))
		}
	}
	return files
}

func mapsEqual(a, b map[string]string) bool {
	return slices.Equal(keysOf(a), keysOf(b)) && !slices.ContainsFunc(keysOf(a), func(k string) bool { return a[k] != b[k] })
}

func keysOf[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
