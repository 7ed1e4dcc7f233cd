package event

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// publish puts one event on the bus for each letter: e is an end, d a delta.
func publish(b *Bus, letters string) {
	for _, l := range letters {
		b.Publish(Event{Type: string(l), Delta: l == 'd'})
	}
}

// drain reads what is there and stops where Next would wait.
func drain(t *testing.T, s *Subscription) (seqs []uint64, end error) {
	t.Helper()
	for {
		if s.seen == s.bus.Last() {
			return seqs, nil
		}
		e, err := s.Next(t.Context())
		if err != nil {
			return seqs, err
		}
		seqs = append(seqs, e.Seq)
	}
}

func TestPublishNumbersAndDates(t *testing.T) {
	b := NewBus(Options{})
	if got := b.Last(); got != 0 {
		t.Errorf("Last of an empty bus = %d", got)
	}
	given := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	first := b.Publish(Event{Type: "a", ChannelID: "c", Data: 7, At: given})
	second := b.Publish(Event{Type: "b", Seq: 99, Delta: true})
	if first != (Event{Seq: 1, Type: "a", ChannelID: "c", Data: 7, At: given}) {
		t.Errorf("first = %+v", first)
	}
	if second.Seq != 2 || second.At.IsZero() {
		t.Errorf("second = %+v, want seq 2 and a date", second)
	}
	if got := b.Last(); got != 2 {
		t.Errorf("Last = %d, want 2", got)
	}
	s, _ := b.Subscribe(0)
	for _, want := range []Event{first, second} {
		if got, err := s.Next(t.Context()); err != nil || got != want {
			t.Errorf("Next = %+v, %v; want %+v", got, err, want)
		}
	}
}

func TestSubscribe(t *testing.T) {
	tests := []struct {
		name    string
		before  string // published before subscribing
		after   uint64
		then    string // published after it
		missed  bool
		want    []uint64
		wantEnd error
	}{
		{name: "new bus from the beginning", after: 0, then: "ede", want: []uint64{1, 2, 3}},
		{name: "catch up, then live", before: "eded", after: 2, then: "e", want: []uint64{3, 4, 5}},
		{name: "all seen", before: "ee", after: 2, then: "e", want: []uint64{3}},
		{name: "exactly what is kept", before: "eeeee", after: 1, want: []uint64{2, 3, 4, 5}},
		{name: "one end too old", before: "eeeeee", after: 1, then: "e", missed: true, want: []uint64{7}},
		{name: "from the beginning, too late", before: "eeeee", after: 0, then: "e", missed: true, want: []uint64{6}},
		{name: "from the future", before: "ee", after: 3, then: "e", missed: true, want: []uint64{3}},
		{name: "from the far future", before: "ee", after: math.MaxUint64, missed: true},
		{name: "lost deltas are no miss, the newest stay", before: "eddddde", after: 1, want: []uint64{4, 5, 6, 7}},
		{name: "deltas push out no ends", before: "ee" + "dddddddddd", after: 0, want: []uint64{1, 2, 10, 11, 12}},
		{name: "slow: deltas go, ends stay", after: 0, then: "dedddedd", want: []uint64{2, 5, 6, 7, 8}},
		{name: "slow: as many ends as are kept", after: 0, then: "eeee", want: []uint64{1, 2, 3, 4}},
		{name: "slow: more ends than are kept", after: 0, then: "eeeee", wantEnd: ErrTooSlow},
		{name: "ends read in time count no more", before: "eeee", after: 4, then: "eeee", want: []uint64{5, 6, 7, 8}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := NewBus(Options{Keep: 4, KeepDeltas: 3})
			publish(b, tt.before)
			s, missed := b.Subscribe(tt.after)
			defer s.Close()
			if missed != tt.missed {
				t.Errorf("missed = %v, want %v", missed, tt.missed)
			}
			publish(b, tt.then)
			got, end := drain(t, s)
			if !slices.Equal(got, tt.want) || !errors.Is(end, tt.wantEnd) {
				t.Errorf("read %v, %v; want %v, %v", got, end, tt.want, tt.wantEnd)
			}
		})
	}
}

func TestTooSlowIsForGood(t *testing.T) {
	b := NewBus(Options{Keep: 2})
	s, _ := b.Subscribe(0)
	publish(b, "eee")
	for range 2 {
		if _, err := s.Next(t.Context()); !errors.Is(err, ErrTooSlow) {
			t.Fatalf("Next = %v, want ErrTooSlow", err)
		}
	}
	again, missed := b.Subscribe(s.seen)
	if !missed {
		t.Error("subscribing again where a slow reader stopped must say missed")
	}
	publish(b, "e")
	if e, err := again.Next(t.Context()); err != nil || e.Seq != 4 {
		t.Errorf("Next = %+v, %v; want seq 4", e, err)
	}
}

func TestNextWaits(t *testing.T) {
	tests := []struct {
		name  string
		do    func(b *Bus, s *Subscription, cancel context.CancelFunc)
		want  uint64
		error error
	}{
		{name: "for an end", do: func(b *Bus, _ *Subscription, _ context.CancelFunc) { publish(b, "e") }, want: 1},
		{name: "for a delta", do: func(b *Bus, _ *Subscription, _ context.CancelFunc) { publish(b, "d") }, want: 1},
		{name: "until closed", do: func(_ *Bus, s *Subscription, _ context.CancelFunc) { s.Close(); s.Close() }, error: ErrClosed},
		{name: "until cancelled", do: func(_ *Bus, _ *Subscription, cancel context.CancelFunc) { cancel() }, error: context.Canceled},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := NewBus(Options{})
				s, _ := b.Subscribe(0)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				done := make(chan struct{})
				var got Event
				var err error
				go func() {
					defer close(done)
					got, err = s.Next(ctx)
				}()
				synctest.Wait()
				select {
				case <-done:
					t.Fatalf("Next did not wait: %+v, %v", got, err)
				default:
				}
				tt.do(b, s, cancel)
				<-done
				if got.Seq != tt.want || !errors.Is(err, tt.error) {
					t.Errorf("Next = %+v, %v; want seq %d, %v", got, err, tt.want, tt.error)
				}
			})
		})
	}
}

func TestNextStopsAmidEvents(t *testing.T) {
	b := NewBus(Options{})
	s, _ := b.Subscribe(0)
	publish(b, "ee")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Next with a cancelled context = %v", err)
	}
	// The context's end is not the subscription's.
	if e, err := s.Next(t.Context()); err != nil || e.Seq != 1 {
		t.Errorf("Next afterwards = %+v, %v; want seq 1", e, err)
	}
	s.Close()
	if _, err := s.Next(t.Context()); !errors.Is(err, ErrClosed) {
		t.Errorf("Next of a closed subscription = %v", err)
	}
}

func TestMemoryIsBounded(t *testing.T) {
	b := NewBus(Options{Keep: 10, KeepDeltas: 5})
	for range 100 {
		s, _ := b.Subscribe(b.Last())
		defer s.Close()
	}
	for range 1000 {
		publish(b, "ed")
	}
	if e, d := len(b.ends.events), len(b.deltas.events); e != 10 || d != 5 {
		t.Errorf("kept %d ends and %d deltas, want 10 and 5", e, d)
	}
}

func TestResume(t *testing.T) {
	b := NewBus(Options{Keep: 3})
	publish(b, "eeee")
	other := NewBus(Options{})
	if len(b.Epoch()) != 16 || b.Epoch() == other.Epoch() {
		t.Fatalf("epochs %q and %q: want 16 digits each, and different", b.Epoch(), other.Epoch())
	}
	tests := []struct {
		name   string
		id     string
		missed bool
		want   []uint64
	}{
		{name: "where it stopped", id: b.ID(Event{Seq: 2}), want: []uint64{3, 4, 5}},
		{name: "at the newest", id: b.ID(Event{Seq: 4}), want: []uint64{5}},
		{name: "too long ago", id: b.ID(Event{Seq: 0}), missed: true, want: []uint64{5}},
		{name: "another run of the program", id: other.ID(Event{Seq: 3}), missed: true, want: []uint64{5}},
		{name: "nothing seen yet", id: "", missed: true, want: []uint64{5}},
		{name: "malformed", id: "3", missed: true, want: []uint64{5}},
	}
	subscriptions := make([]*Subscription, len(tests))
	for i, tt := range tests {
		var missed bool
		if subscriptions[i], missed = b.Resume(tt.id); missed != tt.missed {
			t.Errorf("%s: missed = %v, want %v", tt.name, missed, tt.missed)
		}
	}
	publish(b, "e")
	for i, tt := range tests {
		if got, err := drain(t, subscriptions[i]); err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%s: read %v, %v; want %v", tt.name, got, err, tt.want)
		}
	}
}

func TestParseID(t *testing.T) {
	tests := []struct {
		id    string
		epoch string
		seq   uint64
		ok    bool
	}{
		{id: "0011aabbccddeeff-42", epoch: "0011aabbccddeeff", seq: 42, ok: true},
		{id: "x-18446744073709551615", epoch: "x", seq: math.MaxUint64, ok: true},
		{id: "x-0", epoch: "x", ok: true},
		{id: ""}, {id: "-"}, {id: "-1"}, {id: "x"}, {id: "x-"}, {id: "x--1"}, {id: "x-+1"}, {id: "x-01"},
		{id: "x-1 "}, {id: "x-18446744073709551616"}, {id: "x-y-1"},
	}
	for _, tt := range tests {
		epoch, seq, err := ParseID(tt.id)
		if epoch != tt.epoch || seq != tt.seq || (err == nil) != tt.ok {
			t.Errorf("ParseID(%q) = %q, %d, %v", tt.id, epoch, seq, err)
		}
		if err != nil && !errors.Is(err, ErrBadID) {
			t.Errorf("ParseID(%q): %v is no ErrBadID", tt.id, err)
		}
	}
}

func FuzzParseID(f *testing.F) {
	for _, id := range []string{"", "0011aabbccddeeff-42", "x-18446744073709551616", "a-b-3", "\x00-0", "é-7"} {
		f.Add(id)
	}
	f.Fuzz(func(t *testing.T, id string) {
		epoch, seq, err := ParseID(id)
		if err != nil {
			if len(err.Error()) > 400 {
				t.Errorf("the error repeats %d bytes of foreign text", len(err.Error()))
			}
			return
		}
		if back := FormatID(epoch, seq); back != id {
			t.Errorf("%q is read as %q, %d, which is written %q", id, epoch, seq, back)
		}
	})
}
