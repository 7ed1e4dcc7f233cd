package freedesktop

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"sync"

	"github.com/godbus/dbus/v5"
	"github.com/godbus/dbus/v5/introspect"
)

const (
	watcherName  = "org.kde.StatusNotifierWatcher"
	watcherPath  = dbus.ObjectPath("/StatusNotifierWatcher")
	itemPath     = dbus.ObjectPath("/StatusNotifierItem")
	itemIface    = "org.kde.StatusNotifierItem"
	menuPath     = dbus.ObjectPath("/StatusNotifierItem/Menu")
	menuIface    = "com.canonical.dbusmenu"
	propsIface   = "org.freedesktop.DBus.Properties"
	describeFace = "org.freedesktop.DBus.Introspectable"

	// mostItems bounds a menu; the page sends far fewer.
	mostItems = 50
)

// MenuItem is a line of the tray's menu.
type MenuItem struct {
	Text string // "" is a line between two groups
	Key  string // what Chosen hears; "" can't be chosen
}

// TrayState is what the tray shows.
type TrayState struct {
	Unread int    // messages that are to be read; the icon says whether there are any
	Tip    string // what the icon says when it is pointed at
	Menu   []MenuItem
}

// TrayOptions is what a Tray is made of.
type TrayOptions struct {
	Bus     string // as in [Options]
	Program string // what the icon belongs to
	ID      string // the same at each start, for the desktop's own settings
	Icon    []byte // a PNG
	Press   string // the key of a press on the icon itself
	// Chosen hears what was chosen: a key, and the desktop's token by which a window may come to the front, "" when there is
	// none. It is called on a goroutine of its own and must not wait.
	Chosen func(key, token string)
}

// Tray is Hearth's icon among those that the desktop keeps in a corner. Its methods may be called from any goroutine.
type Tray struct {
	options TrayOptions
	icons   icons

	// setting is held by whoever tells the desktop something. The desktop may ask back meanwhile, so what it can ask for has a
	// mutex of its own, which nobody holds while they wait.
	setting sync.Mutex

	connection
	state    TrayState
	revision uint32           // of the menu
	ids      map[string]int32 // of the menu's keys, for good: a menu that is open while it changes leads where it says
	keys     map[int32]string
	token    string
	here     bool
}

// NewTray makes it; it is connected when there is something to show. An icon that can't be read is an error of the program.
func NewTray(o TrayOptions) (*Tray, error) {
	drawn, err := drawIcons(o.Icon)
	if err != nil {
		return nil, fmt.Errorf("make the tray's icon: %w", err)
	}
	return &Tray{options: o, icons: drawn, ids: map[string]int32{}, keys: map[int32]string{}}, nil
}

// Here says whether a desktop has taken the icon.
func (t *Tray) Here() bool {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.here && t.conn != nil && t.conn.Connected()
}

// Set changes what is shown. Where there is no tray it answers [ErrNone]; should one appear on the bus later, it shows what was
// set last. A bus that was gone is tried again each time.
func (t *Tray) Set(s TrayState) error {
	if len(s.Menu) > mostItems {
		s.Menu = s.Menu[:mostItems]
	}
	t.setting.Lock()
	defer t.setting.Unlock()
	t.mutex.Lock()
	was := t.state
	t.state = s
	for _, item := range s.Menu {
		if _, known := t.ids[item.Key]; item.Key != "" && !known {
			id := int32(len(t.ids) + 1 + mostItems) //nolint:gosec // there are never so many channels; lines between have the ids below
			t.ids[item.Key], t.keys[id] = id, item.Key
		}
	}
	menuChanged := !reflect.DeepEqual(was.Menu, s.Menu)
	if menuChanged {
		t.revision++
	}
	revision := t.revision
	t.mutex.Unlock()

	conn, isNew, err := t.connect()
	if err != nil {
		return err
	}
	if isNew {
		return t.register(conn)
	}
	// It is told what has changed, and asks for it.
	if status(was) != status(s) {
		err = errors.Join(conn.Emit(itemPath, itemIface+".NewIcon"), conn.Emit(itemPath, itemIface+".NewAttentionIcon"), conn.Emit(itemPath, itemIface+".NewStatus", status(s)))
	}
	if was.Tip != s.Tip {
		err = errors.Join(err, conn.Emit(itemPath, itemIface+".NewToolTip"))
	}
	if menuChanged {
		err = errors.Join(err, conn.Emit(menuPath, menuIface+".LayoutUpdated", revision, int32(0)))
	}
	if err != nil {
		return fmt.Errorf("change the tray's icon: %w", err)
	}
	if !t.Here() {
		return ErrNone
	}
	return nil
}

// connect connects to the bus and puts the icon there, unless that was done. setting is held.
func (t *Tray) connect() (conn *dbus.Conn, isNew bool, err error) {
	t.mutex.Lock()
	conn, closed := t.conn, t.closed
	t.mutex.Unlock()
	if closed || t.options.Bus == "" {
		return nil, false, ErrNone
	}
	if conn != nil && conn.Connected() {
		return conn, false, nil
	}
	conn, err = dbus.Connect(t.options.Bus)
	if err != nil {
		return nil, false, ErrNone // a bus that is gone
	}
	if err := t.export(conn); err != nil {
		return nil, false, errors.Join(fmt.Errorf("put the icon into the tray: %w", err), conn.Close())
	}
	t.mutex.Lock()
	t.conn, t.here = conn, false
	t.mutex.Unlock()
	signals := make(chan *dbus.Signal, 16)
	conn.Signal(signals)
	t.heard.Go(func() {
		for signal := range signals { // until the connection is gone
			t.hear(conn, signal)
		}
	})
	return conn, true, nil
}

func (t *Tray) export(conn *dbus.Conn) error {
	item, menu := &item{tray: t}, &menu{tray: t}
	describe := func(path dbus.ObjectPath, face string, methods any) error {
		node := &introspect.Node{Name: string(path), Interfaces: []introspect.Interface{introspect.IntrospectData, {Name: face, Methods: introspect.Methods(methods)}}}
		return conn.Export(introspect.NewIntrospectable(node), path, describeFace)
	}
	err := errors.Join(
		conn.Export(item, itemPath, itemIface), describe(itemPath, itemIface, item),
		conn.Export(menu, menuPath, menuIface), describe(menuPath, menuIface, menu),
		conn.Export(&properties{of: map[string]func() map[string]dbus.Variant{itemIface: t.itemProperties}}, itemPath, propsIface),
		conn.Export(&properties{of: map[string]func() map[string]dbus.Variant{menuIface: menuProperties}}, menuPath, propsIface),
		// A desktop that shows such icons may start later, or anew.
		conn.AddMatchSignal(dbus.WithMatchSender("org.freedesktop.DBus"), dbus.WithMatchInterface("org.freedesktop.DBus"),
			dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, watcherName)),
	)
	if err != nil {
		return err
	}
	_, err = conn.RequestName(t.name(), dbus.NameFlagDoNotQueue)
	return err
}

// name is what the icon is called on the bus: the desktops expect this form.
func (t *Tray) name() string { return fmt.Sprintf("%s-%d-1", itemIface, os.Getpid()) }

// register tells who keeps the icons that there is one; ErrNone: nobody keeps any.
func (t *Tray) register(conn *dbus.Conn) error {
	ctx, cancel := context.WithTimeout(context.Background(), answersWithin)
	defer cancel()
	err := conn.Object(watcherName, watcherPath).CallWithContext(ctx, watcherName+".RegisterStatusNotifierItem", 0, t.name()).Err
	t.mutex.Lock()
	t.here = err == nil
	t.mutex.Unlock()
	if err != nil {
		return none("put the icon into the tray", err)
	}
	return nil
}

// hear takes that a keeper of icons has come or gone.
func (t *Tray) hear(conn *dbus.Conn, signal *dbus.Signal) {
	if signal.Name != "org.freedesktop.DBus.NameOwnerChanged" || len(signal.Body) < 3 || signal.Body[0] != watcherName {
		return
	}
	if owner, _ := signal.Body[2].(string); owner != "" {
		// One that fails is as if it had not come.
		_ = t.register(conn)
		return
	}
	t.mutex.Lock()
	t.here = false
	t.mutex.Unlock()
}

// choose tells what was chosen.
func (t *Tray) choose(key string) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if key == "" || t.closed {
		return
	}
	token := t.token
	t.token = ""
	t.heard.Go(func() { t.options.Chosen(key, token) })
}
