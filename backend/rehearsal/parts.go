package rehearsal

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"hearth/backend/plain"
	"hearth/backend/standin"
)

// part is one piece of a request that is compared: a tool, a block of the system
// prompt, or a block of a message.
type part struct {
	name    string // the same in two requests that are compared
	message int    // in which message it stands, from 1; 0: before the first
	text    string // what is compared; where the cache's marks stand is no part of it
}

// partsOf takes a request apart, in the cache's order.
func partsOf(r standin.Request) ([]part, error) {
	var parts []part
	for _, t := range r.Tools {
		text, err := unmarked(t.Raw)
		if err != nil {
			return nil, fmt.Errorf("read the tool %s: %w", t.Name, err)
		}
		parts = append(parts, part{"tool " + t.Name, 0, text})
	}
	add := func(name string, message int, role string, blocks []standin.Content) error {
		for i, c := range blocks {
			text := c.Text
			if c.Type != "text" {
				var err error
				if text, err = unmarked(c.Raw); err != nil {
					return fmt.Errorf("read %s: %w", name, err)
				}
			}
			parts = append(parts, part{fmt.Sprintf("%s, block %d", name, i+1), message, role + text})
		}
		return nil
	}
	if err := add("system prompt", 0, "", r.System); err != nil {
		return nil, err
	}
	for i, m := range r.Messages {
		if err := add(fmt.Sprintf("message %d (%s)", i+1, m.Role), i+1, m.Role+"\n", m.Content); err != nil {
			return nil, err
		}
	}
	return parts, nil
}

// unmarked is JSON without the cache's marks.
func unmarked(raw json.RawMessage) (string, error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil {
		return "", err
	}
	delete(object, "cache_control")
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(object)
	return strings.TrimSpace(text.String()), err
}

// Difference is a part that two requests do not have in common.
type Difference struct {
	Part string `json:"part"`
	// Prefix says that it stands before the first message: all behind it has to be
	// read anew.
	Prefix bool `json:"prefix"`
	// Before and After are what stands there in the one and the other, around the
	// first place that differs; empty where one has no such part.
	Before string `json:"before"`
	After  string `json:"after"`
}

// maxDifferences bounds what is listed of two requests.
const maxDifferences = 30

// differences lists the parts that two requests do not have in common, by name, in
// the order of the second; those of the prefix that it does not have come last.
func differences(before, after []part) []Difference {
	old := make(map[string]string, len(before))
	for _, p := range before {
		old[p.name] = p.text
	}
	var found []Difference
	note := func(d Difference) {
		if len(found) < maxDifferences {
			found = append(found, d)
		}
	}
	seen := make(map[string]bool, len(after))
	for _, p := range after {
		seen[p.name] = true
		text, ok := old[p.name]
		switch {
		case !ok:
			note(Difference{p.name, p.message == 0, "", excerpt(p.text, 0)})
		case text != p.text:
			at := common(text, p.text)
			note(Difference{p.name, p.message == 0, excerpt(text, at), excerpt(p.text, at)})
		}
	}
	for _, p := range before {
		if p.message == 0 && !seen[p.name] {
			note(Difference{p.name, p.message == 0, excerpt(p.text, 0), ""})
		}
	}
	return found
}

// extends says in which part a request stops being one that goes on where the one
// before it ended; empty: it is one.
func extends(before, after []part) string {
	for i, p := range before {
		if i >= len(after) || after[i] != p {
			return p.name
		}
	}
	return ""
}

func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// excerpt shows a text around a byte of it, in one line.
func excerpt(text string, at int) string {
	const ahead, behind = 24, 64
	from, to := max(0, at-ahead), min(len(text), at+behind)
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	out := plain.Inline(text[from:to])
	if from > 0 {
		out = "…" + out
	}
	if to < len(text) {
		out += "…"
	}
	return out
}
