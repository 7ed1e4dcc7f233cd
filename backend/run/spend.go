package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"hearth/backend/chat"
	"hearth/backend/event"
	"hearth/backend/ledger"
)

// ToolSpend is what a question is about that Hearth itself asks, before a turn of a
// channel that has reached its spending limit. No tool of an agent has that name:
// Permit refuses it.
const ToolSpend = "spend"

// SpendToday is the rule that "always" chooses there.
const SpendToday = "for today, for all agents of this channel"

// Spending is how a channel stands to its spending limit.
type Spending struct {
	Day   ledger.Day // of a person's calendar, in the zone of the machine
	Spent float64    // dollars, by turns that ended on that day
	Limit float64    // dollars a day, above 0
	State ledger.LimitState
}

// SpendingOf says how a channel that has a limit stands to it, at the moment at which
// it was read.
func SpendingOf(c chat.Channel, now time.Time) Spending {
	return Spending{
		Day: today(now), Spent: c.Spent, Limit: c.SpendLimit,
		State: ledger.State(ledger.Dollars(c.Spent), ledger.Dollars(c.SpendLimit)),
	}
}

// errDenied says that a person does not want a turn for its price.
var errDenied = errors.New("a person said no to what it would cost")

// affordable returns the channel and the binding of a run as soon as its turn may
// be paid for: at once below the channel's limit, else when a person allows it,
// raises the limit, or the next day begins. The error is errDenied when a person
// says no.
//
// It is asked before a process is borrowed, so that nothing waits for the answer
// but the runs of one queue: those can be edited, stopped and taken out of it. The
// run stays queued; what it waits for is shown by the question, which names it.
// Nothing of it has to survive a restart: the run is still in its queue, and is
// asked about again.
func (s *Service) affordable(ctx context.Context, r Run) (chat.Channel, chat.Binding, error) {
	for {
		channel, binding, err := s.whose(ctx, r)
		if err != nil {
			return chat.Channel{}, chat.Binding{}, err
		}
		over, err := s.overLimit(ctx, channel)
		if err != nil || !over {
			return channel, binding, err
		}
		verdict, err := s.askToSpend(ctx, r, channel)
		switch {
		case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
			continue // another day
		case err != nil:
			return chat.Channel{}, chat.Binding{}, err
		case !verdict.Allow:
			return chat.Channel{}, chat.Binding{}, errDenied
		}
		// Settings may have changed while a person thought about it.
		return s.whose(ctx, r)
	}
}

// overLimit says whether a person has to be asked before a turn of the channel.
func (s *Service) overLimit(ctx context.Context, c chat.Channel) (bool, error) {
	if c.SpendLimit <= 0 {
		return false, nil
	}
	spending := SpendingOf(c, s.clock())
	if spending.State != ledger.LimitAsks {
		return false, nil
	}
	from, _, err := spending.Day.Bounds(time.Local)
	if err != nil {
		return false, err
	}
	allowed, err := s.store.AlwaysAllowed(ctx, c.ID, ToolSpend, from)
	return !allowed, err
}

// askToSpend asks a person whether a run may cost something in spite of the limit,
// until the day is over.
func (s *Service) askToSpend(ctx context.Context, r Run, c chat.Channel) (Verdict, error) {
	spending := SpendingOf(c, s.clock())
	_, midnight, err := spending.Day.Bounds(time.Local)
	if err != nil {
		return Verdict{}, err
	}
	dollars := func(usd float64) string { return ledger.Dollars(usd).String() }
	input, err := json.Marshal(map[string]any{
		"day": spending.Day, "spent_usd": spending.Spent, "limit_usd": spending.Limit,
	})
	if err != nil {
		return Verdict{}, err
	}
	day, cancel := context.WithTimeout(ctx, midnight.Sub(s.clock()))
	defer cancel()
	return s.ask(day, question{
		Permission: Permission{
			RunID: r.ID, ChannelID: r.ChannelID, BindingID: r.BindingID, Tool: ToolSpend, Input: input, Workspace: c.Workspace,
			Rules: []string{SpendToday},
			Reason: fmt.Sprintf("The agents of #%s have cost %s today; its limit is %s a day. Nothing has begun yet: Allow answers this message, "+
				"Always asks no more today, Deny leaves it unanswered. A higher limit (`hearth channels edit %s --spend-limit DOLLARS`) answers it too.",
				c.Name, dollars(spending.Spent), dollars(spending.Limit), strconv.Quote(c.Name)),
		},
		withdrawn: "Nobody answered while the message waited.",
		needed: func() bool {
			now, err := s.store.Channel(ctx, c.ID)
			if err != nil {
				return true
			}
			over, err := s.overLimit(ctx, now)
			return over || err != nil
		},
	})
}

// LimitChanged lets the runs go on that wait for a person's word on the spending
// limit of a channel, when nobody has to be asked any more.
func (s *Service) LimitChanged(ctx context.Context, channelID string) error {
	c, err := s.store.Channel(ctx, channelID)
	if err != nil {
		return err
	}
	if over, err := s.overLimit(ctx, c); err != nil || over {
		return err
	}
	return s.release(ctx, channelID, "The limit is no longer reached.")
}

// release answers the open questions about a channel's spending limit with a yes.
func (s *Service) release(ctx context.Context, channelID, why string) error {
	open, err := s.store.OpenQuestions(ctx, channelID, ToolSpend)
	if err != nil {
		return err
	}
	for _, p := range open {
		_, err := s.close(ctx, p.ID, PermissionAllowed, Verdict{Allow: true, Message: why})
		if err != nil && chat.CodeOf(err) != chat.CodeConflict {
			return err
		}
	}
	return nil
}

// told is what everyone knows of a channel's spending.
type told struct {
	day   ledger.Day
	state ledger.LimitState
}

// tellSpending tells everyone what a channel with a limit has spent, now that a run
// of it has ended, and warns when a line was crossed by it: the first time a day,
// and again when Hearth was restarted since.
func (s *Service) tellSpending(ctx context.Context, r Run, cost float64) {
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishWithin)
	defer cancel()
	s.spending.Lock()
	defer s.spending.Unlock()
	c, err := s.store.Channel(bounded, r.ChannelID)
	if err != nil {
		if chat.CodeOf(err) != chat.CodeNotFound {
			s.log.Warn("read what a channel has spent", "channel", r.ChannelID, "error", err)
		}
		return
	}
	if c.SpendLimit <= 0 {
		return
	}
	now := SpendingOf(c, s.clock())
	s.bus.Publish(event.Event{Type: EventChannelUpdated, ChannelID: c.ID, Data: c})
	before, known := s.toldSpending[c.ID]
	if !known || before.day != now.Day {
		before.state = ledger.State(ledger.Dollars(c.Spent)-ledger.Dollars(cost), ledger.Dollars(c.SpendLimit))
	}
	s.toldSpending[c.ID] = told{now.Day, now.State}
	if stricter(before.state, now.State) {
		s.bus.Publish(event.Event{Type: EventSpendWarned, ChannelID: c.ID, Data: now})
	}
}

// stricter says whether a state of the limit is stricter than another.
func stricter(before, now ledger.LimitState) bool {
	return now != before && (now == ledger.LimitAsks || now == ledger.LimitWarned && before == ledger.LimitOK)
}
