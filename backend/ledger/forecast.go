package ledger

import (
	"math"
	"time"
)

// Line is where a conversation is to be handed off.
type Line struct {
	Below int64 // so far below the end of the window it is
	Warn  int64 // warned so much before
	Floor int64 // neither is below this
}

// DefaultLine is 50,000 tokens below the end of the window, warned 20,000 before, and neither below 10,000.
var DefaultLine = Line{Below: 50_000, Warn: 20_000, Floor: 10_000}

// At is the line in a window of that size, and where it is warned of, in tokens of a prompt. A window that is not known
// (0) has none: ok is false.
func (l Line) At(window int64) (line, warn int64, ok bool) {
	if window <= 0 {
		return 0, 0, false
	}
	line = max(l.Floor, window-l.Below)
	return line, max(l.Floor, line-l.Warn), true
}

// A Forecast is what is to be expected of a binding. All of it is estimated, but for Context and Prompt.
type Forecast struct {
	Model   string // of the main thread's last call, see ModelName; "" when there was none
	Context int64  // tokens that the conversation holds; 0: not known (no call yet, or a summary took its place)
	Prompt  int64  // what the last call on the main thread sent

	Trend    Trend
	HasTrend bool

	Line, Warn int64 // in tokens of a prompt
	HasLine    bool
	// Turns is how many more turns there will be until one reaches the line; 0: the last one did. HasTurns is false when
	// it is not known, or the conversation does not grow.
	Turns    int
	HasTurns bool

	CacheLives bool // what the last call left is still there
	// What the main thread of the next turn will use: in the process that lives, in a new process that loads the saved
	// session, and in a new conversation. Subagents are not in it: they cost the same in each.
	Warm, Restored, Fresh Estimate

	Rates    Rates
	HasRates bool
}

// An Estimate is what a turn is expected to use and cost. OK is false when too little is known to say; Priced, when it has
// tokens and no money.
type Estimate struct {
	Usage  Usage
	Money  Money
	OK     bool
	Priced bool
}

// A habit is what turns of a binding are like: medians over the newest of them.
type habit struct {
	calls  int64 // on the main thread
	fresh  int64 // input that is never cached, a call
	output int64
	growth int64
	hour   bool // it writes to live an hour
}

// Predict says what is to be expected after the turns of one binding, oldest first, at a moment. turns may go back as far
// as there are any. rates are those of the model that answers; see RatesOf.
//
// How it estimates a turn: it has as many calls as turns of late had (the median), each sends what the conversation holds
// then, and the conversation grows evenly from call to call by its trend. A warm turn's first call reads what the last call
// left, if its life is not over; a restored turn's reads that share of it which restored turns have read before, or only
// what new conversations have; a fresh turn's is as large, and reads as much, as the first calls of new conversations were.
// Each later call reads what the one before has sent.
func Predict(turns []Turn, now time.Time, line Line, rates Rates) Forecast {
	var f Forecast
	at := -1 // the newest turn with a call on the main thread
	var last numbered
	for i := len(turns) - 1; i >= 0 && at < 0; i-- {
		if main := turns[i].main(); len(main) > 0 {
			at, last = i, main[len(main)-1]
		}
	}
	if at < 0 {
		return f
	}
	f.Model, f.Rates, f.HasRates = ModelName(last.Model), rates, rates.Source != ""
	f.CacheLives = lives(turns, at, last, now)

	summarised := false
	for i := at + 1; i < len(turns); i++ {
		summarised = summarised || len(turns[i].Compactions) > 0
	}
	if context, prompt, ok := turns[at].Context(); ok && !summarised {
		f.Context, f.Prompt = context, prompt
	}
	f.Trend, f.HasTrend = TrendOf(conversation(turns[:at+1]))
	f.Line, f.Warn, f.HasLine = line.At(turns[at].Window)
	f.Turns, f.HasTurns = f.untilLine()

	h := habitOf(turns[:at+1], f)
	starts, restores := openings(turns[:at+1])
	front := starts.read
	if !f.CacheLives {
		front = 0
	}
	if f.Context > 0 {
		left := last.Usage.CacheRead + last.Usage.Written()
		within := func(read int64) int64 {
			if !f.CacheLives {
				return 0
			}
			return read
		}
		f.Warm = h.turn(left+h.growth/h.calls, within(left), rates)
		read := min(front, left)
		if restores.turns > 0 {
			read = within(int64(restores.share * float64(left)))
		}
		f.Restored = h.turn(f.Context+h.growth/h.calls, read, rates)
	}
	if starts.turns > 0 {
		f.Fresh = h.turn(starts.prompt, front, rates)
	}
	return f
}

// lives says whether what the last call left is still in the cache.
func lives(turns []Turn, at int, last numbered, now time.Time) bool {
	life := time.Duration(0)
	for i := at; i >= 0 && i > at-trendTurns && life == 0; i-- {
		life = lifeOf(turns[i].main())
	}
	from := last.Began
	if from.IsZero() {
		from = turns[at].Ended
	}
	return !from.IsZero() && now.Sub(from) < max(life, ShortLife)-lifeSlack
}

// conversation is the size of the conversation after each of its newest turns. It begins where it began anew or where the
// history was replaced.
func conversation(turns []Turn) []int64 {
	var sizes []int64
	for i := len(turns) - 1; i >= 0 && len(sizes) < trendTurns; i-- {
		t := &turns[i]
		context, _, ok := t.Context()
		if ok {
			sizes = append(sizes, context)
		}
		if len(t.Compactions) > 0 || t.Temperature == Cold || i > 0 && t.anew(turns[i-1].Native) {
			break
		}
	}
	for i, j := 0, len(sizes)-1; i < j; i, j = i+1, j-1 {
		sizes[i], sizes[j] = sizes[j], sizes[i]
	}
	return sizes
}

func (f *Forecast) untilLine() (int, bool) {
	switch {
	case f.Context == 0 || !f.HasLine:
		return 0, false
	case f.Prompt >= f.Line:
		return 0, true
	case !f.HasTrend || f.Trend.PerTurn <= 0:
		return 0, false
	}
	n := math.Ceil(float64(f.Line-f.Prompt) / f.Trend.PerTurn)
	if n > math.MaxInt32 {
		return 0, false // it does not grow to speak of
	}
	return int(n), true
}

// habitOf looks at the newest turns.
func habitOf(turns []Turn, f Forecast) habit {
	var calls, fresh, output, growth []int64
	var short, hour int64
	for i := len(turns) - 1; i >= 0 && len(calls) < trendTurns; i-- {
		main := turns[i].main()
		if len(main) == 0 {
			continue
		}
		var u Usage
		for _, c := range main {
			u = u.Add(c.Usage)
		}
		n := int64(len(main))
		calls, fresh, output = append(calls, n), append(fresh, u.Input/n), append(output, u.Output)
		growth = append(growth, main[n-1].Usage.Context()-main[0].Usage.Prompt())
		short, hour = short+u.CacheWrite5m, hour+u.CacheWrite1h
	}
	h := habit{calls: max(1, median(calls)), fresh: median(fresh), output: median(output), hour: hour > short}
	h.growth = max(0, median(growth))
	if f.HasTrend {
		h.growth = max(0, int64(math.Round(f.Trend.PerTurn)))
	}
	return h
}

// turn estimates one whose first call sends prompt tokens and reads some of them.
func (h habit) turn(prompt, read int64, rates Rates) Estimate {
	prompt = max(prompt, h.fresh)
	read = max(0, min(read, prompt-h.fresh))
	inner := h.growth * (h.calls - 1) / h.calls // what comes into the conversation between the calls
	u := Usage{Input: h.fresh * h.calls, Output: h.output}
	u.CacheRead = read + (h.calls-1)*(prompt-h.fresh) + inner*(h.calls-2)/2
	if h.calls == 1 {
		u.CacheRead = read
	}
	written := prompt - h.fresh - read + inner
	if h.hour {
		u.CacheWrite1h = written
	} else {
		u.CacheWrite5m = written
	}
	e := Estimate{Usage: u, OK: true}
	e.Money, e.Priced = rates.Cost(u, prompt+inner/2)
	return e
}

// opening is what first calls of conversations, or of loaded ones, were like.
type opening struct {
	turns  int
	prompt int64   // median
	read   int64   // median
	share  float64 // of what the turn before left, how much was read: median
}

// openings looks at the newest cold turns, and at the newest restored ones whose cache was still there.
func openings(turns []Turn) (cold, restored opening) {
	var prompts, reads, shares []int64
	const parts = 1_000_000 // a share is kept as this many parts
	for i := len(turns) - 1; i >= 0 && (len(prompts) < trendTurns || len(shares) < trendTurns); i-- {
		t := &turns[i]
		if t.Temperature != Cold && t.Temperature != Restored {
			continue
		}
		main := t.main()
		if len(main) == 0 {
			continue
		}
		first := main[0].Usage
		if t.Temperature == Cold {
			if len(prompts) < trendTurns {
				prompts, reads = append(prompts, first.Prompt()), append(reads, first.CacheRead)
			}
			continue
		}
		for j := i - 1; j >= 0 && len(shares) < trendTurns; j-- {
			before := turns[j].main()
			if len(before) == 0 {
				continue
			}
			last := before[len(before)-1]
			left := last.Usage.CacheRead + last.Usage.Written()
			if began := main[0].Began; left > 0 && !began.IsZero() && lives(turns, j, last, began) {
				shares = append(shares, min(parts, first.CacheRead*parts/left))
			}
			break
		}
	}
	cold = opening{turns: len(prompts), prompt: median(prompts), read: median(reads)}
	restored = opening{turns: len(shares), share: float64(median(shares)) / parts}
	return cold, restored
}
