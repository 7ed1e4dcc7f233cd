package chat

import "testing"

func TestCommandIn(t *testing.T) {
	known := []Command{{Name: "context"}, {Name: "clear", Aliases: []string{"reset", "new"}}, {Name: "compact"}, {Name: "plugin:요약"}, {Name: "_"}}
	handles := []string{"claude", "분석가"}
	for _, c := range []struct{ name, body, want, text string }{
		{"alone", "/context", "context", "/context"},
		{"after a mention", "@claude /context", "context", "/context"},
		{"after a full-width one, in other letters", "＠Claude\u3000/context", "context", "/context"},
		{"after a particle", "@분석가에게 /compact", "compact", "/compact"},
		{"after the same mention twice", "@claude @claude /context", "context", "/context"},
		{"white space before", " \t\n/context", "context", "/context"},
		{"a line break between", "@claude\n/compact", "compact", "/compact"},
		{"with what belongs to it", "@claude /compact keep the names\nand 숫자 ", "compact", "/compact keep the names\nand 숫자"},
		{"a tab after the name", "/compact\tshort", "compact", "/compact\tshort"},
		{"an alias", "@claude /reset", "clear", "/reset"},
		{"a name of another script", "/plugin:요약 이것", "plugin:요약", "/plugin:요약 이것"},

		{"nothing", "", "", ""},
		{"a mention only", "@claude", "", ""},
		{"a slash only", "@claude /", "", ""},
		{"a slash and a space", "/ context", "", ""},
		{"two slashes", "//context", "", ""},
		{"a path", "/usr/bin is broken", "", ""},
		{"a path that begins like a command", "/context/x", "", ""},
		{"a name nobody has", "@claude /frobnicate now", "", ""},
		{"the beginning of a name", "/cont", "", ""},
		{"a name in other letters", "/Context", "", ""},
		{"a name with a hidden character", "/context\u200b", "", ""},
		{"a full-width slash", "／context", "", ""},
		{"words before", "@claude please /context", "", ""},
		{"a mention of nobody here before", "@aiko @claude /context", "", ""},
		{"a mention after it is part of it", "/context @claude", "context", "/context @claude"},
		{"the name of a package", "@claude/context", "", ""},
		{"an address", "a@claude /context", "", ""},
		{"code", "`/context`", "", ""},
		{"a comma between", "@claude, /context", "", ""},
	} {
		got, text, ok := CommandIn(c.body, handles, known)
		if got.Name != c.want || text != c.text || ok != (c.want != "") {
			t.Errorf("%s: %q is %q with %q, want %q with %q", c.name, c.body, got.Name, text, c.want, c.text)
		}
	}
	if _, _, ok := CommandIn("/context", handles, nil); ok {
		t.Error("a client without commands has one")
	}
}
