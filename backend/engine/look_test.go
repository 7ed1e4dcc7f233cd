package engine

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// looked is a look that takes a minute and finds its own number.
func looked(told func(context.Context, finding[int], int)) (l *look[int], looks *int) {
	looks = new(int)
	return &look[int]{within: time.Hour, now: time.Now, told: told, find: func(ctx context.Context) int {
		*looks++
		n := *looks
		select {
		case <-time.After(time.Minute):
		case <-ctx.Done():
			n = -n
		}
		return n
	}}, looks
}

func TestLook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told [][2]int
		l, looks := looked(func(_ context.Context, before finding[int], after int) {
			told = append(told, [2]int{before.value, after})
		})
		defer l.close()
		if !l.last().none() {
			t.Error("something is known")
		}
		// Whoever asks while it takes long waits for the same one, or goes.
		for range 5 {
			l.start(time.Second)
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if got := l.await(gone, time.Second); !got.none() {
			t.Errorf("found %v", got)
		}
		if got := l.await(t.Context(), time.Second); got.value != 1 || *looks != 1 {
			t.Errorf("found %v in %d looks", got, *looks)
		}
		// It is kept for a while, then the last one is known while there is another.
		if l.start(time.Second) != nil {
			t.Error("a new finding is looked for again")
		}
		time.Sleep(time.Second)
		if l.start(time.Second) == nil || l.last().value != 1 {
			t.Error("an old one is not, or is forgotten")
		}
		if got := l.await(t.Context(), time.Second); got.value != 2 {
			t.Errorf("found %v", got)
		}
		// What counts no more is looked for again whatever its age.
		l.expire()
		if got := l.await(t.Context(), time.Hour); got.value != 3 || *looks != 3 {
			t.Errorf("found %v in %d looks", got, *looks)
		}
		synctest.Wait()
		if len(told) != 3 || told[0] != [2]int{0, 1} || told[2] != [2]int{2, 3} {
			t.Errorf("told %v", told)
		}
	})
}

func TestLookIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, _ := looked(nil)
		defer l.close()
		l.within = time.Second
		if got := l.await(t.Context(), 0); got.value != -1 {
			t.Errorf("found %v", got)
		}
	})
}

// The end breaks a look off, which has then found nothing out, and there is no other.
func TestLookIsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, looks := looked(func(context.Context, finding[int], int) { t.Error("told") })
		began := time.Now()
		l.start(0)
		synctest.Wait()
		l.close()
		if !l.last().none() || time.Now() != began {
			t.Errorf("found %v after %v", l.last(), time.Since(began))
		}
		if l.start(0) != nil || *looks != 1 {
			t.Errorf("%d looks", *looks)
		}
		l.close()
	})
}
