//go:build e2e

package rehearsal

import (
	"bytes"
	"context"
	"errors"
	"os"
	"slices"
	"testing"
	"time"

	"hearth/backend/claude/claudetest"
)

// A short rehearsal with the real client: the table has its shape, and a new process
// reads all of tools and system where it should.
func TestRealRehearsal(t *testing.T) {
	scratch := t.TempDir()
	t.Setenv("TMPDIR", scratch)
	path := claudetest.Client(t)
	var steps []int
	o := Options{
		Clients: []Client{{path, "this one"}}, Path: os.Getenv("PATH"), Seed: 1, Turns: 4,
		Cases: []string{"again", "replay", "directory", "restored_model"},
		Progress: func(done, total int, what string) {
			steps = append(steps, done)
			if done >= total || what == "" {
				t.Errorf("step %d of %d: %q", done, total, what)
			}
		},
	}
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + r.Text())
	if left, err := os.ReadDir(scratch); err != nil || len(left) != 0 {
		t.Errorf("left: %v, %v", left, err)
	}
	if want := 4*4 + missTurns + 2*len(o.Cases); len(steps) != want || !slices.IsSorted(steps) {
		t.Errorf("%d steps, want %d", len(steps), want)
	}

	s := r.Strategies
	for _, row := range r.rows() {
		m := row.Measured
		if len(m.Turns) != 4 || m.Turns[0].Read != 0 || m.Sizes.Tools == 0 || m.Sizes.System == 0 {
			t.Errorf("%s: %+v", row.Name, m)
		}
		for n, turn := range m.Turns[1:] {
			switch {
			case row.Name == "unstable" && (turn.Read != 0 || turn.Broke != "system prompt, block 1"):
				t.Errorf("unstable, turn %d: %+v", n+2, turn)
			case row.Name != "unstable" && (turn.Broke != "" || turn.Read < m.Turns[n].Read+m.Turns[n].Written):
				t.Errorf("%s, turn %d reads less than there is: %+v after %+v", row.Name, n+2, turn, m.Turns[n])
			}
		}
	}
	hearth, watermark, window, unstable := s.Hearth.UncachedPerWarmTurn, s.Watermark.UncachedPerWarmTurn, s.Window.UncachedPerWarmTurn, s.Unstable.UncachedPerWarmTurn
	if !(hearth <= 0.48*watermark && watermark < window && 5*window < unstable) {
		t.Errorf("a warm turn of hearth has %g uncached tokens, of watermark %g, of window %g, of unstable %g", hearth, watermark, window, unstable)
	}
	if s.Unstable.CacheableRatio > 0.01 {
		t.Errorf("unstable reads %g", s.Unstable.CacheableRatio)
	}
	if r.Miss.Read <= 0 || r.Miss.Read > r.Miss.Documented {
		t.Errorf("the miss: %+v", r.Miss)
	}

	if len(r.ColdStarts) != 2*len(o.Cases) {
		t.Fatalf("%d cold starts", len(r.ColdStarts))
	}
	for _, c := range r.ColdStarts {
		if !c.Dynamic && (!c.Whole || c.Prefix() == 0 || c.Moved() != Difference{}) {
			t.Errorf("%s: read %d of %d, and %+v", c.Title, c.PrefixRead(), c.Prefix(), c.Moved())
		}
		if c.Dynamic && c.Case == "directory" && (c.Whole || c.Moved().Part == "") {
			t.Error("with the dynamic sections left in, the directory makes no difference: Hearth need not move them out any more")
		}
	}
	if len(r.Outside) != 0 {
		t.Errorf("the client wanted to reach %v", r.Outside)
	}
	var page bytes.Buffer
	if err := r.HTML(&page, time.Now()); err != nil || page.Len() < 10_000 {
		t.Errorf("a page of %d bytes, %v", page.Len(), err)
	}
}

// Given up in the middle, it ends its processes and leaves nothing.
func TestRealRehearsalIsGivenUp(t *testing.T) {
	scratch := t.TempDir()
	t.Setenv("TMPDIR", scratch)
	ctx, end := context.WithCancel(t.Context())
	defer end()
	steps := 0
	_, err := Run(ctx, Options{
		Clients: []Client{{claudetest.Client(t), "this one"}}, Path: os.Getenv("PATH"), Seed: 1, Turns: 3,
		Progress: func(int, int, string) {
			if steps++; steps == 3 {
				end()
			}
		},
	})
	if !errors.Is(err, context.Canceled) || steps != 3 {
		t.Errorf("after %d steps: %v", steps, err)
	}
	if left, err := os.ReadDir(scratch); err != nil || len(left) != 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
