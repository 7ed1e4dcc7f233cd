package rehearsal

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"time"

	"hearth/backend/plain"
)

//go:embed page.html
var pageText string

// page is read once; it is part of the binary.
var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"grouped": plain.Grouped[int], "rounded": func(x float64) string { return plain.Grouped(int(math.Round(x))) }, "cell": cell,
	"warmChart": warmChart, "turnsChart": turnsChart, "coldChart": coldChart, "counted": plain.Count,
	"next": func(n int) int { return n + 1 },
}).Parse(pageText))

// HTML writes the report as one page that needs nothing beside itself: no script,
// no picture, no font from anywhere. at is when it was made.
func (r Report) HTML(w io.Writer, at time.Time) error {
	window, hearth := r.Ratios()
	whole, of := r.Goal()
	data := struct {
		Report
		At                   string
		Rows                 []row
		Table                [][]string
		Groups               []group
		Moves                []move
		WindowRatio          string
		HearthRatio          string
		UnstableTimes        string
		Whole, Of            int
		Sizes                struct{ Tools, System, Own, Client int }
		MissTokens, TurnSpan int
	}{
		Report: r, At: at.Format("2 January 2006, 15:04 MST"), Rows: r.rows(), Table: r.table(), Groups: r.groups(), Moves: r.moves(),
		WindowRatio: fmt.Sprintf("%.2f", window), HearthRatio: fmt.Sprintf("%.2f", hearth), Whole: whole, Of: of,
		MissTokens: r.Miss.Documented - r.Miss.Read,
	}
	if h := r.Strategies.Hearth; len(h.Turns) > 0 {
		data.Sizes.Tools, data.Sizes.System, data.Sizes.Own = h.Sizes.Tools, h.Sizes.System, h.Turns[0].Own
		data.Sizes.Client = h.Sizes.Messages - h.Turns[0].Own
		data.TurnSpan = len(h.Turns)
	}
	if h := r.Strategies.Hearth.UncachedPerWarmTurn; h > 0 {
		data.UnstableTimes = fmt.Sprintf("%.0f", r.Strategies.Unstable.UncachedPerWarmTurn/h)
	}
	if err := page.Execute(w, data); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}
