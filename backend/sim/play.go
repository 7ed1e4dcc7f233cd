package sim

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/oklog/ulid/v2"

	"hearth/backend/chat"
	"hearth/backend/delivery"
	"hearth/backend/plain"
	"hearth/backend/prompt"
)

// Options say how a channel is played.
type Options struct {
	// EvictAt is the mention, counted from 1, that a new process answers, which
	// remembers nothing. 0: none.
	EvictAt int
	// Limit is the most rows a block shows, 1 to delivery.Newest. 0 stands for
	// delivery.DefaultLimit.
	Limit int
}

// Run plays a channel with every strategy. A channel in which nobody addresses the
// agent is ErrNoTurns; an EvictAt that it has no such mention for is ErrNotLater. When
// ctx ends it stops before the next turn and returns its error.
func Run(ctx context.Context, c Channel, o Options) (Report, error) {
	g, err := newGame(c, o)
	if err != nil {
		return Report{}, err
	}
	r := Report{Channel: c.facts(g.turns), EvictAt: o.EvictAt, Limit: g.limit, BriefTokens: g.count(prompt.Brief())}
	r.PrefixTokens = len(g.head(watermark))
	for _, one := range []struct {
		strategy
		costs *Costs
	}{{window, &r.Strategies.Window}, {watermark, &r.Strategies.Watermark}, {unstable, &r.Strategies.Unstable}, {hearth, &r.Strategies.Hearth}} {
		if *one.costs, err = g.play(ctx, one.strategy, nil); err != nil {
			return Report{}, fmt.Errorf("play #%s: %w", c.Name, err)
		}
	}
	return r, nil
}

// game is a channel that is ready to be played.
type game struct {
	*counter
	channel Channel
	limit   int
	evictAt int
	turns   []turn
	places  []*place
	ids     struct{ channel, binding string }
	runs    []string // the run's id of each turn
	looked  int      // rows looked at: what a test counts
}

func newGame(c Channel, o Options) (*game, error) {
	turns, places, err := c.turns()
	if err != nil {
		return nil, err
	}
	if o.Limit == 0 {
		o.Limit = delivery.DefaultLimit
	}
	if o.Limit < 1 || o.Limit > delivery.Newest {
		return nil, fmt.Errorf("show %d rows in a turn: want 1 to %d", o.Limit, delivery.Newest)
	}
	if o.EvictAt != 0 && (o.EvictAt < 2 || o.EvictAt > len(turns)) {
		return nil, fmt.Errorf("let a new process answer mention %d: %w, and #%s has %s", o.EvictAt, ErrNotLater, c.Name, plain.Count(len(turns), "mention", "mentions"))
	}
	g := &game{counter: newCounter(), channel: c, limit: o.Limit, evictAt: o.EvictAt, turns: turns, places: places}
	ids := newIDs(1)
	start := turns[0].asked().CreatedAt
	g.ids.channel, g.ids.binding = ids.at(start), ids.at(start)
	for _, t := range turns {
		g.runs = append(g.runs, ids.at(t.asked().CreatedAt))
	}
	return g, nil
}

// ids makes ids that look like Hearth's and are the same every time.
type ids struct{ random *rand.ChaCha8 }

func newIDs(seed uint64) ids {
	var key [32]byte
	for i := range 8 {
		key[i] = byte(seed >> (8 * i))
	}
	return ids{rand.NewChaCha8(key)}
}

func (i ids) at(t time.Time) string {
	var id ulid.ULID
	// A file's time may lie before 1970 or after 10889. No id depends on it.
	if ms := t.UnixMilli(); ms >= 0 && uint64(ms) <= ulid.MaxTime() {
		_ = id.SetTime(uint64(ms)) // in range
	}
	_, _ = i.random.Read(id[6:]) // never fails
	return id.String()
}

// framing is what a process of the agent is told at its start.
func (g *game) framing(s strategy) string {
	return prompt.Framing(prompt.FramingInput{Handle: g.channel.Agent, BriefEveryTurn: s.briefEveryTurn})
}

// head returns the tokens of a strategy's prefix: what stands before the first
// message and is the same in every turn.
func (g *game) head(s strategy) []int {
	var head []int
	for _, text := range prefix(g.framing(s)) {
		head = append(head, g.tokens(text)...)
	}
	return head
}

func (g *game) payload(n int) prompt.Payload {
	asked := g.turns[n].asked()
	return prompt.Payload{
		Direct: g.channel.Direct, ChannelID: g.ids.channel, MessageID: asked.ID, RunID: g.runs[n], BindingID: g.ids.binding,
		Runtime: string(chat.RuntimeClaude), Supervised: true, Resident: true, ThreadRootID: asked.ThreadRootID,
		MaxRecipients: chat.MaxRecipients, Text: asked.Body,
	}
}
