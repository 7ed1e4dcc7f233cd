// Package freedesktop speaks with the desktop of a person on Linux over the session bus: notifications.
//
//   - A notice is one notification. One with the same tag takes the place of the one before. A click on it, or on its button,
//     leads to its address.
//   - What stands in a notice was written by others. It is data: where the desktop reads markup, it is escaped.
//   - Whether a notice makes a sound or is seen at all is the desktop's: it is of usual urgency, so that "do not disturb" holds.
//   - Nothing here is needed. Without a bus, or where nothing shows notifications, it says so ([ErrNone]) and nothing happens; the
//     bus is tried again with the next one. No bus is ever started to have one.
package freedesktop
