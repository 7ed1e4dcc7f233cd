//go:build e2e

package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hearth/backend/changes"
	"hearth/backend/chat"
	"hearth/backend/claude/claudetest"
	"hearth/backend/event"
	"hearth/backend/run"
	"hearth/backend/standin"
)

// With the real client, in each version: what its tools changed is known to the byte,
// taken back while it is warm and after a restart, and what a person wrote in between
// stays. The model hears of it once.
func TestRealChangesAreTakenBack(t *testing.T) {
	for version, client := range claudetest.Clients(t) {
		t.Run(version, func(t *testing.T) {
			h, model := buildReal(t, func(o *Options) { o.Claude = client })
			c := h.channel("backend")
			h.binding(c, "claude", chat.RuntimeClaude, handsOn)
			edited := h.file("a.txt", "\ufeffone\r\ntwo\r\n셋")
			over := h.file("over.txt", "before\n")
			made := filepath.Join(h.workspace, "new", "파일.txt")
			model.Then(
				standin.Use("Read", map[string]any{"file_path": edited}),
				standin.Use("Edit", map[string]any{"file_path": edited, "old_string": "two", "new_string": "TWO"}),
				standin.Use("Write", map[string]any{"file_path": made, "content": "hello\n"}),
				standin.Use("Edit", map[string]any{"file_path": made, "old_string": "hello", "new_string": "hello, you"}),
				standin.Use("Read", map[string]any{"file_path": over}),
				standin.Use("Write", map[string]any{"file_path": over, "content": "after\nand more\n"}),
				standin.Say("Done."),
			)
			first := h.ask(c, "@claude go")
			succeeded(t, first)
			if want := (run.Changed{Files: 3, Added: 4, Removed: 2}); first.Changed != want {
				t.Errorf("summed up: %+v, want %+v", first.Changed, want)
			}
			for _, v := range h.changes(first) {
				if v.Standing != run.StandsLeft || v.Mixed || v.Form != changes.FormText {
					t.Errorf("%s: %s, mixed %t, %s", v.Path, v.Standing, v.Mixed, v.Form)
				}
			}

			// Warm, but for what a person has changed.
			h.file("over.txt", "after\nand mine\n")
			if _, done := h.takeBack(first, run.Taking{}); done["a.txt"] != "restore" || done["new/파일.txt"] != "remove" || done["over.txt"] != "leave changed" {
				t.Errorf("warm: %v", done)
			}
			h.holds("a.txt", "\ufeffone\r\ntwo\r\n셋")
			h.holds("new/파일.txt", "-")
			h.holds("over.txt", "after\nand mine\n")

			// The client notices by itself that the file is another one, and goes on from there.
			model.Then(standin.Use("Edit", map[string]any{"file_path": edited, "old_string": "one", "new_string": "ONE"}), standin.Say("Done."))
			second := h.ask(c, "@claude and now?")
			succeeded(t, second)
			h.holds("a.txt", "\ufeffONE\r\ntwo\r\n셋")
			if got := string(last(t, requests(model, second.Native)).RawMessages); strings.Count(got, "I took back what @claude changed") != 1 {
				t.Errorf("the model was told %d times", strings.Count(got, "I took back what @claude changed"))
			}

			// Cold, after a restart.
			h.close()
			h.open()
			if _, done := h.takeBack(second, run.Taking{}); done["a.txt"] != "restore" {
				t.Errorf("after a restart: %v", done)
			}
			h.holds("a.txt", "\ufeffone\r\ntwo\r\n셋")
		})
	}
}

// The client looks again at a file when it was given the permission to change it, and
// changes nothing if a person has done so meanwhile. Should a version not, the change
// is told from the person's.
func TestRealChangesAndAPersonWhileAPermissionIsAsked(t *testing.T) {
	for version, client := range claudetest.Clients(t) {
		t.Run(version, func(t *testing.T) {
			h, model := buildReal(t, func(o *Options) { o.Claude = client })
			c := h.channel("backend")
			h.binding(c, "claude", chat.RuntimeClaude)
			path := h.file("a.txt", "one\ntwo\n")
			model.Then(
				standin.Use("Read", map[string]any{"file_path": path}),
				standin.Use("Edit", map[string]any{"file_path": path, "old_string": "two", "new_string": "TWO"}),
				standin.Say("Done."),
			)
			since := h.bus.Last()
			_, runs := h.post(c, "@claude go")
			asked := h.awaitEvent(since, func(e event.Event) bool { return e.Type == run.EventPermissionAsked })
			h.file("a.txt", "one\ntwo\nmine\n")
			if _, err := h.runs.AnswerPermission(h.ctx(), asked.Data.(run.Permission).ID, run.Answer{Decision: run.AllowOnce}); err != nil {
				t.Fatal(err)
			}
			r := h.await(runs[0].ID, run.State.Ended)
			succeeded(t, r)
			if views := h.changes(r); len(views) > 0 && !views[0].Mixed {
				t.Errorf("the person's change counts as the agent's: %+v", views[0])
			}
			h.takeBack(r, run.Taking{})
			if !strings.Contains(content(t, path), "mine") {
				t.Errorf("it holds %q", content(t, path))
			}
		})
	}
}

func content(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
