package ledger

import (
	"math"
	"strconv"
)

// Money is billionths of a dollar. An int64 of them reaches nine billion dollars.
type Money int64

// Dollar is one dollar.
const Dollar Money = 1_000_000_000

// Dollars is the client's figure as Money, rounded to the nearest billionth. What is no amount (not a number, infinite,
// beyond what Money holds) is 0: one broken figure must not spoil every sum it is in.
func Dollars(usd float64) Money {
	n := math.Round(usd * float64(Dollar))
	if math.IsNaN(n) || math.Abs(n) >= 1<<62 {
		return 0
	}
	return Money(n)
}

// USD is the amount in dollars, for showing.
func (m Money) USD() float64 { return float64(m) / float64(Dollar) }

// String is like $12.34, and with more digits for less than a dollar: $0.0019.
func (m Money) String() string {
	digits := 2
	if a := math.Abs(m.USD()); a < 1 && a > 0 {
		digits = 4
	}
	s := strconv.FormatFloat(math.Abs(m.USD()), 'f', digits, 64)
	if m < 0 {
		return "-$" + s
	}
	return "$" + s
}
