package ledger

import (
	"math/rand/v2"
	"testing"
	"time"
)

// A year of a busy house: 100,000 runs.
const yearOfRuns = 100_000

func BenchmarkYear(b *testing.B) {
	turns := anyTurns(rand.New(rand.NewPCG(1, 1)), yearOfRuns)
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		b.Fatal(err)
	}
	perRun := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/yearOfRuns, "ns/run")
	}
	b.Run("sum", func(b *testing.B) {
		for b.Loop() {
			book := NewBook(zone)
			for i := range turns {
				book.Add(&turns[i])
			}
		}
		perRun(b)
	})
	b.Run("breaks", func(b *testing.B) {
		for b.Loop() {
			Breaks(turns)
		}
		perRun(b)
	})
	b.Run("forecast", func(b *testing.B) {
		now := turns[len(turns)-1].Ended
		for b.Loop() {
			rates, _ := RatesOf(turns, testModels[0])
			Predict(turns, now, DefaultLine, rates)
		}
	})
	// The page asks for a forecast after every turn.
	b.Run("forecast of each", func(b *testing.B) {
		for b.Loop() {
			for i := 1000; i < len(turns); i += 1000 {
				rates, _ := RatesOf(turns[:i], testModels[0])
				Predict(turns[:i], turns[i-1].Ended, DefaultLine, rates)
			}
		}
	})
}
