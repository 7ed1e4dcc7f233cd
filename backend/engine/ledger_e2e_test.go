//go:build e2e

package engine

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hearth/backend/api"
	"hearth/backend/chat"
	"hearth/backend/ledger"
	"hearth/backend/run"
	"hearth/backend/standin"
)

// buildCounted makes a house whose agents are the real client, at a path or the
// pinned one, and whose model is told of by its own book.
func buildCounted(t *testing.T, client string) (*house, *standin.API) {
	t.Helper()
	return buildOn(t, standin.Options{
		TrailingSystemMiss: true, Script: func(standin.Request) standin.Reply { return standin.Say("an answer of some words") },
		Counter: roughly,
	}, func(o *Options) { o.Claude = cmp.Or(client, o.Claude) })
}

// billed is what the model's book has of the requests that were answered; of one that
// was cut off, what it sent.
func billed(model *standin.API) ledger.Usage {
	var sum ledger.Usage
	for _, e := range model.Book() {
		if e.Status != http.StatusOK {
			continue
		}
		u := ledger.Usage{
			Input: int64(e.Usage.InputTokens), CacheRead: int64(e.Usage.CacheReadInputTokens), Output: int64(e.Usage.OutputTokens),
			CacheWrite5m: int64(e.Usage.CacheCreation.Ephemeral5m), CacheWrite1h: int64(e.Usage.CacheCreation.Ephemeral1h),
		}
		if e.Broken {
			u.Output = 0
		}
		sum = sum.Add(u)
	}
	return sum
}

func total(s api.CacheSum) ledger.Usage {
	var sum ledger.Usage
	for _, t := range []api.Tokens{s.Main, s.Subagents, s.Beside} {
		sum = sum.Add(ledger.Usage{
			Input: t.InputTokens, CacheRead: t.CacheReadTokens, CacheWrite5m: t.CacheWrite5mTokens, CacheWrite1h: t.CacheWrite1hTokens, Output: t.OutputTokens,
		})
	}
	return sum
}

// After a hundred turns of all kinds the ledger has what the model's own book has:
// with tools, subagents, requests that were repeated, an error, an interruption, a
// session that was loaded again and a restart of Hearth.
func TestRealLedgerAgreesWithTheModelsBook(t *testing.T) {
	h, model := buildCounted(t, "")
	c := h.channel("backend")
	hands := h.binding(c, "claude", chat.RuntimeClaude, handsOn)
	h.binding(c, "lead", chat.RuntimeClaude, coordinator)
	bash := func(command string) standin.Reply {
		return standin.Use("Bash", map[string]any{"command": command, "description": "x"})
	}
	worker := standin.Use("Agent", map[string]any{
		"description": "x", "prompt": "look around", "subagent_type": "explorer", "run_in_background": false,
	})
	random := rand.New(rand.NewPCG(1, 2))
	interrupted := int64(0) // what the client says that the interrupted answer came to: the API does not say
	for n := range 100 {
		question := fmt.Sprintf("question %d, %s", n, strings.Repeat("with some words ", random.IntN(30)))
		want := run.Succeeded
		who := []string{"@claude ", "@lead "}[n%2]
		switch {
		case n == 30:
			model.Once(standin.Asked(fmt.Sprintf("question %d,", n)), standin.Fail(http.StatusBadRequest, "no"))
			want = run.Failed
		case n == 50:
			h.close()
			h.open()
		case n == 70:
			if _, err := h.runs.Restore(h.ctx(), hands.ID); err != nil {
				t.Fatal(err)
			}
		case n%25 == 7:
			model.Then(standin.Overloaded(), standin.Say("at last"))
		case n%2 == 1 && n%3 == 0:
			model.ThenSubagent(bash("echo found"), standin.Say("This is what I found."))
			model.Then(worker, standin.Say("So that is it."))
		case n%2 == 0 && n%3 == 0:
			model.Then(bash("echo one"), bash("echo two"), standin.Reply{}.AndThink("hm").AndSay("Two commands."))
		}
		if n == 40 { // interrupted in the middle of an answer
			model.Once(standin.Asked("question 40,"), standin.Say(strings.Repeat("a long answer ", 50)).InDeltas(8).HeldAfter(4, nil))
			_, runs := h.post(c, who+question)
			h.await(runs[0].ID, isState(run.Running))
			h.awaitDelta(runs[0].ID)
			if _, err := h.runs.StopRun(h.ctx(), runs[0].ID); err != nil {
				t.Fatal(err)
			}
			r := h.await(runs[0].ID, run.State.Ended)
			if r.State != run.Stopped {
				t.Fatalf("it is %s", r.State)
			}
			interrupted = r.Usage.Output
			continue
		}
		if r := h.ask(c, who+question); r.State != want {
			t.Fatalf("turn %d is %s: %+v", n, r.State, r.Failure)
		}
	}
	got := h.cacheOf(c)
	want := billed(model)
	want.Output += interrupted
	if sum := total(got.Totals.All); sum != want || interrupted == 0 {
		t.Errorf("the ledger has %+v, the model's book %+v", sum, want)
	}
	if all := got.Totals.All; all.Turns != 100 || all.SubagentCalls == 0 || all.CostUSD <= 0 || len(got.Totals.Agents) != 2 || len(got.Turns) != 100 {
		t.Errorf("the totals: %+v", all)
	}
	var models ledger.Usage
	for _, m := range got.Totals.Models {
		models = models.Add(total(api.CacheSum{Main: m.Tokens}))
	}
	if models != total(got.Totals.All) {
		t.Errorf("by model there is %+v, in all %+v", models, total(got.Totals.All))
	}
	for _, turn := range got.Turns {
		if turn.Break != nil && !turn.Break.Quiet && turn.Break.Cause != "client_or_api" {
			t.Errorf("an alarm in %s: %+v", turn.RunID, turn.Break)
		}
	}
	for _, f := range got.Forecasts {
		if f.Warm == nil || f.Fresh == nil || f.Rates == nil || f.LineTokens == 0 {
			t.Errorf("the forecast of @%s: %+v", f.Handle, f)
		}
	}
}

// awaitDelta waits until a run has begun to answer.
func (h *house) awaitDelta(runID string) {
	h.t.Helper()
	for {
		if going, ok := h.runs.Live(runID); ok && going.Text != "" {
			return
		}
		if h.ctx().Err() != nil {
			h.t.Fatal("it never answers")
		}
		time.Sleep(time.Millisecond)
	}
}

// What happens to agents in Hearth has the cause that it has.
func TestRealBreaksHaveTheirCauses(t *testing.T) {
	h, model := buildCounted(t, "")
	edit := func(b chat.Binding, change func(*chat.Binding)) {
		t.Helper()
		change(&b)
		if _, err := h.store.UpdateBinding(h.ctx(), b); err != nil {
			t.Fatal(err)
		}
	}
	restore := func(b chat.Binding) {
		t.Helper()
		if _, err := h.runs.Restore(h.ctx(), b.ID); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		between func(c chat.Channel, b chat.Binding)
		want    []string // after the second turn's known miss
		edited  string   // what the person changed, of the first of them
	}{
		"nothing":  {func(chat.Channel, chat.Binding) {}, nil, ""},
		"restored": {func(_ chat.Channel, b chat.Binding) { restore(b) }, nil, ""},
		"started fresh": {func(_ chat.Channel, b chat.Binding) {
			if _, err := h.runs.Fresh(h.ctx(), b.ID); err != nil {
				t.Fatal(err)
			}
		}, []string{"new_process", "known_miss"}, ""},
		"another model": {func(_ chat.Channel, b chat.Binding) {
			edit(b, func(b *chat.Binding) { b.Model = "claude-sonnet-5-5" })
		}, []string{"model_changed", "known_miss"}, "model"},
		"another role": {func(_ chat.Channel, b chat.Binding) {
			edit(b, coordinator)
		}, []string{"tools_changed", "known_miss"}, "role"},
		"other workers": {func(_ chat.Channel, b chat.Binding) {
			edit(b, func(b *chat.Binding) {
				b.Workers = append(slices.Clone(b.Workers), chat.Worker{Name: "poet", Description: "writes verse", Prompt: "Write verse."})
			})
		}, []string{"tools_changed", "known_miss"}, "workers"},
		"another framing": {func(_ chat.Channel, b chat.Binding) {
			edit(b, func(b *chat.Binding) { b.BriefEveryTurn = true })
		}, []string{"framing_changed", "known_miss"}, "brief"},
		"another framing, restored": {func(_ chat.Channel, b chat.Binding) {
			edit(b, func(b *chat.Binding) { b.BriefEveryTurn = true })
			restore(b)
		}, nil, ""}, // this version goes on with what the session began with
		"a summary": {func(c chat.Channel, _ chat.Binding) {
			full := standin.Say("That was long.")
			full.Usage = &standin.Usage{CacheReadInputTokens: 999_000, OutputTokens: 10} // beyond what any window leaves
			model.Then(full)
			succeeded(t, h.ask(c, "@claude think hard"))
		}, []string{"compaction"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			ch := h.channel(name)
			b := h.binding(ch, "claude", chat.RuntimeClaude, func(b *chat.Binding) {
				if b.Workers = chat.DefaultWorkers(); name == "other workers" {
					coordinator(b)
				}
			})
			for _, text := range []string{"one", "two", "three"} {
				succeeded(t, h.ask(ch, "@claude "+text))
			}
			c.between(ch, b)
			for _, text := range []string{"four", "five"} {
				succeeded(t, h.ask(ch, "@claude "+text))
			}
			var got []string
			turns := h.cacheOf(ch).Turns
			slices.Reverse(turns)
			for _, turn := range turns {
				if turn.Break == nil {
					continue
				}
				if got = append(got, turn.Break.Cause); len(got) != 2 {
					continue
				}
				names := strings.Join(turn.Break.Evidence.Edited, " ")
				if named := strings.HasPrefix(turn.Break.Sentence, "The agent's settings were changed: "); names != c.edited || named != (names != "") {
					t.Errorf("changed was %q, want %q: %s", names, c.edited, turn.Break.Sentence)
				}
			}
			if want := append([]string{"known_miss"}, c.want...); !slices.Equal(got[:min(len(got), len(want))], want) || c.want == nil && len(got) != 1 {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}

func TestRealUpdateOfTheClientIsNamed(t *testing.T) {
	// The same client twice; the first time it calls itself an older one.
	client := realClient(t)
	older := filepath.Join(t.TempDir(), "claude")
	disguise := fmt.Sprintf("#!/bin/sh\n%q \"$@\" | sed -u 's/\"claude_code_version\":\"[^\"]*\"/\"claude_code_version\":\"2.0.1\"/'\n", client)
	if err := os.WriteFile(older, []byte(disguise), 0o700); err != nil {
		t.Fatal(err)
	}
	h, _ := buildCounted(t, older)
	c := h.channel("backend")
	h.binding(c, "claude", chat.RuntimeClaude, func(b *chat.Binding) { b.Model = "claude-opus-4-8" })
	succeeded(t, h.ask(c, "@claude one"))
	h.close()
	h.options.Claude = client
	h.open()
	succeeded(t, h.ask(c, "@claude two"))
	newest := h.cacheOf(c).Turns[0]
	if newest.Break == nil || newest.Break.Cause != "version_changed" || newest.Break.Evidence.Was != "2.0.1" {
		t.Errorf("the break: %+v", newest.Break)
	}
}
