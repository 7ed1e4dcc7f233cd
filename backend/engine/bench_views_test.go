package engine

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hearth/backend/api"
	"hearth/backend/chat"
	"hearth/backend/desktop"
	"hearth/backend/event"
	"hearth/backend/run"
	"hearth/backend/store"
	"hearth/backend/workbench"
)

// put writes a file of a workbench.
func put(t *testing.T, bench, path, content string) {
	t.Helper()
	path = filepath.Join(bench, path)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o600)); err != nil {
		t.Fatal(err)
	}
}

func isolated(b *chat.Binding) {
	b.Role, b.Workers = chat.RoleCoordinator, chat.DefaultWorkers()
	b.Workers[1].Isolated = true
}

func (h *house) views() benchViews {
	return benchViews{h.benches, h.store, &desktop.Desktop{Environ: func(context.Context) []string { return h.options.Environ }}, h.runs.Live}
}

func (h *house) benchStates(c chat.Channel) []api.BenchState {
	h.t.Helper()
	states, err := h.views().Workbenches(h.ctx(), c)
	if err != nil {
		h.t.Fatal(err)
	}
	return states
}

// benchPaths are where a channel's workbenches are, in its workspace and outside of it.
func (h *house) benchPaths(c chat.Channel) (inside, outside string) {
	return filepath.Join(h.workspace, workbench.Folder), filepath.Join(h.dir, outsideFolder, c.ID, workbench.Folder)
}

func (h *house) readEntry(c chat.Channel, bench, path string) (from, text string, err error) {
	h.t.Helper()
	f, err := h.views().OpenEntry(h.ctx(), c, bench, path)
	if err != nil {
		return "", "", err
	}
	defer f.Close()
	content, err := io.ReadAll(f)
	return f.Bench, string(content), err
}

func TestBenchesOfAChannel(t *testing.T) {
	h := build(t, nil)
	c := h.channel("general")
	inside, outside := h.benchPaths(c)
	got := h.benchStates(c)
	if len(got) != 1 || got[0].Path != inside || got[0].Name != ".flower" || got[0].Exists || got[0].Outside || got[0].Fault != nil || got[0].Index != "" || len(got[0].BindingIDs) != 0 {
		t.Errorf("at first: %+v", got)
	}
	if _, err := os.Stat(filepath.Dir(outside)); err == nil {
		t.Error("a folder for a workbench that nobody needs was made")
	}

	plain := h.binding(c, "plain", chat.RuntimeStandin)
	boss := h.binding(c, "boss", chat.RuntimeStandin, isolated)
	put(t, inside, "scripts/check.sh", "# desc: run the tests\n")
	put(t, inside, "spill/0123456789abcdef.txt", "long")
	if err := h.store.UseScripts(h.ctx(), inside, store.ScriptUse{Path: "scripts/check.sh", Written: 2}, store.ScriptUse{Path: "scripts/check.sh", Run: 7}); err != nil {
		t.Fatal(err)
	}
	got = h.benchStates(c)
	if len(got) != 2 || got[1].Path != outside || got[1].Name != outside || got[1].Exists || !got[1].Outside || got[1].Fault != nil {
		t.Fatalf("%+v", got)
	}
	if !slices.Equal(got[0].BindingIDs, []string{plain.ID}) || !slices.Equal(got[1].BindingIDs, []string{boss.ID}) {
		t.Errorf("who works where: %q %q", got[0].BindingIDs, got[1].BindingIDs)
	}
	if s := got[0]; !s.Exists || len(s.Inventory.Entries) != 2 || s.Index != workbench.Index(s.Inventory) || !strings.Contains(s.Index, "run the tests") || s.Tokens < 10 || s.Uses["scripts/check.sh"] != (api.ScriptUse{Written: 2, Run: 7}) {
		t.Errorf("%+v", s)
	}

	// What is outside stays to be seen when nobody works there any more.
	put(t, outside, "notes/why.md", "# why\n")
	if _, err := h.store.DeleteBinding(h.ctx(), boss.ID); err != nil {
		t.Fatal(err)
	}
	if got = h.benchStates(c); len(got) != 2 || !got[1].Exists || len(got[1].BindingIDs) != 0 || len(got[1].Inventory.Entries) != 1 {
		t.Errorf("%+v", got)
	}

	// A workspace that is gone is told of, and hides nothing else.
	if err := vanish(h.workspace); err != nil {
		t.Fatal(err)
	}
	if got = h.benchStates(c); got[0].Fault == nil || !strings.Contains(got[0].Fault.Error(), "Bring the folder back, or give the channel another workspace.") || got[1].Fault != nil {
		t.Errorf("%+v", got)
	}
}

func TestOpenEntry(t *testing.T) {
	h := build(t, nil)
	c := h.channel("general")
	h.binding(c, "boss", chat.RuntimeStandin, isolated)
	inside, outside := h.benchPaths(c)
	put(t, inside, "scripts/x", "inside")
	put(t, outside, "scripts/x", "outside")
	put(t, outside, "notes/only", "only outside")
	put(t, h.workspace, "secret", "secret")
	link := filepath.Join(t.TempDir(), "link")
	if err := errors.Join(os.Symlink(h.workspace, link), os.Symlink("../../secret", filepath.Join(inside, "scripts/out"))); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ bench, path, from, text string }{
		{"", "scripts/x", inside, "inside"},
		{"", "./scripts//x", inside, "inside"},
		{"", ".flower/scripts/x", inside, "inside"},
		{"", inside + "/scripts/x", inside, "inside"},
		{"", outside + "/scripts/x", outside, "outside"},
		{outside, "scripts/x", outside, "outside"},
		{"", "notes/only", outside, "only outside"},
	} {
		from, text, err := h.readEntry(c, test.bench, test.path)
		if from != test.from || text != test.text || err != nil {
			t.Errorf("%q in %q: %q %q %v", test.path, test.bench, from, text, err)
		}
	}
	for _, test := range []struct {
		bench, path string
		code        chat.Code
		says        string
	}{
		{"", "", chat.CodeInvalid, "names no file"},
		{"", "scripts/none", chat.CodeNotFound, "no entry scripts/none"},
		{"", "scripts/out", chat.CodeForbidden, "leads out of the workbench"},
		{"", "../secret", chat.CodeForbidden, "outside of the workbench"},
		{"", h.workspace + "/secret", chat.CodeForbidden, "is in no workbench of #general"},
		{"", "/etc/passwd", chat.CodeForbidden, "is in no workbench of #general"},
		{inside, outside + "/scripts/x", chat.CodeForbidden, "is in no workbench of #general"},
		{inside, "notes/only", chat.CodeNotFound, "no entry"},
		{"/etc", "passwd", chat.CodeNotFound, "has no workbench"},
	} {
		if _, text, err := h.readEntry(c, test.bench, test.path); chat.CodeOf(err) != test.code || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%q in %q: %q %v", test.path, test.bench, text, err)
		}
	}
	// Where the workspace is a link, agents may name files by the folder's own path.
	linked, err := h.store.CreateChannel(h.ctx(), chat.Channel{Name: "linked", Workspace: link})
	if err != nil {
		t.Fatal(err)
	}
	if from, text, err := h.readEntry(linked, "", inside+"/scripts/x"); from != link+"/.flower" || text != "inside" || err != nil {
		t.Errorf("%q %q %v", from, text, err)
	}
	if err := vanish(h.workspace); err != nil {
		t.Fatal(err)
	}
	if _, _, err := h.readEntry(c, "", "scripts/y"); chat.CodeOf(err) != chat.CodeConflict || !strings.Contains(err.Error(), "Bring the folder back") {
		t.Errorf("in a workspace that is gone: %v", err)
	}
}

func TestFindEntries(t *testing.T) {
	h := build(t, nil)
	c := h.channel("general")
	h.binding(c, "boss", chat.RuntimeStandin, isolated)
	inside, outside := h.benchPaths(c)
	put(t, inside, "scripts/x", "needle\nneedle\n")
	put(t, outside, "notes/x", "Needle\n")
	find := func(limit int) (from []string, more bool) {
		t.Helper()
		found, more, err := h.views().FindEntries(h.ctx(), c, "needle", limit)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range found {
			from = append(from, m.Bench)
		}
		return from, more
	}
	if got, more := find(10); !slices.Equal(got, []string{inside, inside, outside}) || more {
		t.Errorf("%q %t", got, more)
	}
	if got, more := find(2); !slices.Equal(got, []string{inside, inside}) || !more {
		t.Errorf("%q %t", got, more)
	}
	if _, _, err := h.views().FindEntries(h.ctx(), c, " ", 10); chat.CodeOf(err) != chat.CodeInvalid {
		t.Errorf("nothing to look for: %v", err)
	}
	if err := vanish(h.workspace); err != nil {
		t.Fatal(err)
	}
	if got, more := find(10); !slices.Equal(got, []string{outside}) || !more {
		t.Errorf("without the workspace: %q %t", got, more)
	}
	if err := vanish(filepath.Join(h.dir, outsideFolder)); err != nil {
		t.Fatal(err)
	}
	// The folder outside is made again, with nothing in it.
	if got, more := find(10); len(got) != 0 || !more {
		t.Errorf("without either: %q %t", got, more)
	}
}

// Who looked at a workbench hears of what happens in it.
func TestWorkbenchChangedIsTold(t *testing.T) {
	h := build(t, nil)
	c := h.channel("general")
	inside := filepath.Join(h.workspace, workbench.Folder)
	put(t, inside, "scripts/x", "# desc: x\n")
	h.benchStates(c)
	changed := func(e event.Event) bool { return e.Type == run.EventWorkbenchChanged }
	stands := h.awaitEvent(0, changed)
	if stands.ChannelID != c.ID || stands.Data != (run.WorkbenchChanged{Path: inside}) {
		t.Errorf("%+v", stands)
	}
	put(t, inside, "notes/y.md", "# y\n")
	h.awaitEvent(stands.Seq, changed)
	for {
		text, err := os.ReadFile(filepath.Join(inside, workbench.IndexFile))
		if err == nil && strings.Contains(string(text), "notes/y.md") {
			break
		}
		stands = h.awaitEvent(stands.Seq, changed)
	}
}
