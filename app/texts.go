//go:build desktop || bindings

package app

import "fmt"

// What the window says by itself, in one place. The page has its own catalogue.
const (
	quitAndStop    = "Quit and stop them"
	quitAndStopOne = "Quit and stop it"
	goOn           = "Go on in the background"
	cancel         = "Cancel"

	chooseFolderTitle = "Choose a folder"
	saveFileTitle     = "Save"

	openNotice = "Open"

	brokenPage = "The page broke off three times within a minute. Close the window and start Hearth again; the log says more."
)

// question is what closing asks while agents are at work.
type question struct{ text, detail, quit, goOn, cancel string }

func closing(busy int) question {
	q := question{
		text:   "One agent is at work.",
		detail: "Quitting stops it where it is. In the background it goes on: starting Hearth again brings the window back, and so does a click on a notification.",
		quit:   quitAndStopOne, goOn: goOn, cancel: cancel,
	}
	if busy > 1 {
		q.text = fmt.Sprintf("%d agents are at work.", busy)
		q.detail = "Quitting stops them where they are. In the background they go on: starting Hearth again brings the window back, and so does a click on a notification."
		q.quit = quitAndStop
	}
	return q
}
