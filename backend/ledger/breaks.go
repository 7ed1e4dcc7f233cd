package ledger

import (
	"cmp"
	"strconv"
	"strings"
	"time"
)

// How long a cache entry lives from its last use, as it was written.
const (
	ShortLife = 5 * time.Minute
	LongLife  = time.Hour
)

// lifeSlack is how much before the end of its life an entry counts as expired: the moments are when lines reached us, not
// the API's own.
const lifeSlack = 5 * time.Second

// A Break is a turn whose first call on the main thread read less from the cache than the turn before had left there.
type Break struct {
	Run, Before string // the run, and the one it is compared with
	Cause       Cause
	// Quiet: no alarm. It is the cause's own, but for a new process: a conversation that begins anew is quiet too.
	Quiet bool
	// Missed is how many tokens the call sent that it could have read: of what the turn before left, no more than it sent
	// at all. At least 1.
	Missed   int64
	Evidence Evidence
}

// Evidence is what a cause was judged by.
type Evidence struct {
	Left int64 // what the last call of the turn before had read and written
	Read int64 // what this turn's first call read
	Sent int64 // its prompt

	Idle time.Duration // from the beginning of the answer before to this request; negative: not known
	Life time.Duration // of what the call before wrote

	// Differs is the first part of the request that is known to differ: model, version, tools, framing, system or messages;
	// "" when none is. Was and Is are the names or hashes of ours, "" when it is only the API that says so.
	Differs, Was, Is string
	// WasSize and IsSize are the sizes of that part in bytes, where it is one of ours.
	WasSize, IsSize int64

	Said Miss // the API's own word

	// Edited are the settings of the agent that a person changed between the two processes and that bring a break of this
	// cause about, in the order of Settings. Empty: none, or not known.
	Edited []string

	SameProcess bool // known to be the same
	Anew        bool // the conversation began with this turn
	Restored    bool // the saved conversation was loaded into a new process for this turn
	// Ended is how the process ended that took the turn before; EndedUnknown where another one took this turn and nobody
	// wrote it down. nil: no process is known to have ended between the two. It is no cause: whatever ended a process, a new
	// one can send what the one before had sent.
	Ended *ProcessEnd

	Complete bool // everything that is compared was known on both sides
}

// A Watch looks at the turns of one binding, one after the other, for breaks. Its zero value has seen none.
type Watch struct {
	seen      bool     // there was a turn with a call on the main thread
	turn      Turn     // the newest with a call on the main thread, without its calls
	last      numbered // its last such call
	life      time.Duration
	opening   bool // notes of the client's stood at the end of that call's request; see opensUnreadably
	compacted bool // the history was replaced since
}

// Breaks finds the breaks among the turns of one binding, which come in the order in which they ended.
func Breaks(turns []Turn) []Break {
	var w Watch
	var out []Break
	for i := range turns {
		if b, ok := w.Next(&turns[i]); ok {
			out = append(out, b)
		}
	}
	return out
}

// Next compares a turn with the one before and says whether it is a break. A turn without a call on the main thread is
// none, and the next one is compared with the turn before it.
func (w *Watch) Next(t *Turn) (b Break, broken bool) {
	main := t.main()
	if len(main) == 0 {
		w.compacted = w.compacted || len(t.Compactions) > 0
		w.turn.ProcessEnd = cmp.Or(t.ProcessEnd, w.turn.ProcessEnd)
		return Break{}, false
	}
	first, last := main[0], main[len(main)-1]
	w.compacted = w.compacted || t.compacted(-1, first.n)
	if w.seen {
		b, broken = w.judge(t, first)
	}
	if len(main) == 1 {
		w.opening = t.Temperature == Cold || w.compacted || w.seen && (t.anew(w.turn.Native) || w.notes(t, first.Call))
	} else {
		w.opening = t.compacted(main[len(main)-2].n, last.n)
	}
	w.life = cmp.Or(lifeOf(main), w.life, ShortLife)
	w.compacted = t.compacted(last.n, len(t.Calls))
	w.seen, w.turn, w.last = true, *t, last
	w.turn.Calls, w.turn.Models, w.turn.Compactions = nil, nil, nil
	return b, broken
}

// notes says whether the client has something to tell the model that it did not tell it before: another version, other
// tools, another model.
func (w *Watch) notes(t *Turn, first Call) bool {
	return t.Version != w.turn.Version || t.Tools.Hash != w.turn.Tools.Hash || ModelName(first.Model) != ModelName(w.last.Model)
}

// lifeOf is how long what the newest writing call wrote will live; 0: none wrote. Where a call wrote both, the end of what
// it sent, which goes first, has the shorter life.
func lifeOf(calls []numbered) time.Duration {
	for i := len(calls) - 1; i >= 0; i-- {
		switch u := calls[i].Usage; {
		case u.CacheWrite5m > 0:
			return ShortLife
		case u.CacheWrite1h > 0:
			return LongLife
		}
	}
	return 0
}

func (w *Watch) judge(t *Turn, first numbered) (Break, bool) {
	e := Evidence{
		Left: w.last.Usage.CacheRead + w.last.Usage.Written(), Read: first.Usage.CacheRead, Sent: first.Usage.Prompt(),
		Idle: w.idle(t, first.Call), Life: w.life, Said: first.Miss,
		SameProcess: t.Process != "" && t.Process == w.turn.Process, Anew: t.anew(w.turn.Native),
	}
	e.Restored = t.Temperature == Restored && !e.SameProcess
	e.Ended = w.ended(t, &e)
	missed := min(e.Left, e.Sent) - e.Read
	if missed <= 0 {
		return Break{}, false
	}
	e.differs(w, t, first.Call)
	b := Break{Run: t.Run, Before: w.turn.Run, Missed: missed}
	b.Cause = w.cause(t, &e)
	b.Quiet = b.Cause.Quiet() || b.Cause == NewProcess && e.Anew
	e.Edited = edited(b.Cause, w.turn.Settings, t.Settings)
	b.Evidence = e
	return b, true
}

// ended is how the process before ended; see Evidence.Ended.
func (w *Watch) ended(t *Turn, e *Evidence) *ProcessEnd {
	another := e.Anew || e.Restored || t.Process != "" && w.turn.Process != ""
	switch {
	case e.SameProcess:
		return nil
	case w.turn.ProcessEnd == nil && another:
		return &ProcessEnd{Native: w.turn.Native, How: EndedUnknown}
	}
	return w.turn.ProcessEnd
}

// idle is how long the cache was left alone: from the beginning of the answer before, when its request had used the cache,
// to this request. Where that is not known the turns' own times are taken. Negative: not known.
func (w *Watch) idle(t *Turn, first Call) time.Duration {
	from, to := w.last.Began, first.Began
	if from.IsZero() {
		from = w.last.Ended
	}
	if from.IsZero() {
		from = w.turn.Ended
	}
	if to.IsZero() {
		to = t.Began
	} else {
		to = to.Add(-first.TTFT)
	}
	if from.IsZero() || to.IsZero() {
		return -1
	}
	return max(0, to.Sub(from))
}

// differs notes the first part of the request that differs, by what we know, then by what the API says.
func (e *Evidence) differs(w *Watch, t *Turn, first Call) {
	e.Complete = e.Idle >= 0 && t.Process != "" && w.turn.Process != ""
	for _, p := range []struct {
		name     string
		was, is  Part
		reported string // as the API calls it
	}{
		{"model", Part{Hash: ModelName(w.last.Model)}, Part{Hash: ModelName(first.Model)}, "model_changed"},
		{"version", Part{Hash: w.turn.Version}, Part{Hash: t.Version}, ""},
		{"tools", w.turn.Tools, t.Tools, "tools_changed"},
		{"framing", w.turn.Framing, t.Framing, ""},
		{"system", Part{}, Part{}, "system_changed"},
		{"messages", Part{}, Part{}, "messages_changed"},
	} {
		known := p.was.Hash != "" && p.is.Hash != ""
		switch {
		case e.Differs != "":
		case known && p.was.Hash != p.is.Hash:
			e.Differs, e.Was, e.Is, e.WasSize, e.IsSize = p.name, p.was.Hash, p.is.Hash, p.was.Size, p.is.Size
		case p.reported != "" && p.reported == first.Miss.Reason:
			e.Differs = p.name
		}
		if p.name != "system" && p.name != "messages" {
			e.Complete = e.Complete && known
		}
	}
}

// cause is the first of Causes that holds.
func (w *Watch) cause(t *Turn, e *Evidence) Cause {
	switch {
	case e.Idle >= 0 && e.Idle >= e.Life-lifeSlack:
		return Expired
	case e.Differs == "model":
		return ModelChanged
	case e.Differs == "version":
		return VersionChanged
	case e.Differs == "tools":
		return ToolsChanged
	case e.Differs == "framing":
		return FramingChanged
	case w.compacted && !e.Anew:
		return Compacted
	case e.Anew || t.Process != "" && w.turn.Process != "" && !e.SameProcess:
		return NewProcess
	case w.opening && e.SameProcess && e.Read > 0 && e.Differs != "system" && opensUnreadably(t.Version):
		return KnownMiss
	case e.Complete, e.Differs == "messages" && e.SameProcess:
		return ClientOrAPI
	}
	return Unknown
}

// opensUnreadably says whether a version of the client puts the mark of what is to be cached on its own notes, a message of
// role system behind the newest of ours. What is written there is not found by the next request.
//
// 2.1.332 was seen to send such notes with the first request of a conversation, with the first after a summary, and with
// the first to another model, with other tools, or of a session that 2.1.197 had saved; not when it went on with a saved
// session of its own. 2.1.197 was seen to put the mark on our message. That what is written there is not found was reported by users of 2.1.280
// (anthropics/claude-code#96101), with the API's own word for it. Other versions than those from the one to the other are
// not known to do it: a fixed one must not have a real loss hidden.
func opensUnreadably(version string) bool {
	return !versionLess(version, "2.1.280") && !versionLess("2.1.332", version)
}

// versionLess compares versions like 2.1.332; what is no number counts as 0.
func versionLess(a, b string) bool {
	as, bs := strings.Split(a, "."), strings.Split(b, ".")
	for i := range max(len(as), len(bs)) {
		var x, y int
		if i < len(as) {
			x, _ = strconv.Atoi(as[i])
		}
		if i < len(bs) {
			y, _ = strconv.Atoi(bs[i])
		}
		if x != y {
			return x < y
		}
	}
	return false
}
