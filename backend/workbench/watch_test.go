package workbench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"hearth/backend/chat"
	"hearth/backend/folders"
)

// watching starts a watch, and returns the changes it tells; it has ended when the
// test has.
func watching(t *testing.T, b *Bench) <-chan struct{} {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	changes, ended := make(chan struct{}, 1), make(chan error, 1)
	go func() {
		ended <- b.Watch(ctx, func() {
			if _, err := b.Refresh(ctx); err != nil && !errors.Is(err, context.Canceled) && ctx.Err() == nil {
				t.Log(err) // the folder may just be gone
			}
			select {
			case changes <- struct{}{}:
			default: // nobody has looked since the last one
			}
		})
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	told(t, changes) // it stands
	return changes
}

func told(t *testing.T, changes <-chan struct{}) {
	t.Helper()
	select {
	case <-changes:
	case <-time.After(time.Minute): // only when it is broken
		t.Fatal("nothing was told")
	}
}

// until waits for the change after which the index says what it should.
func until(t *testing.T, changes <-chan struct{}, b *Bench, want string) {
	t.Helper()
	path := filepath.Join(b.Path(), IndexFile)
	deadline := time.After(time.Minute)
	for {
		got, err := os.ReadFile(path)
		if err == nil && string(got) == want+"\n" {
			return
		}
		select {
		case <-changes:
		case <-deadline:
			t.Fatalf("the index is\n%s\nwant\n%s", got, want)
		}
	}
}

func TestWatch(t *testing.T) {
	b, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	changes := watching(t, b)
	current := func() {
		t.Helper()
		until(t, changes, b, Index(scan(t, b)))
	}
	// It comes.
	if err := b.Prepare(chat.IgnoreAll); err != nil {
		t.Fatal(err)
	}
	put(t, b, "scripts/x.sh", "# desc: one\n")
	current()
	// It changes, also in a folder that was not there when the watch began.
	put(t, b, "scripts/x.sh", "# desc: another\n")
	current()
	put(t, b, "notes/a/b/x.md", "# x\n")
	current()
	put(t, b, "notes/a/b/x.md", "# y\n")
	current()
	for range 3 {
		// It goes, and comes back: a part of it, then the whole.
		if err := os.RemoveAll(filepath.Join(b.Path(), "notes")); err != nil {
			t.Fatal(err)
		}
		current()
		put(t, b, "notes/a/b/x.md", "# z\n")
		current()
		if err := os.RemoveAll(b.Path()); err != nil {
			t.Fatal(err)
		}
		put(t, b, "scripts/new.sh", "# desc: new\n")
		current()
		put(t, b, "scripts/new.sh", "# desc: newer\n")
		current()
		// It is moved away, and another one takes its place.
		aside := filepath.Join(b.root, "aside")
		if err := errors.Join(os.RemoveAll(aside), os.Rename(b.Path(), aside)); err != nil {
			t.Fatal(err)
		}
		put(t, b, "scripts/x.sh", "# desc: one\n")
		current()
		put(t, b, "scripts/x.sh", "# desc: two\n")
		current()
	}
}

// Thousands of events are few changes, and the last one is not lost.
func TestWatchManyEvents(t *testing.T) {
	b := bench(t)
	ctx, cancel := context.WithCancel(context.Background())
	calls, ended := make(chan int, 10_000), make(chan error, 1)
	go func() { ended <- b.Watch(ctx, func() { calls <- len(scan(t, b).Entries) }) }()
	const files = 5000
	<-calls
	for i := range files {
		put(t, b, fmt.Sprintf("artifacts/%d", i), "x")
	}
	n := 1
	for seen := 0; seen < files; n++ {
		select {
		case seen = <-calls:
		case <-time.After(time.Minute):
			t.Fatalf("it saw %d", seen)
		}
	}
	if n > files/10 {
		t.Errorf("told %d times", n)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// What is no change of the index tells nothing, and writing the index does not
// tell of itself for ever.
func TestWatchConcerns(t *testing.T) {
	w := watch{bench: &Bench{root: "/w"}}
	for name, want := range map[string]bool{
		"/w": true, "/w/.flower": true, "/w/.flower/scripts": true, "/w/.flower/scripts/x": true, "/w/.flower/notes/a/INDEX.md": true,
		"/w/.flower/INDEX.md": false, "/w/.flower/" + folders.PartPrefix + "X": false, "/w/.flower/artifacts/" + folders.PartPrefix + "X": false,
		"/w/src": false, "/w/.flowers": false, "/v": false,
	} {
		if got := w.concerns(event(name)); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func event(name string) fsnotify.Event { return fsnotify.Event{Name: name, Op: fsnotify.Create} }
