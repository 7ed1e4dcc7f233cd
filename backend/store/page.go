package store

import (
	"context"
	"slices"

	"hearth/backend/chat"
	"hearth/backend/store/db"
)

// Page returns a page of a place. Of a thread it has the rows that name the root,
// not the root itself. It answers CodeNotFound for a channel, a thread or a row
// that is not there, and CodeInvalid when more than one row is named.
//
// Within a channel no two rows have the same time, so a page is bounded by times
// alone and costs the same wherever in the channel it stands.
func (s *Store) Page(ctx context.Context, place chat.Place, page chat.Page) (paged chat.Paged, err error) {
	if page.Limit < 1 {
		return chat.Paged{}, chat.Errorf(chat.CodeInvalid, "The limit must be 1 or more; got %d.", page.Limit)
	}
	anchor := ""
	for _, id := range []string{page.Before, page.After, page.Around} {
		if id != "" && anchor != "" {
			return chat.Paged{}, chat.Errorf(chat.CodeInvalid, "A page can't be before, after and around a row at once; name one.")
		}
		anchor += id
	}
	if anchor != "" && !page.Since.IsZero() {
		return chat.Paged{}, chat.Errorf(chat.CodeInvalid, "A page can't be around a row and since a time at once; give one.")
	}
	err = s.view(ctx, "read a page of rows", func(q *db.Queries) error {
		if _, err := q.Channel(ctx, place.ChannelID); err != nil {
			return found(err, "channel", place.ChannelID)
		}
		if place.ThreadRootID != "" {
			if _, err := threadRoot(ctx, q, place); err != nil {
				return err
			}
		}
		at := int64(endOfTime)
		if anchor != "" {
			row, err := q.Row(ctx, anchor)
			if none(err) || err == nil && row.ChannelID != place.ChannelID {
				return notFound("message in this channel", anchor)
			}
			if err != nil {
				return err
			}
			at = row.CreatedAt
		}
		paged, err = (&pager{q: q, place: place}).page(ctx, page, at)
		return err
	})
	if err != nil {
		return chat.Paged{}, err
	}
	return paged, nil
}

// pager reads parts of one place.
type pager struct {
	q     *db.Queries
	place chat.Place
}

func (p *pager) page(ctx context.Context, page chat.Page, at int64) (out chat.Paged, err error) {
	var before, from []db.Row
	switch {
	case !page.Since.IsZero():
		at = micros(page.Since)
		if from, out.HasAfter, err = p.from(ctx, at, page.Limit); err != nil {
			return out, err
		}
		out.HasBefore, err = p.q.AnyBefore(ctx, db.AnyBeforeParams{ChannelID: p.place.ChannelID, ThreadRootID: p.place.ThreadRootID, Before: at})
	case page.After != "":
		if from, out.HasAfter, err = p.from(ctx, at+1, page.Limit); err != nil {
			return out, err
		}
		out.HasBefore, err = p.q.AnyBefore(ctx, db.AnyBeforeParams{ChannelID: p.place.ChannelID, ThreadRootID: p.place.ThreadRootID, Before: at + 1})
	case page.Around != "":
		older := page.Limit / 2
		if before, out.HasBefore, err = p.before(ctx, at, older); err != nil {
			return out, err
		}
		from, out.HasAfter, err = p.from(ctx, at, page.Limit-older)
	default:
		if before, out.HasBefore, err = p.before(ctx, at, page.Limit); err != nil || page.Before == "" {
			break // nothing is after the newest
		}
		out.HasAfter, err = p.q.AnyFrom(ctx, db.AnyFromParams{ChannelID: p.place.ChannelID, ThreadRootID: p.place.ThreadRootID, Since: at})
	}
	out.Rows = make([]chat.Row, 0, len(before)+len(from))
	for _, row := range append(before, from...) {
		out.Rows = append(out.Rows, rowOf(row))
	}
	return out, err
}

// before returns the newest rows before a time, oldest first, and whether there
// are older ones.
func (p *pager) before(ctx context.Context, at int64, most int) (rows []db.Row, more bool, err error) {
	rows, err = p.q.RowsBefore(ctx, db.RowsBeforeParams{
		ChannelID: p.place.ChannelID, ThreadRootID: p.place.ThreadRootID, Before: at, Most: int64(most) + 1,
	})
	if len(rows) > most {
		rows, more = rows[:most], true
	}
	slices.Reverse(rows)
	return rows, more, err
}

// from returns the oldest rows from a time on, and whether there are later ones.
func (p *pager) from(ctx context.Context, at int64, most int) (rows []db.Row, more bool, err error) {
	rows, err = p.q.RowsFrom(ctx, db.RowsFromParams{
		ChannelID: p.place.ChannelID, ThreadRootID: p.place.ThreadRootID, Since: at, Most: int64(most) + 1,
	})
	if len(rows) > most {
		rows, more = rows[:most], true
	}
	return rows, more, err
}
