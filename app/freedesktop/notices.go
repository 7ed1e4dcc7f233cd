package freedesktop

import (
	"context"
	"errors"
	"fmt"
	"html"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/godbus/dbus/v5"
)

const (
	name  = "org.freedesktop.Notifications"
	path  = dbus.ObjectPath("/org/freedesktop/Notifications")
	iface = name

	// answersWithin bounds each call to the desktop.
	answersWithin = 5 * time.Second
	// most is how many notices are known that may still be clicked.
	most = 100
	// longest bounds a text, in characters; the page cuts much earlier.
	longest = 500
)

// ErrNone says that nothing here shows what was to be shown.
var ErrNone = errors.New("nothing here shows notifications or icons")

// Notice is what is shown.
type Notice struct {
	Title, Body string
	Tag         string // one with the same tag takes its place; "" is none's
	Address     string // where a click leads
}

// Options is what Notices are made of.
type Options struct {
	Bus     string // the session bus's address, as DBUS_SESSION_BUS_ADDRESS has it; "" is none
	Program string // what shows them is called
	Desktop string // the name of its desktop entry
	Action  string // what the button says
	// Open hears of a click: the notice's address, and the desktop's token by which a window may come to the front, "" when
	// there is none. It is called on a goroutine of its own and must not wait.
	Open func(address, token string)
}

// Notices shows notices on a desktop. Its methods may be called from any goroutine.
type Notices struct {
	options Options

	connection
	shown []shown // oldest first
}

// shown is a notice on the desktop.
type shown struct {
	id                  uint32
	tag, address, token string
}

// New makes them; the bus is connected to when there is something to show.
func New(o Options) *Notices { return &Notices{options: o} }

// Show shows a notice. It answers [ErrNone] where nothing does.
func (n *Notices) Show(ctx context.Context, notice Notice) error {
	ctx, cancel := context.WithTimeout(ctx, answersWithin)
	defer cancel()
	n.mutex.Lock()
	defer n.mutex.Unlock()
	conn, err := n.connect()
	if err != nil {
		return err
	}
	desktop := conn.Object(name, path)
	var can []string
	if err := desktop.CallWithContext(ctx, iface+".GetCapabilities", 0).Store(&can); err != nil {
		return none("show a notification", err)
	}
	body := oneLine(notice.Body)
	if slices.Contains(can, "body-markup") {
		body = html.EscapeString(body)
	}
	var actions []string
	if slices.Contains(can, "actions") {
		actions = []string{"default", n.options.Action}
	}
	var replaces uint32
	at := slices.IndexFunc(n.shown, func(s shown) bool { return notice.Tag != "" && s.tag == notice.Tag })
	if at >= 0 {
		replaces = n.shown[at].id
		n.shown = slices.Delete(n.shown, at, at+1)
	}
	var id uint32
	err = desktop.CallWithContext(ctx, iface+".Notify", 0, n.options.Program, replaces, "", oneLine(notice.Title), body, actions,
		map[string]dbus.Variant{
			"desktop-entry": dbus.MakeVariant(n.options.Desktop),
			"category":      dbus.MakeVariant("im.received"),
			"urgency":       dbus.MakeVariant(byte(1)),
		}, int32(-1)).Store(&id)
	if err != nil {
		return none("show a notification", err)
	}
	n.shown = append(slices.DeleteFunc(n.shown, func(s shown) bool { return s.id == id }), shown{id: id, tag: notice.Tag, address: notice.Address})
	if len(n.shown) > most {
		n.shown = slices.Delete(n.shown, 0, len(n.shown)-most)
	}
	return nil
}

// none tells a desktop without what was asked for from one that has a fault.
func none(operation string, err error) error {
	var fault dbus.Error
	if errors.As(err, &fault) && (strings.HasSuffix(fault.Name, ".ServiceUnknown") || strings.HasSuffix(fault.Name, ".NameHasNoOwner") || strings.HasSuffix(fault.Name, ".UnknownMethod") ||
		strings.Contains(fault.Name, ".Spawn.")) {
		return ErrNone
	}
	return fmt.Errorf("%s: %w", operation, err)
}

// connect connects to the bus, unless it is connected. The mutex is held.
func (n *Notices) connect() (*dbus.Conn, error) {
	if n.closed || n.options.Bus == "" {
		return nil, ErrNone
	}
	if n.conn != nil && n.conn.Connected() {
		return n.conn, nil
	}
	conn, err := dbus.Connect(n.options.Bus)
	if err != nil {
		return nil, ErrNone // a bus that is gone
	}
	err = conn.AddMatchSignal(dbus.WithMatchInterface(iface), dbus.WithMatchObjectPath(path), dbus.WithMatchSender(name))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("hear of notifications: %w", err), conn.Close())
	}
	n.conn, n.shown = conn, nil
	signals := make(chan *dbus.Signal, 16)
	conn.Signal(signals)
	n.heard.Go(func() {
		for signal := range signals { // until the connection is gone
			n.hear(signal)
		}
	})
	return conn, nil
}

// hear takes what the desktop tells of a notice. It waits for a notice that is being shown: the click may come before its id.
func (n *Notices) hear(signal *dbus.Signal) {
	if len(signal.Body) < 2 {
		return
	}
	id, ok := signal.Body[0].(uint32)
	if !ok {
		return
	}
	word, _ := signal.Body[1].(string)
	n.mutex.Lock()
	defer n.mutex.Unlock()
	at := slices.IndexFunc(n.shown, func(s shown) bool { return s.id == id })
	if at < 0 {
		return // of another program
	}
	switch signal.Name {
	case iface + ".ActivationToken":
		n.shown[at].token = word
	case iface + ".ActionInvoked":
		if word == "default" {
			clicked := n.shown[at]
			n.shown[at].token = ""
			n.heard.Go(func() { n.options.Open(clicked.address, clicked.token) })
		}
	case iface + ".NotificationClosed":
		// Some desktops say so before they tell of the click that closed it. It is forgotten when others have come.
		n.shown[at].tag = ""
	}
}

// oneLine makes a text of the page's fit for the bus, which takes no other: valid, bounded, without control characters. The page
// has made those visible already.
func oneLine(text string) string {
	var out strings.Builder
	count := 0
	for _, r := range strings.ToValidUTF8(text, "\uFFFD") {
		if unicode.IsControl(r) {
			r = ' '
		}
		if count++; count > longest {
			out.WriteString("…")
			break
		}
		out.WriteRune(r)
	}
	return out.String()
}
