package cli

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"hearth/backend/api"
	"hearth/backend/chat"
	"hearth/backend/store"
	"hearth/backend/workbench"
)

// realHouse is a house with the real engine, which has workbenches.
func realHouse(t *testing.T) *house {
	t.Helper()
	h := newHouse(t)
	h.engine = openEngine
	return h
}

// put writes a file of the workbench of the folder that commands are started in.
func (h *house) put(path, content string) {
	h.t.Helper()
	path = filepath.Join(h.work, workbench.Folder, path)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o600), os.Chtimes(path, epoch, epoch)); err != nil {
		h.t.Fatal(err)
	}
}

func TestWorkbenchCommands(t *testing.T) {
	h := realHouse(t)
	h.do("workbench")
	h.ok("channels", "create", "general")
	h.do("workbench")
	h.put("scripts/check.sh", "#!/bin/sh\n# desc: run the \x1b[31mtests\ngo test ./...\n")
	h.put("notes/왜.md", "# Sessions are cookies\r\nbecause\x1b[2J\n")
	h.put("artifacts/empty", "")
	h.put("artifacts/binary", "a\x00b\n")
	h.put("artifacts/no newline\u202e", "x\r")
	h.put("spill/0123456789abcdef.txt", strings.Repeat("line of a failing TEST\n", 3))
	if err := errors.Join(os.Symlink("/etc/passwd", ".flower/scripts/out"), syscall.Mkfifo(".flower/scripts/fifo", 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".flower/scripts/out", ".flower/scripts/fifo"} {
		when := unix.NsecToTimespec(epoch.UnixNano())
		if err := unix.UtimesNanoAt(unix.AT_FDCWD, name, []unix.Timespec{when, when}, unix.AT_SYMLINK_NOFOLLOW); err != nil {
			t.Fatal(err)
		}
	}
	ctx := context.Background()
	s, err := store.Open(ctx, store.Options{Path: filepath.Join(h.dir, "hearth.db")})
	if err != nil {
		t.Fatal(err)
	}
	use := store.ScriptUse{Path: "scripts/check.sh", Written: 3, Run: 1200}
	if err := errors.Join(s.UseScripts(ctx, filepath.Join(h.work, ".flower"), use), s.Close()); err != nil {
		t.Fatal(err)
	}
	h.do("workbench")
	h.do("workbench", "list", "--channel", "general", "--kind", "artifacts", "--limit", "1")
	h.do("workbench", "list", "--channel", "general", "--kind", "artifacts", "--limit", "1", "--offset", "1")
	h.do("workbench", "list", "--kind", "spill")
	h.do("workbench", "list", "--kind", "notes", "--json")
	h.do("workbench", "show", "notes/왜.md", "--json")
	h.term = true
	h.do("workbench", "show", "scripts/check.sh")
	h.do("workbench", "show", ".flower/notes/왜.md")
	h.do("workbench", "show", "artifacts/no newline\u202e")
	h.do("workbench", "show", "artifacts/empty")
	h.do("workbench", "show", "artifacts/binary")
	h.do("workbench", "show", "scripts/none")
	h.do("workbench", "show", "scripts/out")
	h.term = false
	h.do("workbench", "show", "scripts/fifo")
	h.do("workbench", "show", "../../etc/passwd")
	h.do("workbench", "show", "/etc/passwd")
	h.do("workbench", "find", "test")
	h.do("workbench", "find", "failing", "test", "--limit", "2")
	h.do("workbench", "find", "no such thing")
	h.do("workbench", "find", "cookies", "--json")
	h.do("workbench", "find", " ")
	h.do("workbench", "find")
	h.do("workbench", "find", "x", "--limit", "0")
	h.do("workbench", "show")
	h.do("workbench", "show", "scripts/check.sh", "--offset", "3")
	h.do("workbench", "show", "scripts/check.sh", "--offset", "-3")
	h.do("workbench", "show", "scripts/check.sh", "--bench", "/etc")
	h.do("workbench", "list", "--kind", "spells")
	h.do("workbench", "list", "--limit", "0")
	h.do("workbench", "list", "--offset", "-1")
	h.do("workbench", "list", "--channel", "nowhere")
	h.ok("channels", "create", "other")
	h.do("workbench")
	h.golden("workbench.txt")
}

// To a pipe every byte goes as it is, however large the file, with a Hearth that runs
// and without one.
func TestWorkbenchShowToAPipe(t *testing.T) {
	h := realHouse(t)
	h.ok("channels", "create", "general", "--workspace", ".")
	large := strings.Repeat("0123456789abcde\n", partBytes/16) + "\xff\x00\x1b[31m and the rest"
	for _, content := range []string{"", "a\x00b\xff", large[:partBytes], large} {
		h.put("artifacts/x", content)
		if out := h.ok("workbench", "show", "artifacts/x"); out != content {
			t.Errorf("%d bytes came as %d", len(content), len(out))
		}
	}
	_, server := h.serve()
	if out := h.ok("workbench", "show", filepath.Join(h.work, ".flower/artifacts/x"), "--channel", "general"); out != large {
		t.Errorf("over loopback: %d bytes came as %d", len(large), len(out))
	}
	h.term = true
	for begins, line := range map[string]string{"": "한", "ab": "x"} { // the first piece would end in the middle of a character, and of an end of line
		h.put("artifacts/x", begins+strings.Repeat(line+"\r\n", 400_000))
		if out := h.ok("workbench", "show", "artifacts/x"); out != begins+strings.Repeat(line+"\n", 400_000) {
			t.Errorf("%q: %d bytes were printed", line, len(out))
		}
	}
	server.interrupt()
	server.end()
}

// What is deleted can be restored, and nothing newer is replaced.
func TestWorkbenchDelete(t *testing.T) {
	h := realHouse(t)
	h.ok("channels", "create", "general")
	h.put("scripts/old.sh", "old")
	h.put("notes/왜.md", "why")
	if out := h.ok("workbench", "deleted"); out != "Nothing that was deleted is left to restore.\n" {
		t.Errorf("%q", out)
	}
	r := h.run("workbench", "delete", ".flower/scripts/old.sh", "notes/왜.md", "notes/none", "INDEX.md")
	if r.code != exitFailed || !strings.Contains(r.stdout, "Deleted notes/왜.md. Until ") || !strings.Contains(r.stderr, "There is no entry notes/none") || !strings.Contains(r.stderr, "can't be deleted") {
		t.Errorf("%+v", r)
	}
	var got struct{ Deleted []api.WorkbenchDeleted }
	if err := json.Unmarshal([]byte(h.ok("workbench", "deleted", "--json")), &got); err != nil || len(got.Deleted) != 2 {
		t.Fatalf("%v %+v", err, got)
	}
	id := got.Deleted[0].ID
	h.put("scripts/old.sh", "new")
	if r := h.run("workbench", "restore", id, "scripts/old.sh"); r.code != exitFailed || !strings.Contains(r.stderr, "There is a file scripts/old.sh by now") {
		t.Errorf("%+v", r)
	}
	if out := h.ok("workbench", "deleted"); !strings.Contains(out, "there is a newer one: restore with --as") {
		t.Errorf("%s", out)
	}
	if out := h.ok("workbench", "restore", id, "scripts/old.sh", "--as", "scripts/older.sh"); out != "Restored scripts/older.sh.\n" {
		t.Errorf("%q", out)
	}
	for path, want := range map[string]string{"scripts/old.sh": "new", "scripts/older.sh": "old"} {
		if out := h.ok("workbench", "show", path); out != want {
			t.Errorf("%s: %q", path, out)
		}
	}
}

func TestWorkbenchSettings(t *testing.T) {
	h := realHouse(t)
	if out := h.ok("workbench", "settings"); out != "Files are opened with: (the graphical $VISUAL or $EDITOR, or the desktop's own)\nDeleted files are kept for 7 days.\n" {
		t.Errorf("%q", out)
	}
	if out := h.ok("workbench", "settings", "--editor", "code -r", "--trash-days", "1"); out != "Files are opened with: code -r\nDeleted files are kept for 1 day.\n" {
		t.Errorf("%q", out)
	}
	if out := h.ok("workbench", "settings", "--editor", "", "--json"); !strings.Contains(out, `"trash_days": 1`) && !strings.Contains(out, `"trash_days":1`) {
		t.Errorf("%q", out)
	}
	for _, args := range [][]string{{"--editor", "vim"}, {"--editor", "a;b"}, {"--trash-days", "0"}} {
		if r := h.run(append([]string{"workbench", "settings"}, args...)...); r.code == 0 || r.stderr == "" {
			t.Errorf("%q: %+v", args, r)
		}
	}
}

// On a terminal a file comes with the run that wrote it last.
func TestWorkbenchShowTellsTheOrigin(t *testing.T) {
	h := newHouse(t)
	var out, errs strings.Builder
	a := h.app(&out, &errs)
	a.showOrigin(nil)
	a.showOrigin(&api.WorkbenchOrigin{Handle: "claude", RunID: "r1", At: epoch, Command: "go test\n\x1b[31m"})
	if got := errs.String(); !strings.HasPrefix(got, "(written by @claude in run r1, ") || !strings.HasSuffix(got, ": go test␊␛[31m)\n") || out.String() != "" {
		t.Errorf("%q %q", got, out.String())
	}
}

// A workspace that is gone is named, and what is outside of it is shown all the same.
func TestWorkbenchOfAChannelWithTwo(t *testing.T) {
	h := realHouse(t)
	h.ok("channels", "create", "general")
	h.put("scripts/x", "inside needle\n")
	h.stdin = `[{"name":"explorer","description":"Finds things.","prompt":"Find it.","tools":["Read"],"isolated":true}]`
	h.ok("bindings", "add", "general", "lead", "--role", "coordinator", "--workers", "-")
	var got benchList
	if err := json.Unmarshal([]byte(h.ok("workbench", "--json")), &got); err != nil || len(got.Workbenches) != 2 {
		t.Fatalf("%v %+v", err, got)
	}
	outside := got.Workbenches[1].Path
	if err := errors.Join(os.MkdirAll(filepath.Join(outside, "notes"), 0o755), os.WriteFile(filepath.Join(outside, "notes/y.md"), []byte("# outside needle\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	out := h.ok("workbench")
	for _, want := range []string{"The workbench of #general: " + h.work + "/.flower\n", "\n\nThe workbench of agents in #general whose workers have worktrees of their own: " + outside + "\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("want %q in %s", want, out)
		}
	}
	if out, want := h.ok("workbench", "find", "needle"), "scripts/x:1: inside needle\nIn "+outside+":\nnotes/y.md:1: # outside needle\n"; out != want {
		t.Errorf("found %q, want %q", out, want)
	}
	if out := h.ok("workbench", "show", outside+"/notes/y.md"); out != "# outside needle\n" {
		t.Errorf("shows %q", out)
	}
	if out := h.ok("workbench", "show", "notes/y.md", "--bench", outside); out != "# outside needle\n" {
		t.Errorf("shows %q", out)
	}
	if err := os.RemoveAll(filepath.Join(h.work, ".flower")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(h.work, ".flower"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r := h.run("workbench")
	if r.code != exitFailed || !strings.Contains(r.stderr, "can't be used as the workbench; move away what stands there") || !strings.Contains(r.stdout, "notes/y.md") {
		t.Errorf("%+v", r)
	}
}

// A file that changes between two parts is not printed as if it were one.
func TestWorkbenchShowOfAFileThatChanges(t *testing.T) {
	h := newHouse(t)
	pieces := 0
	h.engine = func(ctx context.Context, o engineOptions) (Engine, error) {
		e, err := openFake(ctx, o)
		if err == nil {
			fake := e.(*fakeEngine)
			next := fake.handler
			fake.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch filepath.Base(r.URL.Path) {
				case "bytes":
					if r.Header.Get("If-Match") != "" {
						w.WriteHeader(http.StatusPreconditionFailed)
						return
					}
					w.Header().Set("ETag", `"1"`)
					w.Header().Set("Content-Range", "bytes 0-3/8")
					w.WriteHeader(http.StatusPartialContent)
					_, _ = w.Write([]byte("half"))
				case "file":
					pieces++
					text, _ := json.Marshal(api.WorkbenchPiece{Shown: "x", Size: 8, Modified: epoch.Add(time.Duration(pieces) * time.Hour), Next: 4, Text: "half"})
					_, _ = w.Write(text)
				default:
					next.ServeHTTP(w, r)
				}
			})
		}
		return e, err
	}
	h.ok("channels", "create", "general")
	for _, term := range []bool{false, true} {
		h.term = term
		if r := h.run("workbench", "show", "x"); r.code != exitFailed || r.stdout != "half" || !strings.Contains(r.stderr, "was changed while it was") {
			t.Errorf("terminal %t: %+v", term, r)
		}
	}
}

func TestReadWorkers(t *testing.T) {
	h := newHouse(t)
	a := h.app(nil, nil)
	ours := map[string]any{"workers": chat.DefaultWorkers(), "handle": "x"}
	text, err := json.Marshal(ours)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"binding.json": string(text), "list.json": ` [{"name":"a"},{"name":"b"},{}] `, "none.json": "[]"} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		workers, err := a.readWorkers(name)
		if want := map[string]int{"binding.json": 3, "list.json": 3, "none.json": 0}[name]; err != nil || len(workers) != want || workers == nil {
			t.Errorf("%s: %d %v", name, len(workers), err)
		}
	}
	if _, err := a.readWorkers("."); err == nil || !strings.Contains(err.Error(), "read the workers") {
		t.Errorf("a folder: %v", err)
	}
}

// What a binding's JSON says of its workers can be given back.
func TestWorkersRoundTrip(t *testing.T) {
	h := newHouse(t)
	h.ok("channels", "create", "general")
	h.ok("bindings", "add", "general", "lead", "--runtime", "standin", "--role", "coordinator")
	var got struct {
		Bindings []json.RawMessage `json:"bindings"`
	}
	if err := json.Unmarshal([]byte(h.ok("bindings", "list", "general", "--json")), &got); err != nil {
		t.Fatal(err)
	}
	h.stdin = string(got.Bindings[0])
	var changed api.Binding
	if err := json.Unmarshal([]byte(h.ok("bindings", "edit", "general", "lead", "--workers", "-", "--spill-over", "9000", "--json")), &changed); err != nil {
		t.Fatal(err)
	}
	if len(changed.Workers) != len(chat.DefaultWorkers()) || changed.SpillOver != 9000 || changed.Role != "coordinator" || !changed.Glance {
		t.Errorf("%+v", changed)
	}
}
