//go:build e2e

package engine

import (
	"strings"
	"testing"

	"hearth/backend/chat"
)

// With the real client: what was changed is in the model's context once, whether the
// session lives on or is restored, and in a session that began afterwards not at all.
func TestTheModelHearsOfWhatWasChangedOnce(t *testing.T) {
	h, model := buildReal(t, nil)
	c := h.channel("backend")
	b := h.binding(c, "claude", chat.RuntimeClaude)
	row, _ := h.post(c, "the plan is A")
	first := h.ask(c, "@claude question one")
	succeeded(t, first)

	if done, err := h.runs.Edit(h.ctx(), row.ID, "the plan is B"); err != nil || !done.Told {
		t.Fatalf("edited %+v, %v", done, err)
	}
	warm := h.ask(c, "@claude question two")
	succeeded(t, warm)
	if _, err := h.runs.Delete(h.ctx(), first.RowID); err != nil {
		t.Fatal(err)
	}
	h.close()
	h.open()
	if _, err := h.runs.Restore(h.ctx(), b.ID); err != nil {
		t.Fatal(err)
	}
	for _, question := range []string{"@claude question three", "@claude question four"} {
		succeeded(t, h.ask(c, question))
	}
	edited := "[user edited message " + row.ID + " since you were told it] the plan is B"
	deleted := "[user deleted message " + first.RowID + " since you were told it]"
	context := string(last(t, requests(model, first.Native)).RawMessages)
	for _, once := range []string{"- [user] the plan is A", edited, deleted, "question four"} {
		if n := strings.Count(context, once); n != 1 {
			t.Errorf("%q is in the session %d times", once, n)
		}
	}
	if !strings.Contains(h.text(warm), edited) {
		t.Errorf("the turn after the edit was sent:\n%s", h.text(warm))
	}

	// A session that was never told the old texts.
	if _, err := h.runs.Fresh(h.ctx(), b.ID); err != nil {
		t.Fatal(err)
	}
	fresh := h.ask(c, "@claude question five")
	succeeded(t, fresh)
	context = string(last(t, requests(model, fresh.Native)).RawMessages)
	if fresh.Native == first.Native || !strings.Contains(context, "- [user] the plan is B") || strings.Contains(context, "the plan is A") ||
		strings.Contains(context, "since you were told") || strings.Contains(context, "question one") {
		t.Errorf("a session that began afterwards holds:\n%s", context)
	}
}
