package app

import (
	"net"
	"path/filepath"
	"slices"
	"testing"
)

func TestBackends(t *testing.T) {
	tests := []struct {
		gdk, session string
		want         []string
	}{
		{"", "", []string{x11, wayland}},
		{"", "x11", []string{x11, wayland}},
		{"", "tty", []string{x11, wayland}},
		{"", "wayland", []string{wayland, x11}},
		{"x11", "wayland", []string{x11}},
		{"wayland,x11", "", []string{wayland, x11}},
		{"*", "", []string{wayland, x11}},
		{"broadway", "", nil},
	}
	for _, tt := range tests {
		env := map[string]string{"GDK_BACKEND": tt.gdk, "XDG_SESSION_TYPE": tt.session}
		if got := backends(func(name string) string { return env[name] }); !slices.Equal(got, tt.want) {
			t.Errorf("GDK_BACKEND %q, session %q: %v, want %v", tt.gdk, tt.session, got, tt.want)
		}
	}
}

func TestWaylandSocket(t *testing.T) {
	tests := []struct{ display, runtime, want string }{
		{"", "/run/user/1", ""},
		{"wayland-0", "/run/user/1", "/run/user/1/wayland-0"},
		{"wayland-0", "", ""},
		{"/elsewhere/socket", "", "/elsewhere/socket"},
	}
	for _, tt := range tests {
		env := map[string]string{"WAYLAND_DISPLAY": tt.display, "XDG_RUNTIME_DIR": tt.runtime}
		if got := waylandSocket(func(name string) string { return env[name] }); got != tt.want {
			t.Errorf("%q in %q: %q, want %q", tt.display, tt.runtime, got, tt.want)
		}
	}
}

func TestCanConnect(t *testing.T) {
	path := filepath.Join(shortDir(t), "wayland-0")
	if canConnect("") || canConnect(path) {
		t.Error("connected to nothing")
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	if !canConnect(path) {
		t.Error("not connected to a compositor that listens")
	}
	listener.Close()
	if canConnect(path) {
		t.Error("connected to one that is gone")
	}
}

func TestHasSessionBus(t *testing.T) {
	with, without := shortDir(t), t.TempDir()
	listener, err := net.Listen("unix", filepath.Join(with, "bus"))
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	for _, tt := range []struct {
		address, runtime string
		want             bool
	}{
		{"", "", false}, {"unix:path=/run/bus", "", true}, {"", with, true}, {"", without, false},
	} {
		env := map[string]string{"DBUS_SESSION_BUS_ADDRESS": tt.address, "XDG_RUNTIME_DIR": tt.runtime}
		if got := hasSessionBus(func(name string) string { return env[name] }); got != tt.want {
			t.Errorf("address %q, runtime folder %q: %v", tt.address, tt.runtime, got)
		}
	}
}

func TestStorageName(t *testing.T) {
	a, again, b := storageName("/a/hearth"), storageName("/a/hearth/"), storageName("/b/hearth")
	if a != again || a == b {
		t.Errorf("storage is %q and %q for one folder, %q for another", a, again, b)
	}
}

func TestDataHome(t *testing.T) {
	for want, env := range map[string]map[string]string{
		"/data":                {"XDG_DATA_HOME": "/data", "HOME": "/home/a"},
		"/home/a/.local/share": {"XDG_DATA_HOME": "not/absolute", "HOME": "/home/a"},
		"":                     {},
	} {
		if got := dataHome(func(name string) string { return env[name] }); got != want {
			t.Errorf("dataHome = %q, want %q", got, want)
		}
	}
}
