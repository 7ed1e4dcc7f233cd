//go:build darwin && (desktop || bindings)

package app

import (
	"cmp"
	"context"
	"errors"
	"sync"

	"github.com/wailsapp/wails/v2/pkg/menu"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/mac"
	wails_runtime "github.com/wailsapp/wails/v2/pkg/runtime"

	"hearth/app/freedesktop"
)

// Available reports whether this build has a window and there is a display to show it on. A Mac always has one; a session
// over ssh can open a window on it too, if the person is signed in there.
func Available() bool { return true }

func prepare(string) error { return nil }

func adopt(*window) {}

// monitors answers nothing: macOS itself brings a window onto a screen that is there.
func monitors() []rect { return nil }

// platform sets what is macOS's own: the menu bar, without which copy, paste and quit have no keys.
func platform(o *options.App, given Options, now remembered) {
	o.Menu = menu.NewMenuFromItems(menu.AppMenu(), menu.EditMenu(), menu.WindowMenu())
	o.MinWidth, o.MinHeight = leastWidth, leastHeight
	// The system hides it by itself then, so that a change counts from the next start on. ⌘Q ends Hearth all the same.
	o.HideWindowOnClose = now.GoesOn
	o.Mac = &mac.Options{About: &mac.AboutInfo{Title: given.Title, Message: "Version " + given.Version}}
}

// beforeClose hears of every wish to close: the person's, a signal's, ours.
func (w *window) beforeClose() bool {
	if w.leaving.Load() {
		return w.mayClose()
	}
	w.look()
	go w.quitAsked() // it comes back here when the answer is to close
	return false
}

func place(ctx context.Context, r remembered) {
	if r.Placed && !r.Maximised && !r.Fullscreen {
		wails_runtime.WindowSetPosition(ctx, r.X, r.Y)
	}
}

// macNotices shows notifications as the system does, once the person has allowed it to.
type macNotices struct {
	w     *window
	begin sync.Once
	err   error // why there are none
}

func newNotices(w *window) notices { return &macNotices{w: w} }

func (m *macNotices) Show(_ context.Context, n freedesktop.Notice) error {
	ctx := m.w.context()
	m.begin.Do(func() {
		if !wails_runtime.IsNotificationAvailable(ctx) { // it takes an app bundle
			m.err = freedesktop.ErrNone
			return
		}
		if m.err = wails_runtime.InitializeNotifications(ctx); m.err != nil {
			return
		}
		if allowed, err := wails_runtime.RequestNotificationAuthorization(ctx); err != nil || !allowed {
			m.err = errors.Join(freedesktop.ErrNone, err)
			return
		}
		wails_runtime.OnNotificationResponse(ctx, func(r wails_runtime.NotificationResult) {
			if address, ok := r.Response.UserInfo["address"].(string); ok && r.Error == nil {
				m.w.open(address, "")
			}
		})
	})
	if m.err != nil {
		return m.err
	}
	return wails_runtime.SendNotification(ctx, wails_runtime.NotificationOptions{
		ID: cmp.Or(n.Tag, n.Address), Title: n.Title, Body: n.Body, Data: map[string]any{"address": n.Address},
	})
}

func (m *macNotices) Close() error { return nil }

func (w *window) hide() {
	w.look()
	wails_runtime.Hide(w.context()) // a click on its icon in the Dock shows it again
}

func (w *window) present(string) {
	wails_runtime.Show(w.context())
	wails_runtime.WindowUnminimise(w.context())
}

// look asks where the window is: macOS tells nobody when it is moved.
func (w *window) look() {
	ctx := w.context()
	s := shown{
		placed: true, maximised: wails_runtime.WindowIsMaximised(ctx), fullscreen: wails_runtime.WindowIsFullscreen(ctx),
	}
	s.X, s.Y = wails_runtime.WindowGetPosition(ctx)
	s.Width, s.Height = wails_runtime.WindowGetSize(ctx)
	w.seen(s)
}

func (w *window) ask(q question) {
	go func() {
		answer, err := wails_runtime.MessageDialog(w.context(), wails_runtime.MessageDialogOptions{
			Type: wails_runtime.QuestionDialog, Title: q.text, Message: q.detail,
			Buttons: []string{q.goOn, q.quit, q.cancel}, DefaultButton: q.goOn, CancelButton: q.cancel,
		})
		switch {
		case err != nil:
			w.log.Warn("the question could not be asked", "error", err)
			w.answered(answerCancel)
		case answer == q.quit:
			w.answered(answerQuit)
		case answer == q.goOn:
			w.answered(answerBackground)
		default:
			w.answered(answerCancel)
		}
	}()
}

// closeDialogs does nothing: the system ends a program with its dialogs.
func closeDialogs() {}
