package api

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"hearth/backend/chat"
	"hearth/backend/search"
)

type searchInput struct {
	Query    string `query:"q" doc:"Words, all of which a row has, anywhere in it; words in quotation marks are one. And filters: in:#channel, from:handle (from:me is the owner), before:, after: and on: with 2026-11-01, 2026-11, 2026, today or yesterday, is:thread. At most 1,000 characters. Upper and lower case are one."`
	Channel  string `query:"channel" doc:"As in: its id, its name, or how its name begins."`
	From     string `query:"from" doc:"As from: a handle, or me."`
	Before   string `query:"before" doc:"As before: only what is older than this day, in the time zone of the machine."`
	After    string `query:"after" doc:"As after: only what is younger than this day."`
	On       string `query:"on" doc:"As on: only what is of this day."`
	Thread   bool   `query:"thread" doc:"As is:thread: only what stands in a thread."`
	Archived bool   `query:"archived" doc:"In archived channels too."`
	Next     string `query:"next" doc:"The page after this one, as the answer before had it."`
	Limit    int    `query:"limit" default:"50" minimum:"1" maximum:"200" doc:"How many rows."`
}

type searchOutput struct {
	Body struct {
		Matches []SearchMatch `json:"matches" doc:"Newest first."`
		Next    string        `json:"next" doc:"Ask again with this for older ones; empty: that was all. It can be there when matches is empty: looking through everything at once would have taken long."`
		Faults  []string      `json:"faults" doc:"Filters that make no sense, in sentences for people. Nothing is found then."`
	}
}

func (s *server) registerSearch(operations huma.API) {
	register(s, operations, huma.Operation{
		OperationID: "search", Method: http.MethodGet, Path: "/api/search", Summary: "Search in what was written, in all channels", Tags: []string{"search"},
		Description: "What is in workbenches is searched channel by channel (find-in-workbench).",
	}, s.search)
}

func (s *server) search(ctx context.Context, in *searchInput) (*searchOutput, error) {
	out := &searchOutput{}
	out.Body.Matches, out.Body.Faults = []SearchMatch{}, []string{}
	query, err := in.query(s.now().In(time.Local))
	if err != nil {
		return nil, err
	}
	cursor, err := cursorOf(in.Next)
	if err != nil {
		return nil, err
	}
	channels, err := s.Store.Channels(ctx, in.Archived)
	if err != nil {
		return nil, err
	}
	names, ids := map[string]string{}, []string{}
	for _, c := range channelsIn(channels, &query) {
		names[c.ID] = c.Name
		ids = append(ids, c.ID)
	}
	if len(query.Faults) > 0 || query.Empty() {
		out.Body.Faults = append(out.Body.Faults, query.Faults...)
		return out, nil
	}
	found, err := s.Store.Search(ctx, search.Request{Query: query, ChannelIDs: ids, Cursor: cursor, Limit: in.Limit})
	if err != nil {
		return nil, err
	}
	out.Body.Matches = each(found.Rows, func(r chat.Row) SearchMatch { return toSearchMatch(r, names[r.ChannelID], query.Words) })
	out.Body.Next = toCursor(found.Cursor)
	return out, nil
}

// query puts what was typed and the fields together.
func (in *searchInput) query(now time.Time) (search.Query, error) {
	query, err := search.Parse(in.Query, now)
	if err != nil {
		return query, err
	}
	for _, field := range []struct{ filter, value string }{
		{"in", in.Channel}, {"from", in.From}, {"before", in.Before}, {"after", in.After}, {"on", in.On},
	} {
		if field.value != "" {
			query.Add(field.filter, field.value, now)
		}
	}
	query.InThread = query.InThread || in.Thread
	return query, nil
}

// channelsIn are the channels that a query is about. A name that is none, nor the
// beginning of one, is a fault of the query.
func channelsIn(all []chat.Channel, query *search.Query) []chat.Channel {
	if len(query.In) == 0 {
		return all
	}
	wanted := map[string]bool{}
	for _, named := range query.In {
		exact, begun := []chat.Channel{}, []chat.Channel{}
		for _, c := range all {
			name := chat.Fold(c.Name)
			switch {
			case c.ID == named, name == chat.Fold(named):
				exact = append(exact, c)
			case strings.HasPrefix(name, chat.Fold(named)):
				begun = append(begun, c)
			}
		}
		if len(exact) == 0 {
			exact = begun
		}
		if len(exact) == 0 {
			query.Faults = append(query.Faults, "There is no channel #"+bounded(named)+" here. See how it is written, and whether it is archived.")
		}
		for _, c := range exact {
			wanted[c.ID] = true
		}
	}
	var in []chat.Channel
	for _, c := range all {
		if wanted[c.ID] {
			in = append(in, c)
		}
	}
	return in
}
