package prose

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"nothing", "", nil},
		{"blank lines", " \n\t\n", nil},
		{"a paragraph", "one\ntwo", []string{"one\ntwo"}},
		{"Windows line ends", "one\r\ntwo\r\n\r\n    code\r\n", []string{"one\ntwo"}},
		{"old Mac line ends", "one\rtwo\r\r    code\r", []string{"one\ntwo"}},
		{"hard line breaks", "one  \ntwo\\\nthree", []string{"one  \ntwo\nthree"}},
		{"a code span", "a`b`c", []string{"a c"}},
		{"a code span over lines", "a `b\nc` d", []string{"a   d"}},
		{"a code span with backticks in it", "a ``b ` c`` d", []string{"a   d"}},
		{"backticks that nothing closes", "a ``b` c", []string{"a ``b` c"}},
		{"an escaped backtick", "a \\`b` c", []string{"a `b` c"}},
		{"an escape is none in a code span", "`a\\` b`", []string{"  b`"}},
		{"escapes", `a\@b \x \\`, []string{`a@b \x \`}},
		{"fences", "a\n```\nb\n~~~\n```\nc", []string{"a", "c"}},
		{"a longer fence", "````\na\n```\nb\n````\nc", []string{"c"}},
		{"a fence with an info string", "~~~ go `x`\na\n~~~\nb", []string{"b"}},
		{"backticks in the info string", "``` `x\na", []string{"``` `x\na"}},
		{"an open fence ends with its quote", "> ```\n> a\nb", []string{"b"}},
		{"an open fence in an item", "- ```\n  a\nb", []string{"b"}},
		{"indented code", "    a\n\n    b\nc", []string{"c"}},
		{"indented code interrupts no paragraph", "a\n    b", []string{"a\nb"}},
		{"a tab is code", "\ta", nil},
		{"a tab after a quote's mark is not", ">\ta", []string{"a"}},
		{"two are", ">\t\ta", nil},
		{"code in an item", "-     a", nil},
		{"a tab in an item", "- a\n\n\tb", []string{"a", "b"}},
		{"two tabs in an item", "- a\n\n\t\tb", []string{"a"}},
		{"an item that begins with a blank line", "-\n  a\n\n      b", []string{"a"}},
		{"an item begins with one blank line at most", "-\n\n  a", []string{"a"}},
		{"code after a list", "- a\n\n    b", []string{"a", "b"}},
		{"ordered items", "7. a\n8. b\n\n       code", []string{"a", "b"}},
		{"a number interrupts no paragraph", "the answer is\n42. a", []string{"the answer is\n42. a"}},
		{"but one does", "list\n1. a", []string{"list", "a"}},
		{"an empty item interrupts no paragraph", "a\n*\nb", []string{"a\n*\nb"}},
		{"quotes", "> a\nlazy\n> > b", []string{"a\nlazy", "b"}},
		{"a lazy line is no code", "> a\n    b", []string{"a\nb"}},
		{"headings", "# a `b` ##\nc\n===\nd\n---\ne", []string{"a   ", "c", "d", "e"}},
		{"no heading", "#a\n####### b", []string{"#a\n####### b"}},
		{"breaks", "a\n\n***\nb\n_ _ _\nc", []string{"a", "b", "c"}},
		{"HTML", "<div>\n`a`\n\n`b`", []string{"<div>\n`a`\n", " "}},
		{"HTML that goes on", "<!-- a\n\n`b` -->\n`c`", []string{"<!-- a\n\n`b` -->\n", " "}},
		{"a script", "<script>\na\n\n`b`</SCRIPT>c\n`d`", []string{"<script>\na\n\n`b`</SCRIPT>c\n", " "}},
		{"a tag alone", "<x-y a='b'>\n`a`", []string{"<x-y a='b'>\n`a`\n"}},
		{"a tag alone interrupts no paragraph", "a\n<x-y>\n`b`", []string{"a\n<x-y>\n "}},
		{"backticks in a tag", "a <b c=\"`\"> d ` e", []string{"a <b c=\"`\"> d ` e"}},
		{"addresses", "<https://a.b/@c> <a@b.c> <b>", []string{"    <b>"}},
		{"links", `[a](/b "c (d)") [e](<f g>) [h](i(j)k 'l')`, []string{"[a]  [e]  [h] "}},
		{"no links", "[a](b c) [d] (e) f](g) [h](<i\nj>)", []string{"[a](b c) [d] (e) f](g) [h](<i\nj>)"}},
		{"a link holds no link", "[a [b](c) d](e)", []string{"[a [b]  d](e)"}},
		{"but an image does", "![a [b](c) d](e)", []string{"![a [b]  d] "}},
		{"code goes before links", "[a`](b)`", []string{"[a "}},
		{"definitions", "[a]: /b\n[c]:\n  <d> 'e\nf'\ng", []string{"g"}},
		{"no definitions", "[a]: b c\n[d]: e", []string{"[a]: b c\n[d]: e"}},
		{"a table", "|a|b|\n|-|-|\n|c `d`|e|", []string{"a", "b", "c  ", "e"}},
		{"a cell ends a code span", "|a|b|\n|-|-|\n|1 `x|2 @claude `y|", []string{"a", "b", "1 `x", "2 @claude `y"}},
		{"a pipe in a code span", "|`a|b`|c|\n|-|-|-|\n|`a\\|b`|c|d|", []string{"`a", "b`", "c", " ", "c", "d"}},
		{"escaped pipes", "a\\|b|c\\\\|d\n-|-|-\n", []string{"a|b", "c\\", "d"}},
		{"a table without pipes at the ends", "a|b\n-|:-:\nc|d", []string{"a", "b", "c", "d"}},
		{"a table of one column", "a\n:-\nb", []string{"a", "b"}},
		{"a table with empty cells", "||a|\n|-|-|\n|||", []string{"a"}},
		{"a row with more cells than the head", "|a|\n|-|\n|b|@claude|", []string{"a", "b"}},
		{"a table after a paragraph", "a `b\n|c|\n|-|\nd`", []string{"a `b", "c", "d`"}},
		{"a table after a definition", "[a]: /b\n|c|\n|-|", []string{"c"}},
		{"no definition in a table", "|a|\n|-|\n[b]: /c", []string{"a", "[b]: /c"}},
		{"a table is no paragraph to continue", "|h|\n|-|\n    @claude", []string{"h"}},
		{"what ends a table", "|a|\n|-|\n# b\n|c|\n|-|\n- d\n\n|e|\n|-|\n```\nf", []string{"a", "b", "c", "d", "e"}},
		{"no lazy rows", "> |a|\n> |-|\nb `c\nd`", []string{"a", "b  "}},
		{"no lazy delimiter row", "> |a `b|\n|-|\nc`", []string{"|a  "}},
		{"a head that is too far in", "a\n    |b|\n|-|\nc `d", []string{"a\n|b|\n|-|\nc `d"}},
		{"a delimiter row that is too far in", "|a `b|\n    |-|\nc`", []string{"|a  "}},
		{"no table: too few columns", "|a|b|\n|-|\n`c\n`", []string{"|a|b|\n|-|\n "}},
		{"no table: two pipes", "|a|\n||-|\n`c\n`", []string{"|a|\n||-|\n "}},
		{"no table: one pipe", "|\n|-|\n`c\n`", []string{"|\n|-|\n "}},
		{"a tag alone is no head", "a `\n<x-y>\n|-|\n`b`\n\nc", []string{"a `", "<x-y>\n|-|\n`b`\n", "c"}},
		{"a footnote", "[^1]: @claude `a`\nb\n\n    c\n\n        code\nd", []string{"@claude  \nb", "c", "d"}},
		{"a footnote is never code at first", "[^1]:     a", []string{"a"}},
		{"a footnote that begins with blank lines", "[^1]:\n\n\n    a\n\nb\n\n        c", []string{"a", "b"}},
		{"a footnote ends a paragraph", "a `b\n[^c`]: d", []string{"a `b", "d"}},
		{"a footnote in a footnote", "[^1]: [^2]: - a", []string{"a"}},
		{"escapes in a footnote's label", "[^a\\]b]: c", []string{"c"}},
		{"no footnotes", "[^]: a b\n\n[^a b]: /c\n\n[^a] b\n\n    [^c]: d", []string{"[^]: a b", "[^a] b"}},
		{"a title that is none", "[a]: b\n\"c\" d", []string{"\"c\" d"}},
		{"an underline under nothing", "[a]: b\n===\nc", []string{"===\nc"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Of(c.in); !slices.Equal(got, c.want) {
				t.Errorf("Of(%q)\n got %q\nwant %q", c.in, got, c.want)
			}
		})
	}
}

// pieces are what random texts are made of.
var pieces = []string{
	"a", "b", "@x", " ", " ", "  ", "    ", "\n", "\n", "\n\n", "> ", ">", "- ", "* ", "+ ", "1. ", "2) ", "10. ",
	"`", "``", "```", "~~~", "\\", "[", "]", "](", "](<", "(", ")", "![", "\"", "'", "<", ">", "<a ", "<a href=\"", "</a>", "<b>", "<x@y.z>",
	"<http://a.b/", "<!--", "-->", "<?", "?>", "<![CDATA[", "]]>", "<!X", "<div>", "<pre>", "</pre> x", "#", "# ", "===", "---", "***", "___", ":", "]: ", "/u", "=",
}

// oracleErrs is where the oracle departs from CommonMark: a < in a destination in
// angle brackets, and an open parenthesis in a definition's destination. And it
// knows no tables: what may delimit one is left out.
var oracleErrs = regexp.MustCompile(`[(:]\s*<[^>\n]*<|\]:\s*\S*\(|:-|-:`)

// squeezed is what of says without what nobody can see: how much white space
// there is and where.
func squeezed(of []string) []string {
	var out []string
	for _, one := range of {
		if one = strings.Join(strings.Fields(one), " "); one != "" {
			out = append(out, one)
		}
	}
	return out
}

func TestSaysWhatAnotherParserSays(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	tried := 0
	for range 20_000 {
		var b strings.Builder
		for range r.IntN(14) + 1 {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		if oracleErrs.MatchString(b.String()) {
			continue
		}
		tried++
		if got, want := squeezed(Of(b.String())), squeezed(oracle(b.String())); !slices.Equal(got, want) {
			t.Fatalf("%q\n got %q\nwant %q", b.String(), got, want)
		}
	}
	if tried < 15_000 {
		t.Errorf("only %d texts were compared", tried)
	}
}

// slow are texts that some Markdown parser takes the square of their length for
// (or that looked as if ours might). Each is made with n bytes, about.
var slow = map[string]func(n int) string{
	"links without an end":            repeated("[a]("),
	"links with a title":              repeated(`[a](b "`),
	"links with three kinds of title": repeated(`[a](b "[a](b '[a](b (`),
	"links in angle brackets":         repeated("[a](<b"),
	"links with balanced parentheses": repeated("[a](x[a](<b)"),
	"parentheses":                     func(n int) string { return "[a](" + strings.Repeat("(", n) },
	"emphasis":                        repeated("**a_ "),
	"emphasis of two kinds":           repeated("*a_ "),
	"emphasis closed":                 repeated("a** "),
	"images":                          repeated("![a]("),
	"images that open":                repeated("!["),
	"brackets that open":              repeated("["),
	"brackets that close":             repeated("]"),
	"brackets":                        func(n int) string { return strings.Repeat("[", n/2) + strings.Repeat("]", n/2) },
	"brackets with links":             func(n int) string { return strings.Repeat("[", n/5) + strings.Repeat("](a)", n/5) },
	"reference links":                 repeated("[a][b]"),
	"backticks":                       repeated("`"),
	"escaped backticks":               repeated("\\`"),
	"backticks of all lengths": func(n int) string {
		var b strings.Builder
		for i := 1; b.Len() < n; i++ {
			b.WriteString(strings.Repeat("`", i) + "a")
		}
		return b.String()
	},
	"backticks of all lengths, escaped": func(n int) string {
		var b strings.Builder
		for i := 1; b.Len() < n; i++ {
			b.WriteString("\\" + strings.Repeat("`", i) + "a")
		}
		return b.String()
	},
	"quotes":               repeated("> "),
	"quotes, lazy":         func(n int) string { return strings.Repeat(">", n/2) + "a\n" + strings.Repeat("b\n", n/4) },
	"quotes, blank lines":  func(n int) string { return strings.Repeat(">", n/2) + "a" + strings.Repeat("\n", n/2) },
	"quotes in every line": func(n int) string { return strings.Repeat("> > > > > > > > a\n", n/18) },
	"ever deeper quotes":   deeper("> "),
	"items":                repeated("- "),
	"items of two kinds":   repeated("- * "),
	"items without spaces": repeated("-"),
	"items, blank lines":   func(n int) string { return strings.Repeat("- ", n/4) + "a" + strings.Repeat("\n", n/2) },
	"items and a quote, blank lines": func(n int) string {
		return "> " + strings.Repeat("- ", n/4) + "a\n" + strings.Repeat(">\n", n/4)
	},
	"items and quotes by turns, blank lines": func(n int) string {
		return strings.Repeat("- > ", n/8) + "a" + strings.Repeat("\n", n/2)
	},
	"items, indented lines": func(n int) string {
		return strings.Repeat("- ", n/8) + "a\n" + strings.Repeat(strings.Repeat(" ", n/4)+"b\n", 3)
	},
	"items, tabs": func(n int) string {
		return strings.Repeat("-\t", n/8) + "a\n" + strings.Repeat(strings.Repeat("\t", n/8)+"b\n", 6)
	},
	"items, lines not indented": func(n int) string { return strings.Repeat("- ", n/4) + "a\n" + strings.Repeat("b\n", n/4) },
	"ever deeper items":         deeper("- "),
	"ordered items":             repeated("1. "),
	"numbers":                   repeated("1"),
	"empty items":               repeated("-\n"),
	"breaks":                    repeated("* * "),
	"breaks that are none":      func(n int) string { return strings.Repeat("* ", n/2) + "a" },
	"headings":                  repeated("# "),
	"empty headings":            repeated("#\n"),
	"underlines":                repeated("a\n=\n"),
	"underlines under definitions": func(n int) string {
		return strings.Repeat("[a]: b\n===\n", n/11)
	},
	"fences":               repeated("```\n"),
	"fences that are none": repeated("``` `\n"),
	"fences in ever more quotes": func(n int) string {
		return strings.Repeat("> ", n/2) + "```"
	},
	"tags that end nowhere":       repeated("<a "),
	"tags after tags":             repeated("<a <a"),
	"attributes":                  func(n int) string { return "<a" + strings.Repeat(" b=c", n/4) },
	"attributes that end nowhere": repeated(`<a b="`),
	"tags in attributes":          repeated(`<a b='<a c="' d="'`),
	"white space in tags":         func(n int) string { return strings.Repeat("<a"+strings.Repeat(" ", 200), n/202) },
	"comments":                    repeated("<!--"),
	"comments in a paragraph":     func(n int) string { return "a" + strings.Repeat("<!--", n/4) },
	"instructions":                func(n int) string { return "a" + strings.Repeat("<?", n/2) },
	"declarations":                func(n int) string { return "a" + strings.Repeat("<!A", n/3) },
	"CDATA":                       func(n int) string { return "a" + strings.Repeat("<![CDATA[", n/9) },
	"all that HTML begins with":   func(n int) string { return "a" + strings.Repeat("<!--<?<!A<![CDATA[<a b='", n/24) },
	"HTML blocks":                 repeated("<div>\n\n"),
	"scripts":                     repeated("<script>\n"),
	"addresses":                   repeated("<a:"),
	"addresses of mail":           repeated("<a@b."),
	"addresses that end":          repeated("<a@b.c>"),
	"definitions":                 repeated("[a]: b\n"),
	"definitions with titles":     repeated("[a]: b 'c\n"),
	"definitions, then titles":    repeated("[a]: b\n'c\n"),
	"labels":                      repeated("[a"),
	"labels that are long":        func(n int) string { return strings.Repeat("["+strings.Repeat("a", 990), n/991) },
	"labels on lines":             repeated("[\n"),
	"tabs":                        repeated("\t"),
	"spaces":                      repeated(" "),
	"spaces in lines":             repeated("    a \n"),
	"line ends":                   repeated("\r"),
	"entities":                    repeated("&amp"),
	"backslashes":                 repeated("\\"),
	"words":                       repeated("words and more "),
}

func repeated(piece string) func(n int) string {
	return func(n int) string { return strings.Repeat(piece, n/len(piece)) }
}

// deeper is a line with a mark, one with two, and so on.
func deeper(mark string) func(n int) string {
	return func(n int) string {
		var b strings.Builder
		for i := 1; b.Len() < n; i++ {
			b.WriteString(strings.Repeat(mark, i) + "a\n")
		}
		return b.String()
	}
}

// stepsFor counts what is looked at to read a text.
func stepsFor(text string) int {
	s := scanner{text: text}
	s.scan()
	return s.steps
}

// The work for a text four times as long is four times as much, whatever the text.
func TestWorkGrowsWithTheLength(t *testing.T) {
	const n = 20_000
	for name, text := range slow {
		t.Run(name, func(t *testing.T) {
			short, long := text(n), text(4*n)
			few, many := stepsFor(short), stepsFor(long)
			if few < len(short)/2 {
				t.Fatalf("%d steps are counted for %d bytes: something is not", few, len(short))
			}
			// Room for what grows with the logarithm of the depth.
			if growth := float64(many) / float64(few) / (float64(len(long)) / float64(len(short))); growth > 1.3 {
				t.Errorf("%d bytes took %d steps, %d took %d: %.1f times as many a byte", len(short), few, len(long), many, growth)
			}
		})
	}
}

func FuzzOf(f *testing.F) {
	for _, text := range slow {
		f.Add(text(60))
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := scanner{text: text}
		s.scan()
		// The worst that is known is about 100: a tag begins every few bytes, and each goes on for as long as one may.
		if limit := 500 * (len(text) + 1); s.steps > limit {
			t.Errorf("%d bytes took %d steps", len(text), s.steps)
		}
		total := 0
		for _, one := range s.out {
			total += len(one)
		}
		if lines := strings.Count(text, "\n") + strings.Count(text, "\r") + 1; total > len(text)+lines {
			t.Errorf("%d bytes came out of %d", total, len(text))
		}
	})
}

func BenchmarkOf(b *testing.B) {
	for _, name := range []string{"words", "links without an end", "emphasis", "items, blank lines", "tags that end nowhere"} {
		b.Run(fmt.Sprint(name), func(b *testing.B) {
			text := slow[name](100_000)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Of(text)
			}
		})
	}
}
