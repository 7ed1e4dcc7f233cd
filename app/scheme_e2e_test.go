//go:build linux && desktop && e2e_window

package app

import (
	"bufio"
	"os/exec"
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"
)

const (
	portalName  = "org.freedesktop.portal.Desktop"
	portalPath  = "/org/freedesktop/portal/desktop"
	portalIface = "org.freedesktop.portal.Settings"
)

// portal is a desktop's settings portal that knows one setting.
type portal struct{ scheme uint32 }

func (p *portal) Read(namespace, key string) (dbus.Variant, *dbus.Error) {
	if namespace != "org.freedesktop.appearance" || key != "color-scheme" {
		return dbus.Variant{}, dbus.NewError("org.freedesktop.portal.Error.NotFound", nil)
	}
	return dbus.MakeVariant(dbus.MakeVariant(p.scheme)), nil // twice, as real ones do
}

// bus starts a session bus of the desktop's own.
func (d *seat) bus() (address string, conn *dbus.Conn) {
	d.t.Helper()
	if _, err := exec.LookPath("dbus-daemon"); err != nil {
		d.t.Fatal("this test needs dbus-daemon: apt-get install dbus")
	}
	bus := exec.Command("dbus-daemon", "--session", "--nofork", "--print-address")
	out, err := bus.StdoutPipe()
	if err != nil {
		d.t.Fatal(err)
	}
	d.start(bus)
	address, err = bufio.NewReader(out).ReadString('\n')
	if err != nil {
		d.t.Fatal(err)
	}
	address = strings.TrimSpace(address)
	if conn, err = dbus.Connect(address); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { conn.Close() })
	return address, conn
}

// A desktop that is dark makes the page dark, from the first look and while it is open.
func TestFollowsTheDesktopsScheme(t *testing.T) {
	d := newDesktop(t, screen)
	address, conn := d.bus()
	settings := &portal{scheme: 1}
	if err := conn.Export(settings, portalPath, portalIface); err != nil {
		t.Fatal(err)
	}
	if reply, err := conn.RequestName(portalName, 0); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatalf("name: %v, %v", reply, err)
	}

	p := d.launch(childOptions{Mode: "window", DataDir: shortDir(t)}, "DBUS_SESSION_BUS_ADDRESS="+address)
	p.control = p.wait("control").string()
	p.wait("ready")
	p.do("dark")
	p.expect("dark", "true")
	d.windowNamed("Hearth test")
	d.screenshot("dark")
	for _, change := range []struct {
		namespace, key string
		value          any
		want           string // "": nothing changes
	}{
		{"org.freedesktop.appearance", "color-scheme", uint32(2), "false"},
		{"org.freedesktop.appearance", "accent-color", uint32(1), ""},
		{"org.gnome.desktop.interface", "color-scheme", "prefer-dark", ""},
		{"org.freedesktop.appearance", "color-scheme", "dark", ""},
		{"org.freedesktop.appearance", "color-scheme", uint32(1), "true"},
		{"org.freedesktop.appearance", "color-scheme", uint32(0), "false"},
	} {
		if err := conn.Emit(portalPath, portalIface+".SettingChanged", change.namespace, change.key, dbus.MakeVariant(change.value)); err != nil {
			t.Fatal(err)
		}
		if change.want != "" {
			p.expect("dark", change.want)
		}
	}
	if n := p.count("dark"); n != 4 {
		t.Errorf("the page was told %d times of light or dark, want 4", n)
	}
}
