package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestUndo(t *testing.T) {
	h := newHouse(t)
	h.serve()
	h.ok("post", "general", "@claude CHANGE", "--wait")
	if out := h.ok("run", "general"); !strings.Contains(out, "2 files, +3 -0 (hearth run ") {
		t.Errorf("the run: %s", out)
	}
	diff := h.ok("run", "general", "--diff")
	if want := "--- /dev/null\n+++ a.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n\\ No newline at end of file\n--- /dev/null\n+++ 한글.txt\n"; !strings.HasPrefix(diff, want) {
		t.Errorf("the difference: %s", diff)
	}
	if out := h.ok("undo", "general", "--dry-run"); !strings.Contains(out, "a.txt: would be removed\n") {
		t.Errorf("a dry run: %s", out)
	}
	path := filepath.Join(h.work, "a.txt")
	if err := os.WriteFile(path, []byte("mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := h.ok("undo", "general"); !strings.Contains(out, "a.txt: left as it is; others have changed it since (+1 -2)\n") || !strings.Contains(out, "한글.txt: removed\n") || !strings.Contains(out, "--overwrite FILE") {
		t.Errorf("with a file of one's own: %s", out)
	}
	if out := h.ok("undo", "general", "a.txt", "--overwrite", "a.txt"); !strings.Contains(out, "a.txt: removed\n") || strings.Contains(out, "한글") {
		t.Errorf("overwritten: %s", out)
	}
	if out := h.ok("undo", "general", "--back"); !strings.Contains(out, "a.txt: made again\n") {
		t.Errorf("put back: %s", out)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "mine\n" {
		t.Errorf("then it holds %q, %v", text, err)
	}
	if r := h.run("undo", "general", "none.txt"); r.code != exitFailed || !strings.Contains(r.stderr, `the run changed no file "none.txt"`) {
		t.Errorf("what is none: %+v", r)
	}
	h.ok("post", "general", "@claude hello", "--wait")
	if out := h.ok("undo", "general"); !strings.Contains(out, "changed no files") {
		t.Errorf("without changes: %s", out)
	}
}
