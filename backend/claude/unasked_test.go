package claude

import (
	"context"
	"errors"
	"testing"
	"time"
)

func system(subtype string, rest object) object {
	rest["type"], rest["subtype"] = "system", subtype
	return rest
}

// own is a whole turn of the client's own, as 2.1.332 and 2.1.197 both mark it.
func (f *fake) own(answer string) {
	f.emit(f.init())
	f.say(answer)
	f.emit(f.result(answer, object{"origin": object{"kind": "task-notification"}}))
}

func (f *fake) taskStarts(id string) {
	f.emit(system("task_started", object{"task_id": id, "tool_use_id": "toolu_" + id, "task_type": "local_bash", "description": "sleep"}))
}

func (f *fake) taskEnds(id string) {
	f.emit(system("task_updated", object{"task_id": id, "patch": object{"status": "completed"}}),
		system("task_notification", object{"task_id": id, "status": "completed", "summary": "slept", "output_file": "/tmp/out"}))
}

// mark has the session's MCP-less tests know how far the fake is: a question that the test's Permission sees.
func (f *fake) mark(tool string) {
	f.emit(object{"type": "control_request", "request_id": "mark-" + tool, "request": object{"subtype": "can_use_tool", "tool_name": tool, "agent_id": "sub", "input": object{}}})
	f.response("mark-" + tool)
}

func init() {
	parts["background"] = func(f *fake) {
		f.initialize()
		uuid, asked := f.user()
		f.emit(f.init(), replay(uuid, asked))
		f.taskStarts("t1")
		f.taskStarts("t2")
		f.say("started")
		f.emit(f.result("started", nil))
		f.mark("running")
		f.taskEnds("t1")
		f.mark("gap")
		f.own("t1 is over")
		f.mark("idle")
		f.taskEnds("t2")
		f.own("t2 is over")
		f.loop()
	}
	// our message comes while an own turn runs; the client queues it and takes it afterwards
	parts["during"] = func(f *fake) {
		f.initialize()
		uuid, asked := f.user()
		f.emit(f.init()) // the own turn began in the same moment
		f.say("mine")
		f.emit(f.result("mine", object{"origin": object{"kind": "task-notification"}}))
		f.answer(uuid, asked, "yours")
		f.loop()
	}
	// the same with the old version's own turn of a timer, which it does not mark at all
	parts["unmarked"] = func(f *fake) {
		f.initialize()
		uuid, asked := f.user()
		f.emit(f.init())
		f.say("mine")
		f.emit(f.result("mine", nil))
		f.emit(f.init())
		id := f.messageID()
		f.emit(stream(object{"type": "message_start", "message": object{"id": id, "model": "model-a", "usage": usage(1)}}),
			delta("yours"), replay(uuid, asked), f.assistant(id, text("yours")), f.result("yours", nil))
		f.loop()
	}
	// the client takes our message into its own turn
	parts["merged"] = func(f *fake) {
		f.initialize()
		f.taskStarts("t1")
		f.taskEnds("t1")
		f.mark("gap")
		f.emit(f.init())
		uuid, asked := f.user()
		f.say("so far mine")
		f.emit(replay(uuid, asked))
		f.say("and yours")
		f.emit(f.result("and yours", object{"origin": object{"kind": "task-notification"}}))
		f.loop()
	}
	// an own turn runs when a turn of ours is wanted
	parts["before"] = func(f *fake) {
		f.initialize()
		f.emit(f.init())
		f.mark("under way")
		f.emit(f.result("mine", object{"origin": object{"kind": "task-notification"}}))
		f.loop()
	}
	parts["listed"] = func(f *fake) {
		f.initialize()
		uuid, asked := f.user()
		f.emit(f.init(), replay(uuid, asked),
			system("background_tasks_changed", object{"tasks": []object{{"task_id": "b1"}}}),
			system("task_started", object{"task_id": "b1", "is_backgrounded": true}),
			system("task_started", object{"task_id": "f1", "is_backgrounded": false}))
		f.mark("one")
		f.emit(system("task_notification", object{"task_id": "f1", "status": "completed"}),
			f.result("", object{"queued_turn_count": 0}))
		f.mark("idle")
		f.emit(system("task_updated", object{"task_id": "b1", "patch": object{"status": "killed"}}),
			system("task_notification", object{"task_id": "b1", "status": "killed"}),
			system("background_tasks_changed", object{"tasks": []object{}}))
		f.mark("gone")
		f.loop()
	}
	// a task ends while our turn still runs
	parts["ends within"] = func(f *fake) {
		f.initialize()
		uuid, asked := f.user()
		f.emit(f.init(), replay(uuid, asked))
		f.taskStarts("t1")
		f.taskEnds("t1")
		f.emit(f.result("first", object{"queued_turn_count": 0}))
		f.mark("between")
		f.own("mine")
		f.loop()
	}
	parts["queued"] = func(f *fake) {
		f.initialize()
		uuid, asked := f.user()
		f.emit(f.init(), replay(uuid, asked), f.result("first", object{"queued_turn_count": 1}))
		f.mark("between")
		f.own("mine")
		f.loop()
	}
}

// marks gives a test the fake's marks, and lets the fake go on when the test says so.
func marks(o *Options) (at <-chan string, on func()) {
	reached, next := make(chan string), make(chan struct{})
	o.Permission = func(ctx context.Context, q Question) Answer {
		select {
		case reached <- q.Tool:
		case <-ctx.Done():
			return Answer{}
		}
		select {
		case <-next:
		case <-ctx.Done():
		}
		return Answer{}
	}
	return reached, func() { next <- struct{}{} }
}

func unasked(o *Options) chan Turn {
	turns := make(chan Turn, 10)
	o.Unasked = func(t Turn) { turns <- t }
	return turns
}

func TestTurnsNobodyAskedFor(t *testing.T) {
	o := options("background")
	turns := unasked(&o)
	at, on := marks(&o)
	s := open(t, o)
	// With a task in the background a permission of a subagent outlives the turn; that is what the marks are.
	if r, _ := ask(t, s, "go"); r.Text != "started" {
		t.Errorf("%+v", r)
	}
	<-at
	if s.BackgroundTasks() != 2 {
		t.Errorf("%d tasks, want 2", s.BackgroundTasks())
	}
	on()
	<-at // t1 has ended, its turn has not begun
	if !s.expects() || s.BackgroundTasks() != 1 {
		t.Errorf("between a task's end and the turn it causes: expected %v, %d tasks", s.expects(), s.BackgroundTasks())
	}
	on()
	<-at
	first := <-turns
	if first.Result.Text != "t1 is over" || first.Origin != "task-notification" || len(first.Trigger) != 1 || first.Trigger[0].ID != "t1" ||
		first.Trigger[0].Summary != "slept" || first.Result.CostUSD != 1 || len(first.Result.Calls) != 1 || first.Began.IsZero() || first.Ended.Before(first.Began) {
		t.Errorf("%+v", first)
	}
	if got := kinds(first.Events); got != "TaskEnded Text CallUsage" {
		t.Errorf("its events: %s", got)
	}
	on()
	if second := <-turns; second.Result.Text != "t2 is over" || second.Trigger[0].ID != "t2" {
		t.Errorf("%+v", second)
	}
	if r, _ := ask(t, s, "hello"); r.Text != "you said hello" {
		t.Errorf("%+v", r)
	}
	if s.Busy() || s.BackgroundTasks() != 0 {
		t.Errorf("afterwards: busy %v, %d tasks", s.Busy(), s.BackgroundTasks())
	}
}

func TestAnOwnTurnIsNotTakenForOurs(t *testing.T) {
	for _, part := range []string{"during", "unmarked"} {
		o := options(part)
		turns := unasked(&o)
		s := open(t, o)
		r, events := ask(t, s, "hello")
		if r.Text != "yours" {
			t.Errorf("%s: %+v", part, r)
		}
		if own := <-turns; own.Result.Text != "mine" || len(each[Text](own.Events)) != 1 {
			t.Errorf("%s: the own turn %+v", part, own)
		}
		// What was shown before it was known whose it is, is taken back.
		var after []Event
		for _, e := range events {
			if after = append(after, e); e == (Retract{}) {
				after = nil
			}
		}
		texts := each[Text](after)
		if len(each[Retract](events)) != 1 || len(texts) != 1 || texts[0].Text != "yours" {
			t.Errorf("%s: events %+v", part, events)
		}
		ask(t, s, "again")
	}
}

func TestAMergedTurnIsOurs(t *testing.T) {
	o := options("merged")
	o.UnaskedGrace = time.Millisecond // we do not wait for the own turn here, and so meet it
	turns := unasked(&o)
	at, on := marks(&o)
	s := open(t, o)
	<-at
	s.until(func() bool { return s.expecting == nil })
	result := make(chan Result)
	var events []Event
	go func() {
		r, err := s.Turn(t.Context(), Message{Text: "hello"}, func(e Event) { events = append(events, e) })
		if err != nil {
			t.Error(err)
		}
		result <- r
	}()
	s.until(func() bool { return s.turn != nil && s.turn.sent })
	on()
	if r := <-result; r.Text != "and yours" || len(r.Calls) != 2 {
		t.Errorf("%+v", r)
	}
	if texts := each[Text](events); len(texts) != 2 || len(each[Retract](events)) != 0 {
		t.Errorf("events %+v", events)
	}
	ask(t, s, "again")
	select {
	case own := <-turns:
		t.Errorf("and an own turn: %+v", own)
	default:
	}
}

// expects reports whether the session, and with it Busy, knows that an own turn is about to begin.
func (s *Session) expects() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.expecting != nil
}

// until waits for a state of the session. The lock is held when cond looks.
func (s *Session) until(cond func() bool) {
	for {
		s.mu.Lock()
		ok, wake := cond(), s.wake
		s.mu.Unlock()
		if ok {
			return
		}
		<-wake
	}
}

func TestNothingIsSentWhileAnOwnTurnRuns(t *testing.T) {
	o := options("before")
	turns := unasked(&o)
	at, on := marks(&o)
	s := open(t, o)
	<-at
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := s.Turn(ctx, Message{Text: "too early"}, nil)
	if e, ok := errors.AsType[*Error](err); !ok || e.Code != CodeInterrupted || e.Sent {
		t.Errorf("%#v", err)
	}
	on()
	<-turns
	if r, _ := ask(t, s, "hello"); r.Text != "you said hello" {
		t.Errorf("what the client got first: %+v", r)
	}
}

func TestTasksAsTheClientListsThem(t *testing.T) {
	o := options("listed")
	o.UnaskedGrace = 20 * time.Millisecond
	at, on := marks(&o)
	s := open(t, o)
	turn := make(chan struct{})
	go func() {
		defer close(turn)
		ask(t, s, "go")
	}()
	<-at
	if n := s.BackgroundTasks(); n != 1 {
		t.Errorf("%d tasks, want the one in the background", n)
	}
	on()
	<-turn
	<-at
	if n := s.BackgroundTasks(); n != 1 {
		t.Errorf("after the turn %d tasks", n)
	}
	on()
	<-at
	if n := s.BackgroundTasks(); n != 0 {
		t.Errorf("after the kill %d tasks", n)
	}
	on()
	// A task that was killed makes no turn; the wait for one ends.
	s.until(func() bool { return s.expecting == nil })
	ask(t, s, "again")
}

func TestATurnThatFollowsIsWaitedFor(t *testing.T) {
	for _, part := range []string{"queued", "ends within"} {
		o := options(part)
		turns := unasked(&o)
		at, on := marks(&o)
		s := open(t, o)
		if r, _ := ask(t, s, "x"); r.Text != "first" {
			t.Errorf("%+v", r)
		}
		<-at
		if !s.expects() || !s.Busy() {
			t.Errorf("%s: no turn is expected", part)
		}
		on()
		if r, _ := ask(t, s, "hello"); r.Text != "you said hello" {
			t.Errorf("%s: %+v", part, r)
		}
		if own := <-turns; own.Result.Text != "mine" || len(own.Trigger) != map[string]int{"queued": 0, "ends within": 1}[part] {
			t.Errorf("%s: %+v", part, own)
		}
	}
}

func TestBelongs(t *testing.T) {
	ours := func() *turn { return &turn{uuid: "u", sent: true} }
	early := ours()
	early.early = true
	origin := func(kind string) wireResult {
		var w wireResult
		w.Origin.Kind, w.NumTurns = kind, 1
		return w
	}
	for name, c := range map[string]struct {
		t    *turn
		c    cycle
		w    wireResult
		want bool
	}{
		"no turn of ours":                        {nil, cycle{ours: true}, wireResult{}, false},
		"not sent yet":                           {&turn{uuid: "u"}, cycle{ours: true}, wireResult{}, false},
		"the message was repeated":               {ours(), cycle{ours: true}, origin(""), true},
		"merged: repeated, but its origin":       {ours(), cycle{ours: true}, origin("task-notification"), true},
		"named in the result":                    {ours(), cycle{}, wireResult{Messages: []string{"v", "u"}, NumTurns: 1}, true},
		"another one named":                      {ours(), cycle{likely: true}, wireResult{Messages: []string{"v"}}, false},
		"of a task":                              {ours(), cycle{likely: true}, origin("task-notification"), false},
		"nothing said, though likely":            {ours(), cycle{likely: true}, origin(""), false},
		"no model turns, and likely":             {ours(), cycle{likely: true}, wireResult{}, true},
		"no model turns, not likely":             {ours(), cycle{}, wireResult{}, false},
		"repeated before the cycle, and likely":  {early, cycle{likely: true}, origin(""), true},
		"repeated before the cycle, of a person": {early, cycle{likely: true}, origin("human"), true},
		"repeated before the cycle, not likely":  {early, cycle{}, origin(""), false},
	} {
		if got := c.c.belongs(c.t, c.w); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
