package engine

import (
	"context"
	"errors"
	"time"

	"hearth/backend/api"
	"hearth/backend/chat"
	"hearth/backend/delivery"
	"hearth/backend/sim"
	"hearth/backend/store"
)

const (
	// playedBytes bounds the text that is played, in bytes of messages: what is
	// tokenised is held in memory.
	playedBytes = 64 << 20
	// playedWithin bounds how long it may take. 20,000 rows with 3,000 mentions take
	// seconds.
	playedWithin = time.Minute
)

// comparisons plays channels through the simulation, one at a time.
type comparisons struct {
	store  *store.Store
	within time.Duration
	turn   chan struct{} // holds one thing while nobody plays
}

var _ api.Comparisons = (*comparisons)(nil)

// NewComparisons plays the channels of a store.
func NewComparisons(s *store.Store) api.Comparisons { return newComparisons(s, playedWithin) }

func newComparisons(s *store.Store, within time.Duration) *comparisons {
	c := &comparisons{store: s, within: within, turn: make(chan struct{}, 1)}
	c.turn <- struct{}{}
	return c
}

// Compare is api.Comparisons.
func (c *comparisons) Compare(ctx context.Context, channel chat.Channel, b chat.Binding, o api.CompareOptions) (api.Strategies, error) {
	bounded, cancel := context.WithTimeout(ctx, c.within)
	defer cancel()
	report, err := c.report(bounded, channel, b, o)
	switch {
	case err == nil:
		return strategiesOf(report), nil
	case ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
		return api.Strategies{}, chat.Errorf(chat.CodeUnavailable, "Playing #%s takes longer than it may (%s), or others were played. Try again, or play fewer of its messages (rows).", channel.Name, c.within)
	case errors.Is(err, sim.ErrNoTurns):
		return api.Strategies{}, chat.Errorf(chat.CodeConflict, "Nobody has addressed @%s in these messages, so there is no turn to compare. Write to it first.", b.Handle)
	case errors.Is(err, sim.ErrNotLater):
		return api.Strategies{}, chat.Errorf(chat.CodeInvalid, "@%s has no mention %d here that a new process could answer: it can be any but the first that there is.", b.Handle, o.EvictAt)
	}
	return api.Strategies{}, err
}

func (c *comparisons) report(ctx context.Context, channel chat.Channel, b chat.Binding, o api.CompareOptions) (sim.Report, error) {
	select {
	case <-c.turn:
		defer func() { c.turn <- struct{}{} }()
	case <-ctx.Done():
		return sim.Report{}, ctx.Err()
	}
	played, err := c.played(ctx, channel, b, o.Rows)
	if err != nil {
		return sim.Report{}, err
	}
	return sim.Run(ctx, played, sim.Options{Limit: o.Limit, EvictAt: o.EvictAt})
}

// played is a channel as the simulation takes it: what was written, in its threads
// too, and which message each reply of the agent's answers.
func (c *comparisons) played(ctx context.Context, channel chat.Channel, b chat.Binding, most int) (sim.Channel, error) {
	rows, older, err := c.store.History(ctx, channel.ID, most, playedBytes)
	if err != nil {
		return sim.Channel{}, err
	}
	answers, err := c.store.Answers(ctx, b.ID)
	if err != nil {
		return sim.Channel{}, err
	}
	out := sim.Channel{Name: channel.Name, Agent: b.Handle, Direct: channel.Direct, Older: older}
	roots := make(map[string]bool, len(rows))
	for _, row := range rows {
		switch {
		case row.ThreadRootID == "":
			roots[row.ID] = true
		case !roots[row.ThreadRootID]:
			continue // its thread began before the rows that are played
		}
		out.Rows = append(out.Rows, sim.Row{Answers: answers[row.ID], Row: delivery.Row{
			ID: row.ID, ThreadRootID: row.ThreadRootID, Agent: row.Kind == chat.KindAgent, Handle: row.Handle, Body: row.Body, CreatedAt: row.CreatedAt,
		}})
	}
	return out, nil
}

// strategiesOf is a report in the words of the API. The conversions fail to compile
// when the two have not the same fields.
func strategiesOf(r sim.Report) api.Strategies {
	f := r.Channel
	return api.Strategies{
		Channel: api.StrategyChannel{
			Name: f.Name, Agent: f.Agent, Rows: f.Rows, Mentions: f.Mentions, People: f.People, Agents: f.Agents, LongRows: f.LongRows,
			Gaps: api.StrategyGaps(f.Gaps), Older: f.Older,
		},
		Limit: r.Limit, EvictAt: r.EvictAt, PrefixTokens: r.PrefixTokens, BriefTokens: r.BriefTokens,
		Strategies: api.StrategySet{
			Window: api.StrategyCosts(r.Strategies.Window), Watermark: api.StrategyCosts(r.Strategies.Watermark),
			Unstable: api.StrategyCosts(r.Strategies.Unstable), Hearth: api.StrategyCosts(r.Strategies.Hearth),
		},
	}
}
