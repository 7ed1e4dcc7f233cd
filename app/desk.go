//go:build desktop || bindings

package app

import (
	"errors"
	"fmt"

	wails_runtime "github.com/wailsapp/wails/v2/pkg/runtime"

	"hearth/app/freedesktop"
)

// What is chosen in the tray, beside addresses.
const (
	trayOpen    = "open"
	trayMention = "mention"
	trayQuit    = "quit"
)

// mentionEvent tells the page to ask what is wanted of it; window.js hears it.
const mentionEvent = "hearth:mention"

// tray is where the desktop shows how much is to be read while the window is out of sight. Set answers [freedesktop.ErrNone]
// where there is none; Here says whether one has taken Hearth's icon.
type tray interface {
	Set(s freedesktop.TrayState) error
	Here() bool
	Close() error
}

// deskState is what the page tells of itself to whoever does not see it: all of it, in the person's language.
type deskState struct {
	Unread int    `json:"unread"` // messages
	Tip    string `json:"tip"`
	Menu   []struct {
		Text string `json:"text"`
		Key  string `json:"key"` // one of the three above, or an address
	} `json:"menu"`
	// What the person is told when the window goes out of sight for the first time, where there is a tray and where there is none.
	Hidden     string `json:"hidden"`
	InTray     string `json:"in_tray"`
	WithoutOne string `json:"without_one"`
}

// told takes what the page tells of itself.
func (w *window) told(s deskState) error {
	shown := freedesktop.TrayState{Unread: s.Unread, Tip: s.Tip}
	for _, item := range s.Menu {
		switch {
		case item.Key == "", item.Key == trayOpen, item.Key == trayMention, item.Key == trayQuit, isAddress(item.Key):
		default:
			return fmt.Errorf("change the tray's menu: %.200q leads nowhere", item.Key)
		}
		shown.Menu = append(shown.Menu, freedesktop.MenuItem{Text: item.Text, Key: item.Key})
	}
	w.mutex.Lock()
	w.desk = s
	w.mutex.Unlock()
	if err := w.tray.Set(shown); err != nil && !errors.Is(err, freedesktop.ErrNone) {
		return err
	}
	return nil
}

// chosen does what the person chose in the tray.
func (w *window) chosen(key, token string) {
	switch key {
	case trayOpen:
		w.raise(token)
	case trayMention:
		w.mention(token)
	case trayQuit:
		w.quitAsked()
	default:
		w.open(key, token)
	}
}

// mention brings the window to the front with a dialog in which to write to an agent. A page that is on its way asks for it
// when it is there.
func (w *window) mention(token string) {
	w.mentioning.Store(true)
	w.raise(token)
	select {
	case <-w.started:
		wails_runtime.EventsEmit(w.ctx, mentionEvent)
	default:
	}
}

// goesOn says whether closing the window leaves Hearth going on in the background.
func (w *window) goesOn() bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.now.GoesOn
}

// background hides the window. The first time it says how to get it back, and how to end Hearth.
func (w *window) background() {
	w.options.OnQuit(true)
	w.hide()
	w.mutex.Lock()
	desk, knows := w.desk, w.now.KnowsBackground
	w.mutex.Unlock()
	if knows || desk.Hidden == "" {
		return
	}
	body := desk.WithoutOne
	if w.tray.Here() {
		body = desk.InTray
	}
	err := w.notices.Show(w.context(), freedesktop.Notice{Title: desk.Hidden, Body: body, Tag: "background", Address: "/"})
	if err != nil {
		if !errors.Is(err, freedesktop.ErrNone) {
			w.log.Warn("a notification was not shown", "error", err)
		}
		return // it is said the next time
	}
	w.mutex.Lock()
	w.now.KnowsBackground = true
	w.mutex.Unlock()
	w.touch()
}

// Desk hears what to tell the person while the page is out of sight.
func (b *bridge) Desk(s deskState) error { return b.window.told(s) }

// Mentioning says whether the person asked for the dialog in which to write to an agent, once.
func (b *bridge) Mentioning() bool { return b.window.mentioning.Swap(false) }

// GoesOn says whether closing the window leaves Hearth going on in the background.
func (b *bridge) GoesOn() bool { return b.window.goesOn() }

// SetGoesOn changes that.
func (b *bridge) SetGoesOn(on bool) {
	w := b.window
	w.mutex.Lock()
	w.now.GoesOn = on
	w.mutex.Unlock()
	w.touch()
}
