package store

import (
	"path/filepath"
	"testing"

	"hearth/backend/chat"
)

// by posts a row of someone.
func (h *house) by(c chat.Channel, thread string, kind chat.RowKind, handle string) chat.Row {
	h.t.Helper()
	row, _, err := h.Post(h.t.Context(), chat.Row{ChannelID: c.ID, ThreadRootID: thread, Kind: kind, Handle: handle, Body: "x"}, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	return row
}

func TestUnread(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	// reading checks that a channel says the same of itself wherever it is read.
	reading := func(want chat.Channel) {
		t.Helper()
		got := must(h.Channel(ctx, h.channel.ID))(t)
		if got.NewestID != want.NewestID || !got.NewestAt.Equal(want.NewestAt) || got.ReadID != want.ReadID || got.Unread != want.Unread {
			t.Errorf("newest %q at %s, read %q, %d unread; want %+v", got.NewestID, got.NewestAt, got.ReadID, got.Unread, want)
		}
		for _, other := range []chat.Channel{must(h.ChannelByName(ctx, "BACKEND"))(t), must(h.Channels(ctx, false))(t)[0], must(h.UpdateChannel(ctx, got))(t)} {
			if other != got {
				t.Errorf("%+v is elsewhere %+v", got, other)
			}
		}
	}
	mark := func(row chat.Row, moves bool) {
		t.Helper()
		c, moved, err := h.MarkRead(ctx, h.channel.ID, row.ID)
		if err != nil || moved != moves || c != must(h.Channel(ctx, h.channel.ID))(t) {
			t.Errorf("marked %s: %+v, moved %t, %v", row.ID, c, moved, err)
		}
	}
	reading(chat.Channel{})
	first := h.by(h.channel, "", chat.KindUser, "")
	reading(chat.Channel{NewestID: first.ID, NewestAt: first.CreatedAt})
	person := h.by(h.channel, "", chat.KindUser, "aiko")
	h.by(h.newChannel("other"), "", chat.KindUser, "aiko")
	agent := h.by(h.channel, first.ID, chat.KindAgent, "claude") // in a thread, it counts too
	own := h.by(h.channel, "", chat.KindUser, "")
	reading(chat.Channel{NewestID: own.ID, NewestAt: own.CreatedAt, Unread: 2})
	mark(person, true)
	reading(chat.Channel{NewestID: own.ID, NewestAt: own.CreatedAt, ReadID: person.ID, Unread: 1})
	mark(agent, true)
	mark(agent, false)
	mark(first, false)
	reading(chat.Channel{NewestID: own.ID, NewestAt: own.CreatedAt, ReadID: agent.ID})
	nameless := h.by(h.channel, "", chat.KindAgent, "") // an agent, whatever it is called
	reading(chat.Channel{NewestID: nameless.ID, NewestAt: nameless.CreatedAt, ReadID: agent.ID, Unread: 1})
	for range chat.MaxUnread + 5 {
		nameless = h.by(h.channel, "", chat.KindUser, "aiko")
	}
	reading(chat.Channel{NewestID: nameless.ID, NewestAt: nameless.CreatedAt, ReadID: agent.ID, Unread: chat.MaxUnread})

	elsewhere := h.newChannel("elsewhere")
	for channel, row := range map[string]string{"nobody": first.ID, h.channel.ID: "nobody", elsewhere.ID: first.ID} {
		_, moved, err := h.MarkRead(ctx, channel, row)
		wantCode(t, err, chat.CodeNotFound)
		if moved {
			t.Error("a mark that was refused moved")
		}
	}
}

// What was there before read marks were kept counts as read.
func TestMigrationMarksWhatIsThereAsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hearth.db")
	older(t, path, 1,
		`INSERT INTO channels (id, name, name_fold, topic, workspace, direct, created_at, last_at, last_id) VALUES
			('c1', 'full', 'full', '', '/w', 0, 1, 9, 'r2'), ('c2', 'empty', 'empty', '', '/w', 0, 2, 2, '')`,
		`INSERT INTO rows (id, channel_id, thread_root_id, kind, handle, binding_id, run_id, note, body, created_at) VALUES
			('r1', 'c1', '', 'user', 'aiko', '', '', '', 'x', 8), ('r2', 'c1', '', 'agent', 'claude', '', '', '', 'y', 9)`)
	s := openAt(t, path, nil)
	c := must(s.Channel(t.Context(), "c1"))(t)
	if c.Unread != 0 || c.ReadID != "r2" || c.NewestID != "r2" {
		t.Errorf("a channel with rows: %+v", c)
	}
	if c := must(s.Channel(t.Context(), "c2"))(t); c.Unread != 0 || c.ReadID != "" {
		t.Errorf("a channel without: %+v", c)
	}
	row, _, err := s.Post(t.Context(), chat.Row{ChannelID: "c1", Kind: chat.KindUser, Handle: "aiko", Body: "x"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c := must(s.Channel(t.Context(), "c1"))(t); c.Unread != 1 || c.NewestID != row.ID || c.ReadID != "r2" {
		t.Errorf("after another row: %+v", c)
	}
}

// older makes a database as an older Hearth left it.
func older(t *testing.T, path string, version int64, statements ...string) {
	t.Helper()
	pool := must(connect(path, 1))(t)
	provider := must(steps(pool))(t)
	must(provider.UpTo(t.Context(), version))(t)
	for _, statement := range append(statements, "PRAGMA application_id = "+itoa(applicationID)) {
		if _, err := pool.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if err := pool.Close(); err != nil {
		t.Fatal(err)
	}
}
