package ledger

import (
	"math"
	"math/bits"
)

// kinds is how many kinds of tokens have a price: input, cache read, written for 5 minutes, written for an hour, output.
const kinds = 5

func (u Usage) kinds() [kinds]int64 {
	return [kinds]int64{u.Input, u.CacheRead, u.CacheWrite5m, u.CacheWrite1h, u.Output}
}

// RateSource says where rates come from.
type RateSource string

// The sources of rates.
const (
	Fitted    RateSource = "fitted" // from the client's own past figures
	FromTable RateSource = "table"  // from the dated table of public prices
)

// Rates are dollars a token, by kind. They are estimates.
type Rates struct {
	Source RateSource // "": there are none
	AsOf   Day        // of the table
	Points int        // how many past figures they were fitted from

	usd   [kinds]float64
	known [kinds]bool
	over  int64 // prompts longer than this cost long; 0: none do
	long  [kinds]float64
}

// Cost is what a call of this usage costs when its prompt is of that many tokens. ok is false when it has tokens of a kind
// whose rate is not known.
func (r Rates) Cost(u Usage, prompt int64) (m Money, ok bool) {
	usd := r.usd
	if r.over > 0 && prompt > r.over {
		usd = r.long
	}
	if r.Source == "" {
		return 0, false
	}
	var sum float64
	for k, n := range u.kinds() {
		if n > 0 && !r.known[k] {
			return 0, false
		}
		sum += float64(n) * usd[k]
	}
	return Dollars(sum), true
}

// A Point is a past figure of the client's: what one model used in one turn, and what it cost.
type Point struct {
	Usage   Usage
	CostUSD float64
}

// When rates are fitted: from at most the newest manyPoints figures, or fewPoints when the many do not agree with one price
// (it changed meanwhile), and only when
//   - there are at least twice as many as kinds of tokens in them,
//   - the kinds vary against each other: of each, at least a thousandth part is not explained by the others,
//   - the rates give back every figure within tolerance of the largest: the client multiplies tokens with prices, so what
//     does not fit was not priced that way (steps by the length of the prompt, fees, another price at another time).
const (
	manyPoints, fewPoints = 200, 40
	tolerance             = 0.001
	distinct              = 1e-6 // the square of a thousandth
)

// Fit finds the rates that the client's own figures follow, by least squares with no rate below zero. The points come
// oldest first. ok is false when they do not determine the rates well enough. Kinds of tokens that no point has stay
// unknown.
func Fit(points []Point) (r Rates, ok bool) {
	usable := make([]Point, 0, manyPoints)
	for i := len(points) - 1; i >= 0 && len(usable) < manyPoints; i-- {
		if p := points[i]; p.CostUSD > 0 && !math.IsInf(p.CostUSD, 0) && p.Usage != (Usage{}) {
			usable = append(usable, p) // a turn that cost nothing says that the client had no price, not that it was 0
		}
	}
	if r, ok = fit(usable); !ok && len(usable) > fewPoints {
		r, ok = fit(usable[:fewPoints])
	}
	return r, ok
}

func fit(points []Point) (Rates, bool) {
	r := Rates{Source: Fitted, Points: len(points)}
	var scale [kinds]float64 // brings every kind to the same size: some have a thousand times the tokens of others
	largest := 0.0
	for _, p := range points {
		for k, n := range p.Usage.kinds() {
			scale[k] += float64(n) * float64(n)
		}
		largest = max(largest, p.CostUSD)
	}
	var use []int
	for k := range scale {
		if scale[k] > 0 {
			scale[k] = math.Sqrt(scale[k])
			use = append(use, k)
			r.known[k] = true
		}
	}
	if len(use) == 0 || len(points) < 2*len(use) {
		return Rates{}, false
	}
	var gram [kinds][kinds]float64
	var right [kinds]float64
	for _, p := range points {
		x := p.Usage.kinds()
		for a, i := range use {
			for b, j := range use {
				gram[a][b] += float64(x[i]) / scale[i] * (float64(x[j]) / scale[j])
			}
			right[a] += float64(x[i]) / scale[i] * p.CostUSD
		}
	}
	if _, ok := solve(gram, right, 1<<len(use)-1); !ok {
		return Rates{}, false
	}
	// With at most five kinds all sets of rates above zero can be tried: the best of those without one below is the answer.
	best := math.Inf(1)
	var rates [kinds]float64
	for set := 1; set < 1<<len(use); set++ {
		x, ok := solve(gram, right, set)
		if !ok {
			continue
		}
		fault, negative := 0.0, false
		for a := range use {
			negative = negative || x[a] < 0
			fault -= 2 * x[a] * right[a]
			for b := range use {
				fault += x[a] * gram[a][b] * x[b]
			}
		}
		if !negative && fault < best {
			best, rates = fault, x
		}
	}
	if math.IsInf(best, 1) {
		return Rates{}, false
	}
	for a, k := range use {
		r.usd[k] = rates[a] / scale[k]
	}
	for _, p := range points {
		got := 0.0
		for k, n := range p.Usage.kinds() {
			got += float64(n) * r.usd[k]
		}
		if !(math.Abs(got-p.CostUSD) <= tolerance*largest) {
			return Rates{}, false
		}
	}
	return r, true
}

// solve finds the least squares over the columns in set by Cholesky's method. ok is false when one of them is all but a
// sum of the others. Columns that are not in set are 0.
func solve(gram [kinds][kinds]float64, right [kinds]float64, set int) (x [kinds]float64, ok bool) {
	var in []int
	for s := set; s != 0; s &= s - 1 {
		in = append(in, bits.TrailingZeros(uint(s)))
	}
	var l [kinds][kinds]float64
	var y [kinds]float64
	for a, i := range in {
		for b := 0; b <= a; b++ {
			sum := gram[i][in[b]]
			for c := range b {
				sum -= l[a][c] * l[b][c]
			}
			if a == b {
				if !(sum > distinct) {
					return x, false
				}
				l[a][a] = math.Sqrt(sum)
			} else {
				l[a][b] = sum / l[b][b]
			}
		}
		sum := right[i]
		for c := range a {
			sum -= l[a][c] * y[c]
		}
		y[a] = sum / l[a][a]
	}
	for a := len(in) - 1; a >= 0; a-- {
		sum := y[a]
		for c := a + 1; c < len(in); c++ {
			sum -= l[c][a] * x[in[c]]
		}
		x[in[a]] = sum / l[a][a]
	}
	return x, true
}

// RatesOf are the rates of a model: fitted from what these turns say of it, else from the table, else none. The turns come
// oldest first; any binding's will do.
func RatesOf(turns []Turn, model string) (Rates, bool) {
	model = ModelName(model)
	var points []Point
	for i := len(turns) - 1; i >= 0 && len(points) < manyPoints; i-- {
		for _, m := range turns[i].Models {
			if ModelName(m.Model) == model && m.CostUSD > 0 {
				points = append(points, Point{m.Usage, m.CostUSD})
			}
		}
	}
	for i, j := 0, len(points)-1; i < j; i, j = i+1, j-1 {
		points[i], points[j] = points[j], points[i]
	}
	if r, ok := Fit(points); ok {
		return r, true
	}
	return Listed(model)
}
