package run

import (
	"strings"
	"testing"
	"time"

	"hearth/backend/chat"
	"hearth/backend/plain"
)

func TestLiveKeepsEachStepOnceAndTheTextThatStreams(t *testing.T) {
	l := newLive(Run{ID: "r", ChannelID: "c"})
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	if e := l.happen(Happening{Delta: "안녕"}, at); e.Delta || e.Type != EventRunDelta || e.ChannelID != "c" {
		t.Errorf("a delta's event: %+v", e)
	}
	if e := l.happen(Happening{Delta: "하세요"}, at); !e.Delta || e.Data != (Delta{RunID: "r", At: 2, Text: "하세요"}) {
		t.Errorf("a later delta's event: %+v", e)
	}
	if text, _, _ := text(l); text != "안녕하세요" {
		t.Errorf("text so far: %q", text)
	}
	l.happen(Happening{Step: &Step{Kind: "tool", ID: "t1", Name: "Bash", Input: `{"command":"ls"}`}}, at)
	l.happen(Happening{Step: &Step{Kind: "tool", ID: "t2", Parent: "t1", Name: "Read"}}, at)
	e := l.happen(Happening{Step: &Step{Kind: "tool", ID: "t1", Output: "a\nb", Error: true}, Done: true}, at.Add(2*time.Second))
	ended := e.Data.(StepEvent)
	if e.Delta || !ended.Done || ended.Step.Name != "Bash" || ended.Step.Took != 2*time.Second || ended.Step.N != 0 {
		t.Errorf("the end of a step: %+v", ended)
	}
	l.happen(Happening{Step: &Step{Kind: "text", Output: "안녕하세요"}, Done: true}, at)
	streaming, steps, _ := text(l)
	if streaming != "" || len(steps) != 3 {
		t.Errorf("after a whole block: %q and %d steps", streaming, len(steps))
	}
	if s := steps[0]; s.Output != "a\nb" || !s.Error || s.Input != `{"command":"ls"}` {
		t.Errorf("the first step: %+v", s)
	}
	if s := steps[1]; s.Parent != "t1" || s.Took != 0 {
		t.Errorf("the step that still goes: %+v", s)
	}
}

func TestLiveForgetsWhatWasRetracted(t *testing.T) {
	l := newLive(Run{ID: "r"})
	l.happen(Happening{Delta: "not ours"}, time.Now())
	l.happen(Happening{Step: &Step{Kind: "tool", ID: "t"}}, time.Now())
	l.happen(Happening{Retract: true}, time.Now())
	l.happen(Happening{Delta: "ours"}, time.Now())
	l.happen(Happening{Step: &Step{Kind: "tool", ID: "t", Output: "x"}, Done: true}, time.Now())
	if streaming, steps, _ := text(l); streaming != "ours" || len(steps) != 1 || steps[0].N != 0 {
		t.Errorf("%q, %+v", streaming, steps)
	}
}

func text(l *live) (string, []Step, bool) {
	s, steps := l.snapshot()
	return s, steps, true
}

func TestLiveBoundsWhatItKeeps(t *testing.T) {
	l := newLive(Run{})
	huge := strings.Repeat("한", MaxStepChars+5)
	l.happen(Happening{Step: &Step{Kind: "tool", ID: "t", Input: huge, Output: huge}, Done: true}, time.Now())
	_, steps := l.snapshot()
	if n := plain.Length(steps[0].Output); n > MaxStepChars+100 || !strings.Contains(steps[0].Output, "transcript has the rest") {
		t.Errorf("%d characters were kept", n)
	}
	for range maxSteps + 10 {
		l.happen(Happening{Step: &Step{Kind: "text", Output: "x"}, Done: true}, time.Now())
	}
	if _, steps := l.snapshot(); len(steps) != maxSteps {
		t.Errorf("%d steps were kept, want %d", len(steps), maxSteps)
	}
}

func TestAddresseeSaysWhyAnAgentIsNotReached(t *testing.T) {
	self := chat.Binding{ID: "1", Handle: "claude"}
	others := []chat.Binding{self, {ID: "2", Handle: "검토자"}}
	if b, why := addressee(self, others, "＠검토자", 0); why != "" || b.ID != "2" {
		t.Errorf("reached %+v: %s", b, why)
	}
	for handle, hops := range map[string]int{"claude": 0, "nobody": 0, "검토자": MaxHops} {
		if _, why := addressee(self, others, handle, hops); why == "" {
			t.Errorf("%s was reached after %d hops", handle, hops)
		}
	}
}

func TestExactRulesCompareInputsAsJSON(t *testing.T) {
	if string(compact([]byte(`{"b": 1, "a":[ 2 ]}`))) != string(compact([]byte(`{"a":[2],"b":1}`))) {
		t.Error("the same input in another order is another input")
	}
	if string(compact([]byte(`{"n": 12345678901234567890}`))) != `{"n":12345678901234567890}` {
		t.Error("a long number lost digits")
	}
	if string(compact([]byte(`{half`))) != `{half` {
		t.Error("what is no JSON must stay as it is")
	}
}
