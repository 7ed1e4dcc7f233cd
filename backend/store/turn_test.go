package store

import (
	"reflect"
	"testing"
	"time"

	"hearth/backend/chat"
	"hearth/backend/delivery"
	"hearth/backend/ledger"
	"hearth/backend/prompt"
	"hearth/backend/run"
)

// stagedAs is what a turn is sent when all that counts is its watermark.
func stagedAs(native string, lastAt time.Time, ids ...string) run.Sent {
	return run.Sent{Staged: &delivery.Watermark{Native: native, LastAt: lastAt, IDs: ids}}
}

func (h *house) marks() map[string]delivery.Watermark {
	h.t.Helper()
	row, runs := h.post("", "", "look", h.claude)
	m := must(h.Material(h.t.Context(), runs[0], true))(h.t)
	if m.Addressed != row {
		h.t.Errorf("addressed %+v, want %+v", m.Addressed, row)
	}
	must(h.Cancel(h.t.Context(), runs[0].ID, nil))(h.t)
	return m.Watermarks
}

func TestBegin(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	r := h.queue("", "x")
	if got := must(h.RunSent(ctx, r.ID))(t); !reflect.DeepEqual(got, run.Sent{}) {
		t.Errorf("a queued run was sent %+v", got)
	}
	sent := run.Sent{
		Blocks:     []prompt.Block{{Kind: prompt.KindPayload, Text: "{\"text\":\"안녕\"}"}, {Kind: prompt.KindRows, Text: "- [user] <&>\u2028"}},
		Considered: []delivery.Considered{{ID: "a", Verdict: delivery.Shown}, {ID: "b", Verdict: delivery.Held}},
		Omitted:    &delivery.Omitted{Count: 3, Before: "a", By: map[string]int{"": 1, "aiko": 2}},
		Before:     &delivery.Watermark{Native: "s1", LastAt: day, IDs: []string{"x"}},
		Staged:     &delivery.Watermark{Native: "s1", LastAt: day.Add(time.Microsecond), IDs: []string{"x", "y"}},
	}
	err := h.Begin(ctx, run.Beginning{RunID: r.ID, Native: "s1", Temperature: "cold", MessageUUID: "u", Sent: sent})
	if err != nil {
		t.Fatal(err)
	}
	got := must(h.Run(ctx, r.ID))(t)
	want := r
	want.State, want.Native, want.Temperature, want.MessageUUID, want.StartedAt = run.Running, "s1", "cold", "u", got.StartedAt
	if !reflect.DeepEqual(got, want) || !got.StartedAt.After(r.QueuedAt) {
		t.Errorf("began %+v, want %+v", got, want)
	}
	if got := must(h.RunSent(ctx, r.ID))(t); !reflect.DeepEqual(got, sent) {
		t.Errorf("sent %+v, want %+v", got, sent)
	}
	h.succeed(r, "")
	if got := must(h.RunSent(ctx, r.ID))(t); !reflect.DeepEqual(got, sent) {
		t.Errorf("after its end: sent %+v, want %+v", got, sent)
	}
	_, err = h.RunSent(ctx, "nobody")
	wantCode(t, err, chat.CodeNotFound)
}

func TestFinish(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	root, _ := h.post("", "", "root")
	r := h.queue(root.ID, "x")
	h.begin(r, "s1", run.Sent{})
	usage := run.Usage{Usage: ledger.Usage{Input: 1, CacheRead: 2, CacheWrite5m: 3, CacheWrite1h: 4, Output: 5}, CostUSD: 0.1234567, Calls: []ledger.Call{
		{MessageID: "m1", Model: "opus", Main: true, Usage: ledger.Usage{Input: 1, CacheRead: 2, CacheWrite5m: 3, CacheWrite1h: 4, Output: 5}},
		{MessageID: "m2", Model: "haiku"},
	}}
	steps := []run.Step{
		{N: 0, Kind: "tool", ID: "t1", Name: "Bash", Input: `{"command":"ls"}`, Output: "a\nb", At: day, Took: 1500 * time.Microsecond},
		{N: 1, Kind: "task", Parent: "t1", Error: true, At: day.Add(time.Second)},
	}
	_, reply, err := h.Finish(ctx, run.Finishing{
		RunID: r.ID, State: run.Declined, Reply: "not that", Note: chat.NoteDeclined, Usage: usage, Steps: steps,
	})
	if err != nil {
		t.Fatal(err)
	}
	wantRow := chat.Row{
		ID: reply.ID, ChannelID: h.channel.ID, ThreadRootID: root.ID, Kind: chat.KindAgent, Handle: "claude",
		BindingID: h.claude.ID, RunID: r.ID, Note: chat.NoteDeclined, Body: "not that", CreatedAt: reply.CreatedAt,
	}
	if *reply != wantRow || must(h.Row(ctx, reply.ID))(t) != wantRow {
		t.Errorf("reply %+v, want %+v", *reply, wantRow)
	}
	got := must(h.Run(ctx, r.ID))(t)
	if got.State != run.Declined || got.ReplyID != reply.ID || !reflect.DeepEqual(got.Usage, usage) || !got.EndedAt.Equal(reply.CreatedAt) || !got.EndedAt.After(got.StartedAt) {
		t.Errorf("ended %+v", got)
	}
	if got := must(h.RunSteps(ctx, r.ID))(t); !reflect.DeepEqual(got, steps) {
		t.Errorf("steps %+v, want %+v", got, steps)
	}
	got.Usage.Calls = nil // lists leave them out
	if listed, _, err := h.Runs(ctx, h.channel.ID, "", 1); err != nil || !reflect.DeepEqual(listed, []run.Run{got}) {
		t.Errorf("listed %+v (%v), want %+v", listed, err, got)
	}
	_, err = h.RunSteps(ctx, "nobody")
	wantCode(t, err, chat.CodeNotFound)

	for _, blank := range []string{"", " \n\t\u00a0"} {
		r := h.queue("", "x")
		h.begin(r, "s1", run.Sent{})
		rows := h.count("rows")
		failure := &run.Failure{Code: run.FailAPI, Message: "overloaded", Held: true}
		_, reply, err := h.Finish(ctx, run.Finishing{RunID: r.ID, State: run.Failed, Reply: blank, Failure: failure})
		got := must(h.Run(ctx, r.ID))(t)
		if err != nil || reply != nil || h.count("rows") != rows || got.ReplyID != "" || got.EndedAt.IsZero() || !reflect.DeepEqual(got.Failure, failure) {
			t.Errorf("%q made the row %v (%v) and the run %+v", blank, reply, err, got)
		}
	}
}

// Two steps of one number would be a mistake of ours; a reply must not be lost
// for it.
func TestFinishTakesAStepTwice(t *testing.T) {
	h := newHouse(t)
	r := h.queue("", "x")
	h.begin(r, "s1", run.Sent{})
	h.finish(run.Finishing{RunID: r.ID, State: run.Succeeded, Steps: []run.Step{{N: 1, Name: "a"}, {N: 1, Name: "b"}}})
	if got := must(h.RunSteps(t.Context(), r.ID))(t); len(got) != 1 || got[0].Name != "b" {
		t.Errorf("steps %+v", got)
	}
}

func TestMaterial(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	second := h.newBinding(h.channel.ID, "second")
	other := h.newChannel("other")
	elsewhere := h.newBinding(other.ID, "claude")
	root, _ := h.post("", "aiko", "root")
	var top, thread []string
	top, thread = append(top, root.ID), append(thread, root.ID)
	for i := range 40 {
		row, _ := h.post("", "", itoa(i))
		top = append(top, row.ID)
		if i < 5 {
			row, _ := h.post(root.ID, "", itoa(i))
			thread = append(thread, row.ID)
		}
	}
	row, runs := h.post("", "", "both", h.claude, second)
	top = append(top, row.ID)
	inThread, queued := h.post(root.ID, "", "in the thread", h.claude)
	thread = append(thread, inThread.ID)
	if err := h.Wait(ctx, queued[0].ID, true); err != nil {
		t.Fatal(err)
	}
	if _, _, err := h.Post(ctx, chat.Row{ChannelID: other.ID, Kind: chat.KindUser, Body: "noise"}, []run.Run{{BindingID: elsewhere.ID, Cause: run.CauseMention}}); err != nil {
		t.Fatal(err)
	}

	m := must(h.Material(ctx, runs[0], true))(t)
	if m.Channel != h.channel || !reflect.DeepEqual(m.Binding, h.claude) || !reflect.DeepEqual(m.Agents, []chat.Binding{h.claude, second}) || m.Addressed != row {
		t.Errorf("material %+v", m)
	}
	if got := idsOf(m.Rows); !reflect.DeepEqual(got, top[len(top)-delivery.Newest:]) {
		t.Errorf("rows %v, want the newest %d of %v", got, delivery.Newest, top)
	}
	if want := map[string]time.Time{inThread.ID: inThread.CreatedAt}; !reflect.DeepEqual(m.Held, want) {
		t.Errorf("held %v, want %v", m.Held, want)
	}
	if len(m.Watermarks) != 0 || len(m.Exchanges) != 0 {
		t.Errorf("a new agent has watermarks %v and exchanges %v", m.Watermarks, m.Exchanges)
	}
	m = must(h.Material(ctx, queued[0], true))(t)
	if got := idsOf(m.Rows); !reflect.DeepEqual(got, thread) {
		t.Errorf("rows of the thread %v, want %v", got, thread)
	}
	if want := map[string]time.Time{row.ID: row.CreatedAt}; !reflect.DeepEqual(m.Held, want) {
		t.Errorf("held %v, want %v", m.Held, want)
	}
	h.begin(runs[0], "s1", run.Sent{}) // what is on its way is held no more
	if m = must(h.Material(ctx, queued[0], true))(t); len(m.Held) != 0 {
		t.Errorf("held %v", m.Held)
	}
	// A thread longer than that leaves its root out.
	for range delivery.Newest {
		row, _ := h.post(root.ID, "", "more")
		thread = append(thread, row.ID)
	}
	m = must(h.Material(ctx, queued[0], true))(t)
	if got := idsOf(m.Rows); !reflect.DeepEqual(got, thread[len(thread)-delivery.Newest:]) {
		t.Errorf("rows of the thread %v", got)
	}
	gone := queued[0]
	gone.RowID = "nobody"
	_, err := h.Material(ctx, gone, true)
	wantCode(t, err, chat.CodeNotFound)
}

func TestExchanges(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	second := h.newBinding(h.channel.ID, "second")
	exchanges := func() []prompt.Exchange {
		t.Helper()
		_, runs := h.post("", "", "look", h.claude)
		m := must(h.Material(ctx, runs[0], true))(t)
		must(h.Cancel(ctx, runs[0].ID, nil))(t)
		return m.Exchanges
	}
	finish := func(r run.Run, f run.Finishing) *chat.Row {
		t.Helper()
		h.begin(r, "s", run.Sent{})
		f.RunID = r.ID
		return h.finish(f)
	}
	var want []prompt.Exchange
	ask := func(thread, asked, answered string, state run.State) {
		t.Helper()
		row, runs := h.post(thread, "", asked, h.claude)
		reply := finish(runs[0], run.Finishing{State: state, Reply: answered})
		want = append(want, prompt.Exchange{Asked: asked, Answered: answered, RowIDs: []string{row.ID}})
		if reply != nil {
			want[len(want)-1].RowIDs = append(want[len(want)-1].RowIDs, reply.ID)
		}
	}
	root, _ := h.post("", "", "root")
	ask("", "one", "first", run.Succeeded)
	ask(root.ID, "two", "no", run.Declined)
	ask("", "three", "", run.Succeeded)
	finish(h.queue("", "failed"), run.Finishing{State: run.Failed})
	finish(h.queue("", "stopped"), run.Finishing{State: run.Stopped})
	_, runs := h.post("", "", "the other's", second)
	finish(runs[0], run.Finishing{State: run.Succeeded, Reply: "the other's"})
	_, row, err := h.Unasked(ctx, run.Run{BindingID: h.claude.ID, Native: "s"}, run.Finishing{State: run.Succeeded, Reply: "the build is done"})
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, prompt.Exchange{Answered: "the build is done", RowIDs: []string{row.ID}})
	if got := exchanges(); !reflect.DeepEqual(got, want) {
		t.Errorf("exchanges %+v, want %+v", got, want)
	}

	// Nothing from before a Start fresh, not even what ended after it.
	late := h.queue("", "late")
	h.begin(late, "s", run.Sent{})
	must(h.Fresh(ctx, h.claude.ID))(t)
	h.succeed(late, "late reply")
	if got := exchanges(); len(got) != 0 {
		t.Errorf("exchanges after Start fresh %+v", got)
	}
	want = nil
	for i := range maxExchanges + 5 {
		ask("", itoa(i), "r"+itoa(i), run.Succeeded)
	}
	if got := exchanges(); !reflect.DeepEqual(got, want[5:]) {
		t.Errorf("%d exchanges from %+v to %+v", len(got), got[0], got[len(got)-1])
	}
}

func TestUnasked(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	root, _ := h.post("", "", "root")
	top := h.queue("", "first")
	h.begin(top, "s1", run.Sent{})
	h.succeed(top, "done")
	inThread := h.queue(root.ID, "second")
	h.begin(inThread, "s1", run.Sent{})
	h.succeed(inThread, "done")
	other := h.queue("", "in another session")
	h.begin(other, "s2", run.Sent{})
	h.succeed(other, "done")

	usage := run.Usage{Usage: ledger.Usage{Output: 7}, CostUSD: 0.5, Calls: []ledger.Call{{MessageID: "m"}}}
	steps := []run.Step{{Kind: "text", Output: "o", At: day}}
	r, row, err := h.Unasked(ctx, run.Run{BindingID: h.claude.ID, Temperature: "warm", Native: "s1"}, run.Finishing{State: run.Succeeded, Reply: "the build is done", Usage: usage, Steps: steps})
	if err != nil {
		t.Fatal(err)
	}
	want := run.Run{
		ID: r.ID, ChannelID: h.channel.ID, BindingID: h.claude.ID, ThreadRootID: root.ID, Cause: run.CauseUnasked,
		State: run.Succeeded, Temperature: "warm", Native: "s1", ReplyID: row.ID, Usage: usage,
		QueuedAt: r.QueuedAt, StartedAt: r.StartedAt, EndedAt: row.CreatedAt,
	}
	if !reflect.DeepEqual(r, want) || r.StartedAt.IsZero() || r.ID == "" {
		t.Errorf("unasked %+v, want %+v", r, want)
	}
	if got := must(h.Run(ctx, r.ID))(t); !reflect.DeepEqual(got, r) {
		t.Errorf("read %+v", got)
	}
	if got := must(h.RunSteps(ctx, r.ID))(t); !reflect.DeepEqual(got, steps) {
		t.Errorf("steps %+v", got)
	}
	wantRow := chat.Row{
		ID: row.ID, ChannelID: h.channel.ID, ThreadRootID: root.ID, Kind: chat.KindAgent, Handle: "claude",
		BindingID: h.claude.ID, RunID: r.ID, Note: chat.NoteUnasked, Body: "the build is done", CreatedAt: row.CreatedAt,
	}
	if *row != wantRow {
		t.Errorf("row %+v, want %+v", *row, wantRow)
	}
	if got := must(h.Row(ctx, row.ID))(t); got != wantRow {
		t.Errorf("read %+v", got)
	}
	for native, thread := range map[string]string{"s2": "", "s3": "", "": ""} {
		r, row, err := h.Unasked(ctx, run.Run{BindingID: h.claude.ID, Native: native}, run.Finishing{State: run.Failed, Failure: &run.Failure{Code: run.FailAPI, Message: "m"}, Reply: "  "})
		if err != nil || row != nil || r.ThreadRootID != thread || r.State != run.Failed || r.Failure.Message != "m" {
			t.Errorf("in %q: %+v, row %v, %v", native, r, row, err)
		}
	}
	_, _, err = h.Unasked(ctx, run.Run{BindingID: "nobody"}, run.Finishing{State: run.Succeeded, Reply: "x"})
	wantCode(t, err, chat.CodeNotFound)
}

func TestWatermarkIsCommittedOrDropped(t *testing.T) {
	at := func(n int) time.Time { return day.Add(time.Duration(n) * time.Second) }
	type sending struct {
		native string
		lastAt time.Time
		ids    []string
		end    run.Finishing
	}
	proven := run.Finishing{State: run.Succeeded, Commit: true}
	for _, c := range []struct {
		name  string
		turns []sending
		want  map[string]delivery.Watermark
	}{
		{"success", []sending{{"s1", at(1), []string{"a"}, proven}},
			map[string]delivery.Watermark{"": {Native: "s1", LastAt: at(1), IDs: []string{"a"}}}},
		{"no proof", []sending{{"s1", at(1), []string{"a"}, run.Finishing{State: run.Failed}}},
			map[string]delivery.Watermark{}},
		{"failed, but the session holds it", []sending{{"s1", at(1), []string{"a"}, run.Finishing{State: run.Failed, Commit: true}}},
			map[string]delivery.Watermark{"": {Native: "s1", LastAt: at(1), IDs: []string{"a"}}}},
		{"it grows within a session", []sending{{"s1", at(5), []string{"a", "b"}, proven}, {"s1", at(3), []string{"b", "c"}, proven}},
			map[string]delivery.Watermark{"": {Native: "s1", LastAt: at(5), IDs: []string{"a", "b", "c"}}}},
		{"another session has its own", []sending{{"s1", at(5), []string{"a"}, proven}, {"s2", at(3), []string{"b"}, proven}},
			map[string]delivery.Watermark{"": {Native: "s2", LastAt: at(3), IDs: []string{"b"}}}},
		{"a failed turn leaves what was there", []sending{{"s1", at(5), []string{"a"}, proven}, {"s1", at(9), []string{"b"}, run.Finishing{State: run.Stopped}}},
			map[string]delivery.Watermark{"": {Native: "s1", LastAt: at(5), IDs: []string{"a"}}}},
		{"only ids", []sending{{"s1", time.Time{}, []string{"a"}, proven}},
			map[string]delivery.Watermark{"": {Native: "s1", IDs: []string{"a"}}}},
		{"only a time", []sending{{"s1", at(1), nil, proven}},
			map[string]delivery.Watermark{"": {Native: "s1", LastAt: at(1), IDs: []string{}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHouse(t)
			for _, turn := range c.turns {
				r := h.queue("", "x")
				h.begin(r, turn.native, stagedAs(turn.native, turn.lastAt, turn.ids...))
				if h.count("staged") != 1 {
					t.Error("nothing was staged")
				}
				turn.end.RunID = r.ID
				h.finish(turn.end)
				if h.count("staged") != 0 {
					t.Error("it is still staged after the end")
				}
			}
			if got := h.marks(); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

// What a session wrote itself it knows, whatever became of the turn; but only a
// watermark that is there and is its own can say so.
func TestWatermarkKnowsWhatItsSessionWrote(t *testing.T) {
	h := newHouse(t)
	turn := func(thread, native string, f run.Finishing) *chat.Row {
		t.Helper()
		r := h.queue(thread, "x")
		sent := run.Sent{}
		if f.Commit {
			sent = stagedAs(native, day, "told")
		}
		h.begin(r, native, sent)
		f.RunID = r.ID
		return h.finish(f)
	}
	turn("", "s1", run.Finishing{State: run.Failed, Reply: "lost", Interim: []string{"i0"}})
	if got := h.marks(); len(got) != 0 {
		t.Errorf("a watermark came of nothing: %+v", got)
	}
	first := turn("", "s1", run.Finishing{State: run.Succeeded, Reply: "first", Interim: []string{"i1", "i2"}, Commit: true})
	turn("", "s1", run.Finishing{State: run.Failed, Interim: []string{"i3"}})
	_, unasked, err := h.Unasked(t.Context(), run.Run{BindingID: h.claude.ID, Native: "s1"}, run.Finishing{State: run.Succeeded, Reply: "built"})
	if err != nil {
		t.Fatal(err)
	}
	turn("", "s2", run.Finishing{State: run.Failed, Interim: []string{"i4"}})
	want := map[string]delivery.Watermark{
		"": {Native: "s1", LastAt: day, IDs: []string{"told", "i1", "i2", first.ID, "i3", unasked.ID}},
	}
	if got := h.marks(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := must(h.Watermarks(t.Context(), h.claude.ID))(t); !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v, want %+v", got, want)
	}
}

func TestWatermarkHasAPlace(t *testing.T) {
	h := newHouse(t)
	root, _ := h.post("", "", "root")
	for _, thread := range []string{"", root.ID} {
		r := h.queue(thread, "x")
		h.begin(r, "s1", stagedAs("s1", day, "in-"+thread))
		h.succeed(r, "")
	}
	want := map[string]delivery.Watermark{
		"":      {Native: "s1", LastAt: day, IDs: []string{"in-"}},
		root.ID: {Native: "s1", LastAt: day, IDs: []string{"in-" + root.ID}},
	}
	if got := h.marks(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	must(h.Fresh(t.Context(), h.claude.ID))(t)
	if got := h.marks(); !reflect.DeepEqual(got, want) {
		t.Errorf("after Start fresh, which can be taken back, %+v", got)
	}
	other := must(h.Binding(t.Context(), h.claude.ID))(t)
	other.Runtime = chat.RuntimeStandin
	must(h.UpdateBinding(t.Context(), other))(t)
	if got := h.marks(); len(got) != 0 {
		t.Errorf("another agent has %+v", got)
	}
}

// The list of ids stays bounded, and it is the oldest that go.
func TestWatermarkIsBounded(t *testing.T) {
	h := newHouse(t)
	var all []string
	for turn := range 3 {
		var ids []string
		for i := range 90 {
			ids = append(ids, itoa(turn*90+i))
		}
		all = append(all, ids...)
		r := h.queue("", "x")
		h.begin(r, "s1", stagedAs("s1", day, ids...))
		h.succeed(r, "")
	}
	if got := h.marks()[""].IDs; !reflect.DeepEqual(got, all[len(all)-delivery.MaxIDs:]) {
		t.Errorf("%d ids: %v", len(got), got)
	}
}

// A turn that ends after Start fresh belongs to the session that was thrown away.
func TestFreshIsNotUndoneByALateTurn(t *testing.T) {
	h := newHouse(t)
	r := h.queue("", "x")
	h.begin(r, "s1", stagedAs("s1", day, "a"))
	fresh := must(h.Fresh(t.Context(), h.claude.ID))(t)
	if !fresh.FreshAt.After(must(h.Run(t.Context(), r.ID))(t).StartedAt) {
		t.Errorf("fresh at %v", fresh.FreshAt)
	}
	h.succeed(r, "late")
	if got := h.marks(); len(got) != 0 {
		t.Errorf("the watermark came back: %+v", got)
	}
	r = h.queue("", "y")
	h.begin(r, "s2", stagedAs("s2", day, "b"))
	h.succeed(r, "new")
	if got := h.marks()[""]; got.Native != "s2" {
		t.Errorf("the new session has %+v", got)
	}
}
