package freedesktop

import "github.com/godbus/dbus/v5"

// item is what a desktop calls of the icon. What it does not know it does not answer, and no desktop needs it.
type item struct{ tray *Tray }

// Activate hears a press.
func (i *item) Activate(_, _ int32) *dbus.Error {
	i.tray.choose(i.tray.options.Press)
	return nil
}

// SecondaryActivate hears a press with the middle button.
func (i *item) SecondaryActivate(_, _ int32) *dbus.Error { return i.Activate(0, 0) }

// ContextMenu hears a press with the other button, where the desktop shows no menu by itself.
func (i *item) ContextMenu(_, _ int32) *dbus.Error { return i.Activate(0, 0) }

// Scroll hears the wheel.
func (i *item) Scroll(int32, string) *dbus.Error { return nil }

// ProvideXdgActivationToken is told before a press, by desktops where a window may not come to the front by itself.
func (i *item) ProvideXdgActivationToken(token string) *dbus.Error {
	i.tray.mutex.Lock()
	defer i.tray.mutex.Unlock()
	if len(token) <= longest {
		i.tray.token = token
	}
	return nil
}

// tip is a tool tip as the bus has it.
type tip struct {
	Icon    string
	Pixmaps []pixmap
	Title   string
	Text    string
}

func status(s TrayState) string {
	if s.Unread > 0 {
		return "NeedsAttention"
	}
	return "Active"
}

func (t *Tray) itemProperties() map[string]dbus.Variant {
	t.mutex.Lock()
	s := t.state
	t.mutex.Unlock()
	drawn := t.icons.quiet
	if s.Unread > 0 { // not every desktop looks at the second icon
		drawn = t.icons.unread
	}
	out := map[string]dbus.Variant{}
	for name, value := range map[string]any{
		"Category": "Communications", "Id": t.options.ID, "Title": t.options.Program, "Status": status(s), "WindowId": int32(0),
		"IconName": "", "IconPixmap": drawn, "OverlayIconName": "", "OverlayIconPixmap": []pixmap{},
		"AttentionIconName": "", "AttentionIconPixmap": t.icons.unread, "AttentionMovieName": "", "IconThemePath": "",
		"ToolTip": tip{Pixmaps: []pixmap{}, Title: t.options.Program, Text: oneLine(s.Tip)}, "ItemIsMenu": false, "Menu": menuPath,
	} {
		out[name] = dbus.MakeVariant(value)
	}
	return out
}

// properties answers for what can be read of an object; nothing can be written.
type properties struct {
	of map[string]func() map[string]dbus.Variant // by interface
}

// GetAll is org.freedesktop.DBus.Properties.GetAll.
func (p *properties) GetAll(face string) (map[string]dbus.Variant, *dbus.Error) {
	if all, ok := p.of[face]; ok {
		return all(), nil
	}
	return map[string]dbus.Variant{}, nil
}

// Get is org.freedesktop.DBus.Properties.Get.
func (p *properties) Get(face, property string) (dbus.Variant, *dbus.Error) {
	all, _ := p.GetAll(face)
	if value, ok := all[property]; ok {
		return value, nil
	}
	return dbus.Variant{}, dbus.NewError("org.freedesktop.DBus.Error.UnknownProperty", []any{"there is no property " + property})
}

// Set is org.freedesktop.DBus.Properties.Set.
func (p *properties) Set(string, string, dbus.Variant) *dbus.Error {
	return dbus.NewError("org.freedesktop.DBus.Error.PropertyReadOnly", []any{"it can't be written"})
}
