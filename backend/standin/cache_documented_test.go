package standin

import (
	"fmt"
	"testing"
	"time"
)

// The examples of the Messages API's page on prompt caching, each with figures that
// can be counted by eye: a word is a token.

// "Multiple breakpoints": tools, instructions, documents and the conversation are
// marked apart. What changes invalidates its own level and those after it.
func TestDocumentedFourBreakpoints(t *testing.T) {
	type state struct{ tool, instructions, documents string }
	history := func(asks ...string) (messages []object) {
		for i, ask := range asks {
			asked := block(words(ask, 5))
			if i == len(asks)-1 {
				asked = marked(asked, "")
			}
			messages = append(messages, user(asked))
			if i < len(asks)-1 {
				messages = append(messages, assistant(block(words("reply", 7))))
			}
		}
		return messages
	}
	body := func(s state, asks ...string) object {
		return request(object{
			"tools":    tools(s.tool),
			"system":   []object{marked(block(words(s.instructions, 30)), ""), marked(block(words(s.documents, 200)), "")},
			"messages": history(asks...),
		})
	}
	base := state{tool: "search", instructions: "rule", documents: "page"}
	b := newBench(t)
	toolTokens := newBench(t).usage(request(object{"tools": tools("search"), "messages": []object{user(block("x"))}})).CacheCreationInputTokens
	front := toolTokens + 230
	b.wants(body(base, "one"), 0, 0, front+5, 0)         // all is written
	b.wants(body(base, "one", "two"), 0, front+5, 12, 0) // the conversation grows: the last turn's entry, and what is new
	b.wants(body(base, "new"), 0, front, 5, 0)           // another conversation reads all three levels before it
	changed := base
	changed.documents = "leaf"
	b.wants(body(changed, "new"), 0, toolTokens+30, 205, 0) // new documents: tools and instructions are read
	changed.instructions = "law"
	b.wants(body(changed, "new"), 0, toolTokens, 235, 0) // new instructions: tools alone
	changed.tool = "find"
	if u := b.usage(body(changed, "new")); u.CacheReadInputTokens != 0 {
		t.Errorf("new tools: %+v", u)
	}
}

// "Mixing different TTLs": A is the longest prefix that is read, B the end of the
// last hour's mark, C the end of the last mark. Read is A, written for an hour B-A,
// for 5 minutes C-B, and what is behind C is plain input.
func TestDocumentedMixedLives(t *testing.T) {
	body := func(hour, five string) object {
		return request(object{
			"system":   []object{marked(block(words("sys", 40)), "1h"), marked(block(words(hour, 30)), "1h")},
			"messages": []object{user(marked(block(words(five, 20)), "5m"), block(words("tail", 3)))},
		})
	}
	b := newBench(t)
	b.wants(body("docs", "ask"), 3, 0, 20, 70)   // A is 0
	b.wants(body("docs", "ask"), 3, 90, 0, 0)    // A is C
	b.wants(body("docs", "new"), 3, 70, 20, 0)   // A is B
	b.wants(body("other", "ask"), 3, 40, 20, 30) // A lies before B
	b.now = b.now.Add(5 * time.Minute)
	b.wants(body("docs", "ask"), 3, 70, 20, 0) // the 5 minutes are over, the hour is not
}

// "The look-back": an edit far back is found by a mark before it, not by the one at
// the end, although that one looks at 20 positions.
func TestDocumentedLookBackAfterAnEdit(t *testing.T) {
	body := func(edited int, marks ...int) object {
		var messages []object
		for i := 1; i <= 30; i++ {
			text := block(fmt.Sprint("block", i))
			if i == edited {
				text = block("edited")
			}
			for _, m := range marks {
				if m == i {
					text = marked(text, "")
				}
			}
			if i%2 == 1 {
				messages = append(messages, user(text))
			} else {
				messages = append(messages, assistant(text))
			}
		}
		return request(object{"messages": messages})
	}
	b := newBench(t)
	b.wants(body(0, 30), 0, 0, 30, 0)
	b.wants(body(25, 30), 0, 0, 30, 0) // nothing was written before the edit
	b = newBench(t)
	b.wants(body(0, 5, 30), 0, 0, 30, 0)
	b.wants(body(25, 30), 0, 0, 30, 0)    // block 5 is 25 before the mark
	b.wants(body(28, 5, 30), 0, 5, 25, 0) // with a mark there it is found
}

// "Concurrent requests": an entry can be read once the first answer has begun, so of
// two at once both write.
func TestDocumentedConcurrentRequests(t *testing.T) {
	b := newBench(t)
	c := &b.api.cache
	positions := []position{{prefix: digest{1}, tokens: 10, ttl: 5 * time.Minute}}
	first, second := c.look(positions, 1, b.now), c.look(positions, 1, b.now)
	c.commit(first, b.now)
	third := c.look(positions, 1, b.now)
	for i, want := range []int{10, 10, 0} {
		if got := []plan{first, second, third}[i].usage.CacheCreationInputTokens; got != want {
			t.Errorf("request %d writes %d, want %d", i+1, got, want)
		}
	}
	if third.usage.CacheReadInputTokens != 10 {
		t.Errorf("after the answer began: %+v", third.usage)
	}
}

// The sizes of a request's levels are those that its usage is made of.
func TestSizesAreWhatIsBilled(t *testing.T) {
	b := newBench(t)
	for name, change := range map[string]object{
		"all levels":     {"tools": tools("first"), "system": []object{block(words("sys", 40)), block("more")}},
		"no tools":       {"system": "a text of six words, altogether"},
		"messages alone": {},
	} {
		before := len(b.api.Book())
		u := b.usage(request(change))
		s := b.api.Sizes(b.api.Book()[before].Request)
		if s.Tools+s.System+s.Messages != u.Total() || s.Messages != 1 || (s.Tools > 0) != (change["tools"] != nil) || (s.System > 0) != (change["system"] != nil) {
			t.Errorf("%s: %+v of %+v", name, s, u)
		}
	}
}
