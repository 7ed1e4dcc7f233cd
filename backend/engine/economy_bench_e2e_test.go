//go:build e2e

package engine

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"

	"hearth/backend/chat"
	"hearth/backend/claude"
	"hearth/backend/run"
	"hearth/backend/standin"
)

// BenchmarkHooks times a turn with one call of a tool in the real client, without
// hooks and with a coordinator's, in turn and in the same run. A call asks two
// hooks: one before it, one after. It reports the medians and what one hook takes
// there and back, all that the client does for it included.
func BenchmarkHooks(b *testing.B) {
	h, _ := buildOn(b, standin.Options{
		Script: func(r standin.Request) standin.Reply {
			if len(r.ToolResults()) > 0 {
				return standin.Say("Fine.")
			}
			return standin.Use("Read", map[string]any{"file_path": r.NewestUserText()})
		},
		Counter: roughly,
	}, func(o *Options) { o.Log = nil })
	file := filepath.Join(h.workspace, "file.txt")
	if err := os.WriteFile(file, []byte("hello\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	c := h.channel("bench")
	binding := h.binding(c, "lead", chat.RuntimeClaude, coordinator)
	k, err := h.agents.keep(b.Context(), c, binding, "bench")
	if err != nil {
		b.Fatal(err)
	}
	k.saved = func(run.Saving) {}
	start := func(name string, hooks []claude.Hook) *claude.Session {
		session, err := claude.Start(b.Context(), claude.Options{
			Path: h.options.Claude, Dir: h.workspace, Env: environment(h.options.Environ, binding, nil), Mark: "bench/" + name,
			Native: uuid.NewString(), Framing: h.agents.framing(c, binding), PermissionMode: "bypassPermissions", Hooks: hooks,
		})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() {
			if err := session.Close(context.Background()); err != nil {
				b.Error(err)
			}
		})
		return session
	}
	sessions := []*claude.Session{start("without", nil), start("with", k.hooks())}
	took := make([][]time.Duration, 2)
	for b.Loop() {
		for i, session := range sessions {
			began := time.Now()
			// A text that is the same each time, so that both histories grow alike.
			if r, err := session.Turn(b.Context(), claude.Message{Text: file}, nil); err != nil || r.IsError {
				b.Fatalf("%+v, %v", r, err)
			}
			took[i] = append(took[i], time.Since(began))
		}
	}
	without, with := median(took[0]), median(took[1])
	b.ReportMetric(float64(without.Microseconds())/1000, "ms/turn-without")
	b.ReportMetric(float64(with.Microseconds())/1000, "ms/turn-with-two-hooks")
	b.ReportMetric(float64((with-without).Microseconds())/2000, "ms/hook")
}
