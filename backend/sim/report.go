package sim

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"hearth/backend/delivery"
	"hearth/backend/plain"
)

// Report is what came out, as `hearth sim --json` prints it.
type Report struct {
	Channel      Facts      `json:"channel"`
	Seed         *uint64    `json:"seed,omitempty"` // of a generated channel
	Limit        int        `json:"limit"`
	EvictAt      int        `json:"evict_at,omitempty"`
	PrefixTokens int        `json:"prefix_tokens"` // with the framing, without the brief
	BriefTokens  int        `json:"brief_tokens"`
	Strategies   Strategies `json:"strategies"`
}

// Strategies has the costs of each.
type Strategies struct {
	Window    Costs `json:"window"`
	Watermark Costs `json:"watermark"`
	Unstable  Costs `json:"unstable"`
	Hearth    Costs `json:"hearth"`
}

// Costs is what a strategy sent, in all turns together. Tokens are cl100k_base.
type Costs struct {
	InputTokens         int64   `json:"input_tokens"`
	CacheableTokens     int64   `json:"cacheable_tokens"`
	CacheableRatio      float64 `json:"cacheable_ratio"`        // of the input tokens, to four digits
	UncachedPerWarmTurn float64 `json:"uncached_per_warm_turn"` // tokens, to one digit; 0 without a warm turn
	ContextTokens       int64   `json:"context_tokens"`         // of the context blocks, without their headers
	AlreadySeenTokens   int64   `json:"already_seen_tokens"`    // of rows that an earlier turn showed, of whatever session
	RowsSent            int     `json:"rows_sent"`
	RowsNeverShown      int     `json:"rows_never_shown"`
	RowsNamed           int     `json:"rows_named"` // of those never shown: counted in a line that says how to get at them
}

// ratio divides and rounds to some digits behind the point. Nothing by nothing is 0.
func ratio(a, b int64, digits int) float64 {
	if b == 0 {
		return 0
	}
	unit := math.Pow10(digits)
	return math.Round(float64(a)/float64(b)*unit) / unit
}

// Text is the report for people: what was played, the table, and what it comes to.
func (r Report) Text() string {
	var out strings.Builder
	c := r.Channel
	source := ""
	if r.Seed != nil {
		source = fmt.Sprintf(" (generated, seed %d)", *r.Seed)
	}
	fmt.Fprintf(&out, "#%s%s: %s by %s and %s.\n", plain.Inline(c.Name), source,
		plain.Count(c.Rows, "message", "messages"), plain.Count(c.People, "person", "people"), plain.Count(c.Agents, "agent", "agents"))
	fmt.Fprintf(&out, "%s of @%s", plain.Count(c.Mentions, "mention", "mentions"), plain.Handle(c.Agent))
	switch {
	case c.Mentions < 2:
	case c.Gaps.Min == c.Gaps.Max:
		fmt.Fprintf(&out, ", %s apart", plain.Count(c.Gaps.Min, "message", "messages"))
	default:
		fmt.Fprintf(&out, ", %d to %d messages apart (median %g)", c.Gaps.Min, c.Gaps.Max, c.Gaps.Median)
	}
	fmt.Fprintf(&out, "; %s longer than %d characters.\n", plain.Count(c.LongRows, "message", "messages"), delivery.DefaultMaxChars)
	fmt.Fprintf(&out, "The prefix has %s tokens, the brief %s. A turn shows at most %s.", plain.Grouped(r.PrefixTokens), plain.Grouped(r.BriefTokens), plain.Count(r.Limit, "message", "messages"))
	if r.EvictAt > 0 {
		fmt.Fprintf(&out, " A new process answers mention %d.", r.EvictAt)
	}
	out.WriteString("\n\n")
	if c.Older {
		out.WriteString("These are the newest messages of the channel; older ones were left out.\n\n")
	}
	r.table(&out)
	if w := r.Strategies.Watermark.UncachedPerWarmTurn; w > 0 {
		fmt.Fprintf(&out, "\nUncached tokens a warm turn: window costs %.2f of watermark, hearth %.2f.\n",
			r.Strategies.Window.UncachedPerWarmTurn/w, r.Strategies.Hearth.UncachedPerWarmTurn/w)
	}
	return out.String()
}

func (r Report) table(out *strings.Builder) {
	all := []struct {
		name string
		Costs
		names bool // it names what it leaves out
	}{{"window", r.Strategies.Window, false}, {"watermark", r.Strategies.Watermark, false}, {"unstable", r.Strategies.Unstable, false}, {"hearth", r.Strategies.Hearth, true}}
	rows := [][]string{
		{plain.Count(r.Channel.Mentions, "mention", "mentions")}, {"input tokens, all turns"}, {"of them cacheable"}, {"cacheable ratio"},
		{"uncached tokens a warm turn"}, {"context tokens sent"}, {"of them already seen"}, {"rows sent"}, {"rows never shown"}, {"of them named"},
	}
	for _, s := range all {
		named := "-"
		if s.names {
			named = plain.Grouped(s.RowsNamed)
		}
		seen := plain.Grouped(s.AlreadySeenTokens)
		if s.AlreadySeenTokens > 0 {
			seen = fmt.Sprintf("%s (%.0f%%)", seen, 100*float64(s.AlreadySeenTokens)/float64(s.ContextTokens))
		}
		for i, cell := range []string{
			s.name, plain.Grouped(s.InputTokens), plain.Grouped(s.CacheableTokens), fmt.Sprintf("%.3f", s.CacheableRatio),
			plain.Grouped(int64(math.Round(s.UncachedPerWarmTurn))), plain.Grouped(s.ContextTokens), seen,
			plain.Grouped(s.RowsSent), plain.Grouped(s.RowsNeverShown), named,
		} {
			rows[i] = append(rows[i], cell)
		}
	}
	Align(out, rows)
}

// Align writes rows of one length with the first column to the left and the others
// to the right.
func Align(out *strings.Builder, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		fmt.Fprintf(out, "%-*s", widths[0], row[0])
		for i, cell := range row[1:] {
			fmt.Fprintf(out, "  %*s", widths[i+1], cell)
		}
		out.WriteString("\n")
	}
}
