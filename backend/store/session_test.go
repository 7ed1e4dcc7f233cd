package store

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
	"time"

	"hearth/backend/chat"
	"hearth/backend/ledger"
	"hearth/backend/pty"
	"hearth/backend/run"
)

func (h *house) start(native string) {
	h.t.Helper()
	err := h.StartSession(h.t.Context(), run.Session{Native: native, BindingID: h.claude.ID, ChannelID: h.channel.ID, Workspace: h.channel.Workspace})
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) end(native, reason string) {
	h.t.Helper()
	if err := h.EndSession(h.t.Context(), native, ledger.EndedOther, reason); err != nil {
		h.t.Fatal(err)
	}
}

// speak has one turn in a session.
func (h *house) speak(native string) {
	h.t.Helper()
	r := h.queue("", "x")
	h.begin(r, native, run.Sent{})
	h.succeed(r, "")
}

func (h *house) restorable() string {
	h.t.Helper()
	s, ok, err := h.Restorable(h.t.Context(), h.claude.ID)
	if err != nil || ok != (s.Native != "") {
		h.t.Fatalf("%+v, %v, %v", s, ok, err)
	}
	return s.Native
}

func TestSessions(t *testing.T) {
	h := newHouse(t)
	want := func(native string) {
		t.Helper()
		if got := h.restorable(); got != native {
			t.Errorf("%q can be restored, want %q", got, native)
		}
	}
	want("")
	h.start("s1")
	want("") // it lives
	h.speak("s1")
	want("")
	h.end("s1", "idle")
	want("s1")
	s, _, err := h.Restorable(t.Context(), h.claude.ID)
	if err != nil || s.BindingID != h.claude.ID || s.ChannelID != h.channel.ID || s.Workspace != h.channel.Workspace || s.EndReason != "idle" ||
		s.StartedAt.IsZero() || !s.EndedAt.After(s.StartedAt) {
		t.Errorf("%+v, %v", s, err)
	}
	h.end("s1", "again") // ended is ended
	if again, _, _ := h.Restorable(t.Context(), h.claude.ID); again != s {
		t.Errorf("ended twice: %+v", again)
	}
	h.end("nobody", "x")

	h.start("s2")
	h.end("s2", "idle") // started ahead, never spoken to: nothing to load
	want("s1")
	h.start("s3")
	r := h.queue("", "x")
	h.begin(r, "s3", run.Sent{})
	h.finish(run.Finishing{RunID: r.ID, State: run.Failed})
	h.end("s3", "crashed")
	want("s1") // nothing proves that it holds a turn
	r = h.queue("", "x")
	h.begin(r, "s3", run.Sent{})
	h.finish(run.Finishing{RunID: r.ID, State: run.Stopped, Failure: &run.Failure{Code: run.FailInterrupted, Held: true}})
	want("s3")
	h.start("s1") // restored
	want("s3")
	h.end("s1", "idle")
	want("s1")

	// A session is of its folder: elsewhere the client does not find it.
	moved := h.channel
	moved.Workspace = "/elsewhere"
	must(h.UpdateChannel(t.Context(), moved))(t)
	want("")
	must(h.UpdateChannel(t.Context(), h.channel))(t)
	want("s1")

	must(h.Fresh(t.Context(), h.claude.ID))(t)
	want("")
	h.start("s4")
	h.speak("s4")
	must(h.Fresh(t.Context(), h.claude.ID))(t) // ends the open one too
	want("")
	if n := must(h.EndOpenSessions(t.Context(), "x"))(t); n != 0 {
		t.Errorf("Start fresh left %d open", n)
	}
}

func TestEndOpenSessions(t *testing.T) {
	h := newHouse(t)
	h.start("s1")
	h.start("s2")
	h.speak("s1")
	h.speak("s2")
	if n := must(h.EndOpenSessions(t.Context(), "Hearth died"))(t); n != 2 {
		t.Errorf("%d ended, want 2", n)
	}
	s, ok, err := h.Restorable(t.Context(), h.claude.ID)
	if err != nil || !ok || s.Native != "s2" || s.EndReason != "Hearth died" {
		t.Errorf("%+v, %v, %v: want the newest", s, ok, err)
	}
}

func TestSessionOfAnotherBinding(t *testing.T) {
	h := newHouse(t)
	second := h.newBinding(h.channel.ID, "second")
	h.start("s1")
	err := h.StartSession(t.Context(), run.Session{Native: "s1", BindingID: second.ID, ChannelID: h.channel.ID})
	wantCode(t, err, chat.CodeConflict)
	err = h.StartSession(t.Context(), run.Session{Native: "s2", BindingID: "nobody"})
	wantCode(t, err, chat.CodeNotFound)
}

func TestPermissions(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	full := run.Permission{
		RunID: "r", ChannelID: h.channel.ID, BindingID: h.claude.ID, Tool: "Bash", Input: json.RawMessage(`{"command": "ls"}`),
		AgentID: "sub", Reason: "why", BlockedPath: "/etc", Workspace: h.channel.Workspace, Rules: []string{"Bash(ls:*)", "Bash"}, State: run.PermissionOpen,
	}
	asked := must(h.Ask(ctx, full))(t)
	full.ID, full.AskedAt = asked.ID, asked.AskedAt
	if !reflect.DeepEqual(asked, full) || asked.ID == "" || asked.AskedAt.IsZero() {
		t.Errorf("asked %+v, want %+v", asked, full)
	}
	if got := must(h.Permission(ctx, asked.ID))(t); !reflect.DeepEqual(got, asked) {
		t.Errorf("read %+v", got)
	}
	bare := must(h.Ask(ctx, run.Permission{ChannelID: h.channel.ID, BindingID: h.claude.ID, Tool: "X"}))(t)
	if bare.Input != nil || bare.Rules != nil || bare.State != run.PermissionOpen {
		t.Errorf("asked %+v", bare)
	}
	named := must(h.Ask(ctx, run.Permission{ID: "named", BindingID: h.claude.ID, Tool: "X"}))(t)
	if named.ID != "named" || named.ChannelID != h.channel.ID {
		t.Errorf("asked %+v", named)
	}
	must(h.Answer(ctx, "named", run.PermissionAllowed, "", ""))(t)
	if got := must(h.OpenPermissions(ctx))(t); !reflect.DeepEqual(got, []run.Permission{asked, bare}) {
		t.Errorf("open %+v", got)
	}

	closed := must(h.Answer(ctx, asked.ID, run.PermissionAlways, "Bash(ls:*)", ""))(t)
	want := asked
	want.State, want.Rule, want.AnsweredAt = run.PermissionAlways, "Bash(ls:*)", closed.AnsweredAt
	if !reflect.DeepEqual(closed, want) || !closed.AnsweredAt.After(asked.AskedAt) {
		t.Errorf("answered %+v, want %+v", closed, want)
	}
	for _, state := range []run.PermissionState{run.PermissionAllowed, run.PermissionAlways, run.PermissionDenied} {
		_, err := h.Answer(ctx, asked.ID, state, "other", "m")
		wantCode(t, err, chat.CodeConflict)
	}
	_, err := h.Answer(ctx, bare.ID, run.PermissionOpen, "", "")
	wantCode(t, err, chat.CodeInvalid)
	if got := must(h.Answer(ctx, bare.ID, run.PermissionDenied, "", "not now"))(t); got.State != run.PermissionDenied || got.Message != "not now" {
		t.Errorf("denied %+v", got)
	}
	if got := must(h.OpenPermissions(ctx))(t); len(got) != 0 {
		t.Errorf("open %+v", got)
	}
	for _, err := range []error{
		func() error { _, err := h.Permission(ctx, "nobody"); return err }(),
		func() error { _, err := h.Answer(ctx, "nobody", run.PermissionDenied, "", ""); return err }(),
		func() error { _, err := h.Ask(ctx, run.Permission{BindingID: "nobody"}); return err }(),
	} {
		wantCode(t, err, chat.CodeNotFound)
	}
}

func TestRules(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	answer := func(tool, input string, state run.PermissionState, rule string) {
		t.Helper()
		p := must(h.Ask(ctx, run.Permission{ChannelID: h.channel.ID, BindingID: h.claude.ID, Tool: tool, Input: json.RawMessage(input)}))(t)
		must(h.Answer(ctx, p.ID, state, rule, ""))(t)
	}
	answer("Bash", `{"command":"ls"}`, run.PermissionAllowed, "")
	answer("Bash", `{"command":"ls"}`, run.PermissionDenied, "")
	answer("Bash", `{"command":"ls"}`, run.PermissionAlways, "Bash(ls:*)")
	answer("Write", `{"b":1, "a":"안녕"}`, run.PermissionAlways, "")
	answer("Write", `{"b":1, "a":"안녕"}`, run.PermissionAlways, "") // once is enough
	answer("Bash", `{"command":"ls -l"}`, run.PermissionAlways, "Bash(ls:*)")
	want := []run.Rule{{Text: "Bash(ls:*)"}, {Tool: "Write", Input: json.RawMessage(`{"b":1, "a":"안녕"}`)}}
	kept := must(h.Rules(ctx, h.claude.ID))(t)
	got := slices.Clone(kept)
	for i := range got {
		if got[i].ID == "" || got[i].At.IsZero() {
			t.Errorf("a rule without an id or a time: %+v", got[i])
		}
		got[i].ID, got[i].At = "", time.Time{}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("rules %s, want %s", got, want)
	}
	if got := must(h.Rules(ctx, "nobody"))(t); len(got) != 0 {
		t.Errorf("rules %v", got)
	}
	must(h.Fresh(ctx, h.claude.ID))(t) // a person's word outlives a session
	if got := must(h.Rules(ctx, h.claude.ID))(t); len(got) != 2 {
		t.Errorf("rules %v after Start fresh", got)
	}
	wantCode(t, h.RemoveRule(ctx, "nobody", kept[0].ID), chat.CodeNotFound)
	if err := h.RemoveRule(ctx, h.claude.ID, kept[0].ID); err != nil {
		t.Fatal(err)
	}
	wantCode(t, h.RemoveRule(ctx, h.claude.ID, kept[0].ID), chat.CodeNotFound)
	if got := must(h.Rules(ctx, h.claude.ID))(t); len(got) != 1 || got[0].ID != kept[1].ID {
		t.Errorf("rules %v after one was taken back", got)
	}
}

func TestPermissionsOfAChannel(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	other := h.newChannel("other")
	there := h.newBinding(other.ID, "claude")
	var here, all, open []string // newest first
	for i := range 10 {
		h.clock.Set(h.clock.Now().Add(1000 * 1000)) // so that two channels' times compare
		b := []chat.Binding{h.claude, there}[i%2]
		p := must(h.Ask(ctx, run.Permission{ChannelID: b.ChannelID, BindingID: b.ID, Tool: "Bash"}))(t)
		all = append([]string{p.ID}, all...)
		if i%2 == 0 {
			here = append([]string{p.ID}, here...)
		}
		if i%3 == 0 {
			must(h.Answer(ctx, p.ID, run.PermissionAllowed, "", ""))(t)
		} else {
			open = append([]string{p.ID}, open...)
		}
	}
	openHere := slices.DeleteFunc(slices.Clone(here), func(id string) bool { return !slices.Contains(open, id) })
	for _, c := range []struct {
		channel string
		open    bool
		limit   int
		want    []string
	}{
		{"", false, 100, all}, {"", false, 3, all[:3]}, {"", true, 100, open}, {"", true, 2, open[:2]},
		{h.channel.ID, false, 100, here}, {h.channel.ID, true, 100, openHere}, {"nobody", false, 100, nil},
	} {
		var got []string
		for _, p := range must(h.Permissions(ctx, c.channel, c.open, c.limit))(t) {
			got = append(got, p.ID)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("of %q, open %v, %d at most: %v, want %v", c.channel, c.open, c.limit, got, c.want)
		}
	}
}

func TestProcesses(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	a := ProcessRecord{Record: pty.Record{PID: 7, Started: "boot 1 99", Mark: "i/a"}, Native: "s", BindingID: h.claude.ID}
	b := ProcessRecord{Record: pty.Record{PID: 8, Started: "boot 1 100", Mark: "i/b"}, BindingID: "gone"}
	for _, p := range []ProcessRecord{b, a} {
		if err := h.RecordProcess(ctx, p); err != nil {
			t.Fatal(err)
		}
	}
	a.PID = 9 // one mark, one record
	if err := h.RecordProcess(ctx, a); err != nil {
		t.Fatal(err)
	}
	must(h.DeleteChannel(ctx, h.channel.ID))(t) // a process outlives its channel here
	if got := must(h.Processes(ctx))(t); !slices.Equal(got, []ProcessRecord{a, b}) {
		t.Errorf("processes %+v", got)
	}
	for _, mark := range []string{a.Mark, "nobody"} {
		if err := h.ForgetProcess(ctx, mark); err != nil {
			t.Error(err)
		}
	}
	if got := must(h.Processes(ctx))(t); !slices.Equal(got, []ProcessRecord{b}) {
		t.Errorf("processes %+v", got)
	}
}
