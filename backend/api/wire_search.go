package api

import (
	"strconv"
	"time"

	"hearth/backend/chat"
	"hearth/backend/search"
)

// SearchMatch is a row that was found.
type SearchMatch struct {
	ID           string        `json:"id" doc:"The row's id."`
	ChannelID    string        `json:"channel_id"`
	Channel      string        `json:"channel" doc:"The channel's name."`
	ThreadRootID string        `json:"thread_root_id" doc:"The root of the thread it stands in; empty: the channel's top level."`
	Kind         string        `json:"kind" enum:"user,agent"`
	Handle       string        `json:"handle" doc:"Who wrote it; empty: the owner of this Hearth."`
	CreatedAt    time.Time     `json:"created_at"`
	Snippet      string        `json:"snippet" doc:"The row's text around the first place, on one line and made visible, with … where it was cut."`
	Ranges       []SearchRange `json:"ranges" doc:"Where in the snippet the words are, in order."`
}

// SearchRange is a place in a snippet.
type SearchRange struct {
	Begin int `json:"begin" doc:"In characters (Unicode scalars), from 0."`
	End   int `json:"end" doc:"The first character after it."`
}

func toSearchMatch(r chat.Row, channel string, words []string) SearchMatch {
	snippet, ranges := search.Snippet(r.Body, words)
	return SearchMatch{
		ID: r.ID, ChannelID: r.ChannelID, Channel: channel, ThreadRootID: r.ThreadRootID, Kind: string(r.Kind), Handle: r.Handle,
		CreatedAt: utc(r.CreatedAt), Snippet: snippet,
		Ranges: each(ranges, func(r search.Range) SearchRange { return SearchRange(r) }),
	}
}

// cursorOf reads where a page goes on, and toCursor writes it.
func cursorOf(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	at, err := strconv.ParseInt(text, 10, 64)
	if err != nil || at < 1 {
		return 0, chat.Errorf(chat.CodeInvalid, "There is no page %q of this search. Give next as the answer before had it, or leave it out to begin anew.", bounded(text))
	}
	return at, nil
}

func toCursor(at int64) string {
	if at == 0 {
		return ""
	}
	return strconv.FormatInt(at, 10)
}
