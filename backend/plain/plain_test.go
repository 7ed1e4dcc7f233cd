package plain

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

const scotland = "\U0001F3F4\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F"

func TestBody(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"one", "one"},
		{"one\ntwo", "one\n  | two"},
		{"one\r\ntwo\rthree\n\rfour", "one\n  | two\n  | three\n  | \n  | four"},
		{"a\vb\fc\u0085d\u2028e\u2029f", "a\n  | b\n  | c\n  | d\n  | e\n  | f"},
		{"end\n", "end\n  | "},
		{"\n\n", "\n  | \n  | "},
		{"\tx", "    x"},
		{"\x00\x1b\x1f\x7f", "␀␛␟␡"},
		{"\u0080\u009f", "⟦U+0080⟧⟦U+009F⟧"},
		{"\u061c\u200e\u200f\u202a\u202e\u2066\u2069\u206f", "⟦U+061C⟧⟦U+200E⟧⟦U+200F⟧⟦U+202A⟧⟦U+202E⟧⟦U+2066⟧⟦U+2069⟧⟦U+206F⟧"},
		{"\ufff9base\ufffanote\ufffb", "⟦U+FFF9⟧base⟦U+FFFA⟧note⟦U+FFFB⟧"},
		{"\U000E0001\U000E0041", "⟦U+E0001⟧⟦U+E0041⟧"},
		{scotland, scotland},
		{"x" + scotland + scotland + "y", "x" + scotland + scotland + "y"},
		{scotland[:len(scotland)-4], "\U0001F3F4⟦U+E0067⟧⟦U+E0062⟧⟦U+E0073⟧⟦U+E0063⟧⟦U+E0074⟧"},
		{"\U0001F3F4\U000E0067\U000E0062\U000E007F", "\U0001F3F4⟦U+E0067⟧⟦U+E0062⟧⟦U+E007F⟧"},
		{"\U0001F3F4" + strings.Repeat("\U000E0061", 7) + "\U000E007F", "\U0001F3F4" + strings.Repeat("⟦U+E0061⟧", 7) + "⟦U+E007F⟧"},
		{"\U0001F3F4\U000E0067\U000E0042\U000E0073\U000E007F", "\U0001F3F4⟦U+E0067⟧⟦U+E0042⟧⟦U+E0073⟧⟦U+E007F⟧"},
		{"\U0001F3F4", "\U0001F3F4"},
		{"👨‍👩‍👧 क्‍ष می‌خواهم ❤️", "👨‍👩‍👧 क्‍ष می‌خواهم ❤️"},
		{"a\xff\xfeb\xe2\x82", "a\ufffd\ufffdb\ufffd\ufffd"},
	} {
		if got := Body(c.in); got != c.want {
			t.Errorf("Body(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestInline(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"a b: [c]", "a b: [c]"},
		{"a\nb\rc\r\nd", "a␊b␍c␊d"},
		{"\v\f\u0085\u2028\u2029", "␋␌⟦U+0085⟧⟦U+2028⟧⟦U+2029⟧"},
		{"\t\x00\u202e\xff", "    ␀⟦U+202E⟧\ufffd"},
	} {
		if got := Inline(c.in); got != c.want {
			t.Errorf("Inline(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestName(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"check.sh", "check.sh"},
		{"che\u200bck\u2060.sh\ufeff", "che⟦U+200B⟧ck⟦U+2060⟧.sh⟦U+FEFF⟧"},
		{"a\u00adb\u034fc\u3164d\u115f\uffa0\u2800", "a⟦U+00AD⟧b⟦U+034F⟧c⟦U+3164⟧d⟦U+115F⟧⟦U+FFA0⟧⟦U+2800⟧"},
		{"a\u200cb\u200dc\ufe0f", "a⟦U+200C⟧b⟦U+200D⟧c⟦U+FE0F⟧"},
		{"\u200d한\u200d漢\u200d", "⟦U+200D⟧한⟦U+200D⟧漢⟦U+200D⟧"},
		{"می\u200c\u200c\u200dخواهم", "می\u200c⟦U+200C⟧⟦U+200D⟧خواهم"},
		{"👨‍👩‍👧 क्‍ष می‌خواهم ❤️ 1️⃣ 👍🏽‍❤️ 葛\U000E0100", "👨‍👩‍👧 क्‍ष می‌خواهم ❤️ 1️⃣ 👍🏽‍❤️ 葛\U000E0100"},
		{"❤\ufe0f\ufe0f", "❤\ufe0f⟦U+FE0F⟧"},
		{"a\nb\u202e", "a␊b⟦U+202E⟧"},
	} {
		if got := Name(c.in); got != c.want {
			t.Errorf("Name(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestHandle(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"aiko", "aiko"},
		{"분석가", "분석가"},
		{"आशा", "आशा"},
		{"a b\tc\u00a0d\u3000e", "a_b_c_d_e"},
		{"a: x\r\n- [user] b", "a__x_-__user__b"},
		{"a：b［c］d", "a_b_c_d"},
		{"\u2028\u0085", "__"},
		{"a\u202eb\x00", "a⟦U+202E⟧b␀"},
		{" ", "_"},
	} {
		if got := Handle(c.in); got != c.want {
			t.Errorf("Handle(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestCut(t *testing.T) {
	family := "👨‍👩‍👧‍👦" // 7 scalars
	for _, c := range []struct {
		in   string
		n    int
		kept string
		cut  int
	}{
		{"", 3, "", 0},
		{"abc", 3, "abc", 0},
		{"abcd", 3, "abc", 1},
		{"abc", 0, "", 3},
		{"abc", -1, "", 3},
		{"안녕하세요", 2, "안녕", 3},
		{"ab" + family + "c", 5, "ab", 8},
		{"ab" + family + "c", 9, "ab" + family, 1},
		{family + "c", 4, "👨‍👩‍", 4},
		{"e\u0301e\u0301", 3, "e\u0301", 2},
		{"ae\u0301", 2, "a", 2},
		{"a\r\nb", 2, "a", 3},
		{"🇰🇷🇯🇵", 3, "🇰🇷", 2},
		{"\u1112\u1161\u11ab\u1100", 3, "\u1112\u1161\u11ab", 1},
		{"\u1112\u1161\u11ab\u1100\u1161", 4, "\u1112\u1161\u11ab", 2},
		{"कि" + "क्षि", 4, "कि", 4},                     // a conjunct is one letter
		{"क्षि" + "क", 4, "क्षि", 1},                    // and stays whole
		{"क\u094d\u200dष" + "क", 3, "क\u094d\u200d", 2}, // longer than 3 alone
		{"a" + "क\u094d\u200dष", 4, "a", 4},
		{"a" + "क\u094d\u200cष", 4, "aक\u094d\u200c", 1}, // a non-joiner keeps them apart
		{"aक\u094dx", 3, "aक\u094d", 1},
		{"aகாக", 2, "a", 3},
		{"a\xff\xff\xff", 2, "a\ufffd", 2},
		{scotland + "x", 7, scotland, 1},
		{"x" + scotland, 7, "x", 7},
	} {
		kept, cut := Cut(c.in, c.n)
		if kept != c.kept || cut != c.cut {
			t.Errorf("Cut(%q, %d) = %q, %d, want %q, %d", c.in, c.n, kept, cut, c.kept, c.cut)
		}
	}
}

func TestEscapeJSON(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`{"a":"b"}`, `{"a":"b"}`},
		{"\"\u202e\u0085\x7f\u2028\"", `"\u202e\u0085\u007f\u2028"`},
		{"\"\U000E0041\"", `"\udb40\udc41"`},
		{`"` + scotland + `한 क्ष 👨‍👩‍👧"`, `"` + scotland + `한 क्ष 👨‍👩‍👧"`},
	} {
		if got := EscapeJSON(c.in); got != c.want {
			t.Errorf("EscapeJSON(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func FuzzVisible(f *testing.F) {
	f.Add("a\r\nb\u2028\u202e\x00\xff", 3)
	f.Add(scotland+"👨‍👩‍👧‍👦क्ष\U0001F3F4\U000E0061", 5)
	f.Fuzz(func(t *testing.T, s string, n int) {
		for name, text := range map[string]string{"Body": Body(s), "Inline": Inline(s), "Name": Name(s), "Handle": Handle(s)} {
			if !utf8.ValidString(text) {
				t.Errorf("%s(%q) is not UTF-8", name, s)
			}
			for i, line := range strings.Split(text, "\n") {
				if i > 0 && (name != "Body" || !strings.HasPrefix(line, Continued)) {
					t.Errorf("%s(%q) begins a line with %q", name, s, line)
				}
				for i, r := range line {
					if (Hidden(r) || breaksLine(r)) && (r < 0xe0000 || !strings.Contains(line[:i], "\U0001F3F4")) {
						t.Errorf("%s(%q) leaves %U", name, s, r)
					}
				}
			}
		}
		if strings.ContainsAny(Handle(s), " :[]") {
			t.Errorf("Handle(%q) = %q", s, Handle(s))
		}

		kept, cut := Cut(s, n)
		whole := Repair(s)
		if !strings.HasPrefix(whole, kept) || Length(kept)+cut != Length(s) || Length(kept) > max(n, 0) {
			t.Fatalf("Cut(%q, %d) = %q, %d", s, n, kept, cut)
		}
		if size, scalars := cluster(whole); cut > 0 && n > 0 && scalars > n {
			if Length(kept) != n || size < len(kept) {
				t.Errorf("Cut(%q, %d) of a long cluster = %q", s, n, kept)
			}
			return
		}
		for end, rest, state := 0, whole, -1; end < len(kept); {
			var first string
			first, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
			if end += len(first); end > len(kept) {
				t.Errorf("Cut(%q, %d) = %q splits %q", s, n, kept, first)
			}
		}

		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		escaped := EscapeJSON(string(text))
		var back string
		if err := json.Unmarshal([]byte(escaped), &back); err != nil || back != whole {
			t.Errorf("%q came back from %s as %q, %v", s, escaped, back, err)
		}
	})
}

func BenchmarkCut(b *testing.B) {
	for name, text := range map[string]string{
		"ascii": strings.Repeat("a line of a build log\n", 1000), "korean": strings.Repeat("빌드가 또 깨졌어요. ", 1000),
		"one cluster": "a" + strings.Repeat("\u0301", 100_000),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Cut(text, 600)
			}
		})
	}
}

func BenchmarkBody(b *testing.B) {
	text := strings.Repeat("빌드가 또 깨졌어요. a line of a build log\n", 20)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Body(text)
	}
}
