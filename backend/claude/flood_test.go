package claude

import (
	"context"
	"strings"
	"testing"
)

const floodDeltas = 100000

func init() {
	parts["flood"] = func(f *fake) {
		f.initialize()
		uuid, asked := f.user()
		f.emit(f.init(), replay(uuid, asked), object{"type": "system", "subtype": "status", "status": "requesting"})
		id := f.messageID()
		piece := strings.Repeat("x", 50)
		for range floodDeltas {
			f.emit(delta(piece))
		}
		f.mark("flooded")
		f.emit(f.assistant(id, text(strings.Repeat(piece, floodDeltas))), f.result("the end", nil))
		f.loop()
	}
}

// A sink that is stuck holds nobody up: all deltas are read, those that wait are bounded, and the end arrives.
func TestAFloodOfDeltas(t *testing.T) {
	o := options("flood")
	flooded := make(chan struct{})
	waiting := 0
	var s *Session
	o.Permission = func(context.Context, Question) Answer { // the reader has got here
		s.mu.Lock()
		q := s.turn.events
		s.mu.Unlock()
		q.mu.Lock()
		for _, i := range q.items {
			waiting += len(i.delta)
		}
		if len(q.items) > deltaLimit/deltaJoin+10 {
			t.Errorf("%d events wait", len(q.items))
		}
		q.mu.Unlock()
		close(flooded)
		return Answer{}
	}
	s = open(t, o)
	var events []Event
	r, err := s.Turn(t.Context(), Message{Text: "x"}, func(e Event) {
		if _, ok := e.(Status); ok {
			<-flooded
		}
		events = append(events, e)
	})
	if err != nil || r.Text != "the end" {
		t.Fatalf("%+v, %v", r, err)
	}
	if waiting == 0 || waiting > deltaLimit {
		t.Errorf("%d bytes of deltas waited", waiting)
	}
	shown := 0
	for _, d := range each[TextDelta](events) {
		shown += len(d.Text)
	}
	// A first batch may have been on its way to the sink before it got stuck.
	if shown < waiting || shown > 2*deltaLimit {
		t.Errorf("%d bytes of deltas were shown, %d waited", shown, waiting)
	}
	if whole := each[Text](events); len(whole) != 1 || len(whole[0].Text) != 50*floodDeltas {
		t.Error("the text did not come whole")
	}
}

func TestDeltasAreJoinedOnlyWithTheirOwn(t *testing.T) {
	q := newEventQueue()
	for _, e := range []Event{
		TextDelta{"m1", "a", ""}, TextDelta{"m1", "b", ""}, TextDelta{"m2", "c", ""}, TextDelta{"m2", "d", "toolu"},
		Text{"m2", "whole", ""}, TextDelta{"m2", "e", ""},
	} {
		q.push(e)
	}
	q.close()
	var got []string
	q.pump(func(e Event) {
		if d, ok := e.(TextDelta); ok {
			got = append(got, d.MessageID+d.Parent+":"+d.Text)
		} else {
			got = append(got, "-")
		}
	})
	if want := "m1:ab m2:c m2toolu:d - m2:e"; strings.Join(got, " ") != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestHeldIsBounded(t *testing.T) {
	var h held
	for range heldEvents + 5 {
		h.push(Status{Name: "x"})
	}
	if len(h.events) != heldEvents || h.dropped != 5 {
		t.Errorf("%d held, %d dropped", len(h.events), h.dropped)
	}
	h = held{}
	for range 5 {
		h.push(Text{Text: strings.Repeat("x", heldBytes/2)})
	}
	if len(h.events) != 1 || h.dropped != 4 {
		t.Errorf("%d big ones held, %d dropped", len(h.events), h.dropped)
	}
	h.push(Text{Text: strings.Repeat("x", 2*heldBytes)})
	if len(h.events) != 1 {
		t.Errorf("%d held after one that is over the bound by itself", len(h.events))
	}
}
