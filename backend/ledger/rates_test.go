package ledger

import (
	"math"
	"math/rand/v2"
	"testing"
)

// pointsOf are n figures of a client that charges so much a million tokens.
func pointsOf(r *rand.Rand, n int, price [kinds]float64) []Point {
	points := make([]Point, n)
	for i := range points {
		u := anyUsage(r)
		u.Output++
		for k, tokens := range u.kinds() {
			points[i].CostUSD += float64(tokens) * price[k] / 1e6
		}
		points[i].Usage = u
	}
	return points
}

func TestFitFindsWhatTheClientCharges(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, p := range prices {
		for _, n := range []int{12, 50, 500} {
			rates, ok := Fit(pointsOf(r, n, p.short))
			if !ok {
				t.Errorf("%s, %d figures: not determined", p.model, n)
				continue
			}
			for k := range kinds {
				if got := rates.usd[k] * 1e6; math.Abs(got-p.short[k]) > 1e-6*p.short[4] {
					t.Errorf("%s, %d figures: kind %d costs %v, want %v", p.model, n, k, got, p.short[k])
				}
			}
			if rates.Source != Fitted || rates.Points != min(n, manyPoints) {
				t.Errorf("%s, %d figures: %+v", p.model, n, rates)
			}
		}
	}
}

func TestFitSaysWhenItDoesNotKnow(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	price := [kinds]float64{4, 0.2, 5, 8, 20}
	change := func(n int, f func(i int, p *Point)) []Point {
		points := pointsOf(r, n, price)
		for i := range points {
			f(i, &points[i])
		}
		return points
	}
	for name, c := range map[string]struct {
		points []Point
		ok     bool
	}{
		"nothing":           {nil, false},
		"too few":           {pointsOf(r, 9, price), false},
		"no model price":    {change(50, func(_ int, p *Point) { p.CostUSD = 0 }), false},
		"always the same":   {change(50, func(_ int, p *Point) { *p = Point{Usage{Input: 3, CacheRead: 1000, CacheWrite5m: 20, Output: 9}, 0.1} }), false},
		"in one proportion": {change(50, func(i int, p *Point) { n := int64(i + 1); *p = Point{Usage{Input: n, Output: 9 * n}, float64(n)} }), false},
		"one fee among them": {change(50, func(i int, p *Point) {
			if i == 20 {
				p.CostUSD += 0.05
			}
		}), false},
		"another price for long prompts": {change(50, func(_ int, p *Point) {
			if p.Usage.Prompt() > 100_000 {
				p.CostUSD *= 5
			}
		}), false},
		"no figure": {change(50, func(i int, p *Point) {
			if i == 49 {
				p.CostUSD = math.Inf(1)
			}
		}), true}, // it is left out
		"another price since the last forty": {change(150, func(i int, p *Point) {
			if i < 110 {
				p.CostUSD *= 2
			}
		}), true},
		"another price since the last thirty": {change(150, func(i int, p *Point) {
			if i < 120 {
				p.CostUSD *= 2
			}
		}), false},
		"rounded to what the client shows": {change(50, func(_ int, p *Point) { p.CostUSD = Dollars(p.CostUSD).USD() }), true},
	} {
		rates, ok := Fit(c.points)
		if ok != c.ok {
			t.Errorf("%s: determined %v: %+v", name, ok, rates)
		}
		if ok && math.Abs(rates.usd[4]*1e6-20) > 0.01 {
			t.Errorf("%s: output costs %v", name, rates.usd[4]*1e6)
		}
	}
}

func TestFitLeavesUnseenKindsOpen(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	points := pointsOf(r, 40, [kinds]float64{4, 0.2, 5, 0, 20})
	for i := range points {
		points[i].Usage.CacheWrite1h = 0
	}
	rates, ok := Fit(points)
	if !ok {
		t.Fatal("not determined")
	}
	if m, ok := rates.Cost(Usage{Input: 1_000_000, Output: 1_000_000}, 0); !ok || m != 24*Dollar {
		t.Errorf("costs %v, %v", m, ok)
	}
	if _, ok := rates.Cost(Usage{CacheWrite1h: 1}, 0); ok {
		t.Error("what was never charged has a price")
	}
}

// No rate is below zero, whatever the figures are, and what is fitted gives them back.
func FuzzFit(f *testing.F) {
	for seed := range uint64(10) {
		f.Add(seed, 0.0)
		f.Add(seed, 0.0005)
	}
	f.Fuzz(func(t *testing.T, seed uint64, noise float64) {
		r := rand.New(rand.NewPCG(seed, 1))
		var price [kinds]float64
		for k := range price {
			price[k] = float64(r.IntN(100)) / 4
		}
		points := pointsOf(r, 10+r.IntN(60), price)
		largest := 0.0
		for i := range points {
			points[i].CostUSD += noise * r.NormFloat64()
			largest = max(largest, points[i].CostUSD)
		}
		rates, ok := Fit(points)
		if !ok {
			return
		}
		for k, usd := range rates.usd {
			if !(usd >= 0) {
				t.Fatalf("kind %d costs %v", k, usd)
			}
		}
		m, ok := rates.Cost(points[len(points)-1].Usage, 0)
		if want := points[len(points)-1].CostUSD; want > 0 && (!ok || math.Abs(m.USD()-want) > tolerance*largest+1e-9) {
			t.Fatalf("a figure of %v comes back as %v, %v", want, m, ok)
		}
	})
}

func TestListed(t *testing.T) {
	u := Usage{Input: 5, CacheRead: 50, CacheWrite5m: 70, CacheWrite1h: 30, Output: 70}
	for model, want := range map[string]Money{ // billionths of a dollar
		"claude-opus-5-5":           20_000 + 10_000 + 350_000 + 240_000 + 1_400_000,
		"claude-opus-5-5[1m]":       20_000 + 10_000 + 350_000 + 240_000 + 1_400_000,
		"claude-haiku-4-5-20251001": 5_000 + 5_000 + 87_500 + 60_000 + 350_000,
		"claude-haiku-5-5":          500 + 500 + 8_750 + 6_000 + 35_000,
		"claude-3-5-haiku-latest":   4_000 + 4_000 + 70_000 + 48_000 + 280_000,
		"claude-opus-4-0":           75_000 + 75_000 + 1_312_500 + 900_000 + 5_250_000,
		"claude-opus-5-6":           -1, // not opus 5
		"claude-opus-55":            -1,
		"claude-opus-4-5-2025110":   -1,
		"anthropic.claude-opus-5-5": -1, // another seller, another price
		"llama":                     -1,
		"":                          -1,
	} {
		rates, ok := Listed(model)
		got, priced := rates.Cost(u, u.Prompt())
		if ok != (want >= 0) || priced != ok || ok && (got != want || rates.Source != FromTable || rates.AsOf != PricesAsOf) {
			t.Errorf("%q: %d, %v, want %d", model, got, ok, want)
		}
	}
	haiku, _ := Listed("claude-haiku-5-5")
	if m, ok := haiku.Cost(u, 100_001); !ok || m != 5*50_750 {
		t.Errorf("a long prompt costs %d, %v", m, ok)
	}
}

func TestRatesOf(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	var turns []Turn
	for _, p := range pointsOf(r, 30, [kinds]float64{1, 1, 1, 1, 1}) {
		turns = append(turns, Turn{Models: []ModelUse{{"claude-opus-5-5[1m]", p.Usage, p.CostUSD}, {"other", p.Usage, 3 * p.CostUSD}}})
	}
	if rates, ok := RatesOf(turns, "claude-opus-5-5"); !ok || rates.Source != Fitted || math.Abs(rates.usd[0]*1e6-1) > 1e-6 {
		t.Errorf("from its own figures: %+v, %v", rates, ok)
	}
	if rates, ok := RatesOf(turns[:5], "claude-opus-5-5"); !ok || rates.Source != FromTable || rates.AsOf == "" {
		t.Errorf("from too few: %+v, %v", rates, ok)
	}
	if rates, ok := RatesOf(turns[:5], "other"); ok {
		t.Errorf("of a model that nobody knows: %+v", rates)
	}
}
