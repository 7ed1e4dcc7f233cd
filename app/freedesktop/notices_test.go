//go:build linux

package freedesktop

import (
	"bufio"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds what a test waits for; nothing is measured by it.
const patience = 60 * time.Second

// newBus starts a bus of the test's own.
func newBus(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("dbus-daemon"); err != nil {
		t.Fatal("this test needs dbus-daemon: apt-get install dbus")
	}
	daemon := exec.Command("dbus-daemon", "--session", "--nofork", "--print-address")
	out, err := daemon.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = daemon.Process.Kill()
		_ = daemon.Wait()
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(address)
}

// desktop is what shows notifications on a real desktop.
type desktop struct {
	conn *dbus.Conn
	can  []string

	mutex sync.Mutex
	next  uint32
	shown []call
}

type call struct {
	Program      string
	Replaces, ID uint32
	Title, Body  string
	Actions      []string
	Hints        map[string]dbus.Variant
	Expires      int32
}

func (d *desktop) GetCapabilities() ([]string, *dbus.Error) { return d.can, nil }

func (d *desktop) Notify(program string, replaces uint32, _, title, body string, actions []string, hints map[string]dbus.Variant, expires int32) (uint32, *dbus.Error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	id := replaces
	if id == 0 {
		d.next++
		id = d.next
	}
	d.shown = append(d.shown, call{program, replaces, id, title, body, actions, hints, expires})
	return id, nil
}

func (d *desktop) all() []call {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return slices.Clone(d.shown)
}

func (d *desktop) last() call {
	all := d.all()
	return all[len(all)-1]
}

func (d *desktop) emit(t *testing.T, signal string, values ...any) {
	t.Helper()
	if err := d.conn.Emit(path, iface+"."+signal, values...); err != nil {
		t.Fatal(err)
	}
}

func newDesktop(t *testing.T, bus string, can ...string) *desktop {
	t.Helper()
	conn, err := dbus.Connect(bus)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	d := &desktop{conn: conn, can: can}
	if err := conn.Export(d, path, iface); err != nil {
		t.Fatal(err)
	}
	if reply, err := conn.RequestName(name, 0); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatalf("name: %v, %v", reply, err)
	}
	return d
}

type opened struct{ address, token string }

func start(t *testing.T, bus string) (*Notices, chan opened) {
	t.Helper()
	clicks := make(chan opened, 10)
	n := New(Options{Bus: bus, Program: "Hearth", Desktop: "hearth", Action: "Open", Open: func(address, token string) { clicks <- opened{address, token} }})
	t.Cleanup(func() {
		if err := n.Close(); err != nil {
			t.Error(err)
		}
	})
	return n, clicks
}

func (n *Notices) must(t *testing.T, notice Notice) {
	t.Helper()
	if err := n.Show(t.Context(), notice); err != nil {
		t.Fatal(err)
	}
}

func await(t *testing.T, clicks chan opened) opened {
	t.Helper()
	select {
	case got := <-clicks:
		return got
	case <-time.After(patience):
		t.Fatal("no click was heard of")
		return opened{}
	}
}

func TestShow(t *testing.T) {
	bus := newBus(t)
	d := newDesktop(t, bus, "actions", "body", "body-markup")
	n, clicks := start(t, bus)
	n.must(t, Notice{Title: "@claude in #백엔드", Body: "<b>done</b> & \x1b[31m\xffred\nnext", Tag: "c", Address: "/c/x/m/1"})
	got := d.last()
	if got.Program != "Hearth" || got.Title != "@claude in #백엔드" || got.Body != "&lt;b&gt;done&lt;/b&gt; &amp;  [31m\uFFFDred next" || got.Expires != -1 {
		t.Errorf("%+v", got)
	}
	if len(got.Actions) != 2 || got.Actions[0] != "default" || got.Actions[1] != "Open" || got.Hints["desktop-entry"].Value() != "hearth" || got.Hints["urgency"].Value() != byte(1) {
		t.Errorf("%+v", got)
	}
	n.must(t, Notice{Title: "2", Tag: "c", Address: "/c/x/m/2"})
	n.must(t, Notice{Title: "3", Tag: "d", Address: "/c/y"})
	if second := d.all()[1]; second.Replaces != got.ID || d.last().Replaces != 0 {
		t.Errorf("replaced: %+v", d.all())
	}

	// A click leads to where the newest with its id does, with the desktop's token.
	d.emit(t, "ActivationToken", got.ID, "token-1")
	d.emit(t, "ActionInvoked", got.ID, "default")
	if click := await(t, clicks); click != (opened{"/c/x/m/2", "token-1"}) {
		t.Errorf("%+v", click)
	}
	// What is of another program, is no click of ours, or is nothing, leads nowhere.
	d.emit(t, "ActionInvoked", uint32(4711), "default")
	d.emit(t, "ActionInvoked", got.ID, "other")
	d.emit(t, "ActionInvoked", "x", "default")
	d.emit(t, "ActionInvoked")
	d.emit(t, "NotificationClosed", d.last().ID, uint32(2))
	d.emit(t, "ActionInvoked", d.last().ID, "default")
	if click := await(t, clicks); click != (opened{"/c/y", ""}) {
		t.Errorf("%+v", click)
	}
	// What was closed is not replaced: the desktop would have nothing to replace.
	n.must(t, Notice{Title: "4", Tag: "d"})
	if d.last().Replaces != 0 {
		t.Errorf("%+v", d.last())
	}
}

// A desktop that can do less gets less: no markup is escaped where none is read, no button is offered where none is shown.
func TestLesserDesktop(t *testing.T) {
	bus := newBus(t)
	d := newDesktop(t, bus, "body")
	n, _ := start(t, bus)
	n.must(t, Notice{Title: strings.Repeat("글", longest+1), Body: "a < b"})
	if got := d.last(); got.Body != "a < b" || len(got.Actions) != 0 || got.Title != strings.Repeat("글", longest)+"…" {
		t.Errorf("%+v", got)
	}
}

// Without a bus, or without anybody on it who shows notifications, nothing happens; when there is one later, it is used.
func TestNobodyThere(t *testing.T) {
	n, _ := start(t, "")
	if err := n.Show(t.Context(), Notice{}); !errors.Is(err, ErrNone) {
		t.Errorf("no bus: %v", err)
	}
	gone, _ := start(t, "unix:path=/nonexistent/bus")
	if err := gone.Show(t.Context(), Notice{}); !errors.Is(err, ErrNone) {
		t.Errorf("a bus that is gone: %v", err)
	}
	bus := newBus(t)
	n, _ = start(t, bus)
	if err := n.Show(t.Context(), Notice{}); !errors.Is(err, ErrNone) {
		t.Errorf("nobody on it: %v", err)
	}
	newDesktop(t, bus)
	n.must(t, Notice{Title: "now"})
	if err := n.Close(); err != nil {
		t.Fatal(err)
	}
	if err := n.Show(t.Context(), Notice{}); !errors.Is(err, ErrNone) {
		t.Errorf("closed: %v", err)
	}
}

// The notices that are known stay few.
func TestBounded(t *testing.T) {
	bus := newBus(t)
	newDesktop(t, bus)
	n, _ := start(t, bus)
	for range most + 20 {
		n.must(t, Notice{Title: "x"})
	}
	if len(n.shown) != most {
		t.Errorf("%d are known", len(n.shown))
	}
}
