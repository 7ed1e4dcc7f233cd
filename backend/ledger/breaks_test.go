package ledger

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// before is a warm turn at noon that leaves 60,000 tokens in the cache; after is one a minute later, in the same process,
// that reads only 17,000 of them. Nothing that is known of them differs.
func before() Turn {
	return Turn{
		Run: "r1", Native: "n", Process: "p", Temperature: Warm, Version: "2.1.332", Tools: Part{"t", 100}, Framing: Part{"f", 200},
		Calls: []Call{
			{MessageID: "m1", Model: "opus", Main: true, Usage: Usage{Input: 3, CacheRead: 50_000, CacheWrite5m: 5000, Output: 10}, Began: noon.Add(-time.Minute)},
			{MessageID: "m2", Model: "opus", Main: true, Usage: Usage{Input: 3, CacheRead: 55_000, CacheWrite5m: 5000, Output: 900}, Began: noon, Ended: noon.Add(20 * time.Second)},
		},
		Began: noon.Add(-time.Minute), Ended: noon.Add(20 * time.Second),
	}
}

func after() Turn {
	t := before()
	t.Run, t.Began, t.Ended = "r2", noon.Add(time.Minute), noon.Add(2*time.Minute)
	t.Calls = []Call{{
		MessageID: "m3", Model: "opus", Main: true, Usage: Usage{Input: 3, CacheRead: 17_000, CacheWrite5m: 45_000, Output: 5},
		Began: noon.Add(time.Minute), TTFT: time.Second,
	}}
	return t
}

func TestCauses(t *testing.T) {
	type change func(was, is *Turn)
	later := func(d time.Duration) change {
		return func(_, is *Turn) { is.Calls[0].Began = noon.Add(d + is.Calls[0].TTFT) }
	}
	says := func(reason string) change { return func(_, is *Turn) { is.Calls[0].Miss = Miss{reason, 4321} } }
	all := func(changes ...change) change {
		return func(was, is *Turn) {
			for _, c := range changes {
				c(was, is)
			}
		}
	}
	hours := func(was, _ *Turn) {
		for i := range was.Calls {
			u := &was.Calls[i].Usage
			u.CacheWrite1h, u.CacheWrite5m = u.CacheWrite5m, 0
		}
	}
	model := func(_, is *Turn) { is.Calls[0].Model = "sonnet" }
	version := func(_, is *Turn) { is.Version = "2.1.340" }
	tools := func(_, is *Turn) { is.Tools = Part{"t2", 101} }
	framing := func(_, is *Turn) { is.Framing = Part{"f2", 201} }
	compacted := func(was, _ *Turn) { was.Compactions = []Compaction{{Calls: 2}} }
	compactedEarly := func(was, _ *Turn) { was.Compactions = []Compaction{{Calls: 1}} }
	compactedNow := func(_, is *Turn) { is.Compactions = []Compaction{{Calls: 0}} }
	process := func(_, is *Turn) { is.Process, is.Temperature = "p2", Restored }
	cold := func(_, is *Turn) { is.Process, is.Native, is.Temperature = "p2", "n2", Cold }
	opened := func(was, _ *Turn) { was.Temperature, was.Calls = Cold, was.Calls[1:] }
	nothing := func(_, _ *Turn) {}

	for name, c := range map[string]struct {
		change  change
		want    Cause
		quiet   bool
		differs string
	}{
		"nothing that anybody here decides":  {nothing, ClientOrAPI, false, ""},
		"after five minutes":                 {later(5 * time.Minute), Expired, true, ""},
		"a moment before five minutes":       {later(5*time.Minute - lifeSlack), Expired, true, ""},
		"well before five minutes":           {later(5*time.Minute - lifeSlack - 1), ClientOrAPI, false, ""},
		"after five minutes of an hour":      {all(hours, later(6*time.Minute)), ClientOrAPI, false, ""},
		"after an hour":                      {all(hours, later(time.Hour)), Expired, true, ""},
		"a part for an hour, the end for 5":  {all(hours, func(was, _ *Turn) { was.Calls[1].Usage.CacheWrite5m = 1 }, later(6*time.Minute)), Expired, true, ""},
		"another model":                      {model, ModelChanged, false, "model"},
		"only the client's name for it":      {func(_, is *Turn) { is.Calls[0].Model = "opus[1m]" }, ClientOrAPI, false, ""},
		"another version":                    {version, VersionChanged, false, "version"},
		"other tools":                        {tools, ToolsChanged, false, "tools"},
		"another framing":                    {framing, FramingChanged, false, "framing"},
		"a summary at the end of the last":   {compacted, Compacted, true, ""},
		"a summary in the middle of it":      {compactedEarly, KnownMiss, true, ""}, // the call after it was the first of the new conversation
		"a summary at this one's beginning":  {compactedNow, Compacted, true, ""},
		"the same in a version without miss": {all(compactedEarly, func(was, is *Turn) { was.Version, is.Version = "2.1.197", "2.1.197" }), ClientOrAPI, false, ""},
		"a saved session, a new process":     {process, NewProcess, false, ""},
		"a new conversation":                 {cold, NewProcess, true, ""},
		"the second turn of a conversation":  {opened, KnownMiss, true, ""},
		"the same after tools were called":   {func(was, _ *Turn) { was.Temperature = Cold }, ClientOrAPI, false, ""},
		"the same with nothing read at all":  {all(opened, func(_, is *Turn) { is.Calls[0].Usage = Usage{CacheWrite5m: 62_000} }), ClientOrAPI, false, ""},
		"the same in another version":        {all(opened, func(was, is *Turn) { was.Version, is.Version = "2.1.333", "2.1.333" }), ClientOrAPI, false, ""},
		"the same in a version between":      {all(opened, func(was, is *Turn) { was.Version, is.Version = "2.1.300", "2.1.300" }), KnownMiss, true, ""},

		"the API: messages":             {says("messages_changed"), ClientOrAPI, false, "messages"},
		"the API: messages, opening":    {all(opened, says("messages_changed")), KnownMiss, true, "messages"},
		"the API: system":               {says("system_changed"), ClientOrAPI, false, "system"},
		"the API: system, opening":      {all(opened, says("system_changed")), ClientOrAPI, false, "system"},
		"the API: system, our framing":  {all(says("system_changed"), framing), FramingChanged, false, "framing"},
		"the API: tools, ours are not":  {says("tools_changed"), ToolsChanged, false, "tools"},
		"the API: model, ours is not":   {says("model_changed"), ModelChanged, false, "model"},
		"the API: nothing to compare":   {says("previous_message_not_found"), ClientOrAPI, false, ""},
		"the API: not to be had":        {says("unavailable"), ClientOrAPI, false, ""},
		"the API: a word of the future": {says("weather_changed"), ClientOrAPI, false, ""},
		"the API: messages, restored":   {all(process, says("messages_changed")), NewProcess, false, "messages"},

		"expired before all":        {all(later(time.Hour), model, version, tools, framing, compacted, process), Expired, true, "model"},
		"the model before the rest": {all(model, version, tools, framing, compacted, process), ModelChanged, false, "model"},
		"the version before tools":  {all(version, tools, framing, compacted, process), VersionChanged, false, "version"},
		"tools before the framing":  {all(tools, framing, compacted, process), ToolsChanged, false, "tools"},
		"the framing before":        {all(framing, compacted, process), FramingChanged, false, "framing"},
		"a summary before":          {all(compacted, process), Compacted, true, ""},

		"no version known":          {func(was, _ *Turn) { was.Version = "" }, Unknown, false, ""},
		"no tools known":            {func(_, is *Turn) { is.Tools = Part{} }, Unknown, false, ""},
		"no framing known":          {func(was, is *Turn) { was.Framing, is.Framing = Part{}, Part{} }, Unknown, false, ""},
		"and the API says: system":  {all(func(was, _ *Turn) { was.Framing = Part{} }, says("system_changed")), Unknown, false, "system"},
		"and the API says: message": {all(func(was, _ *Turn) { was.Framing = Part{} }, says("messages_changed")), ClientOrAPI, false, "messages"},
		"no process known":          {func(_, is *Turn) { is.Process = "" }, Unknown, false, ""},
		"no times known": {func(was, is *Turn) {
			was.Calls[1].Began, was.Calls[1].Ended, was.Ended, is.Calls[0].Began, is.Began = time.Time{}, time.Time{}, time.Time{}, time.Time{}, time.Time{}
		}, Unknown, false, ""},
		"only the turns' times known": {func(was, is *Turn) {
			was.Calls[1].Began, was.Calls[1].Ended, is.Calls[0].Began, is.Began = time.Time{}, time.Time{}, time.Time{}, was.Ended.Add(ShortLife)
		}, Expired, true, ""},
		"nothing known": {func(was, is *Turn) {
			*was, *is = Turn{Run: "r1", Calls: was.Calls[1:]}, Turn{Run: "r2", Calls: is.Calls}
		}, Unknown, false, ""},
	} {
		was, is := before(), after()
		c.change(&was, &is)
		got := Breaks([]Turn{was, is})
		if len(got) != 1 {
			t.Errorf("%s: %d breaks", name, len(got))
			continue
		}
		b := got[0]
		if b.Cause != c.want || b.Quiet != c.quiet || b.Evidence.Differs != c.differs {
			t.Errorf("%s: %s, quiet %v, differs in %q; want %s, %v, %q\n%+v", name, b.Cause, b.Quiet, b.Evidence.Differs, c.want, c.quiet, c.differs, b.Evidence)
		}
		if left := b.Evidence.Left; b.Run != "r2" || b.Before != "r1" || left != 60_000 && left != 60_001 || b.Missed != left-b.Evidence.Read || b.Evidence.Said != is.Calls[0].Miss {
			t.Errorf("%s: %+v", name, b)
		}
	}
}

func TestEvidence(t *testing.T) {
	was, is := before(), after()
	is.Framing = Part{"f2", 230}
	is.Calls[0].Miss = Miss{"system_changed", 40_000}
	got := Breaks([]Turn{was, is})[0].Evidence
	want := Evidence{
		Left: 60_000, Read: 17_000, Sent: 62_003, Idle: 59 * time.Second, Life: ShortLife, Differs: "framing", Was: "f", Is: "f2",
		WasSize: 200, IsSize: 230, Said: Miss{"system_changed", 40_000}, SameProcess: true, Complete: true,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("\n got %+v\nwant %+v", got, want)
	}
}

func TestNoBreak(t *testing.T) {
	for name, change := range map[string]func(was, is *Turn){
		"all of it read":         func(_, is *Turn) { is.Calls[0].Usage.CacheRead = 60_000 },
		"more than all of it":    func(_, is *Turn) { is.Calls[0].Usage.CacheRead = 70_000 },
		"all that was sent read": func(_, is *Turn) { is.Calls[0].Usage = Usage{CacheRead: 20_000} },
		"nothing was left":       func(was, _ *Turn) { was.Calls[1].Usage = Usage{Input: 60_000} },
		"no call in it":          func(_, is *Turn) { is.Calls = nil },
		"no call before":         func(was, _ *Turn) { was.Calls = nil },
		"only a subagent's":      func(_, is *Turn) { is.Calls[0].Main = false },
		"a later call reads less": func(_, is *Turn) {
			is.Calls = append(is.Calls, is.Calls[0])
			is.Calls[0].Usage.CacheRead, is.Calls[1].MessageID = 60_000, "m4"
		},
		"a subagent's first call reads less": func(_, is *Turn) {
			sub := is.Calls[0]
			sub.Main, sub.MessageID = false, "s"
			is.Calls[0].Usage.CacheRead = 60_000
			is.Calls = []Call{sub, is.Calls[0]}
		},
		"a message shown twice, first with less": func(_, is *Turn) {
			whole := is.Calls[0]
			whole.Usage.CacheRead = 60_000
			is.Calls = append(is.Calls, whole)
		},
	} {
		was, is := before(), after()
		change(&was, &is)
		if got := Breaks([]Turn{was, is}); len(got) != 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// A turn without a call, like one that only made a summary, does not hide what was before it.
func TestTurnsWithoutCalls(t *testing.T) {
	was, is := before(), after()
	failed, summary := Turn{Run: "x", Process: "p"}, Turn{Run: "y", Process: "p", Compactions: []Compaction{{}}}
	if got := Breaks([]Turn{was, failed, is}); len(got) != 1 || got[0].Before != "r1" || got[0].Cause != ClientOrAPI {
		t.Errorf("a failed turn between: %+v", got)
	}
	got := Breaks([]Turn{was, summary, failed, is})
	if len(got) != 1 || got[0].Before != "r1" || got[0].Cause != Compacted {
		t.Errorf("a summary between: %+v", got)
	}
	// After a summary the conversation opens anew, so the version's own miss comes once more.
	next := after()
	next.Run, next.Calls[0].MessageID, next.Calls[0].Began = "r3", "m9", noon.Add(2*time.Minute)
	got = Breaks([]Turn{was, summary, is, next})
	if len(got) != 2 || got[1].Cause != KnownMiss || got[1].Before != "r2" {
		t.Errorf("after the summary: %+v", got)
	}
}

// When the client has something new to tell the model, its notes stand at the end of the request as at the beginning of a
// conversation, so the version's own miss comes once more.
func TestNotesOpenAgain(t *testing.T) {
	for name, c := range map[string]struct {
		change func(was *Turn)
		want   Cause
	}{
		"a session that an older version saved": {func(was *Turn) { was.Version, was.Process = "2.1.197", "p0" }, VersionChanged},
		"other tools":                           {func(was *Turn) { was.Tools.Hash = "t0" }, ToolsChanged},
		"another model":                         {func(was *Turn) { was.Calls[1].Model = "sonnet" }, ModelChanged},
	} {
		was, is, next := before(), after(), after()
		c.change(&was)
		next.Run, next.Calls[0].MessageID, next.Calls[0].Began = "r3", "m9", noon.Add(2*time.Minute)
		got := Breaks([]Turn{was, is, next})
		if len(got) != 2 || got[0].Cause != c.want || got[1].Cause != KnownMiss {
			t.Errorf("%s: %+v", name, got)
		}
	}
	was, is, next := before(), after(), after()
	was.Process, is.Temperature = "p0", Restored // by the same version: no notes
	next.Run, next.Calls[0].MessageID, next.Calls[0].Began = "r3", "m9", noon.Add(2*time.Minute)
	if got := Breaks([]Turn{was, is, next}); len(got) != 2 || got[0].Cause != NewProcess || got[1].Cause != ClientOrAPI {
		t.Errorf("a saved session: %+v", got)
	}
}

func TestCauseTable(t *testing.T) {
	seen := map[Cause]bool{}
	for _, info := range Causes() {
		if seen[info.Cause] || info.Cause.Quiet() != info.Quiet || info.Cause.Sentence() != info.Sentence {
			t.Errorf("%s is in the table twice, or not as itself", info.Cause)
		}
		seen[info.Cause] = true
		if s := info.Sentence; len(s) < 20 || !strings.HasSuffix(s, ".") || strings.ToUpper(s[:1]) != s[:1] {
			t.Errorf("%s: %q is no sentence", info.Cause, s)
		}
	}
	if Cause("of the future").Sentence() != Unknown.Sentence() {
		t.Error("a cause that is not in the table says nothing")
	}
	if last := Causes()[len(Causes())-1].Cause; last != Unknown {
		t.Errorf("%s comes after everything else", last)
	}
}

// checkBreaks holds breaks to what is promised of any turns.
func checkBreaks(t *testing.T, turns []Turn) {
	t.Helper()
	var known []Cause
	for _, info := range Causes() {
		known = append(known, info.Cause)
	}
	byRun := map[string]Break{}
	var w Watch
	var left int64
	seen := false
	for i := range turns {
		b, broken := w.Next(&turns[i])
		main := turns[i].main()
		if len(main) == 0 {
			if broken {
				t.Fatalf("a break without a call: %+v", b)
			}
			continue
		}
		read := main[0].Usage.CacheRead
		switch {
		case broken && (!seen || read >= left):
			t.Fatalf("a break, and %d were read of %d: %+v", read, left, b)
		case broken && (b.Missed < 1 || b.Missed > left-read || b.Missed > main[0].Usage.Prompt()):
			t.Fatalf("%d missed, %d were read of %d: %+v", b.Missed, read, left, b)
		case broken && !slices.Contains(known, b.Cause):
			t.Fatalf("no cause: %+v", b)
		case !broken && seen && read < min(left, main[0].Usage.Prompt()):
			t.Fatalf("no break, and %d were read of %d", read, left)
		}
		if broken {
			byRun[turns[i].Run] = b
		}
		u := main[len(main)-1].Usage
		left, seen = u.CacheRead+u.Written(), true
	}
	all := Breaks(turns)
	if len(all) != len(byRun) {
		t.Fatalf("%d breaks at once, %d one by one", len(all), len(byRun))
	}
	for _, b := range all {
		if !reflect.DeepEqual(byRun[b.Run], b) {
			t.Fatalf("at once %+v, one by one %+v", b, byRun[b.Run])
		}
	}
}

func FuzzBreaks(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed, uint8(20))
	}
	f.Fuzz(func(t *testing.T, seed uint64, n uint8) {
		checkBreaks(t, anyTurns(rand.New(rand.NewPCG(seed, 7)), int(n)))
	})
}

// Every cause comes up among random turns, or the properties above are held by nothing.
func TestRandomTurnsHaveEveryCause(t *testing.T) {
	turns := anyTurns(rand.New(rand.NewPCG(3, 4)), 20_000)
	for i := range turns { // few differences at a time
		r := rand.New(rand.NewPCG(uint64(i), 9))
		turns[i].Version, turns[i].Process = "2.1.332", "p"
		if r.IntN(20) > 0 {
			turns[i].Tools.Hash, turns[i].Framing.Hash = "1", "1"
		}
		if r.IntN(20) == 0 {
			turns[i].Version = "2.1.197"
		}
		if r.IntN(20) == 0 {
			turns[i].Process = ""
		}
		if r.IntN(20) > 0 && turns[i].Temperature != Cold {
			turns[i].Temperature, turns[i].Native = Warm, "n"
		}
		for c := range turns[i].Calls {
			turns[i].Calls[c].Model = "opus"
		}
		if r.IntN(50) == 0 {
			for c := range turns[i].Calls {
				turns[i].Calls[c].Model = "sonnet"
			}
		}
	}
	checkBreaks(t, turns)
	found := map[Cause]int{}
	for _, b := range Breaks(turns) {
		found[b.Cause]++
	}
	for _, info := range Causes() {
		if found[info.Cause] == 0 {
			t.Errorf("no %s among %v", info.Cause, found)
		}
	}
}
