package engine

import (
	"context"
	"sync"
	"time"
)

// look is something that takes long to find out and is asked for often: whoever
// asks gets at once what was last found out, and may wait for the look under way.
// There is one look at a time, and everybody shares it: it ends neither with the
// caller who caused it nor with any other, but with its time or with close.
type look[T any] struct {
	find   func(context.Context) T
	within time.Duration // bounds a look
	now    func() time.Time
	// told is called after each look, by its goroutine, with what was known before
	// (at zero: nothing) and what is now. Its context ends with close. Nil is nobody.
	told func(ctx context.Context, before finding[T], after T)

	telling sync.Mutex // held while told is called; taken before mutex
	mutex   sync.Mutex
	known   finding[T]
	stale   bool               // what is known counts no more
	looking chan struct{}      // closed at the end of the look under way; nil is none
	end     context.CancelFunc // ends that look, and the telling after it
	closed  bool
	work    sync.WaitGroup
}

// finding is what a look found, and when; a zero at says that none has ended yet.
type finding[T any] struct {
	value T
	at    time.Time
}

func (f finding[T]) none() bool { return f.at.IsZero() }

// last returns what was last found out.
func (l *look[T]) last() finding[T] {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.known
}

// expire says that what is known counts no more.
func (l *look[T]) expire() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.stale = true
}

// start starts a look, unless what is known is newer than keep. It returns what is
// closed at the end of the look under way; nil says that there is none.
func (l *look[T]) start(keep time.Duration) <-chan struct{} {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.looking != nil {
		return l.looking
	}
	if l.closed || !l.known.none() && !l.stale && l.now().Sub(l.known.at) < keep {
		return nil
	}
	ctx, end := context.WithCancel(context.Background())
	looking := make(chan struct{})
	l.looking, l.end, l.stale = looking, end, false
	l.work.Go(func() {
		defer end()
		bounded, cancel := context.WithTimeout(ctx, l.within)
		defer cancel()
		found := l.find(bounded)
		l.telling.Lock() // what is told keeps its order
		defer l.telling.Unlock()
		l.mutex.Lock()
		before, closed := l.known, l.closed
		if !closed { // a look that was broken off has found nothing out
			l.known = finding[T]{found, l.now()}
		}
		l.looking = nil
		l.mutex.Unlock()
		close(looking)
		if !closed && l.told != nil {
			l.told(ctx, before, found)
		}
	})
	return looking
}

// await waits for the look that start may start, as long as ctx lasts, and returns
// what was last found out.
func (l *look[T]) await(ctx context.Context, keep time.Duration) finding[T] {
	if looking := l.start(keep); looking != nil {
		select {
		case <-looking:
		case <-ctx.Done():
		}
	}
	return l.last()
}

// close ends the look that is under way and waits for that. There is no other
// after it.
func (l *look[T]) close() {
	l.mutex.Lock()
	l.closed = true
	if l.end != nil {
		l.end()
	}
	l.mutex.Unlock()
	l.work.Wait()
}
