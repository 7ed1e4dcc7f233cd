package engine

import (
	"strings"
	"testing"

	"hearth/backend/chat"
	"hearth/backend/run"
)

// Who was told a message hears of its change in the next turn and never again; who
// was not is told what it says now.
func TestAgentsHearOfWhatWasChangedOnce(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	h.binding(c, "one", chat.RuntimeStandin)
	h.binding(c, "two", chat.RuntimeStandin)
	first := h.ask(c, "@one the first wording")
	second := h.ask(c, "@one a secret")
	was, _ := h.store.Row(h.ctx(), first.RowID)

	done, err := h.runs.Edit(h.ctx(), first.RowID, "@one @two the second wording")
	if err != nil || !done.Told || len(done.Runs) > 0 {
		t.Fatalf("edited %+v, %v", done, err)
	}
	if versions, err := h.store.Versions(h.ctx(), first.RowID); err != nil || len(versions) != 1 || versions[0].Body != was.Body {
		t.Errorf("the versions are %+v, %v", versions, err)
	}
	deleted, err := h.runs.Delete(h.ctx(), second.RowID)
	if err != nil || !deleted.Told || !deleted.Row.Deleted() || deleted.Row.Body != "" {
		t.Fatalf("deleted %+v, %v", deleted, err)
	}

	edit, gone := "- [user edited message "+first.RowID+" since you were told it] @one @two the second wording", "- [user deleted message "+second.RowID+" since you were told it]"
	if text := h.text(h.ask(c, "@one what now?")); !strings.Contains(text, "\n"+edit+"\n"+gone) {
		t.Errorf("who was told it was told:\n%s", text)
	}
	if text := h.text(h.ask(c, "@one and now?")); strings.Contains(text, "since you were told") {
		t.Errorf("it was told twice:\n%s", text)
	}
	text := h.text(h.ask(c, "@two what is here?"))
	if !strings.Contains(text, "- [user] @one @two the second wording") || strings.Contains(text, "since you were told") || strings.Contains(text, "- [user] @one a secret") || strings.Contains(text, "- [user] @one the first wording") {
		t.Errorf("who was not told it was told:\n%s", text)
	}
	// A second edit is told once more, as it is by then.
	for _, body := range []string{"the third wording", "the fourth wording"} {
		if _, err := h.runs.Edit(h.ctx(), first.RowID, body); err != nil {
			t.Fatal(err)
		}
	}
	for _, who := range []string{"@one", "@two"} {
		text := h.text(h.ask(c, who+" once more"))
		if !strings.Contains(text, "since you were told it] the fourth wording") || strings.Contains(text, "third wording") {
			t.Errorf("%s was told:\n%s", who, text)
		}
	}
	// Nobody is asked again what is not there any more.
	if _, err := h.runs.Retry(h.ctx(), second.ID); chat.CodeOf(err) != chat.CodeConflict {
		t.Errorf("a retry of what was deleted: %v", err)
	}
}

// A turn that is under way has been sent the old text; its session hears of the new
// one in its next turn.
func TestWhatIsChangedWhileItIsAnswered(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	h.binding(c, "one", chat.RuntimeStandin)
	row, runs := h.post(c, "@one /slow 600")
	h.await(runs[0].ID, isState(run.Running))
	done, err := h.runs.Edit(h.ctx(), row.ID, "@one /slow 1")
	if err != nil || !done.Told {
		t.Fatalf("edited %+v, %v", done, err)
	}
	if r, err := h.runs.StopRun(h.ctx(), runs[0].ID); err != nil || r.ID == "" {
		t.Fatal(err)
	}
	stopped := h.await(runs[0].ID, run.State.Ended)
	text := h.text(h.ask(c, "@one and?"))
	// Whether the session holds the stopped turn decides how the new text is told; it is told once, either way.
	if held := stopped.Failure != nil && stopped.Failure.Held; strings.Contains(text, "since you were told it] @one /slow 1") != held || strings.Count(text, "@one /slow 1") != 1 {
		t.Errorf("held %t; told:\n%s", held, text)
	}
}

// A new process that remembers nothing is told by its replay, which says what was
// changed since, and never has what was deleted.
func TestAReplayIsOfWhatIsThereNow(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	b := h.binding(c, "one", chat.RuntimeStandin)
	first, second := h.ask(c, "@one the first wording"), h.ask(c, "@one a secret")
	if _, err := h.runs.Edit(h.ctx(), first.RowID, "@one the second wording"); err != nil {
		t.Fatal(err)
	}
	if _, err := h.runs.Delete(h.ctx(), second.RowID); err != nil {
		t.Fatal(err)
	}
	if err := h.agents.End(h.ctx(), run.KeyOf(b), "test"); err != nil {
		t.Fatal(err)
	}
	r := h.ask(c, "@one what now?")
	text := h.text(r)
	if r.Temperature != "cold" || !strings.Contains(text, "\nUser (edited since): @one the second wording\n") || !strings.Contains(text, "\nUser (deleted since)\n") ||
		strings.Contains(text, "User: @one a secret") || strings.Contains(text, "since you were told") {
		t.Errorf("a %s process was told:\n%s", r.Temperature, text)
	}
	if text := h.text(h.ask(c, "@one and now?")); strings.Contains(text, "since you were told") {
		t.Errorf("told again after the replay:\n%s", text)
	}
}
