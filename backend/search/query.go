package search

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"hearth/backend/chat"
	"hearth/backend/plain"
)

// MaxQuery is how many characters a query may have. Fixed.
const MaxQuery = 1000

// Me is what stands for the owner in from:, whose handle is empty.
const Me = "me"

// Query is what a person looks for. Without words it is whatever the filters leave.
type Query struct {
	Words []string // folded, none twice; a text is found that has all of them
	In    []string // channels, each by its name or the beginning of it, or its id; none: all
	From  []string // handles, folded; "" is the owner; none: everybody
	// Since and Before bound the time; the zero time leaves it open.
	Since    time.Time // this moment or later
	Before   time.Time // earlier than this
	InThread bool      // only what stands in a thread
	Faults   []string  // what makes no sense, for people
}

// Empty says whether a query asks for nothing at all.
func (q Query) Empty() bool {
	return len(q.Words)+len(q.In)+len(q.From) == 0 && q.Since.IsZero() && q.Before.IsZero() && !q.InThread
}

// Request is a query, and which page of what it finds is wanted.
type Request struct {
	Query
	ChannelIDs []string // it stands in one of these; In is not looked at
	Cursor     int64    // where to go on, as Results gave it; 0: the newest
	Limit      int      // 1 or more
}

// Results is a page of what was found.
type Results struct {
	Rows []chat.Row // newest first: in the order in which they were stored
	// Cursor is where to go on; 0: that was all. A page may hold less than the limit,
	// nothing even, and not be the last: looking through more would have taken long.
	Cursor int64
}

// Parse reads what a person typed. Days are those of now's time zone. It answers
// CodeInvalid for what is longer than MaxQuery, and nothing else.
func Parse(text string, now time.Time) (q Query, err error) {
	if n := plain.Length(text); n > MaxQuery {
		return q, chat.Errorf(chat.CodeInvalid, "What is looked for has %d characters; %d is the most. Look for a part of it.", n, MaxQuery)
	}
	for rest := plain.Repair(text); ; {
		var t token
		if t, rest = next(rest); t == (token{}) {
			return q, nil
		}
		if t.key == "" {
			q.word(t.value)
		} else if t.value != "" { // else it is still being typed
			q.Add(t.key, t.value, now)
		}
	}
}

// Filters are the filters that there are, without their colons.
var Filters = []string{"in", "from", "before", "after", "on", "is"}

// Add adds a filter by its name and value: in, from, before, after, on, or is.
func (q *Query) Add(filter, value string, now time.Time) {
	switch filter {
	case "in":
		if name := chat.CleanName(value); name != "" {
			q.In = append(q.In, name)
		}
	case "from":
		handle := chat.Fold(chat.CleanHandle(value))
		if strings.EqualFold(strings.TrimSpace(value), Me) {
			handle = ""
		}
		q.From = append(q.From, handle)
	case "before", "after", "on":
		q.date(filter, value, now)
	case "is":
		if chat.Fold(value) != "thread" {
			q.fault("is:%s is not known. is:thread looks in threads only.", value)
			return
		}
		q.InThread = true
	}
}

func (q *Query) word(text string) {
	if word := strings.TrimSpace(Fold(text)); word != "" && !slices.Contains(q.Words, word) {
		q.Words = append(q.Words, word)
	}
}

func (q *Query) date(filter, value string, now time.Time) {
	from, to, ok := span(value, now)
	if !ok {
		q.fault("%s:%s is no day. Write it as 2026-11-01, 2026-11, 2026, today or yesterday.", filter, value)
		return
	}
	// As in other chat programs, before and after leave the day itself out.
	since, before := from, to
	switch filter {
	case "before":
		since, before = time.Time{}, from
	case "after":
		since, before = to, time.Time{}
	}
	if since.After(q.Since) {
		q.Since = since
	}
	if !before.IsZero() && (q.Before.IsZero() || before.Before(q.Before)) {
		q.Before = before
	}
}

func (q *Query) fault(format string, args ...any) {
	for i, arg := range args {
		if text, ok := arg.(string); ok {
			kept, cut := plain.Cut(text, chat.MaxName)
			if cut > 0 {
				kept += "…"
			}
			args[i] = plain.Inline(kept)
		}
	}
	q.Faults = append(q.Faults, fmt.Sprintf(format, args...))
}

// token is a word, or a filter (key) with its value.
type token struct{ key, value string }

// next takes the first token off a text; it is empty when nothing is left.
func next(text string) (t token, rest string) {
	text = strings.TrimLeftFunc(text, unicode.IsSpace)
	key, value, ok := strings.Cut(text, ":")
	if ok && slices.Contains(Filters, strings.ToLower(key)) {
		t.key = strings.ToLower(key)
		text = value
	}
	for _, marks := range [][2]string{{`"`, `"`}, {"\u201c", "\u201d"}} { // some keyboards write the second
		if quoted, ok := strings.CutPrefix(text, marks[0]); ok {
			t.value, rest, _ = strings.Cut(quoted, marks[1]) // the mark at the end may be still to come
			if t == (token{}) {
				return next(rest)
			}
			return t, rest
		}
	}
	// A filter's value follows its colon at once.
	end := strings.IndexFunc(text, unicode.IsSpace)
	if end < 0 {
		end = len(text)
	}
	t.value = text[:end]
	return t, text[end:]
}
