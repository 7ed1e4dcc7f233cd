//go:build e2e

package engine

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hearth/backend/chat"
	"hearth/backend/run"
	"hearth/backend/standin"
	"hearth/backend/store"
)

// results returns what the model was last sent as the result of a tool.
func results(t *testing.T, model *standin.API, native, tool string) string {
	t.Helper()
	entries := requests(model, native)
	slices.Reverse(entries)
	for _, entry := range entries {
		for _, r := range entry.ToolResults() {
			if r.Tool == tool {
				return r.Text
			}
		}
	}
	t.Fatalf("no result of %s was sent", tool)
	return ""
}

// savings returns what a run saved, of one kind.
func (h *house) savings(r run.Run, kind run.SavingKind) []run.Saving {
	h.t.Helper()
	all, err := h.store.RunSavings(h.ctx(), r.ID)
	if err != nil {
		h.t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(s run.Saving) bool { return s.Kind != kind })
}

func coordinator(b *chat.Binding) {
	b.Role, b.Glance, b.Workers, b.SpillOver, b.PermissionMode = chat.RoleCoordinator, true, chat.DefaultWorkers(), chat.DefaultSpillOver, "bypassPermissions"
}

func handsOn(b *chat.Binding) {
	b.SpillOver, b.PermissionMode = chat.DefaultSpillOver, "bypassPermissions"
}

func TestRealCoordinatorsHandsAreDeniedAndItsWorkersPass(t *testing.T) {
	h, model := buildReal(t, nil)
	c := h.channel("backend")
	h.binding(c, "lead", chat.RuntimeClaude, coordinator)

	touch := standin.Use("Bash", map[string]any{"command": "touch by-main", "description": "x"})
	model.Then(touch, standin.Say("I will delegate."))
	r := h.ask(c, "@lead touch it")
	succeeded(t, r)
	if _, err := os.Stat(filepath.Join(h.workspace, "by-main")); err == nil {
		t.Error("the coordinator's own command ran")
	}
	if got := results(t, model, r.Native, "Bash"); !strings.Contains(got, "delegate it with the Agent tool") || !strings.Contains(got, ".flower/artifacts") {
		t.Errorf("the model was told %q", got)
	}
	if s := h.savings(r, run.SavingDenial); len(s) != 1 || s[0].StepID == "" || s[0].Tool != "Bash" || !strings.Contains(s[0].Detail, "more than look") {
		t.Errorf("denials: %+v", s)
	}

	model.ThenSubagent(standin.Use("Bash", map[string]any{"command": "touch by-worker", "description": "x"}), standin.Say("Done: by-worker."))
	model.Then(standin.Use("Agent", map[string]any{
		"description": "touch", "prompt": "touch by-worker", "subagent_type": "implementer", "run_in_background": false,
	}), standin.Say("It is there."))
	r = h.ask(c, "@lead have it touched")
	succeeded(t, r)
	if _, err := os.Stat(filepath.Join(h.workspace, "by-worker")); err != nil {
		t.Errorf("the worker's command did not run: %v", err)
	}
	worker := last(t, model.Book(standin.Of(standin.Subagent)))
	if text := worker.SystemText(); !strings.Contains(text, "You make one change, completely") || !strings.Contains(text, "At most 30 lines") {
		t.Errorf("the worker is told\n%s", text)
	}
	for _, tool := range []string{"Agent", "WebFetch"} {
		if worker.HasTool(tool) {
			t.Errorf("the worker has the tool %s", tool)
		}
	}

	model.Then(standin.Use("Bash", map[string]any{"command": "ls -la && git status -s 2>&1 | head -5", "description": "look"}), standin.Say("Seen."))
	r = h.ask(c, "@lead look")
	succeeded(t, r)
	if got := results(t, model, r.Native, "Bash"); !strings.Contains(got, "by-worker") {
		t.Errorf("a glance got %q", got)
	}
	if s := h.savings(r, run.SavingGlance); len(s) != 1 || !strings.HasPrefix(s[0].Detail, "ls -la") {
		t.Errorf("glances: %+v", s)
	}
	if hash := hashes(requests(model, r.Native)); len(hash) != 1 {
		t.Errorf("system and tools were sent in %d forms", len(hash))
	}
}

// hashes are the forms in which system and tools were sent.
func hashes(entries []standin.Entry) map[string]bool {
	out := map[string]bool{}
	for _, e := range entries {
		out[e.SystemHash(true)+e.ToolsHash(true)] = true
	}
	return out
}

func TestRealLongOutputIsSpilledAndReadBackInParts(t *testing.T) {
	h, model := buildReal(t, nil)
	c := h.channel("backend")
	h.binding(c, "claude", chat.RuntimeClaude, handsOn)
	for name, status := range map[string]int{"succeeds": 0, "fails": 3} {
		t.Run(name, func(t *testing.T) {
			command := fmt.Sprintf("for i in $(seq 12000); do echo \"line $i of %s\"; done; exit %d", name, status)
			model.Then(standin.Use("Bash", map[string]any{"command": command, "description": "x"}), standin.Say("Long."))
			r := h.ask(c, "@claude run it "+name)
			succeeded(t, r)
			got := results(t, model, r.Native, "Bash")
			if !strings.Contains(got, "12,000 lines, spilled to "+filepath.Join(h.workspace, ".flower", "spill")) || !strings.Contains(got, "line 1 of "+name) || strings.Contains(got, "line 6000 of") {
				t.Fatalf("the model was sent\n%s", got)
			}
			if status != 0 && (!strings.Contains(got, "Exit code 3") || !strings.Contains(got, "line 12000 of")) {
				t.Errorf("of a failure the model was sent\n%s", got)
			}
			s := h.savings(r, run.SavingSpill)
			if len(s) != 1 || s[0].Lines != 12000 || s[0].Tokens < 20_000 || s[0].StepID == "" || s[0].Fault != "" {
				t.Fatalf("savings: %+v", s)
			}
			whole, err := os.ReadFile(s[0].Path)
			if err != nil || !strings.HasSuffix(strings.TrimSpace(string(whole)), "line 12000 of "+name) || strings.Count(string(whole), "\n") != 12000 {
				t.Errorf("the file has %d bytes: %v", len(whole), err)
			}

			for tool, input := range map[string]map[string]any{
				"Read": {"file_path": s[0].Path, "offset": 5000, "limit": 400},
				"Bash": {"command": "sed -n 5000,5399p " + s[0].Path, "description": "x"},
			} {
				model.Then(standin.Use(tool, input), standin.Say("Read."))
				back := h.ask(c, "@claude read it back by "+tool)
				succeeded(t, back)
				if got := results(t, model, back.Native, tool); !strings.Contains(got, "line 5399 of "+name) {
					t.Errorf("read back by %s:\n%.600s", tool, got)
				}
				if s := h.savings(back, run.SavingSpill); len(s) != 0 {
					t.Errorf("reading back was spilled: %+v", s)
				}
			}
		})
	}
}

func TestRealIndexIsToldWholeOnceThenWhatChanged(t *testing.T) {
	h, model := buildReal(t, nil)
	c := h.channel("backend")
	b := h.binding(c, "claude", chat.RuntimeClaude, handsOn)
	scripts := filepath.Join(h.workspace, ".flower", "scripts")
	if err := os.MkdirAll(scripts, 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(name, desc string) string {
		path := filepath.Join(scripts, name)
		if err := os.WriteFile(path, []byte("# desc: "+desc+"\necho hi\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("old.sh", "the first one")
	first := h.ask(c, "@claude hello")
	if text := h.text(first); !strings.Contains(text, "scripts/old.sh — the first one") {
		t.Errorf("the first turn:\n%s", text)
	}
	second := h.ask(c, "@claude again")
	if text := h.text(second); strings.Contains(text, "old.sh") || strings.Contains(text, "Workbench") {
		t.Errorf("the second turn:\n%s", text)
	}
	if s := h.savings(second, run.SavingIndex); len(s) != 1 || s[0].Tokens == 0 {
		t.Errorf("savings of the second turn: %+v", s)
	}

	path := filepath.Join(scripts, "new.sh")
	model.Then(standin.Use("Write", map[string]any{"file_path": path, "content": "# desc: 새 스크립트\necho new\n"}),
		standin.Use("Bash", map[string]any{"command": "sh .flower/scripts/new.sh | cat", "description": "x"}), standin.Say("Written."))
	succeeded(t, h.ask(c, "@claude write a script and run it"))
	if index, err := os.ReadFile(filepath.Join(h.workspace, ".flower", "INDEX.md")); err != nil || !strings.Contains(string(index), "새 스크립트") {
		t.Errorf("INDEX.md:\n%s\n%v", index, err)
	}
	fourth := h.ask(c, "@claude and now")
	if text := h.text(fourth); !strings.Contains(text, "new.sh") || strings.Contains(text, "old.sh") {
		t.Errorf("the turn after a script was written:\n%s", text)
	}
	if len(hashes(requests(model, fourth.Native))) != 1 {
		t.Error("system and tools changed with the index")
	}
	bench, err := h.benches.of(c, b)
	if err != nil {
		t.Fatal(err)
	}
	uses, err := h.store.ScriptUses(h.ctx(), bench.Path())
	if want := (store.ScriptUse{Path: "scripts/new.sh", Written: 1, Run: 1}); err != nil || uses["scripts/new.sh"] != want {
		t.Errorf("uses: %+v, %v", uses, err)
	}

	if _, err := h.runs.Fresh(h.ctx(), b.ID); err != nil {
		t.Fatal(err)
	}
	if text := h.text(h.ask(c, "@claude afresh")); !strings.Contains(text, "old.sh") || !strings.Contains(text, "new.sh") {
		t.Errorf("after Start fresh:\n%s", text)
	}
}

// A summary in the place of the history may have lost the index: it is told whole
// again, and the framing is still there.
func TestRealIndexIsToldAnewAfterACompaction(t *testing.T) {
	h, model := buildReal(t, nil)
	c := h.channel("backend")
	h.binding(c, "claude", chat.RuntimeClaude, handsOn)
	scripts := filepath.Join(h.workspace, ".flower", "scripts")
	if err := os.MkdirAll(scripts, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(scripts, "old.sh"), []byte("# desc: the first one\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	succeeded(t, h.ask(c, "@claude hello"))
	full := standin.Say("That was long.")
	full.Usage = &standin.Usage{InputTokens: 999_000, OutputTokens: 10} // beyond what any window leaves
	model.Then(full)
	succeeded(t, h.ask(c, "@claude think hard"))
	var compacting run.Run
	for range 3 { // the client compacts before the next turn, or the one after it
		compacting = h.ask(c, "@claude go on")
		succeeded(t, compacting)
		steps, err := h.store.RunSteps(h.ctx(), compacting.ID)
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(steps, func(s run.Step) bool { return s.Name == run.StepCompacted }) {
			after := h.ask(c, "@claude what is there")
			if text := h.text(after); !strings.Contains(text, "scripts/old.sh — the first one") {
				t.Errorf("after the compaction the turn is\n%s", text)
			}
			request := last(t, requests(model, after.Native))
			if !strings.Contains(request.SystemText(), "UNTRUSTED DATA") || !strings.Contains(request.SystemText(), "scripts/: look here first") {
				t.Error("the framing was lost")
			}
			return
		}
	}
	t.Fatal("the client did not compact")
}

// repository makes a folder one, with something in it.
func repository(t *testing.T, folder string) {
	t.Helper()
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "--allow-empty", "-m", "one"}} {
		git := exec.Command("git", args...)
		git.Dir = folder
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
}

func TestRealIsolatedWorkerGetsAWorktreeAndTheWorkbenchLiesOutside(t *testing.T) {
	h, model := buildReal(t, nil)
	repository(t, h.workspace)
	c := h.channel("backend")
	h.binding(c, "lead", chat.RuntimeClaude, coordinator, func(b *chat.Binding) { b.Workers[1].Isolated = true })
	outside := filepath.Join(h.dir, outsideFolder, c.ID, ".flower")
	model.ThenSubagent(standin.Use("Bash", map[string]any{"command": "pwd; echo out > " + outside + "/artifacts/a.txt", "description": "x"}), standin.Say("Done."))
	model.Then(standin.Use("Agent", map[string]any{
		"description": "x", "prompt": "where are you", "subagent_type": "implementer", "run_in_background": false,
	}), standin.Say("Fine."))
	r := h.ask(c, "@lead delegate")
	succeeded(t, r)
	worker := last(t, model.Book(standin.Of(standin.Subagent)))
	if !strings.Contains(string(worker.RawMessages), ".claude/worktrees/agent-") {
		t.Errorf("the worker worked in\n%s", worker.RawMessages)
	}
	if s := h.savings(r, run.SavingIsolated); len(s) != 1 {
		t.Errorf("savings: %+v", s)
	}
	if got, err := os.ReadFile(filepath.Join(outside, "artifacts", "a.txt")); err != nil || string(got) != "out\n" {
		t.Errorf("the artifact: %q, %v", got, err)
	}
	if _, err := os.Stat(filepath.Join(h.workspace, ".flower")); err == nil {
		t.Error("there is a workbench in the repository too")
	}
	system := last(t, requests(model, r.Native)).SystemText()
	if !strings.Contains(system, outside) || strings.Contains(system, " .flower") {
		t.Error("the framing does not name the workbench by its absolute path")
	}
}

// Where there is no repository a worktree can't be made; the worker works all the same.
func TestRealIsolatedWorkerOutsideOfARepository(t *testing.T) {
	h, model := buildReal(t, nil)
	c := h.channel("backend")
	h.binding(c, "lead", chat.RuntimeClaude, coordinator, func(b *chat.Binding) { b.Workers[1].Isolated = true })
	model.ThenSubagent(standin.Use("Bash", map[string]any{"command": "touch here", "description": "x"}), standin.Say("Done."))
	model.Then(standin.Use("Agent", map[string]any{
		"description": "x", "prompt": "touch it", "subagent_type": "implementer", "run_in_background": false,
	}), standin.Say("Fine."))
	succeeded(t, h.ask(c, "@lead delegate"))
	if _, err := os.Stat(filepath.Join(h.workspace, "here")); err != nil {
		t.Error(err)
	}
}

// A picture is a long string, and not spilled; a subagent's long output is.
func TestRealPictureIsUnchangedAndASubagentsOutputIsSpilled(t *testing.T) {
	h, model := buildReal(t, nil)
	c := h.channel("backend")
	h.binding(c, "claude", chat.RuntimeClaude, handsOn)
	noise := image.NewGray(image.Rect(0, 0, 100, 100))
	for i := range noise.Pix {
		noise.Pix[i] = byte(i * i * 2654435761 >> 13)
	}
	var picture bytes.Buffer
	if err := png.Encode(&picture, noise); err != nil {
		t.Fatal(err)
	}
	encoded := base64.StdEncoding.EncodeToString(picture.Bytes())
	if len(encoded) < 2*chat.DefaultSpillOver {
		t.Fatalf("the picture has %d characters only", len(encoded))
	}
	path := filepath.Join(h.workspace, "noise.png")
	if err := os.WriteFile(path, picture.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	model.Then(standin.Use("Read", map[string]any{"file_path": path}), standin.Say("Noise."))
	r := h.ask(c, "@claude look at it")
	succeeded(t, r)
	if !strings.Contains(string(last(t, requests(model, r.Native)).RawMessages), encoded[:5000]) {
		t.Error("the model was not sent the picture as it is")
	}
	if s := h.savings(r, run.SavingSpill); len(s) != 0 {
		t.Errorf("savings: %+v", s)
	}

	model.ThenSubagent(standin.Use("Bash", map[string]any{"command": "seq 3000", "description": "x"}), standin.Say("Counted."))
	model.Then(standin.Use("Agent", map[string]any{
		"description": "x", "prompt": "count", "subagent_type": "general-purpose", "run_in_background": false,
	}), standin.Say("Fine."))
	r = h.ask(c, "@claude have it counted")
	succeeded(t, r)
	worker := last(t, model.Book(standin.Of(standin.Subagent)))
	if text := string(worker.RawMessages); !strings.Contains(text, "3,000 lines, spilled to") || strings.Contains(text, "2999") {
		t.Errorf("the subagent was sent\n%.2000s", text)
	}
	if s := h.savings(r, run.SavingSpill); len(s) != 1 || s[0].AgentID == "" {
		t.Errorf("savings: %+v", s)
	}
}

// A workbench that was removed between turns is made again, so that what fails is
// spilled too.
func TestRealWorkbenchThatWasRemovedIsMadeAgain(t *testing.T) {
	h, model := buildReal(t, nil)
	c := h.channel("backend")
	h.binding(c, "claude", chat.RuntimeClaude, handsOn)
	succeeded(t, h.ask(c, "@claude hello"))
	if err := vanish(filepath.Join(h.workspace, ".flower")); err != nil {
		t.Fatal(err)
	}
	model.Then(standin.Use("Bash", map[string]any{"command": "seq 5000; exit 3", "description": "x"}), standin.Say("Long."))
	r := h.ask(c, "@claude count and fail")
	succeeded(t, r)
	if s := h.savings(r, run.SavingSpill); len(s) != 1 || s[0].Fault != "" || s[0].Lines != 5000 {
		t.Errorf("savings: %+v", s)
	}
}

func TestRealUnwritableWorkbenchLetsOutputThroughAndSaysSo(t *testing.T) {
	h, model := buildReal(t, nil)
	c := h.channel("backend")
	h.binding(c, "claude", chat.RuntimeClaude, handsOn)
	succeeded(t, h.ask(c, "@claude hello"))
	spill := filepath.Join(h.workspace, ".flower", "spill")
	if err := os.RemoveAll(spill); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(spill, nil, 0o600); err != nil { // a file stands in the folder's place
		t.Fatal(err)
	}
	model.Then(standin.Use("Bash", map[string]any{"command": "seq 2000", "description": "x"}), standin.Say("Long."))
	r := h.ask(c, "@claude count")
	succeeded(t, r)
	if got := results(t, model, r.Native, "Bash"); !strings.Contains(got, "1999\n2000") {
		t.Errorf("the model was sent\n%.300s", got)
	}
	if s := h.savings(r, run.SavingSpill); len(s) != 1 || s[0].Fault == "" || s[0].Path != "" {
		t.Errorf("savings: %+v", s)
	}
}
