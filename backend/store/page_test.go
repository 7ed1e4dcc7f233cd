package store

import (
	"slices"
	"strings"
	"testing"
	"time"

	"hearth/backend/chat"
)

// Every page of a place, from every row of the channel, is what one gets by
// looking at all of its rows.
func TestPage(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	root, _ := h.post("", "", "root")
	all := []chat.Row{root}
	for i := range 14 {
		row, _ := h.post(map[bool]string{true: root.ID}[i%3 == 1], "", itoa(i))
		all = append(all, row)
	}
	other := h.newChannel("other")
	foreign := h.by(other, "", chat.KindUser, "")
	for _, place := range []chat.Place{{ChannelID: h.channel.ID}, {ChannelID: h.channel.ID, ThreadRootID: root.ID}} {
		var here []chat.Row
		for _, row := range all {
			if row.ThreadRootID == place.ThreadRootID {
				here = append(here, row)
			}
		}
		check := func(page chat.Page, from, to int) {
			t.Helper()
			from, to = max(from, 0), min(to, len(here))
			got, err := h.Page(ctx, place, page)
			if err != nil || !slices.Equal(got.Rows, here[from:to]) || got.HasBefore != (from > 0) || got.HasAfter != (to < len(here)) {
				t.Errorf("%+v of %+v: %d rows %+v, %v; want rows %d to %d of %d", page, place, len(got.Rows), got, err, from, to, len(here))
			}
		}
		for _, limit := range []int{1, 2, 3, len(here), len(here) + 1} {
			check(chat.Page{Limit: limit}, len(here)-limit, len(here))
			for _, anchor := range all { // those of the other place too: their time counts
				before := slices.IndexFunc(here, func(r chat.Row) bool { return !r.CreatedAt.Before(anchor.CreatedAt) })
				if before < 0 {
					before = len(here)
				}
				after := before
				if before < len(here) && here[before].ID == anchor.ID {
					after++
				}
				check(chat.Page{Before: anchor.ID, Limit: limit}, before-limit, before)
				check(chat.Page{After: anchor.ID, Limit: limit}, after, after+limit)
				check(chat.Page{Since: anchor.CreatedAt, Limit: limit}, before, before+limit)
				check(chat.Page{Since: anchor.CreatedAt.Add(time.Microsecond), Limit: limit}, after, after+limit)
				check(chat.Page{Around: anchor.ID, Limit: limit}, before-limit/2, before+limit-limit/2)
			}
		}
	}
	for _, c := range []struct {
		place chat.Place
		page  chat.Page
		want  chat.Code
	}{
		{chat.Place{ChannelID: h.channel.ID}, chat.Page{}, chat.CodeInvalid},
		{chat.Place{ChannelID: h.channel.ID}, chat.Page{Before: root.ID, After: root.ID, Limit: 1}, chat.CodeInvalid},
		{chat.Place{ChannelID: h.channel.ID}, chat.Page{After: root.ID, Around: root.ID, Limit: 1}, chat.CodeInvalid},
		{chat.Place{ChannelID: h.channel.ID}, chat.Page{After: root.ID, Since: root.CreatedAt, Limit: 1}, chat.CodeInvalid},
		{chat.Place{ChannelID: "nobody"}, chat.Page{Limit: 1}, chat.CodeNotFound},
		{chat.Place{ChannelID: h.channel.ID}, chat.Page{After: "nobody", Limit: 1}, chat.CodeNotFound},
		{chat.Place{ChannelID: h.channel.ID}, chat.Page{Around: foreign.ID, Limit: 1}, chat.CodeNotFound},
		{chat.Place{ChannelID: h.channel.ID, ThreadRootID: foreign.ID}, chat.Page{Limit: 1}, chat.CodeNotFound},
		{chat.Place{ChannelID: h.channel.ID, ThreadRootID: all[2].ID}, chat.Page{Limit: 1}, chat.CodeInvalid},
	} {
		_, err := h.Page(ctx, c.place, c.page)
		wantCode(t, err, c.want)
	}
}

// Pages are found by their times: no query counts rows off.
func TestNoQueryHasAnOffset(t *testing.T) {
	for name, query := range queriesOf(t) {
		if strings.Contains(strings.ToUpper(query), "OFFSET") {
			t.Errorf("%s has an OFFSET", name)
		}
	}
}
