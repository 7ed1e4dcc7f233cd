package token

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/pkoukk/tiktoken-go-loader/assets"
)

// The counts and ranks are those that OpenAI's own tokenizer gives
// (github.com/openai/openai-cookbook, "How to count tokens with tiktoken").
func TestTokensAreThoseOfTheReference(t *testing.T) {
	for text, want := range map[string][]int{
		"":                             nil,
		"tiktoken is great!":           {83, 1609, 5963, 374, 2294, 0},
		"antidisestablishmentarianism": {519, 85342, 34500, 479, 8997, 2191},
		"2 + 2 = 4":                    {17, 489, 220, 17, 284, 220, 19},
		"お誕生日おめでとう":                    {33334, 45918, 243, 21990, 9080, 33334, 62004, 16556, 78699},
	} {
		if got := Tokens(text); !slices.Equal(got, want) {
			t.Errorf("Tokens(%q) = %v, want %v", text, got, want)
		}
		if got := Count(text); got != len(want) {
			t.Errorf("Count(%q) = %d, want %d", text, got, len(want))
		}
	}
}

func TestSpecialTokensAreOrdinaryText(t *testing.T) {
	if got := Count("<|endoftext|>"); got < 2 {
		t.Errorf("Count = %d: a text that names a special token became one", got)
	}
}

func TestInvalidBytesCountAsReplacement(t *testing.T) {
	if got, want := Tokens("a\xff\xfeb"), Tokens("a\ufffd\ufffdb"); !slices.Equal(got, want) {
		t.Errorf("Tokens = %v, want %v", got, want)
	}
}

func TestVocabularyIsThePublishedOne(t *testing.T) {
	file, err := gzip.NewReader(bytes.NewReader(vocabulary))
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	loaders, err := assets.Assets.ReadFile("cl100k_base.tiktoken")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, loaders) {
		t.Error("the embedded vocabulary is not the offline loader's")
	}
	// The hash that openai/tiktoken itself checks after downloading.
	const published = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
	if sum := sha256.Sum256(got); hex.EncodeToString(sum[:]) != published {
		t.Errorf("sha256 of the vocabulary is %x, want %s", sum, published)
	}
}

func TestBrokenVocabularyIsRefused(t *testing.T) {
	compress := func(text string) []byte {
		var out bytes.Buffer
		w := gzip.NewWriter(&out)
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	for name, file := range map[string][]byte{
		"no gzip":   []byte("IQ== 0\n"),
		"cut short": vocabulary[:len(vocabulary)/2],
		"no rank":   compress("IQ==\n"),
		"no base64": compress("? 0\n"),
		"no number": compress("IQ== x\n"),
		"too few":   compress("IQ== 0\n"),
	} {
		if _, err := readVocabulary(file); err == nil {
			t.Errorf("%s: read without an error", name)
		}
	}
}

func TestCommonPrefix(t *testing.T) {
	for _, c := range []struct {
		a, b []int
		want int
	}{
		{nil, nil, 0},
		{[]int{1, 2}, nil, 0},
		{[]int{1, 2, 3}, []int{1, 2, 4}, 2},
		{[]int{1, 2}, []int{1, 2, 3}, 2},
		{[]int{1, 2, 3}, []int{1, 2}, 2},
		{[]int{2}, []int{1}, 0},
	} {
		if got := CommonPrefix(c.a, c.b); got != c.want {
			t.Errorf("CommonPrefix(%v, %v) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestLongTextOfShortRunsIsCountedWhole(t *testing.T) {
	text := strings.Repeat("Kurz und gut, 안녕하세요. 12345678901234567890\n", 500) + strings.Repeat("7", 5000) + strings.Repeat("가", longestRun/3)
	if parts := split(text); len(parts) != 1 {
		t.Errorf("split into %d parts, want 1: the count would not be exact", len(parts))
	}
}

func TestSplitBoundsEveryRunAndLosesNothing(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("a", longestRun), strings.Repeat("a", longestRun+1), strings.Repeat("가", 5000),
		strings.Repeat("🎉", 3000), strings.Repeat(" ", 10_000) + strings.Repeat("-", 10_000), strings.Repeat("\xff", 5000),
	} {
		parts := split(text)
		if strings.Join(parts, "") != text {
			t.Errorf("%.10q…: the parts are not the text", text)
		}
		for _, part := range parts {
			if utf8.ValidString(text) && !utf8.ValidString(part) {
				t.Errorf("%.10q…: cut inside a character", text)
			}
		}
		if again := split(parts[0]); len(again) != 1 {
			t.Errorf("%.10q…: the first part still holds a run over %d bytes", text, longestRun)
		}
	}
	if got := len(split(strings.Repeat("a", 10*longestRun))); got != 10 {
		t.Errorf("10 runs' worth of letters in %d parts, want 10", got)
	}
}

// runs makes unbroken runs of several kinds, n characters each.
func runs(random *rand.Rand, n int) map[string]string {
	pick := func(alphabet string) string {
		letters := []rune(alphabet)
		out := make([]rune, n)
		for i := range out {
			out[i] = letters[random.IntN(len(letters))]
		}
		return string(out)
	}
	words := strings.Fields("channel row thread mention binding run turn lease watermark session framing brief context spill workbench transcript handoff")
	var joined strings.Builder
	for joined.Len() < n {
		joined.WriteString(words[random.IntN(len(words))])
	}
	return map[string]string{
		"one letter":  strings.Repeat("a", n),
		"letters":     pick("abcdefghijklmnopqrstuvwxyz"),
		"words":       joined.String(),
		"Korean":      pick("가나다라마바사아자차카타파하안녕세요분석"),
		"Japanese":    pick("あいうえおかきくけこ日本語漢字"),
		"Hindi":       pick("कखगघचछजझ"),
		"spaces":      strings.Repeat(" ", n),
		"white space": pick(" \t\n"),
		"dashes":      strings.Repeat("-", n),
		"punctuation": pick("!\"#$%&()*+,-./:;<=>?@[]^_{|}~'"),
		"emoji":       pick("🎉🔥🚀✅"),
	}
}

func TestACutCostsAtMostThreeTokens(t *testing.T) {
	for seed := range uint64(4) {
		random := rand.New(rand.NewPCG(seed, 7))
		for name, run := range runs(random, 2000+random.IntN(2000)) {
			text := "before " + run + "'s after"
			cuts := len(split(text)) - 1
			if cuts == 0 {
				t.Fatalf("%s: not cut", name)
			}
			whole, parts := len(encoder().EncodeOrdinary(text)), Count(text)
			if diff := parts - whole; diff > 3*cuts || diff < -3*cuts {
				t.Errorf("%s: %d tokens in parts, %d whole, with %d cuts", name, parts, whole, cuts)
			}
		}
	}
}

func TestConcurrentFirstUse(t *testing.T) {
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if got := Count("tiktoken is great!"); got != 6 {
				t.Errorf("Count = %d, want 6", got)
			}
		})
	}
	wg.Wait()
}

func FuzzTokens(f *testing.F) {
	f.Add("hello, 세계", 3)
	f.Add("\xff\u2028\x00'S", 400)
	f.Fuzz(func(t *testing.T, text string, times int) {
		if times < 0 || times > 2000 || len(text)*times > 20_000 {
			return
		}
		text = strings.Repeat(text, times)
		tokens := Tokens(text)
		if len(tokens) != Count(text) {
			t.Errorf("%d tokens, counted %d", len(tokens), Count(text))
		}
		if got := encoder().Decode(tokens); got != string([]rune(text)) {
			t.Errorf("the tokens decode to another text: %q", got)
		}
	})
}

func BenchmarkCountProse(b *testing.B) {
	text := strings.Repeat("The build is red again on main: the migration test fails, see the log below.\n", 500)
	Count(text)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Count(text)
	}
}

// BenchmarkCountUnbroken reports bytes a second for runs of growing length: the
// figure must not fall as the run grows.
func BenchmarkCountUnbroken(b *testing.B) {
	for name, n := range map[string]int{"1k": 1_000, "40k": 40_000, "400k": 400_000} {
		b.Run(name, func(b *testing.B) {
			text := strings.Repeat("a", n)
			Count(text)
			b.SetBytes(int64(n))
			for b.Loop() {
				Count(text)
			}
		})
	}
}

func BenchmarkCommonPrefix(b *testing.B) {
	tokens := make([]int, 20_000)
	for b.Loop() {
		CommonPrefix(tokens, tokens)
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if _, err := readVocabulary(vocabulary); err != nil {
			b.Fatal(err)
		}
	}
}
