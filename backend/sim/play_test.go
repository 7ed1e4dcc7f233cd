package sim

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"hearth/backend/delivery"
	"hearth/backend/golden"
	"hearth/backend/prompt"
	"hearth/backend/token"
)

// watched plays a channel with one strategy and returns what was seen of each turn.
func watched(t *testing.T, c Channel, o Options, s strategy, look watcher) (*game, []sight) {
	t.Helper()
	g, err := newGame(c, o)
	if err != nil {
		t.Fatal(err)
	}
	var seen []sight
	if _, err := g.play(t.Context(), s, func(p *playing, s sight) {
		seen = append(seen, s)
		if look != nil {
			look(p, s)
		}
	}); err != nil {
		t.Fatal(err)
	}
	return g, seen
}

// The sums are what comes out when every request is written in full, tokenised
// message by message without any cutting, and compared token by token.
func TestAgainstWholeRequests(t *testing.T) {
	c := Generate(4)
	known := map[string][]int{} // whole messages
	tokens := func(text string) []int {
		if known[text] == nil {
			known[text] = token.Tokens(text)
		}
		return known[text]
	}
	for name, s := range strategies {
		for _, o := range []Options{{}, {EvictAt: 9, Limit: 5}} {
			var input, cacheable, uncached, warm int64
			var before, conversation []int
			g, seen := watched(t, c, o, s, nil)
			for n, turn := range seen {
				if n+1 == o.EvictAt {
					before, conversation = nil, nil
				}
				conversation = append(conversation, tokens(turn.sent.Text)...)
				var request []int
				for _, text := range turn.head {
					request = append(request, tokens(text)...)
				}
				request = append(request, conversation...)
				if before != nil {
					common := token.CommonPrefix(before, request)
					cacheable += int64(common)
					uncached += int64(len(request) - common)
					warm++
				}
				input += int64(len(request))
				before = request
				conversation = append(conversation, tokens(g.turns[n].reply.Body)...)
			}
			costs, err := g.play(t.Context(), s, nil)
			if err != nil {
				t.Fatal(err)
			}
			if costs.InputTokens != input || costs.CacheableTokens != cacheable || costs.UncachedPerWarmTurn != ratio(uncached, warm, 1) {
				t.Errorf("%s, %+v: %+v; whole requests have %d, %d cacheable, %d uncached in %d warm turns", name, o, costs, input, cacheable, uncached, warm)
			}
		}
	}
}

// Every strategy's turns are what package prompt makes: the brief where it
// belongs, the framing once, at the head.
func TestTurns(t *testing.T) {
	for name, s := range strategies {
		_, seen := watched(t, Generate(2), Options{}, s, nil)
		for n, turn := range seen {
			system := turn.head[len(turn.head)-1]
			if strings.Contains(turn.sent.Text, prompt.Brief()) != s.briefEveryTurn || strings.Contains(system, prompt.Brief()) == s.briefEveryTurn {
				t.Errorf("%s, turn %d: the brief is in the wrong place", name, n)
			}
			if strings.Contains(turn.sent.Text, prompt.Reminder()) == s.briefEveryTurn {
				t.Errorf("%s, turn %d: the reminder is in the wrong place", name, n)
			}
			if !slices.Equal(turn.head[len(turn.head)-2:], seen[0].head[len(seen[0].head)-2:]) || !strings.Contains(system, "You are @claude, a resident agent") {
				t.Errorf("%s, turn %d: the prefix moves", name, n)
			}
			if changes := len(turn.head) == 3; changes != s.unstable || changes && n > 0 && turn.head[0] == seen[n-1].head[0] {
				t.Errorf("%s, turn %d: %q", name, n, turn.head[0])
			}
			if (turn.sent.Framing != "") != (n == 0) {
				t.Errorf("%s, turn %d: framing %q", name, n, turn.sent.Framing)
			}
			if turn.in.Older != nil && s != hearth {
				t.Errorf("%s, turn %d: looks at older rows", name, n)
			}
		}
	}
}

// The baselines have none of what Hearth adds, hearth has all.
func TestWhatHearthAdds(t *testing.T) {
	c := Generate(1)
	for name, s := range strategies {
		g, seen := watched(t, c, Options{}, s, nil)
		echoes, own, quoted, omitted := 0, 0, 0, 0
		for n, told := range seen {
			for _, id := range told.out.Shown {
				switch {
				case n > 0 && id == seen[n-1].in.Addressed:
					echoes++
				case slices.ContainsFunc(g.turns[:n], func(one turn) bool { return one.reply.ID == id }):
					own++
				}
			}
			quoted += strings.Count(told.out.Block, "\n  | ")
			omitted += strings.Count(told.out.Block, "not shown: ")
		}
		if added := s == hearth; (echoes > 0) == added || (own > 0) == added || (quoted > 0) != added || (omitted > 0) != added {
			t.Errorf("%s: %d echoes, %d own rows, %d quoted lines, %d omitted lines", name, echoes, own, quoted, omitted)
		}
	}
}

// An evicted agent is replayed what it was asked and answered, by hearth only,
// and rows that the replay carries are not shown again.
func TestReplay(t *testing.T) {
	for name, s := range strategies {
		g, seen := watched(t, Generate(3), Options{EvictAt: 15}, s, nil)
		for n, turn := range seen {
			replayed := strings.Contains(turn.sent.Text, "Your own past here")
			if want := s == hearth && n == 14; replayed != want {
				t.Errorf("%s, turn %d: replayed %t", name, n+1, replayed)
			}
			if cold := turn.sent.Framing != ""; cold != (n == 0 || n == 14) {
				t.Errorf("%s, turn %d: cold %t", name, n+1, cold)
			}
			if replayed {
				answer, _, _ := strings.Cut(g.turns[3].reply.Body, "\n")
				if !strings.Contains(turn.sent.Text, "Assistant: "+answer) {
					t.Errorf("%s: the replay lacks %q", name, answer)
				}
				for _, id := range turn.out.Shown {
					if turn.in.Replayed[id] {
						t.Errorf("%s: %s is replayed and shown", name, id)
					}
				}
			}
		}
	}
}

// said is a channel of rows a second apart. A row is `who: text`; an empty who is
// the owner, one with an @ an agent, and `who/3: text` is in the thread of row 3.
func said(rows ...string) Channel {
	c := Channel{Name: "test", Agent: "claude"}
	for i, row := range rows {
		who, body, _ := strings.Cut(row, ": ")
		who, thread, _ := strings.Cut(who, "/")
		handle, agent := strings.CutPrefix(who, "@")
		c.Rows = append(c.Rows, Row{Row: delivery.Row{
			ID: fmt.Sprint(i), ThreadRootID: thread, Agent: agent, Handle: handle, Body: body, CreatedAt: time.Unix(1_700_000_000+int64(i), 0),
		}})
	}
	return c
}

// What a turn looks like, in the channel, in a thread and on a direct line.
func TestGoldenTurns(t *testing.T) {
	c := said(
		"aiko: the build\nis red", ": @claude why?", "@claude: a test is slow", "aiko/1: @claude which one?", "@claude/1: the third",
		"ravi: which test?", "aiko/5: it is in the log", "aiko/5: @claude answer here", "@claude/5: as I said, the third", ": @claude thanks",
	)
	text := ""
	for _, direct := range []bool{false, true} {
		c.Direct = direct
		_, seen := watched(t, c, Options{EvictAt: 3}, hearth, nil)
		for _, turn := range seen {
			text += fmt.Sprintf("==== direct line %t, turn %d ====\n%s\n", direct, turn.n+1, turn.sent.Text)
		}
	}
	golden.Equal(t, "turns.golden", text)
}

// A replay is made of the newest 400 exchanges, as a real one.
func TestLongReplay(t *testing.T) {
	var rows []string
	for range 450 {
		rows = append(rows, ": @claude?", "@claude: y")
	}
	_, seen := watched(t, said(rows...), Options{EvictAt: 450}, hearth, nil)
	if n := strings.Count(seen[449].sent.Text, "\nUser: @claude?\n"); n != maxExchanges {
		t.Errorf("%d exchanges are replayed", n)
	}
}

// What the agent wrote is known to it in other places: a thread that begins with
// its own reply does not show it.
func TestOwnRoot(t *testing.T) {
	_, seen := watched(t, said(": @claude one?", "@claude: one", "aiko/1: @claude are you sure?"), Options{}, hearth, nil)
	if seen[1].out.Block != "" {
		t.Errorf("shown is\n%s", seen[1].out.Block)
	}
	_, seen = watched(t, said(": @claude one?", "aiko: the root", "aiko/1: @claude what about it?"), Options{}, hearth, nil)
	if !strings.Contains(seen[1].out.Block, "\n- [user] aiko: the root") {
		t.Errorf("shown is\n%s", seen[1].out.Block)
	}
}

// A thread's root is one row, wherever it is told.
func TestRootIsOneRow(t *testing.T) {
	rows := []string{": @claude one?", "@claude: yes", "aiko: the root"}
	for range 20 {
		rows = append(rows, "ravi: more", "ravi/2: more in the thread")
	}
	rows = append(rows, "aiko/2: @claude two?", ": @claude three?")
	if h := mustRun(t, said(rows...), Options{Limit: 1}).Strategies.Hearth; h.RowsNeverShown != 39 || h.RowsNamed != 39 {
		t.Errorf("%+v", h)
	}
}

// Rows beyond those a rendering looks at are named too.
func TestFarBehind(t *testing.T) {
	rows := []string{": @claude first", "@claude: yes"}
	for range 100 {
		rows = append(rows, "aiko: something")
	}
	rows = append(rows, ": @claude second")
	_, seen := watched(t, said(rows...), Options{}, hearth, nil)
	if block := seen[1].out.Block; !strings.Contains(block, "[88 earlier messages are not shown: 88 by aiko") {
		t.Errorf("the block is\n%s", block)
	}
	r := mustRun(t, said(rows...), Options{})
	if s := r.Strategies; s.Hearth.RowsNeverShown != 88 || s.Hearth.RowsNamed != 88 || s.Watermark.RowsNeverShown != 88 || s.Watermark.RowsNamed != 0 {
		t.Errorf("%+v", s)
	}
}

// Replies are taken in order, place by place, unless rows say what they answer.
func TestReplies(t *testing.T) {
	c := said("@claude: good morning", ": @claude one", ": @claude two", "aiko/2: @claude in a thread", "@claude: to one", "@claude/2: to the thread", "@claude: to two", "@claude: more")
	replies := func() (ids []string) {
		turns, _, err := c.turns()
		if err != nil {
			t.Fatal(err)
		}
		for _, turn := range turns {
			id := "none"
			if turn.reply != nil {
				id = turn.reply.ID
			}
			ids = append(ids, turn.asked().ID+">"+id)
		}
		return ids
	}
	if got, want := replies(), []string{"1>4", "2>6", "3>5"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	c.Rows[7].Answers, c.Rows[6].Answers = "1", "2"
	if got, want := replies(), []string{"1>7", "2>6", "3>none"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Who addresses the agent: people who mention it, on a direct line all they write,
// and whatever is answered.
func TestAddresses(t *testing.T) {
	c := said(": @claude one", ": two", "@codex: @claude three", ": `@claude` four", ": ")
	asked := func() (ids []string) {
		turns, _, err := c.turns()
		if err != nil {
			t.Fatal(err)
		}
		for _, turn := range turns {
			ids = append(ids, turn.asked().ID)
		}
		return ids
	}
	if got := asked(); !slices.Equal(got, []string{"0"}) {
		t.Errorf("%v", got)
	}
	c.Rows = append(c.Rows, Row{Answers: "2", Row: delivery.Row{ID: "a", Agent: true, Handle: "Claude", Body: "five", CreatedAt: time.Unix(1_800_000_000, 0)}})
	if got := asked(); !slices.Equal(got, []string{"0", "2"}) {
		t.Errorf("with an answer %v", got)
	}
	c.Direct = true
	if got := asked(); !slices.Equal(got, []string{"0", "1", "2", "3"}) {
		t.Errorf("on a direct line %v", got)
	}
}

func TestRefused(t *testing.T) {
	if _, err := Run(t.Context(), said(": nobody asks"), Options{}); !errors.Is(err, ErrNoTurns) {
		t.Errorf("%v", err)
	}
	if _, err := Run(t.Context(), said(": @claude one", "aiko/7: in no thread"), Options{}); err == nil {
		t.Error("a thread without a root passed")
	}
	two := said(": @claude one", ": @claude two")
	for _, o := range []Options{{Limit: -1}, {Limit: 31}, {EvictAt: -1}, {EvictAt: 1}, {EvictAt: 3}} {
		if _, err := Run(t.Context(), two, o); err == nil {
			t.Errorf("%+v passed", o)
		}
	}
	for _, o := range []Options{{Limit: 1}, {Limit: 30}, {EvictAt: 2}} {
		if _, err := Run(t.Context(), two, o); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// threaded is a channel of many threads in which everybody mentions the agent.
func threaded(seed uint64) Channel {
	random := rand.New(rand.NewPCG(seed, 0))
	var rows []string
	roots := []string{}
	for i := range 400 {
		who := []string{"", "aiko", "@claude", "@codex"}[random.IntN(4)]
		body := "something"
		if who != "@claude" && random.IntN(4) == 0 {
			body = "@claude look"
		}
		thread := ""
		if len(roots) > 0 && random.IntN(2) == 0 {
			thread = "/" + roots[random.IntN(len(roots))]
		} else if random.IntN(3) == 0 {
			roots = append(roots, fmt.Sprint(i))
		}
		rows = append(rows, fmt.Sprintf("%s%s: %s %d", who, thread, body, i))
	}
	return said(rows...)
}

// A turn is given the watermarks of other places as far as they matter; with all
// of them, as a real turn is, it is the same turn.
func TestElsewhere(t *testing.T) {
	left := 0
	for seed := range uint64(5) {
		for _, o := range []Options{{}, {EvictAt: 20}, {Limit: 2, EvictAt: 30}} {
			c := threaded(seed)
			watched(t, c, o, hearth, func(p *playing, s sight) {
				all := s.in
				all.Elsewhere = nil
				for thread, mark := range p.marks {
					if thread != p.turns[s.n].place.thread {
						all.Elsewhere = append(all.Elsewhere, mark)
					}
				}
				left += len(all.Elsewhere) - len(s.in.Elsewhere)
				news := delivery.News(all)
				for _, row := range p.turns[s.n].place.rows[:max(0, p.turns[s.n].at+1-delivery.Newest)] {
					if news(row) != slices.Contains(s.older, row.ID) {
						t.Errorf("seed %d, turn %d: older row %s", seed, s.n, row.ID)
					}
				}
				if whole := delivery.Render(all); !reflect.DeepEqual(whole, s.out) {
					t.Errorf("seed %d, turn %d: %+v, with all watermarks %+v", seed, s.n, s.out, whole)
				}
			})
			r := mustRun(t, c, o)
			if h := r.Strategies.Hearth; h.RowsNamed != h.RowsNeverShown || h.AlreadySeenTokens > 0 && o.EvictAt == 0 {
				t.Errorf("seed %d: %+v", seed, h)
			}
		}
	}
	if left == 0 {
		t.Error("no watermark was left out: the test shows nothing")
	}
}

// Twice the channel is twice the work.
func TestGrowth(t *testing.T) {
	work := func(n int) (tokenised, looked int) {
		c := tiled(n)
		g, err := newGame(c, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range strategies {
			if _, err := g.play(t.Context(), s, nil); err != nil {
				t.Fatal(err)
			}
		}
		return g.made, g.looked
	}
	tokenised, looked := work(3)
	twiceTokenised, twiceLooked := work(6)
	if twiceTokenised > tokenised*21/10 || twiceLooked > looked*21/10 {
		t.Errorf("%d bytes and %d rows became %d and %d", tokenised, looked, twiceTokenised, twiceLooked)
	}
}

// Nobody waits for a game that nobody wants any more.
func TestAPlayEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	g, err := newGame(Generate(1), Options{})
	if err != nil {
		t.Fatal(err)
	}
	turns := 0
	_, err = g.play(ctx, hearth, func(*playing, sight) {
		if turns++; turns == 3 {
			cancel()
		}
	})
	if turns != 3 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d turns, %v", turns, err)
	}
	if _, err := Run(ctx, Generate(1), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("begun after the end: %v", err)
	}
}

// What was not played is said.
func TestOlderRowsAreSaidToBeLeftOut(t *testing.T) {
	c := Generate(1)
	c.Older = true
	if r := mustRun(t, c, Options{}); !r.Channel.Older || !strings.Contains(r.Text(), "older ones were left out") {
		t.Error(r.Text())
	}
}
