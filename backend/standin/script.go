package standin

import (
	"crypto/sha256"
	"net/http"
	"strings"
	"sync"
)

// Script says what the model answers to a request of the main thread that no
// rule matched and the queue has nothing for.
type Script func(Request) Reply

// Match picks requests.
type Match func(Request) bool

// Asked matches requests whose newest user message has this text in it.
func Asked(text string) Match {
	return func(r Request) bool { return strings.Contains(r.NewestUserText(), text) }
}

// Answered matches requests that bring the result of a tool. An empty name
// stands for any tool.
func Answered(tool string) Match {
	return func(r Request) bool {
		for _, result := range r.ToolResults() {
			if tool == "" || result.Tool == tool {
				return true
			}
		}
		return false
	}
}

// Of matches requests of one kind.
func Of(kind Kind) Match { return func(r Request) bool { return r.Kind == kind } }

// FromSession matches requests of one native session.
func FromSession(id string) Match { return func(r Request) bool { return r.SessionID == id } }

// All matches what every one of its parts matches.
func All(parts ...Match) Match {
	return func(r Request) bool {
		for _, m := range parts {
			if !m(r) {
				return false
			}
		}
		return true
	}
}

// script decides what is answered. Rules come first, in the order they were
// added, whatever the kind of the request; then the queue of the request's
// kind; then what is usual for the kind. Requests of the client for itself never
// touch a queue.
//
// What was refused as wrong in itself (400, 413) is refused again when the same
// messages come again, as the real API would: 2.1.332 tries such a request several
// times with fewer beta features, and each try would take a reply of the queue.
type script struct {
	mu        sync.Mutex
	rules     []rule
	main      []Reply
	subagents []Reply
	fallback  Script
	refused   map[digest]Reply
}

// maxRefused bounds what is remembered of refusals.
const maxRefused = 1000

type rule struct {
	match Match
	reply func(Request) Reply
	once  bool
}

func (s *script) reply(r Request) Reply {
	key := r.said()
	s.mu.Lock()
	again, ok := s.refused[key]
	s.mu.Unlock()
	if ok {
		return again
	}
	reply := s.choose(r)
	if e := reply.Error; e != nil && (e.Status == http.StatusBadRequest || e.Status == http.StatusRequestEntityTooLarge) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.refused == nil || len(s.refused) >= maxRefused {
			s.refused = map[digest]Reply{}
		}
		s.refused[key] = reply
	}
	return reply
}

// said identifies what people and the model have said in a session: the
// messages of role system and the tools are left out, because a client's further try may
// change those.
func (r Request) said() digest {
	text := append([]byte(r.SessionID), 0)
	text = append(append(text, r.AgentID...), 0)
	for _, m := range r.Messages {
		if m.Role == "system" {
			continue
		}
		text = append(append(text, m.Role...), 0)
		for _, c := range m.Content {
			text = appendBlock(text, c.Raw)
		}
	}
	return sha256.Sum256(text)
}

func (s *script) choose(r Request) Reply {
	if answer, ok := s.byRule(r); ok {
		return answer(r)
	}
	switch r.Kind {
	case Side:
		return sideReply(r)
	case Subagent:
		if reply, ok := s.take(&s.subagents); ok {
			return reply
		}
		return Say("The subagent of the stand-in is done.")
	}
	if reply, ok := s.take(&s.main); ok {
		return reply
	}
	if s.fallback != nil {
		return s.fallback(r)
	}
	return Say("This is the stand-in for a model. Nothing was scripted for this request.")
}

// byRule finds the first rule that matches and takes it out if it was for once.
// Its function is called without the lock: it may add rules of its own.
func (s *script) byRule(r Request) (func(Request) Reply, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, rule := range s.rules {
		if !rule.match(r) {
			continue
		}
		if rule.once {
			s.rules = append(s.rules[:i:i], s.rules[i+1:]...)
		}
		return rule.reply, true
	}
	return nil, false
}

func (s *script) take(queue *[]Reply) (Reply, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(*queue) == 0 {
		return Reply{}, false
	}
	first := (*queue)[0]
	*queue = (*queue)[1:]
	return first, true
}

// sideReply answers what the client asks for itself. Where it wants JSON by a
// schema, that is a title; elsewhere a word will do.
func sideReply(r Request) Reply {
	if r.outputFormat == "json_schema" || strings.Contains(strings.ToLower(r.SystemText()), "title") {
		return Say(`{"title": "A talk with the stand-in"}`)
	}
	return Say("ok")
}

// Then adds replies to the queue of the main thread: each answers one request,
// in this order. A request that is repeated (a retry) takes the next one.
func (a *API) Then(replies ...Reply) {
	a.script.mu.Lock()
	defer a.script.mu.Unlock()
	a.script.main = append(a.script.main, replies...)
}

// ThenSubagent adds replies to the queue of subagents, all of them together.
func (a *API) ThenSubagent(replies ...Reply) {
	a.script.mu.Lock()
	defer a.script.mu.Unlock()
	a.script.subagents = append(a.script.subagents, replies...)
}

// Queued is how many replies of the main thread's queue are left.
func (a *API) Queued() int {
	a.script.mu.Lock()
	defer a.script.mu.Unlock()
	return len(a.script.main)
}

// When answers every request that matches with a reply. Earlier rules win.
func (a *API) When(match Match, reply Reply) {
	a.WhenDo(match, func(Request) Reply { return reply })
}

// WhenDo answers every request that matches with what do returns.
func (a *API) WhenDo(match Match, do func(Request) Reply) {
	a.addRule(rule{match: match, reply: do})
}

// Once answers the next request that matches.
func (a *API) Once(match Match, reply Reply) {
	a.addRule(rule{match: match, once: true, reply: func(Request) Reply { return reply }})
}

func (a *API) addRule(r rule) {
	a.script.mu.Lock()
	defer a.script.mu.Unlock()
	a.script.rules = append(a.script.rules, r)
}
