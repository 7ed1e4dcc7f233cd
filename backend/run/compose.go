package run

import (
	"context"
	"maps"
	"slices"
	"time"

	"hearth/backend/chat"
	"hearth/backend/delivery"
	"hearth/backend/plain"
	"hearth/backend/prompt"
	"hearth/backend/token"
	"hearth/backend/workbench"
)

// composed is one turn ready to be sent.
type composed struct {
	text    string
	sent    Sent
	saved   *Saving       // what the index's mark kept out; nil: nothing
	command *chat.Command // of the client's, which the turn is; nil: it is none
}

// compose makes what one turn sends: a command of the client's alone, or the replay
// if the process remembers nothing, the rows its native session has not heard, and
// around them the newest user turn, as the lease asks for.
func (s *Service) compose(ctx context.Context, r Run, m Material, lease Lease) (composed, error) {
	if c, text, ok := commandOf(m, lease.Commands()); ok {
		return composeCommand(r, m, lease, c, text)
	}
	temperature := lease.Temperature()
	replay, replayed := "", []string(nil)
	if temperature == prompt.Cold {
		replay, replayed, _ = prompt.Replay(m.Exchanges, prompt.ReplayBudget, token.Count)
	}
	in := delivery.Input{
		Rows:        append(rowsFor(m.Rows, m.Binding.ID), corrections(m.Corrections, r.ThreadRootID, set(replayed))...),
		Addressed:   m.Addressed.ID,
		AddressedAt: m.Addressed.CreatedAt,
		Held:        present(m.Held),
		HeldAt:      m.Held,
		Replayed:    set(replayed),
		Native:      lease.Native(),
		Remembers:   m.Binding.Remembers(),
	}
	for thread, mark := range m.Watermarks {
		// One without a time is of commands alone: the session knows these rows, and
		// nothing yet of the place.
		if thread == r.ThreadRootID && !mark.LastAt.IsZero() {
			in.Watermark = &mark
		} else {
			in.Elsewhere = append(in.Elsewhere, mark)
		}
	}
	var err error
	if in.Older, err = s.older(ctx, r, m, in); err != nil {
		return composed{}, err
	}
	out := delivery.Render(in)
	index := s.index(ctx, m, lease.Native())
	newest, err := prompt.Newest(payload(r, m), m.Binding.BriefEveryTurn, out.Block, index.text)
	if err != nil {
		return composed{}, err
	}
	sent, err := prompt.ForLease(temperature, lease.Framing(), replay, newest)
	if err != nil {
		return composed{}, err
	}
	return composed{text: sent.Text, sent: Sent{
		Blocks: sent.Blocks, Considered: out.Considered, Omitted: out.Omitted, Before: in.Watermark, Staged: out.Watermark,
		Index: index.mark,
	}, saved: index.saved}, nil
}

// indexed is what a turn tells of the workbench's index.
type indexed struct {
	text  string
	mark  *IndexMark // nil: the session's mark stays
	saved *Saving
}

// index says what is new in the workbench since the native session was told of it.
// A workbench that can't be looked at keeps no turn from being sent: it is told of
// when it can.
func (s *Service) index(ctx context.Context, m Material, native string) indexed {
	if s.benches == nil {
		return indexed{}
	}
	inventory, whole, err := s.benches.Inventory(ctx, m.Channel, m.Binding)
	if err != nil {
		s.log.Warn("look at the workbench", "channel", m.Channel.ID, "binding", m.Binding.ID, "error", err)
		return indexed{}
	}
	before := workbench.Mark{}
	if m.Index != nil && m.Index.Native == native {
		before = m.Index.Mark
	}
	text, after := workbench.Delta(before, inventory)
	out := indexed{text: text}
	if text != "" && m.Binding.Remembers() {
		out.mark = &IndexMark{Native: native, Mark: after}
	}
	if len(before.Told) > 0 { // told before, so not told whole now
		if kept := whole() - token.Count(text); kept > 0 {
			detail, _ := plain.Cut(text, MaxDetail)
			out.saved = &Saving{Kind: SavingIndex, Detail: detail, Chars: plain.Length(text), Tokens: kept}
		}
	}
	return out
}

// older counts the rows that are new to the session but lie before those the
// rendering looks at, so that the omitted line counts them too.
func (s *Service) older(ctx context.Context, r Run, m Material, in delivery.Input) (map[string]int, error) {
	if len(m.Rows) < delivery.Newest {
		return nil, nil // there is nothing before them
	}
	q := OlderQuery{Place: r.Place(), Before: m.Rows[0].CreatedAt}
	q.Excluding = slices.Concat(slices.Collect(maps.Keys(in.Held)), slices.Collect(maps.Keys(in.Replayed)))
	q.Excluding = append(q.Excluding, in.Addressed)
	if mark := in.Watermark; in.Valid() {
		q.After, q.NotBy = mark.LastAt, m.Binding.ID
		q.Excluding = append(q.Excluding, mark.IDs...)
	}
	for _, mark := range in.Elsewhere {
		if in.Remembers && mark.Native == in.Native {
			q.Excluding = append(q.Excluding, mark.IDs...)
		}
	}
	if !q.After.Before(q.Before.Add(-time.Microsecond)) {
		return nil, nil
	}
	return s.store.CountOlder(ctx, q)
}

func payload(r Run, m Material) prompt.Payload {
	agents := make([]prompt.Agent, 0, len(m.Agents))
	for _, b := range m.Agents {
		if b.ID != m.Binding.ID {
			agents = append(agents, prompt.Agent{Handle: b.Handle, Reachable: true})
		}
	}
	return prompt.Payload{
		ChannelID: r.ChannelID, MessageID: m.Addressed.ID, RunID: r.ID, BindingID: r.BindingID,
		Runtime: string(m.Binding.Runtime), Supervised: m.Binding.Supervised, Resident: m.Binding.Resident,
		ThreadRootID: r.ThreadRootID, Agents: agents, MaxRecipients: chat.MaxRecipients,
		Text: m.Addressed.Body, Direct: m.Channel.Direct,
	}
}

func rowsFor(rows []chat.Row, bindingID string) []delivery.Row {
	out := make([]delivery.Row, len(rows))
	for i, row := range rows {
		out[i] = delivery.Row{
			ID: row.ID, ThreadRootID: row.ThreadRootID, Agent: row.Kind == chat.KindAgent, Own: row.BindingID == bindingID,
			Handle: row.Handle, Body: row.Body, CreatedAt: row.CreatedAt, Deleted: row.Deleted(),
		}
	}
	return out
}

// corrections are those of a turn's place, where a thread's root counts too, and
// those of what its replay carries.
func corrections(all []chat.Correction, thread string, replayed map[string]bool) []delivery.Row {
	var out []delivery.Row
	for _, c := range all {
		if c.Row.ThreadRootID == thread || c.Row.ID == thread || replayed[c.Row.ID] {
			out = append(out, delivery.Row{
				ID: c.ID, ThreadRootID: c.Row.ThreadRootID, Body: c.Row.Body, CreatedAt: c.At, Deleted: c.Row.Deleted(),
				Corrects: c.Row.ID, CorrectsAt: c.Row.CreatedAt,
			})
		}
	}
	return out
}

func set(ids []string) map[string]bool {
	out := make(map[string]bool, len(ids))
	for _, id := range ids {
		out[id] = true
	}
	return out
}

func present(times map[string]time.Time) map[string]bool {
	return set(slices.Collect(maps.Keys(times)))
}
