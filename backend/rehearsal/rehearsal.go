package rehearsal

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"hearth/backend/sim"
)

// Client is a Claude Code to rehearse with.
type Client struct {
	Path    string
	Version string // as it says itself, like 2.1.332
}

// Options say what is rehearsed.
type Options struct {
	// Clients are those that cold starts are measured with, each by itself, and from
	// the first to each of the others. The first one plays the channel. At least one.
	Clients []Client
	Path    string // the PATH that clients and git are started with
	Seed    uint64 // of the generated channel
	Turns   int    // how many mentions are played; 0: all
	// Cases are the cold starts to measure, by their keys; nil: all.
	Cases []string
	// Progress is told of each step before it begins: how many are done, of how many,
	// and what it is. It is called on Run's goroutine.
	Progress func(done, total int, what string)
}

func (o Options) wants(key string) bool { return o.Cases == nil || slices.Contains(o.Cases, key) }

// Report is what came out, as `hearth rehearse --json` prints it.
type Report struct {
	Channel    sim.Facts      `json:"channel"` // as far as it was played
	Seed       uint64         `json:"seed"`
	Client     string         `json:"client"` // the version that played the channel
	Clients    []string       `json:"clients"`
	Strategies Strategies     `json:"strategies"` // measured
	Simulated  sim.Strategies `json:"simulated"`
	Miss       Miss           `json:"reported_miss"`
	ColdStarts []ColdStart    `json:"cold_starts"`
	// Outside are the hosts that a client wanted to reach and was not let to.
	Outside []string `json:"outside"`
	// Unknown says what only the real API could show.
	Unknown []string `json:"unknown"`
}

// Strategies has the costs of each.
type Strategies struct {
	Window    Costs `json:"window"`
	Watermark Costs `json:"watermark"`
	Unstable  Costs `json:"unstable"`
	Hearth    Costs `json:"hearth"`
}

func (s *Strategies) of(name string) *Costs {
	switch name {
	case "window":
		return &s.Window
	case "watermark":
		return &s.Watermark
	case "unstable":
		return &s.Unstable
	}
	return &s.Hearth
}

// Miss is what hearth's second turn reads when the cache loses what was written on a
// trailing message of role system, as users report it of the real API
// (anthropics/claude-code#96101), and when it does not. In tokens.
type Miss struct {
	Read       int `json:"read_tokens"`
	Documented int `json:"documented_read_tokens"`
}

// missTurns is how many turns show it: the second one has it, the third has not.
const missTurns = 3

// Run rehearses. It takes some minutes; when ctx ends it ends every process and
// returns its error.
func Run(ctx context.Context, o Options) (report Report, err error) {
	if len(o.Clients) == 0 {
		return Report{}, errors.New("rehearse: there is no client")
	}
	channel := sim.Generate(o.Seed)
	if o.Turns > 0 {
		if channel, err = sim.First(channel, o.Turns); err != nil {
			return Report{}, err
		}
	}
	simulated, err := sim.Run(ctx, channel, sim.Options{})
	if err != nil {
		return Report{}, err
	}
	tellings, err := sim.Tell(channel)
	if err != nil {
		return Report{}, err
	}
	first, err := firstTurns(o.Seed)
	if err != nil {
		return Report{}, err
	}
	report = Report{
		Channel: simulated.Channel, Seed: o.Seed, Client: o.Clients[0].Version, Simulated: simulated.Strategies,
		ColdStarts: []ColdStart{}, Unknown: unknown(),
	}
	for _, c := range o.Clients {
		report.Clients = append(report.Clients, c.Version)
	}
	p, leave, err := newPlace(o.Path)
	if err != nil {
		return Report{}, fmt.Errorf("rehearse: %w", err)
	}
	defer func() { err = errors.Join(err, leave()) }()
	r := &rehearsing{place: p, options: o, report: &report}
	r.pairs = r.allPairs(first)
	for _, t := range tellings {
		r.total += len(t.Turns)
	}
	missed := tellings[len(tellings)-1]
	missed.Turns = missed.Turns[:min(missTurns, len(missed.Turns))]
	r.total += len(missed.Turns) + len(r.pairs)
	if err := r.all(ctx, tellings, missed, first.first); err != nil {
		if ctx.Err() != nil {
			err = ctx.Err() // whatever broke off first
		}
		return Report{}, fmt.Errorf("rehearse: %w", err)
	}
	report.Outside = p.gate.refused()
	return report, nil
}

// all does everything that is to be done.
func (r *rehearsing) all(ctx context.Context, tellings []sim.Telling, missed sim.Telling, text string) error {
	told := map[string]sim.Costs{
		"window": r.report.Simulated.Window, "watermark": r.report.Simulated.Watermark,
		"unstable": r.report.Simulated.Unstable, "hearth": r.report.Simulated.Hearth,
	}
	for _, t := range tellings {
		costs, err := r.play(ctx, t, t.Strategy, newModel(false))
		if err != nil {
			return fmt.Errorf("play %s: %w", t.Strategy, err)
		}
		// Which rows a text shows does not depend on who reads it, and every text has
		// arrived to the byte.
		of := told[t.Strategy]
		costs.ContextTokens, costs.AlreadySeenTokens = of.ContextTokens, of.AlreadySeenTokens
		costs.RowsSent, costs.RowsNeverShown, costs.RowsNamed = of.RowsSent, of.RowsNeverShown, of.RowsNamed
		*r.report.Strategies.of(t.Strategy) = costs
	}
	if len(missed.Turns) > 1 {
		costs, err := r.play(ctx, missed, "hearth with the reported miss", newModel(true))
		if err != nil {
			return fmt.Errorf("play the reported miss: %w", err)
		}
		r.report.Miss = Miss{Read: costs.Turns[1].Read, Documented: r.report.Strategies.Hearth.Turns[1].Read}
	}
	for n, c := range r.pairs {
		sections := "moved out"
		if c.dynamic {
			sections = "left in"
		}
		r.step(fmt.Sprintf("cold start of %s, dynamic sections %s: %s", c.client.Version, sections, c.title))
		cold, err := r.cold(ctx, n, c, text)
		if err != nil {
			return fmt.Errorf("cold start (%s): %w", c.title, err)
		}
		r.report.ColdStarts = append(r.report.ColdStarts, cold)
	}
	return nil
}

// firstTurns makes the texts of first turns out of a generated channel.
func firstTurns(seed uint64) (t texts, err error) {
	const mentions = 4 // of which the last one is answered by a new process
	channel, err := sim.First(sim.Generate(seed), mentions)
	if err != nil {
		return t, err
	}
	tellings, err := sim.Tell(channel)
	if err != nil {
		return t, err
	}
	turns := tellings[len(tellings)-1].Turns
	t.first, t.second = turns[0].Text, turns[1].Text
	t.replayed, err = sim.Replayed(channel)
	return t, err
}

// unknown says what a rehearsal can't show.
func unknown() []string {
	return []string{
		"How many tokens Anthropic counts. Its tokenizer is not public; these are cl100k_base. They compare ways, they are no bill.",
		"Whether the cache always finds what it should. The stand-in keeps to the documented rules; of the real API users report misses that no caller caused.",
		"How long it really keeps things. Documented are 5 minutes or an hour from the last use. Under load, or on another server, it may be less.",
		"What an account changes. Claude Code gets switches for its tools and instructions over the network, by account; here it got none, and its cache is kept for 5 minutes, as with a key.",
		"What the client says to Anthropic's own address only. There, the first line of its system prompt has one more code (cch) in it; the server may take that line out before it looks into its cache.",
		"What the API puts in front of a request by itself, and what it makes of thinking. The order documented is tools, system, messages.",
		"What a model would do: call tools, think, answer at length. Here it says what was said in the channel.",
		"Money, and the time to the first token.",
	}
}
