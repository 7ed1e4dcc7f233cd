package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	rememberedName = "window.json"
	// largestRemembered bounds what is read back, in bytes; what we write has some hundred.
	largestRemembered = 64 << 10

	// The size of a first window, and the least one that still shows a conversation, in pixels of the desktop.
	firstWidth, firstHeight = 1280, 800
	leastWidth, leastHeight = 360, 320
	// titleHeight and titleWidth say how much of a window's top must be on a monitor for a hand to get hold of it.
	titleHeight, titleWidth = 40, 120
	// frameWidth and frameHeight are room for what the desktop draws around a window.
	frameWidth, frameHeight = 8, 40

	// longestAddress bounds the address that is opened at the next start, in bytes.
	longestAddress = 2048
)

// zooms are the steps of the zoom, as browsers have them.
var zooms = []float64{0.5, 0.67, 0.75, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3}

// zoomed is the next step up or down from a zoom, or with 0 the usual size.
func zoomed(zoom float64, step int) float64 {
	const same = 0.001
	switch {
	case step > 0:
		for _, z := range zooms {
			if z > zoom+same {
				return z
			}
		}
		return zooms[len(zooms)-1]
	case step < 0:
		for _, z := range slices.Backward(zooms) {
			if z < zoom-same {
				return z
			}
		}
		return zooms[0]
	}
	return 1
}

// rect is an area of the desktop, in its pixels.
type rect struct{ X, Y, Width, Height int }

// remembered is what a window is like, from one start to the next.
type remembered struct {
	Width  int `json:"width"`
	Height int `json:"height"`
	// X and Y are the outer top left corner; they count only when Placed.
	X      int  `json:"x"`
	Y      int  `json:"y"`
	Placed bool `json:"placed"`
	// A window that fills the screen keeps the size and position that it goes back to.
	Maximised  bool `json:"maximised"`
	Fullscreen bool `json:"fullscreen"`

	Zoom       float64 `json:"zoom"`
	Address    string  `json:"address"`
	Background string  `json:"background"` // "#rrggbb": what shows until the page does

	// GoesOn: closing the window leaves Hearth going on in the background.
	GoesOn bool `json:"goes_on"`
	// KnowsBackground: the person was told what it means to go on in the background.
	KnowsBackground bool `json:"knows_background"`
}

// recall reads what is remembered. It always answers something sensible; the error says why that is not what was kept,
// and is nil for a first start.
func recall(dataDir string) (remembered, error) {
	var r remembered
	err := read(filepath.Join(dataDir, rememberedName), &r)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		err = fmt.Errorf("read what the window was like: %w", err)
		r = remembered{}
	}
	return r.sane(), err
}

func read(path string, into *remembered) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() || info.Size() > largestRemembered {
		return fmt.Errorf("%s is no file of ours", path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// keep writes what is remembered, whole or not at all.
func (r remembered) keep(dataDir string) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("keep what the window is like: %w", err)
		}
	}()
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(dataDir, rememberedName+".*") // only we can read it
	if err != nil {
		return err
	}
	_, err = file.Write(append(text, '\n'))
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), filepath.Join(dataDir, rememberedName))
	}
	if err != nil {
		err = errors.Join(err, os.Remove(file.Name()))
	}
	return err
}

// sane puts usual values in the place of impossible ones.
func (r remembered) sane() remembered {
	const far = 1 << 16 // no desktop is as large: X11 counts in 16 bits
	if r.Width < leastWidth || r.Height < leastHeight || r.Width > far || r.Height > far {
		r.Width, r.Height = firstWidth, firstHeight
	}
	if r.X < -far || r.X > far || r.Y < -far || r.Y > far {
		r.X, r.Y, r.Placed = 0, 0, false
	}
	if !(r.Zoom >= zooms[0] && r.Zoom <= zooms[len(zooms)-1]) {
		r.Zoom = 1
	}
	if !isAddress(r.Address) {
		r.Address = "/"
	}
	if !colour.MatchString(r.Background) {
		r.Background = ""
	}
	return r
}

var colour = regexp.MustCompile(`^#[0-9a-f]{6}$`)

// isAddress says whether the page can be opened at an address: a path of its own, with query and fragment.
func isAddress(s string) bool {
	if len(s) > longestAddress || !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) || strings.Contains(s, `\`) {
		return false
	}
	if !strings.HasPrefix(s, "/") || strings.HasPrefix(s, "//") { // two would begin with a host
		return false
	}
	path, _, _ := strings.Cut(s, "?")
	path, _, _ = strings.Cut(path, "#")
	for _, other := range []string{"/api", "/assets", "/wails"} { // these are no views
		if path == other || strings.HasPrefix(path, other+"/") {
			return false
		}
	}
	return true
}

// fit brings a window onto the monitors there are: its position counts only while its top can be got hold of, and it is
// no larger than the monitor it is on, with its frame. Without monitors (they can't be asked) it stays as it is.
func (r remembered) fit(monitors []rect) remembered {
	if len(monitors) == 0 {
		return r
	}
	on, seen := monitors[0], 0
	for _, m := range monitors {
		top := rect{r.X, r.Y, r.Width, titleHeight}
		if w, h := overlap(top, m); r.Placed && h >= titleHeight/2 && w >= titleWidth && w > seen {
			on, seen = m, w
		}
	}
	r.Width = max(min(r.Width, on.Width-frameWidth), leastWidth)
	r.Height = max(min(r.Height, on.Height-frameHeight), leastHeight)
	if seen == 0 {
		r.X, r.Y, r.Placed = 0, 0, false
	}
	return r
}

// overlap is the width and height that two areas share.
func overlap(a, b rect) (width, height int) {
	width = min(a.X+a.Width, b.X+b.Width) - max(a.X, b.X)
	height = min(a.Y+a.Height, b.Y+b.Height) - max(a.Y, b.Y)
	return max(width, 0), max(height, 0)
}

var painted = regexp.MustCompile(`^rgba?\((\d{1,3}), (\d{1,3}), (\d{1,3})(?:, ([0-9.]+))?\)$`)

// hexColour turns a computed CSS colour into "#rrggbb"; "" for one that is see-through or is written in another way.
func hexColour(css string) string {
	m := painted.FindStringSubmatch(css)
	if m == nil {
		return ""
	}
	if opacity := m[4]; opacity != "" && opacity != "1" {
		return ""
	}
	out := "#"
	for _, part := range m[1:4] {
		var n int
		if _, err := fmt.Sscan(part, &n); err != nil || n > 255 {
			return ""
		}
		out += fmt.Sprintf("%02x", n)
	}
	return out
}
