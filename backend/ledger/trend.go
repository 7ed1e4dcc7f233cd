package ledger

import "slices"

// trendTurns is how many turns a trend looks back: far enough that one large file does not make it, near enough that last
// week's work does not either.
const trendTurns = 20

// A Trend is by how much a conversation grows, in tokens a turn. It is an estimate.
type Trend struct {
	PerTurn   float64
	Low, High float64 // half of the pairs of turns lie between these
	Turns     int     // how many turns it is from, at most 20
}

// TrendOf is the trend of the sizes of a conversation after each of its turns, oldest first: the newest 20. ok is false for
// fewer than three.
//
// It is the median of the slopes between every two of them (Theil and Sen). A line of least squares would follow a single
// turn that read a large file; the median of the growth from turn to turn would leave such turns out altogether, although
// they are what fills a context. This one takes a jump for what it adds over the distance, and stands up to almost three
// turns in ten that are out of line.
func TrendOf(sizes []int64) (t Trend, ok bool) {
	sizes = sizes[max(0, len(sizes)-trendTurns):]
	if len(sizes) < 3 {
		return Trend{}, false
	}
	slopes := make([]float64, 0, trendTurns*(trendTurns-1)/2)
	for i := range sizes {
		for j := i + 1; j < len(sizes); j++ {
			slopes = append(slopes, float64(sizes[j]-sizes[i])/float64(j-i))
		}
	}
	slices.Sort(slopes)
	return Trend{PerTurn: quantile(slopes, 2), Low: quantile(slopes, 1), High: quantile(slopes, 3), Turns: len(sizes)}, true
}

// quantile is the q-th quarter of sorted values, of which there is at least one; between two of them it is in proportion.
func quantile(sorted []float64, q int) float64 {
	at := q * (len(sorted) - 1)
	i, rest := at/4, float64(at%4)/4
	if rest == 0 {
		return sorted[i]
	}
	return sorted[i] + rest*(sorted[i+1]-sorted[i])
}

// median is the middle of values, the lower of two, and 0 of none. It sorts them.
func median(values []int64) int64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[(len(values)-1)/2]
}
