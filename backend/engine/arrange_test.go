package engine

import (
	"context"
	"database/sql"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"hearth/backend/chat"
	"hearth/backend/run"
	"hearth/backend/tool"
)

// call asks the API and returns the status.
func (h *house) call(method, path, body string) int {
	h.t.Helper()
	r := httptest.NewRequestWithContext(h.ctx(), method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.Handler().ServeHTTP(w, r)
	if w.Code >= 300 {
		h.t.Logf("%s %s: %d %s", method, path, w.Code, w.Body)
	}
	return w.Code
}

// nothingGoesOn checks that no run of a channel is unended and no process of it
// alive.
func (h *house) nothingGoesOn(channelID string) {
	h.t.Helper()
	runs, _, err := h.store.Runs(h.ctx(), channelID, "", 10_000)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, r := range runs {
		if !r.State.Ended() {
			h.t.Errorf("run %s is %s", r.ID, r.State)
		}
	}
	h.agents.mutex.Lock()
	defer h.agents.mutex.Unlock()
	for key := range h.agents.living {
		if key.ChannelID == channelID {
			h.t.Errorf("a process of %v is alive", key)
		}
	}
}

// TestNothingIsLeftInAChannelThatIsPutAwayWhilePeoplePost is about posts that
// come at the very moment: each is either in the channel before, and then its run
// ends with it, or refused.
func TestNothingIsLeftInAChannelThatIsPutAwayWhilePeoplePost(t *testing.T) {
	for name, put := range map[string]struct{ method, path string }{
		"archive": {http.MethodPost, "/archive"},
		"delete":  {http.MethodDelete, ""},
	} {
		t.Run(name, func(t *testing.T) {
			h := build(t, nil)
			c := h.channel("busy")
			h.binding(c, "one", chat.RuntimeStandin)
			h.binding(c, "two", chat.RuntimeStandin)
			h.ask(c, "@one hello")
			var posters sync.WaitGroup
			var posted atomic.Int32
			warm := make(chan struct{})
			for range 4 {
				posters.Go(func() {
					for {
						_, _, err := h.runs.Post(h.ctx(), run.Posting{ChannelID: c.ID, Body: "@one @two go on\n/stream 2"})
						if err != nil {
							if code := chat.CodeOf(err); code != chat.CodeConflict && code != chat.CodeNotFound {
								t.Errorf("a post was refused with %v", err)
							}
							return
						}
						if posted.Add(1) == 8 {
							close(warm)
						}
					}
				})
			}
			<-warm
			if status := h.call(put.method, "/api/channels/"+c.ID+put.path, ""); status != http.StatusOK {
				t.Errorf("the answer is %d", status)
			}
			posters.Wait()
			h.nothingGoesOn(c.ID)
		})
	}
}

func TestAnAgentIsTakenOutWhilePeoplePost(t *testing.T) {
	h := build(t, nil)
	c := h.channel("busy")
	b := h.binding(c, "one", chat.RuntimeStandin)
	var posters sync.WaitGroup
	removed := make(chan struct{})
	for range 4 {
		posters.Go(func() {
			for {
				select {
				case <-removed:
					return
				default:
				}
				if _, _, err := h.runs.Post(h.ctx(), run.Posting{ChannelID: c.ID, Body: "@one go on"}); err != nil && chat.CodeOf(err) != chat.CodeConflict {
					t.Error(err)
				}
			}
		})
	}
	if status := h.call(http.MethodDelete, "/api/bindings/"+b.ID, ""); status != http.StatusNoContent {
		t.Errorf("the answer is %d", status)
	}
	close(removed)
	posters.Wait()
	h.nothingGoesOn(c.ID)
	if _, runs := h.post(c, "@one are you there?"); len(runs) != 0 {
		t.Errorf("an agent that is gone has work: %v", runs)
	}
}

func TestSettingsThatChangeKeepTheQueue(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	b := h.binding(c, "agent", chat.RuntimeStandin)
	_, going := h.post(c, "@agent /slow 600")
	h.await(going[0].ID, isState(run.Running))
	_, queued := h.post(c, "@agent and then this")
	if status := h.call(http.MethodPatch, "/api/bindings/"+b.ID, `{"model":"another-model"}`); status != http.StatusOK {
		t.Fatalf("the answer is %d", status)
	}
	if r := h.await(going[0].ID, run.State.Ended); r.State != run.Stopped {
		t.Errorf("what it was at: %+v", r)
	}
	if r := h.await(queued[0].ID, run.State.Ended); r.State != run.Succeeded || r.Temperature != "cold" {
		t.Errorf("what waited: %+v", r)
	}
}

// TestWarmAndChangesTakeTurns pre-warms without pause while the binding is
// started fresh, restored and archived: whatever wins, no process outlives the
// archive, and every refusal is a conflict.
func TestWarmAndChangesTakeTurns(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	b := h.binding(c, "agent", chat.RuntimeStandin)
	h.ask(c, "@agent hello")
	var warmers sync.WaitGroup
	archived := make(chan struct{})
	for range 3 {
		warmers.Go(func() {
			for {
				if err := h.runs.Warm(h.ctx(), b.ID); err != nil && chat.CodeOf(err) != chat.CodeConflict {
					t.Errorf("warm: %v", err)
				}
				select {
				case <-archived:
					return
				default:
				}
			}
		})
	}
	for range 10 {
		if _, err := h.runs.Restore(h.ctx(), b.ID); err != nil && chat.CodeOf(err) != chat.CodeNotFound && chat.CodeOf(err) != chat.CodeConflict {
			t.Errorf("restore: %v", err)
		}
		if r := h.ask(c, "@agent and now?"); r.State != run.Succeeded {
			t.Errorf("the turn: %+v", r)
		}
		if _, err := h.runs.Fresh(h.ctx(), b.ID); err != nil {
			t.Errorf("fresh: %v", err)
		}
		if r := h.ask(c, "@agent and now?"); r.Temperature == "restored" {
			t.Errorf("a session was loaded after Start fresh: %+v", r)
		}
	}
	if status := h.call(http.MethodPost, "/api/channels/"+c.ID+"/archive", ""); status != http.StatusOK {
		t.Errorf("the answer is %d", status)
	}
	close(archived)
	warmers.Wait()
	h.nothingGoesOn(c.ID)
}

func TestTheWishToRestoreEndsWithTheNextChange(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	b := h.binding(c, "agent", chat.RuntimeStandin)
	h.ask(c, "@agent hello")
	h.ask(c, "@agent /crash")
	if _, err := h.runs.Restore(h.ctx(), b.ID); err != nil {
		t.Fatal(err)
	}
	if status := h.call(http.MethodPatch, "/api/bindings/"+b.ID, `{"model":"another-model"}`); status != http.StatusOK {
		t.Fatalf("the answer is %d", status)
	}
	if r := h.ask(c, "@agent and now?"); r.Temperature != "cold" {
		t.Errorf("the turn is %s", r.Temperature)
	}
}

// TestAnotherAgentsRowsAreNotOnesOwn is about a handle that changes hands: what
// was written under it before is another's.
func TestAnotherAgentsRowsAreNotOnesOwn(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	one := h.binding(c, "one", chat.RuntimeStandin)
	two := h.binding(c, "two", chat.RuntimeStandin)
	h.ask(c, "@one hello")
	h.ask(c, "@two /post the port is 4747")
	if status := h.call(http.MethodDelete, "/api/bindings/"+two.ID, ""); status != http.StatusNoContent {
		t.Fatalf("the answer is %d", status)
	}
	if status := h.call(http.MethodPatch, "/api/bindings/"+one.ID, `{"handle":"two"}`); status != http.StatusOK {
		t.Fatalf("the answer is %d", status)
	}
	if _, err := h.runs.Restore(h.ctx(), one.ID); err != nil {
		t.Fatal(err)
	}
	if r := h.ask(c, "@two and now?"); r.Temperature != "restored" || !strings.Contains(h.text(r), "the port is 4747") {
		t.Errorf("the turn is %s and was told\n%s", r.Temperature, h.text(r))
	}
}

// sabotage makes the database refuse what a trigger's condition says, until
// mended: the store sees an error as it would of a full disk.
func (h *house) sabotage(on string) (mend func()) {
	h.t.Helper()
	h.behind("CREATE TRIGGER sabotage BEFORE UPDATE ON " + on + " BEGIN SELECT RAISE(ABORT, 'the disk is full'); END")
	return func() {
		h.t.Helper()
		h.behind("DROP TRIGGER sabotage")
	}
}

// behind changes the database behind the store's back.
func (h *house) behind(statement string, args ...any) {
	h.t.Helper()
	other, err := sql.Open("sqlite", filepath.Join(h.dir, Database))
	if err != nil {
		h.t.Fatal(err)
	}
	if _, err := other.ExecContext(context.WithoutCancel(h.ctx()), statement, args...); err != nil {
		h.t.Fatal(err)
	}
	if err := other.Close(); err != nil {
		h.t.Fatal(err)
	}
}

// TestActivityWhileAMessageIsDeleted is about a run whose message goes between
// the two reads.
func TestActivityWhileAMessageIsDeleted(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	b := h.binding(c, "agent", chat.RuntimeStandin)
	gone := h.ask(c, "@agent hello")
	h.ask(c, "@agent and now?")
	h.behind("DELETE FROM rows WHERE id = ?", gone.RowID)
	activity, _, err := tools{h.agents}.Activity(h.ctx(), tool.Scope{ChannelID: c.ID, BindingID: b.ID})
	if err != nil || len(activity.Recent) != 1 {
		t.Errorf("%+v, %v", activity, err)
	}
}

// heard passes a log on and closes said when a line of it has the text.
type heard struct {
	slog.Handler
	text string
	said chan struct{}
	once *sync.Once
}

func (l heard) Handle(ctx context.Context, r slog.Record) error {
	if strings.Contains(r.Message, l.text) {
		l.once.Do(func() { close(l.said) })
	}
	return l.Handler.Handle(ctx, r)
}

func (l heard) WithAttrs(attrs []slog.Attr) slog.Handler {
	l.Handler = l.Handler.WithAttrs(attrs)
	return l
}

func listenFor(text string) (change func(*Options), said chan struct{}) {
	said = make(chan struct{})
	return func(o *Options) {
		o.Log = slog.New(heard{Handler: o.Log.Handler(), text: text, said: said, once: &sync.Once{}})
	}, said
}

func TestAReplyWaitsUntilItCanBeStored(t *testing.T) {
	listen, tryingAgain := listenFor("store the end of a run; trying again")
	h := build(t, listen)
	c := h.channel("backend")
	b := h.binding(c, "agent", chat.RuntimeStandin)
	mend := h.sabotage("runs WHEN NEW.state = 'succeeded'")
	_, runs := h.post(c, "@agent /stream 3")
	<-tryingAgain
	// Neither a Stop nor a change makes it give the reply up; both say so at once.
	if _, err := h.runs.StopBinding(h.ctx(), b.ID); chat.CodeOf(err) != chat.CodeUnavailable {
		t.Errorf("Stop: %v", err)
	}
	if status := h.call(http.MethodPost, "/api/channels/"+c.ID+"/archive", ""); status != http.StatusServiceUnavailable {
		t.Errorf("the archive answers %d", status)
	}
	mend()
	if r := h.await(runs[0].ID, run.State.Ended); r.State != run.Succeeded || h.reply(r) == "" {
		t.Errorf("the run: %+v", r)
	}
	if r := h.ask(c, "@agent and now?"); r.Temperature != "warm" {
		t.Errorf("the next turn is %s", r.Temperature)
	}
}

func TestARunThatCannotBeRefusedNowIsRefusedLater(t *testing.T) {
	listen, tryingAgain := listenFor("store the end of a run; trying again")
	h := build(t, listen)
	c := h.channel("backend")
	h.binding(c, "agent", chat.RuntimeStandin)
	mend := h.sabotage("runs") // neither its beginning nor its end can be stored
	_, runs := h.post(c, "@agent hello")
	<-tryingAgain
	mend()
	if r := h.await(runs[0].ID, run.State.Ended); r.State != run.Failed || r.Failure.Code != run.FailInternal {
		t.Errorf("the run: %+v", r)
	}
	if r := h.ask(c, "@agent hello"); r.State != run.Succeeded {
		t.Errorf("the next: %+v", r)
	}
}

func TestHearthEndsWhileAReplyCannotBeStored(t *testing.T) {
	listen, tryingAgain := listenFor("store the end of a run; trying again")
	h := build(t, listen)
	c := h.channel("backend")
	h.binding(c, "agent", chat.RuntimeStandin)
	mend := h.sabotage("runs WHEN NEW.state = 'succeeded'")
	_, runs := h.post(c, "@agent hello")
	<-tryingAgain
	h.close()
	mend()
	h.open()
	if r := h.await(runs[0].ID, run.State.Ended); r.State != run.Failed || r.Failure.Code != run.FailInterrupted {
		t.Errorf("the run: %+v", r)
	}
}

func TestAnAgentThatCannotBeMadeToForgetLivesOn(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	b := h.binding(c, "agent", chat.RuntimeStandin)
	first := h.ask(c, "@agent hello")
	mend := h.sabotage("bindings")
	if _, err := h.runs.Fresh(h.ctx(), b.ID); err == nil {
		t.Fatal("it was started fresh, it says")
	}
	mend()
	if r := h.ask(c, "@agent and now?"); r.Temperature != "warm" || r.Native != first.Native {
		t.Errorf("the next turn is %s in %s", r.Temperature, r.Native)
	}
}

// What is asked after Start fresh, by whatever way, is asked in the new conversation,
// and then it is too late to take it back. Until then the old one can go on.
func TestStartFreshIsTakenBackUntilTheAgentIsAsked(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	b := h.binding(c, "agent", chat.RuntimeStandin)
	before := h.ask(c, "@agent /remember the house")
	for range 2 { // the second time, of a session that was taken back before
		if _, err := h.runs.Fresh(h.ctx(), b.ID); err != nil {
			t.Fatal(err)
		}
		if err := h.runs.Warm(h.ctx(), b.ID); err != nil {
			t.Fatal(err)
		}
		back, saved, err := h.runs.UndoFresh(h.ctx(), b.ID)
		if err != nil || !back.FreshAt.IsZero() || saved.Native != before.Native {
			t.Fatalf("it goes back to %+v, session %+v, %v", back, saved, err)
		}
		if r := h.ask(c, "@agent /recall"); r.Temperature != "restored" || r.Native != before.Native || !strings.Contains(h.reply(r), "the house") || strings.Contains(h.kinds(r), "rows") {
			t.Errorf("after that the turn is %s, %s: %q", r.Temperature, h.kinds(r), h.reply(r))
		}
	}
	if _, err := h.runs.Fresh(h.ctx(), b.ID); err != nil {
		t.Fatal(err)
	}
	r := h.ask(c, "@agent /recall")
	if r.Temperature != "cold" || r.Native == before.Native || strings.Contains(h.reply(r), "the house") {
		t.Errorf("a message after Start fresh is answered by the old session: %s, %q", r.Temperature, h.reply(r))
	}
	if _, _, err := h.runs.UndoFresh(h.ctx(), b.ID); chat.CodeOf(err) != chat.CodeConflict || !strings.Contains(err.Error(), "too late") {
		t.Errorf("it is taken back after that: %v", err)
	}
}
