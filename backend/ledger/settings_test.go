package ledger

import (
	"slices"
	"strings"
	"testing"
)

// decided are settings, all of them known.
func decided(change ...string) map[string]string {
	out := map[string]string{}
	for _, name := range Settings() {
		out[name] = "as it was"
	}
	for _, name := range change {
		out[name] = "another"
	}
	return out
}

// What a person changed is named, as far as it is known and can have had that cause.
func TestWhatAPersonChangedIsNamed(t *testing.T) {
	tools := func(is *Turn) { is.Tools = Part{"t2", 101} }
	framing := func(is *Turn) { is.Framing = Part{"f2", 201} }
	model := func(is *Turn) { is.Calls[0].Model = "sonnet" }
	restored := func(is *Turn) { is.Process, is.Temperature = "p2", Restored }
	for name, c := range map[string]struct {
		change   func(is *Turn)
		was, is  map[string]string
		want     []string
		sentence string // what it begins with; "" is the cause's own
	}{
		"the role":                          {tools, decided(), decided(SettingRole), []string{SettingRole}, "The agent's settings were changed: its role. That changed its tools. They stand"},
		"the role and the workers":          {tools, decided(), decided(SettingWorkers, SettingRole), []string{SettingRole, SettingWorkers}, "The agent's settings were changed: its role and its workers. That"},
		"three":                             {framing, decided(), decided(SettingBrief, SettingWorkers, SettingRole), []string{SettingRole, SettingWorkers, SettingBrief}, "The agent's settings were changed: its role, its workers and when it is told the rules. That changed what it is told"},
		"the model":                         {model, decided(), decided(SettingModel), []string{SettingModel}, "The agent's settings were changed: its model. Each model"},
		"the address":                       {restored, decided(), decided(SettingAPI), []string{SettingAPI}, "The agent's settings were changed: the address of its API. There,"},
		"only what can have it":             {tools, decided(), decided(SettingModel, SettingHandle, SettingWorkers), []string{SettingWorkers}, "The agent's settings were changed: its workers. "},
		"what can't have it":                {tools, decided(), decided(SettingBrief), nil, ""},
		"the client's own doing":            {tools, decided(), decided(), nil, ""},
		"a model that a fallback chose":     {model, decided(), decided(), nil, ""},
		"not known before":                  {tools, nil, decided(SettingRole), nil, ""},
		"not known now":                     {tools, decided(), nil, nil, ""},
		"a setting that there was not then": {tools, map[string]string{SettingRole: "x"}, map[string]string{SettingRole: "x", SettingWorkers: "y"}, nil, ""},
		"nothing that anybody here decides": {func(*Turn) {}, decided(), decided(SettingRole), nil, ""},
	} {
		was, is := before(), after()
		was.Settings, is.Settings = c.was, c.is
		c.change(&is)
		b := Breaks([]Turn{was, is})[0]
		if !slices.Equal(b.Evidence.Edited, c.want) {
			t.Errorf("%s: %v, want %v", name, b.Evidence.Edited, c.want)
		}
		got := b.Sentence()
		if c.sentence == "" && got != b.Cause.Sentence() || !strings.HasPrefix(got, c.sentence) || !strings.HasSuffix(got, ".") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// Each cause that a setting can have has a sentence for it, and it stays what it is:
// an alarm, with the evidence.
func TestEverySettingHasItsWords(t *testing.T) {
	for _, s := range settings {
		if s.words == "" || len(s.causes) == 0 {
			t.Errorf("%+v", s)
		}
		for _, cause := range s.causes {
			b := Break{Cause: cause, Evidence: Evidence{Edited: []string{s.name}}}
			if cameOf[cause] == "" || cause.Quiet() || !strings.Contains(b.Sentence(), s.words+". "+cameOf[cause]) {
				t.Errorf("%s, %s: %s", s.name, cause, b.Sentence())
			}
		}
	}
}
