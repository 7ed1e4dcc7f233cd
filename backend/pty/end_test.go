package pty

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"sync"
	"testing"
	"time"
)

// impatient makes the steps of End short; what they do stays the same.
func impatient(role string) Command {
	return Command{
		Env:        append(os.Environ(), roleVariable+"="+role),
		CloseGrace: 50 * time.Millisecond, TermGrace: 50 * time.Millisecond,
	}
}

func TestEndTakesTheWholeTreeAndNothingElse(t *testing.T) {
	for _, how := range []string{
		"setsid",     // found by the mark, also after its parent died
		"leave",      // its parent is gone before End looks
		"bare",       // no mark: found by descent
		"same bare",  // no mark, in the child's session
		"leave same", // held by the session and the mark
	} {
		t.Run(how, func(t *testing.T) {
			bystander := plain(t, "stubborn") // the same program, no mark
			other := plain(t, "stubborn", MarkVariable+"="+mark(t)+"0")
			file := t.TempDir() + "/pid"
			p := runWith(t, impatient("parent:"+file+","+how))
			grandchild := recordOf(t, pidIn(t, file))
			if err := p.End(t.Context()); err != nil {
				t.Error(err)
			}
			<-p.Done()
			if alive(p.Record()) || alive(grandchild) {
				t.Errorf("alive: child %v, grandchild %v", alive(p.Record()), alive(grandchild))
			}
			if !alive(bystander) || !alive(other) {
				t.Errorf("a bystander was ended: %v, with a mark that only begins like ours: %v", alive(bystander), alive(other))
			}
		})
	}
}

// A grandchild without mark whose parent died, known only by the session that the dead child led.
func TestEndAfterTheChildDiedFindsItsSession(t *testing.T) {
	file := t.TempDir() + "/pid"
	p := runWith(t, impatient("parent:"+file+",leave same bare"))
	<-p.Done()
	grandchild := recordOf(t, pidIn(t, file))
	if !alive(grandchild) {
		t.Fatal("the grandchild ignores the hangup and should live")
	}
	if err := p.End(t.Context()); err != nil {
		t.Error(err)
	}
	if alive(grandchild) {
		t.Error("the grandchild survived")
	}
}

func TestEndClosesTheInputFirst(t *testing.T) {
	p := run(t, "cat")
	if err := p.End(t.Context()); err != nil {
		t.Error(err)
	}
	if p.Exit() != nil {
		t.Errorf("a child that exits when its input ends was not left the time: %v", p.Exit())
	}
}

func TestTERMComesBeforeKILLUnlessThereIsAHurry(t *testing.T) {
	for _, hurry := range []bool{false, true} {
		file := t.TempDir() + "/witness"
		c := impatient("witness:" + file)
		c.TermGrace = 0 // the default, so that the witness has time to write
		p := runWith(t, c)
		ready(t, p)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if hurry {
			cancel()
		}
		if err := p.End(ctx); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) != hurry {
			t.Errorf("hurry %v: the witness of TERM: %v", hurry, err)
		}
		if alive(p.Record()) {
			t.Error("the child lives")
		}
	}
}

func TestEndFromManyGoroutinesAndAgain(t *testing.T) {
	p := runWith(t, impatient("stubborn"))
	ready(t, p)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if err := p.End(t.Context()); err != nil {
				t.Error(err)
			}
			if alive(p.Record()) {
				t.Error("End returned and the child lives")
			}
		})
	}
	wg.Wait()
	if err := p.End(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestEndFreesABlockedWriter(t *testing.T) {
	p := runWith(t, impatient("stubborn"))
	ready(t, p)
	wrote := make(chan error, 1)
	go func() {
		_, err := p.Stdin().Write(make([]byte, 1<<20)) // more than a pipe holds
		wrote <- err
	}()
	if err := p.End(t.Context()); err != nil {
		t.Error(err)
	}
	if <-wrote == nil {
		t.Error("a megabyte was written to a child that does not read")
	}
}

func TestEndOfAChildWhoseOutputNobodyReads(t *testing.T) {
	p := runWith(t, impatient("flood"))
	if err := p.End(t.Context()); err != nil {
		t.Error(err)
	}
	if alive(p.Record()) {
		t.Error("the child lives")
	}
}
