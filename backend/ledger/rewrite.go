package ledger

// A Rewriting is a change to a saved conversation before it is loaded again: results that became long ago irrelevant are
// taken out. That makes every later request shorter, and it costs what the cache still holds behind the first change.
type Rewriting struct {
	Context int64 // tokens the conversation sends as it is
	Kept    int64 // of those, how many stand before the first change
	Saved   int64 // how many the rewriting takes out
	Alive   int64 // how many of Context the cache still holds
	Calls   int64 // how many calls the conversation is expected to make from here on, at least 1
	Hour    bool  // it writes to live an hour
}

// A Weighing says what a rewriting is worth.
type Weighing struct {
	Worth       bool
	AsIs, After Estimate // what the calls use with the conversation as it is, and rewritten: what they read and write of it
}

// usualRates are the proportions of Anthropic's prices when a model's own are not known: reading costs a tenth of plain
// input, writing a quarter or as much again more.
var usualRates = Rates{
	Source: FromTable, AsOf: PricesAsOf,
	usd:   [kinds]float64{1e-6, 0.1e-6, 1.25e-6, 2e-6, 5e-6},
	known: [kinds]bool{true, true, true, true, true},
}

// Weigh does the cache's sum for a rewriting: the first call reads what is alive and writes the rest, each later one reads
// all of it. It is worth it when that is cheaper afterwards than before; when it is the same, what is there stays.
//
// Without rates the usual proportions decide, and there is no money.
func (r Rewriting) Weigh(rates Rates) Weighing {
	alive := max(0, min(r.Alive, r.Context))
	kept := max(0, min(r.Kept, r.Context))
	saved := max(0, min(r.Saved, r.Context-kept))
	var w Weighing
	w.AsIs = r.cost(r.Context, alive, rates)
	w.After = r.cost(r.Context-saved, min(alive, kept), rates)
	as, after := w.AsIs, w.After
	if !as.Priced || !after.Priced {
		as, after = r.cost(r.Context, alive, usualRates), r.cost(r.Context-saved, min(alive, kept), usualRates)
		w.AsIs.Money, w.AsIs.Priced, w.After.Money, w.After.Priced = 0, false, 0, false
	}
	w.Worth = saved > 0 && after.Money < as.Money
	return w
}

func (r Rewriting) cost(context, alive int64, rates Rates) Estimate {
	u := Usage{CacheRead: alive + context*(max(1, r.Calls)-1)}
	if r.Hour {
		u.CacheWrite1h = context - alive
	} else {
		u.CacheWrite5m = context - alive
	}
	e := Estimate{Usage: u, OK: true}
	e.Money, e.Priced = rates.Cost(u, context)
	return e
}
