package api

import (
	"context"
	"fmt"
	"testing"
)

// shows says whether a page is to notify of something in the channel c1.
func (p *pages) shows(t *testing.T, notice string, want string, ids ...string) {
	t.Helper()
	yes := "nobody"
	for _, id := range ids {
		if p.notifies(id, "c1", notice) {
			if yes != "nobody" {
				t.Errorf("%s: %s notifies, and so does %s", notice, yes, id)
			}
			yes = id
		}
	}
	if yes != want {
		t.Errorf("%s: %s notifies, want %s", notice, yes, want)
	}
}

func TestOnePageNotifies(t *testing.T) {
	p := &pages{}
	n := 0
	next := func(want string, ids ...string) {
		t.Helper()
		n++
		p.shows(t, fmt.Sprint("n", n), want, ids...)
	}
	next("nobody", "a") // it is not open
	leaveA := p.enter("a")
	next("a", "a") // it has not said anything of itself yet
	leaveB := p.enter("b")
	able := PageState{Notifies: true}
	p.tell("a", able)
	next("a", "b", "a") // b can't
	p.tell("b", able)
	next("b", "a", "b") // it came last
	p.tell("a", PageState{Notifies: true, Focused: true, ChannelID: "c2"})
	p.tell("a", able)
	next("a", "b", "a") // it was looked at last
	p.shows(t, "n2", "nobody", "b", "a")

	// The window goes before both, unless it can't; what is looked at anywhere is notified of nowhere.
	leaveWindow := p.enter("w")
	p.tell("w", PageState{Window: true, Notifies: true})
	p.tell("b", PageState{Notifies: true, Focused: true, ChannelID: "c2"})
	next("w", "a", "b", "w")
	p.tell("w", PageState{Window: true})
	next("b", "a", "b", "w")
	p.tell("w", PageState{Window: true, Notifies: true})
	p.tell("a", PageState{Notifies: true, Focused: true, ChannelID: "c1"})
	next("nobody", "a", "b", "w")
	p.tell("a", able)
	leaveWindow()
	if p.tell("w", able) {
		t.Error("a page that is gone was heard")
	}
	next("a", "a", "b")

	// A page whose stream is opened anew before the old one ends stays what it is.
	again := p.enter("a")
	leaveA()
	next("a", "a", "b")
	again()
	next("b", "a", "b")
	leaveB()
	p.enter("")()
	if len(p.open) > 0 {
		t.Errorf("open: %v", p.open)
	}
}

func TestNoticesAreBounded(t *testing.T) {
	p := &pages{}
	defer p.enter("a")()
	for i := range mostNoticed + 10 {
		p.notifies("a", "c1", fmt.Sprint(i))
	}
	if len(p.noticed) != mostNoticed {
		t.Errorf("%d are remembered", len(p.noticed))
	}
	p.shows(t, fmt.Sprint(mostNoticed+9), "nobody", "a")
}

// A page is open for as long as its stream of events is.
func TestPagesByTheirStreams(t *testing.T) {
	h := newHouse(t)
	state := `{"window":false,"notifies":true,"focused":false,"channel_id":""}`
	if got := h.call("PUT", "/api/pages/p1", state); got.status != 404 {
		t.Errorf("a page without a stream: %d %s", got.status, got.body)
	}
	ctx, end := context.WithCancel(t.Context())
	w, done := h.listen(ctx, "&page=p1", "")
	for w.take() == "" { // it begins at once
		if got := h.call("GET", "/api/health", ""); got.status != 200 {
			t.Fatal(got.status)
		}
	}
	if got := h.call("PUT", "/api/pages/p1", state); got.status != 204 {
		t.Errorf("%d %s", got.status, got.body)
	}
	for _, want := range []string{`{"show":true}`, `{"show":false}`} {
		if got := h.call("POST", "/api/pages/p1/notices", `{"channel_id":"c1","notice":"reply/r1"}`); got.body != want+"\n" {
			t.Errorf("%d %s, want %s", got.status, got.body, want)
		}
	}
	end()
	<-done
	if got := h.call("PUT", "/api/pages/p1", state); got.status != 404 {
		t.Errorf("a page whose stream has ended: %d", got.status)
	}
}
