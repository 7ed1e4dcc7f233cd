package app

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var first = remembered{Width: firstWidth, Height: firstHeight, Zoom: 1, Address: "/"}

func TestRecall(t *testing.T) {
	tests := []struct {
		name, file string
		want       remembered
		fails      bool
	}{
		{"first start", "", first, false},
		{
			"whole", `{"width":900,"height":700,"x":-50,"y":20,"placed":true,"maximised":true,"zoom":1.5,"address":"/c/backend?a=b#m","background":"#101010"}`,
			remembered{Width: 900, Height: 700, X: -50, Y: 20, Placed: true, Maximised: true, Zoom: 1.5, Address: "/c/backend?a=b#m", Background: "#101010"}, false,
		},
		{"fields of another version", `{"width":900,"height":700,"tabs":[1]}`, remembered{Width: 900, Height: 700, Zoom: 1, Address: "/"}, false},
		{"no JSON", "\x00\x00\x00", first, true},
		{"cut off", `{"width":900,"hei`, first, true},
		{"another kind of value", `{"width":"wide"}`, first, true},
		{"too large", `{"width":900,"height":700,"address":"/` + strings.Repeat("a", largestRemembered) + `"}`, first, true},
		{"too small a window", `{"width":10,"height":10}`, first, false},
		{"too large a window", `{"width":9000000,"height":700}`, first, false},
		{"far away", `{"width":900,"height":700,"x":1000000,"placed":true}`, remembered{Width: 900, Height: 700, Zoom: 1, Address: "/"}, false},
		{"zoom out of reach", `{"zoom":40}`, first, false},
		{"address of another host", `{"address":"//example.com/"}`, first, false},
		{"no colour", `{"background":"url(x)"}`, first, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if tt.file != "" {
				if err := os.WriteFile(filepath.Join(dir, rememberedName), []byte(tt.file), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			got, err := recall(dir)
			if got != tt.want || (err != nil) != tt.fails {
				t.Errorf("recall = %+v, %v; want %+v, failing %v", got, err, tt.want, tt.fails)
			}
		})
	}
}

func TestKeep(t *testing.T) {
	dir := t.TempDir()
	for _, want := range []remembered{first, {Width: 800, Height: 600, X: 3, Y: 4, Placed: true, Zoom: 0.8, Address: "/c/a", Background: "#ffffff"}} {
		if err := want.keep(dir); err != nil {
			t.Fatal(err)
		}
		if got, err := recall(dir); err != nil || got != want {
			t.Errorf("kept %+v, and recalled %+v, %v", want, got, err)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("the folder holds %v (%v), want window.json alone", entries, err)
	}
	if info, err := os.Stat(filepath.Join(dir, rememberedName)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("window.json: %v, %v", info.Mode(), err)
	}
	// What can't be replaced is left as it was, and nothing lies about.
	blocked := t.TempDir()
	if err := os.MkdirAll(filepath.Join(blocked, rememberedName, "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := first.keep(blocked); err == nil {
		t.Error("a folder was replaced")
	}
	if entries, err := os.ReadDir(blocked); err != nil || len(entries) != 1 {
		t.Errorf("the folder holds %v (%v)", entries, err)
	}
	if err := first.keep(filepath.Join(dir, "gone")); err == nil {
		t.Error("kept in a folder that is not there")
	}
}

func TestFit(t *testing.T) {
	left, right := rect{0, 0, 1920, 1080}, rect{1920, 0, 1280, 1024}
	tests := []struct {
		name     string
		was      remembered
		monitors []rect
		want     remembered
	}{
		{"never placed", remembered{Width: 800, Height: 600}, []rect{left}, remembered{Width: 800, Height: 600}},
		{"where it was", at(100, 50, 800, 600), []rect{left, right}, at(100, 50, 800, 600)},
		{"on the second monitor", at(2000, 50, 800, 600), []rect{left, right}, at(2000, 50, 800, 600)},
		{"its monitor is gone", at(2000, 50, 800, 600), []rect{left}, remembered{Width: 800, Height: 600}},
		{"half out at the right", at(1700, 50, 800, 600), []rect{left}, at(1700, 50, 800, 600)},
		{"too little of it is left", at(1850, 50, 800, 600), []rect{left}, remembered{Width: 800, Height: 600}},
		{"its top is above the screen", at(100, -300, 800, 600), []rect{left}, remembered{Width: 800, Height: 600}},
		{"its top is below the screen", at(100, 1075, 800, 600), []rect{left}, remembered{Width: 800, Height: 600}},
		{"a smaller monitor in its place", at(1950, 50, 1800, 1050), []rect{right}, at(1950, 50, 1272, 984)},
		{"over both, more on the right", at(1500, 50, 1600, 1050), []rect{left, right}, at(1500, 50, 1272, 984)},
		{"a monitor below the least size", at(10, 10, 800, 600), []rect{{0, 0, 300, 200}}, at(10, 10, leastWidth, leastHeight)},
		{"monitors unknown", at(5000, 50, 800, 600), nil, at(5000, 50, 800, 600)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.was.fit(tt.monitors); got != tt.want {
				t.Errorf("fit = %+v, want %+v", got, tt.want)
			}
		})
	}
}

func at(x, y, width, height int) remembered {
	return remembered{X: x, Y: y, Width: width, Height: height, Placed: true}
}

func TestIsAddress(t *testing.T) {
	for _, good := range []string{"/", "/c/backend", "/c/백엔드/m/01H?x=1#y", "/c/a%20b", "/apinotes"} {
		if !isAddress(good) {
			t.Errorf("%q is refused", good)
		}
	}
	for _, bad := range []string{
		"", "c/backend", "//example.com", `/\example.com`, "https://example.com/", "javascript:alert(1)", "/c\nx", "/c\x00",
		"/api/events", "/api", "/api?x", "/assets/x.js", "/wails/ipc.js", "/\xff", "/" + strings.Repeat("a", longestAddress),
	} {
		if isAddress(bad) {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestZoomed(t *testing.T) {
	tests := []struct {
		from float64
		step int
		want float64
	}{
		{1, 1, 1.1}, {1, -1, 0.9}, {1.5, 0, 1}, {3, 1, 3}, {0.5, -1, 0.5}, {1.05, 1, 1.1}, {1.05, -1, 1},
	}
	for _, tt := range tests {
		if got := zoomed(tt.from, tt.step); got != tt.want {
			t.Errorf("zoomed(%v, %d) = %v, want %v", tt.from, tt.step, got, tt.want)
		}
	}
}

func TestHexColour(t *testing.T) {
	for css, want := range map[string]string{
		"rgb(255, 0, 16)": "#ff0010", "rgba(1, 2, 3, 1)": "#010203", "rgba(0, 0, 0, 0)": "", "rgba(0, 0, 0, 0.5)": "",
		"rgb(256, 0, 0)": "", "oklch(0.2 0 0)": "", "": "", "red; rgb(1, 2, 3)": "",
	} {
		if got := hexColour(css); got != want {
			t.Errorf("hexColour(%q) = %q, want %q", css, got, want)
		}
	}
}

// Whatever stands in the file, the window opens, at a size that can be used and at an address that is a page.
func FuzzRecall(f *testing.F) {
	f.Add([]byte(`{"width":900,"height":700,"x":1,"y":2,"placed":true,"zoom":1.5,"address":"/c/a","background":"#ffffff"}`))
	f.Add([]byte(`{"width":1e9,"zoom":1e-300,"address":"\u0000"}`))
	f.Add([]byte("{"))
	f.Fuzz(func(t *testing.T, file []byte) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, rememberedName), file, 0o600); err != nil {
			t.Fatal(err)
		}
		r, _ := recall(dir)
		r = r.fit([]rect{{0, 0, 1920, 1080}})
		if r.Width < leastWidth || r.Height < leastHeight || r.Width > 1920 || r.Height > 1080 {
			t.Errorf("size %d by %d", r.Width, r.Height)
		}
		if !isAddress(r.Address) || r.Zoom < zooms[0] || r.Zoom > zooms[len(zooms)-1] {
			t.Errorf("address %q, zoom %v", r.Address, r.Zoom)
		}
		if _, err := json.Marshal(r); err != nil {
			t.Errorf("can't be kept: %v", err)
		}
	})
}
