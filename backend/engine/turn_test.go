package engine

import (
	"context"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"hearth/backend/chat"
	"hearth/backend/event"
	"hearth/backend/run"
)

func TestRunsOfOneBindingAreDoneInOrderAndNamedOnceEach(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	h.binding(c, "agent", chat.RuntimeStandin)
	var runs []run.Run
	for i := range 5 {
		_, caused := h.post(c, fmt.Sprintf("@agent question %d\n/stream 3", i))
		runs = append(runs, caused...)
		h.post(c, fmt.Sprintf("remark %d", i), "aiko")
	}
	var before time.Time
	whole := ""
	for i, r := range runs {
		ended := h.await(r.ID, run.State.Ended)
		if ended.State != run.Succeeded || !ended.StartedAt.After(before) {
			t.Fatalf("run %d: %+v", i, ended)
		}
		before = ended.EndedAt
		whole += h.text(ended)
	}
	for i := range 5 {
		for _, once := range []string{fmt.Sprintf("question %d", i), fmt.Sprintf("remark %d", i)} {
			if n := strings.Count(whole, once); n != 1 && once != "remark 4" {
				t.Errorf("the session was told %q %d times", once, n)
			}
		}
	}
}

func TestStopEndsATurnAndTheSessionLivesOn(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	b := h.binding(c, "agent", chat.RuntimeStandin)
	first := h.ask(c, "@agent /remember the code is 1234")
	_, runs := h.post(c, "@agent /slow 600")
	h.await(runs[0].ID, isState(run.Running))
	_, queued := h.post(c, "@agent this one is taken out of the queue")
	_, waiting := h.post(c, "@agent /recall")
	out, err := h.runs.StopRun(h.ctx(), queued[0].ID)
	if err != nil || out.State != run.Stopped {
		t.Fatalf("a queued run: %+v, %v", out, err)
	}
	if stopped, err := h.runs.StopBinding(h.ctx(), b.ID); err != nil || !stopped {
		t.Fatalf("StopBinding: %t, %v", stopped, err)
	}
	if r := h.await(runs[0].ID, run.State.Ended); r.State != run.Stopped || r.Failure == nil {
		t.Fatalf("the stopped run: %+v", r)
	}
	next := h.await(waiting[0].ID, run.State.Ended)
	if next.Native != first.Native || next.Temperature != "warm" || !strings.Contains(h.reply(next), "1234") {
		t.Errorf("the session did not live on: %s in %s", next.Temperature, next.Native)
	}
	// The row whose run was cancelled was held back; now it is told.
	if text := h.text(next); !strings.Contains(text, "taken out of the queue") {
		t.Errorf("a row whose run was cancelled is lost:\n%s", text)
	}
	if _, err := h.runs.StopRun(h.ctx(), next.ID); chat.CodeOf(err) != chat.CodeConflict {
		t.Errorf("an ended run was stopped: %v", err)
	}
	if stopped, err := h.runs.StopBinding(h.ctx(), b.ID); err != nil || stopped {
		t.Errorf("there was nothing to stop: %t, %v", stopped, err)
	}
}

func TestANewcomerWaitsVisiblyWhileAllAreBusy(t *testing.T) {
	h := build(t, func(o *Options) { o.Capacity = 1 })
	c := h.channel("backend")
	h.binding(c, "one", chat.RuntimeStandin)
	h.binding(c, "two", chat.RuntimeStandin)
	_, busy := h.post(c, "@one /slow 600")
	h.await(busy[0].ID, isState(run.Running))
	_, newcomer := h.post(c, "@two hello")
	h.await(newcomer[0].ID, isState(run.Waiting))
	if _, err := h.runs.StopRun(h.ctx(), busy[0].ID); err != nil {
		t.Fatal(err)
	}
	if r := h.await(newcomer[0].ID, run.State.Ended); r.State != run.Succeeded {
		t.Errorf("the newcomer: %+v", r)
	}
	// A run that waits can be stopped too.
	_, busy = h.post(c, "@one /slow 600")
	h.await(busy[0].ID, isState(run.Running))
	_, newcomer = h.post(c, "@two hello again")
	h.await(newcomer[0].ID, isState(run.Waiting))
	if r, err := h.runs.StopRun(h.ctx(), newcomer[0].ID); err != nil || r.State != run.Stopped {
		t.Errorf("a waiting run: %+v, %v", r, err)
	}
}

func TestACrashIsNoticedAtOnceWithTheEndOfStderr(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	h.binding(c, "agent", chat.RuntimeStandin)
	r := h.ask(c, "@agent /crash")
	if r.State != run.Failed || r.Failure.Code != run.FailCrashed || !strings.Contains(r.Failure.Message, "because it was told to") {
		t.Fatalf("the run: %+v, %+v", r, r.Failure)
	}
	if again := h.ask(c, "@agent hello"); again.State != run.Succeeded || again.Temperature != "cold" {
		t.Errorf("the next run: %+v", again)
	}
	states, err := h.agents.Presence(h.ctx(), c.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(states[0].PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	h.awaitEvent(0, func(e event.Event) bool {
		s, err := h.agents.Presence(h.ctx(), c.ID)
		return e.Type == run.EventAgentState && err == nil && s[0].Phase == "crashed" && s[0].Error != ""
	})
}

func TestWhatWasQueuedBehindACrashIsAnsweredByANewProcess(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	h.binding(c, "agent", chat.RuntimeStandin)
	for range 20 {
		_, crash := h.post(c, "@agent /crash")
		_, behind := h.post(c, "@agent hello")
		if r := h.await(crash[0].ID, run.State.Ended); r.State != run.Failed {
			t.Fatalf("the run that crashed: %+v", r)
		}
		if r := h.await(behind[0].ID, run.State.Ended); r.State != run.Succeeded {
			t.Fatalf("the run behind it: %+v, %+v", r, r.Failure)
		}
	}
}

func TestRestoreTakesTheNewestSession(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	b := h.binding(c, "agent", chat.RuntimeStandin)
	h.post(c, "row one", "aiko")
	h.ask(c, "@agent first")
	h.ask(c, "@agent /crash")
	second := h.ask(c, "@agent second")
	saved, err := h.runs.Restore(h.ctx(), b.ID)
	if err != nil || saved.Native != second.Native {
		t.Fatalf("restored %+v, %v; the newest session is %s", saved, err, second.Native)
	}
	if states, err := h.agents.Presence(h.ctx(), c.ID); err != nil || states[0].Restoring != second.Native {
		t.Errorf("the roster says %+v, %v", states, err)
	}
	third := h.ask(c, "@agent third")
	if states, err := h.agents.Presence(h.ctx(), c.ID); err != nil || states[0].Restoring != "" {
		t.Errorf("after it was loaded the roster says %+v, %v", states, err)
	}
	if third.Temperature != "restored" || third.Native != second.Native || strings.Contains(h.text(third), "row one") {
		t.Errorf("the turn is %s in %s:\n%s", third.Temperature, third.Native, h.text(third))
	}
}

func TestAFailedTurnKeepsWhyAndCanBeRetriedOnce(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	h.binding(c, "agent", chat.RuntimeStandin)
	r := h.ask(c, "@agent /fail")
	if r.State != run.Failed || r.Failure.Message == "" || !r.Failure.Held {
		t.Fatalf("the run: %+v, %+v", r, r.Failure)
	}
	retried, err := h.runs.Retry(h.ctx(), r.ID)
	if err != nil || retried.RetryOf != r.ID || retried.RowID != r.RowID {
		t.Fatalf("Retry: %+v, %v", retried, err)
	}
	h.await(retried.ID, run.State.Ended)
	if _, err := h.runs.Retry(h.ctx(), r.ID); chat.CodeOf(err) != chat.CodeConflict {
		t.Errorf("a run was retried twice: %v", err)
	}
}

func TestPermissionsSurviveARestartAsDenied(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	h.binding(c, "agent", chat.RuntimeStandin)
	_, runs := h.post(c, "@agent /ask rm -rf build")
	e := h.awaitEvent(0, func(e event.Event) bool { return e.Type == run.EventPermissionAsked })
	asked := e.Data.(run.Permission)
	states, err := h.agents.Presence(h.ctx(), c.ID)
	if err != nil || states[0].Phase != "busy" {
		t.Errorf("an agent that waits for a person is %s (%v)", states[0].Phase, err)
	}
	h.close()
	h.open()
	p, err := h.store.Permission(h.ctx(), asked.ID)
	if err != nil || p.State != run.PermissionDenied {
		t.Errorf("after a restart the question is %s, %v", p.State, err)
	}
	if r := h.await(runs[0].ID, run.State.Ended); r.State != run.Failed || r.Failure.Code != run.FailInterrupted {
		t.Errorf("the run that asked: %+v", r)
	}
	if _, err := h.runs.AnswerPermission(h.ctx(), asked.ID, run.Answer{Decision: run.AllowOnce}); chat.CodeOf(err) != chat.CodeConflict {
		t.Errorf("a closed question was answered: %v", err)
	}
}

func TestAPermissionIsWithdrawnWithItsTurn(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	h.binding(c, "agent", chat.RuntimeStandin)
	_, runs := h.post(c, "@agent /ask make deploy")
	e := h.awaitEvent(0, func(e event.Event) bool { return e.Type == run.EventPermissionAsked })
	for _, reason := range []string{"no\x00", strings.Repeat("한", chat.MaxReason+1)} {
		if _, err := h.runs.AnswerPermission(h.ctx(), e.Data.(run.Permission).ID, run.Answer{Decision: run.Deny, Message: reason}); err == nil {
			t.Errorf("it was denied with %.20q", reason)
		}
	}
	if _, err := h.runs.StopRun(h.ctx(), runs[0].ID); err != nil {
		t.Fatal(err)
	}
	h.awaitEvent(0, func(e event.Event) bool { return e.Type == run.EventPermissionAnswered })
	p, err := h.store.Permission(h.ctx(), e.Data.(run.Permission).ID)
	if err != nil || p.State != run.PermissionDenied {
		t.Errorf("the question is %s, %v", p.State, err)
	}
}

func TestAThreadTurnHearsTheThreadAndAnswersThere(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	h.binding(c, "agent", chat.RuntimeStandin)
	first := h.ask(c, "@agent /stream 3")
	root := first.ReplyID
	h.post(c, "elsewhere in the channel", "aiko")
	h.postIn(c, root, "in the thread", "aiko")
	_, runs := h.postIn(c, root, "@agent what do you say?")
	r := h.await(runs[0].ID, run.State.Ended)
	text := h.text(r)
	if !strings.Contains(text, "in the thread") || strings.Contains(text, "elsewhere") {
		t.Errorf("the thread's turn was told:\n%s", text)
	}
	if strings.Contains(text, h.reply(first)) {
		t.Errorf("the agent was told its own reply, because the thread begins with it:\n%s", text)
	}
	reply, err := h.store.Row(h.ctx(), r.ReplyID)
	if err != nil || reply.ThreadRootID != root {
		t.Errorf("the reply went to %q, %v", reply.ThreadRootID, err)
	}
	if next := h.text(h.ask(c, "@agent and here?")); !strings.Contains(next, "elsewhere") || strings.Contains(next, "in the thread") {
		t.Errorf("the channel's turn was told:\n%s", next)
	}
}

func TestADirectLineNeedsNoMention(t *testing.T) {
	h := build(t, nil)
	c, err := h.store.CreateChannel(h.ctx(), chat.Channel{Name: "to agent", Workspace: h.workspace, Direct: true})
	if err != nil {
		t.Fatal(err)
	}
	h.binding(c, "agent", chat.RuntimeStandin)
	if r := h.ask(c, "hello there"); r.State != run.Succeeded || r.Cause != run.CauseDirect {
		t.Errorf("the run: %+v", r)
	}
}

func TestABindingThatStartsAfreshGetsTheSnapshotEachTime(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	b := h.binding(c, "agent", chat.RuntimeStandin, func(b *chat.Binding) { b.Resident = false })
	h.post(c, "row one", "aiko")
	for i := range 3 {
		r := h.ask(c, fmt.Sprintf("@agent question %d", i))
		if r.State != run.Succeeded || r.Temperature != "cold" {
			t.Fatalf("the run: %+v", r)
		}
		if text := h.text(r); !strings.Contains(text, "- [user] aiko: row one") || i > 0 && !strings.Contains(text, "User: @agent question 0") {
			t.Errorf("turn %d:\n%s", i, text)
		}
	}
	marks, err := h.store.Watermarks(h.ctx(), b.ID)
	if err != nil || len(marks) != 0 {
		t.Errorf("a binding without a session has a watermark: %v, %v", marks, err)
	}
	if err := h.runs.Warm(h.ctx(), b.ID); chat.CodeOf(err) != chat.CodeConflict {
		t.Errorf("it was pre-warmed: %v", err)
	}
}

func TestAPrewarmedProcessIsStillToldItsFraming(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	b := h.binding(c, "agent", chat.RuntimeStandin)
	h.post(c, "row one", "aiko")
	if err := h.runs.Warm(h.ctx(), b.ID); err != nil {
		t.Fatal(err)
	}
	states, err := h.agents.Presence(h.ctx(), c.ID)
	if err != nil || states[0].Phase != "warm" || states[0].IdleDeadline.IsZero() {
		t.Fatalf("pre-warmed: %+v, %v", states, err)
	}
	r := h.ask(c, "@agent hello")
	if r.Temperature != "cold" || r.Native != states[0].Native || !strings.Contains(h.text(r), "row one") {
		t.Errorf("its first turn is %s in %s: %s", r.Temperature, r.Native, h.text(r))
	}
}

func TestSettingsThatChangedReachTheNextProcess(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	b := h.binding(c, "agent", chat.RuntimeStandin)
	first := h.ask(c, "@agent hello")
	b.Model = "another-model"
	if _, err := h.store.UpdateBinding(h.ctx(), b); err != nil {
		t.Fatal(err)
	}
	second := h.ask(c, "@agent hello again")
	if second.Temperature != "cold" || second.Native == first.Native {
		t.Errorf("the turn is %s in %s", second.Temperature, second.Native)
	}
}

func TestAnotherRuntimeIsAnotherAgent(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	b := h.binding(c, "agent", chat.RuntimeClaude, func(b *chat.Binding) { b.BaseURL = "http://127.0.0.1:9" })
	b.Runtime = chat.RuntimeStandin
	updated, err := h.store.UpdateBinding(h.ctx(), b)
	if err != nil || updated.FreshAt.IsZero() {
		t.Fatalf("%+v, %v", updated, err)
	}
	h.ask(c, "@agent question one")
	updated.Model = "other"
	if same, err := h.store.UpdateBinding(h.ctx(), updated); err != nil || !same.FreshAt.Equal(updated.FreshAt) {
		t.Errorf("another model made it forget: %+v, %v", same, err)
	}
	if text := h.text(h.ask(c, "@agent question two")); !strings.Contains(text, "User: @agent question one") {
		t.Errorf("the replay is missing:\n%s", text)
	}
}

func TestAgentsCannotWakeOneAnotherForEver(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	h.binding(c, "one", chat.RuntimeStandin)
	h.binding(c, "two", chat.RuntimeStandin)
	// Each wakes the other with a message that makes it do the same.
	body := `/tool channel_post {"body": "ping", "to": ["two"]}`
	r := h.ask(c, "@one "+"\n"+body)
	woken := h.awaitEvent(0, func(e event.Event) bool {
		other, ok := e.Data.(run.Run)
		return ok && other.Cause == run.CauseAgent && other.State.Ended()
	}).Data.(run.Run)
	if woken.Hops != r.Hops+1 || woken.State != run.Succeeded {
		t.Errorf("the woken run: %+v", woken)
	}
	said, err := h.runs.Say(h.ctx(), r.Key(), "to nobody", []string{"one", "nobody"})
	if err != nil || len(said.Woke) != 0 || len(said.NotReached) != 2 {
		t.Errorf("Say: %+v, %v", said, err)
	}
}

func TestClosingInTheMiddleOfATurnLosesNothing(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	h.binding(c, "agent", chat.RuntimeStandin)
	_, going := h.post(c, "@agent /slow 600")
	h.await(going[0].ID, isState(run.Running))
	_, queued := h.post(c, "@agent and then this")
	h.close()
	h.open()
	if r := h.await(going[0].ID, run.State.Ended); r.State != run.Failed || r.Failure.Code != run.FailInterrupted {
		t.Errorf("the run that was going: %+v", r)
	}
	if r := h.await(queued[0].ID, run.State.Ended); r.State != run.Succeeded {
		t.Errorf("the run that was queued: %+v", r)
	}
}

func TestWhatNobodyCanPostIsRefused(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	for _, handle := range []string{"a1", "a2", "a3", "a4"} {
		h.binding(c, handle, chat.RuntimeStandin)
	}
	for name, p := range map[string]run.Posting{
		"empty":               {ChannelID: c.ID, Body: " \n"},
		"too many recipients": {ChannelID: c.ID, Body: "@a1 @a2 @a3 @a4"},
		"an agent's handle":   {ChannelID: c.ID, Body: "x", Author: "A1"},
		"a bad handle":        {ChannelID: c.ID, Body: "x", Author: "a b"},
		"no such channel":     {ChannelID: "nope", Body: "x"},
		"no such thread":      {ChannelID: c.ID, ThreadRootID: "nope", Body: "x"},
		"too long":            {ChannelID: c.ID, Body: strings.Repeat("한", chat.MaxBody+1)},
	} {
		if _, _, err := h.runs.Post(context.Background(), p); err == nil || chat.CodeOf(err) == chat.CodeInternal {
			t.Errorf("%s: %v", name, err)
		}
	}
}
