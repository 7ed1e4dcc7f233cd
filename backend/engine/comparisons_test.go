package engine

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"hearth/backend/api"
	"hearth/backend/chat"
	"hearth/backend/run"
)

const allRows = 100

// A channel is played as it was: its threads, what the agent said, and nothing of
// another channel. Fewer rows are the newest ones, without the ends of threads that
// began before them.
func TestAChannelIsPlayedAgain(t *testing.T) {
	h := build(t, nil)
	c := h.channel("general")
	b := h.binding(c, "claude", chat.RuntimeStandin)
	h.post(h.channel("other"), "@claude elsewhere")
	h.post(c, "we moved the tests", "aiko")
	h.ask(c, "@claude one?")
	root, _ := h.post(c, "그럴 줄 알았어요", "민지")
	h.ask(c, "@claude two?")
	_, runs := h.postIn(c, root.ID, "@claude three?")
	h.await(runs[0].ID, run.State.Ended)
	h.post(c, "noted", "aiko")

	compare := func(o api.CompareOptions) api.Strategies {
		t.Helper()
		got, err := newComparisons(h.store, time.Minute).Compare(h.ctx(), c, b, o)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	got := compare(api.CompareOptions{Rows: allRows, Limit: 12})
	f := got.Channel
	if f.Name != "general" || f.Agent != "claude" || f.Rows != 9 || f.Mentions != 3 || f.People != 3 || f.Agents != 1 || f.Older || got.Limit != 12 {
		t.Errorf("%+v", got)
	}
	s := got.Strategies
	if s.Hearth.AlreadySeenTokens != 0 || s.Hearth.InputTokens == 0 || s.Hearth.UncachedPerWarmTurn >= s.Window.UncachedPerWarmTurn || s.Unstable.CacheableRatio > 0.01 {
		t.Errorf("%+v", s)
	}
	if evicted := compare(api.CompareOptions{Rows: allRows, Limit: 1, EvictAt: 2}); evicted.EvictAt != 2 || evicted.Limit != 1 || evicted.Strategies.Hearth.InputTokens >= s.Hearth.InputTokens {
		t.Errorf("%+v", evicted)
	}
	// two? and its reply, three? and its reply in a thread that began before, noted.
	if few := compare(api.CompareOptions{Rows: 5, Limit: 12}).Channel; !few.Older || few.Rows != 3 || few.Mentions != 1 {
		t.Errorf("%+v", few)
	}

	// The same over the API, and what it says when there is nothing to play.
	w := httptest.NewRecorder()
	h.Handler().ServeHTTP(w, httptest.NewRequestWithContext(h.ctx(), http.MethodGet, "/api/channels/"+c.ID+"/strategies?binding="+b.ID, nil))
	var over api.Strategies
	if err := json.Unmarshal(w.Body.Bytes(), &over); err != nil || over != got {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	for _, want := range []struct {
		o    api.CompareOptions
		code chat.Code
		says string
	}{
		{api.CompareOptions{Rows: 1, Limit: 12}, chat.CodeConflict, "Nobody has addressed @claude"},
		{api.CompareOptions{Rows: allRows, Limit: 12, EvictAt: 4}, chat.CodeInvalid, "has no mention 4"},
	} {
		_, err := newComparisons(h.store, time.Minute).Compare(h.ctx(), c, b, want.o)
		if chat.CodeOf(err) != want.code || !strings.Contains(err.Error(), want.says) {
			t.Errorf("%+v: %v", want.o, err)
		}
	}
}

// One is played at a time. Who waits may give up, and what takes too long is said
// to.
func TestPlayingIsBounded(t *testing.T) {
	h := build(t, nil)
	c := h.channel("general")
	b := h.binding(c, "claude", chat.RuntimeStandin)
	h.ask(c, "@claude one?")
	o := api.CompareOptions{Rows: allRows, Limit: 12}

	busy := newComparisons(h.store, time.Minute)
	<-busy.turn
	ctx, cancel := context.WithCancel(h.ctx())
	waited := make(chan error, 1)
	go func() {
		_, err := busy.Compare(ctx, c, b, o)
		waited <- err
	}()
	select {
	case err := <-waited:
		t.Fatalf("it did not wait: %v", err)
	default:
	}
	cancel()
	if err := <-waited; !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
	busy.turn <- struct{}{}
	if _, err := busy.Compare(h.ctx(), c, b, o); err != nil {
		t.Errorf("its turn has come: %v", err)
	}
	if _, err := busy.Compare(ctx, c, b, o); !errors.Is(err, context.Canceled) {
		t.Errorf("given up before it began: %v", err)
	}
	if _, err := newComparisons(h.store, 0).Compare(h.ctx(), c, b, o); chat.CodeOf(err) != chat.CodeUnavailable || !strings.Contains(err.Error(), "longer than it may") {
		t.Errorf("it took too long: %v", err)
	}
}
