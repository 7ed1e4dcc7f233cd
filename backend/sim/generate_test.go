package sim

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"hearth/backend/delivery"
	"hearth/backend/plain"
)

// seeds are the channels that the tests of the published shape are held to.
const seeds = 12

// The channel has the published marginals, whatever the seed.
func TestGenerate(t *testing.T) {
	for seed := range uint64(seeds) {
		c := Generate(seed)
		turns, _, err := c.turns()
		if err != nil {
			t.Fatal(err)
		}
		want := Facts{
			Name: "backend", Agent: "claude", Rows: 200, Mentions: 30, People: 5, Agents: 1, LongRows: 8,
			Gaps: Gaps{Min: 1, Median: 4, Max: 21},
		}
		if got := c.facts(turns); got != want {
			t.Errorf("seed %d: %+v", seed, got)
		}
		ids := map[string]bool{}
		for i, row := range c.Rows {
			if ids[row.ID] || len(row.ID) != 26 {
				t.Errorf("seed %d: id %q", seed, row.ID)
			}
			ids[row.ID] = true
			if i > 0 && !row.CreatedAt.After(c.Rows[i-1].CreatedAt) {
				t.Errorf("seed %d: row %d is not after the one before", seed, i)
			}
			if strings.ContainsAny(row.Body, "{}") || row.Body == "" || strings.Contains(row.Body, "%!") {
				t.Errorf("seed %d: row %d is not filled in: %q", seed, i, row.Body)
			}
			if plain.Length(row.Body) > delivery.DefaultMaxChars && !strings.HasSuffix(row.Body, "\n```") {
				t.Errorf("seed %d: row %d is long and no log: %q", seed, i, row.Body)
			}
		}
		for n, turn := range turns {
			if turn.reply == nil || !turn.reply.Own || turn.reply.CreatedAt.Before(turn.asked().CreatedAt) {
				t.Errorf("seed %d: turn %d: %+v", seed, n, turn.reply)
			}
		}
	}
}

func TestGenerateIsRepeatable(t *testing.T) {
	if !reflect.DeepEqual(Generate(5), Generate(5)) {
		t.Error("one seed makes two channels")
	}
	if reflect.DeepEqual(Generate(5).Rows, Generate(6).Rows) {
		t.Error("two seeds make one channel")
	}
}

// People write in several scripts.
func TestGenerateScripts(t *testing.T) {
	for seed := range uint64(seeds) {
		var all strings.Builder
		for _, row := range Generate(seed).Rows {
			all.WriteString(row.Body)
		}
		for name, script := range map[string]*unicode.RangeTable{
			"Latin": unicode.Latin, "Hangul": unicode.Hangul, "Hiragana": unicode.Hiragana, "Han": unicode.Han,
			"Devanagari": unicode.Devanagari, "Arabic": unicode.Arabic,
		} {
			if !strings.ContainsFunc(all.String(), func(r rune) bool { return unicode.Is(script, r) }) {
				t.Errorf("seed %d: nobody writes %s", seed, name)
			}
		}
	}
}

// The text of the script is whole: every person of the channel has something to say
// about everything, and every question its answer.
func TestScript(t *testing.T) {
	s := theScript()
	for _, topic := range append([]topic{s.anything}, s.topics...) {
		for _, p := range people {
			if len(topic.says[p.handle]) < 2 {
				t.Errorf("%s: %q says %d lines", topic.name, p.handle, len(topic.says[p.handle]))
			}
		}
		if len(topic.says) != len(people) || len(topic.asks) < 4 {
			t.Errorf("%s: %d speak, %d questions", topic.name, len(topic.says), len(topic.asks))
		}
		for _, ask := range topic.asks {
			if ask.answer == "" || !strings.HasPrefix(ask.question, "@claude ") ||
				!slices.ContainsFunc(people, func(p struct {
					handle string
					weight int
				}) bool {
					return p.handle == ask.by
				}) {
				t.Errorf("%s: %+v", topic.name, ask)
			}
		}
	}
	for _, wrong := range []string{"", "= anything\n", "= a\n= b\n", "aiko: no topic", "= anything\n= b\n! no question", "= anything\n= b\nnobody"} {
		if _, err := readScript(wrong); err == nil {
			t.Errorf("%q was read", wrong)
		}
	}
}

// The prefix is what the published simulation has: 20 tools and a system prompt,
// 2,120 tokens, and a line of 28 in front of it.
func TestPrefix(t *testing.T) {
	g, err := newGame(Generate(1), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []strategy{window, watermark, unstable} {
		if n := len(g.head(s)); n != PrefixTokens {
			t.Errorf("the prefix has %d tokens", n)
		}
	}
	names := map[string]bool{}
	for definition := range strings.Lines(tools) {
		var tool struct {
			Name, Description string
			InputSchema       struct {
				Type       string
				Properties map[string]any
				Required   []string
			} `json:"input_schema"`
		}
		decoder := json.NewDecoder(strings.NewReader(definition))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&tool); err != nil || tool.Name == "" || tool.Description == "" || tool.InputSchema.Type != "object" || names[tool.Name] {
			t.Errorf("%v: %+v", err, tool)
		}
		for _, name := range tool.InputSchema.Required {
			if tool.InputSchema.Properties[name] == nil {
				t.Errorf("%s requires %s, which it does not have", tool.Name, name)
			}
		}
		names[tool.Name] = true
	}
	if len(names) != 20 {
		t.Errorf("%d tools", len(names))
	}
	lines := map[string]bool{}
	for n, turn := range g.turns {
		line := presence("backend", n, turn.asked().CreatedAt)
		if tokens := g.count(line); tokens != PresenceTokens {
			t.Errorf("%q has %d tokens", line, tokens)
		}
		lines[line] = true
	}
	if len(lines) != len(g.turns) {
		t.Errorf("%d lines in %d turns", len(lines), len(g.turns))
	}
}
