package main

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"
)

// A shape is a closed outline filled with one colour.
type shape struct {
	fill    color.NRGBA
	outline []segment
}

// A segment leads from where the one before it ended to its last point: a jump (M), a line (L) or a cubic curve (C).
type segment struct {
	kind   byte
	points []point
}

type point struct{ x, y float64 }

func move(x, y float64) segment { return segment{'M', []point{{x, y}}} }
func line(x, y float64) segment { return segment{'L', []point{{x, y}}} }
func curve(x1, y1, x2, y2, x, y float64) segment {
	return segment{'C', []point{{x1, y1}, {x2, y2}, {x, y}}}
}

// polygon is an outline of straight lines; its last point leads back to its first.
type polygon []point

// flatten makes an outline of straight lines, enlarged by scale.
func (s shape) flatten(scale float64) polygon {
	const steps = 48 // a curve's share of an icon 1,024 pixels wide is then some 10 pixels a step
	var out polygon
	var at point
	for _, seg := range s.outline {
		end := seg.points[len(seg.points)-1]
		if seg.kind == 'C' {
			for i := 1; i < steps; i++ {
				t := float64(i) / steps
				u := 1 - t
				a, b, c, d := u*u*u, 3*u*u*t, 3*u*t*t, t*t*t
				out = append(out, point{
					(a*at.x + b*seg.points[0].x + c*seg.points[1].x + d*end.x) * scale,
					(a*at.y + b*seg.points[0].y + c*seg.points[1].y + d*end.y) * scale,
				})
			}
		}
		out = append(out, point{end.x * scale, end.y * scale})
		at = end
	}
	return out
}

// spans calls fill for each run of pixels, from the first to before the second, that the line at height y has inside.
func (p polygon) spans(y float64, fill func(from, to int)) {
	var crossings []float64
	for i, a := range p {
		b := p[(i+1)%len(p)]
		if (a.y <= y) != (b.y <= y) {
			crossings = append(crossings, a.x+(y-a.y)/(b.y-a.y)*(b.x-a.x))
		}
	}
	slices.Sort(crossings)
	for i := 0; i+1 < len(crossings); i += 2 {
		fill(int(math.Round(crossings[i])), int(math.Round(crossings[i+1])))
	}
}

// svg writes shapes as a document.
func svg(shapes []shape) []byte {
	var out strings.Builder
	fmt.Fprintf(&out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\">\n", side, side)
	for _, s := range shapes {
		fmt.Fprintf(&out, "  <path fill=\"#%02x%02x%02x\" d=\"", s.fill.R, s.fill.G, s.fill.B)
		for _, seg := range s.outline {
			out.WriteByte(seg.kind)
			for i, p := range seg.points {
				if i > 0 {
					out.WriteByte(' ')
				}
				fmt.Fprintf(&out, "%g %g", p.x, p.y)
			}
		}
		out.WriteString("z\"/>\n")
	}
	out.WriteString("</svg>\n")
	return []byte(out.String())
}
