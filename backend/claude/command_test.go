package claude

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"hearth/backend/plain"
)

func introducing(t testing.TB, commands ...map[string]any) json.RawMessage {
	t.Helper()
	raw, err := json.Marshal(map[string]any{"commands": commands})
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func TestCommandsAreReadAsTheClientNamesThem(t *testing.T) {
	got := commandsOf(json.RawMessage(`{"commands":[
		{"name":"clear","description":"Start a new session","argumentHint":"[name]","aliases":["reset","new"],"builtin":true},
		{"name":"plugin:요약","description":"한국어 설명","argumentHint":""},
		{"name":"context","description":7}],"models":[]}`))
	if len(got) != 3 {
		t.Fatalf("%+v", got)
	}
	clear := got[0]
	if clear.Name != "clear" || clear.Hint != "[name]" || clear.Description != "Start a new session" || !clear.Builtin || !slices.Equal(clear.Aliases, []string{"reset", "new"}) {
		t.Errorf("%+v", clear)
	}
	if got[1].Name != "plugin:요약" || got[1].Description != "한국어 설명" || got[2].Name != "context" {
		t.Errorf("%+v", got[1:])
	}
}

func TestHostileCommandsAreBoundedVisibleAndEachOnce(t *testing.T) {
	list := []map[string]any{
		{"name": "a", "description": "first"},
		{"name": "a", "description": "a second of the same name"},
		{"name": "b", "aliases": []string{"a", "c", "c", "with space", strings.Repeat("x", 81)}},
		{"name": "c", "description": "an alias took the name"},
		{"name": "", "description": "none"},
		{"name": "two words"}, {"name": "line\nbreak"}, {"name": "bi\u202edi"}, {"name": "bell\a"}, {"name": "zero\u200bwidth"}, {"name": "usr/bin"},
		{"name": "__internal"}, {"name": strings.Repeat("n", 81)},
		{"name": "d", "description": "turned \u202eround\nand\x1b[31m red\t tabs " + strings.Repeat("설명 ", 100_000), "argumentHint": "\u2028" + strings.Repeat("[x]", 1000)},
	}
	for i := range 2000 {
		list = append(list, map[string]any{"name": fmt.Sprintf("many%d", i)})
	}
	got := commandsOf(introducing(t, list...))
	if len(got) != maxCommands {
		t.Errorf("%d commands are kept", len(got))
	}
	var names []string
	for _, c := range got[:3] {
		names = append(names, c.Name+"="+strings.Join(c.Aliases, ","))
	}
	if want := []string{"a=", "b=c", "d="}; !slices.Equal(names, want) {
		t.Errorf("got %q, want %q", names, want)
	}
	d := got[2]
	if n := plain.Length(d.Description); n > maxCommandWords+2 || !strings.HasSuffix(d.Description, " …") {
		t.Errorf("a description of %d characters: %q", n, d.Description)
	}
	if n := plain.Length(d.Hint); n > maxCommandHint+2 {
		t.Errorf("a hint of %d characters", n)
	}
	for _, text := range []string{d.Description, d.Hint} {
		if strings.ContainsFunc(text, plain.Hidden) || strings.ContainsAny(text, "\n\t\x1b\u2028") {
			t.Errorf("%q hides something", text)
		}
	}
}

func TestAnAnswerWithoutCommandsHasNone(t *testing.T) {
	for _, raw := range []string{``, `null`, `{}`, `[]`, `{"commands":null}`, `{"commands":"none"}`, `{"commands":[null,3,"x",{}]}`, `{"commands":[{"name":{}}]}`} {
		if got := commandsOf(json.RawMessage(raw)); len(got) != 0 {
			t.Errorf("%s: %+v", raw, got)
		}
	}
}

// A list that comes later takes the place of the first, whole, and says when. What is
// no list changes nothing.
func TestTheNewestListOfCommandsCounts(t *testing.T) {
	now := time.Unix(1, 0)
	s := newSession(Options{Clock: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler)})
	is := func(want string) {
		t.Helper()
		got, at := s.Commands()
		if said := fmt.Sprintf("%v %d", got, at.Unix()); said != want {
			t.Errorf("got %s, want %s", said, want)
		}
	}
	hear := func(line string) {
		t.Helper()
		s.mu.Lock()
		defer s.mu.Unlock()
		s.system(&wireLine{Type: "system", Subtype: "commands_changed"}, []byte(line))
	}
	s.commandsAre(json.RawMessage(`{"commands":[{"name":"compact","builtin":true},{"name":"old"}]}`))
	is("[{compact []   true} {old []   false}] 1")
	now = time.Unix(2, 0)
	hear(`{"type":"system","subtype":"commands_changed","commands":[{"name":"compact"},{"name":"x","description":"does x (project)","argumentHint":""}]}`)
	is("[{compact []   true} {x []  does x (project) false}] 2")
	now = time.Unix(3, 0)
	hear(`{"type":"system","subtype":"commands_changed","commands":{}}`)
	hear(`{"type":"system","subtype":"commands_changed"}`)
	is("[{compact []   true} {x []  does x (project) false}] 2")
}

func FuzzCommands(f *testing.F) {
	f.Add(`{"commands":[{"name":"clear","aliases":["new"],"description":"x\u202ey"}]}`)
	f.Fuzz(func(t *testing.T, raw string) {
		seen := map[string]bool{}
		for _, c := range commandsOf(json.RawMessage(raw)) {
			for _, name := range append([]string{c.Name}, c.Aliases...) {
				if seen[name] || !isCommandName(name) {
					t.Errorf("the name %q", name)
				}
				seen[name] = true
			}
			if !utf8.ValidString(c.Description) || strings.ContainsFunc(c.Description+c.Hint, plain.Hidden) {
				t.Errorf("%+v", c)
			}
		}
	})
}
