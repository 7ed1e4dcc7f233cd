package store

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hearth/backend/chat"
	"hearth/backend/run"
)

func TestPost(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	second := h.newBinding(h.channel.ID, "second")
	asked := []run.Run{
		{BindingID: h.claude.ID, Cause: run.CauseMention},
		{BindingID: second.ID, Cause: run.CauseAgent, Hops: 3, ID: "not ours to say", RowID: "nor this", State: run.Succeeded},
	}
	row, runs, err := h.Post(ctx, chat.Row{ChannelID: h.channel.ID, Kind: chat.KindUser, Handle: "aiko", Body: "hi"}, asked)
	if err != nil {
		t.Fatal(err)
	}
	if row.ID == "" || row.CreatedAt.IsZero() || row.Body != "hi" {
		t.Errorf("posted %+v", row)
	}
	if got := must(h.Row(ctx, row.ID))(t); got != row {
		t.Errorf("read %+v, posted %+v", got, row)
	}
	if asked[0].ID != "" {
		t.Error("the caller's runs were changed")
	}
	want := []run.Run{
		{ID: runs[0].ID, ChannelID: h.channel.ID, BindingID: h.claude.ID, RowID: row.ID, Cause: run.CauseMention, State: run.Queued, QueuedAt: row.CreatedAt},
		{ID: runs[1].ID, ChannelID: h.channel.ID, BindingID: second.ID, RowID: row.ID, Cause: run.CauseAgent, Hops: 3, State: run.Queued, QueuedAt: row.CreatedAt},
	}
	if !reflect.DeepEqual(runs, want) {
		t.Errorf("runs %+v, want %+v", runs, want)
	}
	for _, r := range runs {
		if got := must(h.Run(ctx, r.ID))(t); !reflect.DeepEqual(got, r) {
			t.Errorf("read %+v, queued %+v", got, r)
		}
	}
	h.post("", "AIKO", "again")
	h.post("", "", "the owner")
	members := must(h.Members(ctx, h.channel.ID))(t)
	if len(members) != 2 || members[0].Handle != "" || members[1].Handle != "aiko" || !members[1].JoinedAt.Equal(row.CreatedAt) {
		t.Errorf("members %+v", members)
	}
	agent, _, err := h.Post(ctx, chat.Row{
		ChannelID: h.channel.ID, ThreadRootID: row.ID, Kind: chat.KindAgent, Handle: "claude", BindingID: h.claude.ID,
		RunID: runs[0].ID, Note: chat.NoteInterim, Body: "wait",
	}, []run.Run{{BindingID: second.ID, Cause: run.CauseAgent}})
	if err != nil {
		t.Fatal(err)
	}
	if got := must(h.Row(ctx, agent.ID))(t); got != agent || got.Note != chat.NoteInterim || got.ThreadRootID != row.ID {
		t.Errorf("read %+v, posted %+v", got, agent)
	}
	if n := len(must(h.Members(ctx, h.channel.ID))(t)); n != 2 {
		t.Errorf("an agent became a member: %d", n)
	}
	if got, _, _ := h.Next(ctx, runs[1].Key()); got.ID != runs[1].ID {
		t.Errorf("next %+v", got)
	}
}

func TestPostInAThread(t *testing.T) {
	h := newHouse(t)
	root, _ := h.post("", "", "root")
	answer, _ := h.post(root.ID, "", "answer")
	elsewhere := h.newChannel("other")
	for thread, want := range map[string]chat.Code{root.ID: "", answer.ID: chat.CodeInvalid, "nobody": chat.CodeNotFound} {
		_, _, err := h.Post(t.Context(), chat.Row{ChannelID: h.channel.ID, ThreadRootID: thread, Kind: chat.KindUser, Body: "x"}, nil)
		wantCode(t, err, want)
	}
	_, _, err := h.Post(t.Context(), chat.Row{ChannelID: elsewhere.ID, ThreadRootID: root.ID, Kind: chat.KindUser, Body: "x"}, nil)
	wantCode(t, err, chat.CodeNotFound)
	_, _, err = h.Post(t.Context(), chat.Row{ChannelID: "nobody", Kind: chat.KindUser, Body: "x"}, nil)
	wantCode(t, err, chat.CodeNotFound)
	_, runs := h.post(root.ID, "", "@claude", h.claude)
	if runs[0].ThreadRootID != root.ID {
		t.Errorf("the run's thread is %q", runs[0].ThreadRootID)
	}
}

// What people write comes back byte for byte, and is never SQL.
func TestForeignText(t *testing.T) {
	h := newHouse(t)
	var texts []string
	for _, text := range []string{
		"안녕하세요, 분석가에게 물어보세요", "👩‍👩‍👧‍👦 🏳️‍🌈 🇰🇷", "e\u0301 vs é", "\u202Eevil\u2066", "line\r\nbreak\u2028sep", "\x00nul\x00", "tab\tbell\a",
		"'; DROP TABLE rows; --", `"; DELETE FROM runs WHERE "1"="1`, "?1 $x :y @z %s %d \\", "NULL", "",
		strings.Repeat("한", chat.MaxBody), strings.Repeat("x", 3_000_000),
	} {
		texts = append(texts, text)
		c := must(h.CreateChannel(t.Context(), chat.Channel{Name: "n" + text, Topic: text, Workspace: "/" + text}))(t)
		if c.Name != "n"+text || c.Topic != text || c.Workspace != "/"+text {
			t.Errorf("a channel named %.40q came back as %.40q", text, c.Name)
		}
		b := must(h.CreateBinding(t.Context(), chat.Binding{ChannelID: c.ID, Handle: text, Runtime: chat.Runtime(text), Model: text, Token: text}))(t)
		if b.Handle != text || b.Token != text {
			t.Errorf("a binding named %.40q came back as %.40q", text, b.Handle)
		}
		if got := must(h.ChannelByName(t.Context(), "n"+text))(t); got.ID != c.ID {
			t.Errorf("%.40q was not found by its name", text)
		}
		row, _ := h.post("", text, text)
		if got := must(h.Row(t.Context(), row.ID))(t); got.Body != text || got.Handle != text {
			t.Errorf("%.40q came back as %.40q", text, got.Body)
		}
	}
	rows, more, err := h.Rows(t.Context(), chat.Place{ChannelID: h.channel.ID}, "", 100)
	if err != nil || more || len(rows) != len(texts) {
		t.Fatalf("%d rows, more %v, %v", len(rows), more, err)
	}
	counts := must(h.CountOlder(t.Context(), run.OlderQuery{Place: chat.Place{ChannelID: h.channel.ID}, Before: day.Add(time.Hour), Excluding: texts}))(t)
	for _, text := range texts {
		if counts[text] != 1 {
			t.Errorf("%d rows by %.40q", counts[text], text)
		}
	}
}

func TestRowsPaging(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	var top, thread []string
	root, _ := h.post("", "", "root")
	top, thread = append(top, root.ID), append(thread, root.ID)
	other := h.newChannel("other")
	for i := range 20 {
		row, _ := h.post("", "", itoa(i))
		top = append(top, row.ID)
		if i%2 == 0 {
			row, _ := h.post(root.ID, "", itoa(i))
			thread = append(thread, row.ID)
		}
		if _, _, err := h.Post(ctx, chat.Row{ChannelID: other.ID, Kind: chat.KindUser, Body: "noise"}, nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		place chat.Place
		want  []string
	}{
		{chat.Place{ChannelID: h.channel.ID}, top},
		{chat.Place{ChannelID: h.channel.ID, ThreadRootID: root.ID}, thread},
	} {
		for _, limit := range []int{1, 2, 3, 7, len(c.want) - 1, len(c.want), 100} {
			var got []string
			before := ""
			for {
				rows, more, err := h.Rows(ctx, c.place, before, limit)
				if err != nil {
					t.Fatal(err)
				}
				if len(rows) == 0 || len(rows) > limit || more != (len(got)+len(rows) < len(c.want)) {
					t.Fatalf("a page of %d (limit %d), more %v, after %d of %d", len(rows), limit, more, len(got), len(c.want))
				}
				got = append(idsOf(rows), got...)
				before = rows[0].ID
				if !more {
					break
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("in %v by %d: %v, want %v", c.place, limit, got, c.want)
			}
			rows, more, err := h.Rows(ctx, c.place, before, limit)
			if len(rows) != 0 || more || err != nil {
				t.Errorf("before the first: %d rows, more %v, %v", len(rows), more, err)
			}
		}
	}
	// A row of a thread names a time in the channel too.
	rows, _, err := h.Rows(ctx, chat.Place{ChannelID: h.channel.ID}, thread[2], 3)
	if err != nil || !slices.Equal(idsOf(rows), top[1:4]) {
		t.Errorf("before a thread's row: %v, %v, want %v", idsOf(rows), err, top[1:4])
	}
	for _, c := range []struct {
		place  chat.Place
		before string
		limit  int
		want   chat.Code
	}{
		{chat.Place{ChannelID: "nobody"}, "", 1, chat.CodeNotFound},
		{chat.Place{ChannelID: h.channel.ID}, "nobody", 1, chat.CodeNotFound},
		{chat.Place{ChannelID: other.ID}, top[0], 1, chat.CodeNotFound},
		{chat.Place{ChannelID: other.ID, ThreadRootID: root.ID}, "", 1, chat.CodeNotFound},
		{chat.Place{ChannelID: h.channel.ID, ThreadRootID: "nobody"}, "", 1, chat.CodeNotFound},
		{chat.Place{ChannelID: h.channel.ID, ThreadRootID: thread[1]}, "", 1, chat.CodeInvalid},
		{chat.Place{ChannelID: h.channel.ID}, "", 0, chat.CodeInvalid},
	} {
		_, _, err := h.Rows(ctx, c.place, c.before, c.limit)
		wantCode(t, err, c.want)
	}
	sizes := must(h.ThreadSizes(ctx, []string{root.ID, top[1], "nobody"}))(t)
	if !reflect.DeepEqual(sizes, map[string]int{root.ID: 10}) {
		t.Errorf("sizes %v", sizes)
	}
	_, err = h.Row(ctx, "nobody")
	wantCode(t, err, chat.CodeNotFound)
}

// CountOlder against the same thing said in Go.
func TestCountOlder(t *testing.T) {
	h := newHouse(t)
	random := rand.New(rand.NewPCG(1, 2))
	root, _ := h.post("", "root's author", "root")
	all := []chat.Row{root}
	handles := []string{"", "aiko", "ben"}
	for range 200 {
		row := chat.Row{ChannelID: h.channel.ID, Kind: chat.KindUser, Handle: handles[random.IntN(3)], Body: "x"}
		if random.IntN(3) == 0 {
			row.Kind, row.Handle, row.BindingID = chat.KindAgent, "claude", h.claude.ID
		}
		if random.IntN(2) == 0 {
			row.ThreadRootID = root.ID
		}
		row, _, err := h.Post(t.Context(), row, nil)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, row)
	}
	for range 300 {
		q := run.OlderQuery{
			Place:  chat.Place{ChannelID: h.channel.ID, ThreadRootID: []string{"", root.ID}[random.IntN(2)]},
			Before: all[random.IntN(len(all))].CreatedAt,
		}
		if random.IntN(2) == 0 {
			q.After = all[random.IntN(len(all))].CreatedAt
		}
		if random.IntN(2) == 0 {
			q.NotBy = h.claude.ID
		}
		for range random.IntN(60) {
			q.Excluding = append(q.Excluding, all[random.IntN(len(all))].ID)
		}
		want := map[string]int{}
		for _, row := range all {
			in := row.ThreadRootID == q.Place.ThreadRootID || row.ID == q.Place.ThreadRootID
			if in && row.CreatedAt.Before(q.Before) && row.CreatedAt.After(q.After) &&
				(q.NotBy == "" || row.BindingID != q.NotBy) && !slices.Contains(q.Excluding, row.ID) {
				want[row.Handle]++
			}
		}
		if got := must(h.CountOlder(t.Context(), q))(t); !reflect.DeepEqual(got, want) {
			t.Fatalf("counted %v, want %v, for %+v", got, want, q)
		}
	}
	_, err := h.CountOlder(t.Context(), run.OlderQuery{Place: chat.Place{ChannelID: h.channel.ID, ThreadRootID: "nobody"}})
	wantCode(t, err, chat.CodeNotFound)
}

// The channel's clock goes on when the machine's stands still or goes back, and
// ids sort as times do, also across channels and starts.
func TestClockThatGoesBackwards(t *testing.T) {
	h := newHouse(t)
	other := h.newChannel("other")
	path := h.path
	random := rand.New(rand.NewPCG(3, 4))
	last := map[string]chat.Row{}
	s := h.Store
	for i := range 300 {
		jump := time.Duration(random.IntN(5000)-2500) * time.Microsecond
		if i%50 == 0 {
			jump = -time.Hour
		}
		h.clock.Set(h.clock.Now().Add(jump))
		if i%70 == 69 { // another start
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			s = openAt(t, path, h.clock.Now)
		}
		c := []string{h.channel.ID, other.ID}[random.IntN(2)]
		row, _, err := s.Post(t.Context(), chat.Row{ChannelID: c, Kind: chat.KindUser, Body: "x"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if before, ok := last[c]; ok && (!row.CreatedAt.After(before.CreatedAt) || row.ID <= before.ID) {
			t.Fatalf("%s at %v came after %s at %v", row.ID, row.CreatedAt, before.ID, before.CreatedAt)
		}
		if row.CreatedAt.Nanosecond()%1000 != 0 {
			t.Fatalf("%v is no whole microsecond", row.CreatedAt)
		}
		if got := must(s.Row(t.Context(), row.ID))(t); !got.CreatedAt.Equal(row.CreatedAt) {
			t.Fatalf("stored at %v, posted at %v", got.CreatedAt, row.CreatedAt)
		}
		last[c] = row
	}
}

// Ids of one millisecond sort only while they are made one after the other. Here
// a channel whose clock is ahead takes turns with one whose is not.
func TestIDsSortWithinAMillisecond(t *testing.T) {
	h := newHouse(t)
	other := h.newChannel("other")
	h.clock.Set(day.Add(time.Hour))
	h.post("", "", "ahead")
	h.clock.Set(day)
	last := map[string]string{}
	for i := range 100 {
		c := []string{h.channel.ID, other.ID}[i%2]
		row, _, err := h.Post(t.Context(), chat.Row{ChannelID: c, Kind: chat.KindUser, Body: "x"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if row.ID <= last[c] {
			t.Fatalf("row %d: %s came after %s", i, row.ID, last[c])
		}
		last[c] = row.ID
	}
}

func TestPostsAtOnce(t *testing.T) {
	h := newHouse(t)
	const writers, each = 20, 10
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := range each {
				row, runs, err := h.Post(t.Context(), chat.Row{ChannelID: h.channel.ID, Kind: chat.KindUser, Handle: "w" + itoa(w), Body: itoa(i)},
					[]run.Run{{BindingID: h.claude.ID, Cause: run.CauseMention}})
				if err != nil || runs[0].RowID != row.ID {
					t.Error(err)
					return
				}
				if i%5 != 0 {
					continue
				}
				if _, err := h.Material(t.Context(), runs[0], true); err != nil { // readers beside them
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	rows, more, err := h.Rows(t.Context(), chat.Place{ChannelID: h.channel.ID}, "", writers*each)
	if err != nil || more || len(rows) != writers*each {
		t.Fatalf("%d rows, more %v, %v", len(rows), more, err)
	}
	seen, next := map[string]bool{}, map[string]int{}
	for i, row := range rows {
		if i > 0 && (!row.CreatedAt.After(rows[i-1].CreatedAt) || row.ID <= rows[i-1].ID) {
			t.Errorf("row %d: %s at %v comes after %s at %v", i, row.ID, row.CreatedAt, rows[i-1].ID, rows[i-1].CreatedAt)
		}
		if seen[row.ID] {
			t.Errorf("the id %s is there twice", row.ID)
		}
		seen[row.ID] = true
		if row.Body != itoa(next[row.Handle]) {
			t.Errorf("%s wrote %s out of turn", row.Handle, row.Body)
		}
		next[row.Handle]++
	}
	for i := range rows { // the queue gives them in the same order
		r, ok, err := h.Next(t.Context(), run.Key{ChannelID: h.channel.ID, BindingID: h.claude.ID})
		if err != nil || !ok || r.RowID != rows[i].ID {
			t.Fatalf("run %d is for %s (%v), want %s", i, r.RowID, err, rows[i].ID)
		}
		must(h.Cancel(t.Context(), r.ID, nil))(t)
	}
}

// A full disk loses nothing that was acknowledged, and work goes on when there
// is room again.
func TestFullDisk(t *testing.T) {
	h := newHouse(t)
	pragma := func(statement string) (n int) {
		t.Helper()
		if err := h.writer.QueryRowContext(t.Context(), statement).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	pragma("PRAGMA max_page_count = " + itoa(pragma("PRAGMA page_count")+20))
	var stored []string
	var err error
	for range 100 {
		var row chat.Row
		row, _, err = h.Post(t.Context(), chat.Row{ChannelID: h.channel.ID, Kind: chat.KindUser, Body: strings.Repeat("x", 3000)},
			[]run.Run{{BindingID: h.claude.ID, Cause: run.CauseMention}})
		if err != nil {
			break
		}
		stored = append(stored, row.ID)
	}
	wantCode(t, err, chat.CodeUnavailable)
	if err == nil || !strings.Contains(err.Error(), "is full") || !strings.Contains(err.Error(), h.path) {
		t.Errorf("got %v", err)
	}
	rows, _, err := h.Rows(t.Context(), chat.Place{ChannelID: h.channel.ID}, "", 200)
	if err != nil || len(stored) == 0 || !slices.Equal(idsOf(rows), stored) {
		t.Errorf("%d rows are there (%v), %d were acknowledged", len(rows), err, len(stored))
	}
	if n := h.count("runs"); n != len(stored) {
		t.Errorf("%d runs for %d rows", n, len(stored))
	}
	pragma("PRAGMA max_page_count = 1000000")
	h.post("", "", "goes on")
}

func idsOf(rows []chat.Row) []string {
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	return ids
}
