package api

import (
	"context"
	"crypto/rand"
	"maps"
	"net/http"
	"slices"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"hearth/backend/chat"
)

// mostNoticed bounds the notices that are remembered: a page that was away hears of some again.
const mostNoticed = 500

// pages are those that are open, in windows and browsers: each from when it says so until it is said to be gone, or the stream of
// events that it hears has ended. They decide together who notifies the person of what happened: one of them, and none while the
// person looks at it in another.
type pages struct {
	mutex   sync.Mutex
	streams map[string]bool // those that are open
	open    map[string]*openPage
	turns   int64    // counts up with each page that opens or is looked at
	noticed []string // what was notified of, oldest first
}

// openPage is one of them.
type openPage struct {
	told PageState
	seen int64 // the turn at which it was last looked at, or else opened
}

// PageState is what a page says of itself.
type PageState struct {
	Stream    string `json:"stream" minLength:"1" maxLength:"64" doc:"The stream of events that it hears, by the id in ready or reset. Pages of one browser share one."`
	Window    bool   `json:"window" doc:"It is in Hearth's window, not in a browser."`
	Notifies  bool   `json:"notifies" doc:"It can show notifications, and the person has not paused them there."`
	Focused   bool   `json:"focused" doc:"It is seen, and is what is typed into."`
	ChannelID string `json:"channel_id" maxLength:"64" doc:"The channel whose chat it shows; empty: none."`
}

// enter notes that a stream has begun, until leave is called, and gives its id.
func (p *pages) enter() (stream string, leave func()) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.streams == nil {
		p.streams, p.open = map[string]bool{}, map[string]*openPage{}
	}
	stream = rand.Text()
	p.streams[stream] = true
	return stream, func() {
		p.mutex.Lock()
		defer p.mutex.Unlock()
		delete(p.streams, stream)
		maps.DeleteFunc(p.open, func(_ string, one *openPage) bool { return one.told.Stream == stream })
	}
}

// tell takes what a page says of itself; false: the stream that it names is not open.
func (p *pages) tell(id string, s PageState) bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if !p.streams[s.Stream] {
		return false
	}
	one, ok := p.open[id]
	if !ok {
		one = &openPage{}
		p.open[id] = one
	}
	if s.Focused || !ok {
		p.turns++
		one.seen = p.turns
	}
	one.told = s
	return true
}

// gone takes a page away whose stream goes on for others.
func (p *pages) gone(id string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	delete(p.open, id)
}

// notifies says whether this page is to notify of something in a channel, yes once for each thing; known is false of a page that
// has not said that it is open.
func (p *pages) notifies(id, channelID, notice string) (show, known bool) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	one, ok := p.open[id]
	if !ok {
		return false, false
	}
	if slices.Contains(p.noticed, notice) {
		return false, true
	}
	for _, other := range p.open {
		if other.told.Focused && other.told.ChannelID == channelID || other != one && other.before(one) {
			return false, true
		}
	}
	if len(p.noticed) == mostNoticed {
		p.noticed = slices.Delete(p.noticed, 0, 1)
	}
	p.noticed = append(p.noticed, notice)
	return true, true
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

type goneInput struct {
	ID string `path:"id" maxLength:"64"`
}

func (s *server) registerPages(operations huma.API) {
	register(s, operations, huma.Operation{
		OperationID: "tell-page", Method: http.MethodPut, Path: "/api/pages/{id}", Summary: "Say what an open page shows", Tags: []string{"pages"},
		Description:   "The id is made up by the page. It is open from now on, until it is said to be gone or the stream that it names has ended.",
		DefaultStatus: http.StatusNoContent,
	}, func(_ context.Context, in *pageInput) (*struct{}, error) {
		if !s.pages.tell(in.ID, in.Body) {
			return nil, chat.Errorf(chat.CodeNotFound, "The stream of events that this page names is not open. Open one first.")
		}
		return nil, nil
	})
	register(s, operations, huma.Operation{
		OperationID: "page-gone", Method: http.MethodDelete, Path: "/api/pages/{id}", Summary: "Say that a page is gone", Tags: []string{"pages"},
		Description:   "For pages that share a stream, which goes on for the others. One that is not known is gone already.",
		DefaultStatus: http.StatusNoContent,
	}, func(_ context.Context, in *goneInput) (*struct{}, error) {
		s.pages.gone(in.ID)
		return nil, nil
	})
	register(s, operations, huma.Operation{
		OperationID: "may-notify", Method: http.MethodPost, Path: "/api/pages/{id}/notices", Summary: "Ask whether this page is to notify the person", Tags: []string{"pages"},
		Description: "Of all that are open, one is told yes, once: Hearth's window, or else the page that was looked at last, if it can notify. None is while the person looks at the channel in any of them.",
	}, func(_ context.Context, in *noticeInput) (*noticeOutput, error) {
		show, known := s.pages.notifies(in.ID, in.Body.ChannelID, in.Body.Notice)
		if !known {
			return nil, chat.Errorf(chat.CodeNotFound, "No page with this id is open. Say first what it shows.")
		}
		out := &noticeOutput{}
		out.Body.Show = show
		return out, nil
	})
}
