package cli

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hearth/backend/claude"
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
		if err != nil || d.IsDir() {
			return err
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
	if text.code != exitFailed || !strings.Contains(text.stdout, "MISSING  claude        not found\n                       install it with `npm install") || !strings.Contains(text.stdout, "ok       data folder   "+h.dir+"\n") {
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

	// A database that is none, or another program's.
	text, err := os.ReadFile(database)
	if err != nil {
		t.Fatal(err)
	}
	for name, broken := range map[string][]byte{"garbage": []byte("this is no database"), "cut off": text[:5000], "scrambled": append(append([]byte{}, text[:100]...), make([]byte, 9000)...)} {
		if err := os.WriteFile(database, broken, 0o600); err != nil {
			t.Fatal(err)
		}
		before := tree(t, h.dir)
		got, r := h.doctor()
		if r.code != exitFailed || got["database"].OK || !strings.Contains(got["database"].Detail, "does not open") {
			t.Errorf("%s: %+v", name, got["database"])
		}
		if tree(t, h.dir) != before {
			t.Errorf("%s: the doctor changed the data folder", name)
		}
	}
	if err := os.WriteFile(database, []byte("this is no database"), 0o600); err != nil {
		t.Fatal(err)
	}
	if looksRight(database) {
		t.Error("garbage looks like a database")
	}
	if err := os.WriteFile(database, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if !looksRight(database) {
		t.Error("a good database looks wrong: is its application id still the same?")
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
