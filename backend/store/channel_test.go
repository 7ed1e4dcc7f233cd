package store

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"

	"hearth/backend/chat"
	"hearth/backend/ledger"
	"hearth/backend/run"
	"hearth/backend/store/db"
)

func TestChannels(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	direct := must(h.CreateChannel(ctx, chat.Channel{Name: "Ärger", Topic: "t", Workspace: "/w", Direct: true}))(t)
	if direct.ID == "" || direct.CreatedAt.IsZero() || direct.Name != "Ärger" || direct.Topic != "t" || direct.Workspace != "/w" || !direct.Direct || direct.Archived() {
		t.Errorf("created %+v", direct)
	}
	if got := must(h.Channel(ctx, direct.ID))(t); got != direct {
		t.Errorf("read %+v, created %+v", got, direct)
	}
	if got := must(h.ChannelByName(ctx, "äRGER"))(t); got != direct {
		t.Errorf("found %+v by name", got)
	}
	if members := must(h.Members(ctx, direct.ID))(t); len(members) != 1 || members[0].Handle != "" {
		t.Errorf("the owner is not there from the start: %+v", members)
	}

	_, err := h.CreateChannel(ctx, chat.Channel{Name: "BACKEND", Workspace: "/w"})
	wantCode(t, err, chat.CodeConflict)
	if err == nil || !strings.Contains(err.Error(), `"backend"`) {
		t.Errorf("the error does not say which name is taken: %v", err)
	}
	renamed := direct
	renamed.Name = "Backend"
	_, err = h.UpdateChannel(ctx, renamed)
	wantCode(t, err, chat.CodeConflict)
	renamed.Name, renamed.Topic, renamed.Workspace = "ärger", "other", "/other"
	if got := must(h.UpdateChannel(ctx, renamed))(t); got != renamed {
		t.Errorf("updated %+v, want %+v", got, renamed)
	}

	archived := renamed
	archived.ArchivedAt = day.Add(time.Hour)
	if got := must(h.UpdateChannel(ctx, archived))(t); got != archived {
		t.Errorf("archived %+v, want %+v", got, archived)
	}
	_, err = h.ChannelByName(ctx, "ärger")
	wantCode(t, err, chat.CodeNotFound)
	names := func(all bool) (names []string) {
		for _, c := range must(h.Channels(ctx, all))(t) {
			names = append(names, c.Name)
		}
		return names
	}
	if got := names(false); !reflect.DeepEqual(got, []string{"backend"}) {
		t.Errorf("channels %v", got)
	}
	if got := names(true); !reflect.DeepEqual(got, []string{"backend", "ärger"}) {
		t.Errorf("channels with archived ones %v", got)
	}
	// An archived channel's name is free, until it wants to come back.
	h.newChannel("ÄRGER")
	_, err = h.UpdateChannel(ctx, renamed)
	wantCode(t, err, chat.CodeConflict)

	for _, err := range []error{
		func() error { _, err := h.Channel(ctx, "nobody"); return err }(),
		func() error { _, err := h.UpdateChannel(ctx, chat.Channel{ID: "nobody", Name: "x"}); return err }(),
		func() error { _, err := h.DeleteChannel(ctx, "nobody"); return err }(),
	} {
		wantCode(t, err, chat.CodeNotFound)
	}
}

func TestArchivedChannelTakesNothingNew(t *testing.T) {
	h := newHouse(t)
	r := h.queue("", "do it")
	h.begin(r, "s", run.Sent{})
	if _, _, err := h.Finish(t.Context(), run.Finishing{RunID: r.ID, State: run.Failed, Failure: &run.Failure{Code: run.FailTurn}}); err != nil {
		t.Fatal(err)
	}
	h.channel.ArchivedAt = day
	must(h.UpdateChannel(t.Context(), h.channel))(t)
	_, _, err := h.Post(t.Context(), chat.Row{ChannelID: h.channel.ID, Kind: chat.KindUser, Body: "x"}, nil)
	wantCode(t, err, chat.CodeConflict)
	_, err = h.CreateBinding(t.Context(), chat.Binding{ChannelID: h.channel.ID, Handle: "other", Runtime: chat.RuntimeClaude})
	wantCode(t, err, chat.CodeConflict)
	_, err = h.Retry(t.Context(), r.ID)
	wantCode(t, err, chat.CodeConflict)
}

func TestDeleteChannelTakesEverythingWithIt(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	other := h.newChannel("other")
	h.fill()
	kept, _, err := h.Post(ctx, chat.Row{ChannelID: other.ID, Kind: chat.KindUser, Body: "stays"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var tables []string
	for _, name := range []string{"members", "bindings", "rows", "runs", "run_sent", "run_steps", "run_calls", "staged", "watermarks", "sessions", "permissions", "rules"} {
		if h.count(name) == 0 {
			t.Errorf("the test has nothing in %s", name)
		}
		tables = append(tables, name)
	}
	want := h.countWhere("rows", "channel_id = '"+h.channel.ID+"'")
	if rows := must(h.DeleteChannel(ctx, h.channel.ID))(t); rows != want {
		t.Errorf("%d rows went, want %d", rows, want)
	}
	for _, name := range tables {
		left := map[string]int{"rows": 1, "members": 1}[name] // the other channel's
		if got := h.count(name); got != left {
			t.Errorf("%d lines are left in %s, want %d", got, name, left)
		}
	}
	if got := must(h.Row(ctx, kept.ID))(t); got != kept {
		t.Errorf("the other channel's row became %+v", got)
	}
	_, err = h.Channel(ctx, h.channel.ID)
	wantCode(t, err, chat.CodeNotFound)
}

func TestBindings(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	full := chat.Binding{
		ChannelID: h.channel.ID, Handle: "분석가", Runtime: chat.RuntimeStandin, Model: "opus", PermissionMode: "plan",
		Supervised: true, Resident: true, BaseURL: "http://127.0.0.1:1", Token: "secret", BriefEveryTurn: true,
		Role: chat.RoleCoordinator, Glance: true, Hands: []string{"Grep", "WebFetch"}, SpillOver: 5000,
		Workers: []chat.Worker{{Name: "tester", Description: "검사", Prompt: "a\n\"b\"", Tools: []string{"Bash", "Read"}, Model: "inherit", Isolated: true}},
	}
	made := must(h.CreateBinding(ctx, full))(t)
	full.ID, full.CreatedAt = made.ID, made.CreatedAt
	if !reflect.DeepEqual(made, full) || made.ID == "" || !made.CreatedAt.After(h.claude.CreatedAt) {
		t.Errorf("created %+v, want %+v", made, full)
	}
	if got := must(h.Bindings(ctx, h.channel.ID))(t); !reflect.DeepEqual(got, []chat.Binding{h.claude, made}) {
		t.Errorf("bindings %+v", got)
	}
	_, err := h.CreateBinding(ctx, chat.Binding{ChannelID: h.channel.ID, Handle: "CLAUDE", Runtime: chat.RuntimeClaude})
	wantCode(t, err, chat.CodeConflict)
	if err == nil || !strings.Contains(err.Error(), "@claude") {
		t.Errorf("the error does not say which handle is taken: %v", err)
	}
	_, err = h.CreateBinding(ctx, chat.Binding{ChannelID: "nobody", Handle: "x", Runtime: chat.RuntimeClaude})
	wantCode(t, err, chat.CodeNotFound)
	other := h.newChannel("other")
	h.newBinding(other.ID, "Claude") // another channel's handles are its own

	changed := made
	changed.Handle, changed.Runtime, changed.Model, changed.PermissionMode = "Analyst", chat.RuntimeClaude, "", ""
	changed.Supervised, changed.Resident, changed.BaseURL, changed.Token, changed.BriefEveryTurn = false, false, "", "", false
	foreign := changed
	foreign.ChannelID = other.ID // an update moves no agent
	got := must(h.UpdateBinding(ctx, foreign))(t)
	if got.FreshAt.IsZero() {
		t.Error("another runtime, which is another agent, does not start afresh")
	}
	if changed.FreshAt = got.FreshAt; !reflect.DeepEqual(got, changed) {
		t.Errorf("updated %+v, want %+v", got, changed)
	}
	if got := must(h.UpdateBinding(ctx, changed))(t); !reflect.DeepEqual(got, changed) {
		t.Errorf("updated to the same %+v, want %+v", got, changed)
	}
	changed.Handle = "Claude"
	_, err = h.UpdateBinding(ctx, changed)
	wantCode(t, err, chat.CodeConflict)
	same := h.claude
	same.Handle = "Claude" // its own handle, written another way
	must(h.UpdateBinding(ctx, same))(t)
}

func TestDirectLineHasOneAgent(t *testing.T) {
	h := newHouse(t)
	c := must(h.CreateChannel(t.Context(), chat.Channel{Name: "line", Workspace: "/w", Direct: true}))(t)
	h.newBinding(c.ID, "one")
	_, err := h.CreateBinding(t.Context(), chat.Binding{ChannelID: c.ID, Handle: "two", Runtime: chat.RuntimeClaude})
	wantCode(t, err, chat.CodeConflict)
}

func TestArchivingTakesTheQueuesAlong(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	other := h.newBinding(h.channel.ID, "other")
	going := h.queue("", "work")
	h.begin(going, "s", stagedAs("s", day, "a"))
	_, _, err := h.ArchiveChannel(ctx, h.channel.ID)
	wantCode(t, err, chat.CodeConflict)
	h.succeed(going, "done")
	_, runs := h.post("", "aiko", "both of you", h.claude, other)
	archived, cleared, err := h.ArchiveChannel(ctx, h.channel.ID)
	if err != nil || !archived.Archived() || len(cleared) != len(runs) {
		t.Fatalf("%+v, %d cleared, %v", archived, len(cleared), err)
	}
	for _, r := range cleared {
		if r.State != run.Stopped || r.EndedAt.IsZero() || r.Failure == nil || !reflect.DeepEqual(r, must(h.Run(ctx, r.ID))(t)) {
			t.Errorf("cleared %+v", r)
		}
	}
	if keys := must(h.QueuedKeys(ctx))(t); len(keys) != 0 {
		t.Errorf("queues that are left: %v", keys)
	}
	_, _, err = h.Post(ctx, chat.Row{ChannelID: h.channel.ID, Kind: chat.KindUser, Body: "late"}, nil)
	wantCode(t, err, chat.CodeConflict)
	again, cleared, err := h.ArchiveChannel(ctx, h.channel.ID)
	if err != nil || again != archived || len(cleared) != 0 {
		t.Errorf("archived twice: %+v, %v, %v", again, cleared, err)
	}
	_, _, err = h.ArchiveChannel(ctx, "nope")
	wantCode(t, err, chat.CodeNotFound)
}

func TestDeleteBinding(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	h.claude.Token = "very secret"
	must(h.UpdateBinding(ctx, h.claude))(t)
	if err := h.StartSession(ctx, run.Session{Native: "s", BindingID: h.claude.ID, ChannelID: h.channel.ID}); err != nil {
		t.Fatal(err)
	}
	remove := func() error { _, err := h.DeleteBinding(ctx, h.claude.ID); return err }
	r := h.queue("", "work")
	h.begin(r, "s", stagedAs("s", day, "a"))
	waiting := h.queue("", "and more work")
	wantCode(t, remove(), chat.CodeConflict)
	if got := must(h.Run(ctx, waiting.ID))(t); got.State != run.Queued {
		t.Errorf("a refusal took a run out of the queue: %+v", got)
	}
	reply := h.succeed(r, "done")
	p := must(h.Ask(ctx, run.Permission{BindingID: h.claude.ID, ChannelID: h.channel.ID, Tool: "Bash"}))(t)
	must(h.Answer(ctx, p.ID, run.PermissionAlways, "Bash(ls:*)", ""))(t)

	cleared := must(h.DeleteBinding(ctx, h.claude.ID))(t)
	if len(cleared) != 1 || cleared[0].ID != waiting.ID || cleared[0].State != run.Stopped || !reflect.DeepEqual(cleared[0], must(h.Run(ctx, waiting.ID))(t)) {
		t.Errorf("cleared %+v", cleared)
	}
	_, err := h.Binding(ctx, h.claude.ID)
	wantCode(t, err, chat.CodeNotFound)
	for _, err := range []error{
		remove(),
		func() error { _, err := h.UpdateBinding(ctx, h.claude); return err }(),
		func() error { _, err := h.Fresh(ctx, h.claude.ID); return err }(),
	} {
		wantCode(t, err, chat.CodeNotFound)
	}
	if got := must(h.Bindings(ctx, h.channel.ID))(t); len(got) != 0 {
		t.Errorf("bindings %+v", got)
	}
	if got := must(h.Row(ctx, reply.ID))(t); got.Handle != "claude" || got.Body != "done" {
		t.Errorf("its row became %+v", got)
	}
	if got := must(h.Run(ctx, r.ID))(t); got.State != run.Succeeded {
		t.Errorf("its run became %+v", got)
	}
	for table, where := range map[string]string{
		"watermarks": "1", "rules": "1", "sessions": "ended_at = 0", "bindings": "token <> ''",
	} {
		if n := h.countWhere(table, where); n != 0 {
			t.Errorf("%d lines are left in %s where %s", n, table, where)
		}
	}
	if _, ok, err := h.Restorable(ctx, h.claude.ID); ok || err != nil {
		t.Errorf("a removed binding can be restored (%v)", err)
	}
	// A mention that was read just before finds nobody, and the row is not stored.
	rows := h.count("rows")
	_, _, err = h.Post(ctx, chat.Row{ChannelID: h.channel.ID, Kind: chat.KindUser, Body: "@claude"}, []run.Run{{BindingID: h.claude.ID, Cause: run.CauseMention}})
	wantCode(t, err, chat.CodeConflict)
	if h.count("rows") != rows {
		t.Error("half a post was stored")
	}
	h.newBinding(h.channel.ID, "claude") // the handle is free
}

// A change is whole whatever the caller's context does, and none is begun for a
// caller that has gone already.
func TestCancelledContext(t *testing.T) {
	h := newHouse(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	before := h.count("rows")
	if _, _, err := h.Post(ctx, chat.Row{ChannelID: h.channel.ID, Kind: chat.KindUser, Body: "x"}, nil); err == nil {
		t.Error("a post for a caller that has gone")
	}
	if h.count("rows") != before {
		t.Error("a row was stored and the post failed")
	}
	h.post("", "", "the next one works")
}

func TestContextCancelledWithinAChange(t *testing.T) {
	h := newHouse(t)
	ctx, cancel := context.WithCancel(t.Context())
	err := h.change(ctx, synced, "test", func(ctx context.Context, q *db.Queries) error {
		cancel()
		return q.AddMeta(ctx, db.AddMetaParams{Key: "k", Value: "v"})
	})
	if err != nil || h.count("meta") != 1 {
		t.Errorf("a change that had begun was given up: %v, %d lines", err, h.count("meta"))
	}
}

// fill puts something into every table, as a day's work would.
func (h *house) fill() {
	h.t.Helper()
	ctx := h.t.Context()
	if err := h.StartSession(ctx, run.Session{Native: "s1", BindingID: h.claude.ID, ChannelID: h.channel.ID, Workspace: "/w"}); err != nil {
		h.t.Fatal(err)
	}
	root, runs := h.post("", "aiko", "@claude look", h.claude)
	h.begin(runs[0], "s1", stagedAs("s1", root.CreatedAt, root.ID))
	h.finish(run.Finishing{
		RunID: runs[0].ID, State: run.Succeeded, Reply: "looked", Commit: true,
		Usage: run.Usage{Usage: ledger.Usage{Input: 1}, Calls: []ledger.Call{{MessageID: "m"}}}, Steps: []run.Step{{Kind: "tool"}},
	})
	going := h.queue(root.ID, "and again")
	h.begin(going, "s1", stagedAs("s1", root.CreatedAt, root.ID))
	h.queue("", "and then")
	p := must(h.Ask(ctx, run.Permission{RunID: going.ID, BindingID: h.claude.ID, Tool: "Bash"}))(h.t)
	must(h.Answer(ctx, p.ID, run.PermissionAlways, "Bash(ls:*)", ""))(h.t)
}

func (h *house) count(table string) int {
	h.t.Helper()
	return h.countWhere(table, "1")
}

func (h *house) countWhere(table, where string) (n int) {
	h.t.Helper()
	if err := h.reader.QueryRowContext(h.t.Context(), "SELECT count(*) FROM "+table+" WHERE "+where).Scan(&n); err != nil {
		h.t.Fatal(err)
	}
	return n
}
