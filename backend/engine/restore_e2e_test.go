//go:build e2e

package engine

import (
	"testing"

	"hearth/backend/chat"
	"hearth/backend/claude/claudetest"
	"hearth/backend/standin"
)

// A saved session that is loaded into a new process goes on with the model that it
// had, in every version of the client: nothing in front of its messages moves, and
// all that it had left in the cache is read.
func TestRealSessionIsRestoredWithItsOwnModel(t *testing.T) {
	for version, client := range claudetest.Clients(t) {
		t.Run(version, func(t *testing.T) {
			h, model := buildCounted(t, client)
			for name, set := range map[string]func(*chat.Binding){
				"the client's own": func(*chat.Binding) {},
				"the binding's":    func(b *chat.Binding) { b.Model = "claude-sonnet-5-5" },
			} {
				c := h.channel(name)
				b := h.binding(c, "claude", chat.RuntimeClaude, set)
				for _, text := range []string{"one", "two", "three"} {
					succeeded(t, h.ask(c, "@claude "+text))
				}
				saved, err := h.runs.Restore(h.ctx(), b.ID)
				if err != nil {
					t.Fatal(err)
				}
				had, err := h.store.ModelOf(h.ctx(), saved.Native)
				if err != nil || had == "" {
					t.Fatalf("restored %+v with the model %q, %v", saved, had, err)
				}
				r := h.ask(c, "@claude four")
				succeeded(t, r)
				asked := model.Book(standin.Of(standin.Main), standin.FromSession(r.Native))
				before, now := asked[len(asked)-2], asked[len(asked)-1]
				t.Logf("%s: %q, as the session says %q; requests were sent to %s and %s", name, b.Model, had, before.Model, now.Model)
				if r.Temperature != "restored" || now.Model != before.Model || now.SystemHash(true) != before.SystemHash(true) || now.ToolsHash(true) != before.ToolsHash(true) {
					t.Errorf("%s: the %s turn sends %s, another system or other tools than %s", name, r.Temperature, now.Model, before.Model)
				}
				if r.Break != nil {
					t.Errorf("%s: a break: %+v", name, r.Break)
				}
				if read, left := now.Usage.CacheReadInputTokens, before.Usage.CacheReadInputTokens+before.Usage.CacheCreationInputTokens; read != left {
					t.Errorf("%s: it read %d of the %d tokens that were left", name, read, left)
				}
			}
		})
	}
}
