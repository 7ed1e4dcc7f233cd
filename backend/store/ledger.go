package store

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"hearth/backend/chat"
	"hearth/backend/ledger"
	"hearth/backend/run"
	"hearth/backend/store/db"
)

// putTurn puts a run that has ended down in the ledger: one line, and one for each
// model.
func putTurn(ctx context.Context, q *db.Queries, r run.Run, f run.Facts) error {
	t := run.TurnOf(r, f)
	sum := t.Sum()
	err := q.InsertTurn(ctx, db.InsertTurnParams{
		ChannelID: r.ChannelID, EndedAt: micros(r.EndedAt), RunID: r.ID, BindingID: r.BindingID,
		Process: f.Process, ClientVersion: f.Version, ToolsHash: f.Tools.Hash, ToolsSize: f.Tools.Size,
		FramingHash: f.Framing.Hash, FramingSize: f.Framing.Size, Settings: settingsText(f.Settings), Compactions: compactionsText(f.Compactions),
		MainCalls: int64(sum.MainCalls), MainInput: sum.Main.Input, MainCacheRead: sum.Main.CacheRead,
		MainCacheWrite5m: sum.Main.CacheWrite5m, MainCacheWrite1h: sum.Main.CacheWrite1h,
		MainOutput: sum.Main.Output, MainThinking: sum.Main.Thinking,
		SubagentCalls: int64(sum.SubagentCalls), SubagentInput: sum.Subagents.Input, SubagentCacheRead: sum.Subagents.CacheRead,
		SubagentCacheWrite5m: sum.Subagents.CacheWrite5m, SubagentCacheWrite1h: sum.Subagents.CacheWrite1h,
		SubagentOutput: sum.Subagents.Output, SubagentThinking: sum.Subagents.Thinking,
		BesideInput: sum.Beside.Input, BesideCacheRead: sum.Beside.CacheRead,
		BesideCacheWrite5m: sum.Beside.CacheWrite5m, BesideCacheWrite1h: sum.Beside.CacheWrite1h,
		BesideOutput: sum.Beside.Output, BesideThinking: sum.Beside.Thinking,
		Money: int64(sum.Money),
	})
	if err != nil {
		return err
	}
	if f.Model != "" && sum.MainCalls > 0 {
		if err := q.SetSessionModel(ctx, db.SetSessionModelParams{Native: r.Native, Model: f.Model}); err != nil {
			return err
		}
	}
	return putModels(ctx, q, &t)
}

// putModels stores what each model used: the client's own lines, and what the calls
// show beyond them. Together they are what ledger.Turn.ByModel says.
func putModels(ctx context.Context, q *db.Queries, t *ledger.Turn) error {
	n := int64(0)
	put := func(model string, counted bool, u ledger.Usage, cost float64, money ledger.Money) error {
		n++
		return q.InsertModel(ctx, db.InsertModelParams{
			RunID: t.Run, N: n - 1, Model: model, Counted: counted, Input: u.Input, CacheRead: u.CacheRead,
			CacheWrite5m: u.CacheWrite5m, CacheWrite1h: u.CacheWrite1h, Output: u.Output, Thinking: u.Thinking,
			CostUSD: cost, Money: int64(money),
		})
	}
	counted := map[string]ledger.Usage{}
	money := map[string]ledger.Money{}
	for _, m := range t.Models {
		name := ledger.ModelName(m.Model)
		if err := put(name, true, m.Usage, m.CostUSD, ledger.Dollars(m.CostUSD)); err != nil {
			return err
		}
		counted[name] = counted[name].Add(m.Usage)
		money[name] += ledger.Dollars(m.CostUSD)
	}
	for _, m := range t.ByModel() {
		more, rest := minus(m.Sum.Total(), counted[m.Model]), m.Sum.Money-money[m.Model]
		if more == (ledger.Usage{}) && rest == 0 {
			continue
		}
		if err := put(m.Model, false, more, 0, rest); err != nil {
			return err
		}
	}
	return nil
}

// minus is u without v, kind by kind; what was written may lie in the other kind, so
// one of the two can be below 0.
func minus(u, v ledger.Usage) ledger.Usage {
	return ledger.Usage{
		Input: u.Input - v.Input, CacheRead: u.CacheRead - v.CacheRead, CacheWrite5m: u.CacheWrite5m - v.CacheWrite5m,
		CacheWrite1h: u.CacheWrite1h - v.CacheWrite1h, Output: u.Output - v.Output, Thinking: u.Thinking - v.Thinking,
	}
}

// Turns returns the newest turns of a binding or a channel before a run, oldest
// first, and says whether there are older ones. It answers CodeNotFound for a run
// that has no turn in the ledger: it has not ended, or never begun.
func (s *Store) Turns(ctx context.Context, wanted run.TurnsQuery) (turns []ledger.Turn, more bool, err error) {
	err = s.view(ctx, "read the ledger", func(q *db.Queries) error {
		before := int64(endOfTime)
		if wanted.Before != "" {
			place, err := q.TurnPlace(ctx, wanted.Before)
			if none(err) || err == nil && wanted.ChannelID != "" && place.ChannelID != wanted.ChannelID {
				return notFound("turn", wanted.Before)
			}
			if err != nil {
				return err
			}
			before = place.EndedAt
		}
		var stored []db.TurnsOfChannelRow
		if wanted.BindingID != "" {
			of, err := q.TurnsOfBinding(ctx, db.TurnsOfBindingParams{BindingID: wanted.BindingID, BeforeAt: before, Most: int64(wanted.Limit) + 1})
			if err != nil {
				return err
			}
			for _, row := range of {
				stored = append(stored, db.TurnsOfChannelRow(row))
			}
		} else if stored, err = q.TurnsOfChannel(ctx, db.TurnsOfChannelParams{ChannelID: wanted.ChannelID, BeforeAt: before, Most: int64(wanted.Limit) + 1}); err != nil {
			return err
		}
		if len(stored) > wanted.Limit {
			stored, more = stored[:wanted.Limit], true
		}
		slices.Reverse(stored)
		turns, err = turnsOf(ctx, q, stored)
		return err
	})
	if err != nil {
		return nil, false, err
	}
	return turns, more, nil
}

func turnsOf(ctx context.Context, q *db.Queries, stored []db.TurnsOfChannelRow) ([]ledger.Turn, error) {
	runs := make([]db.Run, len(stored))
	ids := make([]string, len(stored))
	for i, row := range stored {
		runs[i], ids[i] = row.Run, row.Run.ID
	}
	whole, err := withCalls(ctx, q, runs)
	if err != nil {
		return nil, err
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	models, err := q.Models(ctx, string(list))
	if err != nil {
		return nil, err
	}
	byRun := map[string][]ledger.ModelUse{}
	for _, m := range models {
		byRun[m.RunID] = append(byRun[m.RunID], ledger.ModelUse{Model: m.Model, CostUSD: m.CostUSD, Usage: ledger.Usage{
			Input: m.Input, CacheRead: m.CacheRead, CacheWrite5m: m.CacheWrite5m, CacheWrite1h: m.CacheWrite1h,
			Output: m.Output, Thinking: m.Thinking,
		}})
	}
	turns := make([]ledger.Turn, len(stored))
	for i, row := range stored {
		t := row.Turn
		f := run.Facts{
			Process: t.Process, Version: t.ClientVersion, Tools: ledger.Part{Hash: t.ToolsHash, Size: t.ToolsSize},
			Framing: ledger.Part{Hash: t.FramingHash, Size: t.FramingSize}, Settings: settingsOf(t.Settings), Models: byRun[t.RunID],
		}
		if f.Compactions, err = compactionsOf(t.Compactions); err != nil {
			return nil, err
		}
		turns[i] = run.TurnOf(whole[i], f)
	}
	return turns, nil
}

// Totals adds up what a channel's turns used on some days, which follow one another,
// oldest first, in the calendar of a zone.
func (s *Store) Totals(ctx context.Context, channelID string, days []ledger.Day, zone *time.Location) (totals run.Totals, err error) {
	agents := map[string]ledger.Sum{}
	err = s.view(ctx, "add up the ledger", func(q *db.Queries) error {
		var first, last int64
		for i, day := range days {
			from, to, err := day.Bounds(zone)
			if err != nil {
				return err
			}
			last = to.UnixMicro()
			if i == 0 {
				first = from.UnixMicro()
			}
			sums, err := q.SumTurns(ctx, db.SumTurnsParams{ChannelID: channelID, FromAt: from.UnixMicro(), ToAt: last})
			if err != nil {
				return err
			}
			var sum ledger.Sum
			for _, one := range sums {
				sum = sum.Add(sumOf(one))
				agents[one.BindingID] = agents[one.BindingID].Add(sumOf(one))
			}
			totals.Days = append(totals.Days, run.DaySum{Day: day, Sum: sum})
			totals.All = totals.All.Add(sum)
		}
		models, err := q.SumModels(ctx, db.SumModelsParams{ChannelID: channelID, FromAt: first, ToAt: last})
		if err != nil {
			return err
		}
		for _, m := range models {
			totals.Models = append(totals.Models, run.ModelSum{
				Model: m.Model, Turns: int(m.Turns), Money: ledger.Money(m.Money), Unpriced: int(m.Unpriced), Usage: ledger.Usage{
					Input: m.Input, CacheRead: m.CacheRead, CacheWrite5m: m.CacheWrite5m, CacheWrite1h: m.CacheWrite1h,
					Output: m.Output, Thinking: m.Thinking,
				},
			})
		}
		saved, err := q.SumSavings(ctx, db.SumSavingsParams{ChannelID: channelID, FromAt: first, ToAt: last})
		if err != nil {
			return err
		}
		for _, v := range saved {
			totals.Saved = append(totals.Saved, run.SavedSum{
				Kind: run.SavingKind(v.Kind), Times: int(v.Times), Faults: int(v.Faults), Chars: v.Chars, Lines: v.Lines, Tokens: v.Tokens,
			})
		}
		return nil
	})
	if err != nil {
		return run.Totals{}, err
	}
	for id, sum := range agents {
		totals.Agents = append(totals.Agents, run.AgentSum{BindingID: id, Sum: sum})
	}
	slices.SortFunc(totals.Agents, func(a, b run.AgentSum) int { return strings.Compare(a.BindingID, b.BindingID) })
	return totals, nil
}

func sumOf(r db.SumTurnsRow) ledger.Sum {
	return ledger.Sum{
		Turns: int(r.Turns), MainCalls: int(r.MainCalls), SubagentCalls: int(r.SubagentCalls), Money: ledger.Money(r.Money),
		Unpriced: int(r.Unpriced),
		Main: ledger.Usage{
			Input: r.MainInput, CacheRead: r.MainCacheRead, CacheWrite5m: r.MainCacheWrite5m, CacheWrite1h: r.MainCacheWrite1h,
			Output: r.MainOutput, Thinking: r.MainThinking,
		},
		Subagents: ledger.Usage{
			Input: r.SubagentInput, CacheRead: r.SubagentCacheRead, CacheWrite5m: r.SubagentCacheWrite5m,
			CacheWrite1h: r.SubagentCacheWrite1h, Output: r.SubagentOutput, Thinking: r.SubagentThinking,
		},
		Beside: ledger.Usage{
			Input: r.BesideInput, CacheRead: r.BesideCacheRead, CacheWrite5m: r.BesideCacheWrite5m,
			CacheWrite1h: r.BesideCacheWrite1h, Output: r.BesideOutput, Thinking: r.BesideThinking,
		},
	}
}

// Handles returns how the agents of a channel are called, in the order they came,
// with those that were removed.
func (s *Store) Handles(ctx context.Context, channelID string) ([]run.Handle, error) {
	stored, err := s.views.Handles(ctx, channelID)
	if err != nil {
		return nil, s.failed("read the agents of a channel", err)
	}
	handles := make([]run.Handle, len(stored))
	for i, b := range stored {
		handles[i] = run.Handle{BindingID: b.ID, Handle: b.Handle, Removed: b.DeletedAt != 0}
	}
	return handles, nil
}

// FramingOf returns what a native session was last told at the beginning; the zero
// Part when that is not known.
func (s *Store) FramingOf(ctx context.Context, native string) (ledger.Part, error) {
	stored, err := s.views.FramingOf(ctx, native)
	if none(err) {
		return ledger.Part{}, nil
	}
	return ledger.Part{Hash: stored.FramingHash, Size: stored.FramingSize}, s.failed("read what a session was told", err)
}

// spent adds what a channel that has a limit has cost today.
func (s *Store) spent(ctx context.Context, q *db.Queries, c *chat.Channel) error {
	if c.SpendLimit <= 0 {
		return nil
	}
	from, to, err := ledger.DayOf(s.clock(), time.Local).Bounds(time.Local)
	if err != nil {
		return err
	}
	money, err := q.Spent(ctx, db.SpentParams{ChannelID: c.ID, FromAt: from.UnixMicro(), ToAt: to.UnixMicro()})
	c.Spent = ledger.Money(money).USD()
	return err
}
