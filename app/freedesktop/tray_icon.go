package freedesktop

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
)

// widths are those that trays ask for, in pixels; a desktop takes the one that fits best.
var widths = []int{22, 24, 32, 48, 64}

// mark is the colour of the dot that says that something is to be read.
var mark = color.NRGBA{0xd9, 0x2d, 0x20, 0xff}

// pixmap is a picture as the bus has it: four bytes a pixel (alpha, red, green, blue), not multiplied, row by row.
type pixmap struct {
	Width, Height int32
	Pixels        []byte
}

// icons are the icon in each width: as it is, and with the dot.
type icons struct{ quiet, unread []pixmap }

// drawIcons makes them of a PNG.
func drawIcons(text []byte) (icons, error) {
	whole, err := png.Decode(bytes.NewReader(text))
	if err != nil {
		return icons{}, err
	}
	var out icons
	for _, width := range widths {
		small := shrunk(whole, width)
		out.quiet = append(out.quiet, pixels(small))
		dot(small)
		out.unread = append(out.unread, pixels(small))
	}
	return out, nil
}

// shrunk is a picture in another width, which is its height too: each pixel is the mean of those that it stands for.
func shrunk(from image.Image, width int) *image.NRGBA {
	out, size := image.NewNRGBA(image.Rect(0, 0, width, width)), from.Bounds()
	at := func(i, length int) int { return i * length / width }
	for y := range width {
		for x := range width {
			var r, g, b, a, n uint32
			for sy := at(y, size.Dy()); sy < max(at(y+1, size.Dy()), at(y, size.Dy())+1); sy++ {
				for sx := at(x, size.Dx()); sx < max(at(x+1, size.Dx()), at(x, size.Dx())+1); sx++ {
					pr, pg, pb, pa := from.At(size.Min.X+sx, size.Min.Y+sy).RGBA()
					r, g, b, a, n = r+pr>>8, g+pg>>8, b+pb>>8, a+pa>>8, n+1
				}
			}
			out.Set(x, y, color.RGBA{uint8(r / n), uint8(g / n), uint8(b / n), uint8(a / n)}) //nolint:gosec // means of bytes
		}
	}
	return out
}

// dot draws the mark into the lower right corner, with a clear ring around it.
func dot(on *image.NRGBA) {
	width := float64(on.Bounds().Dx())
	radius := width * 0.22
	centre, ring := width-radius-0.5, radius+width*0.06
	for y := range on.Bounds().Dy() {
		for x := range on.Bounds().Dx() {
			dx, dy := float64(x)+0.5-centre, float64(y)+0.5-centre
			switch distance := dx*dx + dy*dy; {
			case distance <= radius*radius:
				on.SetNRGBA(x, y, mark)
			case distance <= ring*ring:
				on.SetNRGBA(x, y, color.NRGBA{})
			}
		}
	}
}

func pixels(from *image.NRGBA) pixmap {
	size := from.Bounds()
	out := pixmap{int32(size.Dx()), int32(size.Dy()), make([]byte, 0, 4*size.Dx()*size.Dy())} //nolint:gosec // a width of widths
	for i := 0; i < len(from.Pix); i += 4 {
		p := from.Pix[i : i+4]
		out.Pixels = append(out.Pixels, p[3], p[0], p[1], p[2])
	}
	return out
}
