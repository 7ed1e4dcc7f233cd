package ledger

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

func TestTrend(t *testing.T) {
	line := func(n int, from, step int64) []int64 {
		var sizes []int64
		for i := range n {
			sizes = append(sizes, from+int64(i)*step)
		}
		return sizes
	}
	jump := line(20, 20_000, 1000)
	for i := 10; i < 20; i++ {
		jump[i] += 50_000 // one large file
	}
	wild := line(20, 20_000, 1000)
	for _, i := range []int{3, 7, 11, 15} {
		wild[i] = 900_000 // not part of the conversation at all
	}
	for name, c := range map[string]struct {
		sizes    []int64
		ok       bool
		from, to float64 // where the slope lies
	}{
		"none":                           {nil, false, 0, 0},
		"two":                            {line(2, 0, 5), false, 0, 0},
		"three":                          {line(3, 0, 5), true, 5, 5},
		"a line":                         {line(20, 17_000, 2200), true, 2200, 2200},
		"the newest twenty":              {append(line(50, 900_000, 0), line(20, 17_000, 2200)...), true, 2200, 2200},
		"one large file":                 {jump, true, 2500, 6000}, // the line through both ends is 3632
		"four that are out of line":      {wild, true, 900, 1100},
		"it shrinks":                     {line(10, 90_000, -300), true, -300, -300},
		"one large file a long time ago": {append(line(5, 0, 0), line(20, 90_000, 10)...), true, 10, 10},
	} {
		got, ok := TrendOf(c.sizes)
		if ok != c.ok || ok && (got.PerTurn < c.from || got.PerTurn > c.to || got.Low > got.PerTurn || got.High < got.PerTurn) {
			t.Errorf("%s: %+v, %v; want %v to %v", name, got, ok, c.from, c.to)
		}
	}
}

func TestLine(t *testing.T) {
	for window, want := range map[int64][2]int64{
		200_000: {150_000, 130_000}, 1_000_000: {950_000, 930_000}, 60_000: {10_000, 10_000}, 65_000: {15_000, 10_000}, 8000: {10_000, 10_000},
	} {
		line, warn, ok := DefaultLine.At(window)
		if !ok || line != want[0] || warn != want[1] {
			t.Errorf("window %d: %d, %d, %v; want %v", window, line, warn, ok, want)
		}
	}
	if _, _, ok := DefaultLine.At(0); ok {
		t.Error("a window that is not known has a line")
	}
}

// talk is a conversation of one call a turn that grows by 2,000 tokens with each, of which 500 are the answer.
func talk(n int) []Turn {
	turns := make([]Turn, n)
	for i := range turns {
		at := noon.Add(time.Duration(i) * time.Minute)
		u := Usage{Input: 4, CacheWrite5m: 2000, CacheRead: 17_996 + int64(i)*2000, Output: 500}
		turns[i] = Turn{
			Run: fmt.Sprint(i), Native: "n", Process: "p", Temperature: Warm, Window: 100_000, Began: at, Ended: at,
			Calls: []Call{{MessageID: fmt.Sprint(i), Model: "claude-opus-5-5", Main: true, Usage: u, Began: at}},
		}
	}
	turns[0].Temperature = Cold
	turns[0].Calls[0].Usage = Usage{Input: 4, CacheWrite5m: 3000, CacheRead: 16_996, Output: 500}
	return turns
}

func TestPredict(t *testing.T) {
	turns := talk(10)
	rates, _ := Listed("claude-opus-5-5")
	last := turns[9].Ended
	f := Predict(turns, last.Add(time.Minute), DefaultLine, rates)
	if f.Model != "claude-opus-5-5" || f.Context != 38_500 || f.Prompt != 38_000 || !f.CacheLives {
		t.Errorf("what is: %+v", f)
	}
	if !f.HasTrend || f.Trend.PerTurn != 2000 || f.Trend.Turns != 10 {
		t.Errorf("trend %+v, %v", f.Trend, f.HasTrend)
	}
	if !f.HasLine || f.Line != 50_000 || f.Warn != 30_000 || !f.HasTurns || f.Turns != 6 {
		t.Errorf("line %d, warned at %d, in %d turns", f.Line, f.Warn, f.Turns)
	}
	// Warm: exactly what the next turn of this conversation is. Restored: nothing is known of restored turns here, so no
	// more than what a new conversation read. Fresh: as the first turn was.
	for name, c := range map[string]struct {
		got, want Estimate
	}{
		"warm":     {f.Warm, Estimate{Usage{Input: 4, CacheRead: 37_996, CacheWrite5m: 1996, Output: 500}, 0, true, true}},
		"restored": {f.Restored, Estimate{Usage{Input: 4, CacheRead: 16_996, CacheWrite5m: 23_500, Output: 500}, 0, true, true}},
		"fresh":    {f.Fresh, Estimate{Usage{Input: 4, CacheRead: 16_996, CacheWrite5m: 3000, Output: 500}, 0, true, true}},
	} {
		c.want.Money, _ = rates.Cost(c.want.Usage, c.want.Usage.Prompt())
		if c.got != c.want {
			t.Errorf("%s:\n got %+v\nwant %+v", name, c.got, c.want)
		}
	}

	// After the cache's life everything is written anew.
	f = Predict(turns, last.Add(time.Hour), DefaultLine, rates)
	if f.CacheLives || f.Warm.Usage.CacheRead != 0 || f.Warm.Usage.CacheWrite5m != 39_992 || f.Restored.Usage.CacheRead != 0 || f.Fresh.Usage.CacheRead != 0 {
		t.Errorf("after an hour: %+v", f)
	}
	// Restored turns of before say what a restored turn reads.
	restored := talk(10)
	restored[5].Temperature, restored[5].Process = Restored, "p2"
	restored[5].Calls[0].Usage.CacheRead, restored[5].Calls[0].Usage.CacheWrite5m = 22_397, 7599 // 80 % of what was left
	f = Predict(restored, last.Add(time.Minute), DefaultLine, rates)
	if got, want := f.Restored.Usage.CacheRead, int64(38_000*0.8); got < want-200 || got > want+200 {
		t.Errorf("a restored turn reads %d, want about %d", got, want)
	}

	if f := Predict(nil, noon, DefaultLine, rates); f != (Forecast{}) {
		t.Errorf("of nothing: %+v", f)
	}
	// A model without rates has tokens.
	f = Predict(turns, last, DefaultLine, Rates{})
	if f.HasRates || !f.Warm.OK || f.Warm.Priced || f.Warm.Money != 0 || f.Warm.Usage.CacheRead == 0 {
		t.Errorf("without rates: %+v", f.Warm)
	}
	// A summary at the end: nobody knows how much is left.
	turns[9].Compactions = []Compaction{{Calls: 1}}
	f = Predict(turns, last, DefaultLine, rates)
	if f.Context != 0 || f.HasTurns || f.Warm.OK || f.Restored.OK || !f.Fresh.OK {
		t.Errorf("after a summary: %+v", f)
	}
	// No new conversation was ever seen.
	f = Predict(talk(10)[3:], last, DefaultLine, rates)
	if f.Fresh.OK || !f.Warm.OK {
		t.Errorf("without a first turn: %+v", f)
	}
	// At the line.
	f = Predict(talk(40), noon, DefaultLine, rates)
	if f.Turns != 0 || !f.HasTurns {
		t.Errorf("over the line: %+v", f)
	}
}

// A turn of several calls reads again and again what it holds.
func TestPredictTurnsOfSeveralCalls(t *testing.T) {
	turns := talk(9)
	for i := range turns {
		first := turns[i].Calls[0]
		first.Usage.Output = 200
		second := first
		second.MessageID += "b"
		second.Usage = Usage{Input: 4, CacheRead: first.Usage.CacheRead + first.Usage.CacheWrite5m, CacheWrite5m: 400, Output: 300}
		turns[i].Calls = []Call{first, second}
	}
	f := Predict(turns, turns[8].Ended, DefaultLine, Rates{})
	left := turns[8].Calls[1].Usage.CacheRead + turns[8].Calls[1].Usage.CacheWrite5m
	// 2,000 tokens come a turn, half of them before the first call, half before the second.
	want := Usage{Input: 8, CacheRead: left + left + 1000 - 4, CacheWrite5m: 996 + 1000, Output: 500}
	if f.Warm.Usage != want {
		t.Errorf("\n got %+v\nwant %+v", f.Warm.Usage, want)
	}
}

func FuzzPredict(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed, uint8(30), int64(60))
	}
	f.Fuzz(func(t *testing.T, seed uint64, n uint8, later int64) {
		turns := anyTurns(rand.New(rand.NewPCG(seed, 3)), int(n))
		now := noon
		if n > 0 {
			now = turns[n-1].Ended.Add(time.Duration(later%100_000) * time.Second)
		}
		rates, _ := RatesOf(turns, testModels[0])
		got := Predict(turns, now, DefaultLine, rates)
		for name, e := range map[string]Estimate{"warm": got.Warm, "restored": got.Restored, "fresh": got.Fresh} {
			for _, tokens := range e.Usage.kinds() {
				if tokens < 0 {
					t.Fatalf("%s: %+v", name, e)
				}
			}
			if !e.OK && e != (Estimate{}) || e.Priced != (e.Money > 0) || e.Priced && !e.OK {
				t.Fatalf("%s: %+v", name, e)
			}
		}
		if got.Turns < 0 || got.HasTurns && got.Turns > 0 && float64(got.Turns)*got.Trend.PerTurn < float64(got.Line-got.Prompt)-1e-6*math.Abs(float64(got.Line)) {
			t.Fatalf("%+v", got)
		}
		if !got.CacheLives && got.Fresh.OK && got.Restored.OK && got.Restored.Usage.CacheRead < 0 {
			t.Fatalf("%+v", got)
		}
	})
}

func TestWeigh(t *testing.T) {
	rates, _ := Listed("claude-opus-5-5")
	for name, c := range map[string]struct {
		r    Rewriting
		want bool
	}{
		"the cache is gone":                       {Rewriting{Context: 100_000, Kept: 20_000, Saved: 1000, Calls: 1}, true},
		"it lives, and the change is early":       {Rewriting{Context: 100_000, Kept: 20_000, Saved: 10_000, Alive: 100_000, Calls: 10}, false},
		"it lives, the change is early, long way": {Rewriting{Context: 100_000, Kept: 20_000, Saved: 60_000, Alive: 100_000, Calls: 100}, true},
		"it lives, and the change is at the end":  {Rewriting{Context: 100_000, Kept: 89_000, Saved: 10_000, Alive: 100_000, Calls: 10}, true},
		"only the beginning lives":                {Rewriting{Context: 100_000, Kept: 20_000, Saved: 10_000, Alive: 17_000, Calls: 1}, true},
		"nothing to take out":                     {Rewriting{Context: 100_000, Kept: 20_000, Calls: 50}, false},
		"no sense in it":                          {Rewriting{Context: 10, Kept: 20, Saved: 30, Alive: 40, Calls: -1}, false},
	} {
		for _, hour := range []bool{false, true} {
			c.r.Hour = hour
			w := c.r.Weigh(rates)
			if w.Worth != c.want || !w.AsIs.Priced || !w.After.Priced || w.Worth && w.After.Money >= w.AsIs.Money {
				t.Errorf("%s: %+v", name, w)
			}
			none := c.r.Weigh(Rates{})
			if none.Worth != c.want || none.AsIs.Priced || none.After.Priced || none.After.Money != 0 || none.AsIs.Usage != w.AsIs.Usage {
				t.Errorf("%s, without rates: %+v", name, none)
			}
		}
	}
}
