//go:build linux && desktop && e2e_window

package app

import (
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"
)

const (
	notifyName = "org.freedesktop.Notifications"
	notifyPath = "/org/freedesktop/Notifications"
)

// notifications is what shows notifications on a real desktop.
type notifications struct{ shown chan []any }

func (n *notifications) GetCapabilities() ([]string, *dbus.Error) {
	return []string{"actions", "body", "body-markup"}, nil
}

func (n *notifications) Notify(program string, replaces uint32, _, title, body string, actions []string, _ map[string]dbus.Variant, _ int32) (uint32, *dbus.Error) {
	n.shown <- []any{program, replaces, title, body, actions}
	return 7, nil
}

// What the page has the window notify of is on the desktop, as data; a click brings the window back, out of the background
// too, and leads the page there.
func TestNotifications(t *testing.T) {
	d := newDesktop(t, screen)
	address, conn := d.bus()
	p := d.launch(childOptions{Mode: "window", DataDir: shortDir(t)}, "DBUS_SESSION_BUS_ADDRESS="+address)
	p.control = p.wait("control").string()
	p.wait("ready")
	// Nobody shows them yet: the page is told, and nothing else happens.
	p.do("notify", "title", "x", "address", "/c/x")
	p.expect("notified", "false")

	desktop := &notifications{shown: make(chan []any, 10)}
	if err := conn.Export(desktop, notifyPath, notifyName); err != nil {
		t.Fatal(err)
	}
	if reply, err := conn.RequestName(notifyName, 0); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatalf("name: %v, %v", reply, err)
	}
	p.do("notify", "title", "@claude in #백엔드", "body", "<b>It is done</b>", "tag", "c", "address", "/c/%EB%B0%B1%EC%97%94%EB%93%9C/m/r1")
	p.expect("notified", "true")
	got := <-desktop.shown
	if got[0] != "Hearth test" || got[2] != "@claude in #백엔드" || got[3] != "&lt;b&gt;It is done&lt;/b&gt;" {
		t.Errorf("shown %v", got)
	}
	p.do("notify", "title", "x", "address", "https://evil.test/")
	if said := p.wait("notified").string(); said == "true" {
		t.Error("a notification led out of Hearth")
	}

	// In the background.
	window := d.windowNamed("Hearth test")
	p.call("/busy", "n", "1")
	d.focus(window)
	d.key("alt+F4")
	d.until("the question", func() bool { return d.active() != window && d.active() != "" })
	d.key("Return") // go on in the background
	p.expect("quit", "true")
	d.until("hidden", func() bool {
		return !strings.Contains(d.run("xdotool", "search", "--onlyvisible", "--name", "Hearth test"), window)
	})
	if err := conn.Emit(notifyPath, notifyName+".ActionInvoked", uint32(7), "default"); err != nil {
		t.Fatal(err)
	}
	p.expect("open", `"/c/%EB%B0%B1%EC%97%94%EB%93%9C/m/r1"`)
	d.until("the window is in front", func() bool { return d.active() == window })
	p.call("/busy", "n", "0")
	d.key("alt+F4")
	p.ends()
}
