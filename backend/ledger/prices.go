package ledger

import "strings"

// PricesAsOf is the day of which the price table is.
const PricesAsOf Day = "2026-10-24"

// prices are Anthropic's public prices in dollars a million tokens, as of PricesAsOf: input, cache read, written for 5
// minutes, written for an hour, output. Those that the pinned client knows too agree with what it charges itself; a test
// with the real client holds them together.
//
// over and long are for models whose price goes up with the prompt: a call whose prompt is longer than over tokens costs
// long, for all its tokens.
var prices = []struct {
	model string
	short [kinds]float64
	over  int64
	long  [kinds]float64
}{
	{model: "claude-fable-5-1", short: [kinds]float64{10, 0.25, 12.5, 20, 50}},
	{model: "claude-mythos-5-1", short: [kinds]float64{10, 0.25, 12.5, 20, 50}},
	{model: "claude-fable-5", short: [kinds]float64{10, 1, 12.5, 20, 50}},
	{model: "claude-mythos-5", short: [kinds]float64{10, 1, 12.5, 20, 50}},
	{model: "claude-opus-5-5", short: [kinds]float64{4, 0.2, 5, 8, 20}},
	{model: "claude-opus-5", short: [kinds]float64{5, 0.5, 6.25, 10, 25}},
	{model: "claude-opus-4-8", short: [kinds]float64{5, 0.5, 6.25, 10, 25}},
	{model: "claude-opus-4-7", short: [kinds]float64{5, 0.5, 6.25, 10, 25}},
	{model: "claude-opus-4-6", short: [kinds]float64{5, 0.5, 6.25, 10, 25}},
	{model: "claude-opus-4-5", short: [kinds]float64{5, 0.5, 6.25, 10, 25}},
	{model: "claude-opus-4-1", short: [kinds]float64{15, 1.5, 18.75, 30, 75}},
	{model: "claude-opus-4", short: [kinds]float64{15, 1.5, 18.75, 30, 75}},
	{model: "claude-sonnet-5-5", short: [kinds]float64{2, 0.1, 2.5, 4, 10}},
	{model: "claude-sonnet-5", short: [kinds]float64{2, 0.2, 2.5, 4, 10}},
	{model: "claude-sonnet-4-6", short: [kinds]float64{3, 0.3, 3.75, 6, 15}},
	{model: "claude-sonnet-4-5", short: [kinds]float64{3, 0.3, 3.75, 6, 15}},
	{model: "claude-sonnet-4", short: [kinds]float64{3, 0.3, 3.75, 6, 15}},
	{model: "claude-haiku-5-5", short: [kinds]float64{0.1, 0.01, 0.125, 0.2, 0.5}, over: 100_000, long: [kinds]float64{0.5, 0.05, 0.625, 1, 2.5}},
	{model: "claude-haiku-4-5", short: [kinds]float64{1, 0.1, 1.25, 2, 5}},
	{model: "claude-3-5-haiku", short: [kinds]float64{0.8, 0.08, 1, 1.6, 4}},
}

// Listed are the rates of a model by the table of public prices. ok is false for a model that it does not have: it then
// has no price, not somebody else's.
func Listed(model string) (r Rates, ok bool) {
	model = ModelName(model)
	for _, p := range prices {
		rest, found := strings.CutPrefix(model, p.model)
		if !found || rest != "" && !isDate(rest) {
			continue
		}
		r := Rates{Source: FromTable, AsOf: PricesAsOf, over: p.over}
		for k := range kinds {
			r.known[k] = true
			r.usd[k] = p.short[k] / 1e6
			r.long[k] = p.long[k] / 1e6
		}
		return r, true
	}
	return Rates{}, false
}

// isDate says whether s ends a model's name without making it another model: -latest, or a date like -20250929.
func isDate(s string) bool {
	return s == "-latest" || s == "-0" || len(s) == 9 && s[0] == '-' && strings.Trim(s[1:], "0123456789") == ""
}
