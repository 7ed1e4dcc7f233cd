package run

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"hearth/backend/event"
)

// reader follows a stream as the documentation of the API tells a page to. It
// counts in UTF-16 code units, and reads what it gets as JSON.
type reader struct {
	t    *testing.T
	live *live
	text []uint16
	seq  int
}

func (r *reader) decoded(text string) []uint16 {
	r.t.Helper()
	encoded, err := json.Marshal(text)
	if err != nil {
		r.t.Fatal(err)
	}
	var got string
	if err := json.Unmarshal(encoded, &got); err != nil {
		r.t.Fatal(err)
	}
	return utf16.Encode([]rune(got))
}

func (r *reader) fetch() {
	text, _ := r.live.snapshot()
	r.text = r.decoded(text)
}

// take takes an event in. With gaps it begins anew with each stretch and fetches
// when the sequence jumps; without, it looks at nothing but the deltas' places.
func (r *reader) take(seq int, e event.Event, gaps bool) {
	missed := seq != r.seq+1
	r.seq = seq
	switch data := e.Data.(type) {
	case Delta:
		if data.At > len(r.text) {
			r.fetch()
			return
		}
		r.text = append(r.text[:data.At:data.At], r.decoded(data.Text)...)
	case StepEvent:
		if data.Step.Kind == "text" && data.Step.Parent == "" && gaps {
			r.text = nil
		}
	case Run:
		if gaps {
			r.text = nil
		}
	}
	if gaps && missed {
		r.fetch()
	}
}

func (r *reader) is() bool {
	text, _ := r.live.snapshot()
	return string(utf16.Decode(r.text)) == string(utf16.Decode(r.decoded(text)))
}

// Whatever is dropped, whenever the run is fetched, and however late the events
// come: a reader that puts deltas in their places has the text as it is.
func TestDeltasInTheirPlacesMakeTheText(t *testing.T) {
	// Letters of one, two and three bytes, of two UTF-16 units, halves of letters,
	// and what is no UTF-8 at all.
	pieces := []string{"a", "lo ", "é", "안녕", "🏳️‍🌈", "👩", "", "\xf0\x9f", "\x91\xa9", "\xff", "e\u0301", "\u2028", "\x00"}
	for seed := range uint64(400) {
		random := rand.New(rand.NewPCG(seed, 7))
		l := newLive(Run{ID: "r", State: Running})
		prompt := &reader{t: t, live: l}   // takes each event as it happens; looks at places alone
		late := &reader{t: t, live: l}     // takes them some time later; looks at all there is
		careless := &reader{t: t, live: l} // as late; looks at places alone
		type numbered struct {
			seq int
			e   event.Event
		}
		var behind []numbered
		drain := func(n int) {
			for _, next := range behind[:n] {
				late.take(next.seq, next.e, true)
				careless.take(next.seq, next.e, false)
			}
			behind = behind[n:]
		}
		for seq := 1; seq <= 60; seq++ {
			var h Happening
			switch random.IntN(14) {
			case 0:
				h = Happening{Step: &Step{Kind: "text", Output: "whole"}, Done: true}
			case 1:
				h = Happening{Step: &Step{Kind: "text", Output: "a subagent's", Parent: "t"}, Done: true}
			case 2:
				h = Happening{Step: &Step{Kind: "tool", ID: "t"}}
			case 3:
				if h = (Happening{Delta: pieces[0]}); random.IntN(3) == 0 {
					h = Happening{Retract: true}
				}
			default:
				h = Happening{Delta: pieces[random.IntN(len(pieces))] + pieces[random.IntN(len(pieces))]}
			}
			e := l.happen(h, time.Time{})
			if e.Delta && random.IntN(3) == 0 {
				continue // dropped; seq goes on
			}
			prompt.take(seq, e, false)
			if _, isDelta := e.Data.(Delta); isDelta && !prompt.is() {
				t.Fatalf("seed %d, event %d: the prompt reader has %q", seed, seq, string(utf16.Decode(prompt.text)))
			}
			behind = append(behind, numbered{seq, e})
			if random.IntN(10) == 0 {
				late.fetch() // a page fetches when it likes, ahead of the events it has
				careless.fetch()
			}
			drain(random.IntN(len(behind) + 1))
		}
		// The last that happens is a delta that arrives, after which all have caught up.
		behind = append(behind, numbered{61, l.happen(Happening{Delta: "end"}, time.Time{})})
		drain(len(behind))
		for name, r := range map[string]*reader{"late": late, "careless": careless} {
			if !r.is() {
				text, _ := l.snapshot()
				t.Fatalf("seed %d: the %s reader has %q, the text is %q", seed, name, string(utf16.Decode(r.text)), text)
			}
		}
	}
}

// What streams is counted as JavaScript counts it, and the run's text has the
// same letters at the same places.
func TestDeltaPlaces(t *testing.T) {
	l := newLive(Run{ID: "r"})
	var whole strings.Builder
	for i, step := range []struct {
		happening Happening
		at        int
		first     bool
	}{
		{Happening{Delta: "a"}, 0, true},
		{Happening{Delta: "👩"}, 1, false},
		{Happening{Delta: "한\xf0\x9f"}, 3, false},
		{Happening{Delta: "\x91\xa9"}, 5, false}, // the other half of a letter: a mark each, here as in the text
		{Happening{Delta: "b"}, 6, false},
	} {
		e := l.happen(step.happening, time.Time{})
		delta := e.Data.(Delta)
		if delta.At != step.at || e.Delta == step.first {
			t.Errorf("delta %d is at %d, may be dropped: %t", i, delta.At, e.Delta)
		}
		whole.WriteString(delta.Text)
	}
	if text, _ := l.snapshot(); text != whole.String() || text != "a👩한\uFFFD\uFFFDb" {
		t.Errorf("the run's text is %q, what streamed %q", text, whole.String())
	}
	for _, restart := range []Happening{{Step: &Step{Kind: "text"}, Done: true}, {Retract: true}} {
		l.happen(Happening{Delta: "x"}, time.Time{})
		l.happen(restart, time.Time{})
		if e := l.happen(Happening{Delta: "y"}, time.Time{}); e.Delta || e.Data.(Delta).At != 0 {
			t.Errorf("after %+v: %+v", restart, e)
		}
	}
}
