package rehearsal

import (
	"fmt"
	"html/template"
	"math"
	"strings"

	"hearth/backend/plain"
)

// The charts are inline SVG, drawn here: shapes get their colours from the page's
// style sheet, by class. Every chart has its figures in a table beside it, so it is
// one picture with one name to a screen reader.

// drawing is an SVG that is being written.
type drawing struct{ strings.Builder }

func (d *drawing) add(format string, args ...any) { fmt.Fprintf(d, format+"\n", args...) }

// text writes a label; anchor is start, middle or end.
func (d *drawing) text(x, y float64, class, anchor, label string) {
	d.add(`<text x="%s" y="%s" class="%s" text-anchor="%s">%s</text>`, number(x), number(y), class, anchor, template.HTMLEscapeString(label))
}

// bar writes a rectangle, and what it says under the pointer.
func (d *drawing) bar(x, y, w, h float64, class, says string) {
	d.add(`<rect x="%s" y="%s" width="%s" height="%s" class="%s"><title>%s</title></rect>`,
		number(x), number(y), number(max(0, w)), number(h), class, template.HTMLEscapeString(says))
}

// done is the whole picture.
func (d *drawing) done(width, height float64, label string) template.HTML {
	return template.HTML(fmt.Sprintf("<svg viewBox=\"0 0 %s %s\" role=\"img\" aria-label=\"%s\">\n%s</svg>", //nolint:gosec // labels are escaped above
		number(width), number(height), template.HTMLEscapeString(label), d.String()))
}

// number writes a coordinate, to a tenth.
func number(x float64) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0")
}

const chartWidth = 760

// warmChart is uncached tokens a warm turn: a bar a strategy. unstable is tens of
// times the others, so its bar is broken off.
func warmChart(rows []row) template.HTML {
	const left, right, height, gap, top = 96, 150, 26, 14, 4
	most := 1.0
	for _, r := range rows {
		if r.Name != "unstable" {
			most = max(most, r.Measured.UncachedPerWarmTurn, r.Simulated.UncachedPerWarmTurn)
		}
	}
	room := float64(chartWidth - left - right)
	var d drawing
	for i, r := range rows {
		y := float64(top + i*(height+gap))
		value := r.Measured.UncachedPerWarmTurn
		class := "base"
		if r.Name == "hearth" {
			class = "ours"
		}
		broken := value > most*1.02
		width := min(value, most) / most * room
		d.text(left-12, y+height/2+5, "name", "end", r.Name)
		says := fmt.Sprintf("%s: %s tokens measured, %s simulated", r.Name, plain.Grouped(int(math.Round(value))), plain.Grouped(int(math.Round(r.Simulated.UncachedPerWarmTurn))))
		d.bar(left, y, max(2, width), height, class, says)
		label := plain.Grouped(int(math.Round(value)))
		if broken {
			x := left + room - 44
			d.add(`<path d="M%s %s l8 -%d h7 l-8 %d z" class="break"/>`, number(x), number(y+height+2), height+4, height+4)
			label += " (cut off)"
		} else {
			x := left + r.Simulated.UncachedPerWarmTurn/most*room
			d.add(`<path d="M%s %s v%d" class="tick"/>`, number(x), number(y-3), height+6)
		}
		d.text(left+width+10, y+height/2+5, "value", "start", label)
	}
	return d.done(chartWidth, float64(top+len(rows)*(height+gap)), "Uncached tokens a warm turn, by strategy")
}

// turnsChart is one small picture a strategy: what each turn's request had, read and
// not read, turn by turn, all to one scale.
func turnsChart(rows []row) template.HTML {
	const columns, gap, height, head, foot = 2, 40, 130, 26, 22
	width := float64(chartWidth-gap) / columns
	most := 1
	for _, r := range rows {
		for _, t := range r.Measured.Turns {
			most = max(most, t.Input)
		}
	}
	scale := ceiling(most)
	const axis = 46
	var d drawing
	for i, r := range rows {
		x := float64(i%columns) * (width + gap)
		y := float64(i/columns) * (head + height + foot + 12)
		d.text(x+axis, y+14, "name", "start", r.Name)
		for _, line := range []float64{0, 0.5, 1} {
			at := y + head + height*(1-line)
			d.add(`<path d="M%s %s H%s" class="%s"/>`, number(x+axis), number(at), number(x+width), map[bool]string{true: "axis", false: "grid"}[line == 0])
			d.text(x+axis-6, at+4, "tick-label", "end", short(int(float64(scale)*line)))
		}
		turns := r.Measured.Turns
		step := (width - axis) / float64(max(1, len(turns)))
		thick := max(1, step*0.72)
		for n, t := range turns {
			at := x + axis + float64(n)*step + (step-thick)/2
			read := float64(t.Read) / float64(scale) * height
			fresh := float64(t.Uncached) / float64(scale) * height
			says := fmt.Sprintf("%s, turn %d: %s read from the cache, %s not", r.Name, n+1, plain.Grouped(t.Read), plain.Grouped(t.Uncached))
			if read > 0 {
				d.bar(at, y+head+height-read, thick, read, "read", says)
			}
			d.bar(at, y+head+height-read-max(1, fresh), thick, max(1, fresh), "fresh", says)
		}
		d.text(x+axis, y+head+height+16, "tick-label", "start", "turn 1")
		d.text(x+width, y+head+height+16, "tick-label", "end", fmt.Sprint(len(turns)))
	}
	lines := (len(rows) + columns - 1) / columns
	return d.done(chartWidth, float64(lines*(head+height+foot+12)-12), "Input tokens of each turn's request, read from the cache and not, by strategy")
}

// coldChart is how much of tools and system each new process read: two bars a case.
func coldChart(g group) template.HTML {
	const left, right, bar, between, gap, top = 268, 128, 10, 4, 14, 28
	room := float64(chartWidth - left - right)
	var d drawing
	d.text(left, 14, "tick-label", "start", "sections moved out, as Hearth does")
	d.text(left+232, 14, "tick-label", "start", "left in")
	d.bar(left-14, 6, 9, 9, "ours", "sections moved out")
	d.bar(left+218, 6, 9, 9, "base", "sections left in")
	y := float64(top)
	for _, r := range g.Rows {
		class := "label"
		if r.Expected != "" {
			class = "label soft"
		}
		bars := 0
		for _, c := range []*ColdStart{r.Out, r.In} {
			if c == nil {
				continue
			}
			at := y + float64(bars)*(bar+between)
			kind := "ours"
			if c.Dynamic {
				kind = "base"
			}
			says := fmt.Sprintf("%s, %s: %s", r.Title, sections(c.Dynamic), cell(c))
			d.bar(left, at, room, bar, "track", says)
			if c.PrefixRead() > 0 {
				d.bar(left, at, float64(c.PrefixRead())/float64(c.Prefix())*room, bar, kind, says)
			}
			d.text(left+room+8, at+bar-1, "small", "start", cell(c))
			bars++
		}
		if bars == 0 {
			continue
		}
		height := float64(bars*(bar+between) - between)
		d.text(left-12, y+height/2+4, class, "end", r.Title)
		y += height + gap
	}
	return d.done(chartWidth, y, "How much of tools and system a new process reads from the cache, by what was different")
}

// ceiling is a round number at or above n, with one digit or a half behind it.
func ceiling(n int) int {
	unit := int(math.Pow10(len(fmt.Sprint(n)) - 1))
	for _, step := range []float64{1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10} {
		if top := int(step * float64(unit)); top >= n {
			return top
		}
	}
	return 10 * unit
}

// short writes thousands: 12k.
func short(n int) string {
	if n >= 1000 {
		return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/1000), ".0") + "k"
	}
	return fmt.Sprint(n)
}
