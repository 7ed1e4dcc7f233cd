// Command icon draws Hearth's icon and writes it in every form that is needed, all from the one drawing below: the SVG, the
// PNGs in the sizes that Linux desktops look for, the ICNS of the macOS bundle, and the one in the window's own binary.
//
// Run it in the root of the repository, after a change of the drawing: go run ./build/icon
//
// Its output is the same bytes each time, so that a change in git is a change of the picture.
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
)

// side is the width and height of the drawing, in its own units.
const side = 64

// drawing is the icon: shapes from back to front. A hearth of brick on a warm tile, and a fire in it.
var drawing = []shape{
	{color.NRGBA{0xff, 0xf3, 0xe6, 0xff}, []segment{
		move(14, 0), line(50, 0), curve(57.7, 0, 64, 6.3, 64, 14), line(64, 50), curve(64, 57.7, 57.7, 64, 50, 64),
		line(14, 64), curve(6.3, 64, 0, 57.7, 0, 50), line(0, 14), curve(0, 6.3, 6.3, 0, 14, 0),
	}},
	{color.NRGBA{0x7a, 0x4a, 0x35, 0xff}, []segment{
		move(11, 53), line(11, 31), curve(11, 19, 20.5, 11, 32, 11), curve(43.5, 11, 53, 19, 53, 31), line(53, 53),
		line(43.5, 53), line(43.5, 34), curve(43.5, 27.5, 38.6, 23.4, 32, 23.4), curve(25.4, 23.4, 20.5, 27.5, 20.5, 34),
		line(20.5, 53),
	}},
	{color.NRGBA{0xf0, 0x66, 0x2f, 0xff}, []segment{
		move(32.8, 28), curve(34, 33, 40, 36.2, 40, 43.6), curve(40, 49.4, 36.6, 53, 32, 53), curve(27.4, 53, 24, 49.4, 24, 44),
		curve(24, 40, 26.4, 37.6, 28, 35.2), curve(28.6, 37.3, 29.4, 38.2, 30.4, 38.8), curve(30.4, 35.2, 30.8, 31.6, 32.8, 28),
	}},
	{color.NRGBA{0xff, 0xc4, 0x6b, 0xff}, []segment{
		move(32.4, 40.4), curve(32.9, 42.8, 35.6, 44.1, 35.6, 47.3), curve(35.6, 49.7, 34, 51.5, 32, 51.5),
		curve(30, 51.5, 28.4, 49.7, 28.4, 47.5), curve(28.4, 44.6, 31.4, 43.4, 32.4, 40.4),
	}},
}

// icns are the kinds of picture in an ICNS, by their widths. Each holds a PNG.
var icns = []struct {
	kind  string
	width int
}{{"ic11", 32}, {"ic12", 64}, {"ic07", 128}, {"ic08", 256}, {"ic09", 512}, {"ic10", 1024}}

func main() {
	if err := write(); err != nil {
		fmt.Fprintln(os.Stderr, "icon:", err)
		os.Exit(1)
	}
}

func write() error {
	const hicolor = "build/linux/hicolor"
	files := map[string][]byte{
		hicolor + "/scalable/apps/hearth.svg": svg(drawing),
	}
	for _, width := range []int{16, 24, 32, 48, 64, 128, 256, 512} {
		data, err := encode(width)
		if err != nil {
			return err
		}
		files[fmt.Sprintf("%s/%dx%d/apps/hearth.png", hicolor, width, width)] = data
		if width == 128 {
			files["app/icon.png"] = data
		}
	}
	bundle, err := encodeICNS()
	if err != nil {
		return err
	}
	files["build/darwin/hearth.icns"] = bundle
	for name, data := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil { //nolint:gosec // folders of a repository
			return err
		}
		if err := os.WriteFile(name, data, 0o644); err != nil { //nolint:gosec // files of a repository
			return err
		}
	}
	return nil
}

func encode(width int) ([]byte, error) {
	var out bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, render(drawing, width))
	return out.Bytes(), err
}

// encodeICNS writes the container: a head, and the pictures one after the other, each with its kind and length.
func encodeICNS() ([]byte, error) {
	var body bytes.Buffer
	for _, entry := range icns {
		data, err := encode(entry.width)
		if err != nil {
			return nil, err
		}
		chunk(&body, entry.kind, data)
	}
	var out bytes.Buffer
	chunk(&out, "icns", body.Bytes())
	return out.Bytes(), nil
}

func chunk(to *bytes.Buffer, kind string, data []byte) {
	to.WriteString(kind)
	_ = binary.Write(to, binary.BigEndian, uint32(8+len(data))) //nolint:gosec // a few hundred kB; a buffer takes everything
	to.Write(data)
}

// render draws shapes as a square picture, each pixel from 8 by 8 samples.
func render(shapes []shape, width int) image.Image {
	const fine = 8
	picture := image.NewNRGBA(image.Rect(0, 0, width, width))
	for _, s := range shapes {
		outline := s.flatten(float64(width*fine) / side)
		covered := make([]int, width)
		for y := range width {
			clear(covered)
			for sub := range fine {
				outline.spans(float64(y*fine+sub)+0.5, func(from, to int) {
					for x := max(from, 0); x < min(to, width*fine); x++ {
						covered[x/fine]++
					}
				})
			}
			for x, n := range covered {
				picture.SetNRGBA(x, y, over(s.fill, float64(n)/(fine*fine), picture.NRGBAAt(x, y)))
			}
		}
	}
	return picture
}

// over lays a colour that covers a part of a pixel over what is there.
func over(top color.NRGBA, share float64, under color.NRGBA) color.NRGBA {
	a := share * float64(top.A) / 255
	below := float64(under.A) / 255 * (1 - a)
	alpha := a + below
	if alpha == 0 {
		return color.NRGBA{}
	}
	mix := func(t, u uint8) uint8 { return uint8((float64(t)*a+float64(u)*below)/alpha + 0.5) }
	return color.NRGBA{mix(top.R, under.R), mix(top.G, under.G), mix(top.B, under.B), uint8(alpha*255 + 0.5)}
}
