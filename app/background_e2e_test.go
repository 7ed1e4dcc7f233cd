//go:build linux && desktop && e2e_window

package app

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"
)

const (
	watcherName = "org.kde.StatusNotifierWatcher"
	watcherPath = "/StatusNotifierWatcher"
	itemPath    = "/StatusNotifierItem"
	itemIface   = "org.kde.StatusNotifierItem"
	menuPath    = "/StatusNotifierItem/Menu"
	menuIface   = "com.canonical.dbusmenu"
)

// keeper is what keeps the icons of a real desktop.
type keeper struct {
	t     *testing.T
	conn  *dbus.Conn
	items chan string
}

func (k *keeper) RegisterStatusNotifierItem(name string) *dbus.Error {
	k.items <- name
	return nil
}

func newKeeper(t *testing.T, conn *dbus.Conn) *keeper {
	t.Helper()
	k := &keeper{t: t, conn: conn, items: make(chan string, 10)}
	if err := conn.Export(k, watcherPath, watcherName); err != nil {
		t.Fatal(err)
	}
	if reply, err := conn.RequestName(watcherName, 0); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatalf("name: %v, %v", reply, err)
	}
	return k
}

func (k *keeper) property(item, name string) any {
	k.t.Helper()
	value, err := k.conn.Object(item, itemPath).GetProperty(itemIface + "." + name)
	if err != nil {
		k.t.Fatal(err)
	}
	return value.Value()
}

type menuLayout struct {
	ID         int32
	Properties map[string]dbus.Variant
	Children   []dbus.Variant
}

// ids are the items of the menu by what they say.
func (k *keeper) ids(item string) map[string]int32 {
	k.t.Helper()
	var revision uint32
	var root menuLayout
	if err := k.conn.Object(item, menuPath).Call(menuIface+".GetLayout", 0, int32(0), int32(-1), []string{}).Store(&revision, &root); err != nil {
		k.t.Fatal(err)
	}
	out := map[string]int32{}
	for _, child := range root.Children {
		var it menuLayout
		if err := dbus.Store([]any{child.Value()}, &it); err != nil {
			k.t.Fatal(err)
		}
		if label, ok := it.Properties["label"].Value().(string); ok {
			out[label] = it.ID
		}
	}
	return out
}

// press chooses what the menu calls so.
func (k *keeper) press(item, label string) {
	k.t.Helper()
	id, ok := k.ids(item)[label]
	if !ok {
		k.t.Fatalf("the menu has no %q: %v", label, k.ids(item))
	}
	if err := k.conn.Object(item, menuPath).Call(menuIface+".Event", 0, id, "clicked", dbus.MakeVariant(""), uint32(0)).Err; err != nil {
		k.t.Fatal(err)
	}
}

// hidden waits until no window of this name is to be seen.
func (d *seat) hidden(window, name string) {
	d.t.Helper()
	d.until("hidden", func() bool {
		return !strings.Contains(d.run("xdotool", "search", "--onlyvisible", "--name", name), window)
	})
}

const deskText = `{"unread":3,"tip":"3 unread","menu":[{"text":"Open Hearth","key":"open"},{"text":"","key":""},{"text":"#백엔드 (3)","key":"/c/x/m/r1"},` +
	`{"text":"Quick mention","key":"mention"},{"text":"Quit","key":"quit"}],"hidden":"Hearth goes on","inTray":"its icon","withoutOne":"start it again"}`

// Closed, the window goes out of sight, if the person wants it so, whoever is at work; the tray, and a second start, bring it
// back. The first time it says how. The page is told what was chosen in the tray; Quit there ends Hearth, and asks first when agents
// are at work.
func TestGoesOnInTheBackground(t *testing.T) {
	d := newDesktop(t, screen)
	dir := shortDir(t)
	address, conn := d.bus()
	shows := &notifications{shown: make(chan []any, 10)}
	if err := conn.Export(shows, notifyPath, notifyName); err != nil {
		t.Fatal(err)
	}
	if reply, err := conn.RequestName(notifyName, 0); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatalf("name: %v, %v", reply, err)
	}
	p := d.launch(childOptions{Mode: "window", DataDir: dir}, "DBUS_SESSION_BUS_ADDRESS="+address)
	p.control = p.wait("control").string()
	p.wait("ready")
	window := d.windowNamed("Hearth test")

	// Without anybody who keeps icons, nothing fails; who comes gets it.
	p.do("desk", "state", deskText)
	p.expect("told", `"taken"`)
	p.do("desk", "state", `{"menu":[{"text":"x","key":"https://evil.test/"}]}`)
	if said := p.wait("told").string(); !strings.Contains(said, "leads nowhere") {
		t.Errorf("a menu led out of Hearth: %s", said)
	}
	p.do("goesOn")
	p.expect("goes on", "false")
	p.do("goesOn", "on", "yes")
	p.expect("goes on", "true")
	closeWindow := func() {
		t.Helper()
		d.focus(window)
		d.key("alt+F4")
		p.expect("quit", "true")
		d.hidden(window, "Hearth test")
	}
	closeWindow()
	if got := <-shows.shown; got[2] != "Hearth goes on" || got[3] != "start it again" {
		t.Errorf("without a tray it says %v", got)
	}
	d.launch(childOptions{Mode: "raise", DataDir: dir}).expect("raised", "true")
	d.until("back", func() bool { return d.active() == window })

	k := newKeeper(t, conn)
	item := <-k.items
	if got := k.property(item, "Status"); got != "NeedsAttention" {
		t.Errorf("3 unread: status %v", got)
	}
	closeWindow()
	k.press(item, "#백엔드 (3)")
	p.expect("open", `"/c/x/m/r1"`)
	d.until("back", func() bool { return d.active() == window })

	// A mention is asked for in the tray, and by a start.
	closeWindow()
	k.press(item, "Quick mention")
	p.wait("mention")
	d.until("back", func() bool { return d.active() == window })
	closeWindow()
	d.launch(childOptions{Mode: "mention", DataDir: dir}).expect("raised", "true")
	p.wait("mention")
	d.until("back", func() bool { return d.active() == window })

	// Agents are at work: closing does not ask, quitting does, from out of sight too.
	p.call("/busy", "n", "1")
	closeWindow()
	k.press(item, "Quit")
	d.until("the question", func() bool { return d.active() != window && d.active() != "" })
	d.screenshot("quit-from-the-tray")
	d.key("Return") // go on in the background
	p.expect("quit", "true")
	d.hidden(window, "Hearth test")
	if n := len(shows.shown); n > 0 {
		t.Errorf("it was said again what it means to go on: %v", <-shows.shown)
	}
	if err := conn.Object(item, itemPath).Call(itemIface+".Activate", 0, int32(0), int32(0)).Err; err != nil {
		t.Fatal(err)
	}
	d.until("back", func() bool { return d.active() == window })
	d.focus(window)
	d.key("ctrl+q")
	d.until("the question", func() bool { return d.active() != window && d.active() != "" })
	d.key("Escape")
	d.until("the question to go", func() bool { return d.active() == window })
	p.call("/busy", "n", "0")
	closeWindow()
	k.press(item, "Quit")
	p.expect("quit", "false")
	p.ends()

	// It is remembered, and so is that the person knows; a start for a mention tells the page when it is there. Ctrl+Q ends it.
	p = d.launch(childOptions{Mode: "window", DataDir: dir, Mention: true}, "DBUS_SESSION_BUS_ADDRESS="+address)
	p.control = p.wait("control").string()
	p.wait("mention")
	window = d.windowNamed("Hearth test")
	p.do("desk", "state", deskText)
	p.expect("told", `"taken"`)
	closeWindow()
	if n := len(shows.shown); n > 0 {
		t.Errorf("it was said again what it means to go on: %v", <-shows.shown)
	}
	d.launch(childOptions{Mode: "raise", DataDir: dir}).expect("raised", "true")
	d.until("back", func() bool { return d.active() == window })
	d.focus(window)
	d.key("ctrl+q")
	p.expect("quit", "false")
	p.ends()
}

// The program that people get, closed: what its agents say stands in the tray, until it is read; the tray and a command write to
// them; a command ends it.
func TestRealTray(t *testing.T) {
	d := newDesktop(t, screen)
	dir := filepath.Join(shortDir(t), "data")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := (remembered{GoesOn: true}).sane().keep(dir); err != nil {
		t.Fatal(err)
	}
	address, conn := d.bus()
	k := newKeeper(t, conn)
	h := d.hearth(dir, "DBUS_SESSION_BUS_ADDRESS="+address)
	window := d.windowNamed("Hearth")
	channel := h.channels()[0].ID
	item := <-k.items
	command := func(arguments ...string) {
		t.Helper()
		cmd := d.command(dir)
		cmd.Args = append(cmd.Args, arguments...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("hearth %q: %v\n%s", arguments, err, out)
		}
	}
	d.until("the page in the channel", func() bool { r, err := recall(dir); return err == nil && strings.HasPrefix(r.Address, "/c/") })
	d.focus(window)
	d.key("alt+F4")
	d.hidden(window, "Hearth")

	command("post", "general", "@claude hello", "--wait")
	d.until("unread in the tray", func() bool { return k.property(item, "Status") == "NeedsAttention" })
	k.press(item, "#general (1)")
	d.until("back", func() bool { return d.active() == window })
	d.until("read", func() bool { return k.property(item, "Status") == "Active" })

	d.key("alt+F4")
	d.hidden(window, "Hearth")
	k.press(item, "Quick mention…")
	d.until("back", func() bool { return d.active() == window })
	// The dialog is fetched when it is first wanted. What is typed before it is there is lost, or a message of the channel; digits are
	// no commands of the page's.
	d.until("a message to the agent", func() bool {
		d.write("123456789")
		d.screenshot("quick-mention")
		return slices.ContainsFunc(h.rows(channel), func(r aRow) bool { return strings.HasPrefix(r.Body, "@claude ") && strings.HasSuffix(r.Body, "9") })
	})

	d.key("alt+F4")
	d.hidden(window, "Hearth")
	command("mention")
	d.until("back", func() bool { return d.active() == window })
	h.run(channel, "succeeded", "")
	command("quit", "--stop")
	<-h.ended
	if h.status != nil {
		t.Errorf("ended with %v", h.status)
	}
}
