// Package app is the window: Hearth's page in a web view of the system, with what only a desktop has around it.
//
// # Words
//
//   - The window is the one window of this process. It is built in with the build tag "desktop"; a build without it has
//     the same functions, and no window behind them.
//   - The page is the UI. It is the same page as in a browser and talks to the same http.Handler, which is called in
//     process: its Host is "wails", it has no Origin and needs no token.
//   - The bridge is what the page can ask of the window and of nobody else: window.hearth, made by window.js. It chooses a
//     folder, saves a file, shows a notification, and opens a link outside. In a browser there is no window.hearth.
//   - An address is the path, query and fragment that the page shows. Every view has one.
//   - What is remembered (size, position, zoom, address, background) stands in window.json in the data folder.
//   - To go on in the background is to hide the window: agents work on, and the next start, the tray, or a click on a notification,
//     shows the window again. It is an answer when closing asks, or the rule, by a setting. `hearth quit` ends it.
//   - The tray shows what the page tells of itself (window.hearth.desk), over package freedesktop; on macOS the Dock does.
//   - A mention is a start, or a choice in the tray, that wants the dialog in which to write to an agent. The page is asked to look
//     whether there is one, so that none is lost while the page loads.
//   - A notification is asked for by the page, which decides what to notify of; package freedesktop puts it on the desktop.
//
// # Promises
//
//   - Without a display nothing panics: [Available] looks first, and [Run] answers [ErrNoDisplay].
//   - One window a data folder: a second start finds the first by a socket and raises it ([Raise]).
//   - A window is never closed over the head of agents at work: it asks. Being told to end (the context of Run) asks nobody.
//   - The page never leaves Hearth: links to http, https and mailto open in the browser, everything else opens nowhere.
//   - A child process never holds a response open, whoever starts it: the pipes that the web view reads from are marked
//     close-on-exec before anything else can be forked.
//   - When the page goes, the streams it read are ended; when the window goes, every request is, and Run waits for them.
//   - A panic in the handler ends that request. If the web view's process dies, the page is loaded again where it was.
//   - The page is told to be light or dark as the desktop is.
//   - window.json is written whole or not at all, and a window whose monitor is gone opens on one that is there.
//
// # What it can't do
//
// A web socket and a response that waits for an http.Flusher don't work in the web view; Flush is there and does nothing, since
// every write is passed on. Where a desktop has no tray, Hearth in the background is reached by starting it again.
// On Wayland no program can place its own window, so only the size is remembered there. On macOS the zoom and what
// happens when the web view's process dies are the system's.
package app
