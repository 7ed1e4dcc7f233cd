package ledger

import (
	"time"
)

// A Sum is what some turns used together.
type Sum struct {
	Turns         int
	MainCalls     int
	SubagentCalls int   // as far as the client shows them
	Main          Usage // by the calls of the main thread
	Subagents     Usage // by the calls of subagents, as far as the client shows them
	Beside        Usage // what the client counted and showed as no call
	Money         Money // the client's own figure, of the turns for which it gave one
	Unpriced      int   // how many turns used something and were given none: with any, Money is the least it can have been
}

// Total is all of it.
func (s Sum) Total() Usage { return s.Main.Add(s.Subagents).Add(s.Beside) }

// Add returns the sum of both.
func (s Sum) Add(o Sum) Sum {
	return Sum{
		Turns: s.Turns + o.Turns, MainCalls: s.MainCalls + o.MainCalls, SubagentCalls: s.SubagentCalls + o.SubagentCalls,
		Main: s.Main.Add(o.Main), Subagents: s.Subagents.Add(o.Subagents), Beside: s.Beside.Add(o.Beside), Money: s.Money + o.Money,
		Unpriced: s.Unpriced + o.Unpriced,
	}
}

// note adds a call.
func (s *Sum) note(c *Call) {
	if c.Main {
		s.MainCalls++
		s.Main = s.Main.Add(c.Usage)
	} else {
		s.SubagentCalls++
		s.Subagents = s.Subagents.Add(c.Usage)
	}
}

// Sum is what one turn used. Its total is the client's own count, or the sum of the calls where that is larger, kind by
// kind.
func (t *Turn) Sum() Sum { return t.sum(t.calls()) }

func (t *Turn) sum(calls []numbered) Sum {
	s := Sum{Turns: 1, Money: Dollars(t.CostUSD)}
	for i := range calls {
		s.note(&calls[i].Call)
	}
	s.Beside = t.Usage.beyond(s.Main.Add(s.Subagents))
	s.price()
	return s
}

// price says of the sum of one turn whether its cost is known: of a turn that used something the client says that it cost
// nothing when it has no price for it, or when the turn was cut off before its result.
func (s *Sum) price() {
	if s.Money == 0 && s.Total() != (Usage{}) {
		s.Unpriced = 1
	}
}

// A ModelSum is what one model used.
type ModelSum struct {
	Model string // see ModelName; "" for what the client names no model for
	Sum   Sum
}

// ByModel is what each model used in a turn, in the order of the client's list. Turns counts the turn for each of them. The
// money adds up to the turn's; what the client gives no model for is the first model's.
//
// Of a model the larger of the client's count and the calls is taken, as for the turn as a whole. When a call was cut off,
// the models together may therefore have more than the turn.
func (t *Turn) ByModel() []ModelSum { return t.byModel(t.calls()) }

func (t *Turn) byModel(calls []numbered) []ModelSum {
	sums := make([]ModelSum, 0, len(t.Models)+1)
	at := func(name string) int {
		name = ModelName(name)
		for i := range sums {
			if sums[i].Model == name {
				return i
			}
		}
		sums = append(sums, ModelSum{Model: name, Sum: Sum{Turns: 1}})
		return len(sums) - 1
	}
	rest := Dollars(t.CostUSD)
	counted := make([]Usage, 0, 4)
	for _, m := range t.Models {
		i, money := at(m.Model), Dollars(m.CostUSD)
		if i == len(counted) {
			counted = append(counted, Usage{})
		}
		counted[i] = counted[i].Add(m.Usage)
		sums[i].Sum.Money += money
		rest -= money
	}
	for i := range calls {
		sums[at(calls[i].Model)].Sum.note(&calls[i].Call)
	}
	for i, u := range counted {
		s := &sums[i].Sum
		s.Beside = u.beyond(s.Main.Add(s.Subagents))
	}
	if rest != 0 || len(sums) == 0 {
		if len(sums) == 0 {
			sums = append(sums, ModelSum{Sum: Sum{Turns: 1, Beside: t.Usage}})
		}
		sums[0].Sum.Money += rest
	}
	for i := range sums {
		sums[i].Sum.price()
	}
	return sums
}

// A Day is a day of a person's calendar, like 2026-11-30.
type Day string

// DayOf is the day of a moment in a time zone.
func DayOf(at time.Time, zone *time.Location) Day {
	return Day(at.In(zone).AppendFormat(make([]byte, 0, 10), time.DateOnly))
}

// Bounds are the first moment of the day and the first of the next. The day between them has 23, 24 or 25 hours, or what
// else the zone did to it; in a zone that skipped it, it has none. The error is about a Day that is none.
func (d Day) Bounds(zone *time.Location) (from, to time.Time, err error) {
	noon, err := time.ParseInLocation(time.DateOnly, string(d), time.UTC)
	if err != nil {
		return time.Time{}, time.Time{}, err
	}
	return midnight(noon, zone), midnight(noon.AddDate(0, 0, 1), zone), nil
}

// midnight is the first moment of a date in a zone. Where clocks were moved over midnight, time.Date may answer with a
// moment of the day before, or with the second of two midnights.
func midnight(date time.Time, zone *time.Location) time.Time {
	day := date.Format(time.DateOnly)
	at := time.Date(date.Year(), date.Month(), date.Day(), 0, 0, 0, 0, zone)
	if at.Format(time.DateOnly) < day {
		if _, end := at.ZoneBounds(); !end.IsZero() {
			return end
		}
	}
	if start, _ := at.ZoneBounds(); !start.IsZero() {
		// The clocks may have been put back just before, and the day have begun then.
		if first := start.Add(-time.Nanosecond); first.Format(time.DateOnly) == day {
			_, offset := first.Zone()
			local := first.Add(time.Duration(offset) * time.Second).UTC()
			return first.Add(-time.Duration(local.Hour())*time.Hour - time.Duration(local.Minute())*time.Minute -
				time.Duration(local.Second())*time.Second - time.Duration(local.Nanosecond()))
		}
	}
	return at
}

// Sums are sums by something.
type Sums[K comparable] map[K]*Sum

// Get is the sum of a key; the zero Sum when there is nothing.
func (s Sums[K]) Get(key K) Sum {
	if sum := s[key]; sum != nil {
		return *sum
	}
	return Sum{}
}

func (s Sums[K]) add(key K, sum Sum) {
	at := s[key]
	if at == nil {
		at = new(Sum)
		s[key] = at
	}
	*at = at.Add(sum)
}

// ChannelDay is a channel on a day: what has a spending limit.
type ChannelDay struct {
	Channel string
	Day     Day
}

// A Book adds turns up. A turn is of the day on which it ended: then what it cost is known.
type Book struct {
	All          Sum
	ByRun        Sums[string]
	ByBinding    Sums[string]
	ByChannel    Sums[string]
	ByModel      Sums[string] // see ModelName
	ByDay        Sums[Day]
	ByChannelDay Sums[ChannelDay]

	zone *time.Location
}

// NewBook makes a book whose days are those of zone.
func NewBook(zone *time.Location) *Book {
	return &Book{
		ByRun: Sums[string]{}, ByBinding: Sums[string]{}, ByChannel: Sums[string]{}, ByModel: Sums[string]{},
		ByDay: Sums[Day]{}, ByChannelDay: Sums[ChannelDay]{}, zone: zone,
	}
}

// Add adds a turn, unless its run is in the book already; then it returns false.
func (b *Book) Add(t *Turn) bool {
	if b.ByRun[t.Run] != nil && t.Run != "" {
		return false
	}
	calls := t.calls()
	sum, day := t.sum(calls), DayOf(t.Ended, b.zone)
	b.All = b.All.Add(sum)
	b.ByRun.add(t.Run, sum)
	b.ByBinding.add(t.Binding, sum)
	b.ByChannel.add(t.Channel, sum)
	b.ByDay.add(day, sum)
	b.ByChannelDay.add(ChannelDay{t.Channel, day}, sum)
	for _, m := range t.byModel(calls) {
		b.ByModel.add(m.Model, m.Sum)
	}
	return true
}
