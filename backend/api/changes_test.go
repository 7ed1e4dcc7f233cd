package api

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"hearth/backend/changes"
	"hearth/backend/chat"
	"hearth/backend/run"
)

func (f *fake) Changes(ctx context.Context, id string) (run.Run, []run.ChangeView, error) {
	unlock, err := f.at("Changes")
	unlock()
	if err != nil {
		return run.Run{}, nil, err
	}
	r, err := f.Run(ctx, id)
	return r, f.changes, err
}

func (f *fake) TakeBack(ctx context.Context, id string, t run.Taking) (run.Taken, error) {
	unlock, err := f.at("TakeBack")
	f.did = append(f.did, fmt.Sprintf("take back %s %+v", id, t))
	unlock()
	if err != nil {
		return run.Taken{}, err
	}
	r, err := f.Run(ctx, id)
	taken := run.Taken{Run: r}
	for _, v := range f.changes {
		taken.Moves = append(taken.Moves, run.ChangeMove{ChangeView: v, Deed: run.DeedLeave, Reason: run.ReasonChanged, Lost: changes.Compare([]byte("a\n"), []byte("b\n"), 9)})
	}
	if !t.DryRun {
		taken.Row = &chat.Row{ID: "told"}
	}
	return taken, err
}

func (f *fake) ShowFile(_ context.Context, path string, _ changes.Version) error {
	unlock, err := f.at("ShowFile")
	defer unlock()
	f.did = append(f.did, "show "+path)
	return err
}

func aChange(n int, path, before, after string) run.ChangeView {
	version := func(text string) changes.Version { return changes.Version{Hash: "hash of " + text, Text: []byte(text)} }
	o := changes.Observed{Path: path, Before: version(before), After: version(after)}
	c, _ := changes.Join(changes.Change{}, false, o)
	c.N = n
	return run.ChangeView{Change: c, Standing: run.StandsChanged, Now: version("now"), Later: []run.LaterChange{{RunID: "run4", BindingID: "b2"}}}
}

func into(t *testing.T, a answer, got any) {
	t.Helper()
	if err := json.Unmarshal([]byte(a.body), got); err != nil || a.status != 200 {
		t.Fatalf("%d %v %s", a.status, err, a.body)
	}
}

func TestChangesOfARun(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	c, err := h.Channel(t.Context(), "c1")
	if err != nil {
		t.Fatal(err)
	}
	inside := changes.Resolve(c.Workspace) + "/src/한글.go"
	h.changes = []run.ChangeView{aChange(0, inside, "a\nb\n", "a\nc\n"), aChange(1, "/elsewhere/b\xff", "x\n", strings.Repeat("y\n", 3000))}
	var got struct{ Changes []Change }
	into(t, h.call("GET", "/api/runs/run4/changes", ""), &got)
	first, second := got.Changes[0], got.Changes[1]
	if first.Shown != "src/한글.go" || first.Outside || first.Added != 1 || first.Removed != 1 || len(first.Hunks) != 1 || !first.Kept ||
		first.Later[0].Handle == "" || first.Standing != "changed" {
		t.Errorf("the first: %+v", first)
	}
	if want := (DiffLine{Kind: "removed", Text: "b"}); first.Hunks[0].Lines[1] != want {
		t.Errorf("its lines: %+v", first.Hunks[0].Lines)
	}
	if !second.Outside || second.Added != 3000 || second.Left != 1001 || strings.Contains(second.Path, "\xff") {
		t.Errorf("the second: %d added, %d left, %q", second.Added, second.Left, second.Path)
	}
	into(t, h.call("GET", "/api/runs/run4/changes?lines=0", ""), &got)
	if len(got.Changes[0].Hunks) != 0 || got.Changes[0].Added != 1 {
		t.Errorf("without lines: %+v", got.Changes[0])
	}
	if a := h.call("GET", "/api/runs/none/changes", ""); a.status != 404 {
		t.Errorf("of no run: %d", a.status)
	}
}

func TestUndoChanges(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	h.changes = []run.ChangeView{aChange(0, "/w/a", "a\n", "b\n")}
	var got struct {
		Files []ChangeMove `json:"files"`
		RowID string       `json:"row_id"`
	}
	into(t, h.call("POST", "/api/runs/run4/changes/undo", `{"dry_run":true}`), &got)
	if m := got.Files[0]; got.RowID != "" || m.Reason != "changed" || !m.CanOverwrite || m.Hash != "hash of now" || m.LostAdded != 1 || len(m.Lost) != 1 {
		t.Errorf("a dry run: %+v", got)
	}
	into(t, h.call("POST", "/api/runs/run4/changes/undo", `{"files":[0],"overwrite":[{"n":0,"hash":"hash of now"}],"back":true}`), &got)
	want := []string{"take back run4 {Files:[] Overwrite:map[] Back:false DryRun:true}", "take back run4 {Files:[0] Overwrite:map[0:hash of now] Back:true DryRun:false}"}
	if got.RowID != "told" || !slices.Equal(h.did, want) {
		t.Errorf("%+v, did %q", got, h.did)
	}
	h.fail["TakeBack"] = chat.Errorf(chat.CodeConflict, "The agent is still working on this.")
	if a := h.call("POST", "/api/runs/run4/changes/undo", `{}`); a.status != 409 {
		t.Errorf("%d %s", a.status, a.body)
	}
}

func TestOpenAChangedFile(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	gone, odd := aChange(1, "/w/gone", "a", "b"), aChange(2, "/w/odd", "a", "b")
	gone.Now, odd.Now, odd.Fault = changes.Version{}, changes.Version{}, "is a link"
	h.changes = []run.ChangeView{aChange(0, "/w/a", "a", "b"), gone, odd}
	for n, status := range []int{204, 404, 403, 404} {
		if a := h.call("POST", fmt.Sprintf("/api/runs/run4/changes/%d/open", n), ""); a.status != status {
			t.Errorf("%d: %d %s", n, a.status, a.body)
		}
	}
	if !slices.Equal(h.did, []string{"show /w/a"}) {
		t.Errorf("%q", h.did)
	}
}
