package store

import (
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"hearth/backend/chat"
)

func TestWelcome(t *testing.T) {
	s := openAt(t, filepath.Join(t.TempDir(), "hearth.db"), nil)
	ctx := t.Context()
	is := func(want string) {
		t.Helper()
		if id, err := s.FirstChannel(ctx); err != nil || id != want {
			t.Errorf("the first channel is %q (%v), want %q", id, err, want)
		}
	}
	is("")
	c, b, made, err := s.Welcome(ctx,
		chat.Channel{Name: "general", Topic: "about", Workspace: "/w"},
		chat.NewBinding("claude", chat.RuntimeStandin),
		[]chat.Row{{Kind: chat.KindUser, Handle: "hearth", Body: "one"}, {Kind: chat.KindUser, Handle: "hearth", Body: "둘"}})
	if err != nil || !made {
		t.Fatalf("%t %v", made, err)
	}
	want := chat.NewBinding("claude", chat.RuntimeStandin)
	want.ID, want.ChannelID, want.CreatedAt = b.ID, c.ID, b.CreatedAt
	if c.Name != "general" || c.Topic != "about" || c.Workspace != "/w" || b.ID == "" || !reflect.DeepEqual(b, want) {
		t.Errorf("%+v %+v", c, b)
	}
	is(c.ID)
	rows, _, err := s.Rows(ctx, chat.Place{ChannelID: c.ID}, "", 10)
	if err != nil || len(rows) != 2 || rows[0].Body != "one" || rows[1].Body != "둘" || !rows[0].CreatedAt.After(c.CreatedAt) || !rows[1].CreatedAt.After(rows[0].CreatedAt) {
		t.Errorf("%+v %v", rows, err)
	}
	members, err := s.Members(ctx, c.ID)
	handles := make([]string, 0, 2)
	for _, m := range members {
		handles = append(handles, m.Handle)
	}
	if slices.Sort(handles); err != nil || !slices.Equal(handles, []string{"", "hearth"}) {
		t.Errorf("%q %v", handles, err)
	}
	// What is posted next comes after them.
	after, _, err := s.Post(ctx, chat.Row{ChannelID: c.ID, Kind: chat.KindUser, Body: "three"}, nil)
	if err != nil || !after.CreatedAt.After(rows[1].CreatedAt) || after.ID <= rows[1].ID {
		t.Errorf("%+v %v", after, err)
	}

	again := func() {
		t.Helper()
		_, _, made, err := s.Welcome(ctx, chat.Channel{Name: "general", Workspace: "/w"}, chat.Binding{Handle: "claude", Runtime: chat.RuntimeClaude}, nil)
		if made || err != nil {
			t.Errorf("made again: %t %v", made, err)
		}
	}
	again()
	// It is gone while it is put away, and for good when it was deleted.
	if _, _, err := s.ArchiveChannel(ctx, c.ID); err != nil {
		t.Fatal(err)
	}
	is("")
	again()
	if _, err := s.DeleteChannel(ctx, c.ID); err != nil {
		t.Fatal(err)
	}
	is("")
	again()
	if channels, err := s.Channels(ctx, true); err != nil || len(channels) != 0 {
		t.Errorf("%+v %v", channels, err)
	}
}

// A data folder with a channel of its own, made before there was a welcome, gets none.
func TestWelcomeComesToEmptyHousesOnly(t *testing.T) {
	s := openAt(t, filepath.Join(t.TempDir(), "hearth.db"), nil)
	if _, err := s.CreateChannel(t.Context(), chat.Channel{Name: "mine", Workspace: "/w"}); err != nil {
		t.Fatal(err)
	}
	if _, _, made, err := s.Welcome(t.Context(), chat.Channel{Name: "general", Workspace: "/w"}, chat.Binding{Handle: "claude", Runtime: chat.RuntimeClaude}, nil); made || err != nil {
		t.Errorf("%t %v", made, err)
	}
	if id, err := s.FirstChannel(t.Context()); id != "" || err != nil {
		t.Errorf("%q %v", id, err)
	}
}

// Half a welcome is none.
func TestWelcomeIsAllOrNothing(t *testing.T) {
	s := openAt(t, filepath.Join(t.TempDir(), "hearth.db"), nil)
	// The schema refuses a row of a kind that there is not.
	_, _, made, err := s.Welcome(t.Context(), chat.Channel{Name: "general", Workspace: "/w"}, chat.Binding{Handle: "claude"}, []chat.Row{{Kind: "nonsense", Body: "x"}})
	if err == nil || made {
		t.Fatalf("%t %v", made, err)
	}
	if channels, err := s.Channels(t.Context(), true); err != nil || len(channels) != 0 {
		t.Errorf("%+v %v", channels, err)
	}
}
