// Package freedesktop speaks with the desktop of a person on Linux over the session bus: notifications, and the icon in the tray.
//
//   - A notice is one notification. One with the same tag takes the place of the one before. A click on it, or on its button,
//     leads to its address.
//   - What stands in a notice was written by others. It is data: where the desktop reads markup, it is escaped.
//   - Whether a notice makes a sound or is seen at all is the desktop's: it is of usual urgency, so that "do not disturb" holds.
//   - The tray is where a desktop keeps the icons of programs that go on without a window. Ours has a menu, and a dot while
//     something is to be read ([Tray]). It is a StatusNotifierItem; docs/decisions/0020-the-tray.md tells why it is ours.
//   - Nothing here is needed. Without a bus, or where nothing shows such things, it says so ([ErrNone]) and nothing happens; the
//     bus is tried again with the next one, and a desktop that begins to keep icons is given ours. No bus is ever started to have
//     one.
package freedesktop
