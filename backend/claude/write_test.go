package claude

import (
	"context"
	"errors"
	"io"
	"testing"
)

func TestWriterWritesWholeLinesInOrder(t *testing.T) {
	w := newWriter()
	r, to := io.Pipe()
	ran := make(chan struct{})
	go func() {
		defer close(ran)
		w.run(to)
		to.Close()
	}()
	go func() {
		for _, l := range []string{"a", "b"} {
			if _, err := w.put([]byte(l)); err != nil {
				t.Error(err)
			}
		}
		if begun, err := w.write(t.Context(), []byte("c")); !begun || err != nil {
			t.Error(begun, err)
		}
		w.flush(t.Context())
		w.close()
	}()
	got, err := io.ReadAll(r)
	if err != nil || string(got) != "a\nb\nc\n" {
		t.Errorf("%q, %v", got, err)
	}
	<-ran
	if _, err := w.put([]byte("late")); !errors.Is(err, errWriterClosed) {
		t.Errorf("after close: %v", err)
	}
}

func TestALineThatWasNotBegunIsTakenBack(t *testing.T) {
	w := newWriter()
	r, to := io.Pipe()
	ran := make(chan struct{})
	go func() {
		defer close(ran)
		w.run(to)
	}()
	first, err := w.put([]byte("first"))
	if err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 1)
	if _, err := r.Read(b); err != nil { // now the first is being written
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if begun, err := w.write(ended, []byte("second")); begun || !errors.Is(err, context.Canceled) {
		t.Errorf("a line behind another: begun %v, %v", begun, err)
	}
	if w.takeBack(first) {
		t.Error("a line that was begun was taken back")
	}
	go w.close()
	rest := make([]byte, 100)
	n, err := r.Read(rest)
	if err != nil || string(rest[:n]) != "irst\n" {
		t.Errorf("%q, %v", rest[:n], err)
	}
	<-ran
}

func TestWriterGivesUpWhenThePipeBreaks(t *testing.T) {
	w := newWriter()
	r, to := io.Pipe()
	r.CloseWithError(io.ErrClosedPipe)
	ran := make(chan struct{})
	go func() {
		defer close(ran)
		w.run(to)
	}()
	for range 3 {
		if _, err := w.write(t.Context(), []byte("x")); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("%v", err)
		}
	}
	w.close()
	<-ran
}

func TestAClientThatNeverReadsItsAnswersIsNoticed(t *testing.T) {
	w := newWriter()
	for range answersWaiting {
		if _, err := w.put(nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.put(nil); !errors.Is(err, errNotReading) {
		t.Errorf("%v", err)
	}
}
