package engine

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hearth/backend/chat"
	"hearth/backend/run"
)

// saved makes a session that ended, wishes for it, and takes the workspace away.
func saved(t *testing.T) (h *house, c chat.Channel, b chat.Binding, native string) {
	t.Helper()
	h = build(t, nil)
	h.workspace = filepath.Join(t.TempDir(), "work")
	if err := os.Mkdir(h.workspace, 0o700); err != nil {
		t.Fatal(err)
	}
	c = h.channel("backend")
	b = h.binding(c, "agent", chat.RuntimeStandin)
	first := h.ask(c, "@agent first")
	if err := h.agents.End(h.ctx(), run.KeyOf(b), "test"); err != nil {
		t.Fatal(err)
	}
	if _, err := h.runs.Restore(h.ctx(), b.ID); err != nil {
		t.Fatal(err)
	}
	if err := vanish(h.workspace); err != nil {
		t.Fatal(err)
	}
	if r := h.ask(c, "@agent there?"); r.State != run.Failed {
		t.Fatalf("without its workspace the run is %s", r.State)
	}
	return h, c, b, first.Native
}

func (h *house) putBack() {
	h.t.Helper()
	if err := os.Mkdir(h.workspace, 0o700); err != nil {
		h.t.Fatal(err)
	}
}

// A start that fails over something else leaves the wish as it was.
func TestAWishToRestoreOutlivesAFailureOfAnotherKind(t *testing.T) {
	h, c, _, native := saved(t)
	if states, err := h.agents.Presence(h.ctx(), c.ID); err != nil || states[0].Restoring != native {
		t.Errorf("after the failure the roster says %+v, %v", states, err)
	}
	h.putBack()
	if r := h.ask(c, "@agent again"); r.State != run.Succeeded || r.Temperature != "restored" || r.Native != native {
		t.Errorf("%s, %s in %s, want %s restored: %+v", r.State, r.Temperature, r.Native, native, r.Failure)
	}
	if states, err := h.agents.Presence(h.ctx(), c.ID); err != nil || states[0].Restoring != "" {
		t.Errorf("once loaded, the roster says %+v, %v", states, err)
	}
}

func TestAWishToRestoreEndsAllTheSame(t *testing.T) {
	t.Run("with Start fresh", func(t *testing.T) {
		h, c, b, _ := saved(t)
		if _, err := h.runs.Fresh(h.ctx(), b.ID); err != nil {
			t.Fatal(err)
		}
		h.putBack()
		if r := h.ask(c, "@agent again"); r.Temperature != "cold" {
			t.Errorf("%s: %+v", r.Temperature, r.Failure)
		}
	})
	t.Run("when the client refuses the session", func(t *testing.T) {
		h, c, _, _ := saved(t)
		if err := os.RemoveAll(filepath.Join(h.home, ".claude")); err != nil {
			t.Fatal(err)
		}
		h.putBack()
		if r := h.ask(c, "@agent again"); r.State != run.Failed || !strings.Contains(r.Failure.Message, "No conversation found") {
			t.Fatalf("%s: %+v", r.State, r.Failure)
		}
		if r := h.ask(c, "@agent once more"); r.State != run.Succeeded || r.Temperature != "cold" {
			t.Errorf("%s, %s: %+v", r.State, r.Temperature, r.Failure)
		}
	})
}

// A wish that is being fulfilled when the binding is ended, or gets another, does
// not come back.
func TestAWishThatIsOverIsNotGivenBack(t *testing.T) {
	key := run.Key{ChannelID: "c", BindingID: "b"}
	for name, meanwhile := range map[string]func(a *agents) string{
		"ended":        func(a *agents) string { _ = a.End(t.Context(), key, "test"); return "" },
		"another wish": func(a *agents) string { a.Restore(key, "two"); return "two" },
		"nothing":      func(*agents) string { return "one" },
	} {
		h := build(t, nil)
		h.agents.Restore(key, "one")
		if got := h.agents.takeRestore(key); got != "one" {
			t.Fatalf("%s: took %q", name, got)
		}
		want := meanwhile(h.agents)
		h.agents.settleRestore(key, true)
		if got := h.agents.takeRestore(key); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		h.agents.settleRestore(key, false)
		if got := h.agents.takeRestore(key); got != "" {
			t.Errorf("%s: then %q", name, got)
		}
	}
}

// A process whose session can't be recorded is ended, and nothing of it stays.
func TestAProcessThatDoesNotMoveInIsForgotten(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	b := h.binding(c, "agent", chat.RuntimeStandin)
	b.ID = chat.NewID(b.CreatedAt) // no binding of that id is stored
	if p, _, err := h.agents.open(h.ctx(), c, b); err == nil || p != nil {
		t.Fatalf("%v, %v", p, err)
	}
	if left, err := h.store.Processes(h.ctx()); err != nil || len(left) > 0 {
		t.Errorf("recorded: %+v, %v", left, err)
	}
}

func TestWarmSaysWhyAProcessDoesNotStart(t *testing.T) {
	h, c, b, _ := saved(t)
	w := httptest.NewRecorder()
	h.Handler().ServeHTTP(w, httptest.NewRequestWithContext(h.ctx(), http.MethodPost, "/api/bindings/"+b.ID+"/warm", nil))
	var got struct{ Code, Detail string }
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if w.Code != http.StatusConflict || got.Code != "conflict" || !strings.HasPrefix(got.Detail, "@agent did not start: the folder "+h.workspace+" is not there. Put the folder back") ||
		strings.Contains(got.Detail, b.ID) || strings.Contains(got.Detail, c.ID) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
