package api

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// shows says whether a page is to notify of something in the channel c1.
func (p *pages) shows(t *testing.T, notice string, want string, ids ...string) {
	t.Helper()
	told := "nobody"
	for _, id := range ids {
		if yes, _ := p.notifies(id, "c1", notice); yes {
			if told != "nobody" {
				t.Errorf("%s: %s notifies, and so does %s", notice, told, id)
			}
			told = id
		}
	}
	if told != want {
		t.Errorf("%s: %s notifies, want %s", notice, told, want)
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
	tell := func(id string, s PageState) {
		t.Helper()
		if !p.tell(id, s) {
			t.Errorf("%s was not heard", id)
		}
	}
	next("nobody", "a") // it is not open
	// Two pages of a browser hear one stream, another browser's page its own.
	shared, leaveShared := p.enter()
	own, leaveOwn := p.enter()
	mute, able := PageState{Stream: shared}, PageState{Stream: shared, Notifies: true}
	tell("a", able)
	next("a", "a")
	tell("b", mute)
	next("a", "b", "a") // b can't
	tell("c", PageState{Stream: own, Notifies: true})
	next("c", "a", "b", "c") // it came last
	tell("b", able)
	tell("a", PageState{Stream: shared, Notifies: true, Focused: true, ChannelID: "c2"})
	tell("a", able)
	next("a", "c", "b", "a") // it was looked at last
	p.shows(t, "n2", "nobody", "b", "a")

	// The window goes before all, unless it can't; what is looked at anywhere is notified of nowhere.
	window, leaveWindow := p.enter()
	tell("w", PageState{Stream: window, Window: true, Notifies: true})
	tell("b", PageState{Stream: shared, Notifies: true, Focused: true, ChannelID: "c2"})
	next("w", "a", "b", "w")
	tell("w", PageState{Stream: window, Window: true})
	next("b", "a", "b", "w")
	tell("w", PageState{Stream: window, Window: true, Notifies: true})
	tell("a", PageState{Stream: shared, Notifies: true, Focused: true, ChannelID: "c1"})
	next("nobody", "a", "b", "w")
	tell("a", able)
	leaveWindow()
	if p.tell("w", PageState{Stream: window, Notifies: true}) {
		t.Error("a page whose stream has ended was heard")
	}
	next("a", "a", "b")

	// One that is gone stands in nobody's way, and the others of its stream stay.
	p.gone("a")
	p.gone("a")
	next("b", "a", "b", "c")

	// A page whose stream is opened anew before the old one ends stays what it is.
	again, leaveAgain := p.enter()
	tell("b", PageState{Stream: again, Notifies: true})
	leaveShared()
	next("b", "b", "c")
	leaveAgain()
	next("c", "b", "c")
	leaveOwn()
	if len(p.open) > 0 || len(p.streams) > 0 {
		t.Errorf("open: %v, %v", p.open, p.streams)
	}
}

func TestNoticesAreBounded(t *testing.T) {
	p := &pages{}
	stream, leave := p.enter()
	defer leave()
	p.tell("a", PageState{Stream: stream})
	for i := range mostNoticed + 10 {
		p.notifies("a", "c1", fmt.Sprint(i))
	}
	if len(p.noticed) != mostNoticed {
		t.Errorf("%d are remembered", len(p.noticed))
	}
	p.shows(t, fmt.Sprint(mostNoticed+9), "nobody", "a")
}

// Pages are open for as long as the stream of events that they hear is.
func TestPagesByTheirStream(t *testing.T) {
	h := newHouse(t)
	state := func(stream string) string {
		return `{"stream":"` + stream + `","window":false,"notifies":true,"focused":false,"channel_id":""}`
	}
	const notice = `{"channel_id":"c1","notice":"reply/r1"}`
	if got := h.call("PUT", "/api/pages/p1", state("none")); got.status != 404 {
		t.Errorf("a page without a stream: %d %s", got.status, got.body)
	}
	ctx, end := context.WithCancel(t.Context())
	w, done := h.listen(ctx, "", "")
	var text string
	for !strings.HasSuffix(text, "\n\n") { // it begins at once
		text += w.take()
		if got := h.call("GET", "/api/health", ""); got.status != 200 {
			t.Fatal(got.status)
		}
	}
	_, data, _ := strings.Cut(text, "\ndata: ")
	var begun streamed
	if err := json.Unmarshal([]byte(data), &begun); err != nil {
		t.Fatal(err)
	}
	if got := h.call("POST", "/api/pages/p1/notices", notice); got.status != 404 {
		t.Errorf("a page that has not said that it is open: %d %s", got.status, got.body)
	}
	for _, id := range []string{"p1", "p2"} {
		if got := h.call("PUT", "/api/pages/"+id, state(begun.Stream)); got.status != 204 {
			t.Errorf("%s: %d %s", id, got.status, got.body)
		}
	}
	if got := h.call("DELETE", "/api/pages/p2", ""); got.status != 204 {
		t.Errorf("a page that goes: %d %s", got.status, got.body)
	}
	for _, want := range []string{`{"show":true}`, `{"show":false}`} {
		if got := h.call("POST", "/api/pages/p1/notices", notice); got.body != want+"\n" {
			t.Errorf("%d %s, want %s", got.status, got.body, want)
		}
	}
	end()
	<-done
	if got := h.call("PUT", "/api/pages/p1", state(begun.Stream)); got.status != 404 {
		t.Errorf("a page whose stream has ended: %d", got.status)
	}
}
