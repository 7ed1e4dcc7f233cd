package app

import (
	"errors"
	"log/slog"
	"net/http"
)

// ErrNoDisplay says that there is nothing to show a window on: no display that can be reached, or a build without a
// window. Serve the page to a browser then.
var ErrNoDisplay = errors.New("there is no display to open a window on")

// Options is what a window is given.
type Options struct {
	// Handler answers every request of the page. It is called in process and trusts its caller. The context of a request
	// ends with the window, and for what the page reads as a stream also when the page goes.
	Handler http.Handler
	// DataDir is the folder of window.json and of the socket. It must be there, and this process must hold its lock.
	DataDir string
	// Title stands in the title bar; "" is Hearth.
	Title string
	// Version is what the page is told, in window.hearth.version.
	Version string
	// Log takes what goes wrong; nil is nowhere.
	Log *slog.Logger
	// Mention says that the window comes up with the dialog in which to write to an agent.
	Mention bool
	// Busy is how many agents are at work. When there are any, closing asks. nil is none. It is called from any goroutine.
	Busy func() int
	// OnQuit hears what the person decided, before it happens: to go on in the background (the window is hidden, and Run
	// goes on; by an answer or by their setting), or to quit (Run returns). It is called once a decision, from any goroutine, and must not block. nil is nobody.
	OnQuit func(background bool)
}
