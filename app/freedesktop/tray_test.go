//go:build linux

package freedesktop

import (
	"errors"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// watcher is what keeps the icons of a real desktop.
type watcher struct {
	conn    *dbus.Conn
	items   chan string
	signals chan *dbus.Signal
}

func (w *watcher) RegisterStatusNotifierItem(name string) *dbus.Error {
	w.items <- name
	return nil
}

func newWatcher(t *testing.T, bus string) *watcher {
	t.Helper()
	conn, err := dbus.Connect(bus)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	w := &watcher{conn: conn, items: make(chan string, 10), signals: make(chan *dbus.Signal, 100)}
	if err := errors.Join(conn.Export(w, watcherPath, watcherName), conn.AddMatchSignal(dbus.WithMatchInterface(itemIface)), conn.AddMatchSignal(dbus.WithMatchInterface(menuIface))); err != nil {
		t.Fatal(err)
	}
	conn.Signal(w.signals)
	if reply, err := conn.RequestName(watcherName, 0); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatalf("name: %v, %v", reply, err)
	}
	return w
}

func next[T any](t *testing.T, from chan T) T {
	t.Helper()
	select {
	case got := <-from:
		return got
	case <-time.After(patience):
		t.Fatal("nothing came")
		panic("unreachable")
	}
}

// told waits for the signals of these names, in any order.
func (w *watcher) told(t *testing.T, names ...string) {
	t.Helper()
	for len(names) > 0 {
		got := next(t, w.signals)
		if at := slices.Index(names, got.Name); at >= 0 {
			names = slices.Delete(names, at, at+1)
		}
	}
}

func (w *watcher) property(t *testing.T, item, name string) any {
	t.Helper()
	value, err := w.conn.Object(item, itemPath).GetProperty(itemIface + "." + name)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return value.Value()
}

// line is an item of the menu as a desktop would show it.
type line struct {
	id    int32
	label string // "-" is a line between two groups
	on    bool
}

func (w *watcher) menu(t *testing.T, item string) (lines []line) {
	t.Helper()
	var revision uint32
	var root layout
	if err := w.conn.Object(item, menuPath).Call(menuIface+".GetLayout", 0, int32(0), int32(-1), []string{}).Store(&revision, &root); err != nil {
		t.Fatal(err)
	}
	for _, child := range root.Children {
		var it layout
		if err := dbus.Store([]any{child.Value()}, &it); err != nil {
			t.Fatal(err)
		}
		one := line{id: it.ID, label: "-"}
		if label, ok := it.Properties["label"]; ok {
			one.label, one.on = label.Value().(string), it.Properties["enabled"].Value().(bool)
		}
		lines = append(lines, one)
	}
	return lines
}

func labels(lines []line) (out []string) {
	for _, l := range lines {
		out = append(out, l.label)
	}
	return out
}

type chosen struct{ key, token string }

func startTray(t *testing.T, bus string) (*Tray, chan chosen) {
	t.Helper()
	icon, err := os.ReadFile("../icon.png")
	if err != nil {
		t.Fatal(err)
	}
	heard := make(chan chosen, 10)
	tray, err := NewTray(TrayOptions{Bus: bus, Program: "Hearth", ID: "hearth", Icon: icon, Press: "open", Chosen: func(key, token string) { heard <- chosen{key, token} }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tray.Close(); err != nil {
			t.Error(err)
		}
	})
	return tray, heard
}

var quietState = TrayState{Tip: "Nothing new", Menu: []MenuItem{{"Open Hearth", "open"}, {}, {"Quit", "quit"}}}

func TestTray(t *testing.T) {
	bus := newBus(t)
	w := newWatcher(t, bus)
	tray, heard := startTray(t, bus)
	if tray.Here() {
		t.Error("it is there before there was anything to show")
	}
	if err := tray.Set(quietState); err != nil {
		t.Fatal(err)
	}
	item := next(t, w.items)
	if !tray.Here() {
		t.Error("a desktop has taken it, and it does not know")
	}
	for name, want := range map[string]any{"Category": "Communications", "Id": "hearth", "Title": "Hearth", "Status": "Active", "ItemIsMenu": false, "Menu": menuPath} {
		if got := w.property(t, item, name); got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	var quiet, unread []pixmap
	if err := dbus.Store([]any{w.property(t, item, "IconPixmap")}, &quiet); err != nil || len(quiet) != len(widths) {
		t.Fatalf("%d icons, %v", len(quiet), err)
	}
	for i, p := range quiet {
		if int(p.Width) != widths[i] || p.Height != p.Width || len(p.Pixels) != 4*widths[i]*widths[i] {
			t.Errorf("icon %d: %dx%d, %d bytes", i, p.Width, p.Height, len(p.Pixels))
		}
	}

	// Something is to be read: the icon, its status, its tip and the menu say so, and the desktop is told to look.
	if err := tray.Set(TrayState{Unread: 3, Tip: "3 unread", Menu: []MenuItem{
		{"Open Hearth", "open"}, {}, {"#back_end\n\x1b백엔드 (3)", "/c/x"}, {"not for pressing", ""}, {}, {"Quit", "quit"},
	}}); err != nil {
		t.Fatal(err)
	}
	w.told(t, itemIface+".NewIcon", itemIface+".NewAttentionIcon", itemIface+".NewStatus", itemIface+".NewToolTip", menuIface+".LayoutUpdated")
	if got := w.property(t, item, "Status"); got != "NeedsAttention" {
		t.Errorf("status %v", got)
	}
	var says tip
	if err := dbus.Store([]any{w.property(t, item, "ToolTip")}, &says); err != nil || says.Title != "Hearth" || says.Text != "3 unread" {
		t.Errorf("%+v, %v", says, err)
	}
	if err := dbus.Store([]any{w.property(t, item, "IconPixmap")}, &unread); err != nil || slices.Equal(unread[0].Pixels, quiet[0].Pixels) {
		t.Errorf("the icon is as it was (%v)", err)
	}
	lines := w.menu(t, item)
	if got, want := labels(lines), []string{"Open Hearth", "-", "#back__end  백엔드 (3)", "not for pressing", "-", "Quit"}; !slices.Equal(got, want) {
		t.Errorf("the menu is %q, want %q", got, want)
	}
	if lines[3].on || !lines[2].on {
		t.Errorf("%+v", lines)
	}

	// A press, with the desktop's token, once; the channel in the menu, though it has gone from it meanwhile.
	object := w.conn.Object(item, itemPath)
	if err := object.Call(itemIface+".ProvideXdgActivationToken", 0, "token-1").Err; err != nil {
		t.Fatal(err)
	}
	press := func() {
		t.Helper()
		if err := object.Call(itemIface+".Activate", 0, int32(1), int32(2)).Err; err != nil {
			t.Fatal(err)
		}
	}
	press()
	if got := next(t, heard); got != (chosen{"open", "token-1"}) {
		t.Errorf("%+v", got)
	}
	press()
	if got := next(t, heard); got != (chosen{"open", ""}) {
		t.Errorf("%+v", got)
	}
	if err := tray.Set(quietState); err != nil {
		t.Fatal(err)
	}
	w.told(t, itemIface+".NewStatus", menuIface+".LayoutUpdated")
	menu := w.conn.Object(item, menuPath)
	for _, event := range []string{"hovered", "clicked"} {
		if err := menu.Call(menuIface+".Event", 0, lines[2].id, event, dbus.MakeVariant(""), uint32(0)).Err; err != nil {
			t.Fatal(err)
		}
	}
	if got := next(t, heard); got.key != "/c/x" {
		t.Errorf("%+v", got)
	}
	var unknown []int32
	if err := menu.Call(menuIface+".EventGroup", 0, []event{{4711, "clicked", dbus.MakeVariant(0), 0}, {lines[5].id, "clicked", dbus.MakeVariant(0), 0}}).Store(&unknown); err != nil {
		t.Fatal(err)
	}
	if got := next(t, heard); got.key != "quit" {
		t.Errorf("%+v", got)
	}
	if len(heard) > 0 {
		t.Errorf("chosen, and nobody pressed it: %v", <-heard)
	}
}

// What some desktops ask besides.
func TestTrayIsAsked(t *testing.T) {
	bus := newBus(t)
	w := newWatcher(t, bus)
	tray, _ := startTray(t, bus)
	if err := tray.Set(quietState); err != nil {
		t.Fatal(err)
	}
	item := next(t, w.items)
	menu, icon := w.conn.Object(item, menuPath), w.conn.Object(item, itemPath)
	var groups []group
	if err := menu.Call(menuIface+".GetGroupProperties", 0, []int32{}, []string{"label"}).Store(&groups); err != nil || len(groups) != 4 || len(groups[1].Properties) != 1 {
		t.Errorf("%+v, %v", groups, err)
	}
	var label dbus.Variant
	if err := menu.Call(menuIface+".GetProperty", 0, groups[3].ID, "label").Store(&label); err != nil || label.Value() != "Quit" {
		t.Errorf("%v, %v", label, err)
	}
	var all map[string]dbus.Variant
	if err := icon.Call(propsIface+".GetAll", 0, itemIface).Store(&all); err != nil || len(all) != 16 {
		t.Errorf("%d properties, %v", len(all), err)
	}
	if version, err := menu.GetProperty(menuIface + ".Version"); err != nil || version.Value() != uint32(3) {
		t.Errorf("%v, %v", version, err)
	}
	for name, wrong := range map[string]error{
		"a property that is not there": icon.Call(propsIface+".Get", 0, itemIface, "Nothing").Err,
		"writing one":                  icon.Call(propsIface+".Set", 0, itemIface, "Title", dbus.MakeVariant("x")).Err,
		"an item that is not there":    menu.Call(menuIface+".GetLayout", 0, int32(4711), int32(1), []string{}).Err,
		"a property of none":           menu.Call(menuIface+".GetProperty", 0, int32(4711), "label").Err,
	} {
		if wrong == nil {
			t.Errorf("%s: no error", name)
		}
	}
	var text string
	if err := icon.Call(describeFace+".Introspect", 0).Store(&text); err != nil || text == "" {
		t.Errorf("%q, %v", text, err)
	}
}

// Nobody keeps icons, or there is no bus: nothing fails. Who comes later is given the icon as it is by then, and so is who comes
// instead; a bus that went is tried again.
func TestTrayComesLater(t *testing.T) {
	for name, bus := range map[string]string{"no bus": "", "a bus that is gone": "unix:path=/nonexistent/bus"} {
		tray, _ := startTray(t, bus)
		if err := tray.Set(quietState); !errors.Is(err, ErrNone) || tray.Here() {
			t.Errorf("%s: %v", name, err)
		}
	}
	bus := newBus(t)
	tray, heard := startTray(t, bus)
	for range 2 {
		if err := tray.Set(quietState); !errors.Is(err, ErrNone) || tray.Here() {
			t.Fatalf("nobody keeps icons: %v", err)
		}
	}
	if err := tray.Set(TrayState{Unread: 1, Tip: "1 unread"}); !errors.Is(err, ErrNone) {
		t.Fatal(err)
	}
	w := newWatcher(t, bus)
	item := next(t, w.items)
	if got := w.property(t, item, "Status"); got != "NeedsAttention" {
		t.Errorf("status %v", got)
	}
	w.conn.Close()
	other := newWatcher(t, bus)
	if again := next(t, other.items); again != item {
		t.Errorf("it is %q now and was %q", again, item)
	}

	tray.mutex.Lock()
	lost := tray.conn
	tray.mutex.Unlock()
	lost.Close() // as when the bus ends
	if tray.Here() {
		t.Error("it is there without a bus")
	}
	if err := tray.Set(quietState); err != nil {
		t.Fatal(err)
	}
	if next(t, other.items) != item || !tray.Here() {
		t.Error("it did not come back")
	}
	if len(heard) > 0 {
		t.Error("chosen, and nobody pressed")
	}
	if err := errors.Join(tray.Close(), tray.Close()); err != nil {
		t.Fatal(err)
	}
	if err := tray.Set(quietState); !errors.Is(err, ErrNone) {
		t.Errorf("closed: %v", err)
	}
}

func TestTrayIsBounded(t *testing.T) {
	bus := newBus(t)
	w := newWatcher(t, bus)
	tray, _ := startTray(t, bus)
	state := TrayState{Menu: make([]MenuItem, 1000)}
	if err := tray.Set(state); err != nil {
		t.Fatal(err)
	}
	if n := len(w.menu(t, next(t, w.items))); n != mostItems {
		t.Errorf("%d items", n)
	}
	if _, err := NewTray(TrayOptions{Icon: []byte("no picture")}); err == nil {
		t.Error("an icon that is no picture was taken")
	}
}
