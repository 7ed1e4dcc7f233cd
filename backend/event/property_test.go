package event

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
)

// reader is a subscriber with what it may expect: every end after where it began.
type reader struct {
	s     *Subscription
	began uint64
	read  []uint64
}

// TestSlowReadersLoseOnlyDeltas plays random publishing and reading, in one
// goroutine, and holds each step against the record of all that was published.
func TestSlowReadersLoseOnlyDeltas(t *testing.T) {
	for seed := range uint64(200) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { playReaders(t, rand.New(rand.NewPCG(seed, 1))) })
	}
}

func playReaders(t *testing.T, dice *rand.Rand) {
	keep, keepDeltas := 1+dice.IntN(6), 1+dice.IntN(6)
	b := NewBus(Options{Keep: keep, KeepDeltas: keepDeltas})
	var delta []bool // by seq - 1
	// count of ends or deltas in (from, to]
	count := func(from, to uint64, of bool) (n int) {
		for seq := from + 1; seq <= to; seq++ {
			if delta[seq-1] == of {
				n++
			}
		}
		return n
	}
	var readers []*reader
	for range 300 {
		last := uint64(len(delta))
		switch roll := dice.IntN(20); {
		case roll < 9:
			e := b.Publish(Event{Delta: dice.IntN(3) > 0})
			delta = append(delta, e.Delta)
			if e.Seq != last+1 {
				t.Fatalf("seq %d after %d", e.Seq, last)
			}
		case roll < 11:
			after := dice.Uint64N(last + 2)
			s, missed := b.Subscribe(after)
			if want := after > last || count(after, last, false) > keep; missed != want {
				t.Fatalf("Subscribe(%d) at %d: missed = %v, want %v", after, last, missed, want)
			}
			if missed {
				after = last
			}
			readers = append(readers, &reader{s: s, began: after})
		case len(readers) > 0:
			i := dice.IntN(len(readers))
			r := readers[i]
			seen := r.s.seen
			if seen == last {
				continue // Next would wait
			}
			e, err := r.s.Next(t.Context())
			if behind := count(seen, last, false); behind > keep {
				if !errors.Is(err, ErrTooSlow) {
					t.Fatalf("%d ends behind, %d kept: Next = %v, %v", behind, keep, e, err)
				}
				readers = append(readers[:i], readers[i+1:]...)
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			r.read = append(r.read, e.Seq)
			if e.Seq <= seen || e.Seq > last {
				t.Fatalf("read %d after %d of %d", e.Seq, seen, last)
			}
			if lost := count(seen, e.Seq-1, false); lost > 0 {
				t.Fatalf("read %d after %d: %d ends lost", e.Seq, seen, lost)
			}
			if lost := count(seen, e.Seq-1, true); lost > 0 && count(e.Seq-1, last, true) < keepDeltas {
				t.Fatalf("read %d after %d of %d: %d deltas dropped though there was room", e.Seq, seen, last, lost)
			}
		}
	}
	// Whoever is left and not too slow ends at the present.
	for _, r := range readers {
		if _, err := drain(t, r.s); err == nil && r.s.seen != b.Last() {
			t.Errorf("reader from %d stopped at %d of %d", r.began, r.s.seen, b.Last())
		}
	}
}

// TestManyReadersAtOnce has real goroutines: publishers that never wait, readers
// of different pace, one that never reads.
func TestManyReadersAtOnce(t *testing.T) {
	const publishers, each = 4, 2000
	const all = publishers*each + 1
	b := NewBus(Options{Keep: all, KeepDeltas: 64})
	asleep, _ := b.Subscribe(0)
	defer asleep.Close()

	var reading, publishing sync.WaitGroup
	for pace := range 8 {
		s, _ := b.Subscribe(0)
		reading.Go(func() {
			defer s.Close()
			var seen uint64
			var ends int
			for seen < all {
				// The slower ones stand aside now and then until the others are far ahead.
				if pace > 3 && seen%uint64(pace*50) == 0 {
					waitFor(t, b, min(seen+500, all))
				}
				e, err := s.Next(t.Context())
				if err != nil || e.Seq <= seen {
					t.Errorf("pace %d: after %d: %+v, %v", pace, seen, e, err)
					return
				}
				seen = e.Seq
				if !e.Delta {
					ends++
				}
			}
			if want := publishers*each/2 + 1; ends != want {
				t.Errorf("pace %d: %d ends, want %d", pace, ends, want)
			}
		})
	}
	for range publishers {
		publishing.Go(func() {
			for i := range each {
				b.Publish(Event{Delta: i%2 == 1})
			}
		})
	}
	publishing.Wait()
	b.Publish(Event{Type: "last"})
	reading.Wait()
}

// waitFor returns when the bus has come to seq.
func waitFor(t *testing.T, b *Bus, seq uint64) {
	for {
		s, _ := b.Subscribe(b.Last())
		if s.seen >= seq {
			return
		}
		if _, err := s.Next(t.Context()); err != nil {
			return
		}
	}
}

func BenchmarkPublish(bench *testing.B) {
	for _, subscribers := range []int{0, 1, 100} {
		for _, kind := range []struct {
			name  string
			delta bool
		}{{"end", false}, {"delta", true}} {
			bench.Run(fmt.Sprintf("%s/subscribers=%d", kind.name, subscribers), func(bench *testing.B) {
				b := NewBus(Options{})
				ctx, cancel := context.WithCancel(bench.Context())
				var reading sync.WaitGroup
				for range subscribers {
					reading.Go(func() {
						s, _ := b.Subscribe(b.Last())
						for {
							_, err := s.Next(ctx)
							if errors.Is(err, ErrTooSlow) {
								s, _ = b.Subscribe(b.Last())
							} else if err != nil {
								return
							}
						}
					})
				}
				bench.ReportAllocs()
				for bench.Loop() {
					b.Publish(Event{Type: "delta", ChannelID: "c", Delta: kind.delta})
				}
				bench.StopTimer()
				cancel()
				reading.Wait()
			})
		}
	}
}
