package app

import (
	"context"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// What a window can be shown on: the names that GDK has for them.
const (
	x11     = "x11"
	wayland = "wayland"
)

// backends are those that the toolkit would try, in its order: what GDK_BACKEND says, else the session's own first.
func backends(env func(string) string) []string {
	if set := env("GDK_BACKEND"); set != "" {
		var out []string
		for name := range strings.SplitSeq(set, ",") {
			switch name {
			case x11, wayland:
				out = append(out, name)
			case "*":
				out = append(out, wayland, x11)
			}
		}
		return slices.Compact(out)
	}
	if env("XDG_SESSION_TYPE") == wayland {
		return []string{wayland, x11}
	}
	return []string{x11, wayland}
}

// waylandSocket is where a Wayland compositor listens; "" when there is none.
func waylandSocket(env func(string) string) string {
	name, dir := env("WAYLAND_DISPLAY"), env("XDG_RUNTIME_DIR")
	switch {
	case name == "":
		return ""
	case filepath.IsAbs(name):
		return name
	case dir == "":
		return ""
	}
	return filepath.Join(dir, name)
}

func canConnect(socket string) bool {
	if socket == "" {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, "unix", socket)
	if err != nil {
		return false
	}
	conn.Close()
	return true
}

// hasSessionBus says whether the session has a bus, at its usual place or at another.
func hasSessionBus(env func(string) string) bool {
	return sessionBus(env) != ""
}

// sessionBus is the address of the session's bus, "" when there is none.
func sessionBus(env func(string) string) string {
	if address := env("DBUS_SESSION_BUS_ADDRESS"); address != "" {
		return address
	}
	dir := env("XDG_RUNTIME_DIR")
	if dir == "" {
		return ""
	}
	bus := filepath.Join(dir, "bus")
	info, err := os.Stat(bus)
	if err != nil || info.Mode().Type() != fs.ModeSocket {
		return ""
	}
	return "unix:path=" + (&url.URL{Path: bus}).EscapedPath()
}

// storageName is the folder, below the user's folders for data and for caches, where the web view keeps what the page
// stores: one for each data folder, so that a second Hearth has drafts of its own.
func storageName(dataDir string) string {
	if absolute, err := filepath.Abs(dataDir); err == nil {
		dataDir = absolute
	}
	return filepath.Join("hearth", "webview-"+shortName(dataDir))
}

// dataHome is the user's folder for programs' data; "" when it can't be told.
func dataHome(env func(string) string) string {
	if dir := env("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	if home := env("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".local", "share")
	}
	return ""
}
