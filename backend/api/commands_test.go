package api

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"hearth/backend/chat"
)

func (f *fake) Commands(_ context.Context, _ chat.Binding) (CommandsLook, error) {
	unlock, err := f.at("Commands")
	defer unlock()
	return f.commands, err
}

func TestCommandsOfAnAgent(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	const b = "b2"
	read := func() (out Commands) {
		t.Helper()
		if err := json.Unmarshal([]byte(h.call("GET", "/api/bindings/"+b+"/commands", "").body), &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	never := read()
	if never.Known != "no" || !never.At.IsZero() || len(never.Commands) != 0 || never.Commands == nil || !strings.Contains(never.Reason, "Warm the agent") {
		t.Errorf("before the first start: %+v", never)
	}
	at := time.Date(2026, 7, 1, 12, 0, 0, 0, time.FixedZone("there", 7200))
	h.commands = CommandsLook{At: at, Commands: []chat.Command{
		{Name: "clear", Aliases: []string{"reset"}, Hint: "[name]", Description: "새로 시작", Builtin: true}, {Name: "context"},
	}}
	want := Commands{Known: "before", At: at.UTC(), Commands: []Command{
		{Name: "clear", Aliases: []string{"reset"}, Hint: "[name]", Description: "새로 시작", Builtin: true, StartsFresh: true},
		{Name: "context", Aliases: []string{}},
	}}
	if got := read(); !reflect.DeepEqual(got, want) {
		t.Errorf("of the last process: got %+v, want %+v", got, want)
	}
	h.commands.Now, want.Known = true, "now"
	if got := read(); !reflect.DeepEqual(got, want) {
		t.Errorf("of the living one: got %+v, want %+v", got, want)
	}
	h.commands.Commands = nil
	if got := read(); got.Known != "now" || got.Reason == "" {
		t.Errorf("a client without commands: %+v", got)
	}
	if got := h.call("GET", "/api/bindings/nobody/commands", ""); got.status != 404 {
		t.Errorf("of nobody: %d %s", got.status, got.body)
	}
}
