package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"hearth/backend/claude"
	"hearth/backend/run"
)

// happening maps what the client did to what a run keeps and shows; ok is false
// for what neither needs.
func happening(e claude.Event) (h run.Happening, ok bool) {
	done := func(s run.Step) (run.Happening, bool) { return run.Happening{Step: &s, Done: true}, true }
	going := func(s run.Step) (run.Happening, bool) { return run.Happening{Step: &s}, true }
	switch e := e.(type) {
	case claude.TextDelta:
		return run.Happening{Delta: e.Text}, e.Parent == "" && e.Text != ""
	case claude.Retract:
		return run.Happening{Retract: true}, true
	case claude.Text:
		return done(run.Step{Kind: "text", Parent: e.Parent, Output: e.Text})
	case claude.Thinking:
		return done(run.Step{Kind: "thinking", Parent: e.Parent, Output: e.Text})
	case claude.ToolUse:
		return going(run.Step{Kind: "tool", ID: e.ID, Parent: e.Parent, Name: e.Name, Input: string(e.Input)})
	case claude.ToolResult:
		return done(run.Step{Kind: "tool", ID: e.ID, Parent: e.Parent, Output: textOf(e.Content), Error: e.IsError})
	case claude.TaskStarted:
		return going(run.Step{Kind: "task", ID: e.ID, Parent: e.ToolUseID, Name: e.Kind, Input: e.Description})
	case claude.TaskEnded:
		return done(run.Step{Kind: "task", ID: e.ID, Parent: e.ToolUseID, Output: e.Summary, Error: e.Status == "failed"})
	case claude.Compacted:
		return done(run.Step{Kind: "status", Name: run.StepCompacted, Output: fmt.Sprintf("The client replaced %d tokens of its history by a summary (%s).", e.PreTokens, e.Trigger)})
	}
	return run.Happening{}, false
}

// textOf returns the text of a tool's answer: a string, or the text of its
// blocks; what is no text is named.
func textOf(content json.RawMessage) string {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return text
	}
	var blocks []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(content, &blocks) != nil {
		return string(content)
	}
	parts := make([]string, len(blocks))
	for i, b := range blocks {
		if parts[i] = b.Text; b.Type != "text" {
			parts[i] = "[" + b.Type + "]"
		}
	}
	return strings.Join(parts, "\n")
}

// outcome maps the end of a turn.
func outcome(r claude.Result) run.Outcome {
	o := run.Outcome{
		Reply: r.Text, IsError: r.IsError, API: r.API, Interrupted: r.Interrupted,
		Local: len(r.Calls) == 0 && r.NumTurns == 0 && r.CostUSD == 0,
		Usage: usageOf(r),
	}
	if n := len(r.Compacted); n > 0 {
		o.Compacted = &run.Compacted{Before: r.Compacted[n-1].PreTokens, After: r.Compacted[n-1].PostTokens}
	}
	if r.IsError {
		o.Reply, o.Message = "", r.Text
		if o.Message == "" {
			o.Message = strings.Join(append([]string{"The client ended the turn: " + r.Subtype + "."}, r.Errors...), " ")
		}
		if strings.Contains(o.Message, "/login") {
			// The client speaks to a terminal; there is none here.
			o.Message = "Claude Code is not signed in. Run `claude` in a terminal, sign in there, and retry. (It said: " + o.Message + ")"
		}
		if strings.Contains(o.Message, "Invalid API key") {
			o.Message = "The API key that Claude Code was given (ANTHROPIC_API_KEY, or this agent's token) is not valid. Correct or remove it where it is set, start Hearth again, and retry. (It said: " + o.Message + ")"
		}
	}
	return o
}

// failed maps the error of a turn without a result; sent says that the message
// may have reached the session.
func failed(err error) (sent bool, mapped error) {
	var e *claude.Error
	if !errors.As(err, &e) {
		return true, err
	}
	if e.Code == claude.CodeHung {
		return e.Sent, fmt.Errorf("%w (%w)", run.ErrStuck, err)
	}
	return e.Sent, err
}

// unasked stores a turn that the client took by itself, with what happened in it.
func (a *agents) unasked(key run.Key, native string, f facts, t claude.Turn) {
	var steps []run.Step
	at := map[string]int{}
	for _, e := range t.Events {
		h, ok := happening(e)
		if !ok || h.Step == nil {
			continue
		}
		if i, going := at[h.Step.ID]; going && h.Step.ID != "" {
			steps[i].Output, steps[i].Error = h.Step.Output, h.Step.Error
			continue
		}
		step := *h.Step
		step.N, step.At = len(steps), t.Began
		at[step.ID] = len(steps)
		steps = append(steps, step)
	}
	// The turn is over and paid for: it is stored even while Hearth shuts down.
	came := outcome(t.Result)
	came.Facts = f.of(t.Result)
	if err := a.runs.Unasked(context.Background(), key, native, came, steps); err != nil {
		a.log.Error("store a turn nobody asked for", "native", native, "error", err)
	}
}
