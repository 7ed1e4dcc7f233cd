package delivery

import (
	"maps"
	"slices"
	"time"
)

// MaxIDs bounds the ids a watermark holds. Fixed: it is part of the stored form.
const MaxIDs = 200

// Watermark is what one native session has been told of one place.
type Watermark struct {
	// Native is the session it belongs to. For any other session it says nothing.
	Native string
	// LastAt: rows created at or before it have been told, or named as left
	// out. Zero if nothing of the kind can be said.
	LastAt time.Time
	// IDs are rows told besides, at most MaxIDs, oldest first. They cover what
	// is later than LastAt, and what another place shares with this one.
	IDs []string
}

// validFor says whether w may be used for the session that is about to answer.
func (w *Watermark) validFor(native string, remembers bool) bool {
	return w != nil && remembers && native != "" && w.Native == native
}

// advance returns the watermark as it will be when the turn has arrived: made
// new if the session has none of this place yet, nil if the session keeps
// nothing from turn to turn. from is the id of the row LastAt was taken from,
// empty if it is the previous watermark's.
//
// LastAt becomes the newest of what the turn brings, never of anything later:
// a row posted while the agent answers is news for the next turn. But LastAt
// says "everything up to here", and a held row breaks that: it was passed over
// because a queued run will bring it, and that run can still be cancelled.
// Were LastAt beyond it, the row would never be shown to this session. So
// LastAt stops short of the oldest held row, and what was shown beyond it is
// kept by id alone, until the run comes or is gone. Rows left out for lack of
// room may carry LastAt up to that point too: they have been named.
func (p *plan) advance(in Input) (w *Watermark, from string) {
	if !in.Remembers || in.Native == "" {
		return nil, ""
	}
	w = &Watermark{Native: in.Native}
	if p.valid {
		w.LastAt, w.IDs = in.Watermark.LastAt, in.Watermark.IDs
	}
	limit, held := p.holdback(in, w.LastAt)
	told := func(id string, at time.Time) {
		if at.After(w.LastAt) && (!held || at.Before(limit)) {
			w.LastAt, from = at, id
		}
	}
	// All that the replay carries, not only the rows of this place: it is of the
	// whole channel, and the next turn may be in one of its threads. Ids sort by
	// time; standing first, they are the first to go when room is short.
	ids := slices.Sorted(maps.Keys(in.Replayed))
	addressedAt := in.AddressedAt
	for i, row := range p.rows {
		switch p.verdicts[i] {
		case Shown, Cut:
			told(row.ID, row.CreatedAt)
			ids = append(ids, row.ID)
		case BeyondLimit:
			told(row.ID, row.CreatedAt)
		case Current:
			// The session knows it already, or will by other ways; it says nothing of
			// what was posted before it.
			ids = append(ids, row.ID)
		case Addressed:
			addressedAt = row.CreatedAt
		}
	}
	if in.Addressed != "" && !in.Without.Echo {
		told(in.Addressed, addressedAt)
		ids = append(ids, in.Addressed)
	}
	w.IDs = newest(append(append([]string(nil), w.IDs...), ids...), MaxIDs)
	return w, from
}

// holdback finds the created_at that LastAt must stay below: that of the
// oldest held row which the session has not got by other ways.
func (p *plan) holdback(in Input, lastAt time.Time) (limit time.Time, held bool) {
	consider := func(id string, at time.Time) {
		if !p.told[id] && at.After(lastAt) && (!held || at.Before(limit)) {
			limit, held = at, true
		}
	}
	for id, at := range in.HeldAt {
		if in.Held[id] {
			consider(id, at)
		}
	}
	for i, row := range p.rows {
		if p.verdicts[i] == Held {
			consider(row.ID, row.CreatedAt)
		}
	}
	return limit, held
}

// newest returns the last n of ids, each once, at its first place.
func newest(ids []string, n int) []string {
	seen := make(map[string]bool, len(ids))
	kept := make([]string, 0, len(ids))
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			kept = append(kept, id)
		}
	}
	return kept[max(0, len(kept)-n):]
}

// Wrote returns w with the ids of rows that the session itself wrote in the
// turn: its reply and its interim words. In this place they are left out
// anyway, as its own. With their ids here they are left out in other places
// too: a person who answers the agent's reply opens a thread whose root is that
// reply. LastAt stays, so nothing else posted meanwhile is passed over.
func (w Watermark) Wrote(ids ...string) Watermark {
	w.IDs = newest(append(append([]string(nil), w.IDs...), ids...), MaxIDs)
	return w
}
