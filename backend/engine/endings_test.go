package engine

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"hearth/backend/api"
	"hearth/backend/chat"
	"hearth/backend/ledger"
	"hearth/backend/run"
)

// cacheOf is what the API says of a channel's cache.
func (h *house) cacheOf(c chat.Channel) (body struct {
	Turns     []api.CacheTurn     `json:"turns"`
	Totals    api.CacheTotals     `json:"totals"`
	Forecasts []api.CacheForecast `json:"forecasts"`
},
) {
	h.t.Helper()
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(h.ctx(), http.MethodGet, "http://127.0.0.1/api/channels/"+c.ID+"/cache?limit=200", nil)
	h.Handler().ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		h.t.Fatalf("%d: %s", w.Code, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
		h.t.Fatal(err)
	}
	return body
}

// A turn that had to read anew because another process answered says how the one
// before had ended: alone, and on the page about the cache.
func TestABreakSaysWhatEndedTheProcessBefore(t *testing.T) {
	h := build(t, func(o *Options) { o.Capacity, o.Idle = 1, time.Hour })
	update := func(change func(*chat.Binding)) func(chat.Channel, chat.Binding) {
		return func(_ chat.Channel, b chat.Binding) {
			err := h.runs.Arrange(h.ctx(), []run.Key{run.KeyOf(b)}, run.BecauseChanged, func(context.Context) ([]run.Run, error) {
				change(&b)
				_, err := h.store.UpdateBinding(h.ctx(), b)
				return nil, err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	kill := func(_ chat.Channel, b chat.Binding) {
		if err := syscall.Kill(h.detail(b).State.PID, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		h.agents.wait()
	}
	restore := func(_ chat.Channel, b chat.Binding) {
		if _, err := h.runs.Restore(h.ctx(), b.ID); err != nil {
			t.Fatal(err)
		}
	}
	reopen := func(between func()) func(chat.Channel, chat.Binding) {
		return func(chat.Channel, chat.Binding) {
			h.close()
			between()
			h.open()
		}
	}
	for name, c := range map[string]struct {
		between func(chat.Channel, chat.Binding)
		how     ledger.Ending
		reason  string // is in what is said
		cause   ledger.Cause
		state   string // in which the second turn began
	}{
		"it was killed":     {kill, ledger.EndedCrashed, "killed", ledger.NewProcess, "cold"},
		"Hearth was closed": {reopen(func() {}), ledger.EndedClosed, "", ledger.NewProcess, "cold"},
		"Hearth was killed": {reopen(func() {
			// What it leaves behind then: nobody put down that anything ended.
			h.behind("DELETE FROM process_ends WHERE how = 'closed'")
			h.behind("UPDATE sessions SET ended_at = 0, end_reason = '' WHERE end_reason = 'closed'")
		}), ledger.EndedLost, "Hearth ended", ledger.NewProcess, "cold"},
		"nobody knows": {reopen(func() { h.behind("DELETE FROM process_ends") }), ledger.EndedUnknown, "", ledger.NewProcess, "cold"},
		"it was idle": {func(c chat.Channel, b chat.Binding) {
			h.close()
			h.options.Idle = 50 * time.Millisecond
			h.open()
			h.ask(c, "@claude before it is idle")
			h.agents.wait()
			h.close()
			h.options.Idle = time.Hour
			h.open()
		}, ledger.EndedIdle, "", ledger.NewProcess, "cold"},
		"another wanted its place": {func(c chat.Channel, _ chat.Binding) {
			h.binding(c, "other", chat.RuntimeStandin)
			h.ask(c, "@other hello")
		}, ledger.EndedEvicted, "", ledger.NewProcess, "cold"},
		"started fresh": {func(_ chat.Channel, b chat.Binding) {
			if _, err := h.runs.Fresh(h.ctx(), b.ID); err != nil {
				t.Fatal(err)
			}
		}, ledger.EndedFresh, "started afresh", ledger.NewProcess, "cold"},
		"its role was changed":           {update(func(b *chat.Binding) { b.Role, b.Workers = chat.RoleCoordinator, chat.DefaultWorkers() }), ledger.EndedChanged, "", ledger.ToolsChanged, "cold"},
		"a setting with no other effect": {update(func(b *chat.Binding) { b.SpillOver = 9000 }), ledger.EndedChanged, "", ledger.NewProcess, "cold"},
		"killed and restored":            {func(c chat.Channel, b chat.Binding) { kill(c, b); restore(c, b) }, ledger.EndedCrashed, "killed", ledger.NewProcess, "restored"},
		"restored in its place":          {restore, ledger.EndedReplaced, "", ledger.NewProcess, "restored"},
		"it keeps none":                  {nil, ledger.EndedAfresh, "", ledger.NewProcess, "cold"},
	} {
		t.Run(name, func(t *testing.T) {
			ch := h.channel(strings.ReplaceAll(name, " ", "-"))
			b := h.binding(ch, "claude", chat.RuntimeStandin, func(b *chat.Binding) { b.Resident = c.between != nil })
			h.ask(ch, "@claude one")
			if c.between != nil {
				c.between(ch, b)
			}
			r := h.ask(ch, "@claude two")
			if r.Temperature != c.state {
				t.Fatalf("the turn is %s, want %s", r.Temperature, c.state)
			}
			found := r.Break
			if found == nil {
				t.Fatalf("no break; it used %+v", r.Usage.Usage)
			}
			end := found.Evidence.Ended
			if found.Cause != c.cause || end == nil || end.How != c.how || !strings.Contains(end.Reason, c.reason) || c.reason == "" && end.Reason != "" {
				t.Fatalf("%s, after %+v, want %s after %s", found.Cause, end, c.cause, c.how)
			}
			if found.Evidence.Anew != (c.state == "cold") || found.Evidence.Restored != (c.state == "restored") {
				t.Errorf("anew %t, restored %t, and it was %s", found.Evidence.Anew, found.Evidence.Restored, c.state)
			}
			if known := c.how != ledger.EndedUnknown; known == end.At.IsZero() || known && (end.At.Before(r.QueuedAt.Add(-time.Minute)) || end.At.After(r.StartedAt)) {
				t.Errorf("it ended at %s, and the turn began at %s", end.At, r.StartedAt)
			}
			told := h.cacheOf(ch).Turns[0].Break
			if told == nil || told.Evidence.ProcessEnd == nil || told.Evidence.ProcessEnd.How != string(c.how) {
				t.Errorf("the page about the cache tells of %+v", told)
			}
		})
	}
}

// A process moves in when the end of the one before has been put down: else that end
// would close the session that is loaded into the new one.
func TestAProcessMovesInAfterTheOneBefore(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	b := h.binding(c, "claude", chat.RuntimeStandin)
	before := &process{key: run.KeyOf(b), gone: make(chan struct{})}
	h.agents.mutex.Lock()
	h.agents.living[before.key] = before
	h.agents.mutex.Unlock()
	ctx, cancel := context.WithCancelCause(h.ctx())
	gaveUp := errors.New("nobody waits any more")
	cancel(gaveUp)
	if err := h.agents.moveIn(ctx, &process{key: before.key}, c, "mark"); !errors.Is(err, gaveUp) {
		t.Errorf("it moved in beside the one before: %v", err)
	}
	close(before.gone)
	if err := h.agents.recorded(h.ctx(), before.key); err != nil {
		t.Errorf("after the end was put down: %v", err)
	}
	h.agents.mutex.Lock()
	delete(h.agents.living, before.key)
	h.agents.mutex.Unlock()
}
