package engine

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hearth/backend/chat"
	"hearth/backend/event"
	"hearth/backend/ledger"
	"hearth/backend/run"
)

// spend lets an agent cost something, in a turn nobody asked for.
func (h *house) spend(b chat.Binding, usd float64) {
	h.t.Helper()
	err := h.runs.Unasked(h.ctx(), run.KeyOf(b), "elsewhere", run.Outcome{Usage: run.Usage{CostUSD: usd}}, nil)
	if err != nil {
		h.t.Fatal(err)
	}
}

// limit sets a channel's spending limit, as the API does.
func (h *house) limit(c chat.Channel, usd float64) {
	h.t.Helper()
	c.SpendLimit = usd
	if _, err := h.store.UpdateChannel(h.ctx(), c); err != nil {
		h.t.Fatal(err)
	}
	if err := h.runs.LimitChanged(h.ctx(), c.ID); err != nil {
		h.t.Fatal(err)
	}
}

// questionOf waits for the question about what a run may cost.
func (h *house) questionOf(runID string) run.Permission {
	h.t.Helper()
	e := h.awaitEvent(0, func(e event.Event) bool {
		p, ok := e.Data.(run.Permission)
		return ok && e.Type == run.EventPermissionAsked && p.RunID == runID
	})
	return e.Data.(run.Permission)
}

func (h *house) answer(p run.Permission, d run.Decision) {
	h.t.Helper()
	if _, err := h.runs.AnswerPermission(h.ctx(), p.ID, run.Answer{Decision: d}); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) warnings() []run.Spending {
	h.t.Helper()
	sub, _ := h.bus.Subscribe(0)
	defer sub.Close()
	var out []run.Spending
	for h.bus.Last() > 0 {
		e, err := sub.Next(h.ctx())
		if err != nil {
			h.t.Fatal(err)
		}
		if s, ok := e.Data.(run.Spending); ok {
			out = append(out, s)
		}
		if e.Seq == h.bus.Last() {
			break
		}
	}
	return out
}

func TestTheLimitWarnsThenAsks(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	b := h.binding(c, "agent", chat.RuntimeStandin)
	h.limit(c, 1)
	h.spend(b, 0.5)
	if r := h.ask(c, "@agent below the limit"); r.State != run.Succeeded {
		t.Fatalf("below the limit: %+v", r)
	}
	if w := h.warnings(); len(w) != 0 {
		t.Errorf("warned at half of it: %+v", w)
	}
	h.spend(b, 0.3)
	h.spend(b, 0.1)
	if w := h.warnings(); len(w) != 1 || w[0].State != ledger.LimitWarned || w[0].Spent != 0.8 || w[0].Limit != 1 {
		t.Errorf("warnings at four fifths: %+v", w)
	}
	if r := h.ask(c, "@agent warned"); r.State != run.Succeeded {
		t.Errorf("with a warning: %+v", r)
	}
	_, slow := h.post(c, "@agent /slow 1") // a turn under way is not cut off
	h.await(slow[0].ID, isState(run.Running))
	h.spend(b, 0.1)
	if r := h.await(slow[0].ID, run.State.Ended); r.State != run.Succeeded {
		t.Errorf("the turn that was under way: %+v", r)
	}
	if w := h.warnings(); len(w) != 2 || w[1].State != ledger.LimitAsks {
		t.Errorf("warnings at all of it: %+v", w)
	}

	for _, once := range []string{"@agent first", "@agent second"} {
		_, runs := h.post(c, once)
		p := h.questionOf(runs[0].ID)
		if p.Tool != run.ToolSpend || p.BindingID != b.ID || !strings.Contains(p.Reason, "$1.00") || len(p.Rules) != 1 {
			t.Errorf("the question: %+v", p)
		}
		states, err := h.agents.Presence(h.ctx(), c.ID)
		if err != nil || states[0].Asking != 1 || states[0].Queued != 1 || states[0].RunID != runs[0].ID {
			t.Errorf("the roster while it is asked: %+v, %v", states, err)
		}
		h.answer(p, run.AllowOnce)
		if r := h.await(runs[0].ID, run.State.Ended); r.State != run.Succeeded {
			t.Errorf("allowed once: %+v", r)
		}
	}

	_, denied := h.post(c, "@agent denied")
	_, behind := h.post(c, "@agent behind it")
	h.answer(h.questionOf(denied[0].ID), run.Deny)
	if r := h.await(denied[0].ID, run.State.Ended); r.State != run.Stopped || !r.StartedAt.IsZero() {
		t.Errorf("denied: %+v", r)
	}
	p := h.questionOf(behind[0].ID)
	h.limit(c, 0.5)
	h.limit(c, 2) // raised: nobody has to answer
	if r := h.await(behind[0].ID, run.State.Ended); r.State != run.Succeeded {
		t.Errorf("with a higher limit: %+v", r)
	}
	if p, err := h.store.Permission(h.ctx(), p.ID); err != nil || p.State != run.PermissionAllowed {
		t.Errorf("its question: %+v, %v", p, err)
	}
	if rules, err := h.store.Rules(h.ctx(), b.ID); err != nil || len(rules) != 0 {
		t.Errorf("rules: %+v, %v", rules, err)
	}
}

func TestForTodayIsForAllAgentsOfTheChannel(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	one, _ := h.binding(c, "one", chat.RuntimeStandin), h.binding(c, "two", chat.RuntimeStandin)
	other := h.channel("other")
	third := h.binding(other, "three", chat.RuntimeStandin)
	h.limit(c, 1)
	h.limit(other, 1)
	h.spend(one, 1)
	h.spend(third, 1)
	_, runs := h.post(c, "@one and @two, please")
	_, elsewhere := h.post(other, "@three")
	first, second := h.questionOf(runs[0].ID), h.questionOf(runs[1].ID)
	untouched := h.questionOf(elsewhere[0].ID)
	h.answer(first, run.AllowAlways)
	for _, r := range runs {
		if ended := h.await(r.ID, run.State.Ended); ended.State != run.Succeeded {
			t.Errorf("allowed for today: %+v", ended)
		}
	}
	if p, err := h.store.Permission(h.ctx(), second.ID); err != nil || p.State != run.PermissionAllowed {
		t.Errorf("the other agent's question: %+v, %v", p, err)
	}
	if r := h.ask(c, "@two again"); r.State != run.Succeeded {
		t.Errorf("later that day: %+v", r)
	}
	if p, err := h.store.Permission(h.ctx(), untouched.ID); err != nil || p.State != run.PermissionOpen {
		t.Errorf("another channel's question: %+v, %v", p, err)
	}
}

func TestWhatWaitsForMoneyCanBeEditedAndStopped(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	b := h.binding(c, "agent", chat.RuntimeStandin)
	h.limit(c, 1)
	h.spend(b, 1)
	_, stopped := h.post(c, "@agent first")
	row, edited := h.post(c, "@agent second")
	gone, deleted := h.post(c, "@agent third")
	p := h.questionOf(stopped[0].ID)
	if _, err := h.runs.StopRun(h.ctx(), stopped[0].ID); err != nil {
		t.Fatal(err)
	}
	if p, err := h.store.Permission(h.ctx(), p.ID); err != nil || p.State != run.PermissionDenied {
		t.Errorf("the question of a run that was stopped: %+v, %v", p, err)
	}
	p = h.questionOf(edited[0].ID)
	if _, err := h.runs.Edit(h.ctx(), row.ID, "@agent another wording"); err != nil {
		t.Fatal(err)
	}
	if _, err := h.runs.Delete(h.ctx(), gone.ID); err != nil {
		t.Fatal(err)
	}
	h.answer(p, run.AllowOnce)
	r := h.await(edited[0].ID, run.State.Ended)
	if text := h.text(r); r.State != run.Succeeded || !strings.Contains(text, "another wording") || strings.Contains(text, "third") {
		t.Errorf("the run that was edited is %s and was told:\n%s", r.State, text)
	}
	if _, err := h.store.Run(h.ctx(), deleted[0].ID); chat.CodeOf(err) != chat.CodeNotFound {
		t.Errorf("the run of a row that was deleted: %v", err)
	}
	if stopped, err := h.runs.StopBinding(h.ctx(), b.ID); err != nil || stopped {
		t.Errorf("there was nothing to stop: %t, %v", stopped, err)
	}
}

func TestWhatWaitsForMoneySurvivesARestart(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	b := h.binding(c, "agent", chat.RuntimeStandin)
	h.limit(c, 1)
	h.spend(b, 1)
	_, runs := h.post(c, "@agent hello")
	before := h.questionOf(runs[0].ID)
	h.close()
	h.open()
	if p, err := h.store.Permission(h.ctx(), before.ID); err != nil || p.State != run.PermissionDenied {
		t.Errorf("the question from before: %+v, %v", p, err)
	}
	h.answer(h.questionOf(runs[0].ID), run.AllowOnce)
	if r := h.await(runs[0].ID, run.State.Ended); r.State != run.Succeeded {
		t.Errorf("after the restart: %+v", r)
	}
}

// A question about today has nothing to ask tomorrow.
func TestTheNextDayBeginsAnew(t *testing.T) {
	var ahead atomic.Int64
	h := build(t, func(o *Options) {
		o.Clock = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	})
	c := h.channel("backend")
	b := h.binding(c, "agent", chat.RuntimeStandin)
	h.limit(c, 1)
	_, midnight, err := ledger.DayOf(time.Now(), time.Local).Bounds(time.Local)
	if err != nil {
		t.Fatal(err)
	}
	ahead.Store(int64(time.Until(midnight) - 2*time.Second))
	h.spend(b, 1)
	_, runs := h.post(c, "@agent hello")
	p := h.questionOf(runs[0].ID)
	if r := h.await(runs[0].ID, run.State.Ended); r.State != run.Succeeded {
		t.Errorf("on the next day: %+v", r)
	}
	if p, err := h.store.Permission(h.ctx(), p.ID); err != nil || p.State != run.PermissionDenied {
		t.Errorf("yesterday's question: %+v, %v", p, err)
	}
}

func TestNobodyElseAsksAboutMoney(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	b := h.binding(c, "agent", chat.RuntimeStandin)
	if v := h.runs.Permit(h.ctx(), run.KeyOf(b), run.Question{Tool: run.ToolSpend}); v.Allow {
		t.Error("an agent may spend")
	}
	open, err := h.store.OpenPermissions(h.ctx())
	if err != nil || len(open) != 0 {
		t.Errorf("a person is asked: %+v, %v", open, err)
	}
}
