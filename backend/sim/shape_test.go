package sim

import (
	"fmt"
	"math"
	"testing"

	"hearth/backend/golden"
)

func mustRun(t *testing.T, c Channel, o Options) Report {
	t.Helper()
	r, err := Run(t.Context(), c, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Golden tables, so that a change of what is sent shows what it costs.
func TestGolden(t *testing.T) {
	for _, seed := range []uint64{1, 2, 3} {
		c := Generate(seed)
		text := ""
		for _, o := range []Options{{}, {EvictAt: 15}} {
			r := mustRun(t, c, o)
			r.Seed = &seed
			text += r.Text() + "\n"
		}
		golden.Equal(t, fmt.Sprintf("seed_%d.golden", seed), text)
	}
}

// The shape is the published one, whatever the seed.
func TestShape(t *testing.T) {
	for seed := range uint64(seeds) {
		r := mustRun(t, Generate(seed), Options{})
		window, watermark, unstable, hearth := r.Strategies.Window, r.Strategies.Watermark, r.Strategies.Unstable, r.Strategies.Hearth
		check := func(ok bool, format string, args ...any) {
			t.Helper()
			if !ok {
				t.Errorf("seed %d: %s\n%s", seed, fmt.Sprintf(format, args...), r.Text())
			}
		}
		check(r.PrefixTokens == 2120, "prefix")
		check(r.BriefTokens > 420 && r.BriefTokens < 520, "brief")

		check(watermark.InputTokens < unstable.InputTokens && unstable.InputTokens < window.InputTokens, "order of input")
		check(unstable.InputTokens-watermark.InputTokens == 30*28, "the line that changes")
		check(watermark.UncachedPerWarmTurn < window.UncachedPerWarmTurn && window.UncachedPerWarmTurn < unstable.UncachedPerWarmTurn, "order of what is uncached")
		check(math.Abs(window.CacheableRatio-0.941) <= 0.02 && math.Abs(watermark.CacheableRatio-0.940) <= 0.02, "cacheable ratios differ from the published ones")
		check(math.Abs(window.CacheableRatio-watermark.CacheableRatio) <= 0.02, "cacheable ratios differ from each other")
		check(unstable.CacheableRatio < 0.01 && unstable.CacheableTokens == 145, "unstable reads %d tokens from the cache", unstable.CacheableTokens)
		times := window.UncachedPerWarmTurn / watermark.UncachedPerWarmTurn
		check(times >= 1.15 && times <= 1.35, "window costs %.3f of watermark", times)

		check(watermark.AlreadySeenTokens == 0 && unstable.AlreadySeenTokens == 0 && hearth.AlreadySeenTokens == 0, "seen again")
		seen := float64(window.AlreadySeenTokens) / float64(window.ContextTokens)
		check(seen > 0.45 && seen < 0.65, "window shows %.2f again", seen)
		// What window shows for the first time is what watermark shows.
		check(window.ContextTokens-window.AlreadySeenTokens == watermark.ContextTokens, "context")
		check(watermark.ContextTokens == unstable.ContextTokens, "context of unstable")

		check(window.RowsSent == 360 && watermark.RowsSent == 162 && unstable.RowsSent == 162, "rows sent")
		check(window.RowsNeverShown == 25 && watermark.RowsNeverShown == 25 && unstable.RowsNeverShown == 25, "rows never shown")
		check(window.RowsNamed == 0 && watermark.RowsNamed == 0, "a baseline names rows")

		goal := hearth.UncachedPerWarmTurn / watermark.UncachedPerWarmTurn
		check(goal <= 0.48, "hearth costs %.3f of watermark", goal)
		check(hearth.InputTokens < watermark.InputTokens && hearth.ContextTokens < watermark.ContextTokens, "hearth sends more than watermark")
		check(hearth.RowsNeverShown <= watermark.RowsNeverShown && hearth.RowsNamed == hearth.RowsNeverShown, "hearth misses rows in silence")
	}
}

// A new process at mention 15 is told a snapshot, and what the old one had said
// before is no part of its requests.
func TestEviction(t *testing.T) {
	again := 0
	for seed := range uint64(seeds) {
		c := Generate(seed)
		whole, evicted := mustRun(t, c, Options{}).Strategies, mustRun(t, c, Options{EvictAt: 15}).Strategies
		for name, pair := range map[string][2]Costs{
			"window": {whole.Window, evicted.Window}, "watermark": {whole.Watermark, evicted.Watermark}, "unstable": {whole.Unstable, evicted.Unstable},
		} {
			if part := float64(pair[1].InputTokens) / float64(pair[0].InputTokens); part < 0.5 || part > 0.65 {
				t.Errorf("seed %d: %s: an eviction leaves %.3f", seed, name, part)
			}
		}
		if whole.Window.ContextTokens != evicted.Window.ContextTokens {
			t.Errorf("seed %d: window remembers something", seed)
		}
		// The snapshot is 12 rows: as many more as the gap was shorter than that.
		turns, _, err := c.turns()
		if err != nil {
			t.Fatal(err)
		}
		gap := turns[14].row - turns[13].row
		if more := evicted.Watermark.RowsSent - whole.Watermark.RowsSent; more != max(0, 12-gap) {
			t.Errorf("seed %d: a gap of %d, and %d rows more", seed, gap, more)
		}
		if (evicted.Watermark.AlreadySeenTokens > 0) != (gap < 12) {
			t.Errorf("seed %d: a gap of %d, and %d tokens go again", seed, gap, evicted.Watermark.AlreadySeenTokens)
		}
		if gap < 12 {
			again++
		}
		if hearth := evicted.Hearth; hearth.RowsNamed != hearth.RowsNeverShown {
			t.Errorf("seed %d: hearth misses rows in silence", seed)
		}
	}
	if again == 0 {
		t.Error("in no channel anything goes again")
	}
}
