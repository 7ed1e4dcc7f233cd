//go:build desktop || bindings

package app

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"
	"unicode/utf8"

	wails_runtime "github.com/wailsapp/wails/v2/pkg/runtime"

	"hearth/app/freedesktop"
)

var errDialogOpen = errors.New("another dialog is open: answer that first")

// bridge holds what the page can call. Each method is reached from window.js by its name, and trusts no argument.
type bridge struct {
	window  *window
	painted atomic.Bool
}

// ChooseFolder asks the person for a folder, beginning at start if that is one and at home if not. It returns its absolute
// path, "" when the person cancelled.
func (b *bridge) ChooseFolder(title, start string) (string, error) {
	if !b.window.dialog.TryLock() {
		return "", errDialogOpen
	}
	defer b.window.dialog.Unlock()
	if title == "" {
		title = chooseFolderTitle
	}
	return wails_runtime.OpenDirectoryDialog(b.window.context(), wails_runtime.OpenDialogOptions{
		Title: title, DefaultDirectory: cmp.Or(folder(start), home()), CanCreateDirectories: true,
	})
}

// SaveFile asks the person where to, suggesting the name, and writes the text there. It returns the file's absolute path,
// "" when the person cancelled.
func (b *bridge) SaveFile(title, name, text string) (string, error) {
	if len(text) > longestFile || !utf8.ValidString(text) {
		return "", fmt.Errorf("save a file: it is no text of at most %d MB", longestFile>>20)
	}
	return b.save(title, name, []byte(text))
}

// save asks where to, and writes the bytes there.
func (b *bridge) save(title, name string, content []byte) (string, error) {
	if !b.window.dialog.TryLock() {
		return "", errDialogOpen
	}
	defer b.window.dialog.Unlock()
	if title == "" {
		title = saveFileTitle
	}
	path, err := wails_runtime.SaveFileDialog(b.window.context(), wails_runtime.SaveDialogOptions{
		Title: title, DefaultFilename: fileName(name), DefaultDirectory: home(), CanCreateDirectories: true,
	})
	if err != nil || path == "" {
		return "", err
	}
	// The dialog has asked before a file is overwritten.
	if err := os.WriteFile(path, content, 0o644); err != nil { //nolint:gosec // a file like any other the person saves
		return "", fmt.Errorf("save a file: %w", err)
	}
	return path, nil
}

// SaveDownload asks the person where to, suggesting the name, and writes there what the handler answers to a GET of an API
// path. The bytes never pass through the page. It returns the file's absolute path, "" when the person cancelled.
func (b *bridge) SaveDownload(title, name, path string) (string, error) {
	content, err := b.window.requests.download(b.window.context(), path)
	if err != nil {
		return "", err
	}
	return b.save(title, name, content)
}

// Notify shows a notification; a click on it leads to the address. It reports whether anything on this desktop shows them.
func (b *bridge) Notify(title, body, tag, address string) (bool, error) {
	if !isAddress(address) {
		return false, fmt.Errorf("show a notification: %.200q is no address of the page", address)
	}
	err := b.window.notices.Show(b.window.context(), freedesktop.Notice{Title: title, Body: body, Tag: tag, Address: address})
	if errors.Is(err, freedesktop.ErrNone) {
		return false, nil
	}
	if err != nil {
		b.window.log.Warn("a notification was not shown", "error", err)
	}
	return err == nil, err
}

// OpenExternal opens an http, https or mailto link in the person's browser or mail program.
func (b *bridge) OpenExternal(link string) error {
	return browse(b.window.context(), b.window.environ, link)
}

// Went hears which address the page shows, and on which background, as a CSS colour.
func (b *bridge) Went(address, colour string) {
	w := b.window
	w.mutex.Lock()
	if isAddress(address) {
		w.now.Address = address
	}
	if hex := hexColour(colour); hex != "" {
		w.now.Background = hex
	}
	w.mutex.Unlock()
	w.touch()
}

// begun is when this program began, but for what the system does to load it.
var begun = time.Now()

// Painted hears that the page has shown something, each time it is loaded. The first time is how long a start takes.
func (b *bridge) Painted() {
	if b.painted.CompareAndSwap(false, true) {
		b.window.log.Info("the page is painted", "after", time.Since(begun).Round(time.Millisecond))
	}
}

// home is the person's own folder, "" when there is none: then the dialog chooses.
func home() string {
	dir, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return folder(dir)
}

// folder is a path if a folder is there, "" otherwise.
func folder(path string) string {
	if info, err := os.Stat(path); err != nil || !info.IsDir() || !filepath.IsAbs(path) {
		return ""
	}
	return path
}

// fileName is the last part of what may be a path.
func fileName(name string) string {
	switch name = filepath.Base(name); name {
	case ".", "..", string(filepath.Separator):
		return ""
	}
	return name
}
