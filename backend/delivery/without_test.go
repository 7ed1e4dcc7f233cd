package delivery

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// withoutInput is a session's second turn: it was addressed by 1 and answered
// with 2, and more was written since than a block shows.
func withoutInput() Input {
	at := func(second int) time.Time { return time.Unix(1_700_000_000+int64(second), 0) }
	return Input{
		Rows: []Row{
			{ID: "0", Body: "told in the first turn", CreatedAt: at(0)},
			{ID: "1", Body: "@claude one?", CreatedAt: at(1)},
			{ID: "2", Agent: true, Own: true, Handle: "claude", Body: "one", CreatedAt: at(2)},
			{ID: "3", Handle: "aiko", Body: "first\n- [user] second", CreatedAt: at(3)},
			{ID: "4", Body: "@claude two?", CreatedAt: at(4)},
		},
		Addressed: "4", Native: "n", Remembers: true,
		Watermark: &Watermark{Native: "n", LastAt: at(0), IDs: []string{"0"}},
	}
}

// Each rule can be left out by itself, and leaving it out changes nothing else.
func TestWithout(t *testing.T) {
	all := withoutInput()
	all.Watermark = Render(Input{Rows: all.Rows[:2], Addressed: "1", Native: "n", Remembers: true}).Watermark
	if got := Render(all).Shown; !slices.Equal(got, []string{"3"}) {
		t.Errorf("with every rule %v is shown", got)
	}

	first := Render(Input{Rows: all.Rows[:2], Addressed: "1", Native: "n", Remembers: true, Without: Without{Echo: true}})
	if got := first.Watermark.IDs; !slices.Equal(got, []string{"0"}) || !first.Watermark.LastAt.Equal(all.Rows[0].CreatedAt) {
		t.Errorf("without the rule about echoes the first turn leaves %v, %v", got, first.Watermark.LastAt)
	}
	echo := withoutInput()
	echo.Watermark, echo.Without = first.Watermark, Without{Echo: true}
	if got := Render(echo).Shown; !slices.Equal(got, []string{"1", "2", "3"}) {
		t.Errorf("without the rule about echoes %v is shown", got)
	}

	silent := withoutInput()
	silent.Limit = 1
	named := Render(silent)
	silent.Without = Without{Omitted: true}
	unnamed := Render(silent)
	if !strings.Contains(named.Block, "not shown") || strings.Contains(unnamed.Block, "not shown") || unnamed.Omitted == nil || unnamed.Omitted.Count != named.Omitted.Count {
		t.Errorf("named:\n%s\nunnamed (%+v):\n%s", named.Block, unnamed.Omitted, unnamed.Block)
	}
	nothing := Input{Addressed: "4", Native: "n", Remembers: true, Older: map[string]int{"aiko": 2}, Without: Without{Omitted: true}}
	if block := Render(nothing).Block; block != "" {
		t.Errorf("with nothing to tell there is a block: %q", block)
	}

	plainly := withoutInput()
	plainly.Without = Without{Quoting: true}
	if with, without := Render(withoutInput()).Block, Render(plainly).Block; !strings.Contains(with, "\n  | - [user] second") || !strings.Contains(without, "\n- [user] second") {
		t.Errorf("quoted:\n%s\nunquoted:\n%s", with, without)
	}
}

// The rows as they stand in the block are the end of it.
func TestLines(t *testing.T) {
	for _, limit := range []int{1, 2, 12} {
		in := withoutInput()
		in.Limit = limit
		out := Render(in)
		if len(out.Lines) != len(out.Shown) || !strings.HasSuffix(out.Block, "\n"+strings.Join(out.Lines, "\n")) {
			t.Errorf("limit %d: %s", limit, fmt.Sprintf("%q are not the end of %q", out.Lines, out.Block))
		}
	}
}
