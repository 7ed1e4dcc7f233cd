//go:build e2e

package claude

import (
	"strings"
	"testing"
)

// What the ledger lives on: the client hands on what the API says of a call, and says itself when it replaced the history.
func TestRealClientSaysWhatACallWas(t *testing.T) {
	h := newHouse(t, func(q request) reaction {
		switch {
		case strings.Contains(q.newest, "second"):
			return reaction{text: "again", think: 3, miss: object{"type": "messages_changed", "cache_missed_input_tokens": 4321}}
		default:
			return reaction{text: "hello from the model", think: 4}
		}
	})
	s := h.open(t, h.options(t), "compact")

	r, _ := s.turn("first")
	if len(r.Calls) != 1 || r.Calls[0].Usage.Thinking != 4 || r.Calls[0].TTFT <= 0 || r.Calls[0].Ended.Before(r.Calls[0].Began) {
		t.Fatalf("calls %+v", r.Calls)
	}
	if r.Usage.Thinking != 4 || r.Calls[0].Miss != (CacheMiss{}) || r.Client.Version == "" || len(r.Client.Tools) == 0 {
		t.Errorf("usage %+v, miss %+v, client %+v", r.Usage, r.Calls[0].Miss, r.Client)
	}
	if got, want := r.ContextSize(), usageOfACall.Prompt()+usageOfACall.Output; got != want || r.ContextWindow < 100_000 {
		t.Errorf("the context holds %d of %d, want %d", got, r.ContextWindow, want)
	}

	r, _ = s.turn("second")
	if want := (CacheMiss{Reason: "messages_changed", Tokens: 4321}); r.Calls[0].Miss != want || r.Usage.Thinking != 3 {
		t.Errorf("miss %+v, want %+v; usage %+v", r.Calls[0].Miss, want, r.Usage)
	}

	before := len(h.asked())
	r, events := s.turn("/compact")
	if len(r.Compacted) != 1 || r.Compacted[0].Trigger != "manual" || r.Compacted[0].PreTokens <= 0 || r.ContextSize() != 0 {
		t.Fatalf("compacted %+v, context %d", r.Compacted, r.ContextSize())
	}
	if !strings.Contains(kinds(events), "Compacted") {
		t.Errorf("events %s", kinds(events))
	}
	// The call that made the summary is billed and not shown.
	if len(h.asked()) == before || len(r.Calls) != 0 || r.Usage.Output == 0 || r.CostUSD <= 0 {
		t.Errorf("%d requests, calls %+v, usage %+v, cost %v", len(h.asked())-before, r.Calls, r.Usage, r.CostUSD)
	}

	r, _ = s.turn("third")
	if len(r.Compacted) != 0 || r.ContextSize() == 0 {
		t.Errorf("after it: compacted %+v, context %d", r.Compacted, r.ContextSize())
	}
}
