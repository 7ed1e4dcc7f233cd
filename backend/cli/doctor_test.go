package cli

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"hearth/backend/claude"
	"hearth/backend/logs"
	"hearth/backend/store"
)

type doctored struct {
	OK       bool      `json:"ok"`
	Findings []finding `json:"findings"`
}

func (h *house) doctor() (map[string]finding, result) {
	h.t.Helper()
	r := h.run("doctor", "--json")
	var got doctored
	if err := json.Unmarshal([]byte(r.stdout), &got); err != nil {
		h.t.Fatalf("%v: %+v", err, r)
	}
	if got.OK != (r.code == exitDone) {
		h.t.Errorf("ok is %t, the status %d", got.OK, r.code)
	}
	out := map[string]finding{}
	for _, f := range got.Findings {
		out[f.Name] = f
		if !f.OK && f.Fix == "" {
			h.t.Errorf("%s is missing, and no word how to get it", f.Name)
		}
	}
	return out, r
}

// tree is what is in a folder, with its contents.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var out strings.Builder
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.Type().IsRegular() { // a pipe can't be read
			out.WriteString(path + " " + d.Type().String() + "\n")
			return nil
		}
		text, err := os.ReadFile(path)
		out.WriteString(path + " " + string(text) + "\n")
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return out.String()
}

func TestDoctor(t *testing.T) {
	h := newHouse(t)
	h.env["ANTHROPIC_API_KEY"] = "k"

	// Before the first start: fine, and nothing is made.
	got, r := h.doctor()
	if r.code != exitDone || !got["data folder"].OK || !got["database"].OK || got["running"].OK || !got["claude"].OK || got["claude"].Detail != "/bin/claude (2.1.332)" || !got["signed in"].OK {
		t.Errorf("at first: %+v", r)
	}
	if _, err := os.Stat(h.dir); !os.IsNotExist(err) {
		t.Errorf("the data folder was made: %v", err)
	}

	// With a database and no Hearth: it is opened, and left as it was.
	h.ok("channels", "create", "x")
	before := tree(t, h.dir)
	got, r = h.doctor()
	if r.code != exitDone || !got["database"].OK {
		t.Errorf("with a database: %+v", r)
	}
	if tree(t, h.dir) != before {
		t.Error("the doctor changed the data folder")
	}

	// With a Hearth that runs.
	address, server := h.serve()
	got, r = h.doctor()
	if r.code != exitDone || !got["running"].OK || !strings.Contains(got["running"].Detail, address) || !strings.Contains(got["database"].Detail, "1 channel") {
		t.Errorf("with a server: %+v", r)
	}
	server.interrupt()
	server.end()

	// Words for people.
	h.located = claude.ErrNotFound
	text := h.run("doctor")
	if text.code != exitDone || !strings.Contains(text.stdout, "missing  claude        not found\n                       install it with `npm install") || !strings.Contains(text.stdout, "ok       data folder   "+h.dir+"\n") {
		t.Errorf("for people: %+v", text)
	}
	h.located = errors.Join(errors.New("/x/claude --version: exit status 1"), claude.ErrNotFound)
	h.env[claude.PathVariable] = "/x/claude"
	if got, _ := h.doctor(); !strings.Contains(got["claude"].Detail, "/x/claude --version") || !strings.Contains(got["claude"].Fix, "unset it") {
		t.Errorf("one that does not run: %+v", got["claude"])
	}
}

func TestDoctorFindsFaults(t *testing.T) {
	h := newHouse(t)
	database := filepath.Join(h.dir, "hearth.db")
	h.ok("channels", "create", "x")

	// What is no database of Hearth's, or not whole. Each is said by the doctor and by
	// the others alike, at once, and nothing is changed.
	text, err := os.ReadFile(database)
	if err != nil {
		t.Fatal(err)
	}
	scrambled := append([]byte{}, text...)
	page := rootPage(t, database, "permissions_binding")
	for at := (page - 1) * 4096; at < page*4096; at++ {
		scrambled[at] = 0xA5
	}
	for _, test := range []struct {
		name string
		make func() error
		says string
	}{
		{"garbage", func() error { return os.WriteFile(database, []byte("this is no database"), 0o600) }, "is no database"},
		{"cut off", func() error { return os.WriteFile(database, text[:5000], 0o600) }, "is damaged"},
		{"scrambled", func() error { return os.WriteFile(database, append(text[:100:100], make([]byte, 9000)...), 0o600) }, "is damaged"},
		{"another program's", func() error { return execute(database, "PRAGMA application_id = 7") }, "is the database of another program"},
		{"a newer Hearth's", func() error {
			return errors.Join(os.WriteFile(database, text, 0o600), execute(database, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (9000, 1)"))
		}, "was written by a newer Hearth (its schema is version 9000"},
		{"a folder", func() error { return os.Mkdir(database, 0o700) }, "is a folder, not a file"},
		{"a pipe", func() error { return syscall.Mkfifo(database, 0o600) }, "is a named pipe, not a file"},
		{"a device", func() error { return os.Symlink("/dev/zero", database) }, "is a device, not a file"},
		{"a link to nothing", func() error { return os.Symlink("/nowhere", database) }, "is a link to /nowhere, which is not there"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := errors.Join(os.RemoveAll(database), test.make()); err != nil {
				t.Fatal(err)
			}
			before := tree(t, h.dir)
			got, r := h.doctor()
			if f := got["database"]; r.code != exitFailed || f.OK || !strings.HasPrefix(f.Detail, database+" "+test.says) {
				t.Errorf("the doctor: %+v", f)
			}
			for _, command := range []string{"channels", "serve"} {
				r := h.run(command)
				if r.code != exitFailed || !strings.Contains(r.stderr, test.says) || strings.Contains(r.stderr, "in use") {
					t.Errorf("%s: %+v", command, r)
				}
			}
			if tree(t, h.dir) != before {
				t.Error("the data folder was changed")
			}
		})
	}

	// Damage in the middle, which nobody has met yet, nor meets at its start: beside a Hearth that runs, too.
	if err := errors.Join(os.RemoveAll(database), os.WriteFile(database, scrambled, 0o600)); err != nil {
		t.Fatal(err)
	}
	got, r := h.doctor()
	if f := got["database"]; r.code != exitFailed || f.OK || !strings.HasPrefix(f.Detail, database+" is damaged") || !strings.Contains(f.Fix, "backup") {
		t.Errorf("damage in the middle: %+v", f)
	}
	_, server := h.serve()
	got, r = h.doctor()
	if f := got["database"]; r.code != exitFailed || f.OK || !strings.HasPrefix(f.Detail, database+" is damaged") {
		t.Errorf("damage in the middle, and a Hearth that runs: %+v", f)
	}
	server.interrupt()
	server.end()
	if err := os.WriteFile(database, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, r := h.doctor(); r.code != exitDone || !got["database"].OK {
		t.Errorf("put right: %+v", got["database"])
	}

	// Pipes in place of what else is there.
	for name, what := range map[string]string{serverName: "running", logs.Name: "log"} {
		path := filepath.Join(h.dir, name)
		if err := errors.Join(os.RemoveAll(path), syscall.Mkfifo(path, 0o600)); err != nil {
			t.Fatal(err)
		}
		if got, _ := h.doctor(); got[what].OK || !strings.Contains(got[what].Detail, path+" is not a file") {
			t.Errorf("%s is a pipe: %+v", name, got[what])
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}

	// A folder that is a link to nothing, or below one.
	link := filepath.Join(h.work, "link")
	if err := os.Symlink("/nowhere/data", link); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{link, filepath.Join(link, "below")} {
		h.env["HEARTH_DATA_DIR"] = dir
		if got, r := h.doctor(); r.code != exitFailed || got["data folder"].OK || !strings.HasPrefix(got["data folder"].Detail, link+" is a link to /nowhere/data, which is not there") {
			t.Errorf("%s: %+v", dir, got["data folder"])
		}
		if r := h.run("channels"); r.code != exitFailed || !strings.Contains(r.stderr, link+" is a link to /nowhere/data, which is not there") {
			t.Errorf("%s: %+v", dir, r)
		}
	}

	// A folder that is a file.
	h.env["HEARTH_DATA_DIR"] = database
	if got, r := h.doctor(); r.code != exitFailed || got["data folder"].OK {
		t.Errorf("a file as the folder: %+v", got["data folder"])
	}
	h.env["HEARTH_DATA_DIR"] = filepath.Join(database, "below")
	if got, r := h.doctor(); r.code != exitFailed || got["data folder"].OK {
		t.Errorf("a folder below a file: %+v", got["data folder"])
	}
}

// A Hearth that was killed leaves a log: it is read too, in a copy.
func TestDoctorReadsTheLogOfACrash(t *testing.T) {
	h := newHouse(t)
	h.ok("channels", "create", "x")
	running, err := store.Open(t.Context(), store.Options{Path: filepath.Join(h.dir, "hearth.db")})
	if err != nil {
		t.Fatal(err)
	}
	crashed := t.TempDir()
	for _, name := range []string{"hearth.db", "hearth.db-wal"} {
		if err := copyFile(filepath.Join(crashed, name), filepath.Join(h.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := running.Close(); err != nil {
		t.Fatal(err)
	}
	h.env["HEARTH_DATA_DIR"] = crashed
	path := filepath.Join(crashed, "hearth.db")
	if store.Settled(path) {
		t.Fatal("there is no log: the test shows nothing")
	}
	before := tree(t, crashed)
	if got, r := h.doctor(); r.code != exitDone || got["database"].Detail != path {
		t.Errorf("whole: %+v", got["database"])
	}
	if tree(t, crashed) != before {
		t.Error("the doctor changed the data folder")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := len(text) - 4096; at < len(text); at++ {
		text[at] = 0xA5
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	before = tree(t, crashed)
	got, r := h.doctor()
	if f := got["database"]; r.code != exitFailed || f.OK || !strings.HasPrefix(f.Detail, path+" is damaged") {
		t.Errorf("damaged: %+v", f)
	}
	if tree(t, crashed) != before {
		t.Error("the doctor changed the data folder")
	}
}

// execute changes a database behind Hearth's back. Package store brings the driver.
func execute(path, statement string) error {
	pool, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}
	_, err = pool.Exec(statement)
	return errors.Join(err, pool.Close())
}

// rootPage is the page of a database at which a table or an index begins, from 1.
func rootPage(t *testing.T, path, name string) (page int) {
	t.Helper()
	pool, err := sql.Open("sqlite", path)
	if err == nil {
		err = errors.Join(pool.QueryRow("SELECT rootpage FROM sqlite_master WHERE name = ?", name).Scan(&page), pool.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	return page
}

func TestDoctorAsksWhetherSignedIn(t *testing.T) {
	h := newHouse(t)
	client := filepath.Join(h.work, "claude")
	for _, test := range []struct {
		name, script string
		ok           bool
		says         string
	}{
		{"yes", `[ "$*" = "auth status --json" ] && echo '{"loggedIn":true,"authMethod":"claude.ai"}'`, true, "by claude.ai"},
		{"no", `echo '{"loggedIn":false,"authMethod":"none"}'; exit 1`, false, "no"},
		{"an old client", `echo 'unknown command' >&2; exit 2`, false, "does not say"},
		{"something else", `echo '{"version":1}'`, false, "does not say"},
	} {
		if err := os.WriteFile(client, []byte("#!/bin/sh\n"+test.script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		settings := filepath.Join(h.env["HOME"], ".claude.json")
		_ = os.Remove(settings)
		a := h.app(nil, nil)
		if f := a.checkSignedIn(context.Background(), client); f.OK || !strings.Contains(f.Detail, "never started") {
			t.Errorf("never started: %+v", f)
		}
		if err := os.WriteFile(settings, []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
		if f := a.checkSignedIn(context.Background(), client); f.OK != test.ok || !strings.Contains(f.Detail, test.says) || f.Required {
			t.Errorf("%s: %+v", test.name, f)
		}
	}
}
