package workbench

import (
	"context"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"hearth/backend/folders"
)

const (
	// quiet is how long nothing must happen before a change is told.
	quiet = 200 * time.Millisecond
	// longest is how long a change is held back while more happens.
	longest = 2 * time.Second
	// again is how often all is looked at anew, for what no event tells: a
	// workspace that went and came back, a network disk, too many folders.
	again = 30 * time.Second
	// maxWatched is how many folders are watched, and watchDepth how deep.
	maxWatched = 256
	watchDepth = 4
	// maxWatchedNames is how many names in one folder are looked at for folders to
	// watch.
	maxWatchedNames = 4096
)

// Watch calls changed after something in the workbench has changed, whoever
// changed it, until ctx ends; then it returns nil. Many changes are told as one.
// It is called once when the watch stands, so that nothing falls between a scan
// before and the first event, and never twice at a time. Folders and the workbench
// itself may go and come back; a workspace that does is noticed within 30 seconds.
// spill/ is not watched, and neither INDEX.md nor the trash is a change. Where the system has no watches
// left, changed is called every 30 seconds, whether there is a change or not; a
// file system that tells nothing (a network disk) stays silent: refresh before each
// turn, too.
func (b *Bench) Watch(ctx context.Context, changed func()) error {
	w := watch{bench: b, watched: map[string]os.FileInfo{}}
	notify, err := fsnotify.NewWatcher()
	lost := make(chan struct{}, 1)
	if err == nil {
		w.notify = notify
		// Problem: the watcher sends errors while it holds the lock that Add and
		// Remove wait for (a folder that was moved and deleted at once), so that
		// whoever does both hangs. Solution: errors are taken by somebody else.
		// They say that events were lost: all is looked at anew.
		done := make(chan struct{})
		go func() {
			defer close(done)
			for range notify.Errors {
				select {
				case lost <- struct{}{}:
				default:
				}
			}
		}()
		defer func() {
			_ = notify.Close() // nothing can be lost
			<-done
		}()
	} else {
		notify = &fsnotify.Watcher{} // whose channel never says anything
	}
	w.sync()
	changed()

	tick := time.NewTicker(again)
	defer tick.Stop()
	fire := time.NewTimer(longest)
	fire.Stop()
	var since time.Time // of the first change that was not told; zero is none
	for {
		select {
		case <-ctx.Done():
			return nil
		case event, ok := <-notify.Events:
			if !ok {
				return errors.New("watch workbench: the watcher was closed")
			}
			if !w.concerns(event) {
				continue
			}
		case <-lost:
		case <-tick.C:
			if !w.sync() && w.notify != nil {
				continue
			}
		case <-fire.C:
			since = time.Time{}
			w.sync()
			changed()
			continue
		}
		now := time.Now()
		if since.IsZero() {
			since = now
		}
		fire.Reset(min(quiet, max(0, longest-now.Sub(since))))
	}
}

type watch struct {
	bench   *Bench
	notify  *fsnotify.Watcher // nil: the system has none left
	watched map[string]os.FileInfo
}

// concerns says whether an event is about something that the index may show.
func (w *watch) concerns(event fsnotify.Event) bool {
	if event.Op == fsnotify.Chmod {
		return false
	}
	within, err := filepath.Rel(w.bench.root, event.Name)
	if err != nil {
		return false
	}
	if within == "." {
		return true
	}
	parts := strings.Split(filepath.ToSlash(within), "/")
	name := parts[len(parts)-1]
	switch {
	case parts[0] != Folder: // the workspace's own business
		return false
	case len(parts) == 1:
		return true
	case strings.HasPrefix(name, folders.PartPrefix), len(parts) == 2 && (name == IndexFile || name == TrashFolder):
		return false
	}
	return true
}

// sync brings what is watched up to date. news says that something has to be
// watched that was not before, or could not be.
func (w *watch) sync() (news bool) {
	if w.notify == nil {
		return true
	}
	want, whole := w.folders()
	for name, info := range w.watched {
		if now, ok := want[name]; !ok || !os.SameFile(now, info) {
			// Mostly it is gone, and its watch with it. One that was moved away is
			// still watched, under the name it had.
			_ = w.notify.Remove(name)
			delete(w.watched, name)
			news = true
		}
	}
	for name, info := range want {
		_, known := w.watched[name]
		news = news || !known
		// Those that are known, too: a folder that went and came back can have the
		// number of the old one, and has no watch.
		if w.notify.Add(name) == nil {
			w.watched[name] = info
		} else {
			delete(w.watched, name)
		}
	}
	return news || !whole
}

// folders are the folders to watch, and whether these are all. Links are not
// followed.
func (w *watch) folders() (want map[string]os.FileInfo, whole bool) {
	want = map[string]os.FileInfo{}
	info, err := os.Stat(w.bench.root)
	if err != nil || !info.IsDir() {
		return want, false
	}
	want[w.bench.root] = info
	root, err := w.bench.folder()
	if err != nil {
		return want, errors.Is(err, errNone)
	}
	defer root.Close() //nolint:errcheck // a folder, looked into
	if info, err = root.Stat("."); err != nil {
		return want, false
	}
	want[w.bench.Path()] = info
	whole = true
	for _, kind := range listedKinds {
		whole = w.below(root, string(kind), 1, want) && whole
	}
	return want, whole
}

func (w *watch) below(in *os.Root, at string, depth int, want map[string]os.FileInfo) (whole bool) {
	info, err := in.Lstat(path.Base(at))
	if err != nil || !info.IsDir() {
		return true
	}
	if len(want) >= maxWatched || depth > watchDepth {
		return false
	}
	folder, err := folders.Enter(in, path.Base(at))
	if err != nil {
		return false
	}
	defer folder.Close() //nolint:errcheck // a folder, looked into
	list, err := folder.Open(".")
	if err != nil {
		return false
	}
	defer list.Close()
	entries, err := list.ReadDir(maxWatchedNames)
	whole = len(entries) < maxWatchedNames && (err == nil || errors.Is(err, io.EOF))
	if !whole && runtime.GOOS != "linux" {
		return false // elsewhere each file of a watched folder is held open
	}
	want[filepath.Join(w.bench.Path(), filepath.FromSlash(at))] = info
	for _, entry := range entries {
		if name := entry.Name(); entry.IsDir() && !strings.HasPrefix(name, ".") && !passed[name] {
			whole = w.below(folder, at+"/"+name, depth+1, want) && whole
		}
	}
	return whole
}
