//go:build desktop || bindings

package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/logger"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	wails_runtime "github.com/wailsapp/wails/v2/pkg/runtime"

	"hearth/app/freedesktop"
)

const (
	// requestsEndWithin is how long requests that run are waited for when the window is closed.
	requestsEndWithin = 3 * time.Second
	// settled is how long a window has to be left alone before its size is written down. On its way to filling the screen
	// it has sizes that are not to be remembered.
	settled = 400 * time.Millisecond
	// openEvent tells the page to go to an address; window.js hears it.
	openEvent = "hearth:open"
)

// Built reports whether this build has a window in it.
const Built = true

// window is the one window of a process.
type window struct {
	options Options
	log     *slog.Logger
	environ []string // as it was before the toolkit added to it: for what we start

	requests *requests
	instance *instance
	notices  notices
	tray     tray

	// started is closed when the window can be told things. ctx is Wails' own, the handle that its functions take.
	started chan struct{}
	ctx     context.Context //nolint:containedctx // not a scope: it is how Wails names the window

	leaving atomic.Bool // decided: nothing is asked any more
	quit    atomic.Bool // Wails was told
	asking  atomic.Bool
	// mentioning: the person wants to write to an agent, and the page has not heard of it yet.
	mentioning atomic.Bool
	dialog     sync.Mutex // one file dialog at a time: Wails hands the answers out in any order

	mutex   sync.Mutex
	now     remembered
	showing shown
	desk    deskState
	deaths  []time.Time   // of the page's process, the last minute's
	changed chan struct{} // something to remember
}

// notices shows what the person is to hear of while they look elsewhere. Show answers [freedesktop.ErrNone] where nothing
// shows notifications.
type notices interface {
	Show(ctx context.Context, n freedesktop.Notice) error
	Close() error
}

// shown is what the desktop last said of the window.
type shown struct {
	rect
	placed, maximised, fullscreen bool
	known                         bool
}

// opened guards the promise of one window a process: Wails keeps its windows' state in globals.
var opened atomic.Bool

// Run opens the window and shows the page in it until the window is closed or ctx ends. Call it from the main goroutine,
// with the data folder's lock held, once a process. Without a display it answers [ErrNoDisplay] and has done nothing.
func Run(ctx context.Context, o Options) (err error) {
	o = o.withDefaults()
	defer func() {
		if err != nil {
			err = fmt.Errorf("open the window: %w", err)
		}
	}()
	// The toolkit is spoken to from one thread, on macOS from the first.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	environ := os.Environ()
	if err := prepare(o.DataDir); err != nil {
		return err
	}
	if !opened.CompareAndSwap(false, true) {
		return errors.New("it was opened before, and a process has one")
	}
	was, err := recall(o.DataDir)
	if err != nil {
		o.Log.Warn("the window starts as if for the first time", "error", err)
	}
	w := &window{
		options: o, log: o.Log, environ: environ,
		requests: newRequests(o.Handler, o.Log, o.Version, was.Address),
		started:  make(chan struct{}), changed: make(chan struct{}, 1),
		now: was.fit(monitors()),
	}
	w.mentioning.Store(o.Mention)
	w.notices, w.tray = newNotices(w), newTray(w)
	if w.instance, err = listen(o.DataDir, w.raise, w.mention); err != nil {
		return err
	}
	return w.run(ctx)
}

// withDefaults fills in what was left out.
func (o Options) withDefaults() Options {
	if o.Title == "" {
		o.Title = "Hearth"
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Busy == nil {
		o.Busy = func() int { return 0 }
	}
	if o.OnQuit == nil {
		o.OnQuit = func(bool) {}
	}
	return o
}

// run shows the window and returns when it is gone and everything it started has ended.
func (w *window) run(ctx context.Context) error {
	serving, end := context.WithCancel(ctx)
	defer end()
	var helpers sync.WaitGroup
	closed := make(chan struct{})
	helpers.Go(func() { w.keep(closed) })
	helpers.Go(func() {
		select {
		case <-ctx.Done():
			w.leave(closed)
		case <-closed:
		}
	})

	adopt(w)
	err := wails.Run(w.wailsOptions(serving))
	w.leaving.Store(true)
	err = errors.Join(err, w.instance.close(), w.tray.Close(), w.notices.Close())
	end()
	if !w.requests.wait(requestsEndWithin) {
		w.log.Warn("requests of the window have not ended")
	}
	close(closed)
	helpers.Wait()
	return err
}

func (w *window) wailsOptions(serving context.Context) *options.App {
	w.mutex.Lock()
	now := w.now
	w.mutex.Unlock()
	state := options.Normal
	switch {
	case now.Fullscreen:
		state = options.Fullscreen
	case now.Maximised:
		state = options.Maximised
	}
	o := &options.App{
		Title: w.options.Title, Width: now.Width, Height: now.Height, WindowStartState: state,
		BackgroundColour: background(now.Background),
		AssetServer:      &assetserver.Options{Handler: w.requests.under(serving)},
		Bind:             []any{&bridge{window: w}},
		Logger:           wailsLog{w.log}, LogLevel: logger.WARNING, LogLevelProduction: logger.WARNING,
		OnStartup: func(ctx context.Context) {
			w.ctx = ctx
			close(w.started)
			place(ctx, now)
		},
		OnBeforeClose: func(context.Context) (prevent bool) { return !w.beforeClose() },
		// Text is selected, copied and pasted with it; what is not for a page is taken out.
		EnableDefaultContextMenu: true,
	}
	platform(o, w.options, now)
	return o
}

// background is what shows until the page does.
func background(hex string) *options.RGBA {
	if n, err := strconv.ParseUint(hex[min(1, len(hex)):], 16, 32); err == nil && len(hex) == 7 {
		return options.NewRGB(uint8(n>>16), uint8(n>>8), uint8(n)) //nolint:gosec // the bytes of a colour
	}
	return options.NewRGB(255, 255, 255)
}

// closeAsked hears that the person wants to close the window, which may be to go on without it.
func (w *window) closeAsked() {
	if w.goesOn() && !w.leaving.Load() {
		w.background()
		return
	}
	w.quitAsked()
}

// quitAsked hears that the person wants to end Hearth: it ends, or asks when agents are at work, in sight.
func (w *window) quitAsked() {
	switch busy := w.options.Busy(); {
	case w.leaving.Load():
	case busy == 0:
		w.answered(answerQuit)
	case w.asking.CompareAndSwap(false, true):
		w.ask(closing(busy))
		w.raise("")
	}
}

// mayClose answers Wails, which asks before it closes. Wails ends its loop each time it is told that it may.
func (w *window) mayClose() bool {
	return w.leaving.Load() && w.quit.CompareAndSwap(false, true)
}

// The answers to the question.
const (
	answerCancel = iota
	answerBackground
	answerQuit
)

// answered does what the person chose.
func (w *window) answered(answer int) {
	switch answer {
	case answerQuit:
		if w.leaving.CompareAndSwap(false, true) {
			w.options.OnQuit(false)
			w.closeNow()
		}
	case answerBackground:
		w.background()
	}
	w.asking.Store(false)
}

// leave closes the window without a question.
func (w *window) leave(closed <-chan struct{}) {
	w.leaving.Store(true)
	select {
	case <-w.started:
		w.closeNow()
	case <-closed: // it never came up
	}
}

func (w *window) closeNow() {
	closeDialogs() // Wails would wait for them
	wails_runtime.Quit(w.context())
}

// context is what Wails' functions take. It waits until the window can be told things.
func (w *window) context() context.Context {
	<-w.started
	return w.ctx
}

// raise brings the window to the front, out of the background too.
func (w *window) raise(token string) {
	select {
	case <-w.started:
		w.present(token)
	default: // it is about to come up by itself
	}
}

// open brings the window to the front and leads the page to an address.
func (w *window) open(address, token string) {
	select {
	case <-w.started:
		w.present(token)
		wails_runtime.EventsEmit(w.ctx, openEvent, address)
	default: // nothing was shown that could have been clicked
	}
}

// seen takes what the desktop says of the window.
func (w *window) seen(s shown) {
	s.known = true
	w.mutex.Lock()
	w.showing = s
	w.mutex.Unlock()
	w.touch()
}

// touch lets keep know that there is something to remember.
func (w *window) touch() {
	select {
	case w.changed <- struct{}{}:
	default:
	}
}

// keep writes down what is to be remembered, a moment after it has changed and at the end.
func (w *window) keep(closed <-chan struct{}) {
	var kept remembered
	write := func() {
		if r := w.remember(); r != kept {
			if err := r.keep(w.options.DataDir); err != nil {
				w.log.Warn("the next start will not look like this one", "error", err)
				return
			}
			kept = r
		}
	}
	quiet := time.NewTimer(0)
	defer quiet.Stop()
	<-quiet.C
	for {
		select {
		case <-w.changed:
			quiet.Reset(settled)
		case <-quiet.C:
			write()
		case <-closed:
			write()
			return
		}
	}
}

// remember settles what there is to be remembered. While a window fills the screen its size is the one it goes back to.
func (w *window) remember() remembered {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if s := w.showing; s.known {
		w.now.Maximised, w.now.Fullscreen = s.maximised, s.fullscreen
		if !s.maximised && !s.fullscreen {
			w.now.Width, w.now.Height = s.Width, s.Height
			w.now.X, w.now.Y, w.now.Placed = s.X, s.Y, s.placed
		}
	}
	return w.now
}

// zoom takes the zoom a step up or down, or with 0 to its usual size, and returns it.
func (w *window) zoom(step int) float64 {
	defer w.touch()
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.now.Zoom = zoomed(w.now.Zoom, step)
	return w.now.Zoom
}

// diedOften counts a death of the page's process, and says whether it is the third within a minute.
func (w *window) diedOften(now time.Time) bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.deaths = slices.DeleteFunc(w.deaths, func(t time.Time) bool { return now.Sub(t) > time.Minute })
	w.deaths = append(w.deaths, now)
	return len(w.deaths) >= 3
}

// wailsLog passes on what Wails has to say.
type wailsLog struct{ log *slog.Logger }

func (l wailsLog) Print(m string)   { l.log.Info("wails", "message", m) }
func (l wailsLog) Trace(m string)   { l.log.Debug("wails", "message", m) }
func (l wailsLog) Debug(m string)   { l.log.Debug("wails", "message", m) }
func (l wailsLog) Info(m string)    { l.log.Info("wails", "message", m) }
func (l wailsLog) Warning(m string) { l.log.Warn("wails", "message", m) }
func (l wailsLog) Error(m string)   { l.log.Error("wails", "message", m) }
func (l wailsLog) Fatal(m string)   { l.log.Error("wails", "message", m, "fatal", true) }
