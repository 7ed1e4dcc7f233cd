//go:build linux && (desktop || bindings)

package app

/*
#cgo pkg-config: gtk+-3.0 x11
#cgo webkit2_41 pkg-config: webkit2gtk-4.1
#cgo !webkit2_41 pkg-config: webkit2gtk-4.0
#cgo CFLAGS: -Wall -Wno-deprecated-declarations

#include <stdlib.h>
#include "native_linux.h"
*/
import "C"

import (
	"context"
	_ "embed"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/linux"

	"hearth/app/freedesktop"
)

// icon is the window's icon, where the desktop finds none by the program's name.
//
//go:embed icon.png
var icon []byte

// programName ties the window to hearth.desktop, and with it to its icon in the dock.
const programName = "hearth"

// current is the window that the toolkit's calls are about: they carry nothing that could say so.
var current atomic.Pointer[window]

func adopt(w *window) { current.Store(w) }

// Available reports whether this build has a window and there is a display to show it on. It tries the display out. Call it
// from the goroutine that calls Run.
func Available() bool {
	return slices.ContainsFunc(backends(os.Getenv), reachable)
}

func reachable(backend string) bool {
	if backend == x11 {
		return os.Getenv("DISPLAY") != "" && C.hearth_display() != 0
	}
	return canConnect(waylandSocket(os.Getenv))
}

// prepare gets the toolkit ready, or answers ErrNoDisplay.
func prepare(dataDir string) error {
	usable := slices.DeleteFunc(backends(os.Getenv), func(b string) bool { return !reachable(b) })
	if len(usable) == 0 {
		return ErrNoDisplay
	}
	// Wails insists on X11 where the session does not say that it is Wayland, and panics when there is none.
	if os.Getenv("GDK_BACKEND") == "" && usable[0] != x11 {
		err := os.Setenv("GDK_BACKEND", usable[0])
		if err != nil {
			return fmt.Errorf("choose %s: %w", usable[0], err)
		}
	}
	storage := storageName(dataDir)
	if data := dataHome(os.Getenv); data != "" {
		err := os.MkdirAll(filepath.Join(data, filepath.Dir(storage)), 0o700)
		if err != nil {
			// WebKit would make it itself, readable to everybody.
			return fmt.Errorf("make the folder for what the page stores: %w", err)
		}
	}
	name := C.CString(storage)
	defer C.free(unsafe.Pointer(name))
	if C.hearth_prepare(name) == 0 {
		return ErrNoDisplay
	}
	if hasSessionBus(os.Getenv) {
		C.hearth_follow_scheme()
	}
	return nil
}

// monitors are the areas that windows can be on, the primary monitor's first.
func monitors() []rect {
	var areas [16]C.hearth_rect
	n := int(C.hearth_monitors(&areas[0], C.int(len(areas))))
	out := make([]rect, n)
	for i, a := range areas[:n] {
		out[i] = rect{int(a.x), int(a.y), int(a.width), int(a.height)}
	}
	return out
}

// platform sets what is Linux's own.
func platform(o *options.App, _ Options, _ remembered) {
	o.Linux = &linux.Options{
		Icon: icon, ProgramName: programName,
		// Some graphics drivers leave the window blank, and text needs none.
		WebviewGpuPolicy: linux.WebviewGpuPolicyNever,
	}
}

// beforeClose hears of what is not the person's wish, which comes by hearthClose: of ours, and of a signal, for which Wails
// has a handler of its own. About a signal the context decides, without a question.
func (w *window) beforeClose() bool { return w.mayClose() }

// place puts the window where it was, after Wails has centred it.
func place(_ context.Context, r remembered) {
	C.hearth_adopt(C.double(r.Zoom), leastWidth, leastHeight)
	if r.Placed && !r.Maximised && !r.Fullscreen {
		C.hearth_move(C.int(r.X), C.int(r.Y))
	}
}

// newNotices shows notifications over the session bus.
func newNotices(w *window) notices {
	return freedesktop.New(freedesktop.Options{
		Bus: sessionBus(os.Getenv), Program: w.options.Title, Desktop: programName, Action: openNotice, Open: w.open,
	})
}

// newTray puts an icon into the tray, over the session bus.
func newTray(w *window) tray {
	made, err := freedesktop.NewTray(freedesktop.TrayOptions{
		Bus: sessionBus(os.Getenv), Program: w.options.Title, ID: programName, Icon: icon, Press: trayOpen, Chosen: w.chosen,
	})
	if err != nil {
		panic(err) // the icon is our own
	}
	return made
}

func (w *window) hide() { C.hearth_hide() }

func (w *window) present(token string) {
	t := C.CString(token)
	defer C.free(unsafe.Pointer(t))
	C.hearth_present(t)
}

func (w *window) ask(q question) {
	text, detail := C.CString(q.text), C.CString(q.detail)
	quit, goOn, cancel := C.CString("_"+q.quit), C.CString("_"+q.goOn), C.CString("_"+q.cancel) // Alt with their first letters
	C.hearth_ask(text, detail, quit, goOn, cancel)
	for _, s := range []*C.char{text, detail, quit, goOn, cancel} {
		C.free(unsafe.Pointer(s))
	}
}

func closeDialogs() { C.hearth_close_dialogs() }

// What GTK calls, on its own thread: nothing here may wait.

//export hearthShown
func hearthShown(x, y, width, height, placed, maximised, fullscreen C.int) {
	if w := current.Load(); w != nil {
		w.seen(shown{
			rect:   rect{int(x), int(y), int(width), int(height)},
			placed: placed != 0, maximised: maximised != 0, fullscreen: fullscreen != 0,
		})
	}
}

//export hearthClose
func hearthClose() {
	if w := current.Load(); w != nil {
		go w.closeAsked() // it may call out
	}
}

//export hearthQuit
func hearthQuit() {
	if w := current.Load(); w != nil {
		go w.quitAsked() // it may call out
	}
}

//export hearthAnswered
func hearthAnswered(answer C.int) {
	if w := current.Load(); w != nil {
		go w.answered(int(answer)) // it may call out
	}
}

//export hearthFollow
func hearthFollow(uri *C.char) {
	w, link := current.Load(), C.GoString(uri)
	if w == nil {
		return
	}
	go func() {
		if err := browse(w.context(), w.environ, link); err != nil {
			w.log.Warn("a link was not followed", "error", err)
		}
	}()
}

//export hearthZoom
func hearthZoom(step C.int) C.double {
	w := current.Load()
	if w == nil {
		return 1
	}
	return C.double(w.zoom(int(step)))
}

//export hearthPageDied
func hearthPageDied(reason C.int) {
	w := current.Load()
	if w == nil {
		return
	}
	if w.diedOften(time.Now()) {
		w.log.Error("the page's process ended, and is not started again", "reason", int(reason))
		text := C.CString("<!doctype html><title>Hearth</title><p>" + html.EscapeString(brokenPage))
		defer C.free(unsafe.Pointer(text))
		C.hearth_show_text(text)
		return
	}
	w.log.Warn("the page's process ended; the page is loaded again", "reason", int(reason))
	C.hearth_reload()
}
