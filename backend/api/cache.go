package api

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"hearth/backend/chat"
	"hearth/backend/ledger"
	"hearth/backend/run"
)

// Ledger is what the API reads of what turns have cost.
type Ledger interface {
	// Turns returns the newest turns of a binding or a channel before a run, oldest
	// first, and says whether there are older ones.
	Turns(ctx context.Context, q run.TurnsQuery) (turns []ledger.Turn, more bool, err error)
	// Breaks returns the cache breaks among runs, by run.
	Breaks(ctx context.Context, runIDs []string) (map[string]ledger.Break, error)
	// TurnBefore returns the run that a run is compared with, "" where there is none.
	TurnBefore(ctx context.Context, runID string) (string, error)
	// Totals adds up what a channel's turns used on days that follow one another,
	// oldest first.
	Totals(ctx context.Context, channelID string, days []ledger.Day, zone *time.Location) (run.Totals, error)
	// Handles returns how the agents of a channel are called, those that were removed
	// too, in the order they came.
	Handles(ctx context.Context, channelID string) ([]run.Handle, error)
}

// foreseenFrom is how many turns of an agent a forecast is made from.
const foreseenFrom = 200

type cacheInput struct {
	ID      string `path:"id" doc:"The channel's id."`
	Before  string `query:"before" doc:"Only turns that ended before the one of this run; left out: the newest."`
	Limit   int    `query:"limit" default:"50" minimum:"1" maximum:"200" doc:"How many turns."`
	Binding string `query:"binding" doc:"Only turns and forecasts of the agent with this binding's id. The totals are the channel's."`
	Days    int    `query:"days" default:"30" minimum:"1" maximum:"366" doc:"How many days the totals are of, today included."`
}

type cacheOutput struct {
	Body struct {
		Spending  Spending        `json:"spending"`
		Turns     []CacheTurn     `json:"turns" doc:"Newest first."`
		More      bool            `json:"more" doc:"There are older ones: ask again with before set to the run_id of the last."`
		Totals    CacheTotals     `json:"totals"`
		Forecasts []CacheForecast `json:"forecasts" doc:"Of the agents that have had a turn. All of it is estimated, but for the sizes."`
	}
}

func (s *server) registerCache(operations huma.API) {
	register(s, operations, huma.Operation{
		OperationID: "get-cache", Method: http.MethodGet, Path: "/api/channels/{id}/cache", Tags: []string{"cache"},
		Summary:     "Read what a channel's turns used and cost, how well the cache was read, and what is to be expected",
		Description: "Tokens and money are the client's own figures. docs/caching.md says what they are.",
	}, s.getCache)
}

func (s *server) getCache(ctx context.Context, in *cacheInput) (*cacheOutput, error) {
	c, err := s.Store.Channel(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	handles, err := s.Store.Handles(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	if in.Binding != "" && !slices.ContainsFunc(handles, func(h run.Handle) bool { return h.BindingID == in.Binding }) {
		return nil, chat.Errorf(chat.CodeInvalid, "There is no agent with the binding %q in this channel.", bounded(in.Binding))
	}
	query := run.TurnsQuery{ChannelID: c.ID, BindingID: in.Binding, Before: in.Before, Limit: in.Limit}
	turns, more, err := s.Store.Turns(ctx, query)
	if chat.CodeOf(err) == chat.CodeNotFound {
		return nil, chat.Errorf(chat.CodeInvalid, "There is no turn of a run %q in this channel to page back from. Give the run_id of the oldest turn you have.", bounded(in.Before))
	}
	if err != nil {
		return nil, err
	}
	out := &cacheOutput{}
	if out.Body.Turns, err = s.cacheTurns(ctx, turns, handles); err != nil {
		return nil, err
	}
	out.Body.More = more
	now := s.now()
	if err := s.cacheTotals(ctx, out, c, handles, now, in.Days); err != nil {
		return nil, err
	}
	past, err := s.pastTurns(ctx, handles, in.Binding)
	if err != nil {
		return nil, err
	}
	out.Body.Forecasts = forecasts(handles, past, now)
	return out, nil
}

func (s *server) now() time.Time {
	if s.Clock != nil {
		return s.Clock()
	}
	return time.Now()
}

// cacheTurns are turns, oldest first, as a page shows them: newest first, each with
// its break.
func (s *server) cacheTurns(ctx context.Context, turns []ledger.Turn, handles []run.Handle) ([]CacheTurn, error) {
	names := map[string]string{}
	for _, h := range handles {
		names[h.BindingID] = h.Handle
	}
	breaks, err := s.Store.Breaks(ctx, each(turns, func(t ledger.Turn) string { return t.Run }))
	if err != nil {
		return nil, err
	}
	out := make([]CacheTurn, len(turns))
	for i := range turns {
		t := &turns[i]
		var broken *ledger.Break
		if b, ok := breaks[t.Run]; ok {
			broken = &b
		}
		out[len(turns)-1-i] = toCacheTurn(t, names[t.Binding], broken)
	}
	return out, nil
}

// cacheTotals fills in the sums, and how the channel stands to its limit.
func (s *server) cacheTotals(ctx context.Context, out *cacheOutput, c chat.Channel, handles []run.Handle, now time.Time, count int) error {
	days := daysTo(now.In(time.Local), count)
	totals, err := s.Store.Totals(ctx, c.ID, days, time.Local)
	if err != nil {
		return err
	}
	today := totals.Days[len(totals.Days)-1]
	c.Spent = today.Sum.Money.USD()
	out.Body.Spending = toSpending(c.ID, run.SpendingOf(c, now))
	t := &out.Body.Totals
	t.From, t.To, t.All = string(days[0]), string(today.Day), toSum(totals.All)
	t.Days = each(totals.Days, func(d run.DaySum) CacheDay { return CacheDay{CacheSum: toSum(d.Sum), Day: string(d.Day)} })
	t.Models = each(totals.Models, func(m run.ModelSum) CacheModel {
		return CacheModel{Tokens: toTokens(m.Usage), Model: m.Model, Turns: m.Turns, CostUSD: m.Money.USD(), UnpricedTurns: m.Unpriced}
	})
	t.Saved = each(totals.Saved, func(v run.SavedSum) CacheSaved {
		return CacheSaved{Kind: string(v.Kind), Times: v.Times, Faults: v.Faults, Chars: v.Chars, Lines: v.Lines, Tokens: v.Tokens}
	})
	t.Agents = []CacheAgent{}
	for _, h := range handles {
		for _, a := range totals.Agents {
			if a.BindingID == h.BindingID {
				t.Agents = append(t.Agents, CacheAgent{CacheSum: toSum(a.Sum), BindingID: h.BindingID, Handle: h.Handle, Removed: h.Removed})
			}
		}
	}
	return nil
}

// daysTo are the last days of the calendar where now is told, today the last of them.
func daysTo(now time.Time, count int) []ledger.Day {
	days := make([]ledger.Day, count)
	noon := time.Date(now.Year(), now.Month(), now.Day(), 12, 0, 0, 0, time.UTC)
	for i := range days {
		days[i] = ledger.DayOf(noon.AddDate(0, 0, i+1-count), time.UTC)
	}
	return days
}

// pastTurns are the newest turns of the agents that are in the channel, or of one of them, by agent.
func (s *server) pastTurns(ctx context.Context, handles []run.Handle, only string) (map[string][]ledger.Turn, error) {
	past := map[string][]ledger.Turn{}
	for _, h := range handles {
		if h.Removed || only != "" && h.BindingID != only {
			continue
		}
		turns, _, err := s.Store.Turns(ctx, run.TurnsQuery{BindingID: h.BindingID, Limit: foreseenFrom})
		if err != nil {
			return nil, err
		}
		past[h.BindingID] = turns
	}
	return past, nil
}

// forecasts say what is to be expected of agents. past is what they and others did: any agent's figures show what a model
// costs.
func forecasts(handles []run.Handle, past map[string][]ledger.Turn, now time.Time) []CacheForecast {
	out := []CacheForecast{}
	var all []ledger.Turn
	for _, id := range slices.Sorted(maps.Keys(past)) {
		all = append(all, past[id]...)
	}
	slices.SortStableFunc(all, func(a, b ledger.Turn) int { return a.Ended.Compare(b.Ended) })
	rates := map[string]ledger.Rates{}
	for _, h := range handles {
		turns := past[h.BindingID]
		model, window, native := lastModel(turns)
		if model == "" {
			continue
		}
		if _, known := rates[model]; !known {
			rates[model], _ = ledger.RatesOf(all, model)
		}
		out = append(out, toForecast(h, window, native, ledger.Predict(turns, now, ledger.DefaultLine, rates[model])))
	}
	return out
}

// lastModel is the model of the newest request of the main thread, its window, and the
// native session it was made in.
func lastModel(turns []ledger.Turn) (model string, window int64, native string) {
	for i := len(turns) - 1; i >= 0; i-- {
		for j := len(turns[i].Calls) - 1; j >= 0; j-- {
			if c := turns[i].Calls[j]; c.Main {
				return ledger.ModelName(c.Model), turns[i].Window, turns[i].Native
			}
		}
	}
	return "", 0, ""
}
