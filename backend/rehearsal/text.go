package rehearsal

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"hearth/backend/plain"
	"hearth/backend/sim"
)

// row is a strategy in the report's order.
type row struct {
	Name      string
	Measured  Costs
	Simulated sim.Costs
	Names     bool // it names what it leaves out
}

func (r Report) rows() []row {
	return []row{
		{"window", r.Strategies.Window, r.Simulated.Window, false},
		{"watermark", r.Strategies.Watermark, r.Simulated.Watermark, false},
		{"unstable", r.Strategies.Unstable, r.Simulated.Unstable, false},
		{"hearth", r.Strategies.Hearth, r.Simulated.Hearth, true},
	}
}

// Ratios are uncached tokens a warm turn over those of watermark, measured. 0: there
// was no warm turn.
func (r Report) Ratios() (window, hearth float64) {
	w := r.Strategies.Watermark.UncachedPerWarmTurn
	if w == 0 {
		return 0, 0
	}
	return r.Strategies.Window.UncachedPerWarmTurn / w, r.Strategies.Hearth.UncachedPerWarmTurn / w
}

// Goal counts the cold starts that Hearth wants to read their whole prefix: with
// the sections moved out, and nothing changed that has to cost. whole are those that
// did.
func (r Report) Goal() (whole, of int) {
	for _, c := range r.ColdStarts {
		if c.Expected == "" && !c.Dynamic {
			of++
			if c.Whole {
				whole++
			}
		}
	}
	return whole, of
}

// table is the simulation's, measured. The first row is the head.
func (r Report) table() [][]string {
	rows := [][]string{
		{plain.Count(r.Channel.Mentions, "mention", "mentions")}, {"input tokens, all turns"}, {"of them read from the cache"}, {"ratio read"},
		{"uncached tokens a warm turn"}, {"the same, simulated"}, {"added by the client, a warm turn"}, {"context tokens sent"}, {"of them already seen"}, {"rows sent"}, {"rows never shown"}, {"of them named"},
	}
	for _, s := range r.rows() {
		m := s.Measured
		named := "-"
		if s.Names {
			named = plain.Grouped(m.RowsNamed)
		}
		added := plain.Grouped(int(math.Round(m.Added)))
		if s.Name == "unstable" {
			added = "-" // it reads nothing: what is sent again is not what the client adds
		}
		seen := plain.Grouped(int(m.AlreadySeenTokens))
		if m.AlreadySeenTokens > 0 {
			seen = fmt.Sprintf("%s (%.0f%%)", seen, 100*float64(m.AlreadySeenTokens)/float64(m.ContextTokens))
		}
		for i, cell := range []string{
			s.Name, plain.Grouped(int(m.InputTokens)), plain.Grouped(int(m.CacheableTokens)), fmt.Sprintf("%.3f", m.CacheableRatio),
			plain.Grouped(int(math.Round(m.UncachedPerWarmTurn))), plain.Grouped(int(math.Round(s.Simulated.UncachedPerWarmTurn))), added,
			plain.Grouped(int(m.ContextTokens)), seen, plain.Grouped(m.RowsSent), plain.Grouped(m.RowsNeverShown), named,
		} {
			rows[i] = append(rows[i], cell)
		}
	}
	return rows
}

// group is the cold starts of one client.
type group struct {
	Client string
	Rows   []coldRow
}

// coldRow is one case, with the client's dynamic sections moved out and left in.
type coldRow struct {
	Title, Expected string
	Out, In         *ColdStart // nil: not measured
}

func (r Report) groups() []group {
	var groups []group
	at := map[string]int{}
	byCase := map[string]int{}
	for i := range r.ColdStarts {
		c := &r.ColdStarts[i]
		client := c.From
		g, ok := at[client]
		if !ok {
			g = len(groups)
			at[client] = g
			groups = append(groups, group{Client: client})
		}
		key := client + " " + c.Case + " " + c.Client
		n, ok := byCase[key]
		if !ok {
			n = len(groups[g].Rows)
			byCase[key] = n
			groups[g].Rows = append(groups[g].Rows, coldRow{Title: c.Title, Expected: c.Expected})
		}
		if c.Dynamic {
			groups[g].Rows[n].In = c
		} else {
			groups[g].Rows[n].Out = c
		}
	}
	return groups
}

// cell says how much of a prefix was read.
func cell(c *ColdStart) string {
	switch {
	case c == nil:
		return "-"
	case c.Whole:
		return "all " + plain.Grouped(c.Prefix())
	}
	return plain.Grouped(c.PrefixRead()) + " of " + plain.Grouped(c.Prefix())
}

// Text is the report for people.
func (r Report) Text() string {
	var out strings.Builder
	fmt.Fprintf(&out, "Claude Code %s and a stand-in for the model: %s of #%s (generated, seed %d), in each of four ways.\n\n",
		r.Client, plain.Count(r.Channel.Mentions, "mention", "mentions"), r.Channel.Name, r.Seed)
	sim.Align(&out, r.table())
	if window, hearth := r.Ratios(); hearth > 0 {
		fmt.Fprintf(&out, "\nUncached tokens a warm turn: window costs %.2f of watermark, hearth %.2f.\n", window, hearth)
	}
	if r.Miss.Documented > 0 {
		fmt.Fprintf(&out, "If the cache misses as users report it (claude-code#96101), the second turn reads %s tokens and not %s.\n", plain.Grouped(r.Miss.Read), plain.Grouped(r.Miss.Documented))
	}
	for _, g := range r.groups() {
		fmt.Fprintf(&out, "\nCold starts of Claude Code %s: what a new process reads of tools and system.\n\n", g.Client)
		rows := [][]string{{"different from the process before", "sections moved out", "left in"}}
		for _, c := range g.Rows {
			rows = append(rows, []string{c.Title, cell(c.Out), cell(c.In)})
		}
		sim.Align(&out, rows)
	}
	if whole, of := r.Goal(); of > 0 {
		fmt.Fprintf(&out, "\n%d of %d cold starts that should read all of it do.\n", whole, of)
	}
	for _, m := range r.moves() {
		if m.Dynamic {
			continue // it is what Hearth does not do
		}
		fmt.Fprintf(&out, "  %s, %s: %s\n    before  %s\n    after   %s\n", m.Client, strings.Join(m.Titles, "; "), m.Part, m.Before, m.After)
	}
	if len(r.Outside) > 0 {
		fmt.Fprintf(&out, "\nThe client wanted to reach, and was not let: %s.\n", strings.Join(r.Outside, ", "))
	}
	out.WriteString("\nWhat only the real API could show:\n")
	for _, u := range r.Unknown {
		out.WriteString("  - " + u + "\n")
	}
	return out.String()
}

// move is a part of the prefix that differs, and where it did: all of the client's
// cold starts in which it was the first.
type move struct {
	Client, Sections string
	Dynamic          bool
	Titles           []string
	Difference       // of the first of them
}

// moves lists the first difference of each prefix that should have been read whole
// and was not.
func (r Report) moves() []move {
	var all []move
	for _, c := range r.ColdStarts {
		d := c.Moved()
		if c.Expected != "" || c.Whole || d.Part == "" {
			continue
		}
		at := slices.IndexFunc(all, func(m move) bool {
			return m.Client == c.From && m.Dynamic == c.Dynamic && m.Part == d.Part
		})
		if at < 0 {
			all = append(all, move{Client: c.From, Sections: sections(c.Dynamic), Dynamic: c.Dynamic, Difference: d})
			at = len(all) - 1
		}
		all[at].Titles = append(all[at].Titles, c.Title)
	}
	return all
}

func sections(dynamic bool) string {
	if dynamic {
		return "sections left in"
	}
	return "sections moved out"
}
