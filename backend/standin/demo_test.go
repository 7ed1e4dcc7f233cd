package standin

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// The demo looks around before its first answer, says so, and says what to try.
// Later ones, and those of a restored session, are told only what is new.
func TestDemo(t *testing.T) {
	const session = "5f3b1f8e-0000-4000-8000-000000000009"
	p := newPlace(t)
	quick := []string{paceVariable + "=0"}
	demo := append(usual("--session-id", session, "--allowedTools", "mcp__channel"), DemoFlag)
	h := startAgent(t, p, quick, demo...)
	result, lines := h.turn(mention("@claude hello"))
	var called []string
	for _, line := range find(lines, "assistant") {
		for _, block := range line["message"].(object)["content"].([]any) {
			if b := block.(object); b["type"] == "tool_use" {
				called = append(called, fmt.Sprintf("%v %v", b["name"], b["input"]))
			}
		}
	}
	if got := strings.Join(called, " "); got != "mcp__channel__channel_roster map[] mcp__channel__channel_history map[limit:5]" {
		t.Errorf("called %s", got)
	}
	reply := result["result"].(string)
	for _, want := range []string{"no model behind me", "I am cold", "I looked around first:", "channel_history", "- `slow`:", "- `fail`:", "- `ask for permission`:"} {
		if !strings.Contains(reply, want) {
			t.Errorf("the first answer lacks %q:\n%s", want, reply)
		}
	}
	again := func(want string) {
		t.Helper()
		result, lines := h.turn(mention("@claude hello"))
		if reply := result["result"].(string); !strings.Contains(reply, want) || strings.Contains(reply, "looked around") || !strings.HasSuffix(reply, "`help` says what I can do.") || len(find(lines, "assistant")) != 1 {
			t.Errorf("later:\n%s", reply)
		}
	}
	again("I am warm")
	h.ends()
	h = startAgent(t, p, quick, append(usual("--resume", session), DemoFlag)...)
	again("I am restored")
	h.ends()
	// Nothing to look around with.
	h = startAgent(t, newPlace(t), quick, "-p", DemoFlag)
	result, _ = h.turn(mention("@claude hello"))
	if strings.Contains(result["result"].(string), "looked around") {
		t.Errorf("%s", result["result"])
	}
}

// A failure that a retry mends, and one that it does not.
func TestDemoStumbles(t *testing.T) {
	h := startAgent(t, newPlace(t), nil, usual()...)
	for range 2 {
		if result, _ := h.turn(mention("@claude fail")); result["is_error"] != true || !strings.Contains(result["result"].(string), "Retry: the second time it works.") {
			t.Errorf("%v", result)
		}
		h.says(mention("@claude fail"), "This time it works.")
	}
	for range 2 {
		if result, _ := h.turn(mention("@claude /fail")); result["is_error"] != true {
			t.Errorf("%v", result)
		}
	}
}

// It counts until it is stopped, and what it said so far is a beginning of it all.
func TestDemoCounts(t *testing.T) {
	h := startAgent(t, newPlace(t), nil, usual()...)
	h.ask(mention("@claude slow"))
	first := h.until("a number", func(line object) bool {
		return shape(line) == "event/content_block_delta" && line["event"].(object)["delta"].(object)["text"] == "1, "
	})
	if first == nil {
		t.Fatal("no number")
	}
	h.send(object{"type": "control_request", "request_id": "i", "request": object{"subtype": "interrupt"}})
	if result := h.until("the result", is("result")); result["subtype"] != "error_during_execution" {
		t.Errorf("%v", result)
	}
	h.says(mention("/count 0"), "I count to 0")
	h.says(mention("/count 601"), "is no number")
	h.says(mention("/count 3\n/recall"), "ask for that alone")
}

func TestDemoAsks(t *testing.T) {
	h := startAgent(t, newPlace(t), nil, usual()...)
	h.says(mention("@claude Please ask for permission."), "I was allowed to run `git status --short`. I only asked")
	asked := find(h.seen, "control_request/can_use_tool")
	if len(asked) != 1 || asked[0]["request"].(object)["input"].(object)["command"] != askedFor {
		t.Errorf("%v", asked)
	}
}

func TestWishes(t *testing.T) {
	for text, want := range map[string]string{
		"help":                          "[{help }]",
		"@claude help":                  "[{help }]",
		"＠claude\u3000Help！":            "[{help }]",
		"@a @b What can you do?":        "[{help }]",
		"slow please":                   "[{count }]",
		"fail":                          "[{stumble }]",
		"ask for a permission":          "[{ask git status --short}]",
		"who is here?":                  "[{roster }]",
		"history":                       "[{history }]",
		"fail the build on a warning":   "[]",
		"help me":                       "[]",
		"why is it slow?":               "[]",
		"slow\nfail":                    "[]",
		"":                              "[]",
		"@claude":                       "[]",
		"please":                        "[]",
		"please please":                 "[]",
		"ask permission\n/remember key": "[{remember key}]", // a line with a slash comes first
	} {
		if got := fmt.Sprint(understand(mention(text)).commands); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestPace(t *testing.T) {
	for _, c := range []struct {
		value string
		demo  bool
		want  time.Duration
	}{
		{"", false, 0}, {"", true, demoPace}, {"0", true, 0}, {"25", false, 25 * time.Millisecond}, {"25", true, 25 * time.Millisecond},
		{"-1", true, demoPace}, {"10001", true, demoPace}, {"fast", false, 0},
	} {
		t.Setenv(paceVariable, c.value)
		if got := paceOf(c.demo); got != c.want {
			t.Errorf("%q, %t: %s, want %s", c.value, c.demo, got, c.want)
		}
	}
	a := &agent{pace: demoPace}
	for _, text := range []string{"", " ", "one", "one two  three\n\nfour ", "  한국어 글\u3000입니다.", manyWords(5000)} {
		pieces := a.pieces(text, 3)
		var all time.Duration
		for _, p := range pieces {
			if all += p.pause; p.text == "" {
				t.Errorf("%.40q has an empty piece", text)
			}
		}
		if textOf(pieces) != text || all > slowest {
			t.Errorf("%.40q: %.80q in %s", text, textOf(pieces), all)
		}
		if n := len(strings.Fields(text)); len(pieces) < n || len(pieces) > n+1 {
			t.Errorf("%.40q: %d pieces of %d words", text, len(pieces), n)
		}
	}
	if got := (&agent{}).pieces("one two three four", 2); len(got) != 2 || got[0].pause != 0 {
		t.Errorf("%v", got)
	}
	if got := textOf(a.counting(3)); !strings.HasSuffix(got, "begin again.\n\n1, 2, 3") {
		t.Error(got)
	}
}
