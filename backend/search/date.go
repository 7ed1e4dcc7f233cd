package search

import (
	"strings"
	"time"
)

// layouts are the ways to write a day, a month or a year.
var layouts = []struct {
	layout              string
	years, months, days int // how long it is
}{
	{"2006-01-02", 0, 0, 1}, {"2006-1-2", 0, 0, 1}, {"2006/1/2", 0, 0, 1}, {"2006-01", 0, 1, 0}, {"2006", 1, 0, 0},
}

// span is the time that a written day, month or year is, in now's time zone: from a
// moment on, up to another that is not part of it.
func span(text string, now time.Time) (from, to time.Time, ok bool) {
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	switch strings.ToLower(text) {
	case "today":
		return today, today.AddDate(0, 0, 1), true
	case "yesterday":
		return today.AddDate(0, 0, -1), today, true
	}
	for _, l := range layouts {
		if at, err := time.ParseInLocation(l.layout, text, now.Location()); err == nil {
			return at, at.AddDate(l.years, l.months, l.days), true
		}
	}
	return time.Time{}, time.Time{}, false
}
