package sim

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"hearth/backend/delivery"
	"hearth/backend/plain"
)

// The figures of docs/simulation.md are those that come out.
func TestDocs(t *testing.T) {
	raw, err := os.ReadFile("../../docs/simulation.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(raw)
	seed := uint64(1)
	c := Generate(seed)
	r := mustRun(t, c, Options{})
	r.Seed = &seed
	s, evicted := r.Strategies, mustRun(t, c, Options{EvictAt: 15}).Strategies
	row := func(format string, value func(Costs) any) string {
		cells := make([]string, 0, 3)
		for _, costs := range []Costs{s.Window, s.Watermark, s.Unstable} {
			cells = append(cells, fmt.Sprintf(format, value(costs)))
		}
		return "| ours | " + strings.Join(cells, " | ") + " |"
	}
	wanted := []string{
		"```\n" + r.Text() + "```\n",
		row("%s", func(c Costs) any { return plain.Grouped(c.InputTokens) }),
		row("%.3f", func(c Costs) any { return c.CacheableRatio }),
		row("%s", func(c Costs) any { return plain.Grouped(int64(c.UncachedPerWarmTurn + 0.5)) }),
		row("%s", func(c Costs) any { return plain.Grouped(c.ContextTokens) }),
		fmt.Sprintf("Window over watermark is %.2f,", s.Window.UncachedPerWarmTurn/s.Watermark.UncachedPerWarmTurn),
		fmt.Sprintf("it takes %.2f (", s.Hearth.UncachedPerWarmTurn/s.Watermark.UncachedPerWarmTurn),
		fmt.Sprintf("of ours %.2f and %.2f.", float64(evicted.Watermark.InputTokens)/float64(s.Watermark.InputTokens), float64(evicted.Window.InputTokens)/float64(s.Window.InputTokens)),
	}
	before := s.Watermark.UncachedPerWarmTurn
	wanted = append(wanted, fmt.Sprintf("| watermark | %.0f | |", before))
	for _, step := range []struct {
		name string
		strategy
	}{
		{"the brief is told once", strategy{remembers: true, without: published}},
		{"no echo: what was asked and replied is not shown again", strategy{remembers: true, without: delivery.Without{Omitted: true, Quoting: true}}},
		{"what is left out is named", strategy{remembers: true, without: delivery.Without{Quoting: true}}},
		{"continued lines are marked", hearth},
	} {
		g, err := newGame(c, Options{})
		if err != nil {
			t.Fatal(err)
		}
		costs, err := g.play(t.Context(), step.strategy, nil)
		if err != nil {
			t.Fatal(err)
		}
		wanted = append(wanted, fmt.Sprintf("| %s | %.0f | %+.0f |", step.name, costs.UncachedPerWarmTurn, costs.UncachedPerWarmTurn-before))
		before = costs.UncachedPerWarmTurn
	}
	for _, text := range wanted {
		if !strings.Contains(page, text) {
			t.Errorf("docs/simulation.md does not say:\n%s", text)
		}
	}
}
