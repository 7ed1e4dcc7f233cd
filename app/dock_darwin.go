//go:build darwin && (desktop || bindings)

package app

/*
#cgo LDFLAGS: -framework Cocoa
#include <stdlib.h>

void hearth_badge(const char *text);
*/
import "C"

import (
	"strconv"
	"unsafe"

	"hearth/app/freedesktop"
)

// dock is the icon in the Dock, which macOS keeps for as long as Hearth runs: how much is to be read stands on it.
type dock struct{}

func newTray(*window) tray { return dock{} }

func (dock) Set(s freedesktop.TrayState) error {
	badge := ""
	if s.Unread > 0 {
		badge = strconv.Itoa(s.Unread)
	}
	text := C.CString(badge)
	defer C.free(unsafe.Pointer(text))
	C.hearth_badge(text)
	return nil
}

// Here says yes: a click on the icon brings the window back.
func (dock) Here() bool { return true }

func (dock) Close() error { return nil }
