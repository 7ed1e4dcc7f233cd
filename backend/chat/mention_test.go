package chat

import (
	"slices"
	"strconv"
	"strings"
	"testing"
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
		{"after a link", "[docs](https://example.org)@claude", []string{"claude"}},
		{"a link's destination", "[docs](/to/ \"@claude\") [more](<@claude>) ![](@claude)", nil},
		{"an address in brackets", "<https://example.org/?to=@claude> <x@claude>", nil},
		{"a definition", "[docs]: @claude", nil},
		{"a URL's query", "https://example.org/?to=@claude&cc=@codex but @codex", []string{"codex"}},
		{"a URL's user", "ssh://@claude:22 git+ssh://:x,@claude", nil},
		{"a URL without a scheme", "(www.example.org/?@claude) WWW.example.org/?@claude", nil},
		{"no URL", "://@claude", nil},
		{"no URL either", "a:// @claude, awww.@claude", []string{"claude"}},
		{"a URL in HTML", "see <a href=\"https://example.org/?@codex\">@claude</a>", []string{"claude"}},
		{"emphasis with underscores", "_@claude_ and __@codex__", []string{"claude", "codex"}},
		{"emphasis over more", "_look, @claude_. (_@codex_)", []string{"claude", "codex"}},
		{"underscores of a word", "x_@claude @claude_x 가_@codex", nil},
		{"emphasis behind a word", "안녕*@claude*", []string{"claude"}},
		{"an escaped at", "\\@claude but not me\\@codex", []string{"claude"}},
		{"old Mac line ends", "text\r\r    @claude", nil},
		{"an invisible character ends a handle", "@claude\u200b, @codex\ufe0f", []string{"claude", "codex"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := Mentions(c.body, handles); !slices.Equal(got, c.want) {
				t.Errorf("Mentions(%q) = %q, want %q", c.body, got, c.want)
			}
		})
	}
}

// Every message is read for mentions before it is stored. Package prose counts its
// own work; this counts what is done with its words.
func TestTheWorkOfAMentionGrowsWithTheLength(t *testing.T) {
	var many []string
	for i := range 1000 {
		many = append(many, "a"+strings.Repeat("b", i%MaxHandle)+strconv.Itoa(i))
	}
	steps := func(text string) int {
		f := newFinder(many)
		f.read(text)
		return f.steps
	}
	for _, piece := range []string{"@", "@a", "@ab ", "@" + strings.Repeat("b", 50) + " ", "a_", "_@", "@a_", "://", "a://", "www.", "www. ", "https://a ", "@e\u0301", "@\u0301", "가@나.", "＠"} {
		const n = 20_000
		one := strings.Repeat(piece, n/len(piece))
		few, more := steps(one), steps(one+one+one+one)
		if few < len([]rune(one))/2 || more > 5*few {
			t.Errorf("%.20q: %d characters took %d steps, four times as many %d", piece, len([]rune(one)), few, more)
		}
	}
	// How many agents there are to look for makes no difference.
	text := strings.Repeat("@abb ", 4000)
	few := newFinder(many[:40])
	few.read(text)
	if all := steps(text); all > 2*few.steps {
		t.Errorf("%d steps for 40 handles, %d for 1000", few.steps, all)
	}
}

func FuzzMentions(f *testing.F) {
	f.Add("@claude `@claude` ＠분석가에게")
	f.Add("```\n@claude")
	f.Fuzz(func(t *testing.T, body string) {
		body = body[:min(len(body), 1<<16)] // longer texts only slow the fuzzer down
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
