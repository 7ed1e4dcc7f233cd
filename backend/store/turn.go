package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"hearth/backend/chat"
	"hearth/backend/delivery"
	"hearth/backend/prompt"
	"hearth/backend/run"
	"hearth/backend/store/db"
)

// maxExchanges is how many exchanges a replay is chosen from. Fixed: 8,000
// tokens of replay are full long before.
const maxExchanges = 400

// Material reads what one turn is made of, in one view. The exchanges take ten
// times as long as the rest, so they are read only for a turn that replays them.
func (s *Store) Material(ctx context.Context, r run.Run, replays bool) (m run.Material, err error) {
	err = s.view(ctx, "read what a turn is made of", func(q *db.Queries) error {
		m, err = material(ctx, q, r, replays)
		return err
	})
	if err != nil {
		return run.Material{}, err
	}
	return m, nil
}

func material(ctx context.Context, q *db.Queries, r run.Run, replays bool) (m run.Material, err error) {
	c, err := q.Channel(ctx, r.ChannelID)
	if err != nil {
		return m, found(err, "channel", r.ChannelID)
	}
	m.Channel, m.RevisedAt = channelOf(c), timeOf(c.RevisedAt)
	agents, err := q.Bindings(ctx, r.ChannelID)
	if err != nil {
		return m, err
	}
	m.Agents = bindingsOf(agents)
	at := slices.IndexFunc(m.Agents, func(b chat.Binding) bool { return b.ID == r.BindingID })
	if at < 0 {
		return m, notFound("binding", r.BindingID)
	}
	m.Binding = m.Agents[at]
	addressed, err := q.Row(ctx, r.RowID)
	if err != nil {
		return m, found(err, "message", r.RowID)
	}
	m.Addressed = rowOf(addressed)
	if m.Rows, _, err = newest(ctx, q, r.Place(), endOfTime, delivery.Newest); err != nil {
		return m, err
	}
	held, err := q.HeldRows(ctx, db.HeldRowsParams{BindingID: r.BindingID, But: r.ID})
	if err != nil {
		return m, err
	}
	m.Held = make(map[string]time.Time, len(held))
	for _, row := range held {
		m.Held[row.ID] = timeOf(row.CreatedAt)
	}
	if m.Watermarks, err = watermarks(ctx, q, r.BindingID); err != nil {
		return m, err
	}
	if m.Index, err = indexMark(ctx, q, r.BindingID); err != nil {
		return m, err
	}
	if replays {
		if m.Exchanges, err = exchanges(ctx, q, m.Binding, r.Native); err != nil {
			return m, err
		}
	}
	if replays || len(m.Watermarks) > 0 { // else nobody knows anything
		m.Corrections, err = corrections(ctx, q, r, m.Watermarks)
	}
	return m, err
}

// maxCorrections is how many corrections of a channel a turn looks at, the newest.
// Fixed: so many changes between two turns of an agent are nobody's.
const maxCorrections = 1000

// corrections returns those of a channel that a run's session may not have heard
// of, newest first. What is before its watermark it has; a session that has none
// of this place may know rows from elsewhere, or from its replay.
func corrections(ctx context.Context, q *db.Queries, r run.Run, marks map[string]delivery.Watermark) ([]chat.Correction, error) {
	p := db.CorrectionsParams{ChannelID: r.ChannelID, Most: maxCorrections}
	if mark := marks[r.ThreadRootID]; mark.Native != "" && mark.Native == r.Native {
		p.After = micros(mark.LastAt)
	}
	stored, err := q.Corrections(ctx, p)
	if err != nil {
		return nil, err
	}
	out := make([]chat.Correction, len(stored))
	for i, c := range stored {
		out[i] = chat.Correction{ID: c.ID, At: timeOf(c.At), Row: rowOf(c.Row)}
	}
	return out, nil
}

// exchanges returns what a binding was asked and answered in turns that began
// after its last Start fresh, oldest first. What happened in the native session but
// is known to that already, and the answers to commands are nothing the agent said.
func exchanges(ctx context.Context, q *db.Queries, b chat.Binding, but string) ([]prompt.Exchange, error) {
	stored, err := q.Exchanges(ctx, db.ExchangesParams{BindingID: b.ID, FreshAt: micros(b.FreshAt), But: but, Most: maxExchanges})
	if err != nil {
		return nil, err
	}
	out := make([]prompt.Exchange, len(stored))
	for i, e := range stored {
		out[i] = prompt.Exchange{Asked: e.Asked, Answered: e.Answered, Edited: e.Edited != 0, Deleted: e.Deleted != 0}
		for _, id := range []string{e.RowID, e.ReplyID} {
			if id != "" {
				out[i].RowIDs = append(out[i].RowIDs, id)
			}
		}
	}
	slices.Reverse(out)
	return out, nil
}

// Begin moves a queued or waiting run to running and stages its watermark,
// relaxed. It answers CodeConflict when the run is no longer there to begin:
// taken out of the queue, or deleted with its row or channel; and run.ErrRevised
// when a row of the channel was edited or deleted since the turn was composed.
func (s *Store) Begin(ctx context.Context, b run.Beginning) error {
	sent, err := encodeSent(b.Sent)
	if err != nil {
		return s.failed("begin a run", err)
	}
	return s.change(ctx, relaxed, "begin a run", func(ctx context.Context, q *db.Queries) error {
		r, err := q.Run(ctx, b.RunID)
		if none(err) {
			return conflict("The run %q was deleted.", b.RunID)
		}
		if err != nil {
			return err
		}
		if err := run.CheckMove(run.State(r.State), run.Running); err != nil {
			return err
		}
		c, err := q.Channel(ctx, r.ChannelID)
		if err != nil {
			return err
		}
		if c.RevisedAt != micros(b.RevisedAt) {
			return run.ErrRevised
		}
		err = q.BeginRun(ctx, db.BeginRunParams{
			ID: b.RunID, Temperature: b.Temperature, Native: b.Native, MessageUUID: b.MessageUUID, StartedAt: s.tick(&c),
		})
		if err != nil {
			return err
		}
		if err := q.InsertSent(ctx, db.InsertSentParams{RunID: b.RunID, Sent: sent}); err != nil {
			return err
		}
		if b.Sent.Staged != nil {
			if err := stage(ctx, q, b.RunID, *b.Sent.Staged); err != nil {
				return err
			}
		}
		if b.Sent.Index != nil {
			if err := stageIndex(ctx, q, b.RunID, *b.Sent.Index); err != nil {
				return err
			}
		}
		return keep(ctx, q, c)
	})
}

// Finish ends a running run, synced: the reply row, the run's end, its usage and
// steps, its line in the ledger, and the watermark. A staged watermark is dropped in spite of Commit
// when the binding was started afresh or removed since the run began. It answers
// CodeConflict when the run is not running.
func (s *Store) Finish(ctx context.Context, f run.Finishing) (r run.Run, reply *chat.Row, err error) {
	err = s.change(ctx, synced, "finish a run", func(ctx context.Context, q *db.Queries) error {
		stored, err := q.Run(ctx, f.RunID)
		if err != nil {
			return found(err, "run", f.RunID)
		}
		r = runOf(stored)
		if r.State != run.Running {
			return conflict("That run can't end: it is %s.", r.State)
		}
		if err := run.CheckMove(r.State, f.State); err != nil {
			return err
		}
		c, b, err := whose(ctx, q, r)
		if err != nil {
			return err
		}
		if reply, err = s.reply(ctx, q, &c, &r, b, f.Note, f.Reply); err != nil {
			return err
		}
		if err := settle(ctx, q, r, b, f.Commit, f.Interim...); err != nil {
			return err
		}
		if err := settleIndex(ctx, q, r, b, f); err != nil {
			return err
		}
		r.State, r.Failure, r.Usage, r.EndedAt = f.State, f.Failure, f.Usage, ended(s, &c, reply)
		if err := endRun(ctx, q, r, f.Commit || heard(r), f); err != nil {
			return err
		}
		if err := putTurn(ctx, q, r, f.Facts); err != nil {
			return err
		}
		return keep(ctx, q, c)
	})
	if err != nil {
		return run.Run{}, nil, err
	}
	s.judge(ctx, &r)
	return r, reply, nil
}

// Unasked stores a run nobody asked for, already ended, synced. Its place is
// that of the binding's latest run in the same native session; the row of what
// the agent said there comes back, nil when that is blank.
func (s *Store) Unasked(ctx context.Context, r run.Run, f run.Finishing) (stored run.Run, row *chat.Row, err error) {
	err = s.change(ctx, synced, "store an unasked run", func(ctx context.Context, q *db.Queries) error {
		c, b, err := whose(ctx, q, r)
		if err != nil {
			return err
		}
		thread, err := q.LatestThread(ctx, db.LatestThreadParams{Native: r.Native, BindingID: r.BindingID})
		if err != nil && !none(err) {
			return err
		}
		began := s.tick(&c)
		r.ID, r.ChannelID, r.ThreadRootID = chat.NewID(timeOf(began)), c.ID, thread
		r.RowID, r.ReplyID, r.RetryOf, r.Hops, r.Cause = "", "", "", 0, run.CauseUnasked
		r.QueuedAt = timeOf(began)
		r.State, r.Failure, r.Usage = f.State, f.Failure, f.Usage
		if err := insertRun(ctx, q, r); err != nil {
			return err
		}
		err = q.BeginRun(ctx, db.BeginRunParams{
			ID: r.ID, Temperature: r.Temperature, Native: r.Native, MessageUUID: r.MessageUUID, StartedAt: began,
		})
		if err != nil {
			return err
		}
		if row, err = s.reply(ctx, q, &c, &r, b, chat.NoteUnasked, f.Reply); err != nil {
			return err
		}
		if err := settle(ctx, q, r, b, false); err != nil {
			return err
		}
		if err := settleIndex(ctx, q, r, b, f); err != nil {
			return err
		}
		r.EndedAt = ended(s, &c, row)
		if err := endRun(ctx, q, r, heard(r), f); err != nil {
			return err
		}
		if err := putTurn(ctx, q, r, f.Facts); err != nil {
			return err
		}
		if err := keep(ctx, q, c); err != nil {
			return err
		}
		stored, err = readRun(ctx, q, r.ID)
		return err
	})
	if err != nil {
		return run.Run{}, nil, err
	}
	s.judge(ctx, &stored)
	return stored, row, nil
}

// whose returns the channel and the binding of a run. The binding may have been
// removed: what it still says is kept.
func whose(ctx context.Context, q *db.Queries, r run.Run) (db.Channel, db.Binding, error) {
	b, err := q.Binding(ctx, r.BindingID)
	if err != nil {
		return db.Channel{}, db.Binding{}, found(err, "binding", r.BindingID)
	}
	c, err := q.Channel(ctx, b.ChannelID)
	return c, b, err
}

// reply stores what an agent said in a run and notes it in the run; nil when it
// said nothing.
func (s *Store) reply(ctx context.Context, q *db.Queries, c *db.Channel, r *run.Run, b db.Binding, note chat.Note, body string) (*chat.Row, error) {
	if strings.TrimSpace(body) == "" {
		return nil, nil
	}
	row, err := s.insertRow(ctx, q, c, chat.Row{
		ThreadRootID: r.ThreadRootID, Kind: chat.KindAgent, Handle: b.Handle, BindingID: b.ID, RunID: r.ID,
		Note: note, Body: body,
	})
	if err != nil {
		return nil, err
	}
	r.ReplyID = row.ID
	return &row, nil
}

// ended is when a run ended: with its reply, if it has one.
func ended(s *Store, c *db.Channel, reply *chat.Row) time.Time {
	if reply != nil {
		return reply.CreatedAt
	}
	return timeOf(s.tick(c))
}

// heard says whether a run's end alone shows that its native session holds it.
func heard(r run.Run) bool {
	return r.State == run.Succeeded || r.State == run.Declined || r.Failure != nil && r.Failure.Held
}
