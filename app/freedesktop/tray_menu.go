package freedesktop

import (
	"slices"
	"strings"

	"github.com/godbus/dbus/v5"
)

// menu is what a desktop calls of the menu, as com.canonical.dbusmenu has it: a root with the id 0 and one level below it.
type menu struct{ tray *Tray }

// layout is an item with what is below it.
type layout struct {
	ID         int32
	Properties map[string]dbus.Variant
	Children   []dbus.Variant
}

// group is an item without what is below it.
type group struct {
	ID         int32
	Properties map[string]dbus.Variant
}

// event is what has happened to an item.
type event struct {
	ID   int32
	Name string
	Data dbus.Variant
	Time uint32
}

func menuProperties() map[string]dbus.Variant {
	return map[string]dbus.Variant{
		"Version": dbus.MakeVariant(uint32(3)), "TextDirection": dbus.MakeVariant("ltr"), "Status": dbus.MakeVariant("normal"),
		"IconThemePath": dbus.MakeVariant([]string{}),
	}
}

// items are all there are, the root first, and the number of the menu they make.
func (m *menu) items() (all []group, revision uint32) {
	m.tray.mutex.Lock()
	defer m.tray.mutex.Unlock()
	all = []group{{0, map[string]dbus.Variant{"children-display": dbus.MakeVariant("submenu")}}}
	for i, it := range m.tray.state.Menu {
		if it.Text == "" {
			all = append(all, group{int32(i + 1), map[string]dbus.Variant{"type": dbus.MakeVariant("separator")}}) //nolint:gosec // at most mostItems
			continue
		}
		id, ok := m.tray.ids[it.Key]
		if !ok {
			id = int32(i + 1) //nolint:gosec // at most mostItems
		}
		all = append(all, group{id, map[string]dbus.Variant{
			// One underscore would be the key that chooses it.
			"label":   dbus.MakeVariant(strings.ReplaceAll(oneLine(it.Text), "_", "__")),
			"enabled": dbus.MakeVariant(ok),
		}})
	}
	return all, m.tray.revision
}

// GetLayout is com.canonical.dbusmenu.GetLayout.
func (m *menu) GetLayout(parent, depth int32, names []string) (uint32, layout, *dbus.Error) {
	all, revision := m.items()
	at := slices.IndexFunc(all, func(g group) bool { return g.ID == parent })
	if at < 0 {
		return 0, layout{}, dbus.NewError("org.freedesktop.DBus.Error.InvalidArgs", []any{"there is no such item"})
	}
	out := layout{all[at].ID, only(all[at].Properties, names), []dbus.Variant{}}
	if at == 0 && depth != 0 {
		for _, g := range all[1:] {
			out.Children = append(out.Children, dbus.MakeVariant(layout{g.ID, only(g.Properties, names), []dbus.Variant{}}))
		}
	}
	return revision, out, nil
}

// only keeps the properties that were asked for; none named is all.
func only(all map[string]dbus.Variant, names []string) map[string]dbus.Variant {
	if len(names) == 0 {
		return all
	}
	out := map[string]dbus.Variant{}
	for name, value := range all {
		if slices.Contains(names, name) {
			out[name] = value
		}
	}
	return out
}

// GetGroupProperties is com.canonical.dbusmenu.GetGroupProperties; no ids are all.
func (m *menu) GetGroupProperties(ids []int32, names []string) ([]group, *dbus.Error) {
	all, _ := m.items()
	out := []group{}
	for _, g := range all {
		if len(ids) == 0 || slices.Contains(ids, g.ID) {
			out = append(out, group{g.ID, only(g.Properties, names)})
		}
	}
	return out, nil
}

// GetProperty is com.canonical.dbusmenu.GetProperty.
func (m *menu) GetProperty(id int32, name string) (dbus.Variant, *dbus.Error) {
	found, _ := m.GetGroupProperties([]int32{id}, []string{name})
	if len(found) == 1 {
		if value, ok := found[0].Properties[name]; ok {
			return value, nil
		}
	}
	return dbus.Variant{}, dbus.NewError("org.freedesktop.DBus.Error.InvalidArgs", []any{"there is no such property"})
}

// Event is com.canonical.dbusmenu.Event. An item that has gone from the menu meanwhile still leads where it led.
func (m *menu) Event(id int32, name string, _ dbus.Variant, _ uint32) *dbus.Error {
	if name != "clicked" {
		return nil
	}
	m.tray.mutex.Lock()
	key := m.tray.keys[id]
	m.tray.mutex.Unlock()
	m.tray.choose(key)
	return nil
}

// EventGroup is com.canonical.dbusmenu.EventGroup.
func (m *menu) EventGroup(events []event) ([]int32, *dbus.Error) {
	for _, e := range events {
		if err := m.Event(e.ID, e.Name, e.Data, e.Time); err != nil {
			return nil, err
		}
	}
	return []int32{}, nil
}

// AboutToShow is com.canonical.dbusmenu.AboutToShow: the menu is always up to date.
func (m *menu) AboutToShow(int32) (bool, *dbus.Error) { return false, nil }

// AboutToShowGroup is com.canonical.dbusmenu.AboutToShowGroup.
func (m *menu) AboutToShowGroup([]int32) (updates, unknown []int32, _ *dbus.Error) {
	return []int32{}, []int32{}, nil
}
