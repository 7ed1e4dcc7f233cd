package ledger

import (
	"strings"
	"testing"
	"time"
)

func TestABreakKnowsWhatEndedTheProcessBefore(t *testing.T) {
	crash := &ProcessEnd{Native: "n", How: EndedCrashed, Reason: "exit status 9", At: noon.Add(30 * time.Second)}
	another := func(temperature, native string) func(was, is *Turn) {
		return func(_, is *Turn) { is.Process, is.Temperature, is.Native = "p2", temperature, native }
	}
	for name, c := range map[string]struct {
		end      *ProcessEnd
		change   func(was, is *Turn)
		want     Ending // "" is nothing
		cause    Cause
		restored bool
		said     string // at the end of the sentence
	}{
		"a new conversation":              {crash, another(Cold, "n2"), EndedCrashed, NewProcess, false, "Its process had crashed."},
		"nobody wrote it down":            {nil, another(Cold, "n2"), EndedUnknown, NewProcess, false, "Why its process ended is not known."},
		"a saved one":                     {crash, another(Restored, "n"), EndedCrashed, NewProcess, true, "Its process had crashed."},
		"a saved one, of unknown process": {nil, func(was, is *Turn) { was.Process, is.Process, is.Temperature = "", "", Restored }, EndedUnknown, Unknown, true, ""},
		"its second turn":                 {crash, another(Warm, "n2"), EndedCrashed, NewProcess, false, "Its process had crashed."},
		"the same process":                {crash, func(_, _ *Turn) {}, "", ClientOrAPI, false, ""},
		"a process that is not known":     {nil, func(_, is *Turn) { is.Process = "" }, "", Unknown, false, ""},
		"the same, with an end between":   {crash, func(_, is *Turn) { is.Process = "" }, EndedCrashed, Unknown, false, ""},
		"a cause that comes before":       {crash, func(_, is *Turn) { another(Cold, "n2")(nil, is); is.Calls[0].Model = "sonnet" }, EndedCrashed, ModelChanged, false, ""},
		"settings that a person has changed": {&ProcessEnd{How: EndedChanged}, func(was, is *Turn) {
			another(Cold, "n2")(nil, is)
			was.Settings, is.Settings = map[string]string{SettingAPI: "a"}, map[string]string{SettingAPI: "b"}
		}, EndedChanged, NewProcess, false, "There, nothing was kept of what it had read before."},
	} {
		was, is := before(), after()
		was.ProcessEnd = c.end
		c.change(&was, &is)
		found := Breaks([]Turn{was, is})
		if len(found) != 1 {
			t.Errorf("%s: %d breaks", name, len(found))
			continue
		}
		b := found[0]
		how := Ending("")
		if b.Evidence.Ended != nil {
			how = b.Evidence.Ended.How
		}
		if how != c.want || b.Cause != c.cause || b.Evidence.Restored != c.restored {
			t.Errorf("%s: %s after %q, restored %t, want %s after %q", name, b.Cause, how, b.Evidence.Restored, c.cause, c.want)
		}
		want := b.Cause.Sentence()
		if c.said != "" {
			want = c.said
		}
		if !strings.HasSuffix(b.Sentence(), want) {
			t.Errorf("%s: %q does not end with %q", name, b.Sentence(), want)
		}
	}
}

// A turn that asked the model nothing is not compared, and yet the process can have ended after it.
func TestAnEndAfterATurnWithoutCallsCounts(t *testing.T) {
	was, between, is := before(), before(), after()
	between.Run, between.Calls, between.ProcessEnd = "r1b", nil, &ProcessEnd{Native: "n", How: EndedIdle}
	is.Process, is.Temperature, is.Native = "p2", Cold, "n2"
	found := Breaks([]Turn{was, between, is})
	if len(found) != 1 || found[0].Before != "r1" || found[0].Evidence.Ended.How != EndedIdle {
		t.Errorf("%+v", found)
	}
}

// What counts is the end that the new process came after.
func TestTheNewestEndCounts(t *testing.T) {
	was, between, is := before(), before(), after()
	was.ProcessEnd = &ProcessEnd{Native: "n", How: EndedCrashed}
	between.Run, between.Calls, between.ProcessEnd = "r1b", nil, &ProcessEnd{Native: "n", How: EndedFresh}
	between.Compactions = []Compaction{{}}
	is.Process, is.Temperature, is.Native = "p2", Cold, "n2"
	found := Breaks([]Turn{was, between, is})
	if len(found) != 1 || found[0].Evidence.Ended.How != EndedFresh || found[0].Cause != NewProcess {
		t.Errorf("%+v", found)
	}
}

func TestEndAfter(t *testing.T) {
	at := func(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) }
	end := func(native string, minutes int) ProcessEnd { return ProcessEnd{Native: native, At: at(minutes)} }
	turn := Turn{Native: "n", Began: at(0), Ended: at(2)}
	next := Turn{Native: "n", Began: at(10)}
	for name, c := range map[string]struct {
		ends []ProcessEnd // newest first
		next *Turn
		want int // minutes after noon; -1: none
	}{
		"none":                        {nil, &next, -1},
		"between":                     {[]ProcessEnd{end("n", 5)}, &next, 5},
		"within the turn":             {[]ProcessEnd{end("n", 1)}, &next, 1},
		"before it":                   {[]ProcessEnd{end("n", -1)}, &next, -1},
		"after the next has begun":    {[]ProcessEnd{end("n", 11)}, &next, -1},
		"with no next":                {[]ProcessEnd{end("n", 11)}, nil, 11},
		"of another session":          {[]ProcessEnd{end("m", 5)}, &next, -1},
		"and of one that had no turn": {[]ProcessEnd{end("n", 8), end("m", 6), end("n", 5)}, &next, 5},
	} {
		got := -1
		if e := EndAfter(&turn, c.next, c.ends); e != nil {
			got = int(e.At.Sub(noon).Minutes())
		}
		if got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

func TestEndingsHaveTheirWords(t *testing.T) {
	seen := map[Ending]bool{}
	for _, e := range Endings() {
		for _, text := range []string{e.Sentence, e.Advice} {
			if text != "" && (!strings.HasSuffix(text, ".") || strings.ToUpper(text[:1]) != text[:1]) {
				t.Errorf("%s says %q", e.Ending, text)
			}
		}
		if seen[e.Ending] || e.Sentence == "" || e.Ending.Sentence() != e.Sentence || e.Ending.Advice() != e.Advice {
			t.Errorf("%s is listed twice or has no words", e.Ending)
		}
		seen[e.Ending] = true
	}
	if got := Ending("of the future").Sentence(); got != EndedUnknown.Sentence() {
		t.Errorf("an ending that nobody knows says %q", got)
	}
}
