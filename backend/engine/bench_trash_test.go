package engine

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hearth/backend/api"
	"hearth/backend/chat"
	"hearth/backend/event"
	"hearth/backend/run"
	"hearth/backend/store"
	"hearth/backend/workbench"
)

func freely(b *chat.Binding) { b.PermissionMode, b.SpillOver = "bypassPermissions", 4000 }

// origin is what is known to have written a file.
func (h *house) origin(c chat.Channel, path string) (api.Origin, bool) {
	h.t.Helper()
	f, err := h.views().OpenEntry(h.ctx(), c, "", path)
	if err != nil {
		h.t.Fatal(err)
	}
	defer f.Close()
	o, ok, err := h.views().Origin(h.ctx(), c, f.Bench, f.Path, f.Modified)
	if err != nil {
		h.t.Fatal(err)
	}
	return o, ok
}

// An agent hears in its next turn that a person deleted a file, and that it is there
// again.
func TestAnAgentHearsOfWhatIsDeleted(t *testing.T) {
	h := build(t, nil)
	c := h.channel("general")
	h.binding(c, "one", chat.RuntimeStandin)
	inside, _ := h.benchPaths(c)
	put(t, inside, "scripts/check.sh", "# desc: run the tests\n")
	if text := h.text(h.ask(c, "@one hello")); !strings.Contains(text, "scripts/check.sh — run the tests") {
		t.Fatalf("the first turn:\n%s", text)
	}
	deleted, refused, err := h.views().DeleteEntries(h.ctx(), c, "", []string{".flower/scripts/check.sh"})
	if err != nil || len(refused) > 0 || len(deleted) != 1 {
		t.Fatal(deleted, refused, err)
	}
	if text := h.text(h.ask(c, "@one again")); !strings.Contains(text, "\n- scripts/check.sh") || strings.Contains(text, workbench.TrashFolder) {
		t.Errorf("the turn after it was deleted:\n%s", text)
	}
	if as, err := h.views().RestoreEntry(h.ctx(), c, inside, deleted[0].ID, "scripts/check.sh", ""); err != nil || as != "scripts/check.sh" {
		t.Fatal(as, err)
	}
	if text := h.text(h.ask(c, "@one and now")); !strings.Contains(text, "\n+ scripts/check.sh — run the tests") {
		t.Errorf("the turn after it was restored:\n%s", text)
	}
}

func TestDeleteEntries(t *testing.T) {
	h := build(t, nil)
	c := h.channel("general")
	h.binding(c, "boss", chat.RuntimeStandin, isolated)
	inside, outside := h.benchPaths(c)
	put(t, inside, "spill/x.txt", "inside")
	put(t, outside, "notes/only", "outside")
	put(t, outside, "spill/x.txt", "outside")
	h.benchStates(c)
	last := h.bus.Last()
	deleted, refused, err := h.views().DeleteEntries(h.ctx(), c, "", []string{"spill/x.txt", "notes/only", "notes/none", "/etc/passwd", "INDEX.md", inside + "/../../x"})
	if err != nil {
		t.Fatal(err)
	}
	var went []string
	for _, d := range deleted {
		went = append(went, d.Bench+" "+d.Path)
	}
	if !slices.Equal(went, []string{inside + " spill/x.txt", outside + " notes/only"}) {
		t.Errorf("%q", went)
	}
	codes := map[string]chat.Code{}
	for _, r := range refused {
		codes[r.Path] = chat.CodeOf(r.Err)
	}
	for path, want := range map[string]chat.Code{"notes/none": chat.CodeNotFound, "/etc/passwd": chat.CodeForbidden, "INDEX.md": chat.CodeInvalid, inside + "/../../x": chat.CodeForbidden} {
		if codes[path] != want || len(refused) != 4 {
			t.Errorf("%s: %q, all %+v", path, codes[path], refused)
		}
	}
	// Spilled texts are not watched: who shows them is told all the same.
	h.awaitEvent(last, func(e event.Event) bool {
		return e.Type == run.EventWorkbenchChanged && e.Data == run.WorkbenchChanged{Path: inside}
	})
	if _, _, err := h.views().DeleteEntries(h.ctx(), c, "/etc", []string{"passwd"}); chat.CodeOf(err) != chat.CodeNotFound {
		t.Errorf("%v", err)
	}
	all, err := h.views().Deleted(h.ctx(), c)
	if err != nil || len(all) != 2 {
		t.Errorf("%+v %v", all, err)
	}
	if _, err := h.views().RestoreEntry(h.ctx(), c, "", deleted[0].ID, "spill/x.txt", outside+"/spill/y.txt"); chat.CodeOf(err) != chat.CodeForbidden {
		t.Errorf("from one workbench into another: %v", err)
	}
	if as, err := h.views().RestoreEntry(h.ctx(), c, "", deleted[1].ID, outside+"/notes/only", ".flower/notes/again"); err != nil || as != "notes/again" {
		t.Error(as, err)
	}
	if err := vanish(h.workspace); err != nil {
		t.Fatal(err)
	}
	if all, err = h.views().Deleted(h.ctx(), c); err != nil || len(all) != 0 {
		t.Errorf("without the workspace: %+v %v", all, err)
	}
}

// What has been in the trash for as long as the person says is gone when something is
// deleted, and when the workbench is looked at again.
func TestTheTrashIsEmptied(t *testing.T) {
	h := build(t, nil)
	c := h.channel("general")
	inside, _ := h.benchPaths(c)
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	h.benches.clock = func() time.Time { return now } // nobody looks at the workbench yet
	remove := func(path string) {
		t.Helper()
		put(t, inside, path, "x")
		if _, refused, err := h.views().DeleteEntries(h.ctx(), c, "", []string{path}); err != nil || len(refused) > 0 {
			t.Fatal(refused, err)
		}
	}
	paths := func() (paths []string) {
		t.Helper()
		all, err := h.views().Deleted(h.ctx(), c)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range all {
			paths = append(paths, d.Path)
		}
		return paths
	}
	if err := h.store.SetWorkbenchSettings(h.ctx(), workbench.Settings{TrashDays: 2}); err != nil {
		t.Fatal(err)
	}
	b, err := workbench.Open(h.workspace)
	if err != nil {
		t.Fatal(err)
	}
	put(t, inside, "notes/old", "x")
	for path, at := range map[string]time.Time{"notes/old": now.Add(-49 * time.Hour), "notes/recent": now.Add(-47 * time.Hour)} {
		put(t, inside, path, "x")
		if _, _, err := b.Delete([]string{path}, at); err != nil {
			t.Fatal(err)
		}
	}
	remove("notes/new")
	if got := paths(); !slices.Equal(got, []string{"notes/new", "notes/recent"}) {
		t.Errorf("%q", got)
	}
}

// Which run wrote a file is known of what was spilled and of what a command's output was
// sent to; such a script counts as written.
func TestOriginOfAFile(t *testing.T) {
	h := build(t, nil)
	c := h.channel("general")
	b := h.binding(c, "one", chat.RuntimeStandin, freely)
	inside, _ := h.benchPaths(c)
	long := h.ask(c, "@one /long 6000")
	savings, err := h.store.RunSavings(h.ctx(), long.ID)
	if err != nil || len(savings) == 0 {
		t.Fatalf("%+v %v", savings, err)
	}
	savings = slices.DeleteFunc(savings, func(s run.Saving) bool { return s.Kind != run.SavingSpill })
	spilled := "spill/" + filepath.Base(savings[0].Path)
	if o, ok := h.origin(c, spilled); !ok || o.RunID != long.ID || o.BindingID != b.ID || o.Handle != "one" || o.ChannelID != c.ID || o.Command != "seq 1 6000" || o.Tool != "Bash" || o.StepID == "" {
		t.Errorf("%+v %t", o, ok)
	}
	command := "printf '# desc: by the shell\\n' > .flower/scripts/x.sh"
	shell := h.ask(c, "@one /bash "+command)
	if o, ok := h.origin(c, "scripts/x.sh"); !ok || o.RunID != shell.ID || o.Command != command || o.Tool != "Bash" {
		t.Errorf("%+v %t", o, ok)
	}
	uses, err := h.store.ScriptUses(h.ctx(), inside)
	if want := (store.ScriptUse{Path: "scripts/x.sh", Written: 1}); err != nil || uses["scripts/x.sh"] != want {
		t.Errorf("%+v %v", uses, err)
	}
	// A channel with the same workspace shows the same files.
	other, err := h.store.CreateChannel(h.ctx(), chat.Channel{Name: "other", Workspace: c.Workspace})
	if err != nil {
		t.Fatal(err)
	}
	if o, ok := h.origin(other, spilled); !ok || o.RunID != long.ID || o.ChannelID != c.ID {
		t.Errorf("%+v %t", o, ok)
	}
	// Nothing is guessed: neither of a file that nobody names, nor of one that was written
	// at another time.
	put(t, inside, "artifacts/by-hand", "x")
	before := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(inside, "scripts/x.sh"), before, before); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"artifacts/by-hand", "scripts/x.sh"} {
		if o, ok := h.origin(c, path); ok {
			t.Errorf("%s: %+v", path, o)
		}
	}
}

func TestFieldOf(t *testing.T) {
	for input, want := range map[string]string{
		`{"file_path":"/w/x","content":"a`:                 "/w/x",
		`{"old":{"file_path":"/no"},"file_path":"/w/한\n"}`: "/w/한\n",
		`{"notebook_path":"/w/n"}`:                         "/w/n",
		`{"file_path":"/w/cut`:                             "",
		`{"file_path":7}`:                                  "",
		`{"content":"cut`:                                  "",
		`["file_path","/w/x"]`:                             "",
		``:                                                 "", `null`: "", `{`: "", `{"a"`: "",
	} {
		if got := fieldOf(input, "file_path", "notebook_path"); got != want {
			t.Errorf("%s: %q", input, got)
		}
	}
}

// A file is opened in the editor that was chosen, by its path and never by a shell.
func TestShowEntry(t *testing.T) {
	bin, log := t.TempDir(), filepath.Join(t.TempDir(), "log")
	program := "#!/bin/sh\nprintf '%s\\n' \"$@\" > " + log + "\n"
	if err := errors.Join(os.WriteFile(filepath.Join(bin, "edit"), []byte(program), 0o700), os.WriteFile(filepath.Join(bin, "xdg-open"), []byte(program), 0o700), os.WriteFile(filepath.Join(bin, "open"), []byte(program), 0o700)); err != nil {
		t.Fatal(err)
	}
	h := build(t, func(o *Options) { o.Environ = append(o.Environ, "PATH="+bin+":"+os.Getenv("PATH"), "DISPLAY=:99") })
	c := h.channel("general")
	inside, _ := h.benchPaths(c)
	put(t, inside, "scripts/a b;$(x).sh", "#!/bin/sh\n")
	show := func(folder bool) (string, error) {
		t.Helper()
		f, err := h.views().OpenEntry(h.ctx(), c, "", "scripts/a b;$(x).sh")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := h.views().ShowEntry(h.ctx(), f, folder); err != nil {
			return "", err
		}
		text, err := os.ReadFile(log)
		return string(text), err
	}
	if err := h.store.SetWorkbenchSettings(h.ctx(), workbench.Settings{Editor: "edit --new", TrashDays: 7}); err != nil {
		t.Fatal(err)
	}
	if got, err := show(false); err != nil || got != "--new\n"+inside+"/scripts/a b;$(x).sh\n" {
		t.Errorf("%q %v", got, err)
	}
	if got, err := show(true); err != nil || !strings.HasSuffix(strings.TrimSuffix(got, "\n"), "/scripts") && !strings.Contains(got, "-R") {
		t.Errorf("%q %v", got, err)
	}
}
