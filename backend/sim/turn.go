package sim

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

	"hearth/backend/delivery"
	"hearth/backend/prompt"
)

// maxExchanges is how many of the newest exchanges a replay is made of, as in
// the store.
const maxExchanges = 400

// watcher sees each turn before it arrives. It is for tests.
type watcher func(p *playing, s sight)

// sight is what a watcher sees of a turn.
type sight struct {
	n     int // the turn, from 0
	in    delivery.Input
	older []string // the rows that in.Older counts
	out   delivery.Output
	head  []string // the texts before the first message
	sent  prompt.Sent
}

// playing is a game that is played with one strategy.
type playing struct {
	*game
	strategy
	watch watcher

	texts     []string // what stands before the first message, but for unstable's line
	head      []int    // the tokens of it
	now       session
	sessions  int
	exchanges []prompt.Exchange
	marks     map[string]delivery.Watermark // by thread

	costs          Costs
	warm, uncached int64           // turns, and tokens in them
	shown          map[string]bool // rows that a block has shown
	told           map[string]bool // rows that a block or a payload brought
	named          map[string]bool // rows that an omitted line has counted
}

// session is one native session.
type session struct {
	native string
	said   *conversation
	before *request // the request before, nil: none yet
	first  string   // the place of its first turn, whose watermark has what was replayed
}

// play plays the channel with one strategy, until ctx ends.
func (g *game) play(ctx context.Context, s strategy, watch watcher) (Costs, error) {
	p := &playing{
		game: g, strategy: s, watch: watch, texts: prefix(g.framing(s)), head: g.head(s), marks: map[string]delivery.Watermark{},
		shown: map[string]bool{}, told: map[string]bool{}, named: map[string]bool{},
	}
	for n := range g.turns {
		if err := ctx.Err(); err != nil {
			return Costs{}, err
		}
		if err := p.turn(n); err != nil {
			return Costs{}, fmt.Errorf("turn %d: %w", n+1, err)
		}
	}
	p.costs.CacheableRatio = ratio(p.costs.CacheableTokens, p.costs.InputTokens, 4)
	p.costs.UncachedPerWarmTurn = ratio(p.uncached, p.warm, 1)
	p.neverShown()
	return p.costs, nil
}

// turn makes a turn as a real one is made, counts it, and lets it arrive.
func (p *playing) turn(n int) error {
	t := p.turns[n]
	temperature, replay, replayed := p.lease(n)
	in, older := p.input(t, replayed)
	out := delivery.Render(in)
	newest, err := prompt.Newest(p.payload(n), p.briefEveryTurn, out.Block, "")
	if err != nil {
		return err
	}
	sent, err := prompt.ForLease(temperature, p.framing(p.strategy), replay, newest)
	if err != nil {
		return err
	}
	head := p.send(n, sent)
	p.book(in, out, older)
	if p.watch != nil {
		p.watch(p, sight{n, in, older, out, head, sent})
	}
	p.arrive(t, out.Watermark)
	return nil
}

// lease says what the process that takes the turn remembers, and begins a native
// session where it is nothing.
func (p *playing) lease(n int) (t prompt.Temperature, replay string, replayed []string) {
	if n > 0 && n+1 != p.evictAt {
		return prompt.Warm, "", nil
	}
	p.sessions++
	p.now = session{native: fmt.Sprint("session-", p.sessions), said: new(conversation), first: p.turns[n].place.thread}
	if p.replays {
		newest := p.exchanges[max(0, len(p.exchanges)-maxExchanges):]
		replay, replayed, _ = prompt.Replay(newest, prompt.ReplayBudget, p.count)
	}
	return prompt.Cold, replay, replayed
}

// input is what the rendering of a turn looks at, as for a real one, and the ids
// of the rows that Older counts.
func (p *playing) input(t turn, replayed []string) (in delivery.Input, older []string) {
	rows := t.place.rows
	first := max(0, t.at+1-delivery.Newest)
	in = delivery.Input{
		Rows: rows[first : t.at+1], Addressed: t.asked().ID, AddressedAt: t.asked().CreatedAt,
		Native: p.now.native, Remembers: p.remembers, Limit: p.limit, Without: p.without,
	}
	if len(replayed) > 0 {
		in.Replayed = make(map[string]bool, len(replayed))
		for _, id := range replayed {
			in.Replayed[id] = true
		}
	}
	if mark, ok := p.marks[t.place.thread]; ok {
		in.Watermark = &mark
	}
	from := first
	switch {
	case p.without.Omitted: // nobody wants to know what is older
	case in.Valid():
		from = sort.Search(first, func(i int) bool { return rows[i].CreatedAt.After(in.Watermark.LastAt) })
	default:
		from = 0
	}
	p.looked += t.at + 1 - from
	in.Elsewhere = p.elsewhere(t.place, rows[from:t.at+1])
	if from < first {
		in.Older = make(map[string]int)
		news := delivery.News(in)
		for _, row := range rows[from:first] {
			if news(row) {
				in.Older[row.Handle]++
				older = append(older, row.ID)
			}
		}
	}
	return in, older
}

// elsewhere returns the watermarks of other places that can know one of the rows:
// at the top level those of the threads that begin with one, in a thread that of
// the top level, where its root is; and that of the place where the session was
// replayed what was said before in the whole channel. A real turn is given all
// there are, which makes no difference but in time.
func (p *playing) elsewhere(here *place, rows []delivery.Row) []delivery.Watermark {
	var marks []delivery.Watermark
	add := func(thread string) {
		if mark, ok := p.marks[thread]; ok && thread != here.thread {
			marks = append(marks, mark)
		}
	}
	add(p.now.first)
	if here.thread != "" {
		add("")
		return marks
	}
	for _, row := range rows {
		add(row.ID)
	}
	return marks
}

// send counts the request that the turn is, and returns the texts that stand
// before its first message.
func (p *playing) send(n int, sent prompt.Sent) (texts []string) {
	head, texts := p.head, p.texts
	if p.unstable {
		line := presence(p.channel.Name, n, p.turns[n].asked().CreatedAt)
		head, texts = slices.Concat(p.tokens(line), head), slices.Concat([]string{line}, texts)
	}
	p.now.said.say(p.count(sent.Text))
	now := request{head: head, of: p.now.said, messages: len(p.now.said.ends)}
	p.costs.InputTokens += now.tokens()
	if p.now.before != nil {
		cacheable := common(*p.now.before, now)
		p.costs.CacheableTokens += cacheable
		p.uncached += now.tokens() - cacheable
		p.warm++
	}
	p.now.before = &now
	return texts
}

// book keeps account of the rows of a turn.
func (p *playing) book(in delivery.Input, out delivery.Output, older []string) {
	p.told[in.Addressed] = true
	for i, id := range out.Shown {
		if p.shown[id] {
			p.costs.AlreadySeenTokens += int64(p.count(out.Lines[i] + "\n"))
		}
		p.shown[id], p.told[id] = true, true
	}
	p.costs.RowsSent += len(out.Shown)
	if _, rows, ok := strings.Cut(out.Block, "\n"); ok {
		p.costs.ContextTokens += int64(p.count(rows + "\n"))
	}
	if p.without.Omitted {
		return
	}
	for _, id := range older {
		p.named[id] = true
	}
	for _, row := range out.Considered {
		if row.Verdict == delivery.BeyondLimit {
			p.named[row.ID] = true
		}
	}
}

// arrive is what happens when a turn succeeded: the reply is part of the
// conversation, and the watermark moves.
func (p *playing) arrive(t turn, mark *delivery.Watermark) {
	var wrote []string
	if t.reply != nil {
		p.now.said.say(p.count(t.reply.Body))
		wrote = []string{t.reply.ID}
		p.exchanges = append(p.exchanges, prompt.Exchange{
			Asked: t.asked().Body, Answered: t.reply.Body, RowIDs: []string{t.asked().ID, t.reply.ID},
		})
	}
	switch {
	case mark == nil:
	case p.without.Echo:
		p.marks[t.place.thread] = *mark
	default:
		p.marks[t.place.thread] = mark.Wrote(wrote...)
	}
}

// neverShown counts what the agent was not told before it was last addressed.
func (p *playing) neverShown() {
	for _, in := range p.places {
		for i, row := range in.rows[:in.last+1] {
			root := i == 0 && in.thread != "" // a row of the top level, counted there
			if root || row.Own || p.told[row.ID] {
				continue
			}
			p.costs.RowsNeverShown++
			if p.named[row.ID] {
				p.costs.RowsNamed++
			}
		}
	}
}
