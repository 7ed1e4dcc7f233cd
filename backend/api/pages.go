package api

import (
	"context"
	"net/http"
	"slices"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"hearth/backend/chat"
)

// mostNoticed bounds the notices that are remembered: a page that was away hears of some again.
const mostNoticed = 500

// pages are those that are open, in windows and browsers, each for as long as its stream of events is. They decide together who
// notifies the person of what happened: one of them, and none while the person looks at it in another.
type pages struct {
	mutex   sync.Mutex
	open    map[string]*openPage
	turns   int64    // counts up with each page that opens or is looked at
	noticed []string // what was notified of, oldest first
}

// openPage is one of them.
type openPage struct {
	streams int
	told    PageState
	seen    int64 // the turn at which it was last looked at, or else opened
}

// PageState is what a page says of itself.
type PageState struct {
	Window    bool   `json:"window" doc:"It is in Hearth's window, not in a browser."`
	Notifies  bool   `json:"notifies" doc:"It can show notifications, and the person has not paused them there."`
	Focused   bool   `json:"focused" doc:"It is seen, and is what is typed into."`
	ChannelID string `json:"channel_id" maxLength:"64" doc:"The channel whose chat it shows; empty: none."`
}

// enter notes that a page has opened a stream, until what it returns is called. A stream of no page is not noted.
func (p *pages) enter(id string) (leave func()) {
	if id == "" {
		return func() {}
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	one := p.open[id]
	if one == nil {
		if p.open == nil {
			p.open = map[string]*openPage{}
		}
		p.turns++
		one = &openPage{seen: p.turns}
		p.open[id] = one
	}
	one.streams++
	return func() {
		p.mutex.Lock()
		defer p.mutex.Unlock()
		if one.streams--; one.streams == 0 {
			delete(p.open, id)
		}
	}
}

// tell takes what a page says of itself; false: it has no stream.
func (p *pages) tell(id string, s PageState) bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	one, ok := p.open[id]
	if !ok {
		return false
	}
	if s.Focused {
		p.turns++
		one.seen = p.turns
	}
	one.told = s
	return true
}

// notifies says whether this page is to notify of something in a channel. It says yes once for each thing.
func (p *pages) notifies(id, channelID, notice string) bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	one, ok := p.open[id]
	if !ok || slices.Contains(p.noticed, notice) {
		return false
	}
	for _, other := range p.open {
		if other.told.Focused && other.told.ChannelID == channelID || other != one && other.before(one) {
			return false
		}
	}
	if len(p.noticed) == mostNoticed {
		p.noticed = slices.Delete(p.noticed, 0, 1)
	}
	p.noticed = append(p.noticed, notice)
	return true
}

// before says whether a page rather notifies than another: one that can, the window, the one that was looked at last.
func (o *openPage) before(other *openPage) bool {
	if o.told.Notifies != other.told.Notifies {
		return o.told.Notifies
	}
	if o.told.Window != other.told.Window {
		return o.told.Window
	}
	return o.seen > other.seen
}

type pageInput struct {
	ID   string `path:"id" maxLength:"64"`
	Body PageState
}

type noticeInput struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		ChannelID string `json:"channel_id" maxLength:"64"`
		Notice    string `json:"notice" minLength:"1" maxLength:"200" doc:"What it is about: the same for each page."`
	}
}

type noticeOutput struct {
	Body struct {
		Show bool `json:"show"`
	}
}

func (s *server) registerPages(operations huma.API) {
	register(s, operations, huma.Operation{
		OperationID: "tell-page", Method: http.MethodPut, Path: "/api/pages/{id}", Summary: "Say what an open page shows", Tags: []string{"pages"},
		Description:   "The page is known by the id that it has given to its stream of events, for as long as that is open.",
		DefaultStatus: http.StatusNoContent,
	}, func(_ context.Context, in *pageInput) (*struct{}, error) {
		if !s.pages.tell(in.ID, in.Body) {
			return nil, chat.Errorf(chat.CodeNotFound, "No page with this id is open: open its stream of events first.")
		}
		return nil, nil
	})
	register(s, operations, huma.Operation{
		OperationID: "may-notify", Method: http.MethodPost, Path: "/api/pages/{id}/notices", Summary: "Ask whether this page is to notify the person", Tags: []string{"pages"},
		Description: "Of all that are open, one is told yes, once: Hearth's window, or else the page that was looked at last, if it can notify. None is while the person looks at the channel in any of them.",
	}, func(_ context.Context, in *noticeInput) (*noticeOutput, error) {
		out := &noticeOutput{}
		out.Body.Show = s.pages.notifies(in.ID, in.Body.ChannelID, in.Body.Notice)
		return out, nil
	})
}
