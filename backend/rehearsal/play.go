package rehearsal

import (
	"context"
	"errors"
	"fmt"
	"math"

	"hearth/backend/sim"
	"hearth/backend/standin"
	"hearth/backend/token"
)

// Turn is what one request of a strategy came to, in tokens.
type Turn struct {
	Input    int `json:"input_tokens"`
	Read     int `json:"read_tokens"`    // from the cache
	Written  int `json:"written_tokens"` // to the cache
	Uncached int `json:"uncached_tokens"`
	Own      int `json:"own_tokens"` // of what was not in the request before: the turn itself and the reply before it
	// Broke names the first part that was not what it was in the request before;
	// empty: the request goes on where that one ended.
	Broke string `json:"broke,omitempty"`
}

// Costs are those of a strategy, measured: the keys of the simulation, where
// cacheable is what was read from the cache.
type Costs struct {
	sim.Costs
	Sizes   standin.Sizes `json:"first_request"`   // of the first request
	Written int           `json:"written_tokens"`  // to the cache, in all turns
	Plain   int           `json:"plain_tokens"`    // neither read nor written
	Added   float64       `json:"added_warm_turn"` // what the client adds to a warm turn, in the mean
	Turns   []Turn        `json:"turns"`
}

// rehearsing is a rehearsal under way.
type rehearsing struct {
	*place
	options Options
	report  *Report
	pairs   []pair // the cold starts
	done    int    // steps
	total   int
}

// step says what begins.
func (r *rehearsing) step(what string) {
	if r.options.Progress != nil {
		r.options.Progress(r.done, r.total, what)
	}
	r.done++
}

// play tells a channel to one resident process. what it is called in the progress.
func (r *rehearsing) play(ctx context.Context, t sim.Telling, what string, m model) (costs Costs, err error) {
	home, err := r.folder("home-" + what)
	if err != nil {
		return Costs{}, err
	}
	dir, err := r.repository(ctx, "work-"+what)
	if err != nil {
		return Costs{}, err
	}
	r.gate.lead(m)
	s, err := r.open(ctx, start{client: r.options.Clients[0], home: home, dir: dir, framing: t.Framing})
	if err != nil {
		return Costs{}, err
	}
	defer func() { err = errors.Join(err, shut(ctx, s)) }()
	var before []part
	reply := 0 // tokens of the reply before
	warm, uncached, own := 0, 0, 0
	for n, told := range t.Turns {
		r.step(fmt.Sprintf("%s, turn %d of %d", what, n+1, len(t.Turns)))
		r.gate.say(told.Line)
		said := told.Reply
		if said == "" {
			said = "(no reply)"
		}
		m.Then(standin.Say(said))
		if err := turn(ctx, s, told.Text); err != nil {
			return Costs{}, fmt.Errorf("turn %d: %w", n+1, err)
		}
		entries := m.Book(standin.Of(standin.Main), standin.FromSession(s.Native()))
		if len(entries) != n+1 {
			return Costs{}, fmt.Errorf("turn %d: the client sent %d requests up to here", n+1, len(entries))
		}
		e := entries[n]
		if !arrived(e.Request, told.Text) {
			return Costs{}, fmt.Errorf("turn %d: what it says is not in the request as it was sent", n+1)
		}
		parts, err := partsOf(e.Request)
		if err != nil {
			return Costs{}, fmt.Errorf("turn %d: %w", n+1, err)
		}
		now := Turn{
			Input: e.Usage.Total(), Read: e.Usage.CacheReadInputTokens, Written: e.Usage.CacheCreationInputTokens,
			Own: token.Count(told.Text) + reply, Broke: extends(before, parts),
		}
		now.Uncached = now.Input - now.Read
		costs.Turns = append(costs.Turns, now)
		if n == 0 {
			costs.Sizes = m.Sizes(e.Request)
		} else {
			warm, uncached, own = warm+1, uncached+now.Uncached, own+now.Own
		}
		costs.InputTokens += int64(now.Input)
		costs.CacheableTokens += int64(now.Read)
		costs.Written += now.Written
		costs.Plain += e.Usage.InputTokens
		before, reply = parts, token.Count(said)
	}
	costs.CacheableRatio = rounded(float64(costs.CacheableTokens)/float64(max(1, costs.InputTokens)), 4)
	costs.UncachedPerWarmTurn = rounded(float64(uncached)/float64(max(1, warm)), 1)
	costs.Added = rounded(float64(uncached-own)/float64(max(1, warm)), 1)
	return costs, nil
}

// arrived says whether a text is a block of a request's newest message, to the byte.
func arrived(r standin.Request, text string) bool {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if r.Messages[i].Role != "user" {
			continue
		}
		for _, c := range r.Messages[i].Content {
			if c.Type == "text" && c.Text == text {
				return true
			}
		}
		return false
	}
	return false
}

func rounded(x float64, digits int) float64 {
	unit := math.Pow10(digits)
	return math.Round(x*unit) / unit
}
