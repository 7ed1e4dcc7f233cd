package search

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"hearth/backend/chat"
	"hearth/backend/plain"
)

var now = time.Date(2026, 11, 30, 15, 4, 5, 0, time.FixedZone("KST", 9*60*60))

func day(year, month, day int) time.Time {
	return time.Date(year, time.Month(month), day, 0, 0, 0, 0, now.Location())
}

func TestParse(t *testing.T) {
	for typed, want := range map[string]Query{
		"":                         {},
		"  \t\n ":                  {},
		`"" "  "`:                  {},
		"Retry  retry helper":      {Words: []string{"retry", "helper"}},
		`"two workers" one`:        {Words: []string{"two workers", "one"}},
		`"not closed yet`:          {Words: []string{"not closed yet"}},
		"“as some keyboards”":      {Words: []string{"as some keyboards"}},
		"a\"b":                     {Words: []string{`a"b`}},
		"in:#backend x":            {Words: []string{"x"}, In: []string{"backend"}},
		`in:"two words" IN:other`:  {In: []string{"two words", "other"}},
		"from:@Aiko from:me":       {From: []string{"aiko", ""}},
		"from:@me":                 {From: []string{"me"}},
		"in: from: before: x":      {Words: []string{"x"}},
		"is:thread":                {InThread: true},
		"http://x.y:80 foo:bar ::": {Words: []string{"http://x.y:80", "foo:bar", "::"}},
		"before:2026-11-01":        {Before: day(2026, 11, 1)},
		"after:2026-11-01":         {Since: day(2026, 11, 2)},
		"on:2026-11-01":            {Since: day(2026, 11, 1), Before: day(2026, 11, 2)},
		"on:2026-11":               {Since: day(2026, 11, 1), Before: day(2026, 12, 1)},
		"on:2026":                  {Since: day(2026, 1, 1), Before: day(2027, 1, 1)},
		"after:2025 before:2026-3": {Since: day(2026, 1, 1), Faults: []string{"before:2026-3 is no day. Write it as 2026-11-01, 2026-11, 2026, today or yesterday."}},
		"on:today":                 {Since: day(2026, 11, 30), Before: day(2026, 12, 1)},
		"on:Yesterday on:today":    {Since: day(2026, 11, 30), Before: day(2026, 11, 30)},
		"before:2026-02-30":        {Faults: []string{"before:2026-02-30 is no day. Write it as 2026-11-01, 2026-11, 2026, today or yesterday."}},
		"is:\u202eodd":             {Faults: []string{"is:⟦U+202E⟧odd is not known. is:thread looks in threads only."}},
		"검색 in:백엔드 from:지민":        {Words: []string{"검색"}, In: []string{"백엔드"}, From: []string{"지민"}},
		"\u200b\u202e":             {},
	} {
		got, err := Parse(typed, now)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, %v, want %+v", typed, got, err, want)
		}
		if got.Empty() != (len(want.Words)+len(want.In)+len(want.From) == 0 && want.Since.IsZero() && want.Before.IsZero() && !want.InThread) {
			t.Errorf("%q: empty is %t", typed, got.Empty())
		}
	}
	if _, err := Parse(strings.Repeat("한", MaxQuery), now); err != nil {
		t.Errorf("the most is too much: %v", err)
	}
	if _, err := Parse(strings.Repeat("x", 100_000), now); chat.CodeOf(err) != chat.CodeInvalid || !strings.Contains(err.Error(), "100000 characters; 1000 is the most") {
		t.Errorf("too much: %v", err)
	}
}

func TestFold(t *testing.T) {
	for text, want := range map[string]string{
		"Plain TEXT": "plain text", "a  b\r\n\tc\x00d": "a b c d", "É e\u0301": "e e", "Ａｂ１": "ab1", "\u1112\u1161\u11ab": "한", "ﬁ": "fi", "Straße": "strasse",
		"ΟΔΟΣ": "οδοσ", "à̀̀b": "ab", "می‌خواهم": "میخواهم", "❤️": "❤", "İ": "i", "\xffx": "\ufffdx", "हिन्दी": "हिन्दी", "が": "か\u3099",
	} {
		if text == "が" {
			want = "が"
		}
		if got := Fold(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestSnippet(t *testing.T) {
	long := strings.Repeat("before it ", 30) + "the Needle stands" + strings.Repeat(" after it", 40)
	for _, c := range []struct {
		text  string
		words []string
		want  string
		found []string
	}{
		{"short", nil, "short", nil},
		{"two\n\nlines  of\ttext", []string{"lines of"}, "two lines of text", []string{"lines of"}},
		{"Caf\u00e9 and cafe\u0301", []string{"cafe"}, "Caf\u00e9 and cafe\u0301", []string{"Caf\u00e9", "cafe\u0301"}},
		{"aXbxa", []string{"a", "x"}, "aXbxa", []string{"aX", "xa"}},
		{"검색 결과", []string{"색 결"}, "검색 결과", []string{"색 결"}},
		{"a \u202eb", []string{"b"}, "a ⟦U+202E⟧b", []string{"b"}},
		{"👩‍👩‍👧 x", []string{"👧"}, "👩‍👩‍👧 x", []string{"👧"}},
		{"waits to share a port", []string{"a", "share"}, "waits to share a port", []string{"share"}},
		{"gone", []string{"nothing"}, "gone", nil},
	} {
		got, ranges := Snippet(c.text, c.words)
		if got != c.want || !slices.Equal(marked(got, ranges), c.found) {
			t.Errorf("%q: %q %q, want %q %q", c.text, got, marked(got, ranges), c.want, c.found)
		}
	}
	if got, ranges := Snippet("it "+long, []string{"it", "needle"}); !strings.HasPrefix(got, "…") || !slices.Contains(marked(got, ranges), "Needle") {
		t.Errorf("the longest word leads: %q %v", got, ranges)
	}
	got, ranges := Snippet(long, []string{"needle"})
	if !strings.HasPrefix(got, "…") || !strings.HasSuffix(got, "…") || plain.Length(got) > snippetChars+2 || !slices.Equal(marked(got, ranges), []string{"Needle"}) {
		t.Errorf("a long one: %q %v", got, ranges)
	}
}

func marked(text string, ranges []Range) (all []string) {
	characters := []rune(text)
	for _, r := range ranges {
		all = append(all, string(characters[r.Begin:r.End]))
	}
	return all
}

func TestTerms(t *testing.T) {
	for word, want := range map[string][]string{
		"ab": nil, "abc": {"abc"}, "abcd": {"abc", "bcd"}, "abcdef": {"abc", "def"}, "한국어다": {"한국어", "국어다"},
	} {
		if got := Terms(word); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
		if Short(word) != (want == nil) {
			t.Errorf("%q is short: %t", word, Short(word))
		}
	}
	if n := len(Terms(strings.Repeat("x", 1000))); n != maxTerms {
		t.Errorf("%d terms", n)
	}
}

// FuzzParse: nothing typed panics, and what is found is where the snippet says.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{`in:#a "b c" from:x before:2026-11-01 d`, `"`, "is:", "on:2026-13-01", "“", "검색 \u202e\x00", "a:b:c", "in:\"", "\xff", "e\u0301\u0301", "👩‍👩‍👧‍👦"} {
		f.Add(seed, "a text with "+seed)
	}
	f.Fuzz(func(t *testing.T, typed, text string) {
		q, err := Parse(typed, now)
		if err != nil {
			if plain.Length(typed) <= MaxQuery {
				t.Fatalf("%q: %v", typed, err)
			}
			return
		}
		for _, word := range q.Words {
			if word == "" || Fold(word) != word && Fold(Fold(word)) != Fold(word) {
				t.Errorf("%q: the word %q is not folded", typed, word)
			}
			if !Found("x"+word+"x", nil) {
				t.Error("no words are not found")
			}
			for _, term := range Terms(word) {
				if utf8.RuneCountInString(term) != Term || !strings.Contains(word, term) {
					t.Errorf("%q has the term %q", word, term)
				}
			}
		}
		snippet, ranges := Snippet(text, q.Words)
		length, last := plain.Length(snippet), 0
		if !utf8.ValidString(snippet) || strings.ContainsAny(snippet, "\n\x00") {
			t.Errorf("the snippet %q", snippet)
		}
		for _, r := range ranges {
			if r.Begin < last || r.End <= r.Begin || r.End > length {
				t.Errorf("%v in %q", ranges, snippet)
			}
			last = r.End
		}
		if len(q.Words) > 0 && Found(text, q.Words) && len(ranges) == 0 {
			t.Errorf("%q has %q, and the snippet %q shows none", text, q.Words, snippet)
		}
	})
}
