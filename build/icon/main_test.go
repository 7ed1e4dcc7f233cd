package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"testing"
)

const root = "../../"

// What is committed is what the drawing says.
func TestFilesAreOfTheDrawing(t *testing.T) {
	const hicolor = root + "build/linux/hicolor/"
	text, err := os.ReadFile(hicolor + "scalable/apps/hearth.svg")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text, svg(drawing)) {
		t.Error("hearth.svg is of another drawing: go run ./build/icon")
	}
	for _, width := range []int{16, 24, 32, 48, 64, 128, 256, 512} {
		data, err := os.ReadFile(fmt.Sprintf("%s%dx%d/apps/hearth.png", hicolor, width, width))
		if err != nil {
			t.Fatal(err)
		}
		same(t, fmt.Sprintf("the icon of %d pixels", width), data, width)
	}
	data, err := os.ReadFile(root + "app/icon.png")
	if err != nil {
		t.Fatal(err)
	}
	same(t, "the window's icon", data, 128)

	bundle, err := os.ReadFile(root + "build/darwin/hearth.icns")
	if err != nil {
		t.Fatal(err)
	}
	kind, body, rest := cut(t, bundle)
	if kind != "icns" || len(rest) > 0 {
		t.Fatalf("hearth.icns is a %q with %d bytes after it", kind, len(rest))
	}
	for _, entry := range icns {
		var picture []byte
		if kind, picture, body = cut(t, body); kind != entry.kind {
			t.Fatalf("hearth.icns holds %s, want %s", kind, entry.kind)
		}
		same(t, "hearth.icns "+kind, picture, entry.width)
	}
	if len(body) > 0 {
		t.Errorf("hearth.icns holds %d bytes more", len(body))
	}
}

// same compares pixels: how a PNG is packed may change with the Go release.
func same(t *testing.T, name string, data []byte, width int) {
	t.Helper()
	got, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	want := render(drawing, width)
	if got.Bounds() != want.Bounds() {
		t.Errorf("%s is %v, want %v", name, got.Bounds(), want.Bounds())
		return
	}
	for y := range width {
		for x := range width {
			if color.NRGBAModel.Convert(got.At(x, y)) != want.At(x, y) {
				t.Errorf("%s is of another drawing: go run ./build/icon", name)
				return
			}
		}
	}
}

// cut takes one entry of an ICNS apart.
func cut(t *testing.T, data []byte) (kind string, body, rest []byte) {
	t.Helper()
	if len(data) < 8 {
		t.Fatalf("an entry of %d bytes", len(data))
	}
	size := int(binary.BigEndian.Uint32(data[4:]))
	if size < 8 || size > len(data) {
		t.Fatalf("an entry says it has %d of %d bytes", size, len(data))
	}
	return string(data[:4]), data[8:size], data[size:]
}

func TestRender(t *testing.T) {
	red, half := color.NRGBA{255, 0, 0, 255}, color.NRGBA{0, 0, 255, 128}
	square := func(fill color.NRGBA, from, to float64) shape {
		return shape{fill, []segment{move(from, from), line(to, from), line(to, to), line(from, to)}}
	}
	picture := render([]shape{square(red, 16, 48), square(half, 0, 24)}, 8)
	for at, want := range map[image.Point]color.NRGBA{
		{0, 0}: half,               // over nothing
		{2, 2}: {127, 0, 128, 255}, // over red
		{4, 4}: red,
		{7, 7}: {},
	} {
		if got := picture.At(at.X, at.Y); got != want {
			t.Errorf("pixel %v is %v, want %v", at, got, want)
		}
	}
	if _, _, _, a := render([]shape{square(red, 0, 4)}, 8).At(0, 0).RGBA(); a>>8 != 64 {
		t.Errorf("a quarter of a pixel has an alpha of %d, want 64", a>>8)
	}
}
