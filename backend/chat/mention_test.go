package chat

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestMentions(t *testing.T) {
	handles := []string{"claude", "claude-2", "분석가", "分析", "محلل", "विश्लेषक", "codex"}
	cases := []struct {
		name, body string
		want       []string
	}{
		{"plain", "@claude please look", []string{"claude"}},
		{"in the middle", "could you, @claude, look?", []string{"claude"}},
		{"at the end of a sentence", "ask @claude.", []string{"claude"}},
		{"possessive", "@claude's answer", []string{"claude"}},
		{"case folds", "@Claude look", []string{"claude"}},
		{"full-width at", "＠claude 봐줘", []string{"claude"}},
		{"the longest handle wins", "@claude-2 look", []string{"claude-2"}},
		{"a longer word is not it", "@claudette look", nil},
		{"a digit goes on", "@claude3 look", nil},
		{"Korean", "@분석가 확인 부탁해요", []string{"분석가"}},
		{"Korean with a particle", "@분석가에게 물어봐", []string{"분석가"}},
		{"Latin handle with a Korean particle", "@claude가 봤어요", []string{"claude"}},
		{"Korean before the at", "안녕@분석가", []string{"분석가"}},
		{"Chinese runs on", "请@分析看看", []string{"分析"}},
		{"Arabic", "@محلل انظر", []string{"محلل"}},
		{"Hindi, with combining vowels", "@विश्लेषक देखो", []string{"विश्लेषक"}},
		{"decomposed Korean", "@" + "\u1107\u116e\u11ab\u1109\u1165\u11a8\u1100\u1161 봐요", []string{"분석가"}},
		{"two, each once, in order", "@codex then @claude then @codex", []string{"codex", "claude"}},
		{"bold", "**@claude** look", []string{"claude"}},
		{"in a list", "- @claude\n- @codex", []string{"claude", "codex"}},
		{"in a quote", "> @claude said", []string{"claude"}},
		{"in brackets", "(@claude)", []string{"claude"}},
		{"e-mail", "mail me@claude or me@claude.com", nil},
		{"e-mail in another script", "메일@분석가.한국 로", nil},
		{"URL", "https://example.org/@claude", nil},
		{"code span", "run `@claude` now", nil},
		{"code span of two ticks", "run ``a ` @claude`` now", nil},
		{"fenced", "```\n@claude\n```", nil},
		{"fenced with tildes and a language", "~~~go\n// @claude\n~~~\nbut @codex", []string{"codex"}},
		{"a fence never closed", "```\n@claude", nil},
		{"indented code", "text\n\n    @claude", nil},
		{"an unmatched backtick", "it`s @claude", []string{"claude"}},
		{"double at", "@@claude", nil},
		{"nobody", "@nobody", nil},
		{"a bare at", "@ claude", nil},
		{"raw HTML block", "<div>\n@claude\n</div>", []string{"claude"}},
		{"emoji before", "👋@claude", []string{"claude"}},
		{"hard line breaks", "one  \n@claude", []string{"claude"}},
		{"in a link's text", "[@claude](https://example.org)", []string{"claude"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := Mentions(c.body, handles); !slices.Equal(got, c.want) {
				t.Errorf("Mentions(%q) = %q, want %q", c.body, got, c.want)
			}
		})
	}
}

func FuzzMentions(f *testing.F) {
	f.Add("@claude `@claude` ＠분석가에게")
	f.Add("```\n@claude")
	f.Fuzz(func(t *testing.T, body string) {
		body = body[:min(len(body), 1<<16)] // longer Markdown only slows the fuzzer down
		for _, handle := range Mentions(body, []string{"claude", "분석가"}) {
			if !strings.ContainsAny(body, "@＠") {
				t.Errorf("%q mentions %q without an @", body, handle)
			}
		}
	})
}

func BenchmarkMentionsLongBody(b *testing.B) {
	body := strings.Repeat("some text with @claude and `code` in it, 그리고 @분석가에게\n\n", 1500)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		Mentions(body, []string{"claude", "분석가"})
	}
}

func TestHandlesHoldNothingThatCouldForge(t *testing.T) {
	for _, bad := range []string{"", "a b", "a\nb", "a:b", "[user]", "-a", "a\u202eb", "a\u2028b", "@", "a.b", strings.Repeat("가", MaxHandle+1), "a\xff", "a\u200db"} {
		if err := CheckHandle(bad); CodeOf(err) != CodeInvalid {
			t.Errorf("CheckHandle(%q) = %v, want an invalid error", bad, err)
		}
	}
	for _, good := range []string{"claude", "분석가", "विश्लेषक", "محلل", "a-b_c", "3d", strings.Repeat("가", MaxHandle)} {
		if err := CheckHandle(good); err != nil {
			t.Errorf("CheckHandle(%q) = %v", good, err)
		}
	}
}

func TestNamesAreCleanedAndChecked(t *testing.T) {
	if got := CleanName("  #백엔드 팀 "); got != "백엔드 팀" {
		t.Errorf("CleanName = %q", got)
	}
	for _, bad := range []string{"", "a\nb", "a\u202eb", strings.Repeat("x", MaxName+1)} {
		if CheckName(bad) == nil {
			t.Errorf("CheckName(%q) passed", bad)
		}
	}
	if err := CheckName(strings.Repeat("한", MaxName)); err != nil {
		t.Errorf("%d Korean characters: %v", MaxName, err)
	}
}

func TestBodiesAreCleanedAndChecked(t *testing.T) {
	if got := CleanBody("a\xffb \n\n"); got != "a\uFFFDb" {
		t.Errorf("CleanBody = %q", got)
	}
	if err := CheckBody(strings.Repeat("한", MaxBody)); err != nil {
		t.Error(err)
	}
	if err := CheckBody(strings.Repeat("한", MaxBody+1)); CodeOf(err) != CodeTooLarge {
		t.Errorf("one too many: %v", err)
	}
	for _, bad := range []string{"", " \n\t", "a\x00b"} {
		if CodeOf(CheckBody(bad)) != CodeInvalid {
			t.Errorf("CheckBody(%q) passed", bad)
		}
	}
	if !utf8.ValidString(CleanBody("\xf0\x9f")) {
		t.Error("a cleaned body is not valid UTF-8")
	}
}
